#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The agent of an idle host takes little memory. Its CPU time is measured by the same
# program (docs/fleet.md), but another host's load could make that fail here.

bats_require_minimum_version 1.5.0

@test "windows of a profile of 10 000 records take less than 20 MB" {
	out/fleet/agent "$BATS_TEST_TMPDIR/state" 10000 5 300 | tee "$BATS_TEST_TMPDIR/told"
	awk '$1 == "memory:" { exit !($2 > 5 && $2 < 20) }' "$BATS_TEST_TMPDIR/told"
}
