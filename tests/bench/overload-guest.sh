#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# overload-guest.sh HZ RUNS: in each of RUNS runs, one process per file of /root/plan
# has the module truth burn the time that the file lists, while flamemod and perf sample.
#
# The host is overloaded only while /out/burning exists; /out/loaded exists while the
# processes that it starts for this run. Each run writes to /out RUN.full and
# RUN.drop-late, which flamemod saw; its RUN.json; and RUN.burnt, what was burnt until
# then (0.burnt is from before the first run). "times" has each run's number, start and
# end, perf.data has the samples of all runs, and "symbols" has the module's symbols.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1 runs=$2
debugfs=/sys/kernel/debug/truth
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# burn FILE: wait for the start, then write the file's lines to the module in random order
burn() {
	local lines line

	mapfile -t lines < <(shuf "$1")
	echo >&6
	read -r <&7
	for line in "${lines[@]}"; do
		echo "$line" >&3
	done 3>"$debugfs/burn"
}

# now: print the seconds of CLOCK_MONOTONIC, which uptime has, as the machine never sleeps
now() { cut -d ' ' -f 1 /proc/uptime; }

# host_is loaded|idle: ask the host to be that, and wait until it is
host_is() {
	local wanted=$1 tries

	case $wanted in
	loaded) touch /out/burning ;;
	idle) rm /out/burning ;;
	esac
	for ((tries = 0; tries < 600; tries++)); do
		[ "$wanted" = loaded ] && [ -e /out/loaded ] && return
		[ "$wanted" = idle ] && [ ! -e /out/loaded ] && return
		sleep 0.1
	done
	echo "the host is not $wanted after a minute" >&2
	return 1
}

# run NUMBER: do one run. The processes start together, and only the regions run while
# flamemod samples.
run() {
	local part parts=(/root/plan/*) pids=() from

	for part in "${parts[@]}"; do
		burn "$part" & pids+=($!)
	done
	for part in "${parts[@]}"; do read -r <&6; done
	host_is loaded
	flamectl reset
	flamectl start
	from=$(now)
	for part in "${parts[@]}"; do echo; done >&7
	for part in "${pids[@]}"; do wait "$part"; done
	flamectl stop
	echo "$1 $from $(now)" >>/out/times
	host_is idle
	flamectl dump >"/out/$1.full"
	flamectl dump --drop-late >"/out/$1.drop-late"
	flamectl status --json >"/out/$1.json"
	cat "$debugfs/burnt" >"/out/$1.burnt"
}

mkfifo ready go
exec 6<>ready 7<>go
# Otherwise perf lowers its rate if the host stops it during a sample.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
insmod /root/truth.ko
grep '\[truth\]' /proc/kallsyms >/out/symbols
sampler_begin perf -m 8M -B -k CLOCK_MONOTONIC
sampler_begin flamemod
flamectl stop
cat "$debugfs/burnt" >/out/0.burnt
for ((number = 1; number <= runs; number++)); do run "$number"; done
sampler_stop perf
cp data /out/perf.data
