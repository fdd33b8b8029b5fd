#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl export: each format's weights sum to the books, whatever names hold.
# saved.pb.gz is made_profile() of the unit tests: 223 periods of 1 ms, 25 of
# them lost. Debian packages: jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	cd "$BATS_TEST_TMPDIR" || return
}

formats=(speedscope pprof firefox callgrind folded jsonl)

@test "speedscope: a profile each CPU, which sum to the books" {
	"$flamectl" export --to speedscope -o out "$saved"
	jq -e '[.profiles[].name] == ["cpu 0", "cpu 3"]' out
	jq -e '[.profiles[].weights | add] | add == 223000000' out
	jq -e '.profiles | all(.type == "sampled" and .unit == "nanoseconds" and .startValue == 0)' out
	jq -e '.profiles | all((.samples | length) == (.weights | length))' out
	jq -e '.profiles | all(.endValue == (.weights | add))' out
	# root first, below the comm
	jq -e '. as $all | .profiles[0].samples[0] | map($all.shared.frames[.].name) == ["cat", "entry", "do_syscall", "vfs_read"]' out
	jq -e '. as $all | .profiles[1] as $p | [range($p.samples | length)] |
		map(select($all.shared.frames[$p.samples[.][0]].name == "[lost: overload]") | $p.weights[.]) == [5000000]' out
}

@test "speedscope: by thread and all in one" {
	"$flamectl" export --to speedscope --by tid "$saved" > out
	jq -e '[.profiles[].weights | add] | add == 223000000' out
	jq -e '.profiles[0].name == "cat (pid 10, tid 11)" and (.profiles[0].weights | add) == 105000000' out
	jq -e '.profiles[-1].name == "lost" and (.profiles[-1].weights | add) == 25000000' out
	"$flamectl" export --to speedscope --by none "$saved" > out
	jq -e '.profiles | length == 1 and (.[0].weights | add) == 223000000' out
}

@test "firefox: threads, with contexts as categories" {
	"$flamectl" export --to firefox "$saved" > out
	jq -e '[.threads[].samples.weight | add] | add == 223' out
	jq -e '.threads | all(.samples | (.stack | length) == .length and (.weight | length) == .length and (.time | length) == .length)' out
	jq -e '.meta.extra[0].entries | map({(.label): .value}) | add == {fires: 165, missed: 63, stored: 198, filtered: 5, lost: 25}' out
	# the weights by the category of each sample's leaf
	jq -e '. as $all | [.threads[].samples | [.stack, .weight] | transpose[]] |
		map({c: $all.meta.categories[$all.shared.frameTable.category[$all.shared.stackTable.frame[.[0]]]].name, w: .[1]}) |
		group_by(.c) | map({(.[0].c): map(.w) | add}) | add ==
		{hardirq: 3, idle: 1, lost: 25, softirq: 5, task: 104, user: 85}' out
	"$flamectl" export --to firefox --by tid "$saved" > out
	jq -e '[.threads[].samples.weight | add] | add == 223' out
}

@test "callgrind: calls and functions sum to the books" {
	"$flamectl" export --to callgrind "$saved" > out
	grep -qx 'summary: 223 135' out
	# costs that are not calls
	awk '/^calls=/ { getline; next } /^0 / { sum += $2 } END { exit sum != 223 }' out
}

@test "folded is what dump prints" {
	"$flamectl" dump -i "$saved" > dumped
	"$flamectl" export --to folded "$saved" | cmp - dumped
	"$flamectl" dump -i "$saved" --by cpu,pid > dumped
	"$flamectl" export --to folded --by cpu,pid "$saved" | cmp - dumped
}

# cat ran for 5 of 223 periods on CPU 3; 5 were filtered before.
@test "every format has what is selected, and its books the rest as filtered" {
	local select=(--comm cat --cpu 3 --cut entry)
	"$flamectl" export --to folded "${select[@]}" "$saved" > out
	[ "$(cat out)" = 'cat;entry 5' ]
	"$flamectl" export --to speedscope "${select[@]}" "$saved" > out
	jq -e '[.profiles[].weights | add] | add == 5000000' out
	jq -e '. as $all | [.profiles[].samples[] | map($all.shared.frames[.].name)] == [["cat", "entry"]]' out
	"$flamectl" export --to callgrind "${select[@]}" "$saved" > out
	grep -qx 'summary: 5 4' out
	grep -qx 'desc: Books: fires 165 + missed 63 = stored 5 + filtered 223 + lost 0 periods' out
	"$flamectl" export --to firefox "${select[@]}" "$saved" > out
	jq -e '[.threads[].samples.weight | add] | add == 5' out
	jq -e '.meta.extra[0].entries | map({(.label): .value}) | add == {fires: 165, missed: 63, stored: 5, filtered: 223, lost: 0}' out
	"$flamectl" export --to jsonl "${select[@]}" "$saved" > out
	jq -se 'map(select(.type != "header") | [.type, .stack, .cpu, .periods]) == [["record", ["entry"], 3, 5]]' out
	jq -se '.[0].books | [.stored, .filtered, .lost.overload] == [5, 223, 0]' out
	"$flamectl" export --to pprof "${select[@]}" "$saved" > out
	"$flamectl" status --json -i out | jq -e '.books | [.fires, .missed, .stored, .filtered] == [165, 63, 5, 223]'
	[ "$("$flamectl" dump -i out)" = 'cat;entry 5' ]
}

