# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the storms. With STORM=small in the kernel's arguments each runs for a few
# seconds instead of the numbers in their names.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# times FULL SMALL: print how often, or how long
times() {
	if [ "${STORM:-full}" = small ]; then
		echo "$2"
	else
		echo "$1"
	fi
}

# books_right NAME: stop sampling, and check that the profile adds up
books_right() {
	local folded=$OUT/$1.folded json=$OUT/$1.json

	flamectl stop 2>/dev/null
	ok "$1: it can be dumped" flamectl dump -o "$folded"
	flamectl status --json >"$json"
	is "$1: it found itself consistent" "$(what .state "$json")" stopped
	books_balance "$1" "$json"
	clock_agrees "$1" "$json"
	is "$1: the stacks sum to what the books say" \
		"$(folded_sum "$folded")" "$(stored_and_lost "$json")"
	holds "$1: there was something to count" "$(what .books.stored "$json") > 0"
	holds "$1: memory is within its bound" \
		"$(what .memory_bytes "$json") <= $(what .memory_limit_bytes "$json")"
}

# live_books_wrong: print the CPUs whose books do not balance or do not match the clock,
# during sampling; print nothing and fail if there are none. On a busy host a fire may be
# late by a tenth of a second.
live_books_wrong() {
	awk '$1 == "period_ns" { late = 1e8 / $2 }
		$1 ~ /^(cpu[0-9]+|total)$/ {
			seen++
			lost = 0
			for (i = 2; i < NF; i += 2) {
				v[$i] = $(i + 1)
				if ($i ~ /^lost-/) lost += $(i + 1)
			}
			counted = v["fires"] + v["missed"]
			off = v["expected"] - counted
			if (off < 0) off = -off
			if (counted != v["stored"] + v["filtered"] + lost || off > 2 * late) print
		}
		END { if (!seen) print "no books" }' "$debugfs/status" | grep .
}

# priority NICE: set that of this shell and its later children, so that the storm's own
# work comes before the load and the readers.
priority() { renice "$1" -p $$ >/dev/null; }

# cpu_cycles: let CPU 1 go and come, until cpu_stays
cpu_cycles() {
	(
		while :; do
			echo 0 >/sys/devices/system/cpu/cpu1/online
			sleep 0.3
			echo 1 >/sys/devices/system/cpu/cpu1/online
			sleep 0.7
		done
	) 2>/dev/null &
	cycling=$!
}

cpu_stays() {
	kill "$cycling"
	wait "$cycling" 2>/dev/null
	echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
}
