# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 60
# main path
#
# Tracepoints and page faults that perf reports are counted exactly: sums and conditions
# agree with the kernel's own histograms of the same hits, page faults with what the
# program caused, with CPUs that come and go, and an unload ends them. What is typed is
# what users type: flamectl record -e.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

tracing=/sys/kernel/tracing
grep -q " $tracing " /proc/mounts || mount -t tracefs nodev $tracing 2>/dev/null

# record NAME OPTION... -- COMMAND...: record into $OUT/NAME.pb.gz, without user stacks, which
# take time: on a slow host hits are lost for overload then; see 49
record() { record_into "$1" --no-user-stacks "${@:2}"; }

# weight NAME EVENT COMM: print the weight of a command's stacks
weight() { flamectl dump --event "$2" --comm "$3" "$OUT/$1.pb.gz" 2>/dev/null | folded_sum; }

# lost NAME EVENT: print the weight that was lost: a slow kernel that compares each stack
# with the unwinder's takes more than a quarter of a CPU for them, and says so
lost() { fact "$1" "$2" '[.books.lost[]] | add'; }

# holds_together NAME EVENT: stacks, and the marks of what was lost, sum to what was seen
holds_together() {
	is "$1: $2: nothing is lost but for overload" \
		"$(fact "$1" "$2" '.intervals.lost | del(.overload) | add')" 0
	is "$1: $2: stacks sum to what is stored and lost" \
		"$(flamectl dump --event "$2" "$OUT/$1.pb.gz" 2>/dev/null | folded_sum)" \
		"$(fact "$1" "$2" '.books | .stored + ([.lost[]] | add)')"
}

# agrees WHAT NAME EVENT NUMBER: a command's weight is what the kernel says, and if some of
# the event is lost, it lacks no more than that
agrees() {
	local own
	own=$(weight "$2" "$3" allocator)
	if [ "$(lost "$2" "$3")" -eq 0 ]; then
		is "$1" "$own" "$4"
	else
		diag "$3: $own of $4, $(lost "$2" "$3") of all lost for overload"
		holds "$1" "0 < $own && $own <= $4 && $4 <= $own + $(lost "$2" "$3")"
	fi
}

if [ ! -e $tracing/events/kmem/kmalloc/format ]; then
	load autostart=0 "${kernel_half[@]}"
	output=$(flamectl record -e tracepoint:kmem:kmalloc -d 100ms -o /tmp/x.pb.gz 2>&1)
	like 'a kernel without tracepoints says so' "$output" 'tracefs'
	unload
	finish
fi
# Where steps are learned, each stack is compared with the unwinder's.
ways=$(unwinders)
load verify=1 autostart=0 "${kernel_half[@]}"
flamectl events >"$OUT/events"
diag "$(cat "$OUT/events")"
is 'tracepoints and page faults are offered' "$(grep -E '^(tracepoint|page-faults) ' "$OUT/events" |
	grep -c 'flamectl record -e')" 2
cp /root/faults /tmp/allocator

# ---- sums and conditions, beside the kernel's histograms of the same hits ----

# The kernel's histogram counts the hits of the command by their size.
histogram='hist:keys=bytes_alloc if comm == "allocator"'
# totals MINIMUM: print its hits of at least so many bytes, and their sum
totals() {
	awk -v minimum="$1" '/bytes_alloc:/ && /hitcount:/ {
		gsub(/[{},]/, ""); size = hits = 0
		for (i = 1; i < NF; i++) {
			if ($i == "bytes_alloc:") size = $(i + 1)
			if ($i == "hitcount:") hits = $(i + 1)
		}
		if (size >= minimum) { n += hits; bytes += size * hits }
	} END { printf "%.0f %.0f\n", n, bytes }' $tracing/events/kmem/kmalloc/hist
}

