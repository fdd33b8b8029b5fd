#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# truth-guest.sh HZ < SESSIONS: run sessions, lines "SAMPLER PLAN", one by one in a
# guest that counts instructions. In each, the module truth burns the time that
# /root/plan/PLAN.* list while SAMPLER runs. Write to /out what the sampler saw, as
# SAMPLER.PLAN.seen, and what was burnt, as SAMPLER.PLAN.burnt.
#
# The CPU is kept busy until the sampler is running, and while it ends, so that all
# idle time is the module's.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1
debugfs=/sys/kernel/debug/truth
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# begin SAMPLER: start a sampler so that it samples idle time, too
begin() {
	case $1 in
	bcc) sampler_begin bcc -I ;;
	*) sampler_begin "$1" ;;
	esac
}

# keep SAMPLER NAME: save what a stopped sampler saw
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

# burn FILE: write the file's lines to the module
burn() {
	local lines line

	mapfile -t lines <"$1"
	for line in "${lines[@]}"; do
		echo "$line" >&3
	done 3>"$debugfs/burn"
}

# carry_out PLAN: run the parts for several processes together, then the one that waits
carry_out() {
	local part pids=()

	for part in "/root/plan/$1".together.*; do
		burn "$part" & pids+=($!)
	done
	for part in "${pids[@]}"; do wait "$part"; done
	burn "/root/plan/$1.alone"
}

# Fills the time that is left. It uses the module, whose bursts are cheap to emulate.
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
