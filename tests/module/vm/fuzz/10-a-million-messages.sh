# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 14400
#
# Part of "make fuzz-netlink". FUZZ_SEED and FUZZ_MESSAGES come from there.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/hostile.sh
. /tests/module/vm/hostile.sh

load aggregate_kb=2048
netlink_storm "${FUZZ_SEED:-1}" "${FUZZ_MESSAGES:-1000000}" 80000
diag "$(cat "$OUT/storm")"
finish
