# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 60
# main path
#
# A program's user stacks are those of its source, down to where it starts; what
# became of each user side is counted. They are on by default where they exist, and can be
# switched off; elsewhere they are off, and refused if somebody insists.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/hostile.sh
. /tests/module/vm/hostile.sh

# named FILE: its folded stacks of the program, with names for the program's offsets
# ("name 0xoffset" in $OUT/functions), and "libc" or "vdso" for each frame of these
named() {
	grep '^stacks;' "$1" | sed -E 's/ [0-9a-f]{40}(;| )/\1/g' |
		awk 'NR == FNR { name[$2] = $1; next }
		{
			weight = $NF
			sub(/ [0-9]+$/, "")
			n = split($0, frames, ";")
			line = frames[1]
			for (i = 2; i <= n; i++) {
				frame = frames[i]
				if (match(frame, /^\/.*\/stacks\+0x/)) {
					sub(/^.*\+/, "", frame)
					frame = frame in name ? name[frame] : "?" frame
				} else if (match(frame, /^\/.*\/libc[.-].*\+0x/))
					frame = "libc"
				else if (match(frame, /^\[vdso\]\+0x/))
					frame = "vdso"
				line = line ";" frame
			}
			print line, weight
		}' "$OUT/functions" -
}

# exact FUNCTION STACK: all stacks that end in FUNCTION are STACK, or say what is wrong.
# If a drain comes before the worker has walked a copy, that stack is not learned: on a busy
# host, where one sample counts for many periods, that can be a tenth of a short run.
exact() {
	local all early right

	all=$(folded_match ";$1 " "$OUT/named")
	early=$(folded_match "^stacks;\[user: not learned\];(.*;)?$1 " "$OUT/named")
	right=$(folded_match "^stacks;_start;libc;libc;main;$2;$1 " "$OUT/named")
	holds "$1: it was seen" "$all > 20 / $slowness"
	holds "$1: most stacks are learned" "$early < 0.4 * $all"
	holds "$1: nearly all of these are whole" "$right > 0.95 * ($all - $early)"
	is "$1: what is not whole says so" \
		"$(grep ";$1 " "$OUT/named" | grep -vE "^stacks;(_start;libc;libc;main;$2|\[user: [a-z ]+\](;.*)?);$1 ")" ''
}

# learned: run the program once; on a slow kernel, run it again until its tables are learned.
# Print its functions.
learned() {
	local try

	for ((try = 0; try < slowness; try++)); do
		/root/stacks 3 >"$OUT/learned"
		! grep -qE '^stacks;.*/stacks\+0x' "$debugfs/folded" || break
	done
	cat "$OUT/learned"
}

# parameter: print the module's parameter
parameter() { cat /sys/module/flamemod/parameters/user_stacks; }
# setting: print the module's setting
setting() { flamectl status --json | jq .settings.user_stacks; }

if ! user_stacks_exist; then
	nok 'where they cannot be taken, they are refused' insmod "$module" user_stacks=1
	like 'the log says why' "$(dmesg)" 'flamemod: user_stacks=1: not on this machine: .*x86-64'
	load autostart=0
	is 'without the parameter they are off' "$(parameter) $(setting)" 'N false'
	like 'the log says so' "$(dmesg | grep flamemod: | tail -n 1)" 'flamemod: .*ready to sample .* without user stacks'
	like 'and so does status' "$(flamectl status)" '^user +user stacks are off'
	nok 'and so is a start with them' flamectl start user-stacks=1
	# shellcheck disable=SC2154 # set by nok
	like 'which says why' "$output" 'user-stacks: not on this machine'
	is 'and changes nothing' "$(flamectl status --json | jq '.state == "stopped" and (.settings.user_stacks | not)')" true
	exits 0 'a recording has none' flamectl record -o "$OUT/none.pb.gz" -- /root/stacks 1
	is 'and says nothing about it' "$(grep flamectl <<<"$output")" ''
	flamectl dump "$OUT/none.pb.gz" >"$OUT/none"
	like 'user mode is one frame' "$(cat "$OUT/none")" '^stacks;\[user\] '
	is 'its file says that there are none' "$(flamectl status --json "$OUT/none.pb.gz" | jq .settings.user_stacks)" false
	exits 1 'a recording that insists is refused' flamectl record --user-stacks -o "$OUT/insists.pb.gz" -- /root/stacks 1
	like 'which says why' "$output" 'user-stacks: not on this machine'
	nok 'and leaves no file' test -e "$OUT/insists.pb.gz"
	ok 'unloaded' unload
	load user_stacks=0 autostart=0
	is 'switching them off is accepted' "$(parameter) $(setting)" 'N false'
	finish
fi

load hz=997
is 'they are on by default' "$(parameter) $(setting)" 'Y true'
like 'the log says so' "$(dmesg | grep flamemod: | tail -n 1)" 'flamemod: .*sampling .* with user stacks'
learned >"$OUT/functions"
flamectl stop
cat "$debugfs/folded" >"$OUT/default"
like 'then there are user frames' "$(cat "$OUT/default")" '^stacks;.*/stacks\+0x'
unlike 'and no user mode without any' "$(cat "$OUT/default")" '^stacks;\[user\] '
ok 'unloaded' unload

