#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Other tools' text, given to any command without its format: events that are left out,
# lines that are ignored, names that are tidied. tests/ctl/unit/test_import*.c tests the
# variants of each text, tests/ctl/golden/cases/report-* one of each kind as a whole.
# Debian packages: jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	golden=$(realpath tests/ctl/golden/cases)
	cd "$BATS_TEST_TMPDIR" || return
}

@test "of several events the first is taken, and the others are named" {
	printf 'a 1 1.5: 1 %s: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n' cycles faults cycles faults faults > text
	for command in "report -" "dump -" "svg -o out.svg -" "export --to folded -"; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr "$flamectl" $command < text
		[ "$stderr" = 'flamectl: stdin: this shows the event cycles, not faults (3): choose one with --event NAME' ]
	done
	run -0 --separate-stderr "$flamectl" report --event faults text
	[ -z "$stderr" ]
	grep -qx '# 100 % is 3 samples' <<< "$output"
	# perf report's text, likewise
	printf '# Samples: 5  of event %s\n    60.00%%  5  dd\n5 main\n' "'cycles'" "'faults'" > text
	run -0 --separate-stderr "$flamectl" report text
	[ "$stderr" = 'flamectl: text: this shows the event cycles, not faults: choose one with --event NAME' ]
	run -0 --separate-stderr "$flamectl" report --event faults text
	[ -z "$stderr" ]
	run -1 --separate-stderr "$flamectl" report --event none text
	[ "$stderr" = 'flamectl: cannot read text: it has no stack of the event none' ]
}

@test "an unknown line is ignored and reported, or refused with --strict" {
	printf 'a 1 1.5: 1 cycles: \n\tffffffff81000000 f\n\twhat is this\n\tffffffff81000001 g\n' > text
	run -0 --separate-stderr "$flamectl" report text
	[ "$stderr" = $'flamectl: text: ignored 1 of 4 lines; line 3 is neither a sample\'s first line nor a frame of one: ?what is this' ]
	run -1 --separate-stderr "$flamectl" report --strict text
	[ "$stderr" = $'flamectl: cannot read text: line 3 is neither a sample\'s first line nor a frame of one: ?what is this' ]
}

@test "only --tidy removes signatures from names" {
	printf 'a 1 1.5: 1 cycles: \n\t7f01 ns::f(int, char const*) const (/bin/x)\n' > text
	"$flamectl" dump text > got
	[ "$(cat got)" = 'a;ns::f(int, char const*) const 1' ]
	[ "$("$flamectl" dump --tidy text)" = 'a;ns::f 1' ]
	"$flamectl" import --tidy -o out.pb.gz text
	[ "$("$flamectl" dump out.pb.gz)" = 'a;ns::f 1' ]
}

@test "threads whose process is not known are not merged" {
	printf '%s 1.5: 1 cycles: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n' 'a 1' 'b 2' 'b 2' 'swapper 0' > text
	"$flamectl" dump --merge-threads --by comm,pid,tid text | sort > got
	printf '%s\n' 'a;pid 0;tid 1;f 1' 'b;pid 0;tid 2;f 2' 'swapper;pid 0;tid 0;f 1' | diff - got
}

@test "each text gives the same result with and without --from, piped and gzip'd" {
	local case format
	for case in perf-script perf-report trace-cmd:funcgraph bpftrace-json dtrace oprofile:opreport; do
		format=${case%:*}
		"$flamectl" dump "$golden/report-${case#*:}/stdin" > plain 2> /dev/null
		[ -s plain ]
		"$flamectl" dump --from "$format" "$golden/report-${case#*:}/stdin" 2> /dev/null | diff plain -
		gzip -c "$golden/report-${case#*:}/stdin" | "$flamectl" dump - 2> /dev/null | diff plain -
		"$flamectl" import "$golden/report-${case#*:}/stdin" 2> /dev/null | "$flamectl" dump - | diff plain -
	done
}
