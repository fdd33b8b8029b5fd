# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 40
# main path
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# make check is satisfied with less
window=2s
[ "${STORM:-}" != small ] || window=1s

# recorded NAME: record one profile, with its books
recorded() { ok "$1: recorded" flamectl record -d "$window" -o "$OUT/$1.pb.gz"; }

# balanced NAME: check that its books balance. This is done after the load has ended,
# because the load would make it slow.
balanced() {
	unfold "$OUT/$1"
	books_balance "$1" "$OUT/$1.json"
	clock_agrees "$1" "$OUT/$1.json"
	is "$1: the stacks sum to what the books say" \
		"$(folded_sum "$OUT/$1.folded")" "$(stored_and_lost "$OUT/$1.json")"
}

# pauses_counted HZ: check that each callback is in a bucket, except for up to 16 on
# each CPU: of quick callbacks only every 16th is timed, and the last one may still run
pauses_counted() {
	local json="$OUT/pauses-$1.json"

	flamectl status --json >"$json"
	diag "$1 Hz: $(flamectl status | grep -A1 '^pauses' | tr -s ' \n' ' ')"
	holds "at $1 Hz each callback is counted by how long it took" \
		"$(what '.books.fires - (.pauses.callbacks | add)' "$json") >= 0 &&
		 $(what '.books.fires - (.pauses.callbacks | add)' "$json") <= 16 * 2"
	holds "at $1 Hz the time of a drain is reported" \
		"$(what .pauses.swap_ns_max "$json") > 0 && $(what .pauses.callback_ns_max "$json") > 0"
}

rates=(99 997 9973)
[ "$slowness" = 1 ] || rates=(99 997)
[ -z "$main_path" ] || rates=(997)
for hz in "${rates[@]}"; do
	load hz="$hz"
	recorded "idle-$hz"
	load_start
	recorded "load-$hz"
	flamectl status --json >"$OUT/live-$hz.json"
	load_stop
	flamectl stop
	for name in idle load; do balanced "$name-$hz"; done
	books_balance "live at $hz Hz" "$OUT/live-$hz.json"
	clock_agrees "live at $hz Hz" "$OUT/live-$hz.json"
	pauses_counted "$hz"
	unload
done

# What filters leave out is in the books as filtered.
load autostart=0
load_start
ok 'exclude idle and user time' flamectl set exclude-idle=1 kernel-only=1
flamectl start
sleep 2
flamectl stop
load_stop
flamectl dump --by context >"$OUT/filtered.folded"
flamectl status --json >"$OUT/filtered.json"
books_balance 'filtered' "$OUT/filtered.json"
holds 'filtered periods are in the books' "$(what .books.filtered "$OUT/filtered.json") > 0"
is 'no user time is in the profile' "$(folded_match '^\[user\]' "$OUT/filtered.folded")" 0
is 'no idle time is in the profile' "$(folded_match '^\[idle\]' "$OUT/filtered.folded")" 0
# but interrupts that came while it waited are
waits='[a-z_0-9]*(idle|halt)[a-z_0-9]*'
is 'no waiting CPU is in the profile' \
	"$(folded_match ";do_idle(;$waits)+ [0-9]+\$" "$OUT/filtered.folded")" 0
is 'the rest sums to the books' \
	"$(folded_sum "$OUT/filtered.folded")" "$(stored_and_lost "$OUT/filtered.json")"
finish
