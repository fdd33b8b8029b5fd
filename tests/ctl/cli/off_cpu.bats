#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Time off the CPU, and all time of tasks: what record asks of the module, what it saves,
# and that every view shows the event, its unit and its books. The module is made up
# (tests/ctl/top/fake.c). Debian packages: golang-go, jq.

bats_require_minimum_version 1.5.0

load fake.bash

setup() { fake_begin; }

# off|wall: make off.pb.gz or wall.pb.gz. One dump has 900.02 ms off the CPU, and exactly
# one second of all time.
off() { "$fake" 0 record --off-cpu -a -d 50ms -o off.pb.gz "$@" 2> said; }
wall() { "$fake" 0 record --wall -a -d 50ms -o wall.pb.gz 2> said; }

@test "record asks the module for what is said" {
	off -p 7,8 --min-block 15us
	grep -qx 'attach events 6 min-us 15 states 0 pids 2 followed 0' said
	off --state D,preempted
	grep -qx 'attach events 6 min-us 0 states 5 pids 0 followed 0' said
	# what waits may have slept before
	off --state D,waiting
	grep -qx 'attach events 6 min-us 0 states 0 pids 0 followed 0' said
	wall
	grep -qx 'attach events e min-us 0 states 0 pids 0 followed 0' said
	"$fake" 0 record --wall --only -o only.pb.gz -- true 2> said
	grep -qx 'attach events e min-us 0 states 0 pids 0 followed 1' said
	# without the event, waits are a part of the rest, and that is said
	"$fake" no-waiting record --off-cpu -a -d 50ms -v -o off.pb.gz 2> said
	grep -qx 'attach events 2 min-us 0 states 0 pids 0 followed 0' said
	grep -q 'waits for a CPU not told apart: this kernel has no CONFIG_SCHED_INFO$' said
	"$flamectl" report off.pb.gz 2>&1 | grep -q 'not told apart'
	run ! grep -q '\[waiting\]' <("$flamectl" dump off.pb.gz 2>&1)
}

@test "a title names the event, with a command and without" {
	wall
	"$flamectl" svg wall.pb.gz | grep -q '>wall flame graph'
	"$flamectl" svg --event off-cpu wall.pb.gz | grep -q '>off-cpu flame graph'
	"$flamectl" svg --event on-cpu wall.pb.gz | grep -q '>Kernel flame graph'
	"$fake" 0 record --off-cpu --only -o only.pb.gz -- true 2> said
	"$flamectl" svg only.pb.gz | grep -q '>off-cpu of true'
	"$flamectl" svg --event on-cpu only.pb.gz | grep -q '>true'
}

@test "what cannot be combined is refused in one line" {
	local want
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr timeout 20 "$fake" 0 record $options -o x.pb.gz
		[ "${stderr_lines[0]}" = "flamectl: $want" ]
		[ ! -e x.pb.gz ]
	done <<- 'END'
	--wall|--wall records the tasks of -p PID,..., of --only -- COMMAND, or of the whole system with -a, where most time is that of tasks with nothing to do: name one
	--off-cpu -d 1s|--off-cpu records the tasks of -p PID,..., of --only -- COMMAND, or of the whole system with -a, where most time is that of tasks with nothing to do: name one
	--off-cpu -- true|--off-cpu records the tasks of -p PID,..., of --only -- COMMAND, or of the whole system with -a, where most time is that of tasks with nothing to do: name one
	--off-cpu -a --state D,Q|--state Q: the states are preempted,S,D,T,t,P,I,other,waiting
	--off-cpu -a --min-block 1ns|--min-block 1ns: a time such as 10us, 1ms or 2s, from 1us to an hour (1h)
	--off-cpu -a --min-block 1|--min-block 1: a time such as 10us, 1ms or 2s, from 1us to an hour (1h)
	--off-cpu -a --min-block 61m|--min-block 61m: a time such as 10us, 1ms or 2s, from 1us to an hour (1h)
	--off-cpu -a --min-block 1.5us|--min-block 1500ns: with --off-cpu it is a number of whole microseconds: name 1us or 2us
	--off-cpu -a --wakers --min-block 3600001.999ms|--min-block 3600001.999ms: a time such as 10us, 1ms or 2s, from 1us to an hour (1h)
	--min-block 1ms|--min-block selects time off the CPU: add --off-cpu or --wakers
	--state D|--state selects time off the CPU: add --off-cpu or --wakers
	--wall -a --state D|--state and --wall cannot be combined: a graph of all time leaves nothing out; use --off-cpu without --wall
	--wall -a --min-block 1ms|--min-block and --wall cannot be combined: a graph of all time leaves nothing out; use --off-cpu without --wall
	--wall -a --slices 1s|--slices and --wall cannot be combined: all time of a task is spread over all its samples; use --off-cpu, which has slices
	--wakers -C 0|-C and -e wakers cannot be combined: the module counts it on all CPUs; select processes with -p, or the command with --only
	--wakers -e wakers|-e wakers: there is an event wakers already: add name=WORD to one of them
	--wall -p 1 -C 0|-C and --wall cannot be combined: a task's time is that on all CPUs
	END
}

