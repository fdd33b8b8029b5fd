#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Events other than samples in a real ClickHouse: each is a window of its own, which no
# question about samples counts. The module is made up (tests/ctl/top/fake.c).
# Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

setup_file() {
	local flamectl fake
	store_start
	fake=$(realpath out/unit/fake)
	export made=$BATS_FILE_TMPDIR/made
	mkdir "$made"
	out/fleet/windows "$made" 2 2 100
	"$fake" 0 record --wall -a -d 50ms -o "$made/wall.pb.gz"
	"$fake" 0 record -d 50ms -o "$made/calls.pb.gz" -e func:vfs_statx -e latency:vfs_read,min=1us
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$flamectl" push "$FLAMECTL_FLEET" "$made"/*.pb.gz
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	cd "$BATS_TEST_TMPDIR" || return
}

# same EVENT FILE: all that views show of the event, of the host of that file, is as in it
same() {
	local of="fleet:event=$1,host=box*"
	"$flamectl" dump --by host,comm,context --event "$1" -i "$2" > of-file
	[ -s of-file ]
	"$flamectl" dump --by host,comm,context -i "$of" | diff of-file -
	# what the machine was is not in the store
	"$flamectl" report --no-pager --event "$1" "$2" | grep -v '^# [^0-9]*[A-Z]\|flamectl record' > of-file
	"$flamectl" report --no-pager "$of" | grep -v '^# [^0-9]*[A-Z]\|x86_64' | diff of-file -
}

@test "each event of a file is there, with its unit, its books and its histogram" {
	"$flamectl" report --no-pager fleet:event=latency:vfs_read
	for event in wall off-cpu; do
		same $event "$made/wall.pb.gz"
	done
	for event in func:vfs_statx latency:vfs_read; do
		same $event "$made/calls.pb.gz"
	done
	"$flamectl" svg fleet:event=off-cpu | grep -q 'off-cpu'
}

