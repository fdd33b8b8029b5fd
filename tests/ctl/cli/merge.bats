#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl merge: sums are exact, hosts stay separate, and profiles that cannot be summed
# are refused. Debian packages: jq, python3, valgrind.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	cd "$BATS_TEST_TMPDIR" || return
}

# of_host: make a profile of HOST at HZ (none: unknown rate), one sample for each STACK
of_host() { # FILE HOST HZ "STACK..."
	local stack
	{
		echo "# hostname : $2"
		for stack in $4; do
			printf 'cat 7/8 [001] 1.5: cycles:\n\tffffffff81000000 %s ([kernel.kallsyms])\n\n' "$stack"
		done
	} | "$flamectl" import --from perf-script ${3:+-F "$3"} -o "$1" -
}

@test "a profile merged with itself is twice that" {
	"$flamectl" merge -o two.pb.gz "$saved" "$saved"
	local by=comm,pid,tid,cpu,context
	"$flamectl" dump -i "$saved" --by $by | awk '{ $NF *= 2; print }' > expected
	"$flamectl" dump -i two.pb.gz --by $by | diff expected -
	"$flamectl" status --json -i "$saved" > one
	"$flamectl" status --json -i two.pb.gz > two
	jq -se '.[0].books as $one | .[1].books | .expected == 2 * $one.expected and .fires == 2 * $one.fires and
		.missed == 2 * $one.missed and .stored == 2 * $one.stored and .filtered == 2 * $one.filtered and
		.truncated == 2 * $one.truncated and .lost == ($one.lost | map_values(. * 2))' one two
	jq -se '.[0].settings == .[1].settings and .[0].host == .[1].host and 2 * .[0].duration_ns == .[1].duration_ns and .[0].time_ns == .[1].time_ns' one two
	# and late_us, which folded text does not have
	[ "$("$flamectl" export --to jsonl two.pb.gz | jq -s 'map(.late_us // 0) | add')" -eq \
		$((2 * $("$flamectl" export --to jsonl "$saved" | jq -s 'map(.late_us // 0) | add'))) ]
}

@test "a single profile is not changed, and order does not matter" {
	"$flamectl" merge "$saved" > one.pb.gz
	"$flamectl" dump -i "$saved" > expected
	"$flamectl" dump -i one.pb.gz | diff expected -
	of_host a a 1000 "f g"
	"$flamectl" merge a "$saved" | "$flamectl" dump -i - --by host,comm > ab
	"$flamectl" merge "$saved" a | "$flamectl" dump -i - --by host,comm | diff ab -
	"$flamectl" merge a "$saved" -o both
	"$flamectl" merge both a | "$flamectl" dump -i - --by host,comm > aba
	grep -qx 'host a;cat;f 2' aba
}

@test "hosts stay separate even if their tasks have the same ids" {
	of_host a web1 "" "f g"
	of_host b web2 "" "f f"
	"$flamectl" merge -o all a b
	cat > expected <<-'END'
	host web1;cat;f 1
	host web1;cat;g 1
	host web2;cat;f 2
	END
	"$flamectl" dump -i all --by host,comm | diff expected -
	# by folded text, too
	"$flamectl" dump -i all --by host,comm | "$flamectl" import --from folded - | "$flamectl" dump -i - --by host,comm | diff expected -
	printf 'cat;f 3\ncat;g 1\n' > expected
	"$flamectl" dump -i all | diff expected -
	"$flamectl" status --json -i all | jq -e '.host == "" and .books.stored == 4'
	"$flamectl" export --to jsonl all | jq -se 'map(select(.type == "record") | .host) | sort == ["web1", "web1", "web2"]'
	"$flamectl" export --to speedscope --by tid all |
		jq -e '[.profiles[].name] == ["cat (pid 7, tid 8, host web1)", "cat (pid 7, tid 8, host web2)"]'
	"$flamectl" merge a a | "$flamectl" status --json -i - | jq -e '.host == "web1"'
}

@test "periods of two lengths are refused, or summed as time" {
	of_host a a 100 "f f"
	of_host b a 1000 "f"
	of_host c a "" "f"
	run -1 --separate-stderr "$flamectl" merge -o out a b
	[ "$stderr" = 'flamectl: cannot merge: b: its periods are of 1000000 ns, those of a of 10000000 ns: they cannot be summed; --ns sums time instead' ]
	run -1 --separate-stderr "$flamectl" merge -o out a c
	[ "$stderr" = 'flamectl: cannot merge: c: the length of the periods of c is not known: they cannot be summed with those of a; import it with -F HZ' ]
	run -1 --separate-stderr "$flamectl" merge --ns -o out a c
	[ "$stderr" = 'flamectl: cannot merge: c: the length of its periods is unknown, so they cannot become time; import it with -F HZ' ]
	[ ! -e out ]
	"$flamectl" merge --ns a b "$saved" -o out
	"$flamectl" dump -i out > got
	grep -qx 'cat;f 21000000' got
	grep -qx '\[lost: overload\] 5000000' got
	"$flamectl" status --json -i out | jq -e '.period_ns == 1 and .hz == 0 and .books.stored == 219000000 and .books.fires + .books.missed == 249000000'
}