@test "a module that cannot is told apart from one that may not now" {
	run -1 --separate-stderr "$fake" old record --off-cpu -a -d 50ms -o x.pb.gz
	[ "$stderr" = 'flamectl: cannot record: the loaded module is older than this flamectl and has no events' ]
	run -1 --separate-stderr "$fake" attached record --off-cpu -a -d 50ms -o x.pb.gz
	[ "$stderr" = 'flamectl: cannot record: events: another socket has some attached' ]
	[ ! -e x.pb.gz ]
	"$fake" no-waiting events 2> said > list
	grep -qx 'waiting      nanoseconds          not here: waiting: this kernel has no CONFIG_SCHED_INFO' list
	[ "$(grep -c '^\(on-cpu\|off-cpu\|waiting\|wall\) .*not here' list)" -eq 1 ]
	"$fake" attached events > list
	grep -q '^off-cpu .*(another program uses it now)$' list
	grep -q '^wall .*not now: events: another socket' list
	"$fake" 0 events --json 2> said | jq -e '.[:4] | map(.event) == ["on-cpu", "off-cpu", "waiting", "wall"] and all(.offered)'
	"$fake" old events --json | jq -e '.[:4] | map(.offered) == [true, false, false, false]'
}

@test "a file has a sample type for each event" {
	off
	go tool pprof -raw off.pb.gz 2> said | grep -q 'off-cpu-samples/count off-cpu/nanoseconds\[dflt\] on-cpu-samples/count on-cpu/nanoseconds'
	[ "$(go tool pprof -top -sample_index=off-cpu off.pb.gz 2> said | sed -n 's/^Showing.*of \(.*\) total$/\1/p')" = 900.02ms ] ||
		go tool pprof -top -sample_index=off-cpu off.pb.gz 2>&1 | grep -q 900.02ms
	wall
	go tool pprof -raw wall.pb.gz 2> said | grep -q 'wall-samples/count wall/nanoseconds\[dflt\] off-cpu-samples/count off-cpu/nanoseconds on-cpu'
	for event in wall off-cpu on-cpu; do
		"$flamectl" export --to pprof --event $event -o one.pb.gz wall.pb.gz
		for view in "dump" "report" "report --flat" "svg --title x --notes y" "export --to folded"; do
			# shellcheck disable=SC2086 # words
			"$flamectl" $view --event $event wall.pb.gz > expected
			# shellcheck disable=SC2086 # words
			"$flamectl" $view one.pb.gz | diff expected -
		done
		"$flamectl" status --event $event wall.pb.gz > expected
		"$flamectl" status one.pb.gz | diff expected -
	done
	# such files are summed, and their books too
	"$flamectl" merge -o two.pb.gz wall.pb.gz wall.pb.gz 2> said
	"$flamectl" report two.pb.gz 2> said | grep -qx '# wall: seen 2.00 s = stored 2.00 s + filtered 0 ns + lost 0 ns'
	"$flamectl" report --event off-cpu two.pb.gz | grep -qx '# 20 intervals'
	run -1 --separate-stderr "$flamectl" merge -o x.pb.gz wall.pb.gz off.pb.gz
	[[ $stderr = *'they cannot be summed'* ]]
}

