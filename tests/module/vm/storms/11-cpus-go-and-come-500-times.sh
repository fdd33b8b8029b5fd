# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 3 -m 1G
# limit: 2400
# takes: 30
#
# CPUs go offline and come back 500 times, under load at 20 kHz, while readers read.
# With tiny tables the callback requests drains all the time, until its CPU goes.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

cpu() { echo "$2" >"/sys/devices/system/cpu/cpu$1/online"; }
off=0 on=0
cycle() {
	cpu "$1" 0 && off=$((off + 1))
	[ -z "${2-}" ] || sleep "$2"
	cpu "$1" 1 && on=$((on + 1))
}

# go_and_come TIMES: CPU 2 goes and comes; every third time CPU 1 does meanwhile
go_and_come() {
	local i

	for ((i = 0; i < $1; i++)); do
		if [ $((i % 3)) = 2 ]; then
			cpu 2 0 && off=$((off + 1))
			cycle 1
			cpu 2 1 && on=$((on + 1))
			i=$((i + 1))
		else
			cycle 2 "0.0$((i % 10))"
		fi
		[ $((i % 16)) != 0 ] || wrong=$wrong$(live_books_wrong)
	done
}

rounds=$(times 500 20)
wrong=''
for cpu_kb in 448 32; do
	load hz=20000 cpu_kb=$cpu_kb
	load_start
	(while sleep 0.1; do flamectl dump >/dev/null 2>&1; done) & reader=$!
	priority -10
	go_and_come $((rounds / 2))
	priority 0
	kill $reader
	wait $reader 2>/dev/null
	cpu 2 0
	flamectl status --json >"$OUT/off-$cpu_kb.json"
	holds "cpu_kb=$cpu_kb: memory is within its bound while a CPU is off" \
		"$(what .memory_bytes "$OUT/off-$cpu_kb.json") <= $(what .memory_limit_bytes "$OUT/off-$cpu_kb.json")"
	cpu 2 1
	load_stop
	books_right "cpu_kb=$cpu_kb"
	# a drain may have been requested while the CPU went
	cpu 2 0
	ok "cpu_kb=$cpu_kb: it unloads while a CPU is off" timeout 20 rmmod flamemod
	cpu 2 1
done
is 'its books were right each time they were looked at' "$wrong" ''
is "CPUs went off, $rounds times" $((off >= rounds)) 1
is 'and came back each time' "$on" "$off"
is 'all CPUs are there' "$(nproc)" 3

# The set of CPUs, the rate and the state change while CPUs come and go.
load hz=997 autostart=0
(while :; do cycle 2; cycle 1; done) 2>/dev/null & cycling=$!
for ((i = 0; i < rounds / 2; i++)); do
	flamectl start hz=$((i % 2 ? 20000 : 97)) cpus=$((i % 3)) >/dev/null 2>&1
	flamectl dump --reset >/dev/null
	flamectl stop >/dev/null 2>&1
	flamectl reset
done
kill $cycling
wait $cycling 2>/dev/null
cpu 1 1 2>/dev/null
cpu 2 1 2>/dev/null
ok 'it starts again' flamectl start hz=997 cpus=0-2
sleep 1
books_right restarted
is 'each CPU was sampled' "$(what '[.cpus[] | select((.books // .).stored > 0)] | length' "$OUT/restarted.json")" 3
# the idle task's stack starts again when its CPU comes
is 'idle stacks are whole' \
	"$(grep -cE '^swapper;\[incomplete\].*;(do_idle|cpu_startup_entry)' "$OUT/restarted.folded")" 0
holds 'and there are some' "$(folded_match '^swapper;.*;do_idle' "$OUT/restarted.folded") > 0"
finish
