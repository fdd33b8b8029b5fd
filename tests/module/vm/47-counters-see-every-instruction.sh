# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 80
#
# Counters of the processor: their weights sum to what was counted, and where they hit in
# non-maskable interrupts, code with interrupts off is seen. QEMU's x86 has no counters
# without KVM, so modules/counted has one there, which sends such interrupts; its arm64 has
# the processor's own, which interrupts as others do.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

counted=/sys/module/counted/parameters
parameter() { cat "$counted/$1"; }

# balances NAME: what was seen is stored or lost, and stacks sum to it
balances() {
	is "$1: the books balance" "$(fact "$1" cycles '.books | .fires - .stored - .filtered - ([.lost[]] | add)')" 0
	is "$1: stacks sum to what is stored and lost" "$(folded "$1" cycles | folded_sum)" \
		"$(fact "$1" cycles '.books | .stored + ([.lost[]] | add)')"
}

load autostart=0 "${kernel_half[@]}"
if [ "$(uname -m)" = x86_64 ]; then
	output=$(flamectl record -e cycles -d 100ms -o /tmp/x.pb.gz 2>&1)
	like 'without a counter record says so' "$output" \
		'cycles: this processor has no such counter, or this virtual machine was given none'
	[ ! -e /tmp/x.pb.gz ] || tap_fail 'nothing is saved' 'there is a file'
	like 'and so does events' "$(flamectl events | grep ^cycles)" 'not here: cycles: this processor'
	insmod /root/counted.ko every_us=$((500 * slowness)) || exit 1
fi
flamectl events >"$OUT/events"
like 'cycles are offered' "$(grep ^cycles "$OUT/events")" 'flamectl record -e cycles'
output=$(flamectl record -e cycles:999 -d 100ms -o /tmp/x.pb.gz 2>&1)
like 'too small a period is refused' "$output" 'cycles:999: write the number of cycles per hit after the colon, from 1000 to'

if [ "$(uname -m)" != x86_64 ]; then
	# QEMU's counter of cycles counts nanoseconds of its clock
	ok 'cycles are recorded' record_into cycles -e cycles -- \
		bash -c 'for ((i = 0; i < 200000; i++)); do :; done'
	balances cycles
	holds 'they are those of a CPU that is busy' "$(folded cycles cycles | grep '^bash;' | folded_sum) > 100000000"
	holds 'hits weigh a period or more' "$(fact cycles cycles '.books.fires') >= 1000003 * $(fact cycles cycles .intervals.seen) - 1000003 * $(nproc)"
	unload
	finish
fi

# ---- all that was counted is there ----

load_start
flamectl record --quiet --no-user-stacks -e cycles -d 60s -o "$OUT/all.pb.gz" 2>"$OUT/all.err" & recording=$!
# seen: the weight that the module has seen, as of now
seen() { flamectl status --json | jq '[.attached[] | select(.event == "cycles").weight.seen][0] // 0'; }
# shellcheck disable=SC2317 # wait_for calls it
counts() { [ "$(seen)" -gt 0 ]; }
ok 'cycles are counted' wait_for $((20 * slowness)) counts
# What was seen in between is more than what was counted in a part of that time, and less
# than what was counted in a longer one. A hit is counted before the module sees it.
outer=$(parameter sum) first=$(seen) inner=$(parameter sum)
sleep $((2 * slowness))
inner_end=$(parameter sum) last=$(seen) outer_end=$(parameter sum)
diag "seen $((last - first)), counted $((inner_end - inner)) to $((outer_end - outer))"
holds 'they are many' "$inner_end - $inner > 100000000"
holds 'all that was counted is seen' "$last - $first >= $inner_end - $inner"
holds 'and no more' "$last - $first <= $outer_end - $outer"
kill -INT $recording
wait $recording
balances all
load_stop

# ---- interrupts off ----

ok 'a loop with interrupts off is recorded' record_into quiet --no-user-stacks -e cycles \
	-- sh -c "echo $((1000 * slowness)) >$counted/quiet_ms"
