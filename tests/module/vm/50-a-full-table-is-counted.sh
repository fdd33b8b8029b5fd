# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
# takes: 12
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# lost_some REASON: whether any period was lost for this reason yet
# shellcheck disable=SC2317 # called by wait_for
lost_some() { flamectl status --json | jq -e ".books | .lost[\"$1\"] > 0"; }

# overflow NAME REASON PARAMETER...: check that losses are counted under REASON and
# shown, and that the books balance
overflow() {
	local name=$1 reason=$2 lost
	shift 2

	load hz=20000 "$@"
	load_start
	wait_for 60 lost_some "$reason"
	load_stop
	flamectl stop
	flamectl dump >"$OUT/$name.folded"
	flamectl status --json >"$OUT/$name.json"
	lost=$(what ".books.lost[\"$reason\"]" "$OUT/$name.json")
	holds "$name: losses are counted" "$lost > 0"
	is "$name: losses are shown" \
		"$(folded_match "\\[lost: $reason\\]" "$OUT/$name.folded")" "$lost"
	books_balance "$name" "$OUT/$name.json"
	is "$name: the stacks sum to what the books say" \
		"$(folded_sum "$OUT/$name.folded")" "$(stored_and_lost "$OUT/$name.json")"
	holds "$name: memory stays in its bounds" \
		"$(what .memory_bytes "$OUT/$name.json") <= $bound_kb * 1024"
	ok "$name: it is drawn" sh -c "flamectl svg $OUT/$name.folded >$OUT/$name.svg"
	like "$name: the graph shows it" "$(cat "$OUT/$name.svg")" "\\[?lost: $reason"
	unload
}

# status computes memory_limit_bytes from the parameters of the load. User stacks have
# memory of their own: user_kb and 226 KiB of each CPU, rows_kb, and a list of files.
user_kb=0
! user_stacks_exist || user_kb=$((2 * (2048 + 230) + 32768 + 1400))
bound_kb=$((2 * 32 + 16384 + user_kb))
overflow table table-full cpu_kb=32 aggregate_kb=16384
bound_kb=$((2 * 1024 + 256 + user_kb))
overflow aggregate aggregate-full aggregate_kb=256
finish
