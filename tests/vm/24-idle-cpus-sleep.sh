# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Idle CPUs are left asleep, where the kernel has no driver of idle states.
# shellcheck source=tests/vm/flamemod.sh
. /tests/vm/flamemod.sh
# shellcheck source=tests/vm/idle.sh
. /tests/vm/idle.sh
finish
