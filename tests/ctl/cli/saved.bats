#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Saved profiles without a module: folded, shown, opened by go tool pprof, and refused
# if damaged. saved.pb.gz is made_profile() of the unit tests.
# Debian packages: golang-go, jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
}

sum() { # of the weights of folded text
	awk '{ sum += $NF } END { print sum + 0 }'
}

@test "a saved profile is folded: all that was stored or lost" {
	"$flamectl" dump -i "$saved" > folded
	grep -qx 'cat;entry;do_syscall;vfs_read 105' folded
	grep -qx '\[lost: overload\] 5' folded
	[ "$(sum < folded)" -eq 223 ]
	[ "$("$flamectl" dump -i - < "$saved" | sum)" -eq 223 ]
	"$flamectl" dump -i "$saved" -o out.folded
	cmp folded out.folded
}

@test "levels, idle time and weights are as requested" {
	"$flamectl" dump -i "$saved" --by cpu,context,pid > folded
	grep -qx 'cpu 3;\[softirq\];pid 10;entry;do_syscall;vfs_read 5' folded
	[ "$("$flamectl" dump -i "$saved" --no-idle | sum)" -eq 222 ]
	"$flamectl" dump -i "$saved" --weight count > folded
	grep -qx 'cat;entry;do_syscall;vfs_read 71' folded
}

@test "go tool pprof opens it, and its totals are ours" {
	go tool pprof -top -unit=ms -nodefraction=0 "$saved" > top
	grep -q '^Type: cpu$' top
	# ours: periods of 1 ms
	total=$("$flamectl" dump -i "$saved" | sum)
	grep -q "of ${total}ms total" top
	grep -qE '^ +105ms .* vfs_read$' top
	grep -qE '^ +9ms .* \[lost: stopped\]$' top
	go tool pprof -top -sample_index=samples "$saved" > top
	grep -q 'of 135 total' top
	go tool pprof -tags -unit=ms "$saved" > tags
	grep -qE '100?\.?0*ms? .*|105.0?ms .*: cat' tags
	grep -qE ': softirq$' tags
	# a pid of 0 differs from no pid
	grep -A9 '^ *pid: Total 198' tags | grep -qE '4(\.0)?ms .*: 0'
}

@test "a copy that go tool pprof wrote is recognised" {
	go tool pprof -proto -output=same.pb.gz "$saved"
	"$flamectl" dump -i same.pb.gz > folded
	"$flamectl" dump -i "$saved" | cmp - folded
	go tool pprof -proto -output=less.pb.gz -focus=vfs_read "$saved"
	run -1 --separate-stderr "$flamectl" dump -i less.pb.gz
	[ -z "$output" ]
	[[ $stderr = *'less.pb.gz: its lost samples do not sum to its books: it may have been changed by another program' ]]
}

