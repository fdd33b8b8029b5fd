#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The agent keeps windows of a made-up module: they sum to what it has, also after the
# agent was killed.
# Debian packages: libcurl4, python3.

bats_require_minimum_version 1.5.0

load agent.bash

@test "windows chain and sum to the ledger; a signal makes a last one" {
	trap '' HUP	# as nohup does
	start 0
	windows 1
	kill -HUP "$agent"
	windows 3
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

# program PATH: the made-up module that samples functions of a program at PATH
program() {
	echo "user=$1,$(cat made/pie.id),$(cut -d ' ' -f 2 made/pie.places | paste -sd ,)"
}

# mapped FILE: wait until the agent has read it, for at most 20 s
mapped() {
	local i
	for ((i = 0; i < 200; i++)); do
		! grep -q "$1" "/proc/$agent/maps" || return 0
		sleep 0.1
	done
	cat log
	return 1
}

# last_window: let the agent make one, and print it
last_window() {
	kill -TERM "$agent"
	wait "$agent"
	"$flamectl" dump "$(find state/windows -name '*.pb.gz' | tail -n 1)"
}

named='hidden_function;known_function;outer::inner::run;core::fmt::write;mycrate::foo::bar'

@test "a window has the names of programs that ended before it was made" {
	mkdir made
	bash "$programs" "$PWD/made"
	cp made/pie gone
	start "$(program "$PWD/gone")" --window 1h
	mapped /gone
	rm gone
	last_window > told
	grep -q "^program;$named [0-9]" told
	# nobody looks if names are not wanted
	rm -r state
	cp made/pie gone
	start "$(program "$PWD/gone")" --window 1h --no-names
	sleep 2
	run ! grep /gone "/proc/$agent/maps"
	last_window > told
	grep -qE '^program;gone\+0x[0-9a-f]+;' told
}

@test "a window has the names of programs in containers" {
	local module inside
	unshare -rm true || skip 'this user may not create namespaces'
	mkdir made inside
	bash "$programs" "$PWD/made"
	mkfifo ready
	unshare -rm sh -c 'mount -t tmpfs none inside && cp made/pie inside/program && echo > ready && exec sleep 60' 3>&- &
	inside=$!
	pids+=("$inside")
	read -r -t 20 < ready
	module=$(program "$PWD/inside/program")
	module=user@$inside=${module#*=}
	# one that still runs, and that no look has met
	start "$module" --window 1h
	for ((i = 0; i < 200; i++)); do
		[ ! -e state/agent.lock ] || break
		sleep 0.01
	done
	last_window > told
	grep -q "^program;$named [0-9]" told
	# one that ended
	rm -r state
	start "$module" --window 1h
	mapped /inside/program
	kill "$inside"
	wait "$inside" || true
	last_window > told
	grep -q "^program;$named [0-9]" told
}

@test "lots are drawn for small stacks, the books stay, and all say so" {
	local fact='estimate: of stacks below 1000 periods lots kept some, in place of all'
	start 0 --threshold 1000
	windows 2
	kill -TERM "$agent"
	wait "$agent"
	"$flamectl" merge -o all.pb.gz state/windows/*.pb.gz
	"$flamectl" status --json all.pb.gz > all.json
	[ "$(python3 -c 'import json; books = json.load(open("all.json"))["books"]
print(books["fires"] + books["missed"])')" = "$(key made-periods)" ]
	[ "$(python3 -c 'import json; print(json.load(open("all.json"))["estimate"])')" = "{'threshold': 1000, 'weighted': None}" ]
	"$flamectl" diff --text all.pb.gz all.pb.gz | grep -qxF "# $fact"
	"$flamectl" report --no-pager all.pb.gz | grep -qxF "# $fact"
	"$flamectl" status -i all.pb.gz | grep -qxF "rows       $fact"
	"$flamectl" svg all.pb.gz | grep -qF "$fact"
	"$flamectl" html all.pb.gz | grep -qF "$fact"
	# of 14 rows with 4000 periods together, each below 1000
	"$flamectl" dump "$(find state/windows -name '*.pb.gz' | sort | tail -n 1)" > rows
	[ "$(wc -l < rows)" -le 6 ]
	# what is not drawn does not say so, but a sum of both does
	"$fake" 0 record -q -d 0.1 -o exact.pb.gz
	"$flamectl" report --no-pager exact.pb.gz > exact
	run ! grep estimate exact
	"$flamectl" merge -o both.pb.gz exact.pb.gz all.pb.gz
	"$flamectl" report --no-pager both.pb.gz | grep -qxF "# $fact"
	for wrong in 1 1000001 many; do
		run -2 --separate-stderr "$fake" 0 agent --state-directory other --threshold $wrong
		[[ ${stderr_lines[0]} = "flamectl: --threshold $wrong: "* ]]
	done
}

# first_hour ON ON...: print the first of so many hours in a row in which this host takes
# part (1) or does not (0), with --sample 1/2 and the secret "hush", as duty.h says
first_hour() {
	python3 - "$@" <<-'END'
	import hashlib, os, sys
	def part(hour):
	    key = hashlib.sha256(b"hush").digest()
	    text = key + os.uname().nodename.encode() + b"\n%d" % hour
	    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % 2 == 0
	wanted = [on == "1" for on in sys.argv[1:]]
	print(next(h for h in range(500000, 600000) if [part(h + i) for i in range(len(wanted))] == wanted))
	END
}

# says TEXT: wait until the log has it
says() { for_20s grep -qF "$1" log; }

@test "at the end of its hour a host makes a window and is not sampled, until the next one" {
	echo hush > secret
	FAKE_HOUR=$(first_hour 1 0) start stopped --sample 1/2 --sample-secret secret --window 1h
	says 'off duty: it does not sample in this hour'
	[ "$(cat log)" = 'flamectl: off duty: it does not sample in this hour' ]
	[ "$(key made)" -ge 1 ]
	made=$(key made)
	[ "$(key off-duty)" = $(($(key on-duty) + 1)) ]
	[[ $("$flamectl" agent status --state-directory state) = *"duty       it does not sample in this hour; off "* ]]
	"$flamectl" agent metrics --state-directory state | grep -qx 'flamemod_agent_off_duty 1'
	kill -TERM "$agent"
	wait "$agent"
	[ "$(key made)" = "$made" ]
	# each window says so, and no view calls it exact
	for window in state/windows/*.pb.gz; do
		"$flamectl" status -i "$window" | grep -qx 'hours      inclusion 1/2: its host is sampled in one hour of 2'
	done
	fact='inclusion 1/2: its host is sampled in one hour of 2'
	"$flamectl" report --no-pager "$window" | grep -qxF "# $fact"
	"$flamectl" svg "$window" | grep -qF "$fact"
	"$flamectl" html "$window" | grep -qF "$fact"
	# the next agent starts in an hour without duty, and has to wait for its hour
	FAKE_HOUR=$(first_hour 0 1) start stopped --sample 1/2 --sample-secret secret --window 1h
	says 'on duty: it samples in this hour'
	[ "$(key made)" = "$made" ]
	[ "$(key off-duty)" = "$(key on-duty)" ]
	[ "$(key off-duty-ns)" -gt 2000000000 ]
	[ "$(key gap-ns)" = 0 ]
	[ "$(key pauses)" = 0 ]
	[[ $("$flamectl" agent status --state-directory state) = *"duty       it samples in this hour; off "*" s were not sampled"* ]]
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cat log)" = 'flamectl: on duty: it samples in this hour' ]
}

@test "a pause in an hour without duty does not bring the agent back, nor the hour's end" {
	echo hush > secret
	FAKE_HOUR=$(first_hour 0 0) start stopped --sample 1/2 --sample-secret secret --window 1s
	for_20s test -s state/agent.lock
	"$flamectl" agent pause 1h --state-directory state
	"$flamectl" agent resume --state-directory state
	sleep 4
	[ "$(key made)" = 0 ]
	[ "$(key pauses)" = 1 ]
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cat log)" = "$(printf 'flamectl: %s\n' 'off duty: it does not sample in this hour' paused 'the pause is over')" ]
	# the hour comes while the agent pauses
	FAKE_HOUR=$(first_hour 0 1) start stopped --sample 1/2 --sample-secret secret --window 1s
	for_20s test -s state/agent.lock
	"$flamectl" agent pause 1h --state-directory state
	says 'on duty: it samples in this hour'
	sleep 1.5
	[ "$(key made)" = 0 ]
	"$flamectl" agent resume --state-directory state
	windows 2
	kill -TERM "$agent"
	wait "$agent"
	[ "$(key breaks-module)" = 0 ]
	[ "$(key gap-ns)" = 0 ]
}

@test "shares and secrets that cannot be are refused" {
	for wrong in 1/0 0/5 1/1000000 x; do
		run -2 --separate-stderr "$fake" 0 agent --state-directory other --sample $wrong
		[ "${stderr_lines[0]}" = "flamectl: --sample $wrong: give 1/K with K from 1 to 10000, such as 1/8 to sample in one hour of 8" ]
	done
	run -2 --separate-stderr "$fake" 0 agent --state-directory other --sample 1/2 --sample-secret /nonexistent
	[[ ${stderr_lines[0]} = 'flamectl: --sample-secret '*'/nonexistent'* ]]
	echo 'two words' > secret
	run -2 --separate-stderr "$fake" 0 agent --state-directory other --sample 1/2 --sample-secret secret
	[ "${stderr_lines[0]}" = 'flamectl: --sample-secret secret: its first line is no secret of 1 to 4096 printable characters without a space' ]
	[ ! -e other ]
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
	[ "$(cat log)" = 'flamectl: cannot make a window: the module is not loaded any more' ]
	kill -TERM "$agent"
	# its last window is missing
	wait "$agent" || [ $? = 1 ]
	[ "$(tail -n 1 log)" = 'flamectl: cannot make the last window: the module cannot be reached' ]
}

@test "the service manager is told" {
	cat > manager.py <<-'END'
		import os, socket, subprocess, sys
		manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
		manager.bind(sys.argv[1].replace("@", "\0", 1))
		manager.settimeout(20)
		agent = subprocess.Popen(sys.argv[2:], env={**os.environ, "NOTIFY_SOCKET": sys.argv[1],
		    "WATCHDOG_USEC": "400000", "STATE_DIRECTORY": os.getcwd() + "/state:/nonexistent"})
		try:
		    heard = [manager.recv(99).decode() for i in range(4)]
		finally:
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

# paused: print whether the file says that the agent pauses
paused() { [ "$(sed -n 's/^begun=//p; s/^over=//p' state/pause 2> /dev/null | tr '\n' ' ')" = "$1" ]; }

@test "a paused agent saves a window, and goes on by itself; others are told how to pause it" {
	start stopped
	windows 1
	export STATE_DIRECTORY=$PWD/state
	run -1 --separate-stderr "$fake" 0 record -F 499 -d 1s -o none.pb.gz
	[ "$stderr" = 'flamectl: cannot record: sampling already runs at 1000 Hz: flamectl agent pause 10m lets the agent stop meanwhile, or leave out -F to record at that rate, or flamectl stop and flamectl reset first' ]
	run -0 "$flamectl" agent pause 3s
	[ "$output" = 'paused for 3.0 s; flamectl agent resume ends it' ]
	paused '1 0 '
	[ "$(key pauses)" = 1 ]
	made=$(key made)
	[ "$made" -ge 2 ]
	[[ $("$flamectl" agent status) = *'pause      it does not sample for '[0-9.]*' s more'* ]]
	# nothing is in its way now
	run -1 --separate-stderr "$fake" 0 record -F 499 -d 1s -o none.pb.gz
	[[ $stderr != *'agent pause'* ]]
	sleep 1.5
	[ "$(key made)" = "$made" ]
	for_20s paused '1 1 '
	windows $((made + 1))
	[ "$(key breaks-module)" = 0 ]
	[ "$(key paused-ns)" -gt 2000000000 ]
	[[ $("$flamectl" agent status) = *"pauses     1, in which "[0-9.]*" s were not sampled"* ]]
	run -0 "$flamectl" agent pause 1h
	run -0 "$flamectl" agent resume
	[ "$output" = 'the agent is not paused' ]
	paused '1 1 '
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cat log)" = "$(printf 'flamectl: %s\n' paused 'goes on after a pause' paused 'goes on after a pause')" ]
}

@test "a pause begins at once, and outlives the agent" {
	start stopped --window 1h
	for_20s test -s state/agent.lock
	"$flamectl" agent pause 1h --state-directory state
	windows 1
	kill -KILL "$agent"
	wait "$agent" || [ $? = 137 ]
	made=$(key made)
	start stopped
	sleep 2.5
	[ "$(key made)" = "$made" ]
	kill -0 "$agent"
	[[ $("$flamectl" agent status --state-directory state) = *'pause      it does not sample for 3'[0-9]*' s more'* ]]
	"$flamectl" agent resume --state-directory state
	windows $((made + 1))
	kill -TERM "$agent"
	wait "$agent"
	# without an agent it is asked for; and is over
	run -0 "$flamectl" agent pause 1m --state-directory state
	[ "$output" = 'no agent runs; one that starts within 60.0 s pauses for the rest of it' ]
	paused '0 0 '
	run -0 "$flamectl" agent resume --state-directory state
	[ "$output" = 'the agent is not paused' ]
	paused '0 1 '
	run -1 --separate-stderr "$flamectl" agent pause 1m --state-directory none
	[ "$stderr" = "flamectl: cannot pause the agent of none: cannot open the directory none: No such file or directory" ]
}

@test "what root writes belongs to the agent's user" {
	[ "$(id -u)" = 0 ] || skip 'only root can give files away'
	start stopped
	windows 1
	kill -TERM "$agent"
	wait "$agent"
	chown 65534:65534 state
	"$flamectl" agent pause 1m --state-directory state
	[ "$(stat -c %u:%g:%a state/pause)" = 65534:65534:600 ]
}
