#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The cgroups of a fleet in a real ClickHouse are those of its files, if they were sent.
# Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

setup_file() {
	local flamectl
	store_start
	mkdir "$BATS_FILE_TMPDIR/windows"
	# the last host is sampled in one window of two
	out/fleet/windows "$BATS_FILE_TMPDIR/windows" 4 2 200 1795776960 60 2
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$flamectl" push "$FLAMECTL_FLEET?cgroups=yes" "$BATS_FILE_TMPDIR"/windows/host[0-2]-*.pb.gz
	"$flamectl" push "$FLAMECTL_FLEET?cgroups=no" "$BATS_FILE_TMPDIR"/windows/host3-*.pb.gz
	"$flamectl" merge -o "$BATS_FILE_TMPDIR/three.pb.gz" "$BATS_FILE_TMPDIR"/windows/host[0-2]-*.pb.gz
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	windows=$BATS_FILE_TMPDIR/windows
	three=$BATS_FILE_TMPDIR/three.pb.gz
	cd "$BATS_TEST_TMPDIR" || return
}

# same CHOICE VIEW...: the view of these hosts is that of their files
same() {
	local choice=$1
	shift
	"$flamectl" "$@" "fleet:host=host0,host=host1,host=host2$choice" > of-fleet
	"$flamectl" "$@" "$three" > of-files
	[ -s of-files ]
	diff of-files of-fleet
}

@test "views by cgroup, and of one, are those of files" {
	same '' report --no-pager --by cgroup
	grep -q 'docker 0000000' of-files
	same '' dump --by host,cgroup,comm -i
	for path in system.slice /system.slice/service4.service /sys/fs/cgroup/system.slice/ 000000000000 / /system.slice/service10.service; do
		same '' report --no-pager --by comm --cgroup "$path"
	done
	same '' report --no-pager --flat
	"$flamectl" merge -o fleet.pb.gz --cgroup system.slice fleet:host=host1
	"$flamectl" dump --by cgroup -i fleet.pb.gz > of-fleet
	"$flamectl" dump --by cgroup --cgroup system.slice -i "$windows/host1-0.pb.gz" | awk '{ $NF *= 2; print }' | diff - of-fleet
}

# books FILE...: those of a file, or of a fleet
books() { "$flamectl" status --json -i "$1" | jq -S .books; }

@test "cgroup=PATH chooses as --cgroup does, and the books say what was left out" {
	hosts=host=host0,host=host1,host=host2
	for path in system.slice /system.slice/service4.service /sys/fs/cgroup/system.slice/service5.service 000000000000; do
		"$flamectl" report --no-pager --flat "fleet:$hosts,cgroup=$path" > of-fleet
		"$flamectl" merge "$windows"/host[0-2]-*.pb.gz | "$flamectl" report --no-pager --flat --cgroup "$path" - > of-files
		[ "$(wc -l < of-files)" -gt 5 ]
		grep -v '^#' of-files > rows
		grep -v '^#' of-fleet | diff rows -
		"$flamectl" merge -o fleet.pb.gz "fleet:$hosts,cgroup=$path"
		"$flamectl" merge -o files.pb.gz --cgroup "$path" "$windows"/host[0-2]-*.pb.gz
		books fleet.pb.gz > of-fleet
		books files.pb.gz | diff - of-fleet
	done
	# several, and by cgroup
	"$flamectl" dump --by cgroup -i fleet:host=host0,cgroup=/system.slice/service1.service,cgroup=/system.slice/service2.service > of-fleet
	[ "$(cut -d ';' -f 1 of-fleet | sort -u | xargs)" = '/system.slice/service1.service /system.slice/service2.service' ]
	# not what only starts with the same letters
	for none in user.slice /system.slice/service1 000000000001; do
		run -1 "$flamectl" report --no-pager --flat "fleet:cgroup=$none"
		[[ $output = *': the windows that match have no cgroup that is, or is below, what cgroup= names' ]]
	done
}

