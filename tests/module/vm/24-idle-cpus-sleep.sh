# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 80
# alone: idle
#
# Idle CPUs sleep without timer interrupts if the kernel has no driver of idle states.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/idle.sh
. /tests/module/vm/idle.sh
finish