load hz=997 user_stacks=0
is 'they can be switched off at load' "$(parameter) $(setting)" 'N false'
like 'the log says so' "$(dmesg | grep flamemod: | tail -n 1)" 'flamemod: .*sampling .* without user stacks'
like 'and so does status' "$(flamectl status)" '^user +user stacks are off'
/root/stacks 3 >"$OUT/functions"
flamectl stop
cat "$debugfs/folded" >"$OUT/off"
flamectl status --json >"$OUT/off.json"
like 'then user mode is one frame' "$(grep '^stacks;' "$OUT/off")" '^stacks;\[user\] '
unlike 'and there are no user frames' "$(cat "$OUT/off")" '\+0x|\[user: '
is 'nor counts of them' "$(what .user_stacks "$OUT/off.json")" null

# They can be switched while sampling is stopped; a recording switches them for itself.
are_switched() {
	ok 'it forgets' flamectl reset
	ok 'a start takes them' flamectl start user-stacks=1
	learned >/dev/null
	nok 'while it samples they do not change' flamectl set user-stacks=0
	flamectl stop
	cat "$debugfs/folded" >"$OUT/on"
	like 'then there are user frames' "$(cat "$OUT/on")" '^stacks;.*/stacks\+0x'
	ok 'it forgets again' flamectl reset
	ok 'another start takes none' flamectl start user-stacks=0
	/root/stacks 3 >/dev/null
	flamectl stop
	cat "$debugfs/folded" >"$OUT/off-again"
	like 'user mode is one frame again' "$(grep '^stacks;' "$OUT/off-again")" '^stacks;\[user\] '
	unlike 'without user frames' "$(cat "$OUT/off-again")" '\+0x|\[user: '
	ok 'a recording takes them' flamectl record -o "$OUT/own.pb.gz" -- /root/stacks 3
	flamectl dump "$OUT/own.pb.gz" >"$OUT/own"
	like 'with names' "$(cat "$OUT/own")" '^stacks;_start;[^;]+;[^;]+;main;'
	is 'and for itself alone' "$(setting)" false
	is 'its file says so' "$(flamectl status --json "$OUT/own.pb.gz" | jq .settings.user_stacks)" true
	ok 'a recording can leave them out' flamectl record --no-user-stacks -o "$OUT/without.pb.gz" -- /root/stacks 3
	flamectl dump "$OUT/without.pb.gz" >"$OUT/without"
	like 'then user mode is one frame' "$(cat "$OUT/without")" '^stacks;\[user\] '
	unlike 'without user frames' "$(grep ^stacks "$OUT/without")" '\+0x|\[user: |;main'
	ok 'sampling without them' flamectl start
	ok 'is shared by a recording as it is' flamectl record -o "$OUT/shared.pb.gz" -- /root/stacks 1
	flamectl dump "$OUT/shared.pb.gz" >"$OUT/shared"
	like 'which has none' "$(cat "$OUT/shared")" '^stacks;\[user\] '
	exits 1 'and not by one that insists' flamectl record --user-stacks -o "$OUT/insists.pb.gz" -- /root/stacks 1
	like 'which says why' "$output" 'already runs without user stacks'
	flamectl stop
	flamectl set user-stacks=1
	ok 'a recording without them, where they are on' flamectl record --no-user-stacks -d 200ms -o "$OUT/without.pb.gz"
	is 'restores them' "$(setting)" true
}
[ -n "$main_path" ] || are_switched
ok 'unloaded' unload

nok 'too little memory for user stacks is refused' insmod "$module" user_kb=63
nok 'too much memory for rows is refused' insmod "$module" rows_kb=1048577
load hz=$((997 / slowness))
/root/stacks $((12 * slowness)) >"$OUT/functions"
flamectl stop
cat "$debugfs/folded" >"$OUT/folded"
flamectl status --json >"$OUT/json"
flamectl status >"$OUT/status"
flamectl dump >"$OUT/by-flamectl"
diag "$(grep -A 14 '^user ' "$OUT/status")"
named "$OUT/folded" >"$OUT/named"
books_balance 'with user stacks' "$OUT/json"
is 'the stacks sum to the books' "$(folded_sum "$OUT/folded")" "$(stored_and_lost "$OUT/json")"
is 'flamectl sees the same sum' "$(folded_sum "$OUT/by-flamectl")" "$(stored_and_lost "$OUT/json")"
is 'what became of user stacks sums to those there are' "$(sides "$OUT/json")" \
	"$(folded_match '^[^;]*;(/[^;]*\+0x|\[(vdso|long path)\]\+0x|\[user: |\[jit\]|\[unread)' "$OUT/folded")"
