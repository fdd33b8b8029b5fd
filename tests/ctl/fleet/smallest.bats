#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The shortest whole way through a real ClickHouse, for make check: make the tables, push
# three times, and ask. Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

setup_file() {
	export store
	clickhouse_start "$BATS_FILE_TMPDIR/server"
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	make_windows=$(realpath out/fleet/windows)
	fake=$(realpath out/unit/fake)
	export FLAMECTL_FLEET=clickhouse${store#http}/fleet
	cd "$BATS_TEST_TMPDIR" || return
}

@test "what a fleet answers is what its files sum to, however often they were pushed" {
	mkdir windows
	"$make_windows" windows 4 2 100
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	for _ in 1 2 3; do
		"$flamectl" push "$FLAMECTL_FLEET" windows/*.pb.gz
	done
	"$flamectl" merge -o sum.pb.gz windows/*.pb.gz
	[ "$(sql 'SELECT count(), sum(stored) FROM fleet.profiles FINAL')" = \
		"8	$("$flamectl" status --json -i sum.pb.gz | jq .books.stored)" ]
	"$flamectl" query top > of-fleet
	"$flamectl" report --no-pager --flat sum.pb.gz > of-files
	grep -q slow_path of-files
	diff of-files of-fleet
	"$flamectl" merge -o fleet.pb.gz fleet:
	"$flamectl" dump --by host,comm,context -i fleet.pb.gz > of-fleet
	"$flamectl" dump --by host,comm,context -i sum.pb.gz | diff - of-fleet
}

@test "an event is a window of its own, which no question about samples counts" {
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$fake" 0 record --off-cpu -a -d 50ms -o off.pb.gz
	"$flamectl" push --event off-cpu "$FLAMECTL_FLEET" off.pb.gz
	"$flamectl" dump --event off-cpu -i off.pb.gz > of-file
	grep -q sleeping of-file
	"$flamectl" dump -i fleet:event=off-cpu | diff of-file -
	run ! grep sleeping <("$flamectl" dump -i fleet: 2>&1)
}

@test "an answer that has an estimate in it says so" {
	local fact='# estimate: of stacks below 1000 periods lots kept some, in place of all'
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	"$make_windows" . 1 1 100
	"$fake" 0 agent --window 1s --state-directory state --threshold 1000 3>&- &
	for ((i = 0; i < 200; i++)); do
		[ "$(find state/windows -name '*.pb.gz' 2> /dev/null | wc -l)" = 0 ] || break
		sleep 0.1
	done
	kill -TERM $!
	wait $!
	"$flamectl" push --label rack=7 "$FLAMECTL_FLEET" state/windows/*.pb.gz host0-0.pb.gz
	"$flamectl" report --no-pager fleet:threshold=1000 | grep -qxF "$fact"
	# together with windows of another rate: all is in nanoseconds
	"$flamectl" report --no-pager fleet:rack=7 > told
	grep -q '^# estimate: of stacks below 1000000000 ' told
	"$flamectl" report --no-pager fleet:host=host0 > exact
	run ! grep estimate exact
	grep -q function_ exact
	# tables of hosts and functions as well
	for question in 'hosts --function vfs_read' 'heat --function vfs_read'; do
		# shellcheck disable=SC2086 # two words
		[ "$("$flamectl" query $question rack=7 | grep -cxF "$fact")" = 1 ]
		# shellcheck disable=SC2086
		run ! grep estimate <("$flamectl" query $question host=host0)
	done
	for pair in 'host=host0 threshold=1000' 'threshold=1000 host=host0'; do
		# shellcheck disable=SC2086
		[ "$("$flamectl" query regressions $pair | grep -cxF "$fact")" = 1 ]
	done
	run ! grep estimate <("$flamectl" query regressions host=host0 host=host0)
}
