#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dump-guest.sh SECONDS < PLAN: in a guest that counts instructions, run the lines
# "SAMPLER STACKS HZ PERCENT" of PLAN one by one: SAMPLER samples tests/bench/walker for
# SECONDS, then its samples become folded text (only PERCENT of perf's). Print lines
# "SAMPLER STACKS WHAT NUMBER", with bytes, nanoseconds of CPU, and samples.
set -euo pipefail
seconds=$1
look_seconds=20
repeat=5
cd /tmp
hz=997
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# tell WHAT NUMBER: print a result of the current line
tell() { echo "$sampler $stacks $1 $2"; }

bytes() { stat -c %s "$1"; }

# ended_ns: sets it to what the children that ended have had of the CPU, in ticks of
# 10 ms; by the shell itself, as a child would count
ended_ns() {
	local stat

	read -ra stat <"/proc/$$/stat"
	ended_ns=$(((stat[15] + stat[16]) * 10000000))
}

# had_ns PID: print the CPU time of a process, likewise
had_ns() { awk '{ sub(/.*\) /, ""); printf "%.0f\n", ($12 + $13) * 1e7 }' "/proc/$1/stat"; }

# workers_ns: print the CPU time of the kernel's workers
workers_ns() {
	local process comm ran sum=0 rest

	for process in /proc/[0-9]*; do
		{ read -r comm <"$process/comm" && read -r ran rest <"$process/schedstat"; } 2>/dev/null || continue
		case $comm in
		kworker/*) sum=$((sum + ran)) ;;
		esac
	done
	echo $sum
}

# seen FILE: print the weight of the load's stacks in folded text
seen() { awk '/^walker-[0-9]+;/ { n += $NF } END { printf "%.0f\n", n }' "$1"; }

report_perf() {
	perf report -i data --time "$part" --stdio --no-children -n -s comm \
		-g folded,0,caller,count >folded 2>/dev/null
}

dump() { flamectl dump >folded; }

# begin: start the sampler
begin() {
	case $sampler in
	# the most stacks take 10 MiB, of the default's 16 a third is for readers
	flamemod) sampler_begin flamemod aggregate_kb=65536 ;;
	perf) sampler_begin perf --kernel-callchains ;;
	bcc) sampler_begin bcc --stack-storage-size 262144 ;;
	bpftrace) BPFTRACE_MAP_KEYS_MAX=262144 sampler_begin bpftrace ;;
	esac
}

# ran_ns PID: print how long a process has run
ran_ns() { cut -d' ' -f1 "/proc/$1/schedstat"; }

# look: what flamectl top takes for a look, in a terminal, while the load goes on.
# Each is a request; how many there are is the scheduler's to say.
look() {
	local request=/sys/kernel/debug/tracing/events/syscalls/sys_enter_sendto
	local shown top before_ns looks

	flamectl start
	/root/pty screen state flamectl top </dev/null & shown=$!
	until grep -qsa FUNCTION screen; do sleep 0.1; done
	top=$(<state)
	echo "common_pid == $top" >$request/filter
	echo 1 >$request/enable
	before_ns=$(ran_ns "$top")
	/root/walker "$stacks" $look_seconds $((1000000000 / hz))
	tell looks_ns $(($(ran_ns "$top") - before_ns))
	echo 0 >$request/enable
	looks=$(grep -c 'sys_sendto(' /sys/kernel/debug/tracing/trace)
	tell looks "$looks"
	kill "$top"
	wait $shown
	flamectl stop
	echo >/sys/kernel/debug/tracing/trace
	rm screen state
}

# finish_flamemod: make text of the module's profile, and of what flamectl record saves
finish_flamemod() {
	flamectl stop
	flamectl status --json >"/out/status-$stacks.json"
	cpu_ns $repeat dump
	tell dump_ns "$took_ns"
	tell stacks "$(wc -l <folded)"
	tell seen "$(seen folded)"
	tell text_bytes "$(bytes folded)"
	strace -e trace=recvmsg -o calls flamectl dump >folded
	tell wire_bytes "$(awk '/^recvmsg/ && $NF > 0 { n += $NF } END { printf "%.0f\n", n }' calls)"
	tell saved_bytes "$(bytes saved.pb.gz)"
	cpu_ns $repeat flamectl dump -i saved.pb.gz -o folded
	tell saved_fold_ns "$took_ns"
	look
	rmmod flamemod
}

# from the middle, because the start and the end contain more than the load
finish_perf() {
	part=$(((100 - percent) / 2))%-$(((100 - percent) / 2 + percent))%
	tell data_bytes "$(bytes data)"
	cpu_ns 1 report_perf
	tell part_report_ns "$took_ns"
	cpu_ns 1 fold_perf --time "$part"
	tell part_awk_ns "$took_ns"
	tell part_seen "$(seen folded)"
}

finish_bcc() {
	tell text_bytes "$(bytes printed)"
	tell seen "$(seen printed)"
	tell stacks "$(wc -l <printed)"
}

finish_bpftrace() {
	tell text_bytes "$(bytes printed)"
	cpu_ns 1 fold_bpftrace
	tell awk_ns "$took_ns"
	tell seen "$(seen folded)"
	tell stacks "$(wc -l <folded)"
}

insmod /root/walks.ko
while read -r sampler stacks hz percent; do
	begin
	case $sampler in
	flamemod)
		before_ns=$(workers_ns)
		# wait until the load is certainly over
		flamectl record -d $((seconds + 2)) -o saved.pb.gz & recorder=$! ;;
	*) before_ns=$(had_ns "$sampler_pid") ;;
	esac
	began=${EPOCHREALTIME/./}
	/root/walker "$stacks" "$seconds" $((1000000000 / hz))
	tell load_ns $(((${EPOCHREALTIME/./} - began) * 1000))
	case $sampler in
	flamemod)
		tell while_ns $(($(workers_ns) - before_ns))
		# shellcheck disable=SC2154 # it sets a variable
		ended_ns; before_ns=$ended_ns
		wait "$recorder"
		ended_ns; tell record_ns $((ended_ns - before_ns)) ;;
	*)
		now_ns=$(had_ns "$sampler_pid")
		tell while_ns $((now_ns - before_ns))
		ended_ns; before_ns=$ended_ns
		sampler_stop "$sampler"
		ended_ns; tell exit_ns $((ended_ns - before_ns - now_ns)) ;;
	esac
	"finish_$sampler"
	cp folded "/out/$sampler-$stacks.folded" 2>/dev/null || true
	rm -f data data.old folded printed calls saved.pb.gz
done
rmmod walks
