#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# tests/run counts honestly: fake producers, and the last line and exit status
# that it makes of them.

setup() {
	bats_require_minimum_version 1.5.0
	top=$(realpath "$BATS_TEST_DIRNAME/../../..")
	dir=$BATS_TEST_TMPDIR
}

# producer NAME: an executable with the script on its standard input. In it, "appears
# FILE" waits until FILE exists, and fails after 10 s.
producer() {
	{
		echo '#!/bin/sh'
		# shellcheck disable=SC2016 # expanded in the producer
		echo 'appears() { for i in $(seq 100); do [ ! -e "$1" ] || return 0; sleep 0.1; done; return 1; }'
		cat
	} > "$dir/$1"
	chmod +x "$dir/$1"
}

# counts STATUS LAST-LINE ARGUMENT...: what tests/run must come to
counts() {
	local status_wanted=$1 line_wanted=$2
	shift 2
	run "$top/tests/run" "$@"
	printf '%s\n' "$output"
	[ "$status" = "$status_wanted" ]
	[ "${lines[-1]}" = "$line_wanted" ]
}

@test "passed tests are counted over all producers" {
	printf 'echo 1..2\necho ok 1 - a\necho ok 2\n' | producer a
	printf 'echo ok 1 - b\necho 1..1\n' | producer b
	counts 0 '3 passed, 0 failed' "$dir/a" "$dir/b"
}

@test "a failed test is counted and shown with its diagnostics" {
	producer a <<-'EOF'
	echo 1..2
	echo 'ok 1 - fine'
	echo 'not ok 2 - broken'
	echo '# 3 is not 4'
	exit 1
	EOF
	counts 1 '1 passed, 1 failed' "$dir/a"
	[[ $output == *'not ok 2 - broken'*'# 3 is not 4'* ]]
}

@test "what is for people is shown, whatever the result" {
	producer a <<-'EOF'
	echo '## seen: 3 of 4'
	echo '# not for people'
	echo 'ok 1'
	echo 1..1
	EOF
	counts 0 '1 passed, 0 failed' "$dir/a"
	[[ $output == *'    seen: 3 of 4'* ]]
	[[ $output != *'not for people'* ]]
}

@test "what a failed producer wrote to stderr is shown" {
	printf 'echo 1..1\necho not ok 1\necho the reason >&2\n' | producer a
	counts 1 '0 passed, 1 failed' "$dir/a"
	[[ $output == *'the reason'* ]]
}

@test "a skipped test is not a passed one" {
	producer a <<-'EOF'
	echo 1..3
	echo 'ok 1 - a'
	echo 'ok 2 - b # SKIP not here'
	echo 'not ok 3 # skip c'
	EOF
	counts 0 '1 passed, 0 failed, 2 skipped' "$dir/a"
}

@test "nothing but skipped tests is no success" {
	printf 'echo "1..0 # SKIP no browser"\n' | producer a
	counts 1 '0 passed, 0 failed, 1 skipped' "$dir/a"
}

@test "a failed test marked TODO has failed" {
	printf 'echo 1..1\necho "not ok 1 - a # TODO later"\n' | producer a
	counts 1 '0 passed, 1 failed' "$dir/a"
}

@test "fewer tests than planned are a failure" {
	printf 'echo 1..3\necho ok 1\necho ok 2\n' | producer a
	counts 1 '2 passed, 1 failed' "$dir/a"
	[[ $output == *'planned 3 tests and ran 2'* ]]
}

@test "more tests than planned are a failure" {
	printf 'echo 1..1\necho ok 1\necho ok 2\n' | producer a
	counts 1 '2 passed, 1 failed' "$dir/a"
}

@test "no plan is a failure" {
	printf 'echo ok 1\n' | producer a
	counts 1 '1 passed, 1 failed' "$dir/a"
	[[ $output == *'no plan'* ]]
}

@test "a plan of no tests is a failure" {
	printf 'echo 1..0\n' | producer a
	counts 1 '0 passed, 1 failed' "$dir/a"
}

@test "a line that only begins like a result is none" {
	printf 'echo 1..1\necho okay\necho ok then\n' | producer a
	counts 1 '0 passed, 1 failed' "$dir/a"
}

@test "an exit status without a failed test is a failure" {
	printf 'echo 1..1\necho ok 1\nexit 7\n' | producer a
	counts 1 '1 passed, 1 failed' "$dir/a"
	[[ $output == *'status 7'* ]]
}

