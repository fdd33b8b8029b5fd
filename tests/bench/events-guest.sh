#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# events-guest.sh ROUNDS [PEERS]: in a guest that counts instructions, measure our sources,
# and with PEERS those of perf, bcc and bpftrace. Prints lines "WHAT NS".
set -euo pipefail
rounds=$1
cd /tmp
grep -q ' /sys/kernel/tracing ' /proc/mounts || mount -t tracefs nodev /sys/kernel/tracing
insmod /root/flamemod.ko autostart=0
/root/events "$rounds"
rmmod flamemod
[ -n "${2-}" ] || exit 0
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug

# peer NAME COMMAND...: start it, wait for its probe, measure, stop it
peer() {
	local name=$1 pid i
	shift
	command -v "$1" >/dev/null || return 0
	env --default-signal=INT "$@" >"$name.out" 2>"$name.err" &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		! grep -q vfs_statx /sys/kernel/debug/kprobes/list || break
		if ! kill -0 $pid; then
			tail -n 3 "$name.err" >&2
			return
		fi
		sleep 0.5
	done
	sleep 2
	/root/events -m "$rounds" | sed "s/^with/$name/"
	kill -INT $pid
	wait $pid || true
}

peer bpftrace-count bpftrace -e 'kprobe:vfs_statx { @[kstack, comm] = count(); }'
peer bpftrace-latency bpftrace -e 'kprobe:vfs_statx { @t[tid] = nsecs; }
	kretprobe:vfs_statx /@t[tid]/ { @[kstack, comm] = sum(nsecs - @t[tid]); delete(@t[tid]); }'
peer stackcount stackcount-bpfcc -K vfs_statx
if perf probe -q vfs_statx 2>probe.err; then
	peer perf-record perf record -q -e probe:vfs_statx -a -g -o data
	perf probe -q -d vfs_statx
fi