@test "without stacks the files are empty, and their books say why" {
	local format
	for format in "${formats[@]}"; do
		"$flamectl" export --to "$format" --comm nobody -o "$format" "$saved"
	done
	[ ! -s folded ]
	[ "$(jq -sc 'map(.books | [.stored, .filtered])' jsonl)" = '[[0,228]]' ]
	jq -e '[.profiles[].samples[]] == []' speedscope
	jq -e '[.threads[].samples.length] | add == 0' firefox
	grep -qx 'summary: 0 0' callgrind
	"$flamectl" status --json -i pprof | jq -e '.books | [.stored, .filtered] == [0, 228]'
}

@test "pprof is what was saved" {
	"$flamectl" export --to pprof "$saved" > out.pb.gz
	"$flamectl" status --json -i "$saved" > status
	"$flamectl" status --json -i out.pb.gz | cmp - status
	"$flamectl" dump -i "$saved" --by comm,pid,tid,cpu,context > dumped
	"$flamectl" dump -i out.pb.gz --by comm,pid,tid,cpu,context | cmp - dumped
}

@test "jsonl: a header, then records and losses that sum to its books" {
	"$flamectl" export --to jsonl "$saved" > out
	[ "$(head -n 1 out | jq -c '[.type, .period_ns, .books.stored, .host]')" = '["header",1000000,198,"höst = �"]' ]
	[ "$(jq -s 'map(.periods // 0) | add' out)" -eq 223 ]
	[ "$(jq -s 'map(select(.type == "record") | .periods) | add' out)" -eq 198 ]
	jq -se 'map(select(.type == "lost" and .reason == "no-regs")) == [{type: "lost", cpu: 3, reason: "no-regs", periods: 7}]' out
	jq -se '.[1] == {type: "record", stack: ["entry", "do_syscall", "vfs_read"], pid: 10, tid: 11, comm: "cat", cpu: 0, context: "task", count: 67, periods: 100, late_us: 700, host: "höst = �"}' out
}

@test "text formats contain no control characters, whatever the names" {
	local format
	for format in speedscope firefox callgrind folded jsonl; do
		"$flamectl" export --to "$format" "$saved" > out
		run -1 grep -qaP '[\x00-\x08\x0b-\x1f\x7f]' out
		iconv -f UTF-8 -t UTF-8 out > /dev/null
	done
}

@test "JSON has no control character, not even DEL" {
	printf '# hostname : h\177\302\233m\na\177b 1 [000] 1.5: cycles:\n\tffffffff81000000 f\177 ([kernel.kallsyms])\n' |
		"$flamectl" import --from perf-script -o odd.pb.gz -
	local format
	for format in speedscope firefox jsonl callgrind folded; do
		"$flamectl" export --to "$format" odd.pb.gz > out
		run -1 grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out
	done
	"$flamectl" export --to jsonl odd.pb.gz | tail -n 1 | jq -e '.comm == "a\u007fb" and .stack == ["f\u007f"] and .host == "h\u007f\u009bm"'
	"$flamectl" status --json -i odd.pb.gz > out
	run -1 grep -qaP '[\x00-\x08\x0b-\x1f\x7f]' out
}

@test "what cannot be read or written leaves nothing behind" {
	head -c 700 "$saved" > cut
	local format
	for format in "${formats[@]}"; do
		run -1 --separate-stderr "$flamectl" export --to "$format" -o out cut
		[[ $stderr = 'flamectl: cannot export: cut: '* ]]
		[ ! -e out ]
		run -1 --separate-stderr "$flamectl" export --to "$format" -o /dev/full "$saved"
		[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	done
}

@test "binary output to a terminal is refused" {
	script -qec true /dev/null || skip "no terminal can be made here: is devpts mounted?"
	run -2 timeout 20 script -qec "'$flamectl' export --to pprof '$saved'" /dev/null
	[[ $output == "flamectl: pprof is a binary format, and standard output is a terminal"* ]]
}

@test "wrong usage is reported" {
	refused() { # MESSAGE ARGUMENT...
		local message=$1
		shift
		run -2 --separate-stderr "$flamectl" export "$@"
		[ -z "$output" ]
		[[ ${stderr_lines[0]} = "flamectl: $message"* ]]
	}
	refused '--to is missing: name the format, speedscope, ' "$saved"
	refused '--to xml: there are speedscope, ' --to xml "$saved"
	refused 'export needs a profile: name a file, - for stdin, or live' --to folded
	refused '--by does not apply to pprof, which contains all levels: leave it out' --to pprof --by cpu "$saved"
	refused '--by for firefox is cpu, tid or none' --to firefox --by comm "$saved"
	refused '--context irq: the contexts are user, task, softirq, hardirq and idle' --to folded --context irq "$saved"
	refused 'cannot group by "x"' --to folded --by x "$saved"
}

@test "weights in bytes keep their unit in formats that know it" {
	load foreign.bash
	foreign inuse_space bytes 400 > heap
	"$flamectl" export --to speedscope heap | jq -e '.profiles[0] | .unit == "bytes" and .endValue == 400'
	"$flamectl" export --to firefox heap | jq -e '.threads[0].samples | .weightType == "bytes" and .weight == [400]'
	"$flamectl" export --to jsonl heap | jq -se '.[0].unit == "bytes"'
	foreign faults count 400 > faults
	"$flamectl" export --to speedscope faults | jq -e '.profiles[0].unit == "none"'
	"$flamectl" export --to firefox faults | jq -e '.threads[0].samples.weightType == "samples"'
	# the books, too
	label() { jq -r '.meta.extra[0].label'; }
	[ "$("$flamectl" export --to firefox heap | label)" = 'Books, in bytes' ]
	[ "$("$flamectl" export --to firefox "$saved" | label)" = 'Books, in sampling periods' ]
	printf 'a;b 1\n' | "$flamectl" import -o text -
	[ "$("$flamectl" export --to firefox text | label)" = 'Books, in samples' ]
}