balances quiet
# Keep the stacks of the loop. Interrupts come when it turns them on: they are not the loop's.
of_loop() { grep -F ';counted_quiet [counted]' | grep -Ev ';(asm_)?sysvec_|interrupt'; }
folded quiet cycles | of_loop >"$OUT/quiet.folded"
quiet=$(folded_sum "$OUT/quiet.folded")
own=$(parameter quiet_sum) lost=$(fact quiet cycles '[.books.lost[]] | add')
diag "counted_quiet: $quiet of $own, $lost of all lost"
holds 'hits there are many' "$own > 100000000"
holds 'and few of all are lost' "$lost < 0.5 * $own"
holds 'it has the cycles of those hits' "$own - $lost <= 1.01 * $quiet && $quiet <= 1.01 * $own"
like 'with all that called it' "$(head -n 1 "$OUT/quiet.folded")" \
	'^sh;.*(ksys|vfs)_write;.*;quiet_set.*;counted_quiet'
unlike 'and nothing of the interrupt is on it' "$(cat "$OUT/quiet.folded")" \
	'exc_nmi|nmi_handle|counted_interrupt|fm_perf'
is "and its context is the task's" "$(flamectl dump --event cycles --context task "$OUT/quiet.pb.gz" 2>/dev/null |
	of_loop | folded_sum)" "$quiet"

# ---- beside all else that is counted ----

# the module learns how to unwind a program's code when it first meets it
for _ in 1 2 3 4 5 6; do
	record_into beside -e cycles -e page-faults -e func:vfs_read \
		-e tracepoint:sched:sched_switch --off-cpu -a \
		-- bash -c 'for ((i = 0; i < 100000; i++)); do [ -e /usr ]; done; true' || break
	folded beside cycles >"$OUT/beside.folded"
	grep -q '^bash;.*;parse_and_execute;.*;execute_command' "$OUT/beside.folded" && break
done
is 'cycles are recorded beside other events' "$(cat "$OUT/beside.err")" ''
balances beside
diag "$(fact beside cycles .intervals)"
for event in page-faults func:vfs_read tracepoint:sched:sched_switch off-cpu; do
	is "$event: its books balance, too" \
		"$(fact beside $event '.books | .fires - .stored - .filtered - ([.lost[]] | add)')" 0
done
if user_stacks_exist; then
	like 'with user stacks' "$(grep '^bash;.*;parse_and_execute;' "$OUT/beside.folded" | head -n 3)" \
		'^bash;.*;parse_and_execute;.*;execute_command'
fi

# ---- pauses, another CPU, another command, no counter left ----

sh -c "sleep 1; echo 5 >$counted/pauses" &
ok 'perf pauses the counter meanwhile' record_into paused --no-user-stacks -e cycles -d $((2 * slowness))s
wait $!
is 'each pause is one that was missed' "$(fact paused cycles .intervals.lost.missed)" 5
ok 'only one command is recorded' record_into only --no-user-stacks -e cycles --only -- \
	sh -c "echo 300 >$counted/quiet_ms"
balances only
is 'and nobody else is there' "$(folded only cycles | grep -Evc '^((sh|flamectl);|\[lost: )')" 0
if [ -e /sys/devices/system/cpu/cpu1/online ]; then
	ok 'a CPU goes and comes meanwhile' record_into hotplug --no-user-stacks -e cycles -- sh -c '
		echo 0 >/sys/devices/system/cpu/cpu1/online
		echo 1 >/sys/devices/system/cpu/cpu1/online
		sleep 1'
	balances hotplug
fi

# modules/counted has four by CPU
output=$(flamectl record -e cycles -e cycles,name=b -e cycles,name=c -e cycles,name=d -e cycles,name=e \
	-d 100ms -o /tmp/refused.pb.gz 2>&1)
like 'when no counter is left, record says so' "$output" \
	'e: others use all counters of a CPU: end what uses them'
[ ! -e /tmp/refused.pb.gz ] || tap_fail 'nothing is saved' 'there is a file'
ok 'and four are possible' record_into four --no-user-stacks -e cycles -e cycles,name=b -e cycles,name=c \
	-e cycles,name=d -d 500ms

# ---- unload while it is attached ----

flamectl record --quiet -e cycles -d 60s -o /tmp/x.pb.gz >"$OUT/unload.out" 2>&1 & recording=$!
# shellcheck disable=SC2317 # wait_for calls it
attached() { flamectl status --json | grep -q cycles; }
ok 'cycles are attached' wait_for $((20 * slowness)) attached
ok 'unloaded while they are' unload_when_free
{ wait $recording; } 2>/dev/null
ok 'and so is the counter' rmmod counted
finish