@test "death by a signal is a failure of its own" {
	printf 'echo 1..2\necho ok 1\necho not ok 2\nkill -SEGV $$\n' | producer a
	counts 1 '1 passed, 2 failed' "$dir/a"
	[[ $output == *SIGSEGV* ]]
}

@test "bailing out is a failure" {
	printf 'echo 1..1\necho ok 1\necho "Bail out! no disk"\n' | producer a
	counts 1 '1 passed, 1 failed' "$dir/a"
}

# gone PID: within 10 s it runs no more; a zombie that nobody reaps does not
gone() {
	for _ in {1..100}; do
		grep -qs '^State:.[^Z]' "/proc/$1/status" || return 0
		sleep 0.1
	done
	return 1
}

@test "a producer that hangs is ended" {
	printf 'echo 1..1\necho ok 1\necho $$ > %s/pid\nexec sleep 1000\n' "$dir" |
		producer a
	counts 1 '1 passed, 1 failed' -t 1 "$dir/a"
	gone "$(cat "$dir/pid")"
}

@test "a producer may ask for more time than others get" {
	printf '# limit: 60\nsleep 2\necho 1..1\necho ok 1\n' | producer a
	counts 0 '1 passed, 0 failed' -t 1 "$dir/a"
}

@test "what a producer leaves running is ended" {
	printf 'echo 1..1\necho ok 1\nsleep 1000 &\necho $! > %s/pid\n' "$dir" |
		producer a
	counts 0 '1 passed, 0 failed' "$dir/a"
	gone "$(cat "$dir/pid")"
}

@test "a producer that is absent or cannot be run is a failure" {
	echo nothing > "$dir/a"
	counts 1 '0 passed, 2 failed' "$dir/a" "$dir/b"
}

@test "a directory stands for its executables and bats files" {
	mkdir "$dir/d" "$dir/d/sub"
	printf 'echo 1..1\necho ok 1\n' | producer d/a
	printf 'echo 1..1\necho not ok 1\n' | producer d/sub/b
	printf '@test "c" { true; }\n' > "$dir/d/c.bats"
	echo 'no test' > "$dir/d/data"
	counts 0 '2 passed, 0 failed' "$dir/d"
}

@test "an empty directory is a failure" {
	mkdir "$dir/d"
	printf 'echo 1..1\necho ok 1\n' | producer a
	counts 1 '1 passed, 1 failed' "$dir/d" "$dir/a"
}

@test "one producer's failure does not keep the next from running" {
	printf 'kill -KILL $$\n' | producer a
	printf 'echo 1..1\necho ok 1\n' | producer b
	counts 1 '1 passed, 2 failed' "$dir/a" "$dir/b"
}

@test "a test does not see the make that started it" {
	producer a <<-EOF
	echo "\${MAKEFLAGS-}\${MFLAGS-}\${MAKELEVEL-}" > "$dir/seen"
	echo 1..1
	echo ok 1
	EOF
	MAKEFLAGS=w MFLAGS=-w MAKELEVEL=1 counts 0 '1 passed, 0 failed' "$dir/a"
	[ "$(cat "$dir/seen")" = '' ]
}

@test "with -j, producers run at the same time" {
	# each waits for the other
	for pair in 'a b' 'b a'; do
		producer "${pair% *}" <<-EOF
		echo 1..1
		touch "$dir/is-${pair% *}"
		appears "$dir/is-${pair#* }" && echo ok 1 || echo not ok 1
		EOF
	done
	counts 0 '2 passed, 0 failed' -j 2 "$dir/a" "$dir/b"
}

@test "a producer that wants to be alone runs after the others" {
	producer a <<-EOF
	# alone
	echo 1..1
	[ -e "$dir/b-ended" ] && echo ok 1 || echo not ok 1
	EOF
	producer b <<-EOF
	echo 1..1
	echo ok 1
	sleep 0.5
	touch "$dir/b-ended"
	EOF
	counts 0 '2 passed, 0 failed' -j 2 "$dir/a" "$dir/b"
}

@test "one that is last begins when all others have begun, and waits for none to end" {
	producer a <<-EOF
	# last
	echo 1..1
	touch "$dir/a-began"
	[ -e "$dir/b-began" ] && [ -e "$dir/c-began" ] && echo ok 1
	EOF
	for name in b c; do
		producer $name <<-EOF
		# in turn: pair
		echo 1..1
		touch "$dir/$name-began"
		for i in \$(seq 100); do
			[ $name = b ] || [ -e "$dir/a-began" ] || { sleep 0.1; continue; }
			echo ok 1
			exit
		done
		EOF
	done
	producer d <<-EOF
	echo 1..1
	while [ ! -e "$dir/c-began" ]; do sleep 0.1; done
	echo ok 1
	EOF
	counts 0 '4 passed, 0 failed' -j 2 "$dir/a" "$dir/b" "$dir/c" "$dir/d"
}

