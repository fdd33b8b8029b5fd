#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Prometheus' own programs read what flamectl metrics writes: promtool checks it, and
# node-exporter and Prometheus carry it, with the same sums.
# Debian packages: jq, prometheus, prometheus-node-exporter, python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	fleet_md=$(realpath docs/fleet.md)
	cd "$BATS_TEST_TMPDIR" || return
	started=()
}

teardown() {
	[ "${#started[@]}" = 0 ] || kill "${started[@]}" || true
	wait
}

# start COMMAND...: run it until the test ends
start() {
	"$@" > "log-${#started[@]}" 2>&1 3>&- &
	started+=($!)
}

# free_port: print a port of this machine that nobody uses
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# until_true COMMAND...: wait for it to succeed, for at most 60 s
until_true() {
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		"$@" && return
		sleep 0.2
	done
	tail -n 20 log-*
	return 1
}

# get URL [QUERY]: print what is there
get() {
	python3 - "$@" 2> /dev/null <<-'END'
	import sys
	from urllib.parse import quote
	from urllib.request import urlopen
	print(urlopen(sys.argv[1] + quote("".join(sys.argv[2:])), timeout=10).read().decode())
	END
}

@test "promtool finds nothing in metrics of a file and of the module" {
	"$flamectl" metrics "$saved" > saved.prom
	promtool check metrics < saved.prom > found 2>&1
	[ ! -s found ]
	"$fake" 0 metrics > live.prom
	promtool check metrics < live.prom > found 2>&1
	[ ! -s found ]
	# of an agent that has met a server
	"$fake" 0 agent --window 1s --state-directory state clickhouse://127.0.0.1:1/db 2> log 3>&- &
	started+=($!)
	until_true sh -c "grep -qs '^failures=[1-9]' state/cursor-*"
	"$flamectl" agent metrics --state-directory state > agent.prom
	grep -q '^flamemod_agent_target_failures{' agent.prom
	promtool check metrics < agent.prom > found 2>&1
	[ ! -s found ]
	sed 's/_fires_total/_fires/' saved.prom > bad.prom
	run -3 promtool check metrics < bad.prom
}

# asked QUERY: print the only value that Prometheus has for it. There is none for a moment
# after a scrape that took too long, as on a busy machine.
asked() {
	get "http://127.0.0.1:$server/api/v1/query?query=" "$1" |
		jq -re '.data.result | if length == 1 then .[0].value[1] else empty end'
}

@test "Prometheus gets the module's books by node-exporter, with the right sums" {
	exporter=$(free_port) server=$(free_port)
	mkdir textfiles
	chmod 755 . textfiles
	"$fake" 0 metrics -o textfiles/flamemod.prom
	"$fake" 0 status --json > status.json
	start prometheus-node-exporter --collector.disable-defaults --collector.textfile \
		--collector.textfile.directory=textfiles --web.listen-address="127.0.0.1:$exporter"
	until_true get "http://127.0.0.1:$exporter/metrics" > scraped
	grep -qx 'node_textfile_scrape_error 0' scraped
	grep -q '^node_textfile_mtime_seconds{.*flamemod.prom"}' scraped
	cat > prometheus.yml <<-END
	global: {scrape_interval: 1s}
	scrape_configs:
	  - job_name: node
	    static_configs: [{targets: ["127.0.0.1:$exporter"]}]
	END
	start prometheus --config.file=prometheus.yml --storage.tsdb.path=data \
		--web.listen-address="127.0.0.1:$server"
	until_true asked 'flamemod_info' > /dev/null
	for figure in fires:fires_total missed:missed_periods_total stored:stored_periods_total; do
		[ "$(until_true asked "sum(flamemod_${figure#*:})")" = "$(jq ".books.${figure%:*}" status.json)" ]
	done
	[ "$(jq .books.stored status.json)" -gt 0 ]
	# the questions of docs/fleet.md, as they stand there
	sed -n '/^    sum by/,/^$/p' "$fleet_md" > lost
	sed -n '/^    flamemod_fires_total/,/^$/p' "$fleet_md" > unbalanced
	balanced=$(sed 's/!=/==/' unbalanced)
	[ "$(until_true asked "count($balanced)")" = "$(jq '.cpus | length' status.json)" ]
	[ "$(until_true asked "count($(cat unbalanced)) or vector(0)")" = 0 ]
	# a rate needs two scrapes
	reasons=$(until_true asked "count($(cat lost))")
	[ "$reasons" = "$(jq '.books.lost | length' status.json)" ]
}
