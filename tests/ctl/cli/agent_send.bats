#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The agent sends windows of a made-up module to servers that answer as they like: each
# window is sent once, in order, whatever a server does.
# Debian packages: libcurl4, python3.

bats_require_minimum_version 1.5.0

load agent.bash

# answers FD LIST: start a server with these; sets port and url
answers() {
	mkfifo "input-$1" "port-$1"
	python3 "$misbehaving" "$2" < "input-$1" > "port-$1" 3>&- 4>&- 5>&- &
	eval "exec $1> input-$1"
	read -r port < "port-$1"
	url=clickhouse://me@127.0.0.1:$port/fleet
}

# requests PORT: print how many requests a server has had
requests() {
	python3 -c 'import sys, urllib.request as r; print(sum(b"/log" not in l for l in r.urlopen(sys.argv[1])))' \
		"http://127.0.0.1:$1/log"
}

# cursor URL NAME: print what is known of a target
cursor() { sed -n "s/^$2=//p" "$(grep -lFx "target=$1" state/cursor-*)"; }

# be_refused: run an agent until a server at url has refused a window
be_refused() {
	answers 4 400
	start 0 "$url"
	refused() { [ "$(cursor "$url" refused 2> /dev/null || echo 0)" -ge 1 ]; }
	for_20s refused
	kill -TERM "$agent"
	wait "$agent"
}

@test "each window is sent once; a dead server holds up no other" {
	answers 4 200
	good=$url good_port=$port
	answers 5 hang
	hung=$url hung_port=$port
	start 0 --label rack=7 "$hung" "$good"
	has_two() { [ "$(cursor "$good" taken 2> /dev/null || echo 0)" -ge 2 ]; }
	for_20s has_two
	kill -TERM "$agent"
	wait "$agent"
	# what the good one has, with the last window; the other one was asked once
	[ "$(cursor "$good" taken)" = "$(key made)" ]
	[ "$(cursor "$good" taken-periods)" = "$(key made-periods)" ]
	[ "$(requests "$hung_port")" = 1 ]
	[ "$(cursor "$hung" taken)" = 0 ]
	# they wait for it
	[ "$(find state/windows -name '*.pb.gz' | wc -l)" = "$(key made)" ]
	# stacks and windows are a request each, at most, for several windows together too
	[ "$(requests "$good_port")" -le $((2 * $(key made))) ]
	run -0 "$flamectl" agent status --state-directory state
	[[ $output = *"target     $good"* ]]
	[[ $output = *"has $(key made) windows, with $(key made-periods) periods; 0 files wait"* ]]
	# once a target is not named any more, what the others have is removed
	made=$(key made)
	start 0 "$good"
	more() { [ "$(cursor "$good" taken)" -gt "$made" ]; }
	for_20s more
	kill -TERM "$agent"
	wait "$agent"
	[ -z "$(find state/windows -name '*.pb.gz')" ]
	[ "$(requests "$good_port")" -le $((2 * $(key made))) ]
}

@test "a backlog is sent in batches to ClickHouse; one that is refused, in smaller ones" {
	start 0
	windows 5
	kill -TERM "$agent"
	wait "$agent"
	nr=$(key made)
	cp -r state backlog
	answers 4 200
	start 0 --window 1h "$url"
	has_all() { [ "$(cursor "$url" taken 2> /dev/null || echo 0)" -ge "$nr" ]; }
	for_20s has_all
	[ "$(requests "$port")" = 2 ]
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cursor "$url" taken-periods)" = "$(key made-periods)" ]
	# the first request, of the stacks of all, is too large
	rm -r state
	mv backlog state
	answers 5 413,200
	start 0 --window 1h "$url"
	for_20s has_all
	[ "$(cursor "$url" refused)" = 0 ]
	[ "$(requests "$port")" -ge 4 ]
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cursor "$url" taken-periods)" = "$(key made-periods)" ]
	[ ! -s log ]
}

