#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The agent keeps windows of a made-up module: they sum to what it has, also after the
# agent was killed.
# Debian package: python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
}

teardown() {
	for pid in "${pids[@]}"; do
		kill -KILL "$pid" 2> /dev/null || true
	done
}

# start LOOKS [OPTION...]: start an agent in the directory state, in the background
start() {
	local looks=$1
	shift
	"$fake" "$looks" agent --window 1s --state-directory state "$@" 2> log 3>&- &
	agent=$!
	pids+=("$agent")
}

# windows NUMBER: wait until there are so many, for at most 20 s
windows() {
	local i
	for ((i = 0; i < 200; i++)); do
		[ "$(find state/windows -name '*.pb.gz' 2> /dev/null | wc -l)" -lt "$1" ] || return 0
		sleep 0.1
	done
	cat log
	return 1
}

# key NAME: print a number of the ledger
key() { sed -n "s/^$1=//p" state/ledger; }

@test "windows chain and sum to the ledger; a signal makes a last one" {
	start 0
	windows 2
	[ "$("$flamectl" agent status --state-directory state | grep '^agent')" = 'agent      runs' ]
	kill -TERM "$agent"
	wait "$agent"
	[ ! -s log ]
	[ "$(key made)" -ge 3 ]
	"$flamectl" merge -o all.pb.gz state/windows/*.pb.gz
	"$flamectl" status --json all.pb.gz > all.json
	[ "$(python3 -c 'import json; books = json.load(open("all.json"))["books"]
print(books["fires"] + books["missed"])')" = "$(key made-periods)" ]
	# each name has the end of the one before as its begin
	ls state/windows | python3 -c '
import sys
names = [line.strip().removesuffix(".pb.gz").split("-") for line in sys.stdin]
assert [int(name[0]) for name in names] == list(range(1, len(names) + 1)), names
assert all(a[5] == b[4] for a, b in zip(names, names[1:])), names'
	# one CPU stands for all
	"$flamectl" report --no-pager all.pb.gz | grep -q '^# 4 CPUs'
	run -0 "$flamectl" agent status --state-directory state
	[[ $output = *'agent      does not run'* ]]
	[[ $output = *"windows    $(key made) made, with $(key made-periods) periods; merged 0 times"* ]]
	[[ $output = *'dropped    0 windows'* ]]
}

@test "a killed agent leaves a directory that the next one goes on with" {
	start 0
	windows 1
	kill -KILL "$agent"
	wait "$agent" || [ $? = 137 ]
	# the made-up module of the next process is another one
	start 0
	windows 2
	kill -TERM "$agent"
	wait "$agent"
	[ "$(key breaks-module)" = 1 ]
	[ "$(key breaks-first)" = 1 ]
	[ "$(key gap-ns)" -gt 0 ]
	[ "$("$flamectl" agent status --state-directory state | grep -c '^breaks     module: 1$')" = 1 ]
}

@test "two agents cannot have one directory" {
	start 0
	windows 1
	run -1 --separate-stderr "$fake" 0 agent --state-directory state
	[ "$stderr" = "flamectl: cannot start the agent: an agent already uses this directory (process $agent): stop it, or name another directory" ]
	kill -TERM "$agent"
	wait "$agent"
}

@test "a module that goes away is reported once, and the agent stays" {
	start 1
	windows 1
	for ((i = 0; i < 50; i++)); do
		[ ! -s log ] || break
		sleep 0.1
	done
	sleep 2
	kill -0 "$agent"
	[ "$(cat log)" = 'flamectl: cannot make a window: the module is not loaded any more; what is sampled meanwhile is not lost as long as the module has room' ]
	kill -TERM "$agent"
	# its last window is missing
	wait "$agent" || [ $? = 1 ]
	[ "$(tail -n 1 log)" = 'flamectl: cannot make the last window: the module is not loaded any more' ]
}

@test "the service manager is told" {
	cat > manager.py <<-'END'
		import os, socket, subprocess, sys
		manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
		manager.bind(sys.argv[1].replace("@", "\0", 1))
		manager.settimeout(20)
		agent = subprocess.Popen(sys.argv[2:], env={**os.environ, "NOTIFY_SOCKET": sys.argv[1],
		    "WATCHDOG_USEC": "400000", "STATE_DIRECTORY": os.getcwd() + "/state:/nonexistent"})
		heard = [manager.recv(99).decode() for i in range(4)]
		agent.terminate()
		while heard[-1] == "WATCHDOG=1":
		    heard.append(manager.recv(99).decode())
		print(*heard[:4], heard[-1], agent.wait(20))
	END
	for address in "$PWD/socket" "@flamectl-$$-test"; do
		run -0 python3 manager.py "$address" "$fake" 0 agent --window 1s
		[ "$output" = "READY=1 WATCHDOG=1 WATCHDOG=1 WATCHDOG=1 STOPPING=1 0" ]
	done
	[ "$(key made)" -ge 2 ]
}

@test "a directory that cannot be used is named" {
	run -1 --separate-stderr "$fake" 0 agent --state-directory none/state
	[ "$stderr" = 'flamectl: cannot start the agent: cannot make the directory none/state: No such file or directory' ]
	run -1 --separate-stderr "$flamectl" agent status --state-directory none
	[ "$stderr" = "flamectl: cannot read the agent's directory none: cannot open the directory none: No such file or directory" ]
}
