#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# What -e names besides samples: what record asks of the module, what it saves, and that
# every view, sum and difference has the event, its unit and its books. The module is made
# up (tests/ctl/top/fake.c), and so is tracefs. Debian packages: golang-go, jq.

bats_require_minimum_version 1.5.0

load fake.bash

setup() {
	fake_begin || return
	export FLAMECTL_ROOT=$BATS_TEST_TMPDIR/root
	describe kmem kmalloc 423 'unsigned long call_site' 8 8 0 'const void * ptr' 16 8 0 \
		'size_t bytes_alloc' 32 8 0 'int node' 44 4 1
	describe lock contention_begin 77 'void * lock_addr' 8 8 0 'unsigned int flags' 16 4 0
	describe sched sched_switch 316 'int prev_pid' 24 4 1
}

# describe SYSTEM NAME ID [DECLARATION OFFSET SIZE SIGNED]...: make a description of tracefs
describe() {
	local directory=$FLAMECTL_ROOT/sys/kernel/tracing/events/$1/$2 name=$2 id=$3
	shift 3
	mkdir -p "$directory"
	{
		printf 'name: %s\nID: %s\nformat:\n' "$name" "$id"
		while [ $# -gt 0 ]; do
			printf '\tfield:%s;\toffset:%s;\tsize:%s;\tsigned:%s;\n' "$1" "$2" "$3" "$4"
			shift 4
		done
		printf '\nprint fmt: "x"\n'
	} > "$directory/format"
}

# recorded OPTION...: make x.pb.gz of one dump, which has 10 hits of each event
recorded() { "$fake" 0 record -d 50ms -o x.pb.gz "$@" 2> said; }

@test "record asks the module for numbers" {
	recorded -e func:vfs_statx
	grep -qx 'probe func:vfs_statx kind 0 target vfs_statx config 0 unit count min 0' said
	recorded -e 'func:ext4:ext4_readdir,weight=arg3:s32,unit=bytes,name=dirs,if=arg2>4096,if=arg1&4'
	grep -qx 'probe dirs kind 0 target ext4:ext4_readdir config 0 unit bytes min 0 weight arg3@3+4s if arg2@2+8 4 4096 if arg1@1+8 6 4' said
	recorded -e latency:vfs_read,min=1ms
	grep -qx 'probe latency:vfs_read kind 1 target vfs_read config 0 unit nanoseconds min 1000000' said
	recorded -e 'tracepoint:kmem:kmalloc,weight=bytes_alloc,if=node>=-1'
	grep -qx 'probe tracepoint:kmem:kmalloc kind 2 target kmem:kmalloc config 423 unit bytes min 0 weight bytes_alloc@32+8 if node@44+4s 5 -1' said
	recorded -e page-faults -e contention,if=flags==1
	grep -qx 'probe page-faults kind 3 target  config 2 unit count min 0' said
	grep -qx 'probe contention kind 2 target lock:contention_begin config 77 unit count min 0 if flags@16+4 0 1' said
	recorded -e cycles:5000 -e cache-misses
	grep -qx 'probe cycles kind 5 target  config 0 unit cycles min 0' said
	grep -qx 'probe cache-misses kind 5 target  config 3 unit misses min 0' said
	recorded --wakers --min-block 10us --state D
	grep -qx 'attach events 0 min-us 10 states 4 pids 0 followed 0' said
	grep -qx 'probe wakers kind 4 target  config 0 unit nanoseconds min 10000' said
	recorded -e wakers,min=1ms --off-cpu -p 42
	grep -qx 'probe wakers kind 4 target  config 0 unit nanoseconds min 1000000' said
	# one request for all, and what the timer samples anyway is no event
	recorded -e cpu-clock -e on-cpu -e func:vfs_read -e off-cpu -a
	grep -qx 'attach events 6 min-us 0 states 0 pids 0 followed 0' said
	[ "$(grep -c ^probe said)" -eq 1 ]
	[ "$(grep -c . said)" -eq 2 ]
}

@test "what cannot be recorded is refused in one line" {
	local options want
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr timeout 20 "$fake" 0 record $options -o y.pb.gz
		[ "${stderr_lines[0]}" = "flamectl: $want" ]
		[ ! -e y.pb.gz ]
	done <<- 'END'
	-e kmem:kmalloc|-e kmem:kmalloc: there is no such event; a tracepoint is tracepoint:kmem:kmalloc
	-e func:f -e func:f|-e func:f: there is an event func:f already: add name=WORD to one of them
	-e func:f,if=arg2|-e if=arg2: no comparison, such as arg2>4096; operators are == != < <= > >= and & (any of these bits). Quote the word: shells take < > & for themselves
	-e func:f -C 0|-C and -e func:f cannot be combined: the module counts it on all CPUs; select processes with -p, or the command with --only
	-e wall -d 1s|--wall records the tasks of -p PID,..., of --only -- COMMAND, or of the whole system with -a, where most time is that of tasks with nothing to do: name one
	END
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr timeout 20 "$fake" 0 record $options -d 50ms -o y.pb.gz
		[ "$stderr" = "flamectl: cannot record: $want" ]
		[ ! -e y.pb.gz ]
	done <<- END
	-e tracepoint:kmem:kmalloc,weight=ptr|ptr of kmem:kmalloc is a pointer, and addresses of the kernel do not leave it: use one of call_site, bytes_alloc, node
	-e tracepoint:kmem:kmalloc,weight=bytes|kmem:kmalloc has no field bytes: those that are numbers are call_site, bytes_alloc, node
	-e tracepoint:kmem:kfree|tracepoint:kmem:kfree: this kernel has no tracepoint kmem:kfree: ls $FLAMECTL_ROOT/sys/kernel/tracing/events lists systems, and each directory there its tracepoints
	END
	rm -r "$FLAMECTL_ROOT"
	run -1 --separate-stderr "$fake" 0 record -e contention -d 50ms -o y.pb.gz
	[ "$stderr" = 'flamectl: cannot record: contention: the kernel'\''s tracepoints are listed in tracefs, which is not mounted on /sys/kernel/tracing: mount -t tracefs nodev /sys/kernel/tracing' ]
	run -1 --separate-stderr "$fake" attached record -e func:f -d 50ms -o y.pb.gz
	[ "$stderr" = 'flamectl: cannot record: events: another socket has some attached' ]
}

@test "a file has a sample type for each event" {
	recorded -e func:vfs_read -e tracepoint:kmem:kmalloc,weight=bytes_alloc -e latency:vfs_read
	go tool pprof -raw x.pb.gz 2> said |
		grep -qF 'func:vfs_read/count[dflt] tracepoint:kmem:kmalloc-samples/count tracepoint:kmem:kmalloc/bytes latency:vfs_read-samples/count latency:vfs_read/nanoseconds on-cpu'
	go tool pprof -top -sample_index=tracepoint:kmem:kmalloc x.pb.gz 2>&1 | grep -q '40kB.*100%'
	local event
	for event in func:vfs_read tracepoint:kmem:kmalloc latency:vfs_read on-cpu latency; do
		"$flamectl" export --to pprof --event $event -o one.pb.gz x.pb.gz
		for view in dump report "report --flat" "svg --title x --notes y" "export --to folded" \
			"export --to speedscope" status "status --json"; do
			# shellcheck disable=SC2086 # words
			"$flamectl" $view --event $event x.pb.gz > expected
			# shellcheck disable=SC2086 # words
			"$flamectl" $view one.pb.gz | diff expected -
		done
		"$flamectl" html --event $event -o x.html x.pb.gz
		"$flamectl" diff --text --event $event x.pb.gz x.pb.gz | grep -q . || [ $event != on-cpu ]
	done
}

@test "every view has the event, its unit and its books" {
	recorded -e func:vfs_read -e tracepoint:kmem:kmalloc,weight=bytes_alloc -e latency:vfs_read,min=1us
	run -0 --separate-stderr "$flamectl" report x.pb.gz
	[ "$stderr" = 'flamectl: x.pb.gz: this shows the event func:vfs_read, not tracepoint:kmem:kmalloc, latency:vfs_read, on-cpu: choose one with --event NAME' ]
	grep -qx '# func:vfs_read, hits: seen 10 = stored 10 + filtered 0 + lost 0' <<< "$output"
	grep -qx '# 10 hits' <<< "$output"
	grep -qx '# 100 % is 10 hits' <<< "$output"
	grep -q '90.00 .*ksys_read$' <<< "$output"
	"$flamectl" report --event tracepoint:kmem:kmalloc x.pb.gz > report
	grep -qx '# tracepoint:kmem:kmalloc, bytes: seen 40960 = stored 40960 + filtered 0 + lost 0' report
	grep -qx '# 100 % is 40960 bytes' report
	run ! grep -q 'time of a stored hit' report
	"$flamectl" report --event latency:vfs_read x.pb.gz > report
	grep -qx '# latency:vfs_read: seen 40.96 us = stored 40.96 us + filtered 0 ns + lost 0 ns' report
	grep -qx '# 10 hits, 0 below 1.00 us left out' report
	grep -qx '#    4.10 us -    8.19 us          10 ########################################' report
	# of a part, the number of hits is its own, and the histogram is not known
	"$flamectl" report --event latency:vfs_read --include ksys_pread64 x.pb.gz > report
	grep -qx '# latency:vfs_read: seen 40.96 us = stored 4.10 us + filtered 36.86 us + lost 0 ns' report
	grep -qx '# 1 hit, 0 below 1.00 us left out' report
	run ! grep -q 'time of a stored hit' report
	"$flamectl" svg --event func:vfs_read x.pb.gz | grep -q 'func:vfs_read'
	"$flamectl" status --json --event latency:vfs_read x.pb.gz |
		jq -e '.event == "latency:vfs_read" and .unit == "nanoseconds" and .intervals.of_hits and .intervals.powers == [{from: 4096, hits: 10}]'
	"$flamectl" status --json --event tracepoint:kmem:kmalloc x.pb.gz |
		jq -e '.unit == "bytes" and .intervals.powers == null'
}

@test "events of the same name are summed and compared, others are not" {
	recorded -e func:vfs_read -e latency:vfs_read
	"$flamectl" merge -o two.pb.gz x.pb.gz x.pb.gz 2> said
	"$flamectl" report two.pb.gz 2> said | grep -qx '# func:vfs_read, hits: seen 20 = stored 20 + filtered 0 + lost 0'
	"$flamectl" report --event latency:vfs_read two.pb.gz | grep -q '8.19 us          20 '
	"$flamectl" diff --text --event func:vfs_read x.pb.gz two.pb.gz > said
	cp x.pb.gz read.pb.gz
	recorded -e func:vfs_write -e latency:vfs_read
	run -1 --separate-stderr "$flamectl" merge -o y.pb.gz read.pb.gz x.pb.gz
	[[ $stderr = *'its events are func:vfs_write, latency:vfs_read, on-cpu, those of read.pb.gz are func:vfs_read, latency:vfs_read, on-cpu: they cannot be summed; --event NAME sums one that all have' ]]
	"$flamectl" merge --event latency:vfs_read -o y.pb.gz read.pb.gz x.pb.gz
	"$flamectl" report y.pb.gz 2> said | grep -qx '# 20 hits'
	# one event each, of different functions
	"$flamectl" export --to pprof --event func:vfs_read -o a.pb.gz read.pb.gz
	"$flamectl" export --to pprof --event func:vfs_write -o b.pb.gz x.pb.gz
	run -1 --separate-stderr "$flamectl" merge -o z.pb.gz a.pb.gz b.pb.gz
	[[ $stderr = *func:vfs_write*func:vfs_read* ]]
	[ ! -e z.pb.gz ]
}

@test "slices of events sum to the recording" {
	local event nr parts total begin
	"$fake" 0 record -d 1050ms --slices 100ms -e func:vfs_read -e latency:vfs_read \
		-e tracepoint:kmem:kmalloc,weight=bytes_alloc -e off-cpu -a -o x.pb.gz 2> said
	[ "$(grep -vc '^probe\|^attach' said)" -eq 0 ]
	"$flamectl" heat --event on-cpu x.pb.gz |
		sed -nE 's/^<g data-b="([0-9]+)".*/\1/p' > begins
	nr=$(wc -l < begins)
	[ "$nr" -ge 2 ]
	for event in func:vfs_read latency:vfs_read tracepoint:kmem:kmalloc off-cpu on-cpu; do
		# slices are the same of all events
		"$flamectl" heat --event $event x.pb.gz |
			sed -nE 's/^<g data-b="([0-9]+)".*/\1/p' | diff begins -
		total=$("$flamectl" dump --event $event -i x.pb.gz | awk '{ sum += $NF } END { printf "%.0f", sum }')
		[ "$total" -gt 0 ]
		parts=0
		while read -r begin; do
			begin=$(((begin + 999999) / 1000000))
			parts=$((parts + $("$flamectl" dump --event $event -i x.pb.gz \
				--range "${begin}ms,$((begin + 1))ms" | awk '{ sum += $NF } END { printf "%.0f", sum }')))
		done < begins
		[ "$parts" -eq "$total" ]
	done
	# each dump brings 10 hits, and one or more are in a slice; of latency the histogram is, too
	total=$("$flamectl" report --event func:vfs_read x.pb.gz | sed -n 's/^# \([0-9]*\) hits$/\1/p')
	[ "$total" -ge $((10 * nr)) ]
	"$flamectl" report --event latency:vfs_read --range 0,1ms x.pb.gz > report
	parts=$(sed -n 's/^# \([0-9]*\) hits$/\1/p' report)
	[ "$parts" -lt "$total" ]
	grep -qE "^#    4.10 us -    8.19 us +$parts #{40}$" report
	# other programs see the whole, and select by time
	go tool pprof -top -sample_index=func:vfs_read x.pb.gz 2> said > top
	grep -qE " of $total total" top
	go tool pprof -top -sample_index=func:vfs_read -tagfocus=slice=:1ms x.pb.gz 2> said > top
	grep -qE "Showing nodes accounting for $parts, .* of $total total" top
	# what is saved again still has them
	"$flamectl" merge -o merged.pb.gz x.pb.gz
	"$flamectl" import -o imported.pb.gz x.pb.gz 2> said
	"$flamectl" symbolize -o named.pb.gz x.pb.gz 2> said
	"$flamectl" export --to pprof --event latency:vfs_read -o alone.pb.gz x.pb.gz
	"$flamectl" heat --event latency:vfs_read --title x x.pb.gz | sed '/^<svg /d' > expected
	for event in merged imported named alone; do
		"$flamectl" heat --title x --event latency:vfs_read $event.pb.gz | sed '/^<svg /d' | diff expected -
	done
	"$flamectl" svg --flamechart --event func:vfs_read x.pb.gz > chart.svg
	[ "$(grep -cE '<title>[0-9.]+ to [0-9.]+ s$' chart.svg)" -eq "$nr" ]
}

@test "heat draws latencies, and other events by command" {
	"$fake" 0 record -d 350ms --slices 100ms -e func:vfs_read -e latency:vfs_read,min=1us -o x.pb.gz 2> said
	"$flamectl" heat --event latency:vfs_read x.pb.gz > heat.svg
	grep -qE '^<title>Latency of vfs_read over time on ' heat.svg
	grep -q '>4 us</text>' heat.svg
	grep -qE '<title>4.10 us to 8.19 us, 0 s to [0-9.]+ s$' heat.svg
	grep -qE '^[1-9]0 calls \(100.00 % of [1-9]0\)' heat.svg
	grep -qE '>latency:vfs_read, in powers of two of nanoseconds: [0-9]+ calls drawn of [0-9]+ seen</text>' heat.svg
	grep -qE ' data-rest=" --event latency:vfs_read x.pb.gz"' heat.svg
	# the first event is func:vfs_read
	"$flamectl" heat x.pb.gz > heat.svg 2> said
	grep -q 'this shows the event func:vfs_read, not latency:vfs_read, on-cpu' said
	grep -qE '^<title>func:vfs_read by command over time on ' heat.svg
	grep -qE '^[1-9]0 hits \(100.00 % of [1-9]0\)' heat.svg
	"$flamectl" heat --event latency --rows comm --comm cat x.pb.gz | grep -qE '^[0-9.]+ us \(100.00 % of [0-9.]+ us\)'
	"$flamectl" heat --event on-cpu --rows comm x.pb.gz | grep -q '>swapper</text>'
	local options want
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr "$flamectl" heat $options x.pb.gz
		[ "$stderr" = "flamectl: cannot draw x.pb.gz: $want" ]
	done <<- 'END'
	--event on-cpu --rows latency|on-cpu has no histogram of durations, which flamectl record -e latency:FUNCTION has; --rows comm draws which commands it is of
	--event func:vfs_read --rows latency|func:vfs_read has no histogram of durations, which flamectl record -e latency:FUNCTION has; --rows comm draws which commands it is of
	--event func:vfs_read --rows load|func:vfs_read is counted on all CPUs together, so there is no load of CPUs: draw it with --rows comm, or the samples with --event on-cpu
	--event latency --comm cat|the histogram is of all calls, whoever made them, and no part can be selected from it but a range of time; --rows comm draws which commands it is of
	END
}

@test "a source that was suspended is warned of" {
	"$fake" suspended record -e func:vfs_read -d 50ms -o x.pb.gz 2> said
	grep -qx 'flamectl: warning: func:vfs_read took more than a quarter of a CPU, so the module stopped counting it after 250 ms: the rest is missing; count fewer hits, by if= in -e, or with -p or --only' said
}

@test "events lists what can be recorded, and why not the rest" {
	"$fake" 0 events 2> said > list
	grep -q '^func  .*who calls a function.*: flamectl record -e func:vfs_read' list
	grep -q '^cycles .*where cycles of the processor pass.*: flamectl record -e cycles' list
	[ "$(grep -c 'not here' list)" -eq 0 ]
	rm -r "$FLAMECTL_ROOT/sys/kernel/tracing/events/lock"
	"$fake" 0 events 2> said > list
	grep -q '^contention .*not here: contention: this kernel has no tracepoint lock:contention_begin' list
	rm -r "$FLAMECTL_ROOT"
	"$fake" 0 events --json 2> said | jq -e '[.[] | select(.offered | not) | .event] == ["tracepoint", "contention"]'
	"$fake" old events --json | jq -e '[.[] | select(.offered) | .event] == ["on-cpu"]'
}
