#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Files of several events: import and merge keep each event, and each is shown as if
# the file held no other. Debian packages: golang-go, jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
	events=(cycles:ppp cache-misses sched:sched_switch cpu-clock:pppH)
	text 60 > text
}

# text SAMPLES [FIRST]: print samples of the events in turn, as perf script does. The
# events have some stacks and tasks in common, and others of their own
text() {
	local first=${2:-0} i event

	echo '# hostname : web1'
	for ((i = first; i < first + $1; i++)); do
		event=${events[i * 7 % 11 % ${#events[@]}]}
		printf 'cat %d/%d [00%d] %d.5: %d %s: \n' $((10 + i % 2)) $((20 + i % 3)) $((i % 4)) \
			$((100 + i)) "$([ "$event" = cpu-clock:pppH ] && echo 1000000 || echo $((1000 + i)))" "$event"
		printf '\tffffffff8100%04x leaf_%d ([kernel.kallsyms])\n' "$i" $((i % 5))
		[ $((i % 3)) = 0 ] || printf '\tffffffff81000000 of_%s ([kernel.kallsyms])\n' "${event%%:*}"
		printf '\t    7f0123456789 main (/bin/cat)\n\n'
	done
}

@test "each event of a saved file is shown as the text is with --event" {
	local weight event view
	for weight in count period; do
		"$flamectl" import --weight "$weight" -o all.pb.gz text
		for event in "${events[@]}" cycles cpu-clock; do
			"$flamectl" import --weight "$weight" --event "$event" -o one.pb.gz text
			for view in report "report --flat" "dump --by comm,pid,tid,cpu,context" "svg --title x" \
				"export --to folded" status "status --json"; do
				# shellcheck disable=SC2086 # words
				"$flamectl" $view one.pb.gz > expected
				# shellcheck disable=SC2086 # words
				run -0 --separate-stderr "$flamectl" $view --event "$event" all.pb.gz
				[ -z "$stderr" ]
				diff expected - <<< "$output"
			done
			# JSON lines are in the order of the file
			"$flamectl" export --to jsonl one.pb.gz | sort > expected
			"$flamectl" export --to jsonl --event "$event" all.pb.gz | sort | diff expected -
			for view in speedscope firefox callgrind pprof; do
				"$flamectl" export --to "$view" -o one.out one.pb.gz
				"$flamectl" export --to "$view" --event "$event" -o all.out all.pb.gz
				[ "$(wc -l < all.out)" -eq "$(wc -l < one.out)" ] || [ "$view" = pprof ]
			done
			"$flamectl" dump all.out > got
			"$flamectl" dump one.pb.gz | diff - got
			"$flamectl" html -o all.html --event "$event" all.pb.gz
			# both files of a difference are of the event
			[ "$weight" = period ] && continue
			"$flamectl" diff --text --event "$event" all.pb.gz text | tail -n +2 > got
			"$flamectl" diff --text one.pb.gz one.pb.gz | tail -n +2 | diff - got
		done
	done
}

@test "the first event is the default, and the others are named" {
	run -0 --separate-stderr "$flamectl" import -o all.pb.gz text
	[ "$stderr" = 'flamectl: 4 events are kept: cycles:ppp, cpu-clock:pppH, sched:sched_switch, cache-misses; views show the first, or the one of --event NAME' ]
	"$flamectl" report --event cycles text > expected
	for view in report dump "export --to folded" svg html; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr "$flamectl" $view all.pb.gz
		[ "$stderr" = 'flamectl: all.pb.gz: this shows the event cycles:ppp, not cpu-clock:pppH, sched:sched_switch, cache-misses: choose one with --event NAME' ]
		[ "$view" != report ] || diff expected - <<< "$output"
	done
	run -1 --separate-stderr "$flamectl" report --event faults all.pb.gz
	[ "$stderr" = 'flamectl: cannot read all.pb.gz: it has no event faults: there are cycles:ppp, cpu-clock:pppH, sched:sched_switch, cache-misses' ]
	# a file of one event is the same as before
	"$flamectl" import --event cycles -o one.pb.gz text
	run -0 --separate-stderr "$flamectl" report one.pb.gz
	[ -z "$stderr" ]
	gzip -dc one.pb.gz | grep -aq flamemod=2
	run -1 --separate-stderr "$flamectl" report --event faults one.pb.gz
	[ "$stderr" = 'flamectl: cannot read one.pb.gz: it has no event faults: there is cycles:ppp' ]
	"$flamectl" report one.pb.gz > expected
	"$flamectl" report --event cycles one.pb.gz | diff expected -
	# a clock's weights are time, and the sample type is cpu
	"$flamectl" import --event cpu-clock -o clock.pb.gz text
	"$flamectl" report clock.pb.gz > expected
	for event in cpu-clock cpu-clock:pppH cpu; do
		"$flamectl" report --event "$event" clock.pb.gz | diff expected -
	done
}

@test "a file of one event is not summed with one of another" {
	local command
	for event in cycles:ppp cycles cache-misses; do
		events=("$event")
		text 12 > "${event/:/-}"
		"$flamectl" import -o "${event/:/-}.pb.gz" "${event/:/-}"
	done
	for a in cycles-ppp cycles-ppp.pb.gz; do
		for b in cache-misses cache-misses.pb.gz; do
			for command in "merge -o new.pb.gz" "import -o new.pb.gz" status report "dump --by none"; do
				# shellcheck disable=SC2086 # words
				run -1 --separate-stderr "$flamectl" $command $a $b
				[[ ${stderr_lines[-1]} = *"$b: its event is cache-misses, that of $a is cycles:ppp: different events cannot be summed; name files with the same event, or choose one that all have with --event NAME" ]]
				[ ! -e new.pb.gz ]
			done
			run -1 --separate-stderr "$flamectl" diff --text $a $b
			[ "$stderr" = "flamectl: cannot compare A, $a, with B, $b: weights of A are samples of cycles:ppp, those of B are samples of cache-misses; different events or units cannot be compared" ]
		done
	done
	# a file without an event's name between them hides neither
	echo 'cat;main 3' > folded
	"$flamectl" import -o folded.pb.gz folded
	run -1 --separate-stderr "$flamectl" merge -o new.pb.gz cycles-ppp.pb.gz folded.pb.gz cache-misses.pb.gz
	[[ $stderr = *'cache-misses.pb.gz: its event is cache-misses, that of cycles-ppp.pb.gz is cycles:ppp: '* ]]
	# the same event, however it is qualified
	"$flamectl" merge -o new.pb.gz cycles-ppp.pb.gz cycles.pb.gz
	"$flamectl" report --event cycles new.pb.gz | grep -q '^# 100 % is 24 samples'
	# a file without an event's name may have any
	"$flamectl" merge -o sum.pb.gz cycles-ppp.pb.gz folded.pb.gz
	"$flamectl" report sum.pb.gz | grep -q '^# 100 % is 15 samples'
	"$flamectl" diff --text cycles-ppp.pb.gz folded.pb.gz
}

@test "views name the event, where weights are numbers of it" {
	local host=web1
	"$flamectl" import --event cache-misses -o one.pb.gz text
	"$flamectl" import --event cpu-clock -o clock.pb.gz text
	"$flamectl" import --weight period --event cache-misses -o weighed.pb.gz text
	for file in one.pb.gz weighed.pb.gz; do
		"$flamectl" svg "$file" > svg
		grep -q "<title>cache-misses flame graph on $host" svg
		grep -q '>event cache-misses</text>' svg
		"$flamectl" svg -i "$file" | grep -q "<title>cache-misses icicle graph on $host"
		"$flamectl" html -o page.html "$file"
		grep -q "\"title\":\"cache-misses profile on $host\"" page.html
		grep -q '"session":\[[^]]*"event cache-misses"' page.html
		"$flamectl" report "$file" | head -n 1 | grep -q ', event cache-misses$'
		"$flamectl" status "$file" | grep -q '^event *cache-misses$'
		"$flamectl" status --json "$file" | jq -e '.event == "cache-misses"'
		"$flamectl" export --to speedscope "$file" | jq -e --arg host $host '.name == "cache-misses on \($host)"'
		"$flamectl" diff "$file" "$file" | grep -q '>event cache-misses</text>'
	done
	# a clock's weights are time, from whatever program
	"$flamectl" svg clock.pb.gz > svg
	grep -q "<title>Kernel flame graph on $host" svg
	! grep -q 'event cpu-clock' svg
	! "$flamectl" report clock.pb.gz | grep -q event
	"$flamectl" status clock.pb.gz | grep -q '^event *cpu-clock:pppH$'
	"$flamectl" export --to speedscope clock.pb.gz | jq -e --arg host $host '.name == $host'
	# folded text does not say what its weights are
	echo 'cat;main 3' | "$flamectl" svg - | grep -q '<title>Flame graph<'
}

@test "profiles that are not from perf have no event's name" {
	printf 'cat;main 3\n' | "$flamectl" import -o folded.pb.gz -
	! gzip -dc folded.pb.gz | grep -aq event
	"$flamectl" import --event cache-misses -o one.pb.gz text
	gzip -dc one.pb.gz | grep -aq event-name=cache-misses
}

@test "one of several events is merged with a file without a name like a file of its own" {
	local several advice='makes a file of one, which can be'
	"$flamectl" import -o all.pb.gz text
	echo 'cat;main 3' > folded
	"$flamectl" import -o folded.pb.gz folded
	several='cycles:ppp, cpu-clock:pppH, sched:sched_switch, cache-misses'
	for file in folded folded.pb.gz; do
		run -1 --separate-stderr "$flamectl" merge -o new.pb.gz all.pb.gz $file
		[ "$stderr" = "flamectl: cannot merge: $file: its events are one without a name, those of all.pb.gz are $several: they cannot be summed; flamectl import --event NAME -o one.pb.gz all.pb.gz $advice" ]
		run -1 --separate-stderr "$flamectl" merge -o new.pb.gz $file all.pb.gz
		[ "$stderr" = "flamectl: cannot merge: all.pb.gz: its events are $several, those of $file are one without a name: they cannot be summed; flamectl import --event NAME -o one.pb.gz all.pb.gz $advice" ]
		# the message's own advice works
		"$flamectl" import --event cache-misses -o one.pb.gz all.pb.gz
		"$flamectl" merge -o new.pb.gz one.pb.gz $file
		[ "$("$flamectl" status --json new.pb.gz | jq .books.stored)" = \
			$(($(grep -c ' cache-misses: ' text) + 3)) ]
		rm new.pb.gz
	done
}

@test "a name that two events have is refused" {
	events=(cycles:u cycles:k)
	text 40 > text
	"$flamectl" import -o all.pb.gz text
	run -1 --separate-stderr "$flamectl" report --event cycles all.pb.gz
	[ "$stderr" = 'flamectl: cannot read all.pb.gz: cycles is the name of 2 events: name one of cycles:u, cycles:k' ]
	"$flamectl" dump --event cycles:k all.pb.gz > got
	"$flamectl" dump --event cycles:k text | diff - got
}

@test "status lists the events with their totals" {
	"$flamectl" import -o all.pb.gz text
	for file in all.pb.gz text; do
		"$flamectl" status "$file" > got
		for event in "${events[@]}"; do
			grep -q "^\(events\)\? *$event: $(grep -c " $event: " text) \(samples\|periods\)" got
		done
		grep -q '^events *cycles:ppp: .* samples, shown here; the others by --event NAME$' got
		"$flamectl" status --json "$file" > json
		jq -e '[.events[].name] == ["cycles:ppp", "cpu-clock:pppH", "sched:sched_switch", "cache-misses"]' json
		jq -e '.events[0].stored == .books.stored and ([.events[].stored] | add) == 60' json
	done
	"$flamectl" status --event cache-misses all.pb.gz > got
	! grep -q events got
	# of the module, all are listed
	for live in '' live; do
		run -2 --separate-stderr "$flamectl" status --event cache-misses $live
		[[ "$stderr" = 'flamectl: --event is for files: of the module, all events are listed'* ]]
	done
}

@test "merge sums each event, and refuses files of others" {
	text 30 > a
	text 30 30 > b
	for file in a b; do "$flamectl" import -o $file.pb.gz $file; done
	"$flamectl" merge -o sum.pb.gz a.pb.gz b.pb.gz
	"$flamectl" import -o imported.pb.gz b a
	for event in "${events[@]}"; do
		"$flamectl" dump --event "$event" text > expected
		"$flamectl" dump --event "$event" sum.pb.gz | diff expected -
		"$flamectl" dump --event "$event" imported.pb.gz | diff expected -
		"$flamectl" merge --event "$event" a.pb.gz b.pb.gz > one.pb.gz
		"$flamectl" dump one.pb.gz | diff expected -
	done
	# a selection is one of each
	"$flamectl" merge --pid 10 -o some.pb.gz a.pb.gz b.pb.gz
	for event in "${events[@]}"; do
		"$flamectl" dump --event "$event" --pid 10 text > expected
		"$flamectl" dump --event "$event" some.pb.gz | diff expected -
		"$flamectl" status --json --event "$event" some.pb.gz |
			jq -e '.books | .filtered > 0 and .fires == .stored + .filtered'
	done
	events=(cycles:ppp faults)
	text 30 > other
	for command in "merge -o new.pb.gz" "import -o new.pb.gz" status; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr "$flamectl" $command a.pb.gz other
		[[ ${stderr_lines[-1]} = *'other: its events are cycles:ppp, faults, those of a.pb.gz are cycles:ppp, cpu-clock:pppH, sched:sched_switch, cache-misses: they cannot be summed; --event NAME sums one that all have' ]]
		[ ! -e new.pb.gz ]
	done
	"$flamectl" merge --event cycles -o new.pb.gz a.pb.gz other
	"$flamectl" dump --event cycles a.pb.gz other > expected
	"$flamectl" dump new.pb.gz | diff expected -
	# of time and other weights --ns can sum only the first
	run -1 --separate-stderr "$flamectl" merge --ns a.pb.gz b.pb.gz
	[[ $stderr = *'a.pb.gz: the length of its periods is unknown, so they cannot become time; import it with -F HZ' ]]
	"$flamectl" merge --ns --event cpu-clock a.pb.gz b.pb.gz > one.pb.gz
	"$flamectl" status --json one.pb.gz | jq -e '.unit == "nanoseconds"'
}

@test "go tool pprof has each event as a sample type" {
	"$flamectl" import --weight period -o all.pb.gz text
	for event in "${events[@]}"; do
		go tool pprof -top -nodefraction=0 -sample_index="$event" -unit=ns all.pb.gz > top
		"$flamectl" dump --event "$event" --by none all.pb.gz |
			awk '{ n = split($1, frames, ";"); sum[frames[n]] += $2 } END { for (name in sum) print name, sum[name] }' | sort > expected
		awk '$5 ~ /%/ && $1 + 0 > 0 { sub(/ns$/, "", $1); print $6, $1 }' top | sort | diff expected -
	done
	# the number of samples, where weights are something else
	go tool pprof -raw all.pb.gz > raw
	grep -q 'cycles:ppp-samples/count cycles:ppp/count' raw
	go tool pprof -top -sample_index=cycles:ppp-samples all.pb.gz |
		grep -q "of $(grep -c ' cycles:ppp: ' text) total"
	# two events at one place are one sample
	[ "$(sed -n '/^Samples:/,/^Locations/p' raw | grep -c :\ )" -eq \
		"$(for event in "${events[@]}"; do "$flamectl" dump --by comm,pid,tid,cpu,context --event "$event" all.pb.gz; done |
			sed 's/ [0-9]*$//' | sort -u | wc -l)" ]
	# its copy has all of them, too
	go tool pprof -proto -output=copy.pb.gz all.pb.gz
	"$flamectl" dump --event cache-misses all.pb.gz > expected
	"$flamectl" dump --event cache-misses copy.pb.gz | diff expected -
}

@test "more events than can be kept are reported" {
	mapfile -t events < <(seq -f 'e%g' 1 20)
	for ((i = 0; i < 20; i++)); do
		printf 'a 1 1.5: 1 %s: \n\tffffffff81000000 f\n\n' "${events[i]}"
	done > text
	run -0 --separate-stderr "$flamectl" import -o all.pb.gz text
	[ "${stderr_lines[0]}" = 'flamectl: text: it has more than 16 events; the first ones, from e1 on, are kept: choose one with --event NAME' ]
	[ "$("$flamectl" status --json all.pb.gz | jq '.events | length')" = 16 ]
	"$flamectl" import --event e20 -o one.pb.gz text
	[ "$("$flamectl" dump one.pb.gz)" = 'a;f 1' ]
}
