#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# overload-guest.sh HZ RUNS: what /root/plan/* tell the module truth to burn is burnt
# in RUNS runs, by one process a file, while flamemod and perf sample.
#
# The host is overloaded only while /out/burning exists and what it starts for that
# runs: /out/loaded exists then. To /out go, for each run, RUN.full and RUN.drop-late,
# which flamemod saw, its RUN.json, and RUN.burnt, what was burnt until then, of which
# 0.burnt is before the first run; and RUN's number, beginning and end in "times",
# perf.data of all runs, and "symbols", the module's.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1 runs=$2
debugfs=/sys/kernel/debug/truth
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# burn FILE: have the module do its lines, in an order of their own
burn() {
	local lines line

	mapfile -t lines < <(shuf "$1")
	echo >&6
	read -r <&7
	for line in "${lines[@]}"; do
		echo "$line" >&3
	done 3>"$debugfs/burn"
}

# now: seconds of CLOCK_MONOTONIC, as the machine never sleeps
now() { cut -d ' ' -f 1 /proc/uptime; }

# host_is loaded|idle: have the host do so, and wait for it
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

# run NUMBER: nothing but the regions is done while flamemod samples, and the
# processes begin together
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
# Else perf samples less often if the host stops it in a sample.
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
