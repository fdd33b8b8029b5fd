# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 40
#
# What JIT compilers make has the names of the maps that their processes write, while
# they run and when they have ended, also in a container. No address of it is kept.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

seconds=$((2 * slowness))
# Where the program has its code, without the offset in the page.
page=7e0012345

# made NAME: a copy of the program, which calls its functions NAME_outer and NAME_inner
made() { cp /root/jitted "/tmp/$1"; }

# user FILE NAME: its user stacks as text, in $OUT/NAME; without time that was late, as on a
# busy host much is
user() { flamectl dump --user --drop-late "$1" >"$OUT/$2"; }

# recorded NAME COMMAND...: record it
recorded() {
	local name=$1
	shift
	ok "a recording of $name" flamectl record -v -o "$OUT/$name.pb.gz" -- "$@"
	# shellcheck disable=SC2154 # set by ok
	echo "$output" >"$OUT/$name.said"
	user "$OUT/$name.pb.gz" "$name"
}

# all NAME FRAMES: nearly all samples of the loop in NAME end in FRAMES, above main(), unless
# the text of main() or of the C library was not learned yet
all() {
	local below="^$1;(_start;[^;]+;[^;]+;main|\[user: not learned\](;.*)?);" samples

	samples=$(folded_match "^$1;(.*;)?(\[jit[^];]*\]|$1_inner) " "$OUT/$1")
	holds "$1: there are samples" "$samples > 50 / $slowness"
	holds "$1: nearly all are $2" "$(folded_match "$below$2 " "$OUT/$1") > 0.95 * $samples"
}

if ! user_stacks_exist; then
	load autostart=0
	recorded jitted /root/jitted map "$seconds"
	like 'without user stacks user mode is one frame' "$(cat "$OUT/jitted")" '^jitted;\[user\] '
	unlike 'and nothing of it has a name' "$(cat "$OUT/jitted")" '\[jit|_inner'
	ok 'unloaded' unload
	finish
fi

load autostart=0
recorded jitted /root/jitted map "$seconds"
all jitted 'jitted_outer;jitted_inner'
unlike 'flamectl misses nothing' "$(cat "$OUT/jitted.said")" 'made at run time'
nok 'the file does not know whose code it was' grep -qaF '[jit ' <(bytes_of "$OUT/jitted.pb.gz")
ok 'it has the name as a function' grep -qaF jitted_inner <(bytes_of "$OUT/jitted.pb.gz")

made late
recorded late sh -c "/tmp/late late $seconds"
all late 'late_outer;late_inner'

made sliced
ok 'a recording with slices' flamectl record --slices 500ms -o "$OUT/sliced.pb.gz" -- /tmp/sliced map "$seconds"
user "$OUT/sliced.pb.gz" sliced
all sliced 'sliced_outer;sliced_inner'
flamectl dump --user --drop-late --range 0, "$OUT/sliced.pb.gz" >"$OUT/slices"
is 'its slices are the same stacks' "$(sort "$OUT/slices")" "$(sort "$OUT/sliced")"

made none
recorded none /tmp/none none "$seconds"
all none '\[jit: no map\];\[jit: no map\]'
like 'flamectl says so' "$(cat "$OUT/none.said")" \
	'[0-9]+ of [0-9]+ places in code made at run time have no name: [0-9]+ of processes that have written no /tmp/perf-PID\.map'

for mode in link theirs; do
	made $mode
	recorded $mode /tmp/$mode $mode "$seconds"
	all $mode '\[jit: map refused\];\[jit: map refused\]'
done

# The same address is another function in another process.
made one
made two
ok 'a recording of two at one address' flamectl record -o "$OUT/both.pb.gz" -- \
	sh -c "/tmp/one map $seconds & /tmp/two map $seconds; wait"
user "$OUT/both.pb.gz" both
for name in one two; do
	cp "$OUT/both" "$OUT/$name"
	all $name "${name}_outer;${name}_inner"
done

# One that is in a container: another /tmp, which is gone at the end, and another number.
# It runs until its map is open elsewhere, as a busy host may look late.
cp /root/jitted /root/inside
cat >/root/inside.sh <<-'END'
	mount -t tmpfs none /tmp
	/root/inside map 1000 &
	for ((i = 0; i < 600; i++)); do
		ls -l /proc/[0-9]*/fd 2>/dev/null | grep -q '/tmp/perf-[0-9]*\.map$' && break
		sleep 0.1
	done
	sleep 1
	kill $!
	rm /tmp/perf-*.map
END
recorded inside unshare -m -p -f bash /root/inside.sh
all inside 'inside_outer;inside_inner'

# Views of the module's profile, while the process runs.
made running
ok 'sampling starts' flamectl start
mkfifo "$OUT/end"
/tmp/running wait "$seconds" <"$OUT/end" >"$OUT/waits" &
exec {end}>"$OUT/end"
ok 'a process runs its code' wait_for $((seconds * 20)) grep -q waits "$OUT/waits"
flamectl stop
flamectl dump --no-names >"$OUT/places"
flamectl dump >"$OUT/all"
user live running
flamectl report live >"$OUT/report"
cat "$debugfs/folded" >"$OUT/folded"
flamectl status --json >"$OUT/json"
exec {end}>&-
wait
all running 'running_outer;running_inner'
like 'a report has it' "$(cat "$OUT/report")" 'running_inner'
like 'without names it is one frame' "$(grep '^running;' "$OUT/places")" '^running;.*;\[jit\];\[jit\] '
like 'as in debugfs' "$(grep '^running;' "$OUT/folded")" '^running;.*;\[jit\];\[jit\] '
for file in all places folded report; do
	nok "no address of it is in $file" grep -qF "$page" "$OUT/$file"
done
is 'stacks sum to the books' "$(folded_sum "$OUT/all")" "$(stored_and_lost "$OUT/json")"
is 'without names, too' "$(folded_sum "$OUT/places")" "$(folded_sum "$OUT/all")"
diag "$(flamectl status | grep -A 14 '^user ')"
ok 'unloaded' unload
finish