@test "metrics are those of the ledger and the cursors" {
	be_refused
	"$flamectl" agent pause 1m --state-directory state
	run -0 "$flamectl" agent metrics --state-directory state -o agent.prom
	python3 "$metrics_py" agent.prom
	has() { grep -qxF "flamemod_agent_$1" agent.prom; }
	has 'up 0'
	has 'paused 0'
	has "windows_made_total $(key made)"
	has "periods_made_total $(key made-periods)"
	has "windows_dropped_total{reason=\"full\"} 0"
	has "target_windows_total{target=\"$url\",outcome=\"refused\"} $(cursor "$url" refused)"
	has "target_periods_total{target=\"$url\",outcome=\"refused\"} $(cursor "$url" refused-periods)"
	has "target_lag_windows{target=\"$url\"} $(($(key made) - $(cursor "$url" done)))"
	has "target_last_success_timestamp_seconds{target=\"$url\"} 0.000000000"
	has "spool_bytes $(cat state/windows/*.pb.gz 2> /dev/null | wc -c)"
	run -1 --separate-stderr "$flamectl" agent metrics --state-directory none
	[ "$stderr" = "flamectl: cannot read the agent's directory none: cannot open the directory none: No such file or directory" ]
	run -2 "$flamectl" agent metrics -o x.svg
}

@test "a window that the server refuses is counted, and others wait until it is mended" {
	be_refused
	[ "$(cursor "$url" refused)" = "$(key made)" ]
	[ "$(grep -c 'cannot send to' log)" = 1 ]
	answers 5 403
	echo s3cr3t-t0k3n > token
	start 0 "$url?token-file=token"
	failed() { [ "$(cursor "$url?token-file=token" failures 2> /dev/null || echo 0)" -ge 1 ]; }
	for_20s failed
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cursor "$url?token-file=token" refused)" = 0 ]
	[ -n "$(find state/windows -name '*.pb.gz')" ]
	! grep -rq s3cr3t state log
}

@test "a server that asks to wait is not asked before" {
	answers 4 503:3600,200
	start 0 "$url"
	failed() { [ "$(cursor "$url" failures 2> /dev/null || echo 0)" -ge 1 ]; }
	for_20s failed
	windows 3
	[ "$(requests "$port")" = 1 ]
	kill -TERM "$agent"
	wait "$agent"
	[ "$(cursor "$url" taken)" = 0 ]
}

@test "after a kill a window in doubt is sent again, or dropped" {
	answers 4 hang
	tries() { [ "$(requests "$port")" -ge "$1" ]; }
	start 0 "$url"
	for_20s tries 1
	kill -KILL "$agent"
	wait "$agent" || [ $? = 137 ]
	[ "$(cursor "$url" trying)" = 1 ]
	[ "$(cursor "$url" done)" = 0 ]
	start 0 --window 1h "$url"
	for_20s tries 2
	kill -KILL "$agent"
	wait "$agent" || [ $? = 137 ]
	start 0 --window 1h --in-doubt drop "$url"
	dropped() { [ "$(cursor "$url" doubtful)" = 1 ]; }
	for_20s dropped
	kill -TERM "$agent"
	wait "$agent"
}

@test "targets are checked before anything is sampled" {
	run -1 --separate-stderr "$fake" 0 agent --state-directory state clickhouse://me:x@localhost/db
	[[ $stderr = 'flamectl: cannot start the agent: clickhouse://me: a password does not belong into an URL'* ]]
	run -1 --separate-stderr "$fake" 0 agent --state-directory state --token-file none clickhouse://localhost/db
	[[ $stderr = 'flamectl: cannot start the agent: none: No such file or directory' ]]
	[ ! -e state ]
}

@test "--check says what would be sent, and whether it answers" {
	answers 4 200
	run -0 "$flamectl" agent --check --state-directory state "$url"
	[ "${lines[0]}" = "$url: answers (HTTP status 200)" ]
	[ "${lines[1]}" = '  no window waits for it' ]
	start 0
	windows 1
	kill -TERM "$agent"
	wait "$agent"
	run -1 "$flamectl" agent --check --state-directory state "$url" clickhouse://127.0.0.1:1/db
	[[ ${lines[1]} =~ ^\ \ the\ oldest\ window\ that\ it\ does\ not\ have:\ [0-9]+\ records,\ [0-9]+\ requests?\ of\ [0-9]+\ bytes\ before\ compression$ ]]
	[[ ${lines[2]} = 'clickhouse://127.0.0.1:1/db: '*'cannot be reached'* ]]
	# nothing was sent or noted
	[ "$(requests "$port")" = 2 ]
	[ -z "$(find state -name 'cursor-*')" ]
}
