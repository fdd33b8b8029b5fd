# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 20
# alone
#
# Dumps with reset, in a loop, while every CPU is sampled: together they contain each
# period once. Checked by a workload of known time (tests/module/vm/modules/burn spins
# on one CPU and reports for how long), by the books, and by the clock.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

hz=$((997 / slowness))
burn_ms=6000
insmod /root/burn.ko || exit
load hz=$hz autostart=0
load_start

# Sampling starts at some moment of flamectl start and ends at one of flamectl stop.
lasted_ms=-$(uptime_ms)
flamectl start
ran_ms=-$(uptime_ms)
taskset -c 1 sh -c "echo $burn_ms >/sys/module/burn/parameters/ms; touch /tmp/burnt" &
count=0
# Until the work is done, and often enough to be a test.
while [ ! -e /tmp/burnt ] || [ $count -lt 10 ]; do
	flamectl dump --reset --by comm,pid,cpu >"$OUT/part.$count.folded" || break
	count=$((count + 1))
	[ $count -lt 2000 ] || break
done
wait %2
ran_ms=$((ran_ms + $(uptime_ms)))
flamectl stop
lasted_ms=$((lasted_ms + $(uptime_ms)))
load_stop
# The periods after the last reset, with their books.
flamectl dump --by comm,pid,cpu >"$OUT/part.last.folded"
flamectl status --json >"$OUT/last.json"
diag "$count dumps with reset"

holds 'at least ten dumps were taken while it ran' "$count >= 10"
books_balance 'after the last' "$OUT/last.json"
is 'the last dump sums to its books' \
	"$(folded_sum "$OUT/part.last.folded")" "$(stored_and_lost "$OUT/last.json")"

all=$(cat "$OUT"/part.*.folded | folded_sum)
burnt_us=$(cat /sys/module/burn/parameters/burnt_us)
burnt=$(folded_match ';burn_in_a_named_loop' "$OUT"/part.*.folded)
diag "burnt $burnt_us us, found $burnt periods; all $all in $ran_ms to $lasted_ms ms"
# the host may delay the guest at each of 12 ends of slices
near 'the known workload is counted once: nothing is lost or doubled' \
	"$burnt" $((burnt_us * hz / 1000000)) 0.02
# two bounds, as a start and a stop may take long on a busy host
holds 'all dumps together hold no more than the clock says passed on two CPUs' \
	"$all <= 2 * ($lasted_ms + 20) * $hz / 1000"
holds 'and no less than passed between start and stop' \
	"$all >= 2 * ($ran_ms - 20) * $hz / 1000 * 0.995"
unload
finish
