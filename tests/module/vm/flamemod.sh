# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by scenarios: load the module, read the books, sum folded stacks.
# $OUT is the scenario's directory on the host.
# shellcheck source=tests/module/vm/tap.sh
. /tests/module/vm/tap.sh

module=/root/flamemod.ko
# In a kernel that checks itself, sampling takes this many times as long, so some tests
# use lower rates there.
# shellcheck disable=SC2034 # for scenarios
slowness=${SLOWNESS:-1}
# shellcheck disable=SC2034 # for scenarios
debugfs=/sys/kernel/debug/flamemod

# Whether this kernel is one of those on which make check runs only the scenarios marked
# "# main path": these scenarios are shorter there.
# shellcheck disable=SC2034 # for scenarios
main_path=${MAIN_PATH:-}

# Parameters for load, in scenarios about the kernel's half of stacks: make check leaves out
# the other half there, with which texts are ten times as long. Other runs take both.
# shellcheck disable=SC2034 # for scenarios
kernel_half=()
# the same for record, which does not follow the module's setting
# shellcheck disable=SC2034 # for scenarios
record_kernel_half=()
if [ "${STORM:-}" = small ]; then
	# shellcheck disable=SC2034 # for scenarios
	kernel_half=(user_stacks=0)
	# shellcheck disable=SC2034 # for scenarios
	record_kernel_half=(--no-user-stacks)
fi

# load [PARAMETER=VALUE...]: load the module, or end the scenario
load() {
	insmod "$module" "$@" && return
	diag "cannot load flamemod: $(dmesg | tail -n 3)"
	exit 1
}

unload() { rmmod flamemod; }

# unload_when_free: unload beside readers: rmmod refuses while one of them holds the module
unload_when_free() { wait_for $((20 * slowness)) rmmod flamemod; }

# unwinders: print the ways of taking stacks that this kernel has, except auto; before the
# module is loaded
unwinders() {
	insmod "$module" unwinder=none 2>/dev/null
	dmesg | sed -nE 's/.*unwinder=none: must be auto//p' | tail -n 1 | sed 's/,\| or//g'
}

# user_stacks_exist: whether this machine has user stacks, which then are on by default
user_stacks_exist() { [[ $(uname -m) == @(x86_64|aarch64) ]]; }

# folded_sum FILE...: sum the weights
# shellcheck disable=SC2120 # or of its input
folded_sum() { awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$@"; }

# folded_match REGEX FILE...: sum the weights of the stacks that match
folded_match() {
	local regex=$1
	shift
	grep -hE -e "$regex" "$@" | folded_sum -
}

# unfold NAME: make NAME.folded and NAME.json, the books, from the profile NAME.pb.gz
unfold() {
	flamectl dump -i "$1.pb.gz" >"$1.folded" || diag "cannot fold $1.pb.gz"
	flamectl status --json -i "$1.pb.gz" >"$1.json" || diag "cannot read the books of $1.pb.gz"
}

# bytes_of FILE: print a saved profile's bytes to search in. Those that are 0 become ends
# of lines, because the guest's grep reads a line only up to them.
bytes_of() { zcat "$1" | tr '\0' '\n'; }

# what EXPRESSION FILE: print one value of a status, by jq
what() { jq -r "$1" "$2"; }

# record_into NAME OPTION...: record into $OUT/NAME.pb.gz; what it prints is in NAME.out, NAME.err
record_into() {
	local name=$1
	shift
	flamectl record --quiet -o "$OUT/$name.pb.gz" "$@" >"$OUT/$name.out" 2>"$OUT/$name.err"
}

# folded NAME EVENT: print the folded stacks of an event of $OUT/NAME.pb.gz
folded() { flamectl dump --event "$2" "$OUT/$1.pb.gz" 2>/dev/null; }

# fact NAME EVENT EXPRESSION: print one value of the status of an event, by jq
fact() { flamectl status --json --event "$2" "$OUT/$1.pb.gz" | jq -r "$3"; }

# sides FILE: the sum of what became of user stacks, of a status
sides() { what '.user_stacks | del(.files, .rows_bytes, .rows_limit_bytes) | [.[]] | add' "$1"; }

# stored_and_lost FILE: print the sum that the weights of its dump must have
stored_and_lost() { what '.books | .stored + ([.lost[]] | add)' "$1"; }

# books_balance DESCRIPTION FILE: check the books of each CPU and the totals
books_balance() {
	local bad

	[ -s "$2" ] || tap_fail "$1: there are books" "$2 is empty"
	# One jq prints both lists of errors: a guest takes long to start a process.
	bad=$(jq -c '. as $all
		| def lost: [.lost[]] | add;
		[(.cpus[] , (.books + {cpu: "all"}))
		| (.books // .) + {cpu}
		| select(.fires + .missed != .stored + .filtered + lost)],
		["expected", "fires", "missed", "stored", "filtered"
		| . as $key
		| {key: $key, all: $all.books[$key], sum: ([$all.cpus[] | (.books // .)[$key]] | add)}
		| select(.all != .sum)]' "$2" 2>&1) || bad="not JSON: $bad"
	is "$1: fires + missed = stored + filtered + lost" "${bad%%$'\n'*}" '[]'
	is "$1: the CPUs sum to the total" "${bad#*$'\n'}" '[]'
}

# clock_agrees DESCRIPTION FILE: check that on every CPU the counted and the overdue
# periods are those that passed by the clock
clock_agrees() {
	local bad

	[ -s "$2" ] || tap_fail "$1: there are books" "$2 is empty"
	bad=$(jq -c '.cpus[] | (.books // .) + {cpu}
		| select((.expected - .fires - .missed - .overdue) | fabs > 1)
		| {cpu, expected, fires, missed, overdue}' "$2" 2>&1) || bad="not JSON: $bad"
	is "$1: expected and counted periods agree on every CPU" "$bad" ''
}

# wait_for SECONDS COMMAND...: wait until it succeeds; SECONDS are longer in slow kernels
wait_for() {
	local end=$(($1 * 10 * slowness)) try
	shift

	for ((try = 0; try < end; try++)); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

# uptime_ms: print the guest's clock since boot
uptime_ms() { awk '{ printf "%.0f\n", $1 * 1000 }' /proc/uptime; }

# yielding COMMAND...: replace this process by COMMAND, at the lowest priority. Use it in the
# background ("yielding COMMAND &"). A process that never sleeps then leaves the CPU to the
# scenario.
yielding() { renice 19 -p $BASHPID >/dev/null; exec "$@"; }

# load_start: run a load of system calls, faults and short-lived processes on every CPU,
# until load_stop. All are one process group, so that one signal ends them: a shell that
# had to end its loops could miss the signal, or one of the loops.
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
	# hide the shell's message about the end
	{
		kill -KILL -- "-$load_pid"
		wait "$load_pid"
	} 2>/dev/null
	load_pid=''
}
trap 'load_stop' EXIT
