# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1800
# takes: 30
#
# Processes map, unmap and protect text, fork and execute in four threads, while user
# stacks are taken at 10 kHz. Nothing complains, and what became of each user stack is
# counted.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

# sides FILE [SELECTION]: the sum of what became of user stacks, of a status
sides() { what ".user_stacks | del(.files, .rows_bytes, .rows_limit_bytes)${2:-} | [.[]] | add" "$1"; }

# A kernel that checks itself takes SLOWNESS times as long.
seconds=$(times 300 $((slowness > 1 ? 3 : 10)))
load hz=$((9973 / slowness))
/root/remap $((seconds * slowness)) >"$OUT/remap.0" 2>&1 & first=$!
/root/remap $((seconds * slowness)) >"$OUT/remap.1" 2>&1 & second=$!
wait $first || tap_fail 'the first process ended as it should' "$(cat "$OUT/remap.0")"
wait $second || tap_fail 'the second process ended as it should' "$(cat "$OUT/remap.1")"
books_right remap
for what in maps protects forks executes; do
	done=$(awk -v what=$what '$1 == what { sum += $2 } END { print sum + 0 }' "$OUT"/remap.[01])
	diag "$what: $done times"
	holds "$what: it was done often" "$done > $seconds"
done
diag "$(flamectl status | grep -A 14 '^user ')"
holds 'there were samples of it' "$(folded_match '^remap;' "$OUT/remap.folded") > $seconds * 100 / $slowness"
if user_stacks_exist; then
	json=$OUT/remap.json
	holds 'user stacks were taken' "$(sides "$json") > $seconds * 100 / $slowness"
	holds 'most are whole, or followed by frame pointers' \
		"$(what '.user_stacks.whole + .user_stacks.by_fp' "$json") > 0.5 * $(sides "$json")"
	holds 'rows are within their memory' \
		"$(what .user_stacks.rows_bytes "$json") <= $(what .user_stacks.rows_limit_bytes "$json")"
fi
ok 'it unloads' unload
finish
