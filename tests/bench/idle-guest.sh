#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# idle-guest.sh HZ interrupts|states SECONDS|waits TIMES < SAMPLERS: with each of them, one
# a line, prints its name and: how often the timer of the last CPU interrupted it in
# so many seconds; or what tests/bench/sleeper prints.
set -euo pipefail
# shellcheck disable=SC2034 # for samplers.sh
hz=$1
what=$2
amount=$3
cd /tmp
# shellcheck source=tests/bench/samplers.sh
. /root/samplers.sh

# timer: print the local timer interrupts of the last CPU so far
timer() { awk -v cpu="$(nproc --all)" '$1 == "LOC:" { print $(cpu + 1) }' /proc/interrupts; }

interrupts() {
	local before

	before=$(timer)
	sleep "$amount"
	echo $(($(timer) - before))
}

states() { interrupts; }

waits() { /root/sleeper "$amount"; }

case $what in
states) insmod /root/states.ko ;;
waits) insmod /root/halted.ko ;;
esac
while read -r sampler; do
	# CPU 1 is isolated, and sampled nevertheless
	case $sampler in
	flamemod) sampler_begin flamemod cpus=all ;;
	*) sampler_begin "$sampler" ;;
	esac
	# what is printed as it was measured: once more is too late
	echo "$sampler $("$what")"
	sampler_stop "$sampler"
	[ "$sampler" != flamemod ] || rmmod flamemod
done
