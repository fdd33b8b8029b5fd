# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 3600
# takes: 60
#
# All kinds of events are recorded at once, again and again, until a counter of the
# processor has hit 100 000 times. Meanwhile the timer samples at 10 kHz, others trace the
# same functions, a CPU goes and comes, and a load runs. Nothing complains, and the books
# of each event balance. On x86 the hits are non-maskable interrupts of modules/counted.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh
# shellcheck disable=SC2034 # for tracers.sh
functions="vfs_read vfs_write"
# shellcheck source=tests/module/vm/storms/tracers.sh
. /tests/module/vm/tracers.sh

events=(cycles page-faults func:vfs_read func:ktime_get latency:vfs_write
	tracepoint:sched:sched_switch tracepoint:kmem:kmem_cache_alloc)
sources=(-e cycles:$((100000 * slowness)))
for event in "${events[@]:1}"; do
	sources+=(-e "$event")
done

# wrong NAME: print the events of $OUT/NAME.pb.gz whose books do not balance, or whose stacks
# do not sum to them
# shellcheck disable=SC2016 # it is jq
wrong() {
	local event

	for event in "${events[@]}" off-cpu wakers wall on-cpu; do
		fact "$1" "$event" '.books | . as $b | [.lost[]] | add
			| [$b.fires + $b.missed - $b.stored - $b.filtered - ., $b.stored + .]
			| map(tostring) | join(" ")' >"/tmp/books"
		[ "$(cat /tmp/books)" = "0 $(folded "$1" "$event" | folded_sum)" ] ||
			echo "$event: $(cat /tmp/books)"
	done
}

load autostart=0
if [ "$(uname -m)" = x86_64 ]; then
	# A slow kernel that has one CPU left must have time between two interrupts.
	insmod /root/counted.ko every_us=$((100 * slowness * slowness)) || exit 1
fi
wanted=$(times 100000 $((slowness > 1 ? 500 : 5000)))
hits=0 bad='' rounds=0
load_start
ok 'kprobes are on' kprobes_on
ok 'function is on' tracer_on function
cpu_cycles
priority -10
while [ "$hits" -lt "$wanted" ] && [ $rounds -lt 100 ]; do
	if ! record_into events -F $((9973 / slowness)) -a --wall --wakers "${sources[@]}" \
		-d $((5 * slowness))s; then
		bad+="recording $rounds: $(cat "$OUT/events.err")"
		break
	fi
	bad+=$(wrong events)
	[ -z "$bad" ] || break
	hits=$((hits + $(fact events cycles .intervals.seen)))
	rounds=$((rounds + 1))
done
priority 0
cpu_stays
tracer_off
probes_off
load_stop
is 'the books of each event were right each time' "$bad" ''
diag "$rounds recordings, $hits hits of a counter, $(awk '$1 == "NMI:" { print $2 + $3 }' /proc/interrupts) non-maskable interrupts"
for event in "${events[@]}" off-cpu wakers wall on-cpu; do
	diag "$event: $(fact events "$event" '[.books.fires, .books.stored, .intervals] | tostring')"
done
holds 'the counter hit often enough' "$hits >= $wanted"
# a slow kernel may lose all hits of an event for overload
kept=stored
[ "$slowness" = 1 ] || kept=fires
for event in "${events[@]}" off-cpu wakers on-cpu; do
	holds "$event: it was seen, and stored" "$(fact events "$event" ".books.$kept") > 0"
done
ok 'it unloads' unload
[ "$(uname -m)" != x86_64 ] || ok 'and so does the counter' rmmod counted
finish
