# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# flamemod and its peers, started and stopped in a guest. $hz is the rate of whoever
# sources this. What a peer prints is in the current directory, as "printed".
echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate

# sampler_begin SAMPLER [OPTION...]: when it returns, SAMPLER samples, started with
# these options besides
sampler_begin() {
	local sampler=$1
	shift

	case $sampler in
	none)
		sleep 1
		return ;;
	flamemod)
		insmod /root/flamemod.ko hz="${hz:?}" "$@"
		sleep 1
		return ;;
	ticker)
		insmod /root/ticker.ko hz="${hz:?}"
		sleep 1
		return ;;
	perf) set -- perf record -e cpu-clock -F "${hz:?}" -a -g -o data "$@" ;;
	bcc) set -- profile-bpfcc -F "${hz:?}" -dfK "$@" ;;
	bpftrace) set -- bpftrace -e "profile:hz:${hz:?} { @[kstack, comm] = count(); }" ;;
	*) echo "no sampler '$sampler'" >&2; return 1 ;;
	esac
	env --default-signal=INT "$@" >printed 2>errors &
	sampler_pid=$!
	until grep -q perf_swevent_hrtimer /proc/timer_list; do
		kill -0 $sampler_pid || { cat errors >&2; return 1; }
		sleep 0.5
	done
	sleep 2
}

# sampler_stop SAMPLER: when it returns, a peer has written what it saw; flamemod
# still holds it. Not for a subshell, which cannot wait for what its parent started.
sampler_stop() {
	case $1 in
	none) ;;
	ticker) rmmod ticker ;;
	flamemod) flamectl stop ;;
	*)
		kill -INT "$sampler_pid"
		wait "$sampler_pid" || true ;;
	esac
}
