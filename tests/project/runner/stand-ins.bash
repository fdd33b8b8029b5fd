# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What tests of tests/module/vm/run put in the place of all that it starts.

# stand_ins SCENARIO...: a tree in $top with a copy of it in $vm, these scenarios,
# which are empty, and a lab in which everything is built, but without lab/run
stand_ins() {
	local name

	top=$BATS_TEST_TMPDIR vm=$BATS_TEST_TMPDIR/tests/module/vm
	mkdir -p "$vm" "$top"/{lab,bin,out/vm} "$top/tests/module/netlink"
	cp tests/module/vm/run tests/module/vm/*.py "$vm"
	touch "$vm"/{nlbad,nlask}.c "$top/flamectl"
	for name; do touch "$vm/$name.sh"; done
	# shellcheck disable=SC2016 # that is for the stand-ins
	printf '#!/bin/sh\nif [ "$1" = -b ]; then echo gcc-12; else echo "$1"; fi\n' >"$top/lab/kernel"
	printf '#!/bin/sh\n' >"$top/lab/build"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\ntouch "$1"\n' >"$top/tests/module/netlink/netlink_build"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done; touch "$2"\n' >"$top/bin/gcc"
	chmod +x "$top"/{flamectl,lab/*,bin/*,tests/module/netlink/*}
	PATH=$top/bin:$PATH
}
