#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Keep every CPU at work in the kernel in several ways, until the process group is killed.
# It has a lower priority than the scenario. In make check there are pauses: several
# guests share the machine there, and what a load takes, others wait for.
pause() { :; }
if [ "${STORM:-}" = small ]; then
	exec 9<> <(:)
	pause() { read -rt 0.2 -u 9; }
fi
renice 10 -p $$ >/dev/null || exit
for ((cpu = 0; cpu < $(nproc); cpu++)); do
	while :; do dd if=/dev/zero of="/tmp/load.$cpu" bs=4k count=500 2>/dev/null; pause; done &
	while :; do tar -cf - -C / usr/bin 2>/dev/null | tail -c 1 >/dev/null; pause; done &
done
wait
