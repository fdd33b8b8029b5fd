#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# How tests/module/vm/run runs several guests: at the same time, with whole output.

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../../.." || return
	. tests/project/runner/stand-ins.bash
	stand_ins 10-one 20-two 30-three
	# Each prints a test, then does what the test case says, then prints another.
	cat >"$top/lab/run" <<-'END'
		#!/bin/bash
		while [ "$1" != -- ]; do
			[ "$1" != -k ] || kernel=$2
			[ "$1" != -o ] || out=$2
			[ "$1" != -l ] || console=$2
			shift
		done
		shift 3
		echo "boots $kernel $*" >>"$TOP/events"
		touch "$console"
		for scenario; do
			IFS=: read -r name _ alone <<<"$scenario"
			mkdir -p "$out/$name"
			if [ -n "$alone" ]; then
				printf '@waits %s\n' "$name"
				until [ -e "$out/$name/go" ]; do sleep 0.1; done
			fi
			echo "begins $kernel $name" >>"$TOP/events"
			printf '@begin %s\nok 1 - first of %s\n' "$name" "$kernel"
			. "$TOP/does"
			touch "$out/$name/dmesg"
			echo "finishes $kernel $name" >>"$TOP/events"
			printf 'ok 2 - second of %s\n1..2\n@end %s 0\n' "$kernel" "$name"
		done
		echo "ends $kernel $*" >>"$TOP/events"
	END
	chmod +x "$top/lab/run"
	export TOP=$top
	# waits until a file exists, for 20 s at most
	cat >"$top/does" <<-'END'
		appears() {
			for ((try = 0; try < 200; try++)); do
				[ ! -e "$TOP/$1" ] || return 0
				sleep 0.1
			done
			echo "not ok 3 - $1 never came"
		}
	END
}

@test 'as many guests as asked for run at the same time, and what each prints stays together' {
	cat >>"$top/does" <<-'END'
		touch "$TOP/runs-$kernel"
		if [ "$kernel" = a ]; then appears runs-b; else appears runs-a; fi
	END
	run -0 "$vm/run" -j 2 -k a -k b 10
	grep -c '^ok' <<<"$output"
	[ "$(grep -c '^ok' <<<"$output")" = 8 ]
	[ "${lines[-1]}" = 1..8 ]
	# numbered in the order in which they are printed, a guest after the other
	[ "$(sed -n 's/^ok \([0-9]*\) .*/\1/p' <<<"$output" | paste -sd' ')" = '1 2 3 4 5 6 7 8' ]
	[[ "$(sed -n 's/^ok .* of \(.\)$/\1/p' <<<"$output" | paste -sd' ')" =~ ^('a a b b'|'b b a a')$ ]]
}

@test 'a scenario marked so runs alone: last in its guest, when no other is at work' {
	echo '# alone' >"$vm/10-one.sh"
	echo sleep 0.2 >>"$top/does"
	run -0 "$vm/run" -j 2 -k a -k b -k c
	[ "${lines[-1]}" = 1..24 ]
	[ "$(grep -c '^boots' "$top/events")" = 3 ]
	grep -qx 'boots a 20-two:600 30-three:600 10-one:600:alone' "$top/events"
	# what is alone comes after all that is not, and ends before another begins
	grep -E '^(begins|finishes)' "$top/events" >"$top/order"
	[ "$(head -n 12 "$top/order" | grep -c one)" = 0 ]
	[ "$(tail -n 6 "$top/order" | awk '{ print $1 }' | paste -sd' ')" = \
		'begins finishes begins finishes begins finishes' ]
	[ "$(tail -n 6 "$top/order" | awk '{ print $2, $3 }' | uniq -c | awk '{ print $1, $3 }' | sort -u)" = '2 10-one' ]
}

@test 'a guest that waits to be alone gives its place away, and is waited for by none' {
	echo '# alone' | tee "$vm/10-one.sh" "$vm/20-two.sh" >"$vm/30-three.sh"
	run -0 "$vm/run" -j 2 -k a -k b -k c
	# all are booted before the first begins
	[ "$(head -n 3 "$top/events" | grep -c '^boots')" = 3 ]
	[ "$(grep -c '^finishes' "$top/events")" = 9 ]
}

@test 'scenarios of one kind that run alone do so with each other' {
	echo '# alone' >"$vm/10-one.sh"
	echo '# alone: pair' | tee "$vm/20-two.sh" >"$vm/30-three.sh"
	echo '# guest: -c 1' >>"$vm/20-two.sh"
	echo '# guest: -c 3' >>"$vm/30-three.sh"
	cat >>"$top/does" <<-'END'
		touch "$TOP/runs-$name"
		case $name in
		20-two) appears runs-30-three ;;
		30-three) appears runs-20-two ;;
		*) sleep 0.5 ;;
		esac
	END
	run -0 "$vm/run" -j 2 -k a
	# the third is not between these two
	grep -E '^(begins|finishes)' "$top/events" | paste -sd' ' |
		grep -E 'begins a 10-one finishes a 10-one'
	rm "$top/events" "$top"/runs-*
	run -0 "$vm/run" -j 2 -k a 20 30
}

@test 'where a guest dies while it waits, the others run' {
	echo '# alone' >"$vm/10-one.sh"
	cat >>"$top/does" <<-'END'
		[ "$kernel.$name" != a.30-three ] || exit 125
	END
	run -1 "$vm/run" -j 2 -k a -k b
	[ "$(grep -c '^not ok .*it came to no end' <<<"$output")" = 2 ]
	grep -qx 'finishes b 10-one' "$top/events"
}

