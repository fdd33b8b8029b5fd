# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
# takes: 70
#
# Even if nearly all memory is records, a reader's copy of their counts has room. A reset
# does not need the memory that it will free.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# shellcheck disable=SC2317 # called by wait_for
is_full() { flamectl status --json | jq -e '.books.lost["aggregate-full"] > 0'; }

# many threads with the same few stacks: nearly all of it is records
load hz=20000 aggregate_kb=3072 cpu_kb=4096
yielding /root/crowd 400 & crowd=$!
ok 'the profile fills up' wait_for 400 is_full
exits 0 'it can be read and reset' sh -c "flamectl dump --reset >$OUT/reset.folded"
ok 'it fills up again' wait_for 400 is_full
kill $crowd
flamectl stop
exits 0 'it can be read' sh -c "flamectl dump >$OUT/full.folded"
flamectl status --json >"$OUT/full.json"
is 'it is whole' "$(folded_sum "$OUT/full.folded")" "$(stored_and_lost "$OUT/full.json")"
holds 'memory stays in its bounds' \
	"$(what .memory_bytes "$OUT/full.json") <= $(what .memory_limit_bytes "$OUT/full.json")"
ok 'a shell can read it' sh -c "cat $debugfs/folded >/dev/null"
ok 'it can be forgotten' flamectl reset
is 'nothing is left' "$(flamectl dump | wc -l)" 0
finish
