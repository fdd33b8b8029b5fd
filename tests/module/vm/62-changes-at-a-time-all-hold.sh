# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Two concurrent requests for different settings: neither undoes the other.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

load autostart=0
exits 0 'two programs send requests at the same time' timeout 200 /root/nlrace 1000
is 'none was undone' "$output" 'rounds 1000 undone 0'

flamectl set max-depth=7 exclude-idle=1 kernel-only=1 cpus=1 pids=1,2
flamectl set hz=499
is 'a setting that a request does not name stays' "$(flamectl status --json | jq -c '.settings |
	[.hz, .max_depth, .exclude_idle, .kernel_only, .cpus, .pids]')" '[499,7,true,true,"1",[1,2]]'
finish
