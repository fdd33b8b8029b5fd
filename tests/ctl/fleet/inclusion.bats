#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Hosts that are sampled in one window of two, and hosts that always are, sum to the truth
# in a real ClickHouse: of stacks, books, hosts and functions, from windows and from rollups.
# Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

# windows 0 and 1 start at 10:58 and 10:59, windows 2 and 3 at 11:00 and 11:01
START=1795777080
MARK='# estimate: what was sampled in one hour of 2 or fewer counts for all of them'

setup_file() {
	local flamectl
	store_start
	mkdir "$BATS_FILE_TMPDIR"/{all,some}
	out/fleet/windows "$BATS_FILE_TMPDIR/all" 10 4 200 $START 60 2 all
	out/fleet/windows "$BATS_FILE_TMPDIR/some" 10 4 200 $START 60 2
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$flamectl" fleet init "${FLAMECTL_FLEET}_all"
	"$flamectl" push "$FLAMECTL_FLEET" "$BATS_FILE_TMPDIR"/some/*.pb.gz
	"$flamectl" push "${FLAMECTL_FLEET}_all" "$BATS_FILE_TMPDIR"/all/*.pb.gz
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	all=$BATS_FILE_TMPDIR/all
	some=$BATS_FILE_TMPDIR/some
	cd "$BATS_TEST_TMPDIR" || return
}

# exact FILE: an answer without the lines that say that it is an estimate
exact() { grep -v '^# estimate: ' "$1"; }

# true_of COMMAND...: the answer is the truth, but for that line
true_of() {
	"$flamectl" "$@" > estimate
	FLAMECTL_FLEET=${FLAMECTL_FLEET}_all "$flamectl" "$@" > truth
	[ -s truth ]
	[ "$(exact estimate | wc -l)" = "$(wc -l < truth)" ]
	exact estimate | diff truth -
}

# marked COMMAND...: and it has that line
marked() {
	true_of "$@"
	[ "$(grep -cxF "$MARK" estimate)" = 1 ]
	run ! grep -q estimate truth
}

questions() {
	marked report --no-pager --flat fleet:
	marked report --no-pager fleet:
	true_of report --no-pager --weight count --drop-late fleet:
	true_of dump --by host,comm,context -i fleet:
	true_of export --to folded fleet:hour=2026-11-27T10
	marked query top
	marked query diff release=6.1 release=6.12
	marked query hosts --function slow_path --over 0
	marked query heat --function slow_path
	marked query regressions --effect 0 release=6.1 release=6.12
	for database in fleet fleet_all; do
		FLAMECTL_FLEET=${FLAMECTL_FLEET%/*}/$database "$flamectl" merge -o $database.pb.gz fleet:
		"$flamectl" status --json -i $database.pb.gz | jq -S .books > $database.json
	done
	diff fleet_all.json fleet.json
}

@test "half of the windows of half of the hosts are there, with their inclusion" {
	[ "$(sql 'SELECT count(), sum(inclusion = 0.5), sum(inclusion = 1) FROM fleet.profiles')" = '30	10	20' ]
	[ "$(sql 'SELECT count(), sum(inclusion = 1) FROM fleet_all.profiles')" = '40	40' ]
	# they can be chosen
	"$flamectl" report --no-pager --by host --depth 1 fleet:inclusion=1/2 > told
	grep -qE 'host1( |$)' told
	run ! grep -qE 'host2( |$)' told
}

@test "the sums of a store are the truth, and say that they are estimates" {
	questions
	# without the weights they are not
	run ! diff <(sql 'SELECT sum(stored) FROM fleet.profiles') <(sql 'SELECT sum(stored) FROM fleet_all.profiles')
}

@test "rollups are the same" {
	run -0 "$flamectl" fleet roll "$FLAMECTL_FLEET"
	[ "$output" = 'rolled up 2 hours; 0 were up to date' ]
	"$flamectl" fleet roll "${FLAMECTL_FLEET}_all"
	[ "$(sql "SELECT sum(periods) FROM fleet.rollups WHERE kind = 1")" = "$(sql 'SELECT sum(stored) FROM fleet_all.profiles')" ]
	questions
	# the same window with another inclusion is another one
	"$flamectl" push "$FLAMECTL_FLEET" "$all/host1-0.pb.gz"
	run -0 "$flamectl" fleet roll "$FLAMECTL_FLEET"
	[ "$output" = 'rolled up 1 hour; 1 were up to date' ]
	run ! true_of query top
	"$flamectl" push "$FLAMECTL_FLEET" "$some/host1-0.pb.gz"
	true_of query top
}

@test "a sum of files is that of the store" {
	"$flamectl" merge -o some.pb.gz "$some"/*.pb.gz
	"$flamectl" merge -o all.pb.gz "$all"/*.pb.gz
	"$flamectl" report --no-pager --flat some.pb.gz > estimate
	"$flamectl" report --no-pager --flat all.pb.gz > truth
	grep -qxF "$MARK" estimate
	exact estimate | diff truth -
	"$flamectl" diff --text some.pb.gz all.pb.gz | grep -qxF "$MARK"
	run ! grep -q estimate <("$flamectl" diff --text all.pb.gz all.pb.gz)
	[ "$("$flamectl" status --json -i some.pb.gz | jq -c '[.inclusion, .estimate]')" = '[null,{"threshold":0,"weighted":"1/2"}]' ]
	[ "$("$flamectl" status --json -i "$some/host1-0.pb.gz" | jq -c '[.inclusion, .estimate]')" = '["1/2",null]' ]
	[ "$("$flamectl" status --json -i all.pb.gz | jq -c '[.inclusion, .estimate]')" = '[null,null]' ]
	"$flamectl" dump --by host,comm,context -i some.pb.gz > estimate
	"$flamectl" dump --by host,comm,context -i all.pb.gz | diff - estimate
	# a window itself is not weighted
	run -1 "$flamectl" push "$FLAMECTL_FLEET" some.pb.gz
	"$flamectl" report --no-pager "$some/host1-0.pb.gz" > estimate
	"$flamectl" report --no-pager "$all/host1-0.pb.gz" > truth
	grep -v '^# inclusion 1/2: its host is sampled in one hour of 2$' estimate | diff truth -
}

# rows PANEL DATABASE: print what the statement of a panel of the dashboard answers
rows() { python3 "$BATS_CWD/tests/ctl/fleet/grafana.py" rows "$BATS_CWD/docs/grafana.json" "$1" "$store/?database=$2"; }

@test "the dashboard shows the truth" {
	for panel in 3 4 5; do
		rows $panel fleet_all > truth
		[ "$(wc -l < truth)" -ge 10 ]
		rows $panel fleet | diff truth -
	done
	# a column is a minute, of which a host may have none
	for database in fleet fleet_all; do
		rows 7 $database | awk -F '\t' '{ s += $2; f += $3; l += $4; m += $5 } END { print s, f, l, m }' OFMT=%.0f CONVFMT=%.0f > $database
	done
	diff fleet_all fleet
	[ "$(rows 1 fleet | cut -f 1-3)" = '30	10	2' ]
	[ "$(rows 1 fleet_all | cut -f 1-3)" = '40	10	1' ]
	[ "$(rows 1 fleet | cut -f 4)" = "$(rows 1 fleet_all | cut -f 4)" ]
}