@test "those that run in turn do so in their order, beside others" {
	# each waits for the one beside it; the second also wants the first to have ended
	producer a <<-EOF
	# in turn: pair
	echo 1..1
	[ ! -e "$dir/b-began" ] || exit 1
	touch "$dir/a-began"
	for i in \$(seq 100); do
		[ ! -e "$dir/c-began" ] || { sleep 0.5; touch "$dir/a-ended"; echo ok 1; exit; }
		sleep 0.1
	done
	EOF
	producer b <<-EOF
	# in turn: pair
	echo 1..1
	touch "$dir/b-began"
	[ -e "$dir/a-ended" ] && echo ok 1
	EOF
	producer c <<-EOF
	echo 1..1
	touch "$dir/c-began"
	appears "$dir/a-began" && echo ok 1
	EOF
	counts 0 '3 passed, 0 failed' -j 2 "$dir/a" "$dir/b" "$dir/c"
	rm "$dir"/*-began "$dir/a-ended"
	counts 0 '3 passed, 0 failed' -j 3 "$dir/c" "$dir/a" "$dir/b"
}

@test "each failed test is named at the end, with its log" {
	printf 'echo 1..2\necho ok 1\necho not ok 2 - bent\n' | producer a
	printf 'echo 1..1\necho ok 1 - straight\n' | producer b
	counts 1 '2 passed, 1 failed' "$dir/a" "$dir/b"
	list=${output##*failed:}
	[[ $list == *'/a, see out/tests/'*'-a.tap and .err'*'not ok 2 - bent'* ]]
	[[ $list != *straight* && $list != *'/b,'* ]]
}

@test "what has not passed is listed, and can be run by itself" {
	printf 'echo 1..1\necho ok 1\n' | producer a
	producer b <<-EOF
	echo "\${TESTS_GO_ON-no}" > "$dir/seen"
	echo 1..1
	[ -e "$dir/mended" ] && echo ok 1 || echo not ok 1
	EOF
	counts 1 '1 passed, 1 failed' -l "$dir/left" "$dir/a" "$dir/b"
	[ "$(cat "$dir/seen")" = no ]
	[ "$(wc -l < "$dir/left")" = 1 ]
	grep -q '/b$' "$dir/left"
	counts 1 '0 passed, 1 failed' -l "$dir/left"
	[ "$(cat "$dir/seen")" = 1 ]
	touch "$dir/mended"
	counts 0 '1 passed, 0 failed' -l "$dir/left"
	counts 0 '0 passed, 0 failed' -l "$dir/left"
}

@test "a run that was killed leaves a list of what it had not come to" {
	printf 'echo 1..1\necho ok 1\n' | producer a
	producer b <<-EOF
	echo 1..1
	echo \$\$ > "$dir/pid"
	touch "$dir/here"
	exec sleep 1000
	EOF
	"$top/tests/run" -l "$dir/left" "$dir/a" "$dir/b" 3>&- &
	pid=$!
	for i in $(seq 100); do
		[ ! -e "$dir/here" ] || break
		sleep 0.1
	done
	kill -TERM "$pid"
	wait "$pid" || true
	gone "$(cat "$dir/pid")"
	[ "$(wc -l < "$dir/left")" = 1 ]
	grep -q '/b$' "$dir/left"
}

@test "a run that is killed begins no more of those that run in turn" {
	local name
	for name in a b; do
		producer $name <<-EOF
		# in turn: pair
		touch "$dir/$name-began"
		exec sleep 1000
		EOF
	done
	"$top/tests/run" -j 2 "$dir/a" "$dir/b" 3>&- &
	pid=$!
	for i in $(seq 100); do
		[ ! -e "$dir/a-began" ] || break
		sleep 0.1
	done
	kill -TERM "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 143 ]
	[ ! -e "$dir/b-began" ]
}

@test "there is nothing to go on with before a first run" {
	run "$top/tests/run" -l "$dir/none"
	[ "$status" = 1 ]
	[[ $output == *"there is no $dir/none"* ]]
}
