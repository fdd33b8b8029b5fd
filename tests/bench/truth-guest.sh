#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# truth-guest.sh HZ < SESSIONS: in a guest that counts instructions, lines
# "SAMPLER PLAN" are done one by one: what /root/plan/PLAN.* tell the module
# truth to burn is burnt while SAMPLER runs. To /out go what it saw, as
# SAMPLER.PLAN.seen, and what was burnt, as SAMPLER.PLAN.burnt.
#
# Until the sampler is running and while it ends the CPU is kept busy, so that all
# idle time is the module's.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1
debugfs=/sys/kernel/debug/truth
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# begin SAMPLER: idle time counts for all
begin() {
	case $1 in
	bcc) sampler_begin bcc -I ;;
	*) sampler_begin "$1" ;;
	esac
}

# keep SAMPLER NAME: what it saw, once it is stopped
keep() {
	case $1 in
	none) return ;;
	flamemod)
		flamectl dump >"/out/$2.seen"
		flamectl status --json >"/out/$2.json"
		rmmod flamemod
		return ;;
	perf)
		perf report -i data --stdio --no-children -n -s comm \
			-g folded,0,caller,count >printed 2>errors ;;
	esac
	cp printed "/out/$2.seen"
}

# burn FILE: have the module do its lines
burn() {
	local lines line

	mapfile -t lines <"$1"
	for line in "${lines[@]}"; do
		echo "$line" >&3
	done 3>"$debugfs/burn"
}

# carry_out PLAN: what several processes do at a time, then what waits
carry_out() {
	local part pids=()

	for part in "/root/plan/$1".together.*; do
		burn "$part" & pids+=($!)
	done
	for part in "${pids[@]}"; do wait "$part"; done
	burn "/root/plan/$1.alone"
}

# What fills the time that is left; by the module, for whose bursts an emulator has
# little to do.
# shellcheck disable=SC2016 # expanded by the shell that it is for
fill='renice -n 19 -p $$ >/dev/null; while :; do echo "filler 10 1000000 0"; done >"$1"'

while read -r sampler plan; do
	insmod /root/truth.ko
	bash -c "$fill" - "$debugfs/burn" & filler=$!
	begin "$sampler"
	kill -STOP $filler
	carry_out "$plan"
	kill -CONT $filler
	sampler_stop "$sampler"
	keep "$sampler" "$sampler.$plan"
	kill $filler
	wait $filler || true
	cat "$debugfs/burnt" >"/out/$sampler.$plan.burnt"
	rmmod truth
done
