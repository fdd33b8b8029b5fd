# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# refused PARAMETER=VALUE REGEX: insmod fails, and the kernel's log says why
refused() {
	dmesg -c >/dev/null
	nok "$1 is refused" insmod "$module" "$1"
	like "$1: the log says why" "$(dmesg)" "$2"
	nok "$1: nothing stays behind" test -e /sys/module/flamemod
}

refused hz=0 'flamemod: hz=0: must be 1\.\.20000'
refused hz=1000000 'flamemod: hz=1000000: must be 1\.\.20000'
refused hz=abc "invalid for parameter .?hz"
refused max_depth=0 'flamemod: max_depth=0: must be 1\.\.127'
refused max_depth=128 'flamemod: max_depth=128: must be 1\.\.127'
refused cpu_kb=31 'flamemod: cpu_kb=31: must be 32\.\.65536'
refused aggregate_kb=1 'flamemod: aggregate_kb=1: must be '

dmesg -c >/dev/null
ok 'an unknown parameter does not keep it from loading' insmod "$module" nonsense=1 autostart=0
like 'an unknown parameter is told of' "$(dmesg)" "unknown parameter 'nonsense' ignored"
ok 'unloads' rmmod flamemod

ok 'loads at the lowest rate' insmod "$module" hz=1
ok 'unloads' rmmod flamemod
ok 'loads at the highest rate' insmod "$module" hz=20000
ok 'unloads at the highest rate' rmmod flamemod
ok 'loads with the smallest tables' insmod "$module" cpu_kb=32
ok 'unloads with the smallest tables' rmmod flamemod

dmesg -c >/dev/null
load hz=499 max_depth=33
like 'the log tells rate and CPUs' "$(dmesg)" 'flamemod: .*sampling 2 CPUs at 499 Hz'
for parameter in hz=499 max_depth=33 autostart=Y cpu_kb=1024 aggregate_kb=16384; do
	is "/sys shows $parameter" "$(cat "/sys/module/flamemod/parameters/${parameter%=*}")" "${parameter#*=}"
done
is '/sys shows them to be read only' \
	"$(find /sys/module/flamemod/parameters -type f -perm /222)" ''

flamectl status --json >"$OUT/status.json"
is 'status tells the rate' "$(what .hz "$OUT/status.json")" 499
is 'status tells that it runs' "$(what .running "$OUT/status.json")" true
holds 'memory is at most a MiB a CPU and 16 MiB' \
	"$(what .memory_bytes "$OUT/status.json") <= 2 * 1024 * 1024 + 16 * 1024 * 1024"
unload

load autostart=0
flamectl status --json >"$OUT/stopped.json"
is 'autostart=0: it does not sample' "$(what '[.running, .books.fires]' "$OUT/stopped.json" | tr -d ' \n')" '[false,0]'
free_kb() { awk '/^MemFree:/ { print $2 }' /proc/meminfo; }
before=$(flamectl status --json | jq .memory_bytes)
holds 'autostart=0: no CPU has its tables' "$before < 1048576"
free=$(free_kb)
exits 0 'start, of one CPU' flamectl start cpus=1
is 'that CPU has tables' "$(($(flamectl status --json | jq .memory_bytes) - before >> 20))" 1
exits 0 'stop' flamectl stop
exits 0 'start, of all' flamectl start cpus=
after=$(flamectl status --json | jq .memory_bytes)
is 'each CPU has tables' "$((after - before >> 20))" 2
holds 'and no more memory is taken than status says' "$free - $(free_kb) < ($after - $before) / 1024 + 8192"
exits 0 'stop' flamectl stop
is 'they stay' "$(($(flamectl status --json | jq .memory_bytes) - before >> 20))" 2
exits 0 'start' flamectl start
is 'start: it runs' "$(flamectl status --json | jq .running)" true
exits 0 'stop' flamectl stop
is 'stop: it does not run' "$(flamectl status --json | jq .running)" false

finish
