#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Profiles cut by time: record --slices with a module that is made up
# (tests/top/fake.c), what other readers make of the file, heat, and --range.
# Debian packages: golang-go, python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/cli/saved.pb.gz)
	hostile_py=$(realpath tests/cli/hostile.py)
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
}

# record LOOKS ARGUMENT...
record() {
	local looks=$1
	shift
	timeout 60 "$fake" "$looks" record "$@"
}

sum() { # of the weights of folded text
	awk '{ sum += $NF } END { print sum + 0 }'
}

nr_columns() {
	grep -c '^<g data-b=' "$1"
}

refused() { # MESSAGE ARGUMENT...
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[[ ${stderr_lines[0]} = "flamectl: $message"* ]]
}

@test "slices are kept apart, and sum to what was recorded" {
	record 0 --slices 100ms -d 1050ms -o sliced.pb.gz
	"$flamectl" heat sliced.pb.gz > heat.svg
	nr=$(nr_columns heat.svg)
	[ "$nr" -ge 2 ]
	total=$("$flamectl" dump -i sliced.pb.gz | sum)
	# each look is 4000 periods
	[ $((total % 4000)) -eq 0 ]
	[ "$total" -ge $((nr * 4000)) ]
	parts=0
	mapfile -t begins < <(sed -nE 's/^<g data-b="([0-9]+)".*/\1/p' heat.svg)
	[ "${begins[0]}" -eq 0 ]
	for i in "${!begins[@]}"; do
		from=$(((begins[i] + 999999) / 1000000))
		to=${begins[i + 1]:+$((begins[i + 1] / 1000000))ms}
		part=$("$flamectl" dump -i sliced.pb.gz --range "${from}ms,$to" | sum)
		[ "$part" -ge 4000 ]
		parts=$((parts + part))
	done
	[ "$parts" -eq "$total" ]
	"$flamectl" report --flat --range ,100ms sliced.pb.gz | grep -q 'lost 5$'
	"$flamectl" svg --range 0,1ms sliced.pb.gz | grep -qF 'fires 4,000'
}

@test "sampling that was not on is, while it is recorded" {
	record stopped --slices 100ms -d 300ms -o sliced.pb.gz
	[ $(($("$flamectl" dump -i sliced.pb.gz | sum) % 4000)) -eq 0 ]
	# and without slices nothing is cut
	record stopped -d 100ms -o whole.pb.gz
	[ "$("$flamectl" dump -i whole.pb.gz | sum)" -eq 4000 ]
	run -1 "$flamectl" heat whole.pb.gz
	[ "$output" = 'flamectl: cannot draw whole.pb.gz: it is not cut by time: record it with --slices 1s' ]
}

@test "only what was asked for is in the slices" {
	record 0 --slices 100ms -d 250ms -p 1 -o sliced.pb.gz
	"$flamectl" dump --by pid -i sliced.pb.gz > folded
	run ! grep -vE '^(pid 1;|\[lost: overload\])' folded
	"$flamectl" heat sliced.pb.gz > heat.svg
	# the whole of a cell is that of the CPU
	grep -qE '^[0-9.]+ % busy \([0-9]+ of (1,000|[0-9],000) periods\)' heat.svg
}

@test "a reset meanwhile is said, and what was before stays" {
	run -0 --separate-stderr timeout 60 "$fake" reset record --slices 100ms -d 1500ms -o sliced.pb.gz
	[[ $stderr = 'flamectl: warning: somebody reset the module meanwhile: what was sampled from the slice before to the reset is missing'* ]]
	"$flamectl" heat sliced.pb.gz > heat.svg
	[ "$(nr_columns heat.svg)" -ge 3 ]
}

@test "a module that goes away leaves no file" {
	echo old > sliced.pb.gz
	run -1 --separate-stderr timeout 60 "$fake" 3 record --slices 10ms -d 50s -o sliced.pb.gz
	[ "$stderr" = 'flamectl: cannot record: the module is not loaded any more' ]
	[ "$(cat sliced.pb.gz)" = old ]
	[ "$(find . -type f | wc -l)" -eq 1 ]
}