# columns_without NAME...: the columns of windows, without these
columns_without() {
	local names
	names=$(printf ", '%s'" "$@")
	sql "SELECT arrayStringConcat(groupArray(name), ', ') FROM (SELECT name FROM system.columns
		WHERE database = 'fleet' AND table = 'profiles' AND default_kind = '' AND name NOT IN (${names#, }))"
}

@test "no question about samples counts an event, rolled up or not" {
	local columns
	"$flamectl" merge -o samples.pb.gz "$made"/host*.pb.gz
	# an event in the hour of those windows, which is over
	columns=$(columns_without time host cpus)
	sql "INSERT INTO fleet.profiles (time, host, cpus, $columns) SELECT (SELECT min(time) FROM fleet.profiles),
		'host0', 7, $columns FROM fleet.profiles WHERE event = 'wall'"
	"$flamectl" report --no-pager fleet:event=wall,host=host0 | grep -q '^# 7 CPUs'
	for _ in windows rollups; do
		"$flamectl" query top host=host0,host=host1 > of-fleet
		"$flamectl" report --no-pager --flat samples.pb.gz | diff - of-fleet
		"$flamectl" dump --by host,comm -i fleet:event=on-cpu > with
		"$flamectl" dump --by host,comm -i fleet: | diff with -
		same off-cpu "$made/wall.pb.gz"
		"$flamectl" fleet roll "$FLAMECTL_FLEET"
	done
	[ "$(sql "SELECT sum(periods) FROM fleet.rollups WHERE sid != toFixedString('', 16) AND host = ''")" = \
		"$("$flamectl" status --json -i samples.pb.gz | jq .books.stored)" ]
	# rollups are what was read: with a sum in them that the books do not have, it fails
	sql "INSERT INTO fleet.rollups (hour, kind, period_ns, release, sid, periods) SELECT hour, 1, period_ns,
		release, sid, 1000000 FROM fleet.rollups WHERE host = '' AND sid != toFixedString('', 16) LIMIT 1"
	run -1 "$flamectl" report --no-pager fleet:
	"$flamectl" report --no-pager fleet:host=host0,host=host1
	sql "ALTER TABLE fleet.rollups DROP PARTITION $(sql 'SELECT max(hour) FROM fleet.rollups')"
	# sent again, all counts once
	"$flamectl" push "$FLAMECTL_FLEET" "$made/wall.pb.gz"
	same wall "$made/wall.pb.gz"
	"$flamectl" fleet roll "$FLAMECTL_FLEET"
	"$flamectl" fleet roll "$FLAMECTL_FLEET" | grep -q '^rolled up 0 hours'
}

@test "windows of an event are summed as merge does" {
	sleep 1.1		# the module that is made up starts with the clock's second
	"$fake" 0 record -d 50ms -o later.pb.gz -e func:vfs_statx -e latency:vfs_read,min=1us
	"$flamectl" push "$FLAMECTL_FLEET" later.pb.gz
	"$flamectl" merge --event latency:vfs_read -o both.pb.gz "$made/calls.pb.gz" later.pb.gz
	"$flamectl" report --no-pager both.pb.gz | grep -v '^# [^0-9]*[A-Z]\|flamectl record' > of-files
	"$flamectl" report --no-pager fleet:event=latency:vfs_read | grep -v '^# [^0-9]*[A-Z]\|x86_64' | diff of-files -
}

@test "other questions take an event, too" {
	"$flamectl" query hosts --over 0 --function do_nanosleep event=off-cpu > told
	"$flamectl" query heat --function vfs_read event=latency:vfs_read > told
	for question in regressions diff; do
		run -1 "$flamectl" query $question event=off-cpu event=wall
		[[ $output = *'windows of different events cannot be compared: give both the same event=' ]]
	done
	"$flamectl" dump --event off-cpu -i fleet: > of-option
	"$flamectl" dump -i fleet:event=off-cpu | diff - of-option
	"$flamectl" merge --event off-cpu -o merged.pb.gz fleet:
	"$flamectl" dump -i merged.pb.gz | diff - of-option
	"$flamectl" dump --event on-cpu -i fleet: > of-option
	"$flamectl" dump -i fleet: | diff - of-option
	run -1 "$flamectl" report --event off-cpu fleet:event=wall
	[[ $output = *'--event off-cpu: the choice names event=wall: name only one event' ]]
	run -1 "$flamectl" report fleet:event=none
	[[ $output = *'no window of the store matches' ]]
	for wrong in event=off-cpu,event=wall 'event=off*' "event=$(printf '%064d' 0)"; do
		run ! "$flamectl" report "fleet:$wrong"
		[[ $output = *': give one event, such as event=off-cpu'* ]]
	done
}

@test "views take samples alone, and say so" {
	run -1 "$flamectl" push --event off-cpu 'pyroscope://127.0.0.1:9?max-age=8760h' "$made/wall.pb.gz"
	[[ $output = *'wall.pb.gz: it has no samples of CPUs, and Pyroscope takes nothing else; a clickhouse:// store takes its events: off-cpu' ]]
	# a file's samples are sent
	run -1 "$flamectl" push --attempts 1 'pyroscope://127.0.0.1:9?max-age=8760h' "$made/wall.pb.gz"
	[[ $output != *event* && $output = *'127.0.0.1'* ]]
}

@test "a store of an earlier version says what to do, and gets the columns" {
	local before
	before=$(sql 'SHOW CREATE TABLE fleet.profiles' | sed 's/\\n/ /g; s/\\//g; s/fleet\.profiles/old.profiles/')
	sql 'CREATE DATABASE old'
	for column in event unit hits powers traits; do
		before=$(sed -E "s/ $column (String|Array\\(UInt64\\)),//; s/, $column (String|Array\\(UInt64\\))//; s/begin_ns, event\\)/begin_ns)/" <<< "$before")
	done
	[[ $before != *event* ]]
	sql "$before"
	sql 'CREATE TABLE old.stacks AS fleet.stacks'
	sql 'CREATE TABLE old.rollups AS fleet.rollups'
	export FLAMECTL_FLEET=${FLAMECTL_FLEET%/*}/old
	# what an earlier version sent
	"$flamectl" push "$FLAMECTL_FLEET" "$made"/host*.pb.gz
	run -1 "$flamectl" push "$FLAMECTL_FLEET" "$made/wall.pb.gz"
	[[ $output = *event*'the tables of the database old are of an earlier version, flamectl fleet init adds what they lack' ]]
	run -1 "$flamectl" push "${FLAMECTL_FLEET%/*}/nowhere" "$made/host0-0.pb.gz"
	[[ $output = *'the database nowhere has no tables of a fleet yet, flamectl fleet init makes them' ]]
	run -1 "$flamectl" query top
	[[ $output = *'the tables of the database old are of an earlier version, flamectl fleet init adds what they lack' ]]
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$flamectl" merge -o samples.pb.gz "$made"/host*.pb.gz
	"$flamectl" query top > of-fleet
	"$flamectl" report --no-pager --flat samples.pb.gz | diff - of-fleet
	"$flamectl" push "$FLAMECTL_FLEET" "$made/wall.pb.gz"
	"$flamectl" push "$FLAMECTL_FLEET" "$made/wall.pb.gz"
	sql 'OPTIMIZE TABLE old.profiles FINAL'
	same wall "$made/wall.pb.gz"
	same off-cpu "$made/wall.pb.gz"
	"$flamectl" fleet init "$FLAMECTL_FLEET"
}

@test "what was lost for other reasons is there, in windows of earlier versions, too" {
	local columns host
	columns=$(columns_without host fires lost)
	# an earlier version did not send the last number
	for lost in "other: arrayConcat(lost, [fires])" "short: lost"; do
		host=${lost%%:*}
		sql "INSERT INTO fleet.profiles (host, fires, lost, $columns) SELECT '$host', fires * 2, ${lost#*:}, $columns
			FROM fleet.profiles WHERE event = 'off-cpu' LIMIT 1"
		"$flamectl" report --no-pager "fleet:event=off-cpu,host=$host" > report
		grep -qx '# off-cpu: seen 1.80 s = stored 900.02 ms + filtered 0 ns + lost 900.02 ms (other 900.02 ms)' report
		"$flamectl" query hosts --over 0 --function asm_entry "event=off-cpu,host=$host" > told
		grep -q ' 50\.00 ' told
	done
}

@test "a sum without the powers of two of all hits has no histogram" {
	local columns
	columns=$(columns_without host powers)
	sql "INSERT INTO fleet.profiles (host, powers, $columns) SELECT 'blind', arrayMap(p -> toUInt64(0), powers), $columns
		FROM fleet.profiles WHERE event = 'latency:vfs_read' LIMIT 1"
	"$flamectl" report --no-pager 'fleet:event=latency:vfs_read,host=box*' | grep -q 'time of a stored hit'
	"$flamectl" report --no-pager fleet:event=latency:vfs_read > report
	run ! grep -q 'time of a stored hit' report
}
