# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 28
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# Run two processes that never sleep, each on a CPU of its own.
busy() { yielding taskset -c "$1" bash -c 'while :; do :; done'; }
busy 0 &
first=$!
busy 1 &
second=$!
trap 'kill $first $second' EXIT

# make check is satisfied with less
seconds=2
[ "${STORM:-}" != small ] || seconds=1

# sampled NAME SETTING...: sample for a while with only these settings
sampled() {
	local name=$1
	shift
	flamectl reset
	ok "$name: set" flamectl set exclude-idle=0 kernel-only=0 pids= cpus= "$@"
	taskset -pc 0 "$first" >/dev/null
	flamectl start
	sleep "$seconds"
	flamectl stop
	flamectl dump --by cpu,pid >"$OUT/$name.folded"
	flamectl status --json >"$OUT/$name.json"
	books_balance "$name" "$OUT/$name.json"
	clock_agrees "$name" "$OUT/$name.json"
	is "$name: the stacks sum to the books" \
		"$(folded_sum "$OUT/$name.folded")" "$(stored_and_lost "$OUT/$name.json")"
}

# pids NAME, cpus NAME: print the processes and CPUs of the samples in the profile.
# Periods lost on a busy host belong to no process.
stacks() { grep -v '\[lost: ' "$OUT/$1.folded"; }
pids() { stacks "$1" | cut -d';' -f2 | sort -u | paste -sd' '; }
cpus() { stacks "$1" | cut -d';' -f1 | sort -u | paste -sd' '; }

load autostart=0
sampled one "pids=$first"
is 'one: only it is in the profile' "$(pids one)" "pid $first"
holds 'one: the others are filtered in the books' "$(what .books.filtered "$OUT/one.json") > 0"

sampled two "pids=$first,$second"
is 'two: both are, and nothing else' "$(pids two)" "$(printf 'pid %s\n' "$first" "$second" | sort | paste -sd' ')"

sampled cpu cpus=1
is 'cpu: only that one is in the profile' "$(cpus cpu)" 'cpu 1'
is 'cpu: the other has no books' "$(what '[.cpus[].cpu] | join(" ")' "$OUT/cpu.json")" 1
is 'cpu: nothing was left out on it' "$(what .books.filtered "$OUT/cpu.json")" 0

exits 1 'both: a process that may not run on that CPU is refused' flamectl set "pids=$first" cpus=1
like 'the CPU that it may run on is named' "$output" "pid $first may only run on CPU 0, "
# It may run there when this is set, but not during sampling.
taskset -pc 0,1 "$first" >/dev/null
sampled both "pids=$first" cpus=1
is 'both: a process that never runs on that CPU is not in the profile' "$(pids both)" ''
is 'both: all of its time was left out' \
	"$(what .books.filtered "$OUT/both.json")" "$(what '.books.fires + .books.missed' "$OUT/both.json")"

sampled all
is 'all: both CPUs are back' "$(cpus all)" 'cpu 0 cpu 1'
is 'all: nothing is left out' "$(what .books.filtered "$OUT/all.json")" 0
unload
finish
