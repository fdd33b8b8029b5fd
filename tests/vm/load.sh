#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Keeps every CPU busy in the kernel in several ways, until it gets SIGTERM. What
# scenarios do themselves goes ahead of it.
renice 10 -p $$ >/dev/null || exit
loops=()
# shellcheck disable=SC2317 # called by trap
stop() {
	kill "${loops[@]}"
	wait
	exit 0
}
trap stop TERM

for ((cpu = 0; cpu < $(nproc); cpu++)); do
	while :; do dd if=/dev/zero of="/tmp/load.$cpu" bs=4k count=500 2>/dev/null; done &
	loops+=($!)
	while :; do tar -cf - -C / usr/bin 2>/dev/null | tail -c 1 >/dev/null; done &
	loops+=($!)
done
# a child's end does not end the wait, a signal does
while :; do wait "${loops[@]}"; done
