# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 4800
# takes: 50
#
# The module is loaded and unloaded a thousand times, while every CPU is busy, two
# readers read in loops, and a third program starts and reads it as early as possible.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

# Print the KiB of vmalloc and slab in use: leaks of the loads would add up.
held_kb() { awk '/^(VmallocUsed|SUnreclaim):/ { sum += $2 } END { print sum }' /proc/meminfo; }

rounds=$(times 1000 15)
load_start
(while sleep 0.2; do flamectl dump >/dev/null 2>&1; done) & readers=($!)
(while sleep 0.25; do cat "$debugfs/folded" >/dev/null 2>&1; done) & readers+=($!)
/root/eager & readers+=($!)
priority -10

loaded=0 unloaded=0 wrong='' before=0
for ((i = 0; i < rounds; i++)); do
	[ $i != $((rounds / 5)) ] || before=$(held_kb)
	insmod "$module" hz=$((i % 2 ? 20000 : 997)) cpu_kb=$((i % 3 ? 448 : 32)) \
		aggregate_kb=$((i % 5 ? 16384 : 256)) autostart=$((i % 7 > 0)) &&
		loaded=$((loaded + 1))
	# from none to a quarter of a second of sampling
	[ $((i % 4)) = 0 ] || sleep "0.$(printf '%02d' $((i % 26)))"
	[ $((i % 8)) != 5 ] || wrong=$wrong$(live_books_wrong)
	unload_when_free && unloaded=$((unloaded + 1))
done
priority 0
kill "${readers[@]}"
wait "${readers[@]}" 2>/dev/null
load_stop
is "loaded $rounds times" "$loaded" "$rounds"
is "unloaded $rounds times" "$unloaded" "$rounds"
is 'its books were right each time they were looked at' "$wrong" ''
wait_for 10 test ! -d /sys/module/flamemod
unlike 'nothing of it is left' "$(cat /proc/modules; ls /sys/kernel/debug)" flamemod
# A load takes at least 900 KiB. The kernel's own use varies.
after=$(held_kb)
diag "$before KiB of kernel memory held after a fifth of the loads, $after KiB after all"
holds 'no memory is left behind' "$after - $before < 4096 + 4 * $rounds"
load hz=997
sleep 1
books_right afterwards
finish
