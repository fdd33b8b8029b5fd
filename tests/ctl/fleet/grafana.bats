#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The dashboard for Grafana: its structure, and each of its statements, run by a real
# ClickHouse with Grafana's macros replaced. grafana.py does both. Grafana is not in Debian.
# Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

setup_file() {
	export store
	clickhouse_start "$BATS_FILE_TMPDIR/server"
	mkdir "$BATS_FILE_TMPDIR/windows"
	out/fleet/windows "$BATS_FILE_TMPDIR/windows" 20 3 300
	FLAMECTL_FLEET=clickhouse${store#http}/fleet
	"${FLAMECTL:-./flamectl}" fleet init "$FLAMECTL_FLEET"
	sql 'SYSTEM STOP MERGES'
	for _ in 1 2; do
		"${FLAMECTL:-./flamectl}" push "$FLAMECTL_FLEET" "$BATS_FILE_TMPDIR"/windows/*.pb.gz
	done
	# an event, which no panel counts
	out/unit/fake 0 record --wall -a -d 50ms -o "$BATS_FILE_TMPDIR/wall.pb.gz"
	"${FLAMECTL:-./flamectl}" push --event wall "$FLAMECTL_FLEET" "$BATS_FILE_TMPDIR/wall.pb.gz"
	"${FLAMECTL:-./flamectl}" merge -o "$BATS_FILE_TMPDIR/all.pb.gz" "$BATS_FILE_TMPDIR"/windows/*.pb.gz
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	grafana=$(realpath tests/ctl/fleet/grafana.py)
	board=$(realpath docs/grafana.json)
	all=$BATS_FILE_TMPDIR/all.pb.gz
	export FLAMECTL_FLEET=clickhouse${store#http}/fleet
	cd "$BATS_TEST_TMPDIR" || return
}

# rows PANEL: print what the statement of a panel answers
rows() { python3 "$grafana" rows "$board" "$1" "$store/?database=fleet"; }

@test "the dashboard has the structure that Grafana reads" {
	python3 "$grafana" check "$board"
	# checks that can fail
	sed 's/"flamegraph"/"flamegraf"/' "$board" > bad.json
	run -1 python3 "$grafana" check bad.json
	sed 's/AS self,/AS own,/' "$board" > bad.json
	run -1 python3 "$grafana" check bad.json
	# shellcheck disable=SC2016 # it is Grafana's
	sed 's/${host:singlequote}/${hosts}/' "$board" > bad.json
	run -1 python3 "$grafana" check bad.json
}

@test "variables list the kernels and hosts" {
	[ "$(rows release | xargs)" = '6.1.0 6.12.0' ]
	[ "$(rows host | wc -l)" = 20 ]
}

@test "the flame graph is a nested set, and its time is that of all files" {
	rows 3 > answer
	stored=$("$flamectl" status --json -i "$all" | jq .books.stored)
	[ "$(head -n 1 answer | cut -f 1,2,4)" = "0	$((stored * 10101010))	total" ]
	python3 "$grafana" nested answer
	# no part is left out here: the time by function is that of the folded text
	python3 "$grafana" whole "$board" "$store/?database=fleet" > answer
	python3 "$grafana" nested answer
	awk -F '\t' '{ self[$4] += $3 } END { for (name in self) if (self[name]) print name, self[name] / 10101010 }' answer | sort > of-fleet
	"$flamectl" dump --by comm -i "$all" | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); self[$0] += n }
		END { for (name in self) print name, self[name] }' | grep -v '^\[lost' | sed 's/_\[k\]\|_\[m\]//' | sort > of-files
	[ "$(wc -l < of-files)" -gt 100 ]
	diff of-files of-fleet
}

@test "functions and hosts are those of flamectl query" {
	"$flamectl" query hosts --function slow_path --over 0 | awk '/%  host/ { print $3, $1 + 0 }' | sort > of-query
	rows 5 | awk -F '\t' '{ printf "%s %.4g\n", $1, $2 }' | sort > of-board
	[ "$(wc -l < of-board)" = 20 ]
	join of-query of-board | awk '{ d = $2 - $3; if (d < 0) d = -d; if (d > 0.06) exit 1 } END { if (NR != 20) exit 1 }'
	"$flamectl" report --no-pager --flat --threshold 0 "$all" | awk '$NF == "slow_path" { print $1 + 0 }' > of-report
	rows 4 | awk -F '\t' '$1 == "slow_path" { print $3 }' > of-board
	paste of-report of-board | awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF != 2 || d > 0.06) exit 1 }'
}

@test "books and counts are those of all files" {
	"$flamectl" status --json -i "$all" | jq .books > books
	rows 7 > answer
	[ "$(wc -l < answer)" = 3 ]
	awk -F '\t' '{ s += $2; f += $3; l += $4; m += $5 } END { print s, f, l, m }' OFMT=%.0f CONVFMT=%.0f answer > of-board
	jq -r '"\(.stored) \(.filtered) \([.lost[]] | add) \(.missed)"' books | diff - of-board
	[ "$(rows 1 | cut -f 1,2)" = '60	20' ]
	[ "$(rows 2)" = 0 ]
	sql 'INSERT INTO fleet.profiles (host, release, time, fires) SELECT host, release, time, 1 FROM fleet.profiles LIMIT 1'
	[ "$(rows 2)" = 1 ]
	rows 6 > answer
	[ "$(wc -l < answer)" = 3 ]
	awk -F '\t' '!($2 > 0 && $2 < 100) { exit 1 }' answer
}
