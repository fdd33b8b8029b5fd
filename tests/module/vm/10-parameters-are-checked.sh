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
for parameter in hz=499 max_depth=33 autostart=Y cpu_kb=1024; do
	is "/sys shows $parameter" "$(cat "/sys/module/flamemod/parameters/${parameter%=*}")" "${parameter#*=}"
done
is '/sys shows them to be read only' \
	"$(find /sys/module/flamemod/parameters -type f -perm /222)" ''

ram_kb=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
room_kb=$((ram_kb / 32))
[ $room_kb -gt 16384 ] && user_stacks_exist || room_kb=16384
is '/sys shows how much a profile may take' \
	"$(cat /sys/module/flamemod/parameters/aggregate_kb)" "$room_kb"

flamectl status --json >"$OUT/status.json"
is 'status tells the rate' "$(what .hz "$OUT/status.json")" 499
is 'status tells that it runs' "$(what .running "$OUT/status.json")" true
holds 'memory is below the limit' \
	"$(what .memory_bytes "$OUT/status.json") <= $(what .memory_limit_bytes "$OUT/status.json")"
unload

# The memory of the kernel half alone, then that of user stacks besides.
load user_stacks=0
flamectl status --json >"$OUT/status.json"
holds 'without user stacks memory is at most a MiB a CPU and 16 MiB' \
	"$(what .memory_limit_bytes "$OUT/status.json") <= 2 * 1024 * 1024 + 16 * 1024 * 1024"
unload
free_kb() { awk '/^MemFree:/ { print $2 }' /proc/meminfo; }
free_is_above() { [ "$(free_kb)" -gt "$1" ]; }
used() { flamectl status --json | jq .memory_bytes; }
# the same without the rows of the programs that run meanwhile
used_by_cpus() { flamectl status --json | jq '.memory_bytes - (.user_stacks.rows_bytes // 0)'; }

# tables_are KIB PARAMETER...: load without sampling, and check that tables of each CPU
# take about so much as soon as it is sampled
tables_are() {
	local kib=$1 before one one_cpus after free limit name=${2:-by default}
	shift

	load autostart=0 "$@"
	flamectl status --json >"$OUT/stopped.json"
	is "$name, autostart=0: it does not sample" "$(what '[.running, .books.fires]' "$OUT/stopped.json" | tr -d ' \n')" '[false,0]'
	before=$(used)
	holds "$name, autostart=0: no CPU has its tables" "$before < 1048576"
	free=$(free_kb)
	# nothing is sampled of a thread that sleeps, so the profile does not grow
	exits 0 "$name: start, of one CPU" flamectl start cpus=1 pids=2
	one=$(used) one_cpus=$(used_by_cpus)
	exits 0 "$name: stop" flamectl stop
	exits 0 "$name: start, of all" flamectl start cpus= pids=2
	after=$(used)
	# what CPUs share is allocated with the first
	near "$name: each CPU has tables" "$((($(used_by_cpus) - one_cpus) / 1024))" "$kib" 0.1
	holds "$name: so has the first, with what CPUs share" "($one - $before) / 1024 >= $kib && ($one - $before) / 1024 < $kib + 2048"
	# what programs that ended had is given back by and by, on a busy host seconds later
	limit=$((free - (after - before) / 1024 - 8192))
	wait_for 20 free_is_above "$limit"
	holds "$name: and no more memory is taken than status says" "$(free_kb) > $limit"
	exits 0 "$name: stop" flamectl stop
	holds "$name: they stay" "$(used) > $before + 2 * $kib * 1024"
}

tables_are 1024 user_stacks=0
unload
tables=1024
! user_stacks_exist || tables=$((1024 + 2048 + 324))
tables_are $tables
ok 'user stacks are switched off' flamectl set user-stacks=0
unload
load autostart=0
flamectl start user-stacks=0
holds 'what is switched off before it is taken takes no memory' "$(used) < 3 * 1048576"
flamectl stop
exits 0 'start' flamectl start
is 'start: it runs' "$(flamectl status --json | jq .running)" true
exits 0 'stop' flamectl stop
is 'stop: it does not run' "$(flamectl status --json | jq .running)" false

finish
