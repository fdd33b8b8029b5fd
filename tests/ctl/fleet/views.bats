#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# A window above Pyroscope's limits is pushed as several profiles, which sum to it. The
# servers of views are not in Debian: views.py of the unit tests stands for them.
# Debian packages: libcurl4, python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	make_windows=$(realpath out/fleet/windows)
	views=$(realpath tests/ctl/unit/views.py)
	cd "$BATS_TEST_TMPDIR" || return
	unset http_proxy https_proxy all_proxy
	mkfifo input port-pipe
	python3 "$views" serve < input > port-pipe 3>&- 4>&- &
	exec 4> input
	read -r port < port-pipe
	"$make_windows" . 1 1 120000 $(($(date +%s) - 120))
}

teardown() {
	exec 4>&-	# the server ends when its input does
	wait
}

# sum: print how many periods the server has taken
sum() {
	python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=10).read().decode(), end="")' \
		"http://127.0.0.1:$port/log" | awk '{ sum += $NF } END { print sum + 0 }'
}

@test "a window of more than 16000 stacks is two profiles for Pyroscope, and one for Parca" {
	periods=$("$flamectl" dump host0-0.pb.gz | awk '{ sum += $NF } END { print sum }')
	[ "$("$flamectl" dump --by comm,context host0-0.pb.gz | wc -l)" -gt 16000 ]
	run -0 "$flamectl" push "pyroscope://127.0.0.1:$port" host0-0.pb.gz
	[ "$output" = 'pushed 1 window in 2 requests' ]
	[ "$(sum)" -eq "$periods" ]
	run -0 "$flamectl" push "parca://127.0.0.1:$port" host0-0.pb.gz
	[ "$output" = 'pushed 1 window in 1 request' ]
	[ "$(sum)" -eq $((2 * periods)) ]
}

@test "a window that is taken in part is reported" {
	run -1 "$flamectl" push "pyroscope://127.0.0.1:$port/answer/large" host0-0.pb.gz
	[[ $output = *"warning: Pyroscope took 1 of the window's 2 parts; it counts them twice if the window is pushed again"* ]]
	[[ $output = *'answered 413: too large'* ]]
}
