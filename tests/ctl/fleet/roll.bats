#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Rollups of a real ClickHouse change no answer: not when windows come late or again, nor
# when a roll is killed at any step, or two run at once. Debian packages:
# clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

# windows 0 to 3 start at 22:56 to 22:59, windows 4 to 7 at 23:00 to 23:03
START=1700002560
HOUR=472222

setup_file() {
	export store FLAMECTL_FLEET
	clickhouse_start "$BATS_FILE_TMPDIR/server"
	FLAMECTL_FLEET=clickhouse${store#http}/fleet
	mkdir "$BATS_FILE_TMPDIR/windows"
	out/fleet/windows "$BATS_FILE_TMPDIR/windows" 12 8 100 $START
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

# each test starts with all windows but those of host11 in the store, and rolled up
setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	between=$(realpath tests/ctl/fleet/between.py)
	windows=$BATS_FILE_TMPDIR/windows
	cd "$BATS_TEST_TMPDIR" || return
	sql 'DROP DATABASE IF EXISTS fleet'
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	for half in 0 1; do
		push_half $half "$windows"/host{$half,$((half + 2)),$((half + 4)),$((half + 6))}-*.pb.gz
	done
	push_half 0 "$windows"/host{8,9,10}-*.pb.gz
	"$flamectl" fleet roll "$FLAMECTL_FLEET" > rolled
	[ "$(cat rolled)" = 'rolled up 2 hours; 0 were up to date' ]
}

teardown() {
	exec 4>&-	# what stands between ends when its input does
	wait
}

# push_half HALF FILE...
push_half() {
	local half=$1
	shift
	"$flamectl" push --label "half=$half" "$FLAMECTL_FLEET" "$@" > /dev/null
}

# ask DIRECTORY QUESTION...: keep an answer, or the error
ask() {
	local directory=$1
	shift
	"$flamectl" "$@" > "$directory/$(ls "$directory" | wc -l)-$1" 2>&1 || true
}

# few DIRECTORY, answers DIRECTORY: ask questions and keep the answers
few() {
	mkdir "$1"
	ask "$1" report --no-pager --flat fleet:
	ask "$1" query hosts --function slow_path --over 0
	ask "$1" query regressions --effect 0 release=6.1 release=6.12
}

answers() {
	few "$1"
	ask "$1" report --no-pager fleet:
	ask "$1" report --no-pager --by comm fleet:
	ask "$1" report --no-pager --by host fleet:
	ask "$1" report --no-pager --weight count --context softirq fleet:release=6.12
	ask "$1" report --no-pager --drop-late fleet:half=1
	ask "$1" export --to folded fleet:hour=2023-11-14T22
	ask "$1" export --to folded fleet:from=2023-11-14T22:58
	ask "$1" export --to folded fleet:from=2023-11-14T22:57,to=2023-11-14T23:02
	ask "$1" export --to folded fleet:host=host3
	ask "$1" query diff release=6.1,half=0 release=6.12
	ask "$1" query heat --function slow_path
	ask "$1" query heat --function slow_path --step 2h half=0
	ask "$1" query heat --function slow_path --step 1m
	ask "$1" query hosts --function slow_path 'host=host1*'
	ask "$1" query hosts --function slow_path from=2023-11-14T22:58
	ask "$1" query regressions --effect 0 half=0 half=1
	ask "$1" query top day=2023-11-15
}

# same few|answers: the answers without the table of rollups are those with it
same() {
	rm -rf with without
	"$1" with
	sql 'RENAME TABLE fleet.rollups TO fleet.aside'
	"$1" without
	sql 'RENAME TABLE fleet.aside TO fleet.rollups'
	diff -r without with
	run -1 grep -l 'flamectl:' with/0-report
}

# roll EXPECTED: roll up, and compare what it says
roll() {
	run -0 "$flamectl" fleet roll "$FLAMECTL_FLEET"
	[ "$output" = "$1" ]
}

# put_between ACTION...: stand between flamectl and the server; sets through
put_between() {
	local port
	rm -f between-input between-port
	mkfifo between-input between-port
	python3 "$between" "${store##*:}" "$@" < between-input > between-port 3>&- 4>&- &
	exec 4> between-input
	read -r port < between-port
	through=clickhouse://127.0.0.1:$port/fleet
}

@test "rollups change no answer" {
	same answers
	grep -q 'no window of the store matches' with/*-query
	[ "$(ls with | wc -l)" = 20 ]
	# windows that are there twice, before they are merged
	sql 'SYSTEM STOP MERGES'
	push_half 0 "$windows"/host{0,2}-*.pb.gz
	push_half 0 "$windows"/host10-*.pb.gz
	same answers
	sql 'SYSTEM START MERGES'
	roll 'rolled up 0 hours; 2 were up to date'
	sql "SELECT DISTINCT table FROM system.parts WHERE database = 'fleet' AND active" | sort | xargs > tables
	[ "$(cat tables)" = 'profiles rollups stacks' ]
}

@test "rollups are what is read" {
	few before
	sql "INSERT INTO fleet.rollups (hour, kind, period_ns, release, sid, host, periods) SELECT $HOUR, 2, 10101010, '6.12.0', sid, 'host1', 1000000 FROM fleet.stacks WHERE names[-1] = 'slow_path' LIMIT 1"
	few after
	cmp before/0-report after/0-report
	run -1 cmp -s before/1-query after/1-query
	run -1 cmp -s before/2-query after/2-query
	# and the sum of what is read must be what the books say
	sql "INSERT INTO fleet.rollups (hour, kind, period_ns, release, sid, periods) SELECT $HOUR, 1, 10101010, '6.12.0', sid, 1000000 FROM fleet.stacks LIMIT 1"
	run -1 "$flamectl" report --no-pager fleet:
	# in another hour nothing changed
	"$flamectl" report --no-pager fleet:hour=2023-11-14T23 > /dev/null
	sql "ALTER TABLE fleet.rollups DROP PARTITION $HOUR"
	roll 'rolled up 1 hour; 1 were up to date'
	few healed
	diff -r before healed
}

@test "a window that comes late, or again with another label, counts at once" {
	few before
	push_half 1 "$windows/host11-2.pb.gz"
	same answers
	run -1 cmp -s before/0-report with/0-report
	roll 'rolled up 1 hour; 1 were up to date'
	same answers
	# the same window, of the other half now
	push_half 0 "$windows/host11-2.pb.gz"
	same answers
	roll 'rolled up 1 hour; 1 were up to date'
	same answers
	# a dump that has grown replaces the window that it grew from
	mkdir long
	"$BATS_CWD/out/fleet/windows" long 1 1 100 $START 90
	push_half 0 long/host0-0.pb.gz
	same answers
	roll 'rolled up 1 hour; 1 were up to date'
	same answers
}

@test "a roll that is killed at any step changes no answer" {
	# not status, which run sets
	local step ended=137
	for ((step = 0; ended == 137; step++)); do
		[ "$step" -lt 40 ]
		# a window late for one of the hours
		push_half 0 "$windows/host11-$((step % 8)).pb.gz"
		push_half $((step / 8 % 2)) "$windows/host10-$((step % 8)).pb.gz"
		rm -f pid
		put_between kill "$step" "$PWD/pid"
		"$flamectl" fleet roll "$through" > log 2>&1 4>&- &
		echo $! > pid
		ended=0
		wait "$(cat pid)" || ended=$?
		exec 4>&-
		same few
	done
	[ "$ended" = 0 ]
	[ "$step" -gt 10 ]
	roll 'rolled up 0 hours; 2 were up to date'
	# what the killed ones left is removed when it is old
	[ "$(sql "SELECT count() FROM system.tables WHERE database = 'fleet' AND name LIKE 'rolling%'")" -gt 0 ]
	sql 'CREATE TABLE fleet.rolling_1700000000_0123456789abcdef AS fleet.rollups'
	sql 'CREATE TABLE fleet.rolling_stones AS fleet.rollups'
	roll 'rolled up 0 hours; 2 were up to date'
	[ "$(sql 'EXISTS TABLE fleet.rolling_1700000000_0123456789abcdef')" = 0 ]
	[ "$(sql 'EXISTS TABLE fleet.rolling_stones')" = 1 ]
}

@test "a slow roll that ends after a later one changes no answer" {
	push_half 0 "$windows/host11-0.pb.gz"
	put_between hold 'REPLACE PARTITION' "$PWD/go"
	"$flamectl" fleet roll "$through" > slow 2>&1 4>&- &
	for ((tries = 0; tries < 150; tries++)); do
		[ -e go.held ] && break
		sleep 0.1
	done
	[ -e go.held ]
	push_half 0 "$windows/host11-1.pb.gz"
	roll 'rolled up 1 hour; 1 were up to date'
	same few
	echo > go
	wait $!
	[ "$(cat slow)" = 'rolled up 1 hour; 1 were up to date' ]
	# it put back what was there before the second window
	same few
	roll 'rolled up 1 hour; 1 were up to date'
	same few
}

@test "windows that come while an hour is rolled up are in it or leave it alone" {
	push_half 0 "$windows/host11-0.pb.gz"
	put_between hold 'GROUP BY period_ns, release, machine, labels, i, host' "$PWD/go"
	"$flamectl" fleet roll "$through" > slow 2>&1 4>&- &
	for ((tries = 0; tries < 150; tries++)); do
		[ -e go.held ] && break
		sleep 0.1
	done
	push_half 0 "$windows/host11-1.pb.gz"
	echo > go
	wait $!
	[ "$(cat slow)" = 'rolled up 1 hour; 1 were up to date' ]
	roll 'rolled up 0 hours; 2 were up to date'
	same few
}

@test "an hour without windows loses its rollup, and one with wrong books gets none" {
	sql "ALTER TABLE fleet.profiles DROP PARTITION '2023-11-14'"
	run -1 "$flamectl" report --no-pager fleet:
	[[ $output = *'no window of the store matches' ]]
	roll 'rolled up 0 hours; 0 were up to date, 2 removed'
	[ "$(sql 'SELECT count() FROM fleet.rollups')" = 0 ]
	push_half 0 "$windows"/host0-{0,4}.pb.gz
	sql "INSERT INTO fleet.profiles (host, boot_id, time, time_ns, stored) SELECT 'bad', 'b', toDateTime($START), $START * 1000000000, 7"
	run -1 "$flamectl" fleet roll "$FLAMECTL_FLEET"
	[[ $output = *'rolled up 1 hour; 0 were up to date'* ]]
	[[ $output = *"flamectl: cannot roll up all hours: hour $HOUR: the books have "* ]]
	# hours before --last are left alone
	run -0 "$flamectl" fleet roll --last 24h "$FLAMECTL_FLEET"
	[ "$output" = 'rolled up 0 hours; 0 were up to date' ]
}

@test "a store of an earlier version gets what it lacks" {
	sql 'DROP TABLE fleet.rollups'
	sql 'ALTER TABLE fleet.profiles DROP COLUMN content'
	run -1 "$flamectl" fleet roll "$FLAMECTL_FLEET"
	few before
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	roll 'rolled up 2 hours; 0 were up to date'
	roll 'rolled up 0 hours; 2 were up to date'
	few after
	diff -r before after
	push_half 0 "$windows/host11-0.pb.gz"
	same few
}
