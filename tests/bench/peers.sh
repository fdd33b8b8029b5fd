# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# To be sourced in a guest that counts instructions: measures what other tools take.

# is_probed FUNCTION: a kprobe is at it
is_probed() {
	grep -q " $1" /sys/kernel/debug/kprobes/list
}

# peer NAME READY MEASURE COMMAND...: start COMMAND, wait until READY succeeds, print what
# MEASURE prints with NAME as its first word, and end the command
peer() {
	local name=$1 ready=$2 measure=$3 pid i
	shift 3
	if ! command -v "$1" >/dev/null; then
		echo "$name: there is no $1 here" >&2
		return
	fi
	env --default-signal=INT "$@" >"$name.out" 2>"$name.err" &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		! eval "$ready" || break
		if ! kill -0 $pid; then
			echo "$name ended:" >&2
			tail -n 3 "$name.err" >&2
			return
		fi
		sleep 0.5
	done
	sleep 2
	eval "$measure" | sed "s/^with/$name/"
	kill -INT $pid
	wait $pid || true
}
