# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 30
#
# Ten thousand dumps are started and not read: the memory that they hold is limited,
# sampling goes on, and the memory is freed when they end.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# held: print how many dumps are in progress
held() { cat /sys/module/flamemod/refcnt; }

# shellcheck disable=SC2317 # called by wait_for
none_held() { [ "$(held)" = 0 ]; }
# shellcheck disable=SC2317 # called by wait_for
holding() { grep -q holding /tmp/held; }
memory() { flamectl status --json | jq .memory_bytes; }
# settled: whether nothing takes memory any more; rows of programs may come after a stop
# shellcheck disable=SC2317 # called by wait_for
settled() {
	before=$(memory)
	sleep 1
	[ "$(memory)" = "$before" ]
}

load hz=997
sleep 1
# so that only the readers' memory grows
flamectl stop
wait_for 30 settled

# A hundred readers: the memory of each is counted.
/root/nlhold 100 >/tmp/held & holder=$!
wait_for 60 holding
is 'a hundred readers have a dump in progress' "$(held)" 100
each=$((($(memory) - before) / 100))
holds 'their memory is counted, including the settings' "$each >= 300"
kill $holder
wait $holder 2>/dev/null
wait_for 30 none_held
is 'their memory is freed' "$(memory)" "$before"
flamectl start

: >/tmp/held
/root/nlhold 10000 >/tmp/held & holder=$!
ok 'ten thousand dumps are requested' wait_for 250 holding
many=$(held)
diag "$many dumps are under way, $each bytes each where a hundred are"
holds 'some are in progress' "$many > 10"
holds 'not all are' "$many < 10000"
exits 1 'one more reader is refused' flamectl dump
like 'the message to one more reader says why' "$output" 'no memory for another reader'
nok 'the module cannot be unloaded meanwhile' rmmod flamemod
kill $holder
wait $holder 2>/dev/null
wait_for 60 none_held
is 'then none is in progress' "$(held)" 0

flamectl status --json >"$OUT/after.json"
books_balance 'afterwards' "$OUT/after.json"
clock_agrees 'afterwards' "$OUT/after.json"
flamectl stop
flamectl dump >"$OUT/after.folded"
flamectl status --json >"$OUT/after.json"
is 'afterwards the stacks sum to what the books say' \
	"$(folded_sum "$OUT/after.folded")" "$(stored_and_lost "$OUT/after.json")"
# the samples of the meantime take memory as well
ok 'the profile is reset' flamectl reset
near 'the memory is about what it was before' "$(memory)" "$before" 0.5

# Refused readers leave nothing allocated either, to the byte.
before=$(memory)
: >/tmp/held
/root/nlhold 2000 >/tmp/held & holder=$!
ok 'two thousand dumps are requested' wait_for 60 holding
kill $holder
wait $holder 2>/dev/null
wait_for 60 none_held
is 'the memory of all is freed' "$(memory)" "$before"
finish
