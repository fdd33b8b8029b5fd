# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
# takes: 85
#
# The agent's windows sum to the module's books in every figure, although it is killed
# again and again and others record meanwhile; they chain when anybody resets the module.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

state=/root/agent

start_agent() { flamectl agent --state-directory "$state" "$@" 2>>"$OUT/agent" & agent=$!; }
key() { sed -n "s/^$1=//p" "$state/ledger"; }
made() { [ -f "$state/ledger" ] && [ "$(key made)" -ge "$1" ]; }
running() { flamectl status --json | jq -e .running >/dev/null; }
figures() { jq -cS '.books | del(.asleep)' "$1"; }

# windows: print the names of all windows, in their order
windows() {
	local path

	for path in "$state"/windows/*.pb.gz; do
		echo "${path##*/}"
	done
}

# unchained: print the names of windows that do not start where the one before ended
unchained() {
	# some awk take numbers that begin with 0 for octal ones
	windows | awk -F - '
		function number(text) { sub(/^0+/, "", text); return text + 0 }
		NR > 1 && ($5 != end || number($1) != last + 1) { print }
		{ end = $6; last = number($2) }'
}

load autostart=0 hz=997 "${kernel_half[@]}"
load_start
for after in 0.3 1.1 1.7 2.4; do
	start_agent --window 1s
	ok "$after: the agent starts to sample" wait_for 20 running
	sleep $after
	kill -KILL $agent
	wait $agent 2>/dev/null
	ok "$after: killed, and nobody samples" wait_for 20 sh -c '! flamectl status --json | jq -e .running >/dev/null'
done
nr=$(key made)
start_agent --window 1s
exits 0 'a recording beside the agent' flamectl record -d 2s -o "$OUT/beside.pb.gz"
unlike 'is not reset' "$output" 'reset'
unfold "$OUT/beside"
books_balance 'its books' "$OUT/beside.json"
ok 'windows are made meanwhile' wait_for 20 made $((nr + 3))
kill -TERM $agent
exits 0 'it ends' wait $agent

