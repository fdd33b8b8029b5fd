#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl without a loaded module: usage errors, help and exit codes. A failed command
# leaves nothing behind.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath "$BATS_TEST_DIRNAME/saved.pb.gz")
	commands=(
		record dump svg html heat report browse top diff export import merge symbolize push
		query fleet status metrics start stop reset set agent events doctor
	)
	# a machine without an installed module, whatever this one has
	export FLAMECTL_ROOT=/nonexistent
	# a directory below, because bats leaves files in this one
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
}

# refused: check for exit code 2, one clear line, then a hint
refused() { # MESSAGE ARGUMENT...
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "flamectl: $message" ]
	[[ ${stderr_lines[1]} = 'usage: flamectl '* ]]
}

needs_no_module() {
	[ ! -e /sys/module/flamemod ] || skip "the module is loaded here"
}

@test "help lists every command, and each command helps" {
	run -0 --separate-stderr "$flamectl" help
	[ -z "$stderr" ]
	local all=$output command
	for command in "${commands[@]}"; do
		grep -qE "^  $command +[a-z]" <<< "$all"
		run -0 --separate-stderr "$flamectl" "$command" --help
		[ -z "$stderr" ]
		[[ ${lines[0]} = "usage: flamectl $command"* ]]
		local text=$output
		run -0 "$flamectl" help "$command"
		[ "$output" = "$text" ]
		run -0 "$flamectl" "$command" -h
		[ "$output" = "$text" ]
	done
	# and no other command
	[ "$(grep -cE '^  [a-z]+ +' <<< "$all")" -eq "${#commands[@]}" ]
	run -0 "$flamectl" --help
	[ "$output" = "$all" ]
}

@test "no command is a usage error, with help on stderr" {
	run -2 --separate-stderr "$flamectl"
	[ -z "$output" ]
	[[ ${stderr_lines[0]} = 'usage: flamectl COMMAND'* ]]
}

@test "--version names the version" {
	run -0 "$flamectl" --version
	[[ $output =~ ^flamectl\ [0-9]+\.[0-9]+ ]]
}

@test "unknown commands and options are refused" {
	refused 'there is no command nonsense' nonsense
	refused 'there is no command nonsense' help nonsense
	refused 'help takes one command, and "foo" is one too many' help report foo
	refused 'help takes one command, and "foo" is one too many' --help report foo
	refused 'there is no command rec: did you mean record?' rec
	refused 'there is no command svgg: did you mean svg?' svgg
	refused 'there is no command svgg: did you mean svg?' help svgg
	# a word that is near both start and status
	refused 'there is no command sta' sta
	refused 'unknown option --foo' report --foo
	refused 'unknown option --inclued: did you mean --include?' report --inclued x
	refused 'ambiguous option --no-i: it may be --no-irqs-off or --no-idle' report --no-i
	refused 'there is no option -F before the command: options follow the command, as in flamectl record -F 997' -F abc
	refused 'unknown option -x' dump -x
	refused 'stop takes no operand now' stop now
	refused 'unknown option -F' doctor -F
	refused '-i x is the same as an operand, and there is y: name all files as operands' dump -i x y
	refused '-i x is the same as an operand, and there is y: name all files as operands' status -i x y
}

