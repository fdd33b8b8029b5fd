# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 2 -m 2G -a possible_cpus=600
#
# A short list of CPUs may stand for many: what is set can be told.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

possible=$(cat /sys/devices/system/cpu/possible)
if [ "$possible" != 0-599 ]; then
	skip 'lists that are too long to be told' "this kernel makes room for CPUs $possible only"
	finish
fi
load autostart=0
ok 'a list is set' flamectl set cpus=0-64:1/2
is 'it is told CPU by CPU' "$(flamectl status --json | jq -r .settings.cpus | cut -d , -f 1-4)" 0,2,4,6
exits 1 'one that could not be told is refused' flamectl set cpus=0-599:1/2
like 'it is said why' "$output" 'cpus: .*1024 bytes'
is 'nothing has changed' "$(flamectl status --json | jq -r .settings.cpus | cut -d , -f 1-4)" 0,2,4,6
ok 'all of them can be told' flamectl set cpus=0-599
is 'all of them are told' "$(flamectl status --json | jq -r .settings.cpus)" 0-599
holds 'memory stays in its bounds' "$(flamectl status --json | jq '.memory_bytes <= .memory_limit_bytes | if . then 1 else 0 end') == 1"

# A CPU that goes offline keeps its tables, and they are part of the limit.
flamectl set cpus=
flamectl start
echo 0 >/sys/devices/system/cpu/cpu1/online
holds 'also when a CPU is offline' "$(flamectl status --json | jq '.memory_bytes <= .memory_limit_bytes | if . then 1 else 0 end') == 1"
is 'its tables are in the limit' "$(flamectl status --json | jq .memory_limit_bytes)" "$(((2 * 1024 + 16384) * 1024))"
echo 1 >/sys/devices/system/cpu/cpu1/online
finish