@test "what a selection leaves out of each file is filtered in the sum" {
	of_host a web1 1000 "f g"
	"$flamectl" merge -o out --comm cat --exclude '^g$' a "$saved" "$saved"
	"$flamectl" dump -i out --by comm > got
	printf 'cat;entry;do_syscall;vfs_read 210\ncat;f 1\n' | diff - got
	# 105 of twice 198 stored and 25 lost are kept; 5 were filtered before; and g
	"$flamectl" status --json -i out | jq -e '.books | [.stored, .filtered] == [211, 247] and ([.lost[]] | add == 0)'
	# the same as a selection from the sum
	"$flamectl" merge a "$saved" "$saved" | "$flamectl" dump -i - --comm cat --exclude '^g$' | diff - got
	run -2 --separate-stderr "$flamectl" merge --cpu x -o none a
	[ "${stderr_lines[0]}" = 'flamectl: --cpu x: a list such as 0-3,8 of CPUs from 0 to 65535' ]
	[ ! -e none ]
}

@test "a sum's duration is the sum of its parts', whatever time was between them" {
	# jq does not represent numbers of this size exactly
	times() { "$flamectl" status --json -i "$1" | grep -E '"(time|duration)_ns"' | tr -cd '0-9\n' | paste -sd ' '; }
	[ "$(times "$saved")" = '1700000000123456789 10000000001' ]
	# the same three years before, without the label
	zcat "$saved" > raw
	load foreign.bash
	varint 1700000000123456789 > now
	varint 1605392000123456789 > then
	python3 - <<-'END'
		raw, now, then = (open(name, 'rb').read() for name in ('raw', 'now', 'then'))
		assert raw.count(now) == 1
		open('before', 'wb').write(raw.replace(now, then))
	END
	[ "$(times before)" = '1605392000123456789 10000000001' ]
	"$flamectl" merge -o out "$saved" before "$saved"
	[ "$(times out)" = '1605392000123456789 30000000003' ]
	"$flamectl" report out | grep -q '^# 2 CPUs, 1000 Hz, 30.0 s, '
	"$flamectl" status -i out | grep -qx 'sampled    30.0 s'
	# nor if one file does not say when it was recorded
	of_host a 'höst = ' 1000 "f"
	[ "$("$flamectl" merge a "$saved" | times -)" = '0 10000000001' ]
}

@test "settings that differ are left out" {
	of_host a 'höst = ' 1000 "f"
	"$flamectl" merge a "$saved" | "$flamectl" status --json -i - > got
	jq -e '.settings == {hz: 1000, max_depth: 0, exclude_idle: false, kernel_only: false, pids: [], cpus: "", followed_only: false, user_stacks: false, user_places: false} and .time_ns == 0' got
}

@test "what cannot be read leaves nothing behind" {
	echo old > out
	head -c 700 "$saved" > cut
	run -1 --separate-stderr "$flamectl" merge -o out "$saved" cut
	[[ $stderr = 'flamectl: cannot merge: cut: '* ]]
	[ "$(cat out)" = old ]
	run -2 --separate-stderr "$flamectl" merge
	[ "${stderr_lines[0]}" = 'flamectl: merge needs files: name saved profiles, or other inputs that flamectl import --help lists' ]
	run -1 --separate-stderr "$flamectl" merge -o /dev/full "$saved"
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	# merge may replace a file that it reads
	cp "$saved" same
	"$flamectl" merge -o same same "$saved"
	[ "$("$flamectl" status --json -i same | jq .books.stored)" -eq 396 ]
}

# Ten times as many files with the same stacks need no more memory.
@test "memory grows with distinct stacks, not with files" {
	awk 'BEGIN { for (i = 0; i < 5000; i++) {
		line = "c"
		for (d = 0; d < 12; d++) line = line ";f" (d < 6 ? d : (i * 7919 + d) % 10007)
		print line, i % 9 + 1 } }' > text
	"$flamectl" import --from folded -o a text
	peak() { # FILE...
		valgrind --tool=massif --massif-out-file=massif "$flamectl" merge -o out "$@" 2> /dev/null
		sed -n 's/^mem_heap_B=//p' massif | sort -n | tail -n 1
	}
	local two ten
	two=$(peak a a)
	ten=$(peak a a a a a a a a a a)
	[ "$two" -gt 1000000 ]
	[ "$ten" -lt $((two * 11 / 10)) ]
	[ "$("$flamectl" status --json -i out | jq .books.stored)" -eq $((10 * $(awk '{ n += $NF } END { print n }' text))) ]
}
