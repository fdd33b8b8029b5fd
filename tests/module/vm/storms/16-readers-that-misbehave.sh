# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
# takes: 60
#
# Readers that stop in the middle, 64 at once, and readers that are killed.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

references() { cat /sys/module/flamemod/refcnt; }
unreferenced() { [ "$(references)" = 0 ]; }
held() { flamectl status --json | jq .memory_bytes; }
fires() { flamectl status --json | jq .books.fires; }

# enough stacks for dumps of several messages
load hz=9973
load_start
sleep "$(times 5 2)"

# A reader stops in the middle of a dump.
/root/stall 4 >/tmp/stalled & stalled=$!
ok 'four readers stop in the middle of their dumps' wait_for 20 grep -q stalled /tmp/stalled
before=$(fires)
nok 'the module cannot be unloaded from under them' rmmod flamemod
like 'which says why' "$output" 'in use'
sleep "$(times 60 3)"
ok 'another gets its dump meanwhile' sh -c "flamectl dump >$OUT/meanwhile.folded"
holds 'and sampling goes on' "$(fires) > $before"
kill -9 $stalled
wait $stalled 2>/dev/null
ok 'killed, they let go' wait_for 20 unreferenced

# Readers killed at any moment. Their memory must be freed.
flamectl stop
before=$(held)
killed=0
rounds=$(times 200 20)
for ((i = 0; i < rounds; i++)); do
	flamectl dump >/dev/null 2>&1 & reader=$!
	sleep "0.0$((i % 10))"
	kill -9 $reader 2>/dev/null && killed=$((killed + 1))
	wait $reader 2>/dev/null
done
holds "$killed of $rounds readers were killed" "$killed > $rounds / 3"
ok 'none left a reference' wait_for 20 unreferenced
is 'nor memory' "$(held)" "$before"
flamectl start

# 64 readers at once. Each gets a whole dump, or a message with the reason.
crowd=$(times 64 8)
many() { # NAME
	local i pids=()

	for ((i = 0; i < crowd; i++)); do
		flamectl record -d 200ms -o "/tmp/$1.$i.pb.gz" 2>"/tmp/$1.$i.err" & pids+=($!)
	done
	served=() refused=0
	for ((i = 0; i < crowd; i++)); do
		if wait "${pids[i]}"; then
			served+=("/tmp/$1.$i")
		elif grep -q 'no memory for another reader' "/tmp/$1.$i.err"; then
			refused=$((refused + 1))
		fi
	done
	is "$1: of $crowd readers at once each is served or told why not" \
		$((${#served[@]} + refused)) "$crowd"
	diag "$1: ${#served[@]} served, $refused refused"
}
# whole NAME: check that the dumps (in a small storm, two of them) sum to their books
whole() {
	local name wrong=''

	for name in "${served[@]:0:$(times 64 2)}"; do
		unfold "$name"
		[ "$(folded_sum "$name.folded")" = "$(stored_and_lost "$name.json")" ] || wrong="$wrong $name"
	done
	is "$1: each dump sums to its own books" "$wrong" ''
	rm -f "/tmp/$1".*
}
many crowded
holds 'crowded: some are served' "${#served[@]} > 0"
whole crowded
ok 'none left a reference' wait_for 20 unreferenced

# Stopped readers use all memory for readers: the next one gets a message.
stalls=()
for ((i = 0; i < 64; i++)); do
	/root/stall >"/tmp/stalled.$i" 2>/dev/null & stalls+=($!)
	wait_for 20 grep -q stalled "/tmp/stalled.$i" || break
done
diag "$i readers stopped in the middle of their dumps"
ok 'status can be asked for' sh -c "flamectl status --json >$OUT/full.json"
holds 'memory is within its bound' \
	"$(what .memory_bytes "$OUT/full.json") <= $(what .memory_limit_bytes "$OUT/full.json")"
kill -9 "${stalls[@]}" 2>/dev/null
wait "${stalls[@]}" 2>/dev/null
ok 'they let go' wait_for 20 unreferenced
load_stop
books_right afterwards
ok 'it unloads' rmmod flamemod

load hz=997 aggregate_kb=131072
many roomy
is 'roomy: all are served' "${#served[@]}" "$crowd"
whole roomy
unload
finish
