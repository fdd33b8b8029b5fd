#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# switches-guest.sh ROUNDS [PEERS]: in a guest that counts instructions, measure our events
# of tasks, and with PEERS what perf, bcc and bpftrace take. Prints lines "WHAT NS".
set -euo pipefail
rounds=$1
cd /tmp
# The programs are on the host's file system.
insmod /root/flamemod.ko autostart=0 user_any_fs=1
/root/switches "$rounds"
rmmod flamemod
[ -n "${2-}" ] || exit 0
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
grep -q ' /sys/kernel/tracing ' /proc/mounts || mount -t tracefs nodev /sys/kernel/tracing
# shellcheck source=tests/bench/peers.sh
. /root/peers.sh

function=$(awk '$3 ~ /^finish_task_switch/ { print $3; exit }' /proc/kallsyms)
probed="is_probed $function" measure="/root/switches -m $rounds"
peer offcputime "$probed" "$measure" offcputime-bpfcc -K -f
peer offwaketime "$probed" "$measure" offwaketime-bpfcc -K -f
peer bpftrace-off "$probed" "$measure" bpftrace -e "
	tracepoint:sched:sched_switch { @left[args->prev_pid] = nsecs; }
	kprobe:$function /@left[tid]/ {
		@[kstack, comm] = sum(nsecs - @left[tid]);
		delete(@left[tid]);
	}
	END { clear(@left); }"
# It records each switch; how long tasks were off is computed from that afterwards.
peer perf-switches '[ -s data ]' "$measure" \
	perf record -q -e sched:sched_switch -a -g --kernel-callchains -o data
