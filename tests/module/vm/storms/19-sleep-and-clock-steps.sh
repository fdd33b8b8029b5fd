# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 2 -m 1G -a no_console_suspend
# limit: 900
# takes: 20
#
# The machine is suspended and resumed, and its clock is set, during sampling. The sampled
# clock is CLOCK_MONOTONIC, which neither affects, so the books must have exactly the
# time for which the machine ran.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

# The directory shared with the host does not survive a suspend.
out=$OUT
OUT=/tmp/sleep
mkdir -p $OUT
nine=$(basename "$(readlink -f /sys/bus/virtio/drivers/9pnet_virtio/virtio*)")
share_off() { umount /out && echo "$nine" >/sys/bus/virtio/drivers/9pnet_virtio/unbind; }
share_on() {
	echo "$nine" >/sys/bus/virtio/drivers/9pnet_virtio/bind
	mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288 out /out
}
# slept: print how often the machine has slept
slept() { cat /sys/power/suspend_stats/success; }

# asleep HOW: suspend until an alarm wakes the machine. If the alarm comes too early, the
# kernel counts the event and refuses to sleep; then try again with more time. In the
# last steps of a deep sleep, which take a second on a busy host, events are not counted
# and an alarm would be lost, so it must not come that early.
asleep() {
	local alarm=/sys/class/rtc/rtc0/wakealarm seconds events

	for ((seconds = 2; seconds <= 64; seconds *= 2)); do
		events=$(</sys/power/wakeup_count)
		echo "$events" >/sys/power/wakeup_count
		if [ "$1" = freeze ]; then
			echo "${seconds}000" >/sys/module/waker/parameters/ms
		else
			echo 0 >"$alarm"
			echo "+$((3 * seconds))" >"$alarm"
		fi
		echo "$1" >/sys/power/state && return
	done 2>/dev/null
	return 1
}

# counted FILE: print the counted periods
counted() { what '.books.fires + .books.missed' "$1"; }

# window NAME COMMAND...: run it during sampling, and check the counts
window() {
	local name=$1 began_ms took_ms cpus
	shift

	flamectl reset
	began_ms=$(uptime_ms)
	flamectl start
	ok "$name: done" "$@"
	flamectl stop
	took_ms=$(($(uptime_ms) - began_ms))
	flamectl status --json >"$OUT/$name.json"
	books_balance "$name" "$OUT/$name.json"
	clock_agrees "$name" "$OUT/$name.json"
	# the uptime includes the time asleep, the sampled clock does not
	holds "$name: no more was counted than there was time" \
		"$(counted "$OUT/$name.json") <= 2 * $took_ms * $hz / 1000"
	flamectl start
	sleep 1
	flamectl stop
	flamectl status --json >"$OUT/$name-later.json"
	# An emulated CPU is not always woken ("do_boot_cpu failed"): once in 100 sleeps,
	# with and without the module. The kernel continues with the other CPUs.
	cpus=$(nproc)
	[ "$cpus" = 2 ] || diag "$name: the kernel has $cpus CPU left"
	holds "$name: each CPU goes on at its rate" \
		"$(counted "$OUT/$name-later.json") - $(counted "$OUT/$name.json") > 0.95 * $cpus * $hz"
	books_balance "$name, later" "$OUT/$name-later.json"
	clock_agrees "$name, later" "$OUT/$name-later.json"
}

# no_stall NAME: check that no sleep, each of two seconds at least, is listed as a stall. A
# busy host may stop a CPU for a second, but not each time.
no_stall() {
	local stalls

	stalls=$(what '[.stalls[] | select(.ns > 1.9e9)] | length' "$OUT/$1.json")
	holds "$1: no sleep is a stall" "$stalls < $sleeps"
}

# the clock is set forwards, backwards, and to extreme dates
steps() {
	local now step

	now=$(date +%s)
	for step in 3600 -7200 86400 -86400 315360000 0; do
		date -s "@$((now + step))" >/dev/null || return
		sleep 0.1
		flamectl dump >/dev/null || return
	done
}

sleeps=$(times 20 2)
sleep_often() { # HOW
	local i

	for ((i = 0; i < sleeps; i++)); do
		asleep "$1" || return
	done
}

like 'the kernel can be suspended' "$(cat /sys/power/state)" '(^| )freeze.* mem'
ok 'what the suspend would break is put away' share_off
insmod /root/waker.ko
for hz in 997 $(times 20000 ''); do
	load hz="$hz" autostart=0
	load_start
	window "steps-$hz" steps
	before=$(slept)
	window "freeze-$hz" sleep_often freeze
	holds "freeze-$hz: it was asleep" "$(slept) - $before == $sleeps"
	no_stall "freeze-$hz"
	echo deep >/sys/power/mem_sleep
	before=$(slept)
	window "deep-$hz" sleep_often mem
	holds "deep-$hz: it was asleep" "$(slept) - $before == $sleeps"
	no_stall "deep-$hz"
	load_stop
	books_right "all-$hz"
	unload
done
# Unloaded and loaded again, with a suspend between start and stop.
load hz=997 autostart=0
flamectl start
ok 'it slept while it was running' asleep mem
flamectl stop
books_right stopped
ok 'it unloads' unload
ok 'what was put away is back' share_on
cp $OUT/* "$out"
finish
