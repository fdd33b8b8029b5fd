# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 20
#
# If a hypervisor takes the CPU from a function, the time is not charged to the
# function itself but to a leaf [stalled] below it, or to [steal] if the kernel accounts
# stolen time. --drop-late leaves both out. Stalls of more than a second are listed.
# Here a timer's handler that spins takes the CPU.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

holdup=/sys/module/holdup/parameters
# periods REGEX: of the stacks that match
periods() { folded_match "$1" "$OUT/folded"; }

# hold_up MS: let the victim run on CPU 1, and read what was sampled
hold_up() {
	local taken ran

	taken=$(<$holdup/taken_us)
	ran=$(<$holdup/ran_us)

	flamectl reset
	flamectl start
	taskset 2 sh -c "echo $1 >$holdup/ms"
	flamectl stop
	taken_ms=$((($(<$holdup/taken_us) - taken) / 1000))
	# the time that the victim had; the host may have taken some of it
	left_ms=$((($(<$holdup/ran_us) - ran) / 1000 - taken_ms))
	flamectl dump >"$OUT/folded"
	flamectl status --json >"$OUT/status.json"
	flamectl status >"$OUT/status"
	victim=$(periods '^sh;.*;holdup_victim[.a-z0-9]* \[holdup\]( |;)')
	own=$(periods '^sh;.*;holdup_victim[.a-z0-9]* \[holdup\] ')
	stalled=$(periods '^sh;.*;holdup_victim[.a-z0-9]* \[holdup\];\[stalled\] ')
	steal=$(periods ';\[steal\] ')
}

# interrupts_off: sample 500 ms with interrupts off, and look for them
interrupts_off() {
	insmod /root/burn.ko
	flamectl reset
	flamectl start
	taskset 2 sh -c 'echo 500 >/sys/module/burn/parameters/irqs_off_ms'
	flamectl stop
	flamectl dump >"$OUT/folded"
	off=$(periods ';burn_with_interrupts_off \[burn\];\[irqs-off\] ')
}

load hz=997 "${kernel_half[@]}"
flamectl stop
insmod /root/holdup.ko

hold_up 5000
diag "no steal clock: $taken_ms ms taken, $left_ms left, $own periods of the victim's own, $stalled stalled"
is 'no steal clock is known' "$(what .steal_clock "$OUT/status.json")" false
holds 'the time taken is stalled, except for the first period of each fire' \
	"$stalled > 0.997 * $taken_ms - 1.1 * 50 - 20"
holds 'and not charged to the function' "$own < 0.997 * $left_ms + 60 && $own > 0.3 * $left_ms"
is 'nothing is counted as stolen' "$steal" 0
holds 'the books say how much was late' "$(what .books.late "$OUT/status.json") >= $stalled"
books_balance 'without a steal clock' "$OUT/status.json"
clock_agrees 'without a steal clock' "$OUT/status.json"
is 'status says that there is no steal clock' "$(grep -c 'has no steal clock' "$OUT/status")" 1
is '--drop-late leaves it out' "$(flamectl dump --drop-late | grep -c stalled)" 0
flamectl export --to pprof -o "$OUT/all.pb.gz" live &&
	flamectl export --to pprof --drop-late -o "$OUT/dropped.pb.gz" "$OUT/all.pb.gz"
unfold "$OUT/dropped"
books_balance '--drop-late' "$OUT/dropped.json"
is 'the sum of the books is the same' \
	"$(what '.books | .stored + .filtered + ([.lost[]] | add)' "$OUT/dropped.json")" \
	"$(what '.books | .stored + .filtered + ([.lost[]] | add)' "$OUT/status.json")"

# A section with interrupts off that ends with sti is not a stall, however long.
interrupts_off
diag "interrupts off: $off periods"
holds 'time with interrupts off is not a stall' "$off > 400"
left=$(flamectl dump --drop-late | grep -E ';burn_with_interrupts_off \[burn\];\[irqs-off\] ' | folded_sum)
holds '--drop-late leaves one period of each section' "$left > 20 && $left <= 150"
ok 'burn is unloaded' rmmod burn

# Stalls of a second or more are listed, with CPU and length.
echo 1200 >$holdup/for_ms
hold_up 100
echo 20 >$holdup/for_ms
diag "$(grep 'stood still' "$OUT/status")"
is 'a stall of more than a second is listed' \
	"$(what '[.stalls[] | select(.cpu == 1 and .ns > 1.1e9 and .from_ns > 0)] | length' "$OUT/status.json")" 1
is 'status prints it, too' "$(grep -cE '^cpu 1 stood still for 1\.[0-9]+ s from 20[0-9-]+ ' "$OUT/status")" 1
holds 'and it is in the stacks' "$stalled > 1100"

# From here on the kernel accounts stolen time, so that a steal clock is found.
echo Y >$holdup/account
hold_up 100
flamectl reset
hold_up 5000
diag "steal clock: $taken_ms ms taken, $left_ms left, $own periods of the victim's own, $stalled stalled, $steal stolen"
is 'a steal clock is known' "$(what .steal_clock "$OUT/status.json")" true
# to within a tick of the kernel (4 or 10 ms) and what a swap found undecided
holds 'stolen time is reported' \
	"$steal < 0.997 * $taken_ms + 2 && $steal > 0.997 * $taken_ms - 12"
holds 'the rest is charged to the function' \
	"$victim - $stalled < 0.997 * $left_ms + 60 && $victim > 0.997 * $left_ms - 100"
is 'the books have the same amount' "$(what .books.stolen "$OUT/status.json")" "$steal"
holds 'nearly all of it was the victim'"'"'s' "$(periods '^sh;\[steal\] ') > 0.9 * $steal"
books_balance 'with a steal clock' "$OUT/status.json"
clock_agrees 'with a steal clock' "$OUT/status.json"
is '--drop-late leaves it out as well' "$(flamectl dump --drop-late | grep -c steal)" 0

# Time with interrupts off is still marked; the steal clock does not run meanwhile.
interrupts_off
diag "interrupts off with a steal clock: $off periods"
holds 'time that is not stolen is not changed' "$off > 400"
ok 'burn is unloaded' rmmod burn
ok 'holdup is unloaded' rmmod holdup
ok 'unloaded' unload
finish
