#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# What a real ClickHouse answers about 20 hosts is what flamectl merge and the views make
# of their files. Debian packages: clickhouse-server, jq, libcurl4, python3.

bats_require_minimum_version 1.5.0

load clickhouse.bash

setup_file() {
	local flamectl host
	store_start
	mkdir "$BATS_FILE_TMPDIR/windows"
	out/fleet/windows "$BATS_FILE_TMPDIR/windows" 20 3 300 1795776960
	"$flamectl" fleet init "$FLAMECTL_FLEET"
	# what is pushed twice stays in the table twice
	sql 'SYSTEM STOP MERGES'
	# each half of each release has a label; all is pushed twice
	for host in {0..19}; do
		"$flamectl" push --label half=$((host / 2 % 2)) "$FLAMECTL_FLEET" \
			"$BATS_FILE_TMPDIR/windows/host$host"-*.pb.gz
	done
	"$flamectl" push --label half=0 "$FLAMECTL_FLEET" "$BATS_FILE_TMPDIR"/windows/host{0,1}-*.pb.gz
	# a file that a test may have open in the meantime
	"$flamectl" merge -o "$BATS_FILE_TMPDIR/all.pb.gz" "$BATS_FILE_TMPDIR"/windows/*.pb.gz
}

teardown_file() {
	clickhouse_stop "$BATS_FILE_TMPDIR/server"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	cd "$BATS_FILE_TMPDIR/windows" || return
	all=$BATS_FILE_TMPDIR/all.pb.gz
	cd "$BATS_TEST_TMPDIR" || return
	windows=$BATS_FILE_TMPDIR/windows
}

# same VIEW... : the view of the fleet is that of the sum of all files
same() {
	"$flamectl" "$@" fleet: > of-fleet
	"$flamectl" "$@" "$all" > of-files
	[ -s of-files ]
	cmp of-files of-fleet
}

@test "a user who may only read gets the same answers" {
	"$flamectl" report --flat fleet: > expected
	FLAMECTL_FLEET=clickhouse://seer@${store#http://}/fleet "$flamectl" report --flat fleet: | diff expected -
	# and is one
	run -1 "$flamectl" fleet init "clickhouse://seer@${store#http://}/fleet"
	[[ $output = *'Code: 164'* ]]
}

@test "the store has windows twice" {
	[ "$(sql 'SELECT count() FROM fleet.profiles')" -gt "$(sql 'SELECT count() FROM fleet.profiles FINAL')" ]
}

@test "each view of the fleet is that of all files" {
	same report --no-pager
	same report --no-pager --flat
	same report --no-pager --by host,comm
	same report --no-pager --callers --drop-late
	same report --no-pager --weight count --no-idle --context softirq
	same export --to folded
	same dump --by host,comm,context -i
	same svg --title t
}

@test "a sum of the fleet can be saved, and is that of all files" {
	"$flamectl" merge -o fleet.pb.gz fleet:
	"$flamectl" dump --by host,comm,context -i fleet.pb.gz > of-fleet
	"$flamectl" dump --by host,comm,context -i "$all" | diff - of-fleet
	"$flamectl" status --json -i fleet.pb.gz | jq -S .books > of-fleet
	"$flamectl" status --json -i "$all" | jq -S .books | diff - of-fleet
	# and with a file
	"$flamectl" merge fleet:host=host0 fleet:host=host1 "$windows"/host2-*.pb.gz -o three.pb.gz
	"$flamectl" merge "$windows"/host[012]-*.pb.gz -o files.pb.gz
	"$flamectl" dump --by host,comm -i three.pb.gz > of-fleet
	"$flamectl" dump --by host,comm -i files.pb.gz | diff - of-fleet
}

# chosen CHOICE FILE...: a choice has the windows in these files, and no other
chosen() {
	local choice=$1
	shift
	"$flamectl" report --no-pager --flat "fleet:$choice" > of-fleet
	"$flamectl" merge "$@" | "$flamectl" report --no-pager --flat - > of-files
	diff of-files of-fleet
}

@test "choices are by host, release, machine, label and time" {
	chosen host=host7 "$windows"/host7-*
	chosen 'host=host1*' "$windows"/host1-* "$windows"/host1?-*
	chosen host=host2,host=host3 "$windows"/host[23]-*
	chosen release=6.12 "$windows"/host*[13579]-*
	chosen release=6.1 "$windows"/host*[02468]-*
	chosen release=6 "$windows"/*
	chosen release=6.1,half=1 "$windows"/host{2,6,10,14,18}-*
	chosen machine=x86_64 "$windows"/*
	# the windows start at 10:56, 10:57 and 10:58
	chosen from=2026-11-27T10:57 "$windows"/*-[12].pb.gz
	chosen from=2026-11-27T10:57,to=2026-11-27T10:58 "$windows"/*-1.pb.gz
	chosen hour=2026-11-27T10 "$windows"/*
	for none in host=host release=6.120 machine=arm64 half=2 day=2026-11-28 "host=it's" 'host=_ost1'; do
		run -1 "$flamectl" report --no-pager "fleet:$none"
		[ "$output" = "flamectl: cannot read fleet:$none: no window of the store matches" ]
	done
}

@test "functions by self, and what changed between two choices, are those of files" {
	"$flamectl" query top > of-fleet
	"$flamectl" report --no-pager --flat "$all" | diff - of-fleet
	"$flamectl" merge -o old.pb.gz "$windows"/host*[02468]-*
	"$flamectl" merge -o new.pb.gz "$windows"/host*[13579]-*
	"$flamectl" query diff release=6.1 release=6.12 > of-fleet
	"$flamectl" diff --text --threshold 0.5 old.pb.gz new.pb.gz | diff - of-fleet
	"$flamectl" diff --text old.pb.gz fleet:release=6.12 > of-fleet
	"$flamectl" diff --text old.pb.gz new.pb.gz | diff - of-fleet
}

# share FILE...: the share of all time that is in slow_path, as report --flat has it
share() {
	"$flamectl" merge "$@" | "$flamectl" report --no-pager --flat --threshold 0 - |
		awk '$NF == "slow_path" { print $4 + 0 }'
}

@test "hosts that spend much in a function are found, with their shares" {
	"$flamectl" query hosts --function slow_path --over 0 > all-hosts
	[ "$(grep -c '%  host' all-hosts)" = 20 ]
	grep -qx '# 20 of 20 hosts spend 0 % or more in slow_path' all-hosts
	sort -rn -k 1,1 -s all-hosts | diff - all-hosts
	for host in 0 7 13; do
		[ "$(awk -v host=host$host '$3 == host { print $1 + 0 }' all-hosts)" = "$(share "$windows/host$host"-*)" ]
	done
	"$flamectl" query hosts --function slow_path --over 5 release=6.12 > some
	awk '/%  host/ && ($1 < 5 || $3 !~ /[13579]$/) { exit 1 }' some
	[ "$(grep -c '%  host' some)" = "$(awk '/%  host/ && $1 >= 5 && $3 ~ /[13579]$/' all-hosts | wc -l)" ]
	"$flamectl" query hosts --function "no'such" > none
	[ "$(cat none)" = "# 0 of 20 hosts spend 1 % or more in no'such; no matching window has a function of this name" ]
}

@test "a heat map has a line a host and a column a time" {
	"$flamectl" query heat --function slow_path --step 1m > map
	sed -n 1p map | grep -qx '# percent.*slow_path, from 2026-11-27 10:56 UTC; a column is 60 s'
	[ "$(sed -n 2p map | xargs)" = '10:56 10:57 10:58 host' ]
	[ "$(grep -c ' host[0-9]' map)" = 20 ]
	for window in 0 1 2; do
		[ "$(awk -v at=$((window + 1)) '$NF == "host5" { print $at + 0 }' map)" = "$(share "$windows/host5-$window.pb.gz")" ]
	done
	run -1 "$flamectl" push "$FLAMECTL_FLEET" "$windows/missing"
	# a host without a window in one step
	"$flamectl" query heat --function slow_path --step 1m from=2026-11-27T10:57 > map
	[ "$(sed -n 2p map | xargs)" = '10:57 10:58 host' ]
}

@test "a regression is found, and halves of one release have none" {
	"$flamectl" query regressions release=6.1 release=6.12 > found
	[ "$(awk '!/^#/ { print $NF }' found)" = slow_path ]
	awk '$NF == "slow_path" && !($1 > 3 && $7 < 0.001) { exit 1 }' found
	grep -qE '^# 1 of [0-9]+ functions changed from 10 hosts to 10$' found
	"$flamectl" query regressions release=6.12 release=6.1 | grep -qE '^ *-.* slow_path$'
	# more than it changed by
	"$flamectl" query regressions --effect 50 release=6.1 release=6.12 | grep -q '^# 0 of '
	for release in 6.1 6.12; do
		"$flamectl" query regressions release=$release,half=0 release=$release,half=1 | grep -q '^# 0 of '
	done
}