@test "profiles of other programs are folded" {
	cat > main.go <<-'END'
	package main

	import (
		"os"
		"runtime/pprof"
	)

	var kept []byte

	func hold() { kept = make([]byte, 10<<20) }

	func main() {
		hold()
		pprof.Lookup("heap").WriteTo(os.Stdout, 0)
	}
	END
	GOCACHE=$PWD/cache go run main.go > heap.pb.gz
	"$flamectl" dump -i heap.pb.gz > folded
	grep -qE ';main\.main;main\.hold [0-9]+$' folded
	"$flamectl" status --json -i heap.pb.gz | jq -e '.books | .fires == .stored and .stored > 10000000'
	# their weights are bytes, and they count no samples
	run -1 "$flamectl" dump --event inuse_space --weight count -i heap.pb.gz
	[ "$output" = 'flamectl: cannot dump: it does not contain numbers of samples: leave out --weight count' ]
	run -1 "$flamectl" diff --text --event inuse_space --weight count heap.pb.gz heap.pb.gz
	[ "$output" = 'flamectl: cannot fold heap.pb.gz: it does not contain numbers of samples: leave out --weight count' ]
	# the other sample types can be chosen by name, as in go tool pprof
	run -0 --separate-stderr "$flamectl" report heap.pb.gz
	[ "$stderr" = 'flamectl: heap.pb.gz: this shows the event inuse_space, not alloc_objects, alloc_space, inuse_objects: choose one with --event NAME' ]
	for type in alloc_objects alloc_space inuse_objects inuse_space; do
		total=$(go tool pprof -raw heap.pb.gz | awk -v type="$type" '
			/^Samples:/ { getline; for (i = 1; i <= NF; i++) if (index($i, type "/")) at = i; on = 1; next }
			/^Locations/ { on = 0 }
			on && /^ +-?[0-9]+ +[0-9]/ { sub(/:.*/, ""); sum += $at }
			END { print sum }')
		"$flamectl" status --event "$type" --json heap.pb.gz | jq -e --arg total "$total" '.books.stored == ($total | tonumber) and .events == null'
	done
	run -1 "$flamectl" report --event none heap.pb.gz
	[ "$output" = 'flamectl: cannot read heap.pb.gz: it has no event none: there are inuse_space, alloc_objects, alloc_space, inuse_objects' ]
	"$flamectl" export --to callgrind -o heap.callgrind heap.pb.gz
	grep -qx 'event: Weight : bytes' heap.callgrind
	grep -qx 'events: Weight Samples' heap.callgrind
	grep -qE '^desc: Books: fires ([0-9]+) .* lost 0 bytes$' heap.callgrind
	"$flamectl" import --from pprof -o again.pb.gz heap.pb.gz
	"$flamectl" dump -i again.pb.gz | cmp - folded
	"$flamectl" dump -i again.pb.gz --event alloc_space > got
	"$flamectl" dump -i heap.pb.gz --event alloc_space | cmp - got
	"$flamectl" status --json again.pb.gz | jq -e '[.events[].name] == ["inuse_space", "alloc_objects", "alloc_space", "inuse_objects"]'
	run -1 "$flamectl" report --weight count again.pb.gz
}

@test "status shows the books of a saved profile" {
	"$flamectl" status -i "$saved" > text
	grep -qE '^rate +1000 Hz' text
	grep -qE '^cpu 3 +119 +90 +28 +88 +5 +25$' text
	grep -qE '^all +229 +165 +63 +198 +5 +25$' text
	grep -qE '^ +7 lost: no-regs$' text
	[ "$(wc -l < text)" -lt 25 ]
}

@test "status separates fires overdue at the end from those overdue at the start" {
	printf 'a;b 12\n' > folded
	"$flamectl" import --from folded folded > saved
	"$flamectl" status -i saved | grep -v overdue
	# of the same length; a recording, whose timers have a resolution
	gzip -dc saved | sed 's/resolution-ns=0/resolution-ns=1/' > recording
	sed 's/overdue=0/overdue=7/' recording | gzip > late
	"$flamectl" status -i late | grep -qx '7 of the expected periods are overdue: they count when their fires come'
	sed 's/overdue=0/overdue=-7/; s/sampled-ns=/sampled-n=/' recording | gzip > late
	"$flamectl" status -i late | grep -qx '7 periods were overdue at the start, and are counted here'
	"$flamectl" status --json -i late | jq -e '.books.overdue == -7 and .cpus[0].overdue == -7'
	# files of earlier versions do not contain it
	"$flamectl" status --json -i "$saved" | jq -e '.books.overdue == 0'
}

@test "status --json has the keys that scripts rely on" {
	"$flamectl" status --json -i "$saved" > json
	jq -e '.hz == 1000 and .running == true and .memory_bytes == 123456' json
	jq -e '.books.expected == 229 and .books.lost["no-regs"] == 7' json
	jq -e '.books | .fires + .missed == .stored + .filtered + ([.lost[]] | add)' json
	jq -e '[.cpus[].cpu] == [0, 3]' json
	jq -e '.cpus | all(.fires + .missed == .stored + .filtered + ([.lost[]] | add))' json
	jq -e '.live == false and .release == "6.1.0-42-amd64" and .period_ns == 1000000' json
	jq -e '.settings == { hz: 1000, max_depth: 64, exclude_idle: true, kernel_only: false, pids: [1, 4194304], cpus: "0-3,8", followed_only: false, user_stacks: false, user_places: false }' json
}

@test "damaged files are refused by name, and nothing is written" {
	head -c 700 "$saved" > cut
	printf 'a;b\n' > text
	: > empty
	gzip -c text > packed
	local file command
	for file in cut text empty packed missing; do
		for command in "dump -o out" "status" "status --json"; do
			# shellcheck disable=SC2086 # words
			run -1 --separate-stderr "$flamectl" $command -i "$file"
			[ -z "$output" ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr = "flamectl: cannot "*": $file: "* ]]
			[ ! -e out ]
		done
	done
}

@test "a bomb of zeros is refused, in bounded memory" {
	head -c 1100000000 /dev/zero | gzip -1 > bomb
	(ulimit -v 3000000; "$flamectl" dump -i bomb 2> err) && false
	grep -q 'bomb: larger than 1024 MiB unpacked' err
}

@test "a message of many small parts is refused, in bounded memory" {
	# an empty sample is two bytes, and some hundred when decoded
	yes "$(printf '\022')" | head -c 200000000 | tr '\n' '\0' | gzip -1 > parts
	(ulimit -v 5000000; "$flamectl" dump -i parts 2> err) && false
	grep -q 'parts: larger than 2048 MiB decoded' err
}

@test "errors of writing are reported" {
	run -1 --separate-stderr "$flamectl" dump -i "$saved" -o /dev/full
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	"$flamectl" dump -i "$saved" > /dev/full 2> err && false
	grep -qx 'flamectl: cannot write stdout: No space left on device' err
	"$flamectl" status --json -i "$saved" > /dev/full 2> err && false
	grep -qx 'flamectl: cannot write stdout: No space left on device' err
	{
		code=0
		"$flamectl" dump -i "$saved" 2> err || code=$?
		echo $code > code
	} | true
	# the reader may go before or after the last write; there is no message either way
	[[ $(cat code) = @(0|141) ]]
	[ ! -s err ]
}

@test "lack of memory is reported as such, not as a damaged file" {
	awk 'BEGIN { for (i = 0; i < 40000; i++) print "c;f" i % 977 ";g" i % 1009 ";h" i, 1 }' |
		"$flamectl" import --from folded -o large.pb.gz -
	local kib short=0
	# from the least memory in which it starts to enough
	for ((kib = 8000; kib < 80000; kib += 500)); do
		(ulimit -v $kib; "$flamectl" --version > out 2>&1) || continue
		(ulimit -v $kib; "$flamectl" svg large.pb.gz > out 2> err) && break
		grep -qE '^flamectl: cannot .*(memory is short|Cannot allocate memory)$' err || { echo "$kib: $(cat err)"; false; }
		short=$((short + 1))
	done
	[ "$short" -ge 5 ]
	[ "$kib" -lt 80000 ]
}