# Nothing is sampled after the last window.
start_agent --window 1h
ok 'another agent starts to sample' wait_for 20 running
sleep 1
flamectl stop
kill -TERM $agent
exits 0 'and ends' wait $agent
flamectl status --json >"$OUT/module.json"
flamectl merge -o "$OUT/all.pb.gz" "$state"/windows/*.pb.gz
unfold "$OUT/all"
books_balance 'windows' "$OUT/all.json"
is 'windows sum to the books of the module' "$(figures "$OUT/all.json")" "$(figures "$OUT/module.json")"
is 'and to what the ledger says' "$(what '.books.fires + .books.missed' "$OUT/all.json")" "$(key made-periods)"
is 'they chain' "$(unchained)" ''
is 'with one beginning' "$(key breaks-first) $(key breaks-module) $(key gap-ns)" '1 0 0'
holds 'they have what was at work' "$(folded_match 'do_syscall_64|el0_svc' "$OUT/all.folded") > 0"
like 'status' "$(flamectl agent status --state-directory "$state")" "windows +$(key made) made, with $(key made-periods) periods"

# Others sample at another rate while it pauses, and it goes on at its own.
nr=$(key made)
start_agent --window 1s
ok 'the agent samples' wait_for 20 running
exits 1 'another rate is refused beside it' env STATE_DIRECTORY=$state flamectl record -F 499 -d 1s -o "$OUT/none.pb.gz"
like 'the refusal says how to pause it' "$output" 'already runs at 997 Hz: flamectl agent pause 10m lets the agent stop meanwhile'
exits 0 'it pauses' flamectl agent pause 1h --state-directory "$state"
nok 'nobody samples then' running
exits 0 'another rate is recorded' flamectl record -F 499 -d 1s -o "$OUT/other.pb.gz"
unfold "$OUT/other"
is 'at that rate' "$(what .hz "$OUT/other.json")" 499
exits 0 'it goes on' flamectl agent resume --state-directory "$state"
ok 'it samples' wait_for 20 running
is 'at its own rate' "$(flamectl status --json | jq .settings.hz)" 997
ok 'windows are made' wait_for 20 made $((nr + 3))
kill -TERM $agent
exits 0 'it ends' wait $agent
is 'the pause is counted, and no break' "$(key pauses) $(key breaks-module) $(key gap-ns)" '1 0 0'
holds 'with its time' "$(key paused-ns) >= 1e9"
flamectl merge -o "$OUT/paused.pb.gz" "$state"/windows/*.pb.gz
unfold "$OUT/paused"
books_balance 'windows beside a pause' "$OUT/paused.json"
is 'and what others sampled is in none' "$(what .hz "$OUT/paused.json") $(what '.books.fires + .books.missed' "$OUT/paused.json")" "997 $(key made-periods)"
is 'it said what it did' "$(cat "$OUT/agent")" "$(printf 'flamectl: %s\n' paused 'goes on after a pause')"
: >"$OUT/agent"

# A second client dumps with a reset in a loop. Its dumps, with what the module has at the
# end, contain each period once, and so do the windows.
rm -r "$state"
flamectl reset
start_agent --window 5s
ok 'the agent samples' wait_for 20 running
ok 'and has a window' wait_for 20 made 1
is 'the module keeps epochs for it' "$(flamectl status --json | jq .kept.readers)" 1
for i in {1..12}; do
	flamectl dump --reset >"$OUT/reset.$i.folded" || diag "no dump $i"
	sleep 0.3
done
# the next window starts what is stopped, so stop right after one
ok 'another window is made' wait_for 20 made $(($(key made) + 1))
flamectl stop
kill -TERM $agent
exits 0 'it ends' wait $agent
flamectl dump >"$OUT/reset.rest.folded"
flamectl status --json >"$OUT/module.json"
flamectl merge -o "$OUT/shared.pb.gz" "$state"/windows/*.pb.gz
unfold "$OUT/shared"
books_balance 'windows beside resets by others' "$OUT/shared.json"
is 'windows have what the other client got, and the rest, to the period' \
	"$(folded_sum "$OUT/shared.folded")" "$(folded_sum "$OUT"/reset.*.folded)"
is 'and what the ledger says' "$(what '.books.fires + .books.missed' "$OUT/shared.json")" "$(key made-periods)"
is 'they chain' "$(unchained)" ''
is 'with one beginning' "$(key breaks-first) $(key breaks-module) $(key gap-ns) $(key resets)" '1 0 0 0'
is 'each reset ended a window' "$(windows | awk -F - '{ epochs[$4] } END { print length(epochs) }')" 13
is 'nothing is kept any more, and nothing was missed' \
	"$(jq -c '.kept | [.readers, .epochs, .bytes, .expired, .reclaimed]' "$OUT/module.json")" '[0,0,0,0,0]'

# Half of the memory is in use: the module is reset, and the chain goes on.
rm -r "$state"
unload
load autostart=0 hz=997 aggregate_kb=2048 "${kernel_half[@]}"
start_agent --window 1s
resets() { [ -f "$state/ledger" ] && [ "$(key resets)" -ge 2 ]; }
ok 'the agent resets a module that is half full' wait_for 60 resets
kill -TERM $agent
exits 0 'it ends' wait $agent
is 'no time is missing' "$(unchained) $(key breaks-module) $(key gap-ns)" ' 0 0'
flamectl merge -o "$OUT/resets.pb.gz" "$state"/windows/*.pb.gz
unfold "$OUT/resets"
books_balance 'over resets' "$OUT/resets.json"
is 'and to what the ledger says' "$(what '.books.fires + .books.missed' "$OUT/resets.json")" "$(key made-periods)"
is 'the agent had nothing to say' "$(cat "$OUT/agent")" ''
load_stop
unload
finish
