# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 80
# guest: -c 2 -m 1G -a "mce=off nowatchdog isolcpus=1 irqaffinity=0"
# alone: idle
#
# Idle CPUs sleep without timer interrupts if the kernel has no driver of idle states. CPU 1
# is isolated, as what kernel threads do there takes so long under emulation that the CPU is
# not idle.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/idle.sh
. /tests/module/vm/idle.sh
finish