@test "bad values are refused with their limits" {
	refused '-F abc: a whole number from 1 to 20000' record -F abc
	refused '-F 0: a whole number from 1 to 20000' record -F 0
	refused '-F 1000000: at most 20000: a period is then 50 us, of which a sample with a deep stack can take a quarter' record -F 1000000
	refused '-F 997x: a whole number from 1 to 20000' start -F 997x
	refused '-d x: a duration such as 10, 10s, 500ms or 2m, from 1ms to a year (8760h)' record -d x
	refused '-p 0: a whole number from 1 to 4194304' record -p 0
	refused '-p names no process or thread' record -p ''
	refused 'hz=0: a whole number from 1 to 20000' set hz=0
	refused 'cpus=99999: there is no CPU 99999: the highest number is 65535, or all, or nothing for all that are not isolated' set cpus=99999
	refused 'cpus=x: a list such as 0-3,8 of CPUs from 0 to 65535, or all, or nothing for all that are not isolated' start cpus=x
	refused '-C 3-1: the larger number of a range comes last: 1-3, or all' start -C 3-1
	refused '-C al: a list such as 0-3,8 of CPUs from 0 to 65535, or all' record -C al
	refused '-C names no CPU' record -C ''
	refused 'no setting hertz: there are hz, max-depth, exclude-idle, kernel-only, user-stacks, user-places, pids and cpus' set hertz=1
	refused 'hz: not of the form name=value' start hz
	refused 'no setting is given: name one or more, such as hz=997' set
	refused 'metrics are of one profile, and b is one too many: flamectl merge sums files' metrics a b
	refused '--window 10ms: from 1s to 1h' agent --window 10ms
	refused '--max-size 0: a whole number from 1 to 1048576' agent --max-size 0
	refused '--state-directory names no directory' agent --state-directory ''
	refused '-F 0: a whole number from 1 to 20000' agent -F 0
	refused 'stats: it is neither status, metrics, pause or resume nor the URL of a server, such as clickhouse://HOST/DATABASE' agent stats
	refused '--check needs the URL of a server' agent --check
	refused 'pause needs for how long, such as 10m: from 1s to 24h' agent pause
	refused '-o is for flamectl agent metrics' agent -o x.prom status
	refused 'pause 25h: from 1s to 24h' agent pause 25h
	refused 'pause 500ms: from 1s to 24h' agent pause 500ms
	refused 'pause soon: a duration such as 10, 10s, 500ms or 2m, from 1ms to a year (8760h)' agent pause soon
	refused '--in-doubt x: must be resend or drop' agent --in-doubt x
	refused '--weight bytes: there are periods and count' dump --weight bytes
	refused "--reset works only on the module's samples, not on a saved profile: leave it out" dump --reset -i x
	refused "--reset works only on the module's samples, not on a saved profile: leave it out" dump --reset live x
	refused '--reset and --comm cannot be combined: all samples are deleted, also those that are not selected; dump all to a file, and select from that' dump --reset --comm nginx
	refused '--reset and --range cannot be combined: all samples are deleted, also those that are not selected; dump all to a file, and select from that' dump --reset --range 1s,2s live
	refused '--state waiting and --wakers cannot be combined: a task that waits for a CPU was woken before; leave waiting out, or record --off-cpu without --wakers' record --off-cpu --wakers -p 1 --state D,waiting
}

@test "without the module, commands exit 3 and say what to do" {
	needs_no_module
	local command
	for command in dump 'report live' 'diff live live' status metrics 'start --no-load' stop reset 'set hz=99' 'record --no-load -d 1'; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr "$flamectl" $command
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr = *': module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod)' ]]
	done
	[ -z "$(ls -A)" ]
}

@test "record without the module replaces no file and runs no command" {
	needs_no_module
	echo before > old
	run -3 "$flamectl" record -o old -- touch ran
	[ "$(cat old)" = before ]
	[ "$(ls -A)" = old ]
}

@test "record detects at its start that it cannot write" {
	run -1 --separate-stderr "$flamectl" record -o none/file
	[ "$stderr" = 'flamectl: cannot record: none/file: cannot create a file in its directory: No such file or directory' ]
	run -1 --separate-stderr "$flamectl" record -o .
	[ "$stderr" = 'flamectl: cannot record: .: a directory' ]
}

answered() { # MESSAGE ARGUMENT...: check for exactly this line
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[ "$stderr" = "flamectl: $message" ]
}

# tests/ctl/unit/test_command.c tries each row of the table
@test "options and commands of other tools are answered with ours" {
	answered "-e cycles: samples are taken by a timer, like those of perf's cpu-clock: leave it out" start -e cycles
	answered "--call-graph dwarf: the kernel's own unwinder takes kernel stacks, and unwind tables those of programs: leave it out" top --call-graph dwarf
	answered "--hz 99: settings are operands: flamectl set hz=HZ" set --hz 99
	answered "-F 99: the rate is set when recording: flamectl record -F HZ" report -F 99 x
	answered "-d fK: -d is the duration; bcc's profile -dfK 10 is flamectl record -d 10s -o x.pb.gz, then flamectl report -g folded x.pb.gz" record -dfK 10
	answered "there is no command profile: bcc's profile -dfK 10 is flamectl record -d 10s -o x.pb.gz, then flamectl report -g folded x.pb.gz" profile -dfK 10
	answered "there is no command annotate: functions are sampled, not instructions: flamectl report --flat FILE lists them" annotate
	local command
	for command in collapse stackcollapse stackcollapse.pl trace script stat list sched timechart evlist flamegraph.pl stackcollapse-perf.pl difffolded.pl flame_grapher.sh; do
		run -2 --separate-stderr "$flamectl" "$command" --some option
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr = "flamectl: there is no command $command: "*flamectl\ * ]]
	done
}

@test "record accepts perf record's options, up to the missing module" {
	needs_no_module
	local words
	for words in '-a -g' '-ag' '-F max -a' '--freq 99 -g' '-F 99 -e cpu-clock' '-f 99' '-t 1' '-K'; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr "$flamectl" record $words -- touch ran
		[[ $stderr = *': module neither loaded nor installed for kernel '* ]]
	done
	[ -z "$(ls -A)" ]
}