pipes=500
[ -z "$main_path" ] || pipes=200
if echo "$histogram" 2>/dev/null >$tracing/events/kmem/kmalloc/trigger; then
	ok 'record sums a field of a tracepoint' record kmalloc \
		-e tracepoint:kmem:kmalloc,weight=bytes_alloc \
		-e 'tracepoint:kmem:kmalloc,weight=bytes_alloc,if=bytes_alloc>=512,name=large' \
		-e tracepoint:kmem:kmalloc,name=count -- /tmp/allocator 10 $pipes 1000
	cat "$OUT/kmalloc.err"
	read -r hits bytes < <(totals 0)
	read -r large_hits large_bytes < <(totals 512)
	cp $tracing/events/kmem/kmalloc/hist "$OUT/hist"
	diag "the kernel: $hits hits, $bytes bytes; $large_hits hits, $large_bytes bytes"
	holds 'the kernel saw them' "$hits > $pipes && $large_hits > 0 && $large_hits < $hits"
	for event in tracepoint:kmem:kmalloc large count; do
		holds_together kmalloc $event
	done
	agrees 'bytes are those of the kernel' kmalloc tracepoint:kmem:kmalloc "$bytes"
	agrees 'hits too' kmalloc count "$hits"
	agrees 'a condition keeps what the kernel keeps' kmalloc large "$large_bytes"
	is 'and leaves out the rest' "$(fact kmalloc large .books.fires)" \
		"$(fact kmalloc tracepoint:kmem:kmalloc .books.fires)"
	is 'the unit is bytes' "$(fact kmalloc large .unit)" bytes
	like 'stacks start at the function that allocates' \
		"$(flamectl dump --event count --comm allocator "$OUT/kmalloc.pb.gz" 2>/dev/null)" \
		'pipe.*;alloc_pipe_info;[^;]*(kmalloc|kcalloc|kzalloc)[^;]* [0-9]+'
	unlike 'and nothing of the tracer is on them' \
		"$(flamectl dump --event count "$OUT/kmalloc.pb.gz" 2>/dev/null)" \
		'(^|;)(__traceiter|perf_trace|do_perf_trace|perf_tp)_'
	echo "!$histogram" >$tracing/events/kmem/kmalloc/trigger
else
	skip 'sums of a field' 'this kernel has no histograms'
	ok 'record counts a tracepoint' record kmalloc \
		-e tracepoint:kmem:kmalloc,weight=bytes_alloc -- /tmp/allocator 10 $pipes 1000
	holds_together kmalloc tracepoint:kmem:kmalloc
fi
if [[ $ways == *learned* ]]; then
	flamectl status --json >"$OUT/stacks.json"
	is "stacks of tracepoints are the kernel's unwinder's" \
		"$(what '.stacks | .verified > 50, .differences' "$OUT/stacks.json" | paste -sd ' ')" "true 0"
fi
output=$(flamectl record -e tracepoint:kmem:kmalloc,weight=ptr -d 100ms -o /tmp/x.pb.gz 2>&1)
like 'a pointer is refused' "$output" 'ptr of kmem:kmalloc is a pointer'
if grep -q call_site $tracing/events/kmem/kmalloc/format; then
	record addresses -e tracepoint:kmem:kmalloc,weight=call_site,unit=sites -- /tmp/allocator 0 10
	is 'an address in a number is refused as a weight' \
		"$(fact addresses tracepoint:kmem:kmalloc '.books.stored, .intervals.lost["too-large"] > 10' | paste -sd ' ')" \
		'0 true'
fi

# ---- a tracepoint that gives perf a number of its own ----

# The nanoseconds that a task ran since the last time. Who stops while nobody looks, and at
# the end, has all of its hits between.
runtime=$tracing/events/sched/sched_stat_runtime
cat >/tmp/spinner <<-END
	kill -STOP \$\$
	for ((end = SECONDS + 2; SECONDS < end;)); do :; done
	kill -STOP \$\$
	exit
END
cat >/tmp/resume <<-END
	kill -CONT \$1
	for ((i = 0; i < 600; i++)); do
		! grep -q '^State:.T' /proc/\$1/status || break
		sleep 0.1
	done
	sleep 0.2
END
bash /tmp/spinner & spinner=$!
# shellcheck disable=SC2317 # wait_for calls it
is_stopped() { grep -q '^State:.T' "/proc/$spinner/status"; }
ok 'a task waits to be resumed' wait_for 20 is_stopped
histogram="hist:keys=pid:vals=runtime if pid == $spinner"
if echo "$histogram" 2>/dev/null >$runtime/trigger; then
	ok 'record sums the time that it runs' record runtime -e \
		"tracepoint:sched:sched_stat_runtime,weight=runtime,if=pid==$spinner,name=runtime" \
		-e "tracepoint:sched:sched_stat_runtime,if=pid==$spinner,name=count" -- bash /tmp/resume $spinner
	read -r hits ns < <(awk '/hitcount:/ {
		gsub(/[{},]/, "")
		for (i = 1; i < NF; i++) {
			if ($i == "hitcount:") hits = $(i + 1)
			if ($i == "runtime:") ns = $(i + 1)
		}
	} END { printf "%.0f %.0f\n", hits, ns }' $runtime/hist)
	diag "the kernel: $hits hits, $ns ns"
	holds 'the kernel saw it run' "$hits > 20 && $ns > 100000000"
	holds_together runtime runtime
	holds_together runtime count
	is 'each hit is one' "$(fact runtime count '.books | .stored + ([.lost[]] | add)')" "$hits"
	is 'and has its own time' "$(fact runtime runtime '.books | .stored + ([.lost[]] | add)')" "$ns"
	echo "!$histogram" >$runtime/trigger
