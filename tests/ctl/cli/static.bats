#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# in turn: static
#
# The static flamectl needs no file of the system on which it runs, and is the same
# program except that it does not name functions. Debian packages: those of make static,
# python3.

bats_require_minimum_version 1.5.0

setup_file() {
	MAKEFLAGS='' make static >&2
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	static=$(realpath out/static/flamectl)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	unnamed=$(realpath tests/ctl/cli/unnamed.py)
}

@test "the static flamectl needs no loader and no library" {
	run -0 readelf -ld "$static"
	[[ $output != *INTERP* ]]
	[[ $output != *NEEDED* ]]
}

@test "the static flamectl runs in an empty root, and gives the same results" {
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

@test "the static flamectl says that it cannot name functions" {
	cd "$BATS_TEST_TMPDIR"
	python3 "$unnamed" in.pb.gz "$(realpath /bin/sh),,1000,1100"
	run -0 --separate-stderr "$static" symbolize -o out.pb.gz in.pb.gz
	[ "${stderr_lines[0]}" = "flamectl: in.pb.gz: 1 of 1 locations had no name, 0 of them have one now" ]
	[[ ${stderr_lines[1]} = *": a static flamectl cannot read symbols: use one that is linked with elfutils" ]]
	"$static" dump --by none out.pb.gz | grep -q '+0x1100 '
	# the maps of JIT compilers are text
	mkdir -p root/tmp
	echo '7f0000001100 20 jitted' > root/tmp/perf-$$.map
	python3 "$unnamed" in.pb.gz "/tmp/perf-$$.map,,0,110"
	"$static" symbolize --root root in.pb.gz 2> /dev/null | "$static" dump --by none - | grep -q '^jitted '
}

@test "the static flamectl sends the module the same requests" {
	[ ! -e /sys/module/flamemod ] || skip "the module is loaded here"
	run -3 --separate-stderr "$static" status
	static_says=$stderr
	run -3 --separate-stderr "$flamectl" status
	[ "$stderr" = "$static_says" ]
}
