# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Start and stop flamemod and its peers in a guest. The script that sources this sets
# $hz. The output of a peer is in the current directory, as "printed".
echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate

# sampler_begin SAMPLER [OPTION...]: start SAMPLER, with these additional options; it
# samples when this returns
sampler_begin() {
	local sampler=$1
	shift

	case $sampler in
	none)
		sleep 1
		return ;;
	flamemod)
		# kernel stacks alone, which is what is compared; an OPTION may change that
		insmod /root/flamemod.ko hz="${hz:?}" user_stacks=0 "$@"
		sleep 1
		return ;;
	ticker)
		insmod /root/ticker.ko hz="${hz:?}"
		sleep 1
		return ;;
	perf) set -- perf record -e cpu-clock -F "${hz:?}" -a -g -o data "$@" ;;
	bcc) set -- profile-bpfcc -F "${hz:?}" -dfK "$@" ;;
	bcc-user) set -- profile-bpfcc -F "${hz:?}" -df ;;
	bpftrace-user) set -- bpftrace -e "profile:hz:${hz:?} { @[kstack, ustack, comm] = count(); }" ;;
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

# sampler_stop SAMPLER: stop it; then a peer has written its samples, and flamemod still
# holds them. Not for a subshell, which cannot wait for its parent's children.
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

# cpu_ns TIMES COMMAND...: set took_ns to the CPU time of the command and of its children
# that it has waited for, to the millisecond
cpu_ns() {
	local times=$1 i TIMEFORMAT='%3U %3S'
	shift

	{ time for ((i = 0; i < times; i++)); do "$@"; done 2>errors; } 2>took
	# shellcheck disable=SC2034 # for who sources this
	took_ns=$(awk -v times="$times" '{ printf "%.0f", ($1 + $2) * 1e9 / times }' took)
}

# fold_perf OPTION...: fold the samples that perf script prints with these options
fold_perf() {
	perf script -i data "$@" 2>/dev/null | awk '
		/^\t/ { sub(/\+0x[0-9a-f]+$/, "", $2); stack = ";" $2 stack; next }
		NF { match($0, / +[0-9]+ +\[[0-9]+\]/); comm = substr($0, 1, RSTART - 1); stack = ""; next }
		comm != "" { sub(/^ +/, "", comm); n[comm stack]++; comm = "" }
		END { for (stack in n) print stack, n[stack] }' >folded
}

# fold_bpftrace: fold its output
fold_bpftrace() {
	awk '
		/^@\[/ { stack = ""; sub(/^@\[/, "") }
		/\]: [0-9]+$/ {
			weight = $NF
			sub(/\]: [0-9]+$/, "")
			sub(/^, /, "")
			print $0 stack, weight
			next
		}
		NF { sub(/\+[0-9]+$/, "", $1); stack = ";" $1 stack }' printed >folded
}