@test "every view has the event, its unit and its books" {
	local books='seen 900.02 ms = stored 900.02 ms + filtered 0 ns + lost 0 ns'
	off
	run -0 --separate-stderr "$flamectl" report off.pb.gz
	[ "$stderr" = 'flamectl: off.pb.gz: this shows the event off-cpu, not on-cpu: choose one with --event NAME' ]
	[ "${lines[1]}" != "${lines[2]}" ]
	grep -qx "# off-cpu: $books" <<< "$output"
	grep -qx '# 10 intervals' <<< "$output"
	grep -qx '# 100 % is 900.02 ms' <<< "$output"
	grep -q '^   66.67    66.67  600.00 ms  600.00 ms .*\[sleeping\]$' <<< "$output"
	"$flamectl" svg off.pb.gz 2> said > off.svg
	grep -q ">off-cpu: $books<" off.svg
	grep -q '>10 intervals<' off.svg
	grep -q '<title>off-cpu flame graph\|>off-cpu flame graph' off.svg
	grep -q 'class="o[0-7]"' off.svg
	"$flamectl" html off.pb.gz 2> said > off.html
	grep -q "off-cpu: $books" off.html
	"$flamectl" status off.pb.gz > status
	grep -qx "off-cpu: $books" status
	grep -qx '           on-cpu: 4,000 periods' status || grep -q 'on-cpu: 3,995 periods' status
	"$flamectl" status --json off.pb.gz | jq -e '.intervals.seen == 10 and .intervals.tells_waiting and .event == "off-cpu" and .unit == "nanoseconds"'
	"$flamectl" dump off.pb.gz 2> said | awk '{ sum += $NF } END { exit sum != 900020000 }'
	"$flamectl" dump --event on-cpu off.pb.gz | awk '{ sum += $NF } END { exit sum != 4000 }'
	"$flamectl" export --to speedscope off.pb.gz 2> said | jq -e '.profiles[0].unit == "nanoseconds"'
	"$flamectl" diff -o diff.svg --event off-cpu off.pb.gz off.pb.gz
	grep -q 'A has 900.02 ms, B 900.02 ms' diff.svg
	run -1 --separate-stderr "$flamectl" report --event cycles off.pb.gz
	[ "$stderr" = 'flamectl: cannot read off.pb.gz: it has no event cycles: there are off-cpu, on-cpu' ]
	# folded text keeps the marks, so that it looks the same
	"$flamectl" dump off.pb.gz 2> said > off.folded
	"$flamectl" svg off.folded | grep -q 'class="o[0-7]"'
	# states are selected as frames are
	"$flamectl" report --include '^\[waiting\]$' off.pb.gz 2> said | grep -qx '# 100 % is 50.00 ms'
	off --state waiting,preempted
	"$flamectl" report off.pb.gz 2> said > report
	grep -qx '# off-cpu: seen 900.02 ms = stored 50.02 ms + filtered 850.00 ms + lost 0 ns' report
}

@test "CPUs are told apart in the samples alone" {
	local together='works on the samples of the timer, and the event off-cpu is counted on all CPUs together: choose the samples with --event on-cpu'
	local options want
	off
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr "$flamectl" $options off.pb.gz
		[ "${stderr_lines[-1]}" = "flamectl: $want" ]
		[ ! -e none ]
	done <<- END
	report --event off-cpu --cpu 0|cannot select from off.pb.gz: --cpu $together
	dump --event off-cpu --cpu 1|cannot dump: --cpu $together
	merge --cpu 1 -o none|cannot merge: off.pb.gz: --cpu $together
	report --event off-cpu --by comm,cpu|cannot fold off.pb.gz: --by cpu $together
	dump --event off-cpu --by cpu|cannot dump: --by cpu $together
	html --event off-cpu --by cpu|cannot fold off.pb.gz: --by cpu $together
	export --event off-cpu --to firefox --by cpu|cannot export: --by cpu $together
	END
	"$flamectl" dump --event on-cpu --cpu 0 --by cpu off.pb.gz | run ! grep -v '^cpu 0;'
	# exports have no groups then, but have those of CPUs where they are known
	"$flamectl" export --event off-cpu --to speedscope off.pb.gz | jq -e '[.profiles[].name] == ["all"]'
	"$flamectl" export --event on-cpu --to speedscope off.pb.gz | jq -e '[.profiles[].name] == ["cpu 0", "cpu 1", "cpu 2", "cpu 3"]'
	run -2 --separate-stderr "$fake" 0 top --event off-cpu --cpu 1
	[ "${stderr_lines[0]}" = 'flamectl: --cpu and --event off-cpu cannot be combined: the module counts it on all CPUs together; leave out one of them' ]
	run -2 --separate-stderr "$fake" 0 top --by cpu,comm --event off-cpu
	[ "${stderr_lines[0]}" = 'flamectl: --by cpu and --event off-cpu cannot be combined: the module counts it on all CPUs together; leave out one of them' ]
}

