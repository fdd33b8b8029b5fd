# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # the tests use them
#
# Tests of flamectl with a made-up module (tests/ctl/top/fake.c), for tests that load this.

# fake_begin: set flamectl and fake, the same with the module, which prints what it is asked;
# go to the test's own directory
fake_begin() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR TZ=UTC FAKE_TELLS=yes
	cd "$BATS_TEST_TMPDIR" || return
}
