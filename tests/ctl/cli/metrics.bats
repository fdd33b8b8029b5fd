#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Books as Prometheus metrics: metrics.py reads them by the format's rules, and compares
# each figure with the status.
# Debian package: python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	metrics_py=$(realpath tests/ctl/unit/metrics.py)
	cd "$BATS_TEST_TMPDIR" || return
}

@test "a saved profile's metrics are its books" {
	"$flamectl" metrics -o saved.prom "$saved"
	"$flamectl" metrics "$saved" | cmp - saved.prom
	"$flamectl" metrics - < "$saved" | cmp - saved.prom
	"$flamectl" status --json "$saved" > status.json
	[ "$(python3 "$metrics_py" saved.prom status.json)" = "20 43" ]
}

@test "the module's metrics are its books, with and without the word live" {
	"$fake" 0 status --json > status.json
	for words in metrics "metrics live"; do
		# shellcheck disable=SC2086 # words
		"$fake" 0 $words > live.prom
		[[ $(python3 "$metrics_py" live.prom status.json) =~ ^2[0-9]\ [0-9]+$ ]]
		grep -qx 'flamemod_longest_callback_seconds 0.000004321' live.prom
	done
}

@test "books that do not balance, series that are there twice and wrong names are found" {
	"$flamectl" metrics -o good.prom "$saved"
	"$flamectl" status --json "$saved" > status.json
	python3 "$metrics_py" good.prom status.json
	for damage in 's/^(flamemod_fires_total\{cpu="0"\}) .*/\1 1/' 's/fires_total/fires/' \
			'/^flamemod_epoch 7/p' '/HELP flamemod_epoch/d' 's/cpu="3"/cpu="0"/' \
			's/_seconds/_ns/' '/^flamemod_epoch 7/d'; do
		sed -E "$damage" good.prom > bad.prom
		run -1 python3 "$metrics_py" bad.prom status.json
	done
}

@test "of a recording with other events, the metrics are those of its samples" {
	timeout 60 "$fake" 0 record -q --off-cpu -a -d 100ms -o both.pb.gz
	"$flamectl" metrics both.pb.gz > both.prom
	"$flamectl" status --json --event on-cpu both.pb.gz > status.json
	[[ $(python3 "$metrics_py" both.prom status.json) =~ ^[12][0-9]\ [0-9]+$ ]]
	"$flamectl" metrics --event on-cpu both.pb.gz | cmp - both.prom
	run -1 --separate-stderr "$flamectl" metrics --event off-cpu both.pb.gz
	[ -z "$output" ]
	[ "$stderr" = 'flamectl: cannot write stdout: it is the event off-cpu, which is not counted in periods of a timer: only samples have metrics' ]
	"$flamectl" import --event off-cpu -o off-cpu.pb.gz both.pb.gz
	run -1 --separate-stderr "$flamectl" metrics off-cpu.pb.gz
	[ "$stderr" = 'flamectl: cannot write stdout: it is the event off-cpu, which is not counted in periods of a timer: only samples have metrics' ]
}

@test "options for files are refused for the module" {
	for words in '--event x' '--event x live' '--strict live' '--from pprof'; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr "$fake" 0 metrics $words
		[ -z "$output" ]
		[[ ${stderr_lines[0]} = 'flamectl: --'*' is for files: of the module, the metrics are those of its samples' ]]
	done
}

@test "another tool's profile has no metrics, and the file stays" {
	echo before > x.prom
	printf 'a;b 1\n' > folded
	run -1 --separate-stderr "$flamectl" metrics -o x.prom folded
	[ "$stderr" = "flamectl: cannot write x.prom: it is another tool's profile, in which periods of a timer were not counted" ]
	run -1 --separate-stderr "$flamectl" metrics -o x.prom nosuchfile
	[ "$stderr" = "flamectl: cannot write metrics: nosuchfile: No such file or directory" ]
	[ "$(cat x.prom)" = before ]
	run -1 compgen -G ".x.prom.*"
}
