# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What scenarios share: loading, reading the books, summing folded stacks.
# $OUT is the scenario's directory on the host.
# shellcheck source=tests/module/vm/tap.sh
. /tests/module/vm/tap.sh

module=/root/flamemod.ko
# In a kernel that checks itself a sample, and all that is done with it, takes so
# many times as long: what need not be sampled as often is not.
# shellcheck disable=SC2034 # for scenarios
slowness=${SLOWNESS:-1}
# shellcheck disable=SC2034 # for scenarios
debugfs=/sys/kernel/debug/flamemod

# load [PARAMETER=VALUE...]: or there is nothing to test
load() {
	insmod "$module" "$@" && return
	diag "cannot load flamemod: $(dmesg | tail -n 3)"
	exit 1
}

unload() { rmmod flamemod; }

# unwinders: the ways of taking stacks that this kernel has, but for auto
unwinders() {
	insmod "$module" unwinder=none 2>/dev/null
	dmesg | sed -nE 's/.*unwinder=none: must be auto//p' | tail -n 1 | sed 's/,\| or//g'
}

# folded_sum FILE...: of the weights
# shellcheck disable=SC2120 # or of its input
folded_sum() { awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$@"; }

# folded_match REGEX FILE...: the weight of the stacks that match
folded_match() {
	local regex=$1
	shift
	grep -hE -e "$regex" "$@" | folded_sum -
}

# unfold NAME: of the saved profile NAME.pb.gz, NAME.folded and NAME.json, its books
unfold() {
	flamectl dump -i "$1.pb.gz" >"$1.folded" || diag "cannot fold $1.pb.gz"
	flamectl status --json -i "$1.pb.gz" >"$1.json" || diag "cannot read the books of $1.pb.gz"
}

# what EXPRESSION FILE: one value of a status, by jq
what() { jq -r "$1" "$2"; }

# stored_and_lost FILE: the sum that the weights of its dump come to
stored_and_lost() { what '.books | .stored + ([.lost[]] | add)' "$1"; }

# books_balance DESCRIPTION FILE: per CPU and in total, whatever happened
books_balance() {
	local bad

	[ -s "$2" ] || tap_fail "$1: there are books" "$2 is empty"
	bad=$(jq -c '. as $all
		| def lost: [.lost[]] | add;
		(.cpus[] , (.books + {cpu: "all"}))
		| (.books // .) + {cpu}
		| select(.fires + .missed != .stored + .filtered + lost)' "$2" 2>&1) ||
		bad="not JSON: $bad"
	is "$1: fires + missed = stored + filtered + lost" "$bad" ''
	bad=$(jq -c '. as $all | "expected", "fires", "missed", "stored", "filtered"
		| . as $key
		| {key: $key, all: $all.books[$key], sum: ([$all.cpus[] | (.books // .)[$key]] | add)}
		| select(.all != .sum)' "$2" 2>&1) || bad="not JSON: $bad"
	is "$1: the CPUs sum to the total" "$bad" ''
}

# clock_agrees DESCRIPTION FILE: what the clock says passed is what was counted,
# and what is overdue, on every CPU, to a period
clock_agrees() {
	local bad

	[ -s "$2" ] || tap_fail "$1: there are books" "$2 is empty"
	bad=$(jq -c '.cpus[] | (.books // .) + {cpu}
		| select((.expected - .fires - .missed - .overdue) | fabs > 1)
		| {cpu, expected, fires, missed, overdue}' "$2" 2>&1) || bad="not JSON: $bad"
	is "$1: expected and counted periods agree on every CPU" "$bad" ''
}

# wait_for SECONDS COMMAND...: until it succeeds; seconds of a kernel that is not slow
wait_for() {
	local end=$(($1 * 10 * slowness)) try
	shift

	for ((try = 0; try < end; try++)); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

# uptime_ms: the guest's clock since boot
uptime_ms() { awk '{ printf "%.0f\n", $1 * 1000 }' /proc/uptime; }

# A load of system calls, faults and short-lived processes on every CPU, until
# load_stop. Its processes are one group, named after the one that began it: a
# shell that is told to end its loops may miss the signal, or one of the loops.
load_pid=''
load_start() {
	set -m
	bash /tests/module/vm/load.sh &
	load_pid=$!
	set +m
}
load_stop() {
	[ -n "$load_pid" ] || return 0
	kill -0 "$load_pid" || tap_verdict 1 'the load ran until it was stopped'
	# the shell tells of the end, which is none of the scenario's news
	{
		kill -KILL -- "-$load_pid"
		wait "$load_pid"
	} 2>/dev/null
	load_pid=''
}
trap 'load_stop' EXIT
