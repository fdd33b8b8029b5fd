#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scale-guest.sh HZ TIMES: load the module that often, and each time print lines
# "WHAT NUMBER": the microseconds that the load and requests took, by this guest's
# clock, and the bytes that the module has allocated.
set -euo pipefail
hz=$1
times=$2
cd /root

# took NAME COMMAND...: run it, and print how long it took
took() {
	local name=$1 began=${EPOCHREALTIME/./}
	shift

	"$@" >/tmp/printed
	echo "$name $((${EPOCHREALTIME/./} - began))"
}

# vmalloc_bytes: print the bytes that functions of the module have allocated
vmalloc_bytes() { awk '/\[flamemod\]/ { n += $2 } END { printf "%.0f\n", n }' /proc/vmallocinfo; }

# percpu_bytes: print those of all modules
percpu_bytes() { awk '$1 == "Percpu:" { printf "%.0f\n", $2 * 1024 }' /proc/meminfo; }

# first_sample: wait until every CPU has one
first_sample() {
	until flamectl status --json | jq -e '[.cpus[] | .fires > 0] | all' >/dev/null; do sleep 0.05; done
}

# work: give each CPU some work in turn
work() {
	local cpu

	for ((cpu = 0; cpu < $(nproc); cpu++)); do
		taskset -c "$cpu" ls /proc /sys/kernel >/dev/null
	done
}

# run everything once, so that pages and programs are in memory
flamectl help >/dev/null
for ((i = 0; i < times; i++)); do
	percpu=$(percpu_bytes)
	began=${EPOCHREALTIME/./}
	# the tables of the kernel half: those of user stacks are the same for each CPU
	took load insmod flamemod.ko hz="$hz" user_stacks=0
	first_sample
	echo "first $((${EPOCHREALTIME/./} - began))"
	echo "percpu_bytes $(($(percpu_bytes) - percpu))"
	echo "vmalloc_bytes $(vmalloc_bytes)"
	work
	took status flamectl status
	took drain_dump flamectl dump
	took reset flamectl reset
	flamectl stop
	took dump flamectl dump
	flamectl status --json | jq -r '"memory_bytes \(.memory_bytes)"'
	took unload rmmod flamemod
done