@test "go tool pprof sees the whole, and can select by time" {
	record 0 --slices 100ms -d 450ms -o sliced.pb.gz
	go tool pprof -top -unit=ms -nodefraction=0 -nodecount=1000 sliced.pb.gz |
		sed '1,/flat%/d; s/ms//g' | awk '{ print $1, $6 }' | sort > pprof
	"$flamectl" report --flat --threshold 0 sliced.pb.gz | grep -v '^#' |
		awk '{ print $3, $6 }' | sort > ours
	# names alone, but for those that are escaped in the file
	diff <(grep -E '[a-z]_[a-z0-9_]+$' pprof) <(grep -E '[a-z]_[a-z0-9_]+$' ours)
	[ "$(grep -cE '[a-z]_[a-z0-9_]+$' ours)" -ge 10 ]
	go tool pprof -raw sliced.pb.gz > raw
	[ "$(grep -oE 'slice:\[[0-9]+' raw | sort -u | wc -l)" -eq "$("$flamectl" heat sliced.pb.gz | grep -c '^<g data-b=')" ]
	first=$(go tool pprof -top -unit=ms -tagfocus=slice=:1ms sliced.pb.gz | sed -nE 's/.* of ([0-9]+)ms total.*/\1/p')
	whole=$("$flamectl" dump -i sliced.pb.gz | sum)
	[ "$first" -eq "$whole" ]
	go tool pprof -top -unit=ms -tagfocus=slice=:1ms sliced.pb.gz | grep -q 'do_idle'
}

@test "heat has rows by CPU or by load, and takes a selection" {
	record 0 --slices 100ms -d 350ms -o sliced.pb.gz
	"$flamectl" heat --rows load sliced.pb.gz -o load.svg
	grep -qF '<title>CPUs by load over time</title>' load.svg
	grep -qE '^<rect .*<title>load 90 to 100 %, 0 s to ' load.svg
	"$flamectl" heat --comm cat --title 'cat & co' --width 500 - < sliced.pb.gz > cat.svg
	grep -qF '<title>cat &amp; co</title>' cat.svg
	grep -qE ' width="500" .* data-path="FILE"' cat.svg
	grep -q '^0.00 % in what is selected (0 of 1,000 periods)' cat.svg
	python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' load.svg cat.svg
	"$flamectl" heat --range 0,1ms sliced.pb.gz > one.svg
	[ "$(nr_columns one.svg)" -eq 1 ]
}

@test "what makes no sense is refused" {
	refused '--slices 1ms: at least 10ms' record --slices 1ms
	refused '--slices x: a duration' record --slices x
	refused '--rows x: cpu or load' heat --rows x "$saved"
	refused '--width 1: a whole number from 320 to 100000' heat --width 1 "$saved"
	refused 'heat draws one file, and "b" is one too many' heat a b
	for command in svg report heat; do
		refused '--range 2,1: two times since the begin' $command --range 2,1 "$saved"
	done
	refused '--range 1: two times since the begin' dump --range 1 -i "$saved"
	refused '--range: a part of a profile that was saved; what comes is shown here' top --range 0,1
	echo 'a;b 1' > folded
	refused '--range is for saved profiles; folded is folded text' svg --range 0,1 folded
}

@test "bad input is an error, and leaves what was there" {
	echo old > out
	run -1 --separate-stderr "$flamectl" heat none -o out
	[ "$stderr" = 'flamectl: cannot read none: No such file or directory' ]
	run -1 --separate-stderr "$flamectl" heat "$saved" -o out
	[ "$stderr" = "flamectl: cannot draw $saved: it is not cut by time: record it with --slices 1s" ]
	run -1 --separate-stderr "$flamectl" svg --range 0,1 "$saved" -o out
	[ "$stderr" = "flamectl: cannot select from $saved: it is not cut by time: record it with --slices 1s" ]
	record 0 --slices 100ms -d 250ms -o sliced.pb.gz
	run -1 --separate-stderr "$flamectl" heat --range 1h,2h sliced.pb.gz -o out
	[[ $stderr = 'flamectl: cannot draw sliced.pb.gz: there is nothing in that range: it ends at '* ]]
	head -c 200 sliced.pb.gz > cut.pb.gz
	run -1 --separate-stderr "$flamectl" heat cut.pb.gz -o out
	[[ $stderr = 'flamectl: cannot read cut.pb.gz: '* ]]
	[ "$(cat out)" = old ]
	run -1 --separate-stderr "$flamectl" heat sliced.pb.gz -o /dev/full
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	# another program's labels of that name mean nothing to us
	python3 "$hostile_py" names | gzip > names.pb.gz
	run -1 --separate-stderr "$flamectl" heat names.pb.gz
	[[ $stderr = *'it is not cut by time'* ]]
}
