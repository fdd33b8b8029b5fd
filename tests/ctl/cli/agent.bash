# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # the tests use them
#
# Tests of an agent that keeps windows of a made-up module, for tests that load this.

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	programs=$(realpath tests/ctl/cli/programs.bash)
	metrics_py=$(realpath tests/ctl/unit/metrics.py)
	misbehaving=$(realpath tests/ctl/unit/misbehaving.py)
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
	unset http_proxy https_proxy all_proxy
}

teardown() {
	exec 4>&- 5>&-	# servers end when their input does
	for pid in "${pids[@]}"; do
		kill -KILL "$pid" 2> /dev/null || true
	done
}

# start LOOKS [OPTION...]: start an agent in the directory state, in the background
start() {
	local looks=$1
	shift
	"$fake" "$looks" agent --window 1s --state-directory state "$@" 2> log 3>&- &
	agent=$!
	pids+=("$agent")
}

# windows NUMBER: wait until there are so many, for at most 20 s
windows() {
	local i
	for ((i = 0; i < 200; i++)); do
		[ "$(find state/windows -name '*.pb.gz' 2> /dev/null | wc -l)" -lt "$1" ] || return 0
		sleep 0.1
	done
	cat log
	return 1
}

# key NAME: print a number of the ledger
key() { sed -n "s/^$1=//p" state/ledger; }

# for_20s COMMAND...: wait until it succeeds
for_20s() {
	local i
	for ((i = 0; i < 200; i++)); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}