@test "questions take cgroup=PATH: shares are of all of a host's time" {
	"$flamectl" query hosts --function slow_path --over 0 host=host0 > all
	for path in / /system.slice/service1.service /system.slice/service2.service; do
		"$flamectl" query hosts --function slow_path --over 0 "host=host0,cgroup=$path" > some
		"$flamectl" merge "$windows"/host0-*.pb.gz > one.pb.gz
		"$flamectl" dump --cgroup "$path" -i one.pb.gz | awk '/(;|^)slow_path/ { sum += $NF } END { print sum + 0 }' > function
		"$flamectl" status --json -i one.pb.gz | jq '.books.stored + ([.books.lost[]] | add)' > whole
		paste function whole | awk '{ printf "%.2f\n", 100 * $1 / $2 }' > expected
		awk '/%  host/ { printf "%.2f\n", $1 } /^# 0/ { print "0.00" }' some | diff expected -
	done
	cmp -s all some && return 1
	"$flamectl" query heat --function slow_path --step 1m host=host0,cgroup=/system.slice/service1.service | grep -q ' host0$'
	# in another cgroup a function's own share is less
	"$flamectl" query regressions --effect 0 --false 100 cgroup=/ cgroup=/system.slice/service1.service > shifts
	awk '!/^#/ { if ($1 > 0) exit 1; n++ } END { if (!n) exit 1 }' shifts
	# rollups have none, and are not read
	"$flamectl" fleet roll "$FLAMECTL_FLEET"
	"$flamectl" query hosts --function slow_path --over 0 host=host0,cgroup=/system.slice/service2.service | diff some -
}

@test "hosts that did not send theirs have none" {
	"$flamectl" report --no-pager --by cgroup fleet:host=host3 > told 2>&1
	grep -q "no task's cgroup is known" told
	"$flamectl" report --no-pager --by cgroup fleet: > told
	grep -q 'docker 0000000' told
	[ "$(sql "SELECT sum(length(cgroup)), sum(length(cgroups)) FROM fleet.profiles WHERE host = 'host3'")" = '0	0' ]
	run -1 "$flamectl" push "$FLAMECTL_FLEET?cgroups=1" "$windows/host3-0.pb.gz"
	[[ $output = *'?cgroups=1: must be yes or no'* ]]
}

@test "a store of an earlier version says what to do, and gets the columns" {
	sql 'CREATE DATABASE old'
	for table in profiles stacks rollups; do
		sql "CREATE TABLE old.$table AS fleet.$table"
		sql "INSERT INTO old.$table SELECT * FROM fleet.$table"
	done
	sql 'ALTER TABLE old.profiles DROP COLUMN cgroup'
	sql 'ALTER TABLE old.profiles DROP COLUMN cgroups'
	export FLAMECTL_FLEET=${FLAMECTL_FLEET%/*}/old
	"$flamectl" report --no-pager --flat fleet: > before
	for question in 'report --by cgroup fleet:' 'query top cgroup=/' 'query hosts --function slow_path cgroup=/' 'query regressions cgroup=/ cgroup=/'; do
		# shellcheck disable=SC2086 # words
		run -1 "$flamectl" $question
		[[ $output = *cgroup*'the tables of the database old are of an earlier version, flamectl fleet init adds what they lack' ]]
	done
	run -1 "$flamectl" push "$FLAMECTL_FLEET?cgroups=yes" "$windows/host0-0.pb.gz"
	[[ $output = *cgroup*'flamectl fleet init adds what they lack' ]]
	"$flamectl" push "$FLAMECTL_FLEET" "$windows/host0-0.pb.gz"
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$flamectl" report --no-pager --flat fleet: | diff before -
	run ! grep docker <("$flamectl" report --no-pager --by cgroup fleet: 2> /dev/null)
	"$flamectl" push "$FLAMECTL_FLEET?cgroups=yes" "$windows/host0-0.pb.gz"
	"$flamectl" report --no-pager --by cgroup fleet: | grep -q docker
	"$flamectl" fleet init "$FLAMECTL_FLEET"
}
