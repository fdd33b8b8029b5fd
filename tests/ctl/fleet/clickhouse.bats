#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# A real ClickHouse holds what is pushed, and counts it once.
# Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

setup_file() {
	export store
	clickhouse_start "$BATS_FILE_TMPDIR/server"
	mkdir "$BATS_FILE_TMPDIR/windows"
	out/fleet/windows "$BATS_FILE_TMPDIR/windows" 20 2 200
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	make_windows=$(realpath out/fleet/windows)
	windows=$BATS_FILE_TMPDIR/windows
	fleet=clickhouse${store#http}/fleet
	cd "$BATS_TEST_TMPDIR" || return
	sql 'DROP DATABASE IF EXISTS fleet'
}

@test "tables are made once, and what is pushed before is told so" {
	run -1 "$flamectl" push "$fleet" "$windows/host0-0.pb.gz"
	[[ $output = *'Code: 81'* || $output = *'Code: 60'* ]]
	"$flamectl" fleet init "$fleet"
	[ "$(sql 'SELECT count() FROM fleet.profiles')" = 0 ]
	"$flamectl" push "$fleet" "$windows/host0-0.pb.gz"
	"$flamectl" fleet init "$fleet"
	[ "$(sql 'SELECT count() FROM fleet.profiles')" = 1 ]
	run -1 "$flamectl" fleet init "${fleet%fleet}a-b"
	[[ $output = *'a-b: the name of a database'* ]]
}

@test "a window that is pushed three times counts once, to the period" {
	"$flamectl" fleet init "$fleet"
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	"$flamectl" push --batch 7 "$fleet" "$windows"/*.pb.gz
	"$flamectl" push --batch 1000 "$fleet" "$windows"/*.pb.gz "$windows"/*.pb.gz
	"$flamectl" merge -o sum.pb.gz "$windows"/*.pb.gz
	"$flamectl" status --json -i sum.pb.gz > sum.json
	for figure in fires missed stored filtered expected; do
		[ "$(sql "SELECT sum($figure) FROM fleet.profiles FINAL")" = "$(jq ".books.$figure" sum.json)" ]
	done
	[ "$(sql 'SELECT count() FROM fleet.profiles FINAL')" = 40 ]
	[ "$(sql 'SELECT sum(arraySum(periods)) FROM fleet.profiles FINAL')" = "$(jq .books.stored sum.json)" ]
	[ "$(sql 'SELECT sum(arraySum(lost)) FROM fleet.profiles FINAL')" = "$(jq '[.books.lost[]] | add' sum.json)" ]
	# each stack has its frames, and no two stacks have one id
	[ "$(sql 'SELECT count() FROM fleet.profiles ARRAY JOIN sid WHERE sid NOT IN (SELECT sid FROM fleet.stacks)')" = 0 ]
	[ "$(sql 'SELECT count() FROM (SELECT sid FROM fleet.stacks GROUP BY sid HAVING uniqExact(names, kinds) > 1)')" = 0 ]
	[ "$(sql "SELECT count() FROM fleet.stacks WHERE names[-1] = 'slow_path'")" -gt 0 ]
}

@test "of a dump that has grown, the longest counts" {
	"$flamectl" fleet init "$fleet"
	mkdir long
	"$make_windows" long 1 1 300 1795773600 90
	"$flamectl" push "$fleet" "$windows/host0-0.pb.gz" long/host0-0.pb.gz "$windows/host0-0.pb.gz"
	"$flamectl" push "$fleet" "$windows/host0-0.pb.gz"
	[ "$(sql 'SELECT sum(stored) FROM fleet.profiles FINAL')" = \
		"$("$flamectl" status --json -i long/host0-0.pb.gz | jq .books.stored)" ]
}

@test "windows have their identity, machine and labels" {
	"$flamectl" fleet init "$fleet"
	"$flamectl" push --label rack=7 --label b="it's" "$fleet" "$windows/host3-1.pb.gz"
	[ "$(sql 'SELECT host, boot_id, epoch, end_ns - begin_ns, release, machine, labels FROM fleet.profiles')" = \
		"host3	00000003-0000-4000-8000-000000000000	1	60000000000	6.12.0	x86_64	['b=it\\'s','rack=7']" ]
	[ "$(sql 'SELECT time, time_ns, hz, period_ns FROM fleet.profiles')" = \
		'2026-11-27 10:01:00	1795773660000000003	99	10101010' ]
}

# stacks: print how many rows of stacks there are, and how many different ones
stacks() {
	sql 'SELECT count(), uniqExact(sid) FROM fleet.stacks' | xargs
}

# age DAYS: all stacks were pushed so long ago
age() {
	sql 'RENAME TABLE fleet.stacks TO fleet.young'
	"$flamectl" fleet init "$fleet"
	sql 'SYSTEM STOP MERGES'
	sql "INSERT INTO fleet.stacks SELECT sid, names, kinds, paths, build_ids, offsets, today() - $1 FROM fleet.young"
	sql 'DROP TABLE fleet.young'
}

@test "stacks that the store has are not sent again, before they expire" {
	local all
	"$flamectl" fleet init "$fleet"
	sql 'SYSTEM STOP MERGES'
	# several requests of one push
	"$flamectl" push --batch 7 "$fleet" "$windows"/*.pb.gz
	all=$(stacks)
	[ "${all% *}" = "${all#* }" ]
	[ "${all% *}" -gt 1000 ]
	# another push, which has to ask
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	[ "$(stacks)" = "$all" ]
	age 14
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	[ "$(stacks)" = "$all" ]
	age 16
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	[ "$(stacks)" = "$((2 * ${all% *})) ${all% *}" ]
	sql 'SYSTEM START MERGES'
	# only what is missing, also of tables that were made anew
	sql 'DROP TABLE fleet.stacks'
	"$flamectl" fleet init "$fleet"
	"$flamectl" push "$fleet" "$windows"/host{0..4}-*.pb.gz
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	[ "$(stacks)" = "$all" ]
	[ "$(sql 'SELECT count() FROM fleet.profiles ARRAY JOIN sid WHERE sid NOT IN (SELECT sid FROM fleet.stacks)')" = 0 ]
}

@test "a password comes from a file" {
	"$flamectl" fleet init "$fleet"
	echo hush > right
	echo wrong-hush > wrong
	local as_me=clickhouse://me@${fleet#*://}
	"$flamectl" push --token-file right "$as_me" "$windows/host0-0.pb.gz"
	"$flamectl" push "$as_me?token-file=$PWD/right" "$windows/host0-0.pb.gz"
	run -1 "$flamectl" push --token-file wrong "$as_me" "$windows/host0-0.pb.gz"
	[[ $output = *'answered '*'Code: '* && $output != *hush* ]]
	run -1 "$flamectl" push "$as_me" "$windows/host0-0.pb.gz"
}

@test "a server that comes back gets what it has not" {
	"$flamectl" fleet init "$fleet"
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
	run -1 "$flamectl" push --attempts 2 "$fleet" "$windows/host0-0.pb.gz"
	[[ $output = *'cannot push now'*'cannot be reached'*'(2 attempts)'* ]]
	store=
	clickhouse_start "$BATS_FILE_TMPDIR/server"
	fleet=clickhouse${store#http}/fleet
	"$flamectl" push "$fleet" "$windows/host0-0.pb.gz"
	[ "$(sql 'SELECT count() FROM fleet.profiles FINAL')" = 1 ]
}