@test "-F max is the highest rate wherever there is a rate" {
	needs_no_module
	local words
	for words in 'record -F max' 'start -F max' 'start hz=max' 'set hz=max'; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr "$flamectl" $words
	done
	# the next option is what is wrong
	run -2 --separate-stderr "$flamectl" agent -F max --max-size 0
	[ "${stderr_lines[0]}" = 'flamectl: --max-size 0: a whole number from 1 to 1048576' ]
}

# written_as KIND ENDING ARGUMENT...: the command writes KIND, so a file with this ending is
# refused in one line, before anything is read
written_as() {
	local kind=$1 file=x.$2
	shift 2
	run -2 --separate-stderr "$flamectl" "$@" -o "$file" nosuchfile
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr = "flamectl: -o $file: this command writes $kind, such as "*"; "* ]]
}

@test "an output name of another format is refused with the command that writes it" {
	local picture
	answered "-o perf.data: this command writes a profile, such as x.pb.gz; no command here writes perf.data, which is perf's own" record -o perf.data
	answered '-o x.svg: this command writes a profile, such as x.pb.gz; flamectl svg -o x.svg FILE draws a graph' record -o x.svg
	answered '-o dir.svg/X.SVG: this command writes a profile, such as x.pb.gz; flamectl svg -o dir.svg/X.SVG FILE draws a graph' import -o dir.svg/X.SVG x
	answered '-o x.html: this command writes an SVG file, such as x.svg; flamectl html -o x.html FILE makes a page' diff -o x.html a b
	answered '-o x.svg: this command writes text, such as x.txt; flamectl svg -o x.svg FILE draws a graph' diff --text -o x.svg a b
	answered '-o x.png: this command writes an HTML page, such as x.html; for a picture, flamectl svg -o x.svg FILE, then: rsvg-convert -o x.png x.svg (package librsvg2-bin)' html -o x.png x
	written_as 'an SVG file' pb.gz svg
	written_as 'an SVG file' htm heat
	written_as 'an SVG file' json svg
	written_as 'an HTML page' svg html
	written_as 'a profile' folded import
	written_as 'a profile' html merge
	written_as 'a profile' svg symbolize
	written_as 'folded text' svg dump
	written_as 'folded text' pprof report -g folded
	written_as 'text' html report
	written_as 'folded text' json export --to folded
	written_as 'a profile' json export --to pprof
	written_as 'JSON for speedscope' pb.gz export --to speedscope
	written_as 'JSON for Firefox' speedscope.json export --to firefox
	written_as "callgrind's text" svg export --to callgrind
	written_as 'a JSON object a line' svg export --to jsonl
	written_as 'an SVG file' data browse
	written_as 'metrics' txt.svg metrics
	written_as 'text' prom report
	answered '-o x.pb.gz: this command writes an SVG file, such as x.svg; flamectl import -o x.pb.gz FILE saves a profile' top -o x.pb.gz
	[ -z "$(ls -A)" ]
}

@test "an output name that fits, or has no known suffix, is accepted" {
	local name
	printf 'a;b 1\n' > text
	mkdir x.pb.gz
	for name in x.svg x.SVG x .svg.old x.pb.gz/y; do
		"$flamectl" svg -o "$name" text
		[ -s "$name" ]
	done
	"$flamectl" html -o x.htm text
	"$flamectl" import -o x.pprof text
	"$flamectl" dump -o x.folded text
	"$flamectl" report -o x.txt text
	"$flamectl" export --to speedscope -o x.speedscope.json text
	"$flamectl" export --to firefox -o x.json text
	"$flamectl" export --to jsonl -o y.json text
	"$flamectl" export --to callgrind -o callgrind.out.1 text
	"$flamectl" import -o - text > x.svg
	"$flamectl" metrics -o x.prom "$saved"
	"$flamectl" metrics -o y.txt "$saved"
}

@test "perf's words in reports are understood" {
	local words
	"$flamectl" report --by function "$saved" > expected
	for words in '--sort overhead,sym' '-s overhead,symbol' '-F overhead,sym' '--fields overhead,period,sym,sample'; do
		# shellcheck disable=SC2086 # words
		"$flamectl" report $words "$saved" > seen
		diff expected seen
	done
	"$flamectl" report "$saved" > expected
	for words in '--sort overhead' '-F overhead'; do
		# shellcheck disable=SC2086 # words
		"$flamectl" report $words "$saved" > seen
		diff expected seen
	done
	run -2 --separate-stderr "$flamectl" report --by overhead "$saved"
	[[ $stderr = 'flamectl: cannot group by "overhead": the levels are '* ]]
	for words in report 'svg -o x.svg' 'dump' 'export --to folded' status 'merge -o x.pb.gz'; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr "$flamectl" $words -e cycles "$saved"
		[[ $stderr = *'no event cycles'*'leave out --event' ]]
	done
}