exact spin_sort 'sort;libc;(libc;)*compare'
exact spin_deep "$(printf 'descend%.0s;' {1..41} | sed 's/;$//')"
exact spin_alloca with_alloca
exact spin_aligned aligned
exact spin_large large
# The handler returns to the C library, or on arm64 to the vdso.
exact spin_signal 'interrupted;libc;((libc|vdso);)*handler'
like 'below a kernel stack stands the user stack that led to it' "$(cat "$OUT/named")" \
	'^stacks;_start;libc;libc;main;calls_kernel;libc;.*(do_syscall_64|entry_SYSCALL|getppid)'
start='^stacks;_start;[^;]+;[^;]+;main;'
for stack in 'sort;.*compare;spin_sort' '(descend;){41}spin_deep' 'with_alloca;spin_alloca' \
	'aligned;spin_aligned' 'large;spin_large' 'interrupted;.*handler;spin_signal'; do
	like "flamectl dump has the names of ${stack##*[;\}]}" "$(cat "$OUT/by-flamectl")" "$start$stack "
done
flamectl dump --no-names >"$OUT/places"
like 'and only places if it is asked for them' "$(cat "$OUT/places")" '^stacks;stacks\+0x[0-9a-f]+;'
is 'of the same sum' "$(folded_sum "$OUT/places")" "$(folded_sum "$OUT/by-flamectl")"
like 'status says how many are whole' "$(cat "$OUT/status")" '^user +[0-9.]+ % of [0-9]+ periods with a user stack'
ok 'unloaded' unload

# Names are found while the program is there: it is deleted before the recording ends.
are_recorded() {
	load autostart=0
	cp /root/stacks /tmp/gone
	build_id=$(grep -oE '/stacks\+0x[0-9a-f]+ [0-9a-f]{40}' "$OUT/folded" | head -n 1 | cut -d ' ' -f 2)
	ok 'a recording of a program that is deleted meanwhile' \
		flamectl record -F $((997 / slowness)) -o "$OUT/gone.pb.gz" -- \
		sh -c "/tmp/gone $((30 * slowness)) >/dev/null; rm /tmp/gone"
	nok 'the program is gone' test -e /tmp/gone
	flamectl dump "$OUT/gone.pb.gz" >"$OUT/gone"
	like 'the recording has its names' "$(cat "$OUT/gone")" '^gone;_start;[^;]+;[^;]+;main;sort;.*compare;spin_sort '
	ok 'and its build-id, and so offsets' grep -qaF "$build_id" <(bytes_of "$OUT/gone.pb.gz")
	cp /root/stacks /tmp/gone
	ok 'a recording of places alone' flamectl record --no-names -o "$OUT/bare.pb.gz" -- \
		sh -c "/tmp/gone $((30 * slowness)) >/dev/null"
	flamectl dump "$OUT/bare.pb.gz" >"$OUT/bare"
	like 'it has no names' "$(cat "$OUT/bare")" '^gone;gone\+0x[0-9a-f]+;'
	ok 'which it can get later' flamectl symbolize -o "$OUT/later.pb.gz" "$OUT/bare.pb.gz"
	flamectl dump "$OUT/later.pb.gz" >"$OUT/later"
	like 'and then has' "$(cat "$OUT/later")" '^gone;_start;[^;]+;[^;]+;main;large;spin_large '
	# Functions are one frame each, unless their places are kept apart for inlined functions.
	# A loop of a few instructions has few places, and a busy host takes few samples: then
	# it runs longer.
	places() { grep -oE '(^|;)gone\+0x[0-9a-f]+' "$1" | sort -u | wc -l; }
	cp /root/stacks /tmp/gone
	for times in 60 120 240 480; do
		ok 'a recording that keeps places apart' flamectl record --inlines --no-names -o "$OUT/apart.pb.gz" -- \
			sh -c "/tmp/gone $((times * slowness)) >/dev/null"
		flamectl dump "$OUT/apart.pb.gz" >"$OUT/apart"
		(($(places "$OUT/apart") * 2 <= $(places "$OUT/bare") * 3)) || break
	done
	holds 'there are more of them than functions' "$(places "$OUT/apart") > 1.5 * $(places "$OUT/bare")"
	is 'the setting is restored' "$(flamectl status --json | jq -c '[.settings.user_places, .running]')" '[false,false]'
	# One that is in a container's file system, which nobody else sees.
	mkdir -p /tmp/own
	ok 'a recording of a program in a mount namespace of its own' \
		flamectl record -F $((997 / slowness)) -o "$OUT/inside.pb.gz" -- unshare -m \
		sh -c "mount -t tmpfs none /tmp/own && cp /root/stacks /tmp/own/inside && /tmp/own/inside $((30 * slowness)) >/dev/null"
	nok 'the program is not here' test -e /tmp/own/inside
	flamectl dump "$OUT/inside.pb.gz" >"$OUT/inside"
	like 'it has names' "$(cat "$OUT/inside")" '^inside;_start;[^;]+;[^;]+;main;large;spin_large '
	ok 'unloaded' unload
}
[ -n "$main_path" ] || are_recorded

load
netlink_storm 39 4000 300
finish
