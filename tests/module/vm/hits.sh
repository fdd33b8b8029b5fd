# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What tests do with the output of the client hits.c, in files of $OUT. Sourced after
# tests/module/vm/flamemod.sh.

# Fields of an event's books, after "books NUMBER hits|weight".
declare -A field=([seen]=4 [stored]=5 [filtered]=6 [below]=7 [full]=8 [overload]=10 [nested]=12
	[missed]=13 [nmi]=14 [suspended]=15 [large]=16)

# books NAME EVENT hits|weight FIELD: print one of its books
books() { awk -v f="${field[$4]}" '/^books '"$2 $3"' / { print $f }' "$OUT/$1"; }

# balances NAME NR: check the books of a run's events, and that their stacks sum to them
balances() {
	is "$1: seen = stored + filtered + below + lost" \
		"$(awk '/^books/ { sum = 0; for (i = 5; i <= NF; i++) sum += $i
			if (sum == $4) n++; else print } END { print n + 0 }' "$OUT/$1")" \
		$((2 * $2))
	is "$1: stacks sum to what is stored" \
		"$(awk '/^books .* weight/ { sum[$2] += $5 } /^books .* hits/ { hits[$2] += $5 }
			/^stack/ { sum[$2] -= $NF; hits[$2] -= $(NF - 1) }
			END { for (e in sum) if (sum[e] || hits[e]) print e, sum[e]; else n++
				print n + 0 }' "$OUT/$1")" "$2"
	is "$1: no event is broken" "$(grep -c '^broken 0' "$OUT/$1")" "$2"
}

# client_begin NAME ARG...: attach in the background, and wait until that is done; $OUT/NAME gets
# the dump at the end. Its process is added to $clients.
clients=()
client_begin() {
	local name=$1
	shift
	/root/hits "$@" < <(until [ -e "$OUT/$name.end" ]; do sleep 0.1; done) \
		>"$OUT/$name" 2>"$OUT/$name.err" &
	clients+=($!)
	wait_for 60 grep -q attached "$OUT/$name.err"
}

# client_end NAME PID: let it dump and end
client_end() {
	touch "$OUT/$1.end"
	wait "$2"
}

# books_differ NAME: report whether the books of a run do not balance
books_differ() {
	awk '/^books/ { sum = 0; for (i = 5; i <= NF; i++) sum += $i; if (sum != $4) wrong = 1; n++ }
		END { exit n && !wrong }' "$OUT/$1"
}
