# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
#
# A share of what "make fuzz-netlink" sends, always the same one.
# shellcheck source=tests/vm/flamemod.sh
. /tests/vm/flamemod.sh
# shellcheck source=tests/vm/hostile.sh
. /tests/vm/hostile.sh

load aggregate_kb=2048
netlink_storm 1 20000 500
finish
