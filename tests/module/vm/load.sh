#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Keep every CPU busy in the kernel in several ways, until the process group is killed.
# It has the lowest priority. In make check, where two guests share two CPUs, it pauses, so
# that other scenarios are not slowed down.
renice 19 -p $$ >/dev/null || exit
rest=:
if [ "${STORM:-}" = small ]; then
	pause=/tmp/load.pause.$$
	mkfifo "$pause"
	# without another process
	rest() { read -rt 0.1 <>"$pause"; }
	rest=rest
fi
for ((cpu = 0; cpu < $(nproc); cpu++)); do
	while :; do dd if=/dev/zero of="/tmp/load.$cpu" bs=4k count=500 2>/dev/null; $rest; done &
	while :; do tar -cf - -C / usr/bin 2>/dev/null | tail -c 1 >/dev/null; $rest; done &
done
wait
