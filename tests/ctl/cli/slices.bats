#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Profiles cut by time: record --slices with a made-up module (tests/ctl/top/fake.c),
# other programs that read the file, heat, and --range.
# Debian packages: golang-go, python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	hostile_py=$(realpath tests/ctl/cli/hostile.py)
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

@test "slices are separate, and sum to the recording" {
	record 0 --slices 100ms -d 1050ms -o sliced.pb.gz
	"$flamectl" heat sliced.pb.gz > heat.svg
	nr=$(nr_columns heat.svg)
	[ "$nr" -ge 2 ]
	total=$("$flamectl" dump -i sliced.pb.gz | sum)
	# each dump brings 4000 periods
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

@test "stopped sampling runs during the recording" {
	record stopped --slices 100ms -d 300ms -o sliced.pb.gz
	[ $(($("$flamectl" dump -i sliced.pb.gz | sum) % 4000)) -eq 0 ]
	# without --slices nothing is cut
	record stopped -d 100ms -o whole.pb.gz
	[ "$("$flamectl" dump -i whole.pb.gz | sum)" -eq 4000 ]
	run -1 "$flamectl" heat whole.pb.gz
	[ "$output" = 'flamectl: cannot draw whole.pb.gz: it has no slices of time: record with --slices 1s' ]
}

@test "slices contain only the requested processes" {
	record 0 --slices 100ms -d 250ms -p 1 -o sliced.pb.gz
	"$flamectl" dump --by pid -i sliced.pb.gz > folded
	run ! grep -vE '^(pid 1;|\[lost: overload\])' folded
	"$flamectl" heat sliced.pb.gz > heat.svg
	# a cell's share is of all periods of the CPU
	grep -qE '^[0-9.]+ % busy \([0-9]+ of (1,000|[0-9],000) periods\)' heat.svg
}

@test "a reset during the recording is reported, and earlier slices stay" {
	run -0 --separate-stderr timeout 60 "$fake" reset record --slices 100ms -d 1500ms -o sliced.pb.gz
	[[ $stderr = 'flamectl: warning: the module was reset during the recording, and could not keep all that it had: some samples from before the reset are missing'* ]]
	"$flamectl" heat sliced.pb.gz > heat.svg
	[ "$(nr_columns heat.svg)" -ge 3 ]
}

@test "a reset during the recording costs no samples if the module keeps them" {
	run -0 --separate-stderr timeout 60 "$fake" kept record -d 100ms -o whole.pb.gz
	[ -z "$stderr" ]
	# one look before the reset and one after it
	[ "$("$flamectl" dump -i whole.pb.gz | sum)" -eq 8000 ]
	run -0 --separate-stderr timeout 60 "$fake" kept record --slices 100ms -d 450ms -o sliced.pb.gz
	[ -z "$stderr" ]
	[ "$("$flamectl" dump -i sliced.pb.gz | sum)" -ge 12000 ]
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
	# compare names only, except those that are escaped in the file
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
	grep -qE '<title>CPUs by load over time on .*, [0-9]{4}-[0-9]{2}-[0-9]{2}</title>' load.svg
	grep -qE ' lost [0-9]+; overload: lower the rate, -F [0-9]+</text>' load.svg
	record 0 --slices 100ms -o command.pb.gz -- sleep 0.35
	"$flamectl" heat command.pb.gz | grep -qE '<title>Load of each CPU over time: sleep 0.35 on '
	grep -qE '^<rect .*<title>load 90 to 100 %, 0 s to ' load.svg
	"$flamectl" heat --comm cat --title 'cat & co' --width 500 - < sliced.pb.gz > cat.svg
	grep -qF '<title>cat &amp; co</title>' cat.svg
	grep -qE ' width="500" .* data-rest=" --comm cat FILE"' cat.svg
	grep -q '^0.00 % in what is selected (0 of 1,000 periods)' cat.svg
	for option in --no-idle --merge-threads --merge-kthreads; do
		"$flamectl" heat $option sliced.pb.gz > merged.svg
		grep -q ' % busy (' merged.svg
	done
	python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' load.svg cat.svg
	# a file's name that starts with - is not taken for an option
	cp sliced.pb.gz ./-x
	"$flamectl" heat --no-idle -- -x | grep -qF ' data-rest=" --no-idle ./-x"'
	"$flamectl" heat --range 0,1ms sliced.pb.gz > one.svg
	[ "$(nr_columns one.svg)" -eq 1 ]
}

# times_of SVG: print "BEGIN WEIGHT" of a flame chart's slices from left to right
times_of() {
	grep -A 1 -E '<title>[0-9.]+ to [0-9.]+ s$' "$1" |
		sed -nE 's/.* data-s="([0-9]+)" data-w="([0-9]+)".*<title>([0-9.]+) to .*/\1 \3 \2/p' |
		sort -n | cut -d ' ' -f 2-
}

# says_width OPTIONS WHAT: expect a chart that says what a slice is as wide as; '': nothing
says_width() {
	# shellcheck disable=SC2086 # options
	"$flamectl" svg --flamechart --width 4000 $1 sliced.pb.gz > chart.svg
	if [ -n "$2" ]; then
		grep -qF ">slices are in the order of time, but each is as wide as its $2, not as long as it lasted" chart.svg
	else
		run ! grep -q 'as wide as' chart.svg
	fi
}

@test "a flame chart says that slices are as wide as weights" {
	record 0 --slices 100ms -d 350ms -e latency:vfs_read -e func:vfs_read -o sliced.pb.gz
	says_width '--event latency:vfs_read' 'sum of latency:vfs_read'
	says_width '--event func:vfs_read' 'sum of func:vfs_read'
	says_width '--event latency:vfs_read --weight count' 'number of hits'
	says_width '--event on-cpu --comm cat' 'samples that are shown'
	# all samples of a slice are as many as it was long
	says_width '--event on-cpu' ''
	# there the widths are of functions
	says_width '--event latency:vfs_read --reverse' ''
	# those of other processes were filtered when they were taken
	record 0 --slices 100ms -d 350ms -p 1 -o sliced.pb.gz
	says_width '' 'samples that are shown'
}

@test "a flame chart shows slices in the order of time" {
	record 0 --slices 100ms -d 1050ms -o sliced.pb.gz
	for selection in '' '--comm cat' '--range 250ms,450ms' '--reverse --by none'; do
		echo "$selection"
		# shellcheck disable=SC2086 # an option and its value, or none
		"$flamectl" svg --flamechart --min-width 0 $selection sliced.pb.gz > chart.svg
		grep -qF '<title>Kernel flame chart on box' chart.svg
		python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' chart.svg
		times_of chart.svg > times
		[ -s times ]
		[ "$selection" = '--reverse --by none' ] && continue
		# each slice has the weight that it has alone
		while read -r begin weight; do
			from=$((10#${begin/./} + 1))
			# shellcheck disable=SC2086
			[ "$("$flamectl" dump -i sliced.pb.gz ${selection/--range*/} \
				--range "${from}ms,$((from + 1))ms" | sum)" -eq "$weight" ]
		done < times
		cut -d ' ' -f 1 times | sort -c -n
		case $selection in
		'--range'*) # a part of it, at its times
			[ "$(wc -l < times)" -lt "$(wc -l < all)" ]
			[ -z "$(comm -13 <(sort all) <(sort times))" ] ;;
		'') cp times all
			[ "$(wc -l < times)" -eq "$(nr_columns <("$flamectl" heat sliced.pb.gz))" ] ;;
		esac
	done
	refused "--flamechart works on folded text and on recordings with --slices; $saved is a saved profile without them, which does not keep the order of its stacks" \
		svg --flamechart "$saved"
}

@test "with an imported profile the message says that import keeps no times" {
	printf 'cat 10/20 [000] %d.5: 1000 cycles: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n' 1 2 > perf.txt
	"$flamectl" import -o perf.pb.gz perf.txt
	for file in perf.txt perf.pb.gz; do
		refused "--flamechart works on folded text and on recordings with --slices; $file is from another program, and import keeps no times: only flamectl record --slices does" \
			svg --flamechart $file
		run -1 --separate-stderr "$flamectl" heat $file
		[ "$stderr" = "flamectl: cannot draw $file: it has no slices of time: import keeps no times, only flamectl record --slices does" ]
		run -1 --separate-stderr "$flamectl" report --range 0,1 $file
		[ "$stderr" = "flamectl: cannot select from $file: it has no slices of time: import keeps no times, only flamectl record --slices does" ]
	done
}

@test "options that make no sense are refused" {
	refused '--slices 1ms: at least 10ms' record --slices 1ms
	refused '--slices x: a duration' record --slices x
	refused '--rows x: cpu, load, latency or comm' heat --rows x "$saved"
	refused '--width 1: a whole number from 320 to 100000' heat --width 1 "$saved"
	refused 'heat draws one file, and "b" is one too many' heat a b
	for command in svg report heat; do
		refused '--range 2,1: give two times since the start' $command --range 2,1 "$saved"
	done
	refused '--range 1: give two times since the start' dump --range 1 -i "$saved"
	refused '--range selects a part of a saved profile, but top shows the present: leave it out' top --range 0,1
	echo 'a;b 1' > folded
	refused '--range works on saved profiles; folded is folded text' svg --range 0,1 folded
}

@test "bad input is an error, and leaves the existing file" {
	echo old > out
	run -1 --separate-stderr "$flamectl" heat none -o out
	[ "$stderr" = 'flamectl: cannot read none: No such file or directory' ]
	run -1 --separate-stderr "$flamectl" heat "$saved" -o out
	[ "$stderr" = "flamectl: cannot draw $saved: it has no slices of time: record with --slices 1s" ]
	run -1 --separate-stderr "$flamectl" svg --range 0,1 "$saved" -o out
	[ "$stderr" = "flamectl: cannot select from $saved: it has no slices of time: record with --slices 1s" ]
	record 0 --slices 100ms -d 250ms -o sliced.pb.gz
	run -1 --separate-stderr "$flamectl" heat --range 1h,2h sliced.pb.gz -o out
	[[ $stderr = 'flamectl: cannot draw sliced.pb.gz: that range is empty: the profile ends at '* ]]
	head -c 200 sliced.pb.gz > cut.pb.gz
	run -1 --separate-stderr "$flamectl" heat cut.pb.gz -o out
	[[ $stderr = 'flamectl: cannot read cut.pb.gz: '* ]]
	[ "$(cat out)" = old ]
	run -1 --separate-stderr "$flamectl" heat sliced.pb.gz -o /dev/full
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	# another program's labels of that name are ignored
	python3 "$hostile_py" names | gzip > names.pb.gz
	run -1 --separate-stderr "$flamectl" heat names.pb.gz
	[[ $stderr = *'it has no slices of time'* ]]
}

# begins_of FILE: print the starts of its slices, in nanoseconds
begins_of() {
	"$flamectl" heat "$1" | sed -nE 's/^<g data-b="([0-9]+)".*/\1/p'
}

# each_slice FILE SELECTION...: print the folded text of each of its slices
each_slice() {
	local begin
	for begin in $(begins_of "$1"); do
		echo "at $begin"
		# from its first millisecond to its second
		"$flamectl" dump --by comm,tid,cpu -i "$1" \
			--range "$((begin / 1000000 + 1))ms,$((begin / 1000000 + 2))ms" "${@:2}"
	done
}

@test "a saved selection is still cut by time" {
	record 0 --slices 100ms -d 450ms -o sliced.pb.gz
	[ "$(begins_of sliced.pb.gz | wc -l)" -ge 2 ]
	while read -ra selection; do
		echo "${selection[*]}"
		each_slice sliced.pb.gz "${selection[@]}" > expected
		"$flamectl" export --to pprof -o selected.pb.gz "${selection[@]}" sliced.pb.gz
		each_slice selected.pb.gz | diff expected -
		"$flamectl" merge -o merged.pb.gz "${selection[@]}" sliced.pb.gz 2> err
		each_slice merged.pb.gz | diff expected -
		[ ! -s err ]
		# its books are those of a selection without slices
		"$flamectl" status -i selected.pb.gz | sed -n '/expected/,$p' > books
		"$flamectl" status -i merged.pb.gz | sed -n '/expected/,$p' | diff books -
		"$flamectl" report "${selection[@]}" sliced.pb.gz | sed -n 's/^# periods: //p' > expected
		"$flamectl" report selected.pb.gz | sed -n 's/^# periods: //p' | diff expected -
	done <<-'END'
		--no-idle
		--comm cat
		--cpu 0
		--exclude do_idle --exclude lost
		--focus do_syscall_64 --merge-threads
	END
	"$flamectl" merge --ns -o time.pb.gz sliced.pb.gz
	[ "$(begins_of time.pb.gz)" = "$(begins_of sliced.pb.gz)" ]
	"$flamectl" heat sliced.pb.gz | grep -q ' of 1,000 periods)'
	"$flamectl" heat time.pb.gz > heat.svg
	grep -q ' of 1.00 s)' heat.svg
	grep -q '>all of it, in nanoseconds: fires ' heat.svg
	"$flamectl" dump -i sliced.pb.gz --range 0,1ms | sed 's/$/000000/' > expected
	"$flamectl" dump -i time.pb.gz --range 0,1ms | diff expected -
}

@test "a saved range starts with its first slice" {
	record 0 --slices 100ms -d 450ms -o sliced.pb.gz
	second=$(begins_of sliced.pb.gz | sed -n 2p)
	"$flamectl" export --to pprof --range "$((second / 1000000 + 1))ms," -o late.pb.gz sliced.pb.gz
	begins_of sliced.pb.gz | awk -v first="$second" 'NR > 1 { print $1 - first }' > expected
	begins_of late.pb.gz | diff expected -
	each_slice sliced.pb.gz | awk '/^at / { n++ } n > 1 && !/^at /' > expected
	each_slice late.pb.gz | grep -v '^at ' | diff expected -
}

@test "a sum has no slices, and says so" {
	record 0 --slices 100ms -d 250ms -o sliced.pb.gz
	run -0 --separate-stderr "$flamectl" merge -o sum.pb.gz "$saved" sliced.pb.gz sliced.pb.gz
	[ "$stderr" = 'flamectl: warning: the sum has no slices of time, which sliced.pb.gz has: use heat and --range on single files' ]
	run -1 "$flamectl" heat sum.pb.gz
	[ "$output" = 'flamectl: cannot draw sum.pb.gz: it has no slices of time: record with --slices 1s' ]
	run -0 --separate-stderr "$flamectl" merge -o sum.pb.gz "$saved" "$saved"
	[ -z "$stderr" ]
}

@test "a range reports which slices it took" {
	record 0 --slices 100ms -d 450ms -o sliced.pb.gz
	"$flamectl" heat sliced.pb.gz | sed -nE 's/^<g data-b="([0-9]+)" data-e="([0-9]+)".*/\1 \2/p' > slices
	# from the middle of the second to that of the third
	read -r from to ask < <(awk 'NR == 2 { from = $1; ask = int(($1 + $2) / 2000000) "ms" }
		NR == 3 { print from, $2, ask "," int(($1 + $2) / 2000000) "ms" }' slices)
	range=$(awk -v from="$from" -v to="$to" 'BEGIN { printf "%.3f to %.3f s", from / 1e9, to / 1e9 }')
	"$flamectl" report --range "$ask" sliced.pb.gz | grep -qx "# from $range, in whole slices"
	"$flamectl" svg --range "$ask" --no-idle sliced.pb.gz | grep -q ">from $range, in whole slices</text>"
	"$flamectl" html --range "$ask" sliced.pb.gz | grep -q "\"session\":\[.*\"from $range, in whole slices\""
	"$flamectl" diff --range "$ask" sliced.pb.gz sliced.pb.gz | grep -q ">from $range, in whole slices</text>"
	for command in svg html report; do
		"$flamectl" $command sliced.pb.gz > all
		run ! grep -q 'whole slices' all
	done
	"$flamectl" svg --help | grep -q -- '--range .*kept whole$'
}
