#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# What tests/kunit/run makes of a kernel's log. The log is made of the sources:
# all is well in it, until a test spoils something.

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.."
	log=$BATS_TEST_TMPDIR/log
	awk '
		FNR == 1 { nr = 0 }
		match($0, /KUNIT_CASE(_PARAM)?\([a-z_0-9]+/) {
			name = substr($0, RSTART, RLENGTH)
			sub(/.*\(/, "", name)
			cases[++nr] = name
			params[nr] = /KUNIT_CASE_PARAM/
		}
		/^\t\.name = "flamemod_/ {
			split($0, word, "\"")
			print "[    1.000000]     KTAP version 1"
			print "[    1.000000]     # Subtest: " word[2]
			print "[    1.000000]     1.." nr
			for (i = 1; i <= nr; i++) {
				if (params[i]) {
					print "[    1.000000]         KTAP version 1"
					print "[    1.000000]         # Subtest: " cases[i]
					print "[    1.000000]         ok 1 this"
					print "[    1.000000]         ok 2 that"
				}
				print "[    1.000000]     ok " i " " cases[i]
			}
			print "[    1.000000] ok " ++suites " " word[2]
		}' tests/kunit/*_test.c >"$log"
}

# judge EXPECTED_FAILURES: that many lines are "not ok"
judge() {
	run tests/kunit/run -j "$log"
	[ "$status" = "$(($1 > 0))" ]
	[ "$(grep -c '^not ok' <<<"$output")" = "$1" ]
	grep -q "^1\.\.$(grep -cE '^(not )?ok' <<<"$output")$" <<<"$output"
}

@test "a log in which all is well passes" {
	judge 0
	[ "$(grep -c '^ok' <<<"$output")" -gt 100 ]
}

@test "lines without stamps, and with carriage returns, are read as well" {
	sed -i 's/^\[[^]]*\] //; s/$/\r/' "$log"
	judge 0
}

@test "a failed case is seen" {
	sed -i 's/    ok \([0-9]* add_counts_duplicates\)/    not ok \1/; s/ ok \([0-9]* flamemod_table\)/ not ok \1/' "$log"
	judge 1
	grep -q 'not ok .*flamemod_table: add_counts_duplicates' <<<"$output"
}

@test "a failed parameter is seen even if its case passed" {
	sed -i '0,/ ok 2 that/s// not ok 2 that/' "$log"
	judge 1
}

@test "a case that did not run is seen" {
	sed -i '/hash_spreads/d' "$log"
	judge 1
	grep -q 'it did not run' <<<"$output"
}

@test "a case without its parameters is seen" {
	sed -i '/ok 1 this$/d; /ok 2 that$/d' "$log"
	judge "$(grep -c 'KUNIT_CASE_PARAM' tests/kunit/*_test.c | awk -F: '{ sum += $2 } END { print sum }')"
	grep -q 'no parameter' <<<"$output"
}

@test "a parameter that is missing in between is seen" {
	sed -i '0,/ ok 1 this/{/ ok 1 this/d}' "$log"
	judge 1
}

@test "a skipped case is seen" {
	sed -i 's/ok \([0-9]*\) hash_spreads/& # SKIP not today/' "$log"
	judge 1
}

@test "a suite that is missing is seen" {
	sed -i '/Subtest: flamemod_filter$/,/ok [0-9]* flamemod_filter$/d' "$log"
	judge 4	# the suite and its three cases
}

@test "a suite that did not end is seen" {
	sed -i '/ok [0-9]* flamemod_wire$/d' "$log"
	judge 1
}

@test "a suite that failed without a failed case is seen" {
	sed -i 's/ ok \([0-9]* flamemod_books\)/ not ok \1/' "$log"
	judge 1
}

@test "a case and a suite that are in no source are seen" {
	sed -i 's/^\(.*\)ok 1 leaves_out_what_the_settings_name/&\n\1ok 2 stray/' "$log"
	judge 1
	sed -i 's/flamemod_filter/flamemod_other/' "$log"
	judge 4	# the suite and its three cases
}

@test "a KUnit that is disabled has passed nothing" {
	echo '[    1.000000] kunit: disabled' >"$log"
	run tests/kunit/run -j "$log"
	[ "$status" = 1 ]
	[ "$(grep -c '^ok' <<<"$output")" = 1 ]	# the kernel did not complain
}

@test "a complaint of the kernel is seen" {
	echo '[    2.000000] WARNING: CPU: 0 PID: 1 at kernel/foo.c:1 foo' >>"$log"
	judge 1
	grep -q 'foo.c:1' <<<"$output"
}

@test "that the module found its books wrong is a complaint" {
	echo '[    2.000000] flamemod: CPU 1: the books do not balance: sampling ends' >>"$log"
	judge 1
}

@test "without its packages it says what installs them" {
	# as on a Debian system on which nothing is installed
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/dpkg-query"
	chmod +x "$BATS_TEST_TMPDIR/dpkg-query"
	for runner in tests/kunit/run tests/kunit/mutants/run; do
		PATH=$BATS_TEST_TMPDIR:$PATH run "$runner"
		[ "$status" = 1 ]
		[[ "$output" = *' these packages are missing: '*qemu-system-x86*"'tests/deps build demo' installs them" ]]
	done
}

# warns LINE: the line is a warning of one of our files
warns() {
	PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
from importlib.machinery import SourceFileLoader
run = SourceFileLoader("run", "tests/kunit/run").load_module()
sys.exit(not run.OUR_WARNING.search("  CC [M]  x.o\n" + sys.argv[1]))' "$1" 2>/dev/null
}

@test "a warning of our files is seen by any path, one of lib/kunit is not ours" {
	warns '/a/build/tests/kunit/late_test.c:170:70: warning: integer overflow [-Woverflow]'
	warns '../../a/build/module/late.c:1:2: warning: unused variable [-Wunused]'
	warns 'tests/kunit/late_test.c:170:70: warning: integer overflow [-Woverflow]'
	run ! warns '/a/out/kunit/6.1/build/kunit/test.c:1:2: warning: unused variable [-Wunused]'
}
