#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# events-guest.sh ROUNDS [PEERS]: in a guest that counts instructions, measure our sources,
# and with PEERS those of perf, trace-cmd, bcc and bpftrace. Prints lines "WHAT NS".
set -euo pipefail
rounds=$1
cd /tmp
tracing=/sys/kernel/tracing
grep -q " $tracing " /proc/mounts || mount -t tracefs nodev $tracing
insmod /root/flamemod.ko autostart=0
/root/events "$rounds"
rmmod flamemod
[ -n "${2-}" ] || exit 0
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
# shellcheck source=tests/bench/peers.sh
. /root/peers.sh

probed='is_probed vfs_statx' measure="/root/events -m $rounds"
peer bpftrace-count "$probed" "$measure" \
	bpftrace -e 'kprobe:vfs_statx { @[kstack, comm] = count(); }'
peer bpftrace-latency "$probed" "$measure" bpftrace -e 'kprobe:vfs_statx { @t[tid] = nsecs; }
	kretprobe:vfs_statx /@t[tid]/ { @[kstack, comm] = sum(nsecs - @t[tid]); delete(@t[tid]); }'
peer stackcount "$probed" "$measure" stackcount-bpfcc -K vfs_statx
peer funclatency "$probed" "$measure" funclatency-bpfcc vfs_statx
peer trace-cmd "grep -q '^function' $tracing/current_tracer" "$measure" \
	trace-cmd record -q -o trace.dat -p function -l vfs_statx --func-stack
if perf probe -q vfs_statx 2>probe.err; then
	peer perf-record "$probed" "$measure" perf record -q -e probe:vfs_statx -a -g -o data
	perf probe -q -d vfs_statx
fi
