# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 16
#
# If a thread keeps its CPU idle, the time is charged to that thread, under a leaf of
# its own, and not to the idle task.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# shellcheck source=tests/module/vm/injected.sh
. /tests/module/vm/injected.sh
finish
