#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# cost-guest.sh HZ < PLAN: in a guest that counts instructions, lines
# "SAMPLER LOAD ROUNDS" of PLAN are run one by one, and printed with what
# tests/bench/load printed and the samples that the sampler has of it.
set -euo pipefail
hz=$1
cd /tmp
echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate

# begin SAMPLER: start it, with what it prints in "printed"
begin() {
	case $1 in
	none) return ;;
	flamemod=*)
		insmod /root/flamemod.ko hz="$hz" unwinder="${1#*=}"
		sleep 1
		return ;;
	perf) set -- perf record -e cpu-clock -F "$hz" -a -g --kernel-callchains -o data ;;
	bcc) set -- profile-bpfcc -F "$hz" -dfK ;;
	bpftrace) set -- bpftrace -e "profile:hz:$hz { @[kstack, comm] = count(); }" ;;
	*) echo "no sampler '$1'" >&2; return 1 ;;
	esac
	env --default-signal=INT "$@" >printed 2>errors &
	pid=$!
	until grep -q perf_swevent_hrtimer /proc/timer_list; do
		kill -0 $pid || { cat errors >&2; return 1; }
		sleep 0.5
	done
	sleep 2
}

# end SAMPLER: stop it; prints how many samples of the load it has
end() {
	case $1 in
	none) echo 0; return ;;
	flamemod=*)
		flamectl stop
		flamectl dump | awk '/^load;/ { n += $NF } END { print n + 0 }'
		flamectl status --json >"/out/${1#*=}-$load.json"
		rmmod flamemod
		return ;;
	esac
	kill -INT "$pid"
	wait "$pid" || true
	case $1 in
	perf)
		perf report -i data --stdio --no-children -n -g none -s comm 2>errors |
			awk '$NF == "load" { n += $2 } END { print n + 0 }' ;;
	bcc) awk '/^load;/ { n += $NF } END { print n + 0 }' printed ;;
	bpftrace) sed -nE 's/^.*, load\]: //p' printed | awk '{ n += $1 } END { print n + 0 }' ;;
	esac
}

while read -r sampler load rounds; do
	begin "$sampler"
	took=$(/root/load "$load" "$rounds")
	echo "$sampler $load $rounds $took $(end "$sampler")"
done
