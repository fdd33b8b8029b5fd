#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# cost-guest.sh HZ < PLAN: in a guest that counts instructions, run the lines
# "SAMPLER LOAD COLD ROUNDS" of PLAN one by one. Print lines "SAMPLER LOAD WHAT NUMBER":
# the output of tests/bench/load for COLD rounds right after the sampler's start and for
# ROUNDS later, the time until there is folded text, and the samples of the later rounds.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1
# A fork copies now one page table more, now one less.
echo 0 >/proc/sys/kernel/randomize_va_space
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# tell WHAT NUMBER: print a result of the current line
tell() { echo "$sampler $load $1 $2"; }

# mount_ext4: mount a real one, where tests/bench/load expects it, on a disk in memory.
# With lab/run -r the kernel's modules are among the host's files.
mount_ext4() {
	local from=() kernel

	if [ -e /lab/host ]; then
		read -r _ kernel </lab/host
		from=(-d "$kernel")
	fi
	modprobe "${from[@]}" ext4
	modprobe "${from[@]}" brd rd_nr=1 rd_size=65536
	[ -e /dev/ram0 ] || mknod /dev/ram0 b 1 0
	mkfs.ext4 -q /dev/ram0
	mkdir /tmp/ext4
	mount -t ext4 /dev/ram0 /tmp/ext4
}

# begin: start the sampler: flamemod=WAY, or one of samplers.sh
begin() {
	case $sampler in
	flamemod=user | flamemod=fp) sampler_begin flamemod user_stacks=1 user_any_fs=1 ;;
	flamemod=*) sampler_begin flamemod unwinder="${sampler#*=}" ;;
	perf=fp) sampler_begin perf ;;
	perf=dwarf) sampler_begin perf --call-graph dwarf ;;
	bcc=user) sampler_begin bcc-user ;;
	bpftrace=user) sampler_begin bpftrace-user ;;
	perf) sampler_begin perf --kernel-callchains ;;
	none=fp) sampler_begin none ;;
	*) sampler_begin "$sampler" ;;
	esac
}

dump() { flamectl dump >folded; }

# had_ns: print the CPU time of the peer's process
had_ns() { awk '{ ns += $1 } END { printf "%.0f\n", ns }' "/proc/$sampler_pid/task/"*/schedstat; }

# to_text: stop the sampler, and make folded text of its samples; set text_ns to the CPU
# time of that
to_text() {
	local before_ns=0

	case ${sampler%%=*} in none | ticker | flamemod) ;; *) before_ns=$(had_ns) ;; esac
	# shellcheck disable=SC2154 # it sets took_ns
	cpu_ns 1 sampler_stop "${sampler%%=*}"
	text_ns=$((took_ns - before_ns))
	case ${sampler%%=*} in
	flamemod) cpu_ns 1 dump ;;
	perf) cpu_ns 1 fold_perf --comms load ;;
	bpftrace) cpu_ns 1 fold_bpftrace ;;
	bcc) mv printed folded; return ;;
	*) text_ns=0; return ;;
	esac
	text_ns=$((text_ns + took_ns))
}

# saved_bytes: print the bytes of what the sampler has written
saved_bytes() {
	case ${sampler%%=*} in
	perf) stat -c %s data ;;
	bpftrace) stat -c %s printed ;;
	*) stat -c %s folded ;;
	esac
}

# What is sampled all the time has been met: a tenth of the work comes before that which
# counts, by another name. It starts with what meets the sampler cold.
mkdir rows fp
cp /root/load rows/load
cp /root/load rows/warm-up
# The same program with frame pointers, for samplers that follow them.
cp /root/load-fp fp/load
cp /root/load-fp fp/warm-up

while read -r sampler load cold rounds; do
	[ "$load" != ext4 ] || [ -e /tmp/ext4 ] || mount_ext4
	: >folded
	begin
	case $sampler in
	none=fp | flamemod=fp | perf=fp | bcc=user | bpftrace=user) program=fp ;;
	*) program=rows ;;
	esac
	# Not by <(): its process could be waited for, and counted, much later.
	took=$($program/warm-up "$load" "$cold")
	tell cold_wall "${took#* }"
	$program/warm-up "$load" $((rounds / 10 + 1)) >/dev/null
	took=$($program/load "$load" "$rounds")
	tell ran "${took% *}"
	tell wall "${took#* }"
	to_text
	tell text "$text_ns"
	tell bytes "$(saved_bytes)"
	tell samples "$(awk '/^load;/ { n += $NF } END { print n + 0 }' folded)"
	case $sampler in
	flamemod=*)
		flamectl status --json >"/out/${sampler#*=}-$load.json"
		rmmod flamemod ;;
	esac
	cp folded "/out/${sampler/=/-}-$load.folded"
	rm -f data data.old
done
