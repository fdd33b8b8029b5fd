#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl svg and files: outputs, and that no file is lost if the graph cannot be drawn.
# The cases beside this file test the graph itself.
# Debian packages: valgrind.

bats_require_minimum_version 1.5.0

setup() {
	svg=("$(realpath "${FLAMECTL:-./flamectl}")" svg)
	cd "$BATS_TEST_TMPDIR" || return
	echo 'a;b 1' > good
	echo 'a;b x' > bad
}

@test "svg writes the same to stdout, a file, a pipe and /dev/stdout" {
	"${svg[@]}" good > expected
	tail -n 1 expected | grep -qx '</svg>'
	"${svg[@]}" -o out.svg good
	cmp out.svg expected
	"${svg[@]}" < good | cmp - expected
	"${svg[@]}" - -o /dev/stdout < good | cmp - expected
	mkfifo pipe
	cat pipe > from-pipe &
	"${svg[@]}" -o pipe good
	wait $!
	cmp from-pipe expected
	[ -p pipe ]
}

@test "svg replaces a file whole, through a link, and keeps its mode" {
	echo old > real.svg
	chmod 640 real.svg
	ln -s real.svg link.svg
	"${svg[@]}" -o link.svg good
	[ -L link.svg ]
	[ "$(stat -c %a real.svg)" = 640 ]
	tail -n 1 real.svg | grep -qx '</svg>'
}

@test "svg leaves the existing file if the input is bad" {
	echo old > out.svg
	run -1 "${svg[@]}" -o out.svg bad
	[[ $output == "flamectl: cannot read bad: line 1 has no count"* ]]
	[ "$(cat out.svg)" = old ]
	run -1 "${svg[@]}" -o new.svg bad
	[ ! -e new.svg ]
	run -1 "${svg[@]}" -o none/new.svg good
	[[ $output == "flamectl: cannot write none/new.svg: "*"No such file or directory" ]]
	[ "$(find . -mindepth 1 | sort | tr '\n' ' ')" = "./bad ./good ./out.svg " ]
}

@test "svg does not write over what it reads" {
	run -1 "${svg[@]}" -o good good
	[[ $output == "flamectl: cannot write good: it is the same file as the input good, "* ]]
	[ "$(cat good)" = 'a;b 1' ]
}

@test "svg reports a full disk" {
	run -1 "${svg[@]}" -o /dev/full good
	[[ $output == "flamectl: cannot write /dev/full: No space left on device" ]]
	run -1 bash -c '"$@" > /dev/full' - "${svg[@]}" good
	[[ $output == "flamectl: cannot write stdout: No space left on device" ]]
}

@test "svg leaves the existing file if it cannot write all" {
	echo old > out.svg
	run -1 bash -c 'trap "" XFSZ; ulimit -f 8; "$@"' - "${svg[@]}" -o out.svg good
	[[ $output == "flamectl: cannot write out.svg: File too large" ]]
	[ "$(cat out.svg)" = old ]
	[ "$(find . -mindepth 1 | sort | tr '\n' ' ')" = "./bad ./good ./out.svg " ]
}

@test "svg refuses a terminal as its input" {
	script -qec true /dev/null || skip "no terminal can be made here: is devpts mounted?"
	run -2 timeout 20 script -qec "'${svg[0]}' svg > out.svg" /dev/null
	[[ $output == "flamectl: there is nothing to draw: standard input is a terminal; "* ]]
	[ ! -s out.svg ]
}

@test "svg output is well-formed XML" {
	printf 'a;\001\377<&"]]>\303;\357\277\277;\355\240\200 3\n' |
		"${svg[@]}" --title $'\001<\377]]>' > odd.svg
	/usr/bin/python3 -c 'from xml.etree import ElementTree
ElementTree.parse("odd.svg")'
}

# Twice the stacks must be about twice the work, counted and not timed.
@test "svg takes time in proportion to its input" {
	gen() {
		awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) {
			line = "comm" i % 50
			for (d = 0; d < 20; d++)
				line = line ";f" (d < 8 ? d : (i * 7919 + d) % 100003)
			print line, i % 9 + 1 } }'
	}
	gen 2000 > small
	gen 8000 > large
	for size in small large; do
		valgrind --tool=cachegrind --cachegrind-out-file=$size.cg \
			--cache-sim=no "${svg[@]}" $size -o /dev/null 2> $size.log
	done
	count() { sed -n 's/^summary: \([0-9]*\).*/\1/p' "$1.cg"; }
	[ "$(count small)" -gt 0 ]
	[ "$(count large)" -lt $(($(count small) * 5)) ]
}
