# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
# takes: 60
#
# Anyone's program is read in the kernel. Programs whose unwind tables are damaged, or were
# made to take long or to take memory, are run: at least one for each check of the module's
# readers. Their own stacks end in a reason, where they are not right, and nobody else's
# suffer.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

if ! user_stacks_exist; then
	skip 'programs are not read' 'there are no user stacks here'
	finish
fi

here=/tmp/harmful

# judge RAN FOLDED: print for each program that ran its name, how its stacks must end, and what
# is wrong: "unseen" if no sample came after its rows were there, or "strange" with a stack.
# Only user halves are looked at. Until a program spins, and until its rows are there, it may
# be in its first functions, or have a reason that is not its fault.
judge() {
	awk -v at="$here/[^;]*[+]0x" '
		function ends_as(text, regex) { return text ~ "^(" regex ")[; ]" }
		BEGIN {
			id = "( [0-9a-f]+)?"
			start = at "2000" id
			middle = start ";" at "2040" id
			spin = at "(20|12c000)[89ab][0-9a-f]" id
			wanted["whole"] = middle ";" at "2080" id
			wanted["no-rule"] = "[[]user: no rule[]];" spin
			wanted["no-rule-above"] = "[[]user: no rule[]];" at "2040" id ";" spin
			wanted["alone"] = spin
			wanted["fault"] = "[[]user: fault[]](;" spin ")?"
			wanted["deep"] = "[[]user: deep[]];.*" spin
			early = at "(20|12c000)[0-7][0-9a-f]" id
			until_then = early "|" start "|" middle "|[[]user: no rule[]];" at "(20|12c000)[0-7][0-9a-f]" id \
				"|[[]user: (not learned|exec|unverified|no mapping|copy short|crowded)[]].*" \
				"|[[]user: fault[]];[a-z_].*|/root/harmful[+].*"
		}
		NR == FNR { ends[$1] = $2; order[++nr] = $1; next }
		{ name = $0; sub(/;.*/, "", name) }
		!(name in ends) || ends[name] == "own" { next }
		{
			half = substr($0, length(name) + 2)
			if (half !~ /^(\/|[[](user: |unread|made))/)
				next
			# they load words of text, which are not in the copy of their stacks
			if ((name == "load-text" || name == "fp-loop") && ends_as(half, wanted["fault"]))
				next
			# it makes its signal frame in four instructions, before which anything is there
			if (name == "signal-deep" &&
			    ends_as(half, "[[]user: fault[]];" at "20(8[0-9a-f]|9[0-9a-d])" id))
				next
			if (ends_as(half, wanted[ends[name]]))
				seen[name]++
			else if (!ends_as(half, until_then) && !(name in strange))
				strange[name] = $0
		}
		END {
			for (i = 1; i <= nr; i++) {
				name = order[i]
				printf "%s %s ", name, ends[name]
				if (name in strange)
					print "strange: " strange[name]
				else if (ends[name] == "own" || seen[name])
					print "right"
				else
					print "unseen"
			}
		}' "$1" "$2"
}

# exact FILE WHICH: the program whose stacks are known has whole ones, as far as they are learned
exact() {
	local all early whole

	all=$(folded_match '^stacks;.*/stacks\+0x' "$1")
	early=$(folded_match '^stacks;\[user: (not learned|exec|copy short)\]' "$1")
	whole=$(folded_match '^stacks;/[^;]*/stacks\+0x[0-9a-f]+[^;]*;[^;]*libc' "$1")
	diag "$2: of $all periods $whole are whole and $early not learned"
	holds "$2: it was seen" "$all > 100"
	holds "$2: most stacks are learned" "$early < 0.4 * $all"
	holds "$2: nearly all of these are whole" "$whole > 0.95 * ($all - $early)"
}

# within FILE: memory is within its bounds
within() {
	holds 'rows are within their memory' \
		"$(what '.user_stacks.rows_bytes' "$1") <= $(what '.user_stacks.rows_limit_bytes' "$1")"
	holds 'memory is within its bound' \
		"$(what .memory_bytes "$1") <= $(what .memory_limit_bytes "$1")"
}

mkdir $here
mount -t tmpfs -o size=256m harmful $here
load hz=$((997 / slowness)) max_depth=127
/root/stacks 100000 >/dev/null & witness=$!
mapfile -t names < <(/root/harmful list)
half=$((${#names[@]} / 2))
/root/harmful run $here $((150 * slowness)) "${names[@]:0:half}" >"$OUT/ran.0" & first=$!
/root/harmful run $here $((150 * slowness)) "${names[@]:half}" >"$OUT/ran.1" & second=$!
wait $first $second
cat "$OUT"/ran.[01] >"$OUT/ran"
cat "$debugfs/folded" >"$OUT/once"
# On a busy host, some had no sample after their rows were there: these run again, for longer.
mapfile -t names < <(judge "$OUT/ran" "$OUT/once" | awk '$3 == "unseen" { print $1 }')
diag "${#names[@]} run again: ${names[*]}"
[ ${#names[@]} = 0 ] || /root/harmful run $here $((1000 * slowness)) "${names[@]}" >"$OUT/again"
# A program that is met for the first time after all these is learned as well.
cp /root/stacks $here/stacks
$here/stacks $((6 * slowness)) >/dev/null
kill $witness
{ wait $witness; } 2>/dev/null
flamectl stop
cat "$debugfs/folded" >"$OUT/folded"
flamectl status --json >"$OUT/json"
diag "$(flamectl status | grep -A 14 '^user ')"
books_balance 'with harmful programs' "$OUT/json"
is 'the stacks sum to the books' "$(folded_sum "$OUT/folded")" "$(stored_and_lost "$OUT/json")"
within "$OUT/json"
holds 'many programs were run' "$(wc -l <"$OUT/ran") > 150"
is 'each of them ran, and none of their files grew' "$(grep -hv ' ran$' "$OUT"/ran.[01])" ''
while read -r name ends verdict; do
	is "$name: its stacks are $ends" "$verdict" right
done < <(judge "$OUT/ran" "$OUT/folded")
grep -v "^stacks;.*$here/stacks" "$OUT/folded" >"$OUT/witness"
grep "^stacks;.*$here/stacks" "$OUT/folded" >"$OUT/later"
exact "$OUT/witness" 'a program beside them'
exact "$OUT/later" 'a program after them'
ok 'unloaded' unload

# Bytes that are damaged at random, other ones in each run.
load hz=$((997 / slowness))
# make check is satisfied with fewer
damaged=200
[ "${STORM:-}" != small ] || damaged=50
seed=$(($(date +%s) % 100000))
diag "seed $seed"
/root/harmful random $here $((20 * slowness)) $seed $damaged >"$OUT/ran.random"
flamectl stop
flamectl status --json >"$OUT/random.json"
cat "$debugfs/folded" >"$OUT/random.folded"
is 'programs damaged at random ran' "$(grep -vcx 'random own ran' "$OUT/ran.random")" 0
holds 'they were sampled' "$(folded_match '^random;' "$OUT/random.folded") > $damaged"
books_balance 'damaged at random' "$OUT/random.json"
within "$OUT/random.json"
ok 'unloaded' unload
wait_for 5 umount $here
nok 'nobody holds a file' mountpoint -q $here
finish
