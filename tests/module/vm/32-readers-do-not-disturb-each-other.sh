# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 30
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# reader NAME: one dump after another; each must be whole
reader() {
	local i

	for i in {1..6}; do
		flamectl record -d 100ms -o "$OUT/$1.$i.pb.gz" 2>>"$OUT/$1.err" || echo "$1 $i" >>"$OUT/failed"
	done
}

load hz=$((1997 / slowness)) "${kernel_half[@]}"
load_start

# A reader that stops half-way delays neither sampling nor other readers.
sleep 1
(exec 3<"$debugfs/folded"; head -c 1 <&3 >/dev/null; exec sleep 1000) & stalled=$!
sleep 0.3
before=$(flamectl status --json | jq .books.fires)
ok 'a reader gets its dump while another stalls' sh -c "flamectl dump >$OUT/meanwhile.folded"
sleep 0.5
after=$(flamectl status --json | jq .books.fires)
holds 'sampling goes on meanwhile' "$after > $before"
kill $stalled

: >"$OUT/failed"
reader a & a=$!
reader b & b=$!
# and one that reads debugfs slowly
(for _ in {1..5}; do cat "$debugfs/folded" >"$OUT/shell.folded" || echo shell >>"$OUT/failed"; sleep 0.2; done) & c=$!
wait $a $b $c
is 'no reader failed' "$(cat "$OUT/failed")" ''

bad=0
for saved in "$OUT"/[ab].*.pb.gz; do
	unfold "${saved%.pb.gz}"
	name=${saved%.pb.gz}
	[ "$(folded_sum "$name.folded")" = "$(stored_and_lost "$name.json")" ] || bad=$((bad + 1))
done
is 'each window of each reader sums to its own books' "$bad" 0

load_stop
flamectl status --json >"$OUT/status.json"
books_balance 'afterwards' "$OUT/status.json"
clock_agrees 'afterwards' "$OUT/status.json"
finish