@test 'by default the main path runs on more kernels, and its storms in small' {
	sed -i '1a[ "$1" != -l ] || { [ "$2" != all ] || set -- a; [ "$2" != main ] || set -- b; }' "$top/lab/kernel"
	echo '# main path' >"$vm/20-two.sh"
	mkdir "$vm/storms"
	touch "$vm/storms/10-storm.sh"
	echo '# main path' >"$vm/storms/11-storm.sh"
	sed -i 's|^while .*|echo "$*" >>"$TOP/asked"; &|' "$top/lab/run"
	unset STORM
	run -0 "$vm/run" -j 2
	[ "$(grep '^boots' "$top/events" | sort)" = 'boots a 10-one:600 20-two:600 30-three:600
boots a 11-storm:600
boots b 20-two:600' ]
	[ "$(grep -c -- '-a STORM=small .*11-storm:600' "$top/asked")" = 1 ]
}

@test 'with one guest at a time nothing waits' {
	echo '# alone' >"$vm/10-one.sh"
	run -0 "$vm/run" -j 1 -k a
	[ "$(grep -E '^(boots|ends)' "$top/events")" = 'boots a 20-two:600 30-three:600 10-one:600
ends a 20-two:600 30-three:600 10-one:600' ]
}

@test 'many scenarios that ask for the same guest are divided evenly' {
	local i
	rm "$vm"/[0-9]*.sh
	for i in {10..26}; do touch "$vm/$i-scenario.sh"; done
	run -0 "$vm/run" -j 2 -k a
	[ "$(grep -c '^boots' "$top/events")" = 2 ]
	grep '^boots' "$top/events" | awk '{ print NF }' | sort -n | paste -sd' ' | grep -qx '10 11'
	[ -d "$top/out/vm/a/c_2_m_1G/files" ] && [ -d "$top/out/vm/a/c_2_m_1G.2/files" ]
	[ "${lines[-1]}" = 1..38 ]
	rm "$top/events"
	run -0 "$vm/run" -j 1 -k a
	[ "$(grep -c '^boots' "$top/events")" = 1 ]
}

@test 'and so that each share takes about the same time' {
	local i
	rm "$vm"/[0-9]*.sh
	for i in {10..26}; do touch "$vm/$i-scenario.sh"; done
	for i in 10 12; do echo '# takes: 70' >"$vm/$i-scenario.sh"; done
	run -0 "$vm/run" -j 2 -k a
	[ "$(grep -c '^boots' "$top/events")" = 2 ]
	# the two that take long are in two boots
	[ "$(grep -cE '^boots.* 1[02]-' "$top/events")" = 2 ]
	! grep -E '^boots.* 10-.* 12-' "$top/events"
}

@test 'a failure in one guest is counted, and the other is run' {
	cat >>"$top/does" <<-'END'
		[ "$kernel" = b ] || exit 125
	END
	run -1 "$vm/run" -j 2 -k a -k b 10
	[ "$(grep -c '^not ok .*10-one: it came to no end' <<<"$output")" = 1 ]
	grep -q '^ok .*second of b' <<<"$output"
}

# ends_two_guests ARGUMENT...: start a run, end it when two guests have written their
# pids to $top/pids, and see that it ends as by a signal and leaves none of the two
ends_two_guests() {
	local pid run status=0

	"$vm/run" -j 2 "$@" >"$top/said" 2>&1 3>&- & run=$!
	for ((try = 0; try < 200; try++)); do
		[ "$(wc -l <"$top/pids")" != 2 ] || break
		sleep 0.1
	done 2>/dev/null
	kill -TERM $run
	wait $run || status=$?
	[ "$status" = 143 ]
	[ "$(wc -l <"$top/pids")" = 2 ]
	while read -r pid; do
		run ! kill -0 "$pid"
	done <"$top/pids"
}

@test 'when it is ended, so are all guests, and none is begun' {
	cat >>"$top/does" <<-'END'
		echo $$ >>"$TOP/pids"
		exec sleep 1000
	END
	ends_two_guests -k a -k b -k c
	[ "$(grep -c boots "$top/events")" = 2 ]
}

@test 'a guest that waits to be alone is ended with the others' {
	echo '# alone' >"$vm/10-one.sh"
	cat >>"$top/does" <<-'END'
		[ "$kernel" = a ] || { echo $$ >>"$TOP/pids"; exec sleep 1000; }
	END
	sed -i 's|until |echo $$ >>"$TOP/pids"; until |' "$top/lab/run"
	ends_two_guests -k a -k b
}

@test 'no guest at a time is refused' {
	run -1 "$vm/run" -j 0
	[[ "$output" = *'-j 0: at least 1'* ]]
}

@test 'a guest that hangs is ended, and what its CPUs did is known' {
	sed -i 's/^END_SECONDS = .*/END_SECONDS = 1/' "$vm/run"
	echo '# limit: 1' >"$vm/20-two.sh"
	cat >>"$top/does" <<-'END'
		if [ $name = 20-two ]; then
			trap 'echo "hung here" >&2; exit 124' USR1
			for ((i = 0; i < 200; i++)); do sleep 0.1; done
		fi
	END
	run -1 "$vm/run" -k a
	grep -q '^ok .*10-one: second' <<<"$output"
	grep -q '^not ok .*20-two: it came to no end' <<<"$output"
	grep -q '^# it said nothing for 2 s' <<<"$output"
	grep -q '^# hung here' <<<"$output"
	grep -q '^not ok .*30-three: it came to no end' <<<"$output"
}

@test 'a guest that waits until it may run alone may be silent' {
	sed -i 's/^END_SECONDS = .*/END_SECONDS = 1/' "$vm/run"
	printf '%s\n' '# limit: 1' '# alone' >"$vm/20-two.sh"
	cat >>"$top/does" <<-'END'
		[ $kernel$name != a10-one ] || sleep 4
	END
	run -0 "$vm/run" -j 2 -k a -k b 10 20
}
