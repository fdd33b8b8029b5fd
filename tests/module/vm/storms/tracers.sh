# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Turn tracers of all kinds on and off. Source it after tests/module/vm/storms/storm.sh;
# "functions" is a list of functions to trace.
# shellcheck disable=SC2154 # functions

tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing
echo 512 >"$tracing/buffer_size_kb"

# each function turns on or off what it is named after
kprobes_on() {
	local function offset

	for function in $functions; do
		echo "p:at_$function $function" >>"$tracing/kprobe_events" || return
		# after ftrace's call: a breakpoint, or a jump in place of it
		for offset in 5 9; do
			echo "p:in_$function $function+$offset" >>"$tracing/kprobe_events" && break
		done 2>/dev/null
	done
	echo 1 >"$tracing/events/kprobes/enable"
}
kretprobes_on() {
	local function

	for function in $functions; do
		echo "r:of_$function $function" >>"$tracing/kprobe_events" || return
	done
	echo 1 >"$tracing/events/kprobes/enable"
}
probes_off() {
	echo 0 >"$tracing/events/kprobes/enable"
	echo >"$tracing/kprobe_events"
}
# Not all functions: patching all 50000 takes an emulated CPU a minute.
tracer_on() {
	printf '%s\n' 'chain_*' 'detour_*' 'fm_*' 'vfs_*' 'kernfs_*' 'hrtimer_*' 'ktime_*' \
		'rcu_*' 'unwind_*' '*_sysvec_*' >"$tracing/set_ftrace_filter"
	echo "$1" >"$tracing/current_tracer"
}
tracer_off() { echo nop >"$tracing/current_tracer"; }
bpf_pid=''
# shellcheck disable=SC2086
bpf_on() {
	/root/bpf probe $functions >/tmp/bpf & bpf_pid=$!
	wait_for 20 grep -q attached /tmp/bpf
}
bpf_off() { kill "$bpf_pid"; wait "$bpf_pid" 2>/dev/null; }
