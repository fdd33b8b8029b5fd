# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
# takes: 30
#
# A part of the messages that "make fuzz-netlink" sends, always the same part.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/hostile.sh
. /tests/module/vm/hostile.sh

# make check is satisfied with fewer
messages=20000
[ "${STORM:-}" != small ] || messages=8000
load aggregate_kb=2048
netlink_storm 1 $messages 500
finish
