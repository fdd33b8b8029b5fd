# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 80
# guest: -c 2 -m 1G -p -arat -a "mce=off nowatchdog isolcpus=1 irqaffinity=0"
# alone: idle
#
# Idle CPUs sleep without timer interrupts if a governor chooses idle states and one
# of these stops the CPU's timer. Without mce and the watchdog the sampler's timer is
# often CPU 1's only one. The kernel would complain if a timer was cancelled in such a
# state; tests/module/vm/run looks for that.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

states=/sys/devices/system/cpu/cpu1/cpuidle
ok 'a driver of idle states is loaded' insmod /root/states.ko
is 'it is in use' "$(</sys/devices/system/cpu/cpuidle/current_driver)" states

# At a low rate the kernel's tick is stopped between samples.
load hz=49 cpus=all
sleep 3
flamectl reset
sleep 8
# a state counts when it is left
taskset 2 true
usage=$(<$states/state1/usage)
flamectl status --json >"$OUT/slow.json"
diag "CPU 1 was $usage times in the state that stops its timer"
holds 'CPU 1 was in the state that stops its timer' "$usage > 0"
books_balance 'at 49 Hz' "$OUT/slow.json"
clock_agrees 'at 49 Hz' "$OUT/slow.json"
unload

# shellcheck source=tests/module/vm/idle.sh
. /tests/module/vm/idle.sh
# shellcheck source=tests/module/vm/injected.sh
. /tests/module/vm/injected.sh
finish
