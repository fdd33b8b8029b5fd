#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# exec-guest.sh: in a guest that was just booted, sample a thousand runs of true, with
# user stacks. Leave the books and the folded stacks in /out.
set -euo pipefail

insmod /root/flamemod.ko user_stacks=1 hz=997
for ((i = 0; i < 1000; i++)); do
	/usr/bin/true
done
flamectl stop
flamectl status --json >/out/status.json
flamectl dump >/out/folded
rmmod flamemod
