# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of idle CPUs, shared by scenarios with and without a driver of idle states. An
# idle CPU sleeps without timer interrupts, and all of its periods are counted. It is
# sampled as soon as it is awake, or always where the kernel cannot tell how long it was
# idle. Time of interrupts on it is not counted as idle.

seconds=6
# timer_irqs CPU: print its timer interrupts so far
timer_irqs() { awk -v column=$(($1 + 2)) '/LOC:/ { print $column }' /proc/interrupts; }
# in_sleep: print CPU 1's timer interrupts in $seconds, during which CPU 0 sleeps, too
in_sleep() {
	local before

	sleep 1
	before=$(timer_irqs 1)
	sleep "$seconds"
	echo $(($(timer_irqs 1) - before))
}
# of_cpu KEY FILE: print a number of CPU 1's books
of_cpu() { what ".cpus[] | select(.cpu == 1) | (.books // .).$1" "$2"; }

# If the kernel's tick never stops, no CPU sleeps for long, and the module lets none nap. Nor
# does it from v7.2 on, whose account of idle time has interrupts in it.
why=
! grep -q ' kcpustat_dyntick_start$' /proc/kallsyms || why='whose idle time has interrupts in it'
! grep -qE '^ *\.nohz(_mode)? *: 0' /proc/timer_list || why='whose tick never stops'

# sleeps WHO: check that CPU 1 does. tests/bench/idle measures how much. A busy host may
# make a guest look busy, but never asleep, so one good window of several is enough.
sleeps() {
	local with asleep expected

	if [ -n "$why" ]; then
		flamectl reset
		sleep "$seconds"
		flamectl status --json >"$OUT/idle.json"
		is "$1, $why, is sampled" "$(of_cpu asleep "$OUT/idle.json")" 0
		holds "$1 is sampled by its timer" \
			"$(of_cpu fires "$OUT/idle.json") > 0.2 * $(of_cpu expected "$OUT/idle.json")"
		return
	fi
	for _ in $(seq 8); do
		flamectl reset
		with=$(in_sleep)
		flamectl status --json >"$OUT/idle.json"
		asleep=$(of_cpu asleep "$OUT/idle.json") expected=$(of_cpu expected "$OUT/idle.json")
		diag "$1: timer interrupts in $seconds s: $without without flamemod, $with with it; $asleep of $expected periods asleep"
		[ "$with" -gt $((without + 200 * seconds)) ] || [ $((10 * asleep)) -lt $((6 * expected)) ] || break
	done
	holds "$1 has few timer interrupts" "$with <= $without + 200 * $seconds"
	holds "$1 sleeps in most of its periods" "$asleep > 0.6 * $expected"
}

taskset -p 1 $$ >/dev/null
without=$(in_sleep)
# CPU 1 may be isolated
load hz=997 cpus=all
# wait until the module knows that the CPU is idle
sleep 3
sleeps 'an idle CPU'
holds 'the periods of its sleep are counted as missed' \
	"$(of_cpu asleep "$OUT/idle.json") <= $(of_cpu missed "$OUT/idle.json")"
books_balance 'asleep' "$OUT/idle.json"
clock_agrees 'asleep' "$OUT/idle.json"
[ -n "$why" ] ||
	like 'flamectl status says so' "$(flamectl status)" 'of the missed periods: an idle CPU was left asleep'

# a CPU that was busy naps again
for mask in 1 2; do taskset $mask timeout 4 sh -c 'while :; do :; done' & done
wait
sleep 3
sleeps 'after all were busy, an idle CPU'

flamectl stop
flamectl dump --by cpu >"$OUT/idle.folded"
# in naps or not; a busy host delays timers and may make a guest look busy
holds 'it is idle time' "$(folded_match '^cpu 1;(\[idle\] |.*;do_idle[; ])' "$OUT/idle.folded") > 0.7 * $(folded_match '^cpu 1;' "$OUT/idle.folded")"

flamectl reset
flamectl start
insmod /root/burn.ko
taskset 2 sh -c 'echo 1000 >/sys/module/burn/parameters/ms'
sleep 1
for _ in $(seq 20); do
	taskset 2 sh -c 'echo 20 >/sys/module/burn/parameters/timer_ms'
	sleep 0.2
done
burnt_ms=$(($(</sys/module/burn/parameters/burnt_us) / 1000))
flamectl stop
flamectl status --json >"$OUT/awake.json"
flamectl dump >"$OUT/awake.folded"
task=$(folded_match ';burn_in_a_named_loop \[burn\]( |;)' "$OUT/awake.folded")
timer=$(folded_match 'burn_in_a_timer \[burn\]( |;)' "$OUT/awake.folded")
unseen=$(folded_match '^swapper;\[interrupt\] ' "$OUT/awake.folded")
diag "awake: $burnt_ms ms burnt; periods: $task in a task, $timer in a timer, $unseen slept through"
holds 'a task that wakes the CPU is sampled' "$task > 750 && $task < 0.997 * $burnt_ms - 200"
# 20 times 20 ms are a tenth of the time, so after a second the CPU is not idle
holds 'interrupts are sampled' "$timer > 250"
holds 'interrupts during naps are counted' "$timer + $unseen > 350"
is 'nothing is lost' "$(what '[.books.lost | del(.overload)[]] | add' "$OUT/awake.json")" 0
holds 'none of that time is counted as idle' "$task + $timer + $unseen > 0.8 * 0.997 * $burnt_ms"
books_balance 'awake' "$OUT/awake.json"
clock_agrees 'awake' "$OUT/awake.json"
ok 'burn is unloaded' rmmod burn
ok 'unloaded' unload
