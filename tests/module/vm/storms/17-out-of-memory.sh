# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 2 -m 384M
# limit: 1200
# takes: 20
#
# The machine runs out of memory, again and again, while it is sampled and read.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

kills() { awk '$1 == "oom_kill" { print $2 }' /proc/vmstat; }

# The kernel reports a kill with the registers of the task that needed memory. These look
# like addresses, but the module did not print them.
echo 0 >/proc/sys/vm/oom_dump_tasks
dmesg -n 1
load hz=9973 cpu_kb=64
load_start
(while sleep 0.2; do flamectl dump; done) >/dev/null 2>"$OUT/reader.err" & readers=($!)
(while sleep 0.3; do flamectl dump --reset; done) >/dev/null 2>"$OUT/resetter.err" & readers+=($!)
wanted=$(times 30 3)
for ((i = 0; i < wanted * 2 && $(kills) < wanted; i++)); do
	/root/hog & hogs=($!)
	/root/hog & hogs+=($!)
	wait "${hogs[@]}" 2>/dev/null
done
kill "${readers[@]}"
wait "${readers[@]}" 2>/dev/null
load_stop
log=$(dmesg -c)
dmesg -n 5
holds "the kernel killed $(kills) processes for their memory" "$(kills) >= $wanted"
unlike 'it complained of nothing else' "$log" \
	'BUG:|WARNING:|KASAN|UBSAN|INFO: |suspicious RCU|ODEBUG|Oops|Kernel panic|flamemod: CPU'
sleep 1
flamectl reset
sleep 2
books_right afterwards
is 'with memory to spare nothing is lost for want of it' \
	"$(what '.books.lost["aggregate-full"]' "$OUT/afterwards.json")" 0
load_start
unload
load hz=997
load_stop
sleep 1
books_right anew
finish
