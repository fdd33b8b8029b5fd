#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# blocked-guest.sh TENTHS: let the threads of offcpu work while flamemod, bcc's offcputime and
# bpftrace watch. Writes to /out what the threads say ("threads"), and what each tool found.
set -euo pipefail
tenths=$1
cd /tmp
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
insmod /root/flamemod.ko autostart=0

# begin NAME COMMAND...: start a tool in the background, and wait until its probe is there
probes=0 pids=()
begin() {
	local name=$1 i
	shift
	env --default-signal=INT "$@" >"/out/$name" 2>"$name.err" &
	pids+=($!)
	probes=$((probes + 1))
	for ((i = 0; i < 600; i++)); do
		[ "$(grep -c finish_task_switch /sys/kernel/debug/kprobes/list)" -lt $probes ] ||
			return 0
		kill -0 $! || break
		sleep 0.5
	done
	cat "$name.err" >&2
	echo "$name did not start" >&2
	return 1
}

function=$(awk '$3 ~ /^finish_task_switch/ { print $3; exit }' /proc/kallsyms)
begin bpftrace bpftrace -e "
	tracepoint:sched:sched_switch { @left[args->prev_pid] = nsecs; }
	kprobe:$function /@left[tid]/ {
		@[kstack, comm] = sum(nsecs - @left[tid]);
		delete(@left[tid]);
	}
	END { clear(@left); }"
begin offcputime offcputime-bpfcc -K -f
sleep 2
# shellcheck disable=SC2016 # the inner shell expands them
flamectl record --off-cpu --no-user-stacks -a -o /tmp/x.pb.gz -- \
	bash -c 'echo $$ >pid; exec /root/offcpu -n -t "$1" >/out/threads' bash "$tenths"
sleep 1
kill -INT "${pids[@]}"
wait "${pids[@]}" || true
# Not the children of vfork(), which have their parent's name until they run.
flamectl dump --event off-cpu -p "$(<pid)" /tmp/x.pb.gz >/out/flamemod
