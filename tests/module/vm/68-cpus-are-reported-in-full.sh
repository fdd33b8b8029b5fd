# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 20
# guest: -c 2 -m 2G -a "possible_cpus=600 lsm=lockdown"
#
# A short list such as 0-599:1/2 may mean many CPUs, which status reports one by one. A
# list that is too long to report is refused.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

possible=$(cat /sys/devices/system/cpu/possible)
if [ "$possible" != 0-599 ]; then
	skip 'lists that are too long to report' "this kernel makes room for CPUs $possible only"
	finish
fi
load autostart=0
ok 'a list is set' flamectl set cpus=0-64:1/2
is 'status reports it CPU by CPU' "$(flamectl status --json | jq -r .settings.cpus | cut -d , -f 1-4)" 0,2,4,6
exits 1 'a list that is too long to report is refused' flamectl set cpus=0-599:1/2
like 'the message says why' "$output" 'cpus: .*1024 bytes'
is 'nothing has changed' "$(flamectl status --json | jq -r .settings.cpus | cut -d , -f 1-4)" 0,2,4,6
ok 'all CPUs can be set' flamectl set cpus=0-599
is 'all CPUs are reported' "$(flamectl status --json | jq -r .settings.cpus)" 0-599
holds 'memory stays below its limit' "$(flamectl status --json | jq '.memory_bytes <= .memory_limit_bytes | if . then 1 else 0 end') == 1"

# A CPU that goes offline keeps its tables, which count in the limit.
flamectl set cpus=
flamectl start
limit=$(flamectl status --json | jq .memory_limit_bytes)
holds 'the limit is that of two CPUs' "$limit < 100 * 1048576"
echo 0 >/sys/devices/system/cpu/cpu1/online
holds 'also when a CPU is offline' "$(flamectl status --json | jq '.memory_bytes <= .memory_limit_bytes | if . then 1 else 0 end') == 1"
is 'its tables are in the limit' "$(flamectl status --json | jq .memory_limit_bytes)" "$limit"
echo 1 >/sys/devices/system/cpu/cpu1/online
finish
