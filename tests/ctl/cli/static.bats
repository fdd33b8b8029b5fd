#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# in turn: static
#
# The static flamectl needs nothing of the system it runs on, and is the same
# program. Debian packages: those of make static.

bats_require_minimum_version 1.5.0

setup_file() {
	MAKEFLAGS='' make static >&2
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	static=$(realpath out/static/flamectl)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
}

@test "the static flamectl asks for no loader and no library" {
	run -0 readelf -ld "$static"
	[[ $output != *INTERP* ]]
	[[ $output != *NEEDED* ]]
}

@test "the static flamectl runs in an empty root, and does the same" {
	root=$BATS_TEST_TMPDIR/root
	mkdir "$root"
	cp "$static" "$saved" "$root"
	for command in dump svg html; do
		input=(saved.pb.gz)
		[ "$command" != dump ] || input=(-i saved.pb.gz)
		unshare -r chroot "$root" /flamectl "$command" "${input[@]}" > "$BATS_TEST_TMPDIR/$command" ||
			skip "no user namespace can be made here"
		(cd "$root" && "$flamectl" "$command" "${input[@]}") | cmp - "$BATS_TEST_TMPDIR/$command"
	done
}

@test "the static flamectl asks the module as the other does" {
	[ ! -e /sys/module/flamemod ] || skip "the module is loaded here"
	run -3 --separate-stderr "$static" status
	static_says=$stderr
	run -3 --separate-stderr "$flamectl" status
	[ "$stderr" = "$static_says" ]
}