else
	skip 'the time that a task runs' 'this kernel has no histograms'
fi
# it is stopped, with or without having run
kill -KILL $spinner
wait $spinner 2>/dev/null

# ---- page faults of a program that knows how many it causes ----

pages=3000
[ -z "$main_path" ] || pages=1000
# has_faults WHAT NAME EVENT NUMBER MORE: the program's faults are so many and up to MORE
# others; if some of the event are lost, it lacks no more than those
has_faults() {
	local own gone
	own=$(weight "$2" "$3" allocator)
	gone=$(lost "$2" "$3")
	[ "$gone" -eq 0 ] || diag "$3: $own of $4, $gone of all lost for overload"
	holds "$1" "0 < $own && $own + $gone >= $4 && $own < $4 + $5"
}

# faults NAME OPTION...: record a program's page faults, and compare them with its own count
faults() {
	local name=$1 own
	shift
	ok "$name: page faults are recorded" record "$name" -e page-faults -e minor-faults "$@" \
		-- /tmp/allocator $pages 0
	holds_together "$name" page-faults
	own=$(cat "$OUT/$name.out")
	is "$name: the kernel says that there were as many as pages" "$own" $pages
	# The program's start causes some, too.
	has_faults "$name: all are there" "$name" page-faults $pages 400
	has_faults "$name: most are minor" "$name" minor-faults $pages 400
}
faults all
faults command --only
is 'and nobody else is there' "$(flamectl dump --event page-faults "$OUT/command.pb.gz" 2>/dev/null |
	grep -Evc '^((allocator|flamectl);|\[lost: overload\] )')" 0

# ---- CPUs that come and go while it is attached ----

if [ -e /sys/devices/system/cpu/cpu1/online ]; then
	cat >/tmp/hotplug <<-END
	for ((i = 0; i < 5; i++)); do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		[ \$i -gt 0 ] || /tmp/allocator $pages 0
		echo 1 >/sys/devices/system/cpu/cpu1/online
	done
	# a worker creates the counter of that CPU: wait until faults there are seen
	seen() { flamectl status --json | jq '[.attached[] | select(.event == "page-faults").hits.seen][0]'; }
	for ((try = 0; try < 60; try++)); do
		before=\$(seen)
		taskset -c 1 /tmp/toucher $pages 0
		[ "\$((\$(seen) - before))" -lt $pages ] || break
		sleep 0.2
	done
	exec taskset -c 1 /tmp/allocator $pages 0
	END
	# of another name, so that its faults are told apart
	cp /tmp/allocator /tmp/toucher
	# since v5.19
	waits=()
	[ ! -e $tracing/events/lock/contention_begin ] || waits=(-e 'contention,name=waits')
	ok 'CPUs come and go while page faults are recorded' record hotplug -e page-faults \
		"${waits[@]}" -- bash /tmp/hotplug || cat "$OUT/hotplug.err"
	has_faults 'faults on the CPU that came back are there' hotplug page-faults $((2 * pages)) 800
	cat >/tmp/flap <<-END
	for ((i = 0; i < 10; i++)); do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		echo 1 >/sys/devices/system/cpu/cpu1/online
	done
	END
	bash /tmp/flap & flapping=$!
	for ((i = 0; i < 5; i++)); do
		record flap -e page-faults -e tracepoint:sched:sched_switch -- /tmp/allocator 100 0 || cat "$OUT/flap.err"
	done
	wait $flapping
	has_faults 'attaching meanwhile works' flap page-faults 100 400
	unlike 'no CPU that came online was left out' "$(dmesg)" 'is not counted on a CPU'
else
	skip 'CPUs come and go' 'this machine cannot do so'
fi

# ---- unload while it is attached ----

flamectl record --quiet -e page-faults -e tracepoint:kmem:kmalloc,weight=bytes_alloc -d 60s \
	-o /tmp/x.pb.gz >"$OUT/unload.out" 2>&1 & recording=$!
# shellcheck disable=SC2317 # wait_for calls it
attached() { flamectl status --json | grep -q page-faults; }
ok 'page faults are attached' wait_for $((20 * slowness)) attached
/tmp/allocator 1000 100 >/dev/null & loading=$!
ok 'unloaded while events of perf are attached' unload_when_free
wait $loading
{ wait $recording; } 2>/dev/null
/tmp/allocator 1000 100 >/dev/null
load autostart=0 "${kernel_half[@]}"
ok 'and loaded again it records' record again -e page-faults -- /tmp/allocator 100 0
holds_together again page-faults
ok 'unloaded' unload
finish