@test "advice about what was lost fits the view" {
	local common='load with a larger events_kb, or record fewer processes with -p or --only'
	local event view less want
	"$fake" losing record --wall --wakers -e page-faults -a -d 50ms -v -o lost.pb.gz 2> recorded
	while IFS='|' read -r event less; do
		want="table-full: load with cpu_kb=4096; aggregate-full: $common; overload: $less; no-slot: load with a larger events_kb"
		grep -qx "$event: $want" recorded
		for view in report svg html status; do
			"$flamectl" $view --event "$event" lost.pb.gz 2> said > seen
			grep -qF "$want" seen
			run ! grep -q 'lower the rate' seen
		done
	done <<- 'END'
	wall|record fewer processes with -p or --only
	off-cpu|leave out short intervals with --min-block
	wakers|leave out short intervals with --min-block
	page-faults|record fewer processes with -p or --only
	END
}

@test "counts are of intervals or hits, lost ones too" {
	local event what
	"$fake" losing record --wall --wakers -e page-faults -a -d 50ms -o lost.pb.gz 2> said
	while IFS='|' read -r event what; do
		"$flamectl" report --no-pager --weight count --event "$event" lost.pb.gz > report
		grep -qx "# 100 % is 13 $what" report
		run ! grep -q 'by periods' report
		"$flamectl" svg --weight count --event "$event" lost.pb.gz | grep -q ">drawn by $what<"
		# what a selection leaves out has no width
		"$flamectl" report --no-pager --weight count --comm cat --event "$event" lost.pb.gz |
			grep -qx "# 100 % is 10 $what"
	done <<- 'END'
	wall|intervals
	off-cpu|intervals
	page-faults|hits
	END
	# it is not known how many samples would have been taken in lost periods
	"$flamectl" report --no-pager --weight count --event on-cpu lost.pb.gz > report
	grep -qx '# 100 % is 4000 samples' report
	grep -qx '# counted by samples, lost ones by periods' report
	"$flamectl" svg --weight count --event on-cpu lost.pb.gz |
		grep -q '>drawn by samples, lost ones by periods<'
}

@test "numbers of intervals are compared with those of the same event" {
	off
	"$flamectl" merge --event off-cpu -o intervals.pb.gz off.pb.gz
	"$flamectl" merge --event on-cpu -o samples.pb.gz off.pb.gz
	run -1 --separate-stderr "$flamectl" diff --text --weight count intervals.pb.gz samples.pb.gz
	[ "$stderr" = 'flamectl: cannot compare A, intervals.pb.gz, with B, samples.pb.gz: weights of A are off-cpu in intervals, those of B are samples; different events or units cannot be compared' ]
	run -1 "$flamectl" diff --text --weight count samples.pb.gz intervals.pb.gz
	"$flamectl" diff --text --no-normalize --weight count intervals.pb.gz intervals.pb.gz
	"$flamectl" diff --text --no-normalize --weight count samples.pb.gz samples.pb.gz
}

@test "all time is threads times time" {
	wall
	"$flamectl" dump wall.pb.gz 2> said | awk '{ sum += $NF } END { exit sum != 1000000000 }'
	# 99.98 ms on a CPU, over the stacks that were sampled
	"$flamectl" dump wall.pb.gz 2> said | grep -v '\[sleeping\]\|\[waiting\]\|\[uninterruptible\]\|\[preempted\]' |
		awk '{ sum += $NF } END { exit sum != 99980000 }'
	"$flamectl" report wall.pb.gz 2> said | grep -qx '# wall: seen 1.00 s = stored 1.00 s + filtered 0 ns + lost 0 ns'
	"$flamectl" svg wall.pb.gz 2> said > wall.svg
	grep -q 'class="o[0-7]"' wall.svg
	grep -q 'class="k[0-9]' wall.svg
}

@test "live views show what somebody has attached" {
	"$fake" attached report --event off-cpu live | grep -q '^# off-cpu: seen 900.02 ms'
	"$fake" attached dump --event off-cpu | awk '{ sum += $NF } END { exit sum != 900020000 }'
	"$fake" attached svg --event off-cpu live | grep -q '>off-cpu: seen 900.02 ms'
	# and nobody else's view has it
	"$fake" attached report live | grep -qx '# 100 % is 8000 periods'
	"$fake" attached report --event on-cpu live | grep -qx '# 100 % is 8000 periods'
	run -1 --separate-stderr "$fake" attached report --event ran live
	[ "$stderr" = 'flamectl: cannot read the module'"'"'s profile: the module: it has no event ran: there are off-cpu, on-cpu' ]
	run -1 --separate-stderr "$fake" 0 report --event off-cpu live
	[[ $stderr = *'no event off-cpu is attached to the module: flamectl record --off-cpu, or -e EVENT, attaches some while it runs;'* ]]
	run -2 --separate-stderr "$flamectl" dump --reset --event off-cpu
	[[ $stderr = *'--reset and --event cannot be combined'* ]]
}
