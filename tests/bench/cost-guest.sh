#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# cost-guest.sh HZ < PLAN: in a guest that counts instructions, lines
# "SAMPLER LOAD ROUNDS" of PLAN are run one by one, and printed with what
# tests/bench/load printed and the samples that the sampler has of it.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1
# A fork copies now one page table more, now one less.
echo 0 >/proc/sys/kernel/randomize_va_space
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# begin SAMPLER: flamemod=WAY, or one that samplers.sh knows
begin() {
	case $1 in
	flamemod=*) sampler_begin flamemod unwinder="${1#*=}" ;;
	perf) sampler_begin perf --kernel-callchains ;;
	*) sampler_begin "$1" ;;
	esac
}

# seen SAMPLER: how many samples of the load it has, once it is stopped
seen() {
	case $1 in
	none | ticker) echo 0 ;;
	flamemod=*) flamectl dump | awk '/^load;/ { n += $NF } END { print n + 0 }' ;;
	perf)
		perf report -i data --stdio --no-children -n -g none -s comm 2>errors |
			awk '$NF == "load" { n += $2 } END { print n + 0 }' ;;
	bcc) awk '/^load;/ { n += $NF } END { print n + 0 }' printed ;;
	bpftrace) sed -nE 's/^.*, load\]: //p' printed | awk '{ n += $1 } END { print n + 0 }' ;;
	esac
}

# Who samples all the time has met what there is: a tenth of the work comes first,
# by another name.
cp /root/load warm-up

while read -r sampler load rounds; do
	begin "$sampler"
	./warm-up "$load" $((rounds / 10 + 1)) >/dev/null
	took=$(/root/load "$load" "$rounds")
	sampler_stop "${sampler%%=*}"
	echo "$sampler $load $rounds $took $(seen "$sampler")"
	case $sampler in
	flamemod=*)
		flamectl status --json >"/out/${sampler#*=}-$load.json"
		rmmod flamemod ;;
	esac
done
