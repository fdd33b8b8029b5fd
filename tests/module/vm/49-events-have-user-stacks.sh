# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 40
# main path
#
# Below the kernel stack of an event is the user stack that led to it, down to where the
# program starts: of time off the CPU, page faults in user mode, calls and tracepoints. What
# cannot be read says so. The program is sleepers.c.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

if ! user_stacks_exist; then
	load autostart=0 "${kernel_half[@]}"
	skip 'user stacks of events' 'not on this architecture'
	unload
	finish
fi

# led_to NAME EVENT FUNCTION KERNEL: nearly all stacks of the program with a kernel
# function (a regex) were led to by FUNCTION, and what was not says why
led_to() {
	local all right line="^sleepers;_start;([^;]*;)*main;k_outer;$3[; ]"

	folded "$1" "$2" | grep '^sleepers;' | grep -E "$4" >"$OUT/$1.$2.all"
	all=$(folded_sum "$OUT/$1.$2.all")
	right=$(grep -E "$line" "$OUT/$1.$2.all" | folded_sum)
	holds "$2: there are some in $3" "$all > 0"
	holds "$2: nearly all are led to by main, k_outer and $3" "$right > 0.9 * $all"
	is "$2: what is not whole says so" \
		"$(grep -vE "$line" "$OUT/$1.$2.all" | grep -vE '^sleepers;\[user: [a-z ]+\]')" ''
}

# learn: run the program until its unwind tables are known, which on a slow kernel or a busy
# host takes longer than it runs
learn() {
	local try

	for ((try = 0; try < 5 + slowness; try++)); do
		record_into learn -e page-faults --only -- /root/sleepers $times
		folded learn page-faults | grep -q '^sleepers;\[user: not learned\]' || break
	done
}

# Where steps are learned, each kernel stack is compared with the unwinder's.
ways=$(unwinders)
load verify=1 autostart=0 "${kernel_half[@]}"
times=$((100 / slowness))
probes=(-e page-faults)
[ -e /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
has_func=
flamectl events | grep -q '^func.*not here' || has_func=1
[ -z "$has_func" ] || probes+=(-e func:alloc_pipe_info -e "latency:alloc_pipe_info,name=made")
learn
ok 'time off the CPU is recorded with user stacks' record_into off --off-cpu --only -- /root/sleepers $times
cat "$OUT/off.err"
led_to off off-cpu k_sleeps 'nanosleep'
is 'off-cpu: stacks sum to what is stored and lost' "$(folded off off-cpu | folded_sum)" \
	"$(fact off off-cpu '.books | .stored + ([.lost[]] | add)')"
is 'off-cpu: nothing is lost but for overload' \
	"$(fact off off-cpu '.intervals.lost | del(.overload) | add')" 0
holds 'off-cpu: it slept as long as it says' \
	"$(folded off off-cpu | grep '^sleepers;.*nanosleep' | folded_sum) > $times * 4900000"

ok 'hits of sources are recorded with user stacks' record_into hits "${probes[@]}" --only -- /root/sleepers $times
cat "$OUT/hits.err"
led_to hits page-faults k_faults ';k_faults '
is 'each page has its fault' "$(folded hits page-faults | grep ';k_outer;k_faults ' | folded_sum)" $times
if [ -n "$has_func" ]; then
	led_to hits func:alloc_pipe_info k_pipes 'alloc_pipe_info'
	led_to hits made k_pipes 'alloc_pipe_info'
fi
for event in page-faults ${has_func:+func:alloc_pipe_info made}; do
	is "$event: stacks sum to what is stored and lost" "$(folded hits "$event" | folded_sum)" \
		"$(fact hits "$event" '.books | .stored + ([.lost[]] | add)')"
done

ok 'they can be left out' record_into none --off-cpu --no-user-stacks --only -- /root/sleepers 20
unlike 'then there is none' "$(folded none off-cpu)" ';_start;|\[user: |k_sleeps'
like 'and the kernel half is there' "$(folded none off-cpu)" '^sleepers;.*nanosleep'

ok 'all time has user stacks' record_into wall --wall --only -- /root/sleepers $times
# not what interrupted it, which is sampled and has no user stack
led_to wall wall k_sleeps 'nanosleep.*;\[sleeping\] '

# Names are looked for while it sleeps, which does not divide a wait: that would cost the user
# stack of the first part.
ok 'a long wait is recorded' record_into wait --off-cpu --only -- sleep $((3 * slowness))
holds 'it has its user stack' "$(folded wait off-cpu | grep '^sleep;.*nanosleep' |
	grep -v '\[user: away\]' | folded_sum) > 2900000000"

# A task that sleeps all the time is on no CPU when its stack could be read.
sleep 1000 & sleeping=$!
flamectl record --quiet --off-cpu -a -d $((3 * slowness))s -o "$OUT/all.pb.gz" >"$OUT/all.out" 2>&1 & recording=$!
# shellcheck disable=SC2317 # wait_for calls it
has_sides() { flamectl status --json >"$OUT/status.json"; jq -e '.attached[0].user_stacks.whole > 0' "$OUT/status.json"; }
ok 'status counts whole user stacks' wait_for 20 has_sides
holds 'which are no more than what is stored' \
	"$(jq '.attached[0] | ([.user_stacks[]] | add) <= .ns.stored | if . then 1 else 0 end' "$OUT/status.json") == 1"
like 'in words, too' "$(flamectl status)" 'off-cpu.*user stacks:.* whole'
wait $recording
kill $sleeping
like 'who sleeps all the time is away' "$(folded all off-cpu)" '^sleep;\[user: away\];.*nanosleep'
unlike 'threads of the kernel have none' "$(folded all off-cpu)" '^kworker[^;]*;(_start|\[user)'
if [[ $ways == *learned* ]]; then
	flamectl status --json >"$OUT/stacks.json"
	is "kernel stacks are the unwinder's" \
		"$(what '.stacks | .verified > 50, .differences' "$OUT/stacks.json" | paste -sd ' ')" "true 0"
fi

# Where the stack cannot be read at once, or each interrupt for it causes the next one.
if [ -n "$has_func" ]; then
	for function in irq_enter_rcu irq_work_queue irq_work_single try_to_wake_up dequeue_task_fair \
		_raw_spin_lock finish_task_switch ktime_get copy_from_user_nofault; do
		flamectl record --quiet -e "func:$function" -a -d 300ms -o "$OUT/nasty.pb.gz" \
			>"$OUT/nasty.out" 2>&1 || { diag "$(cat "$OUT/nasty.out")"; continue; }
		is "$function: stacks sum to what is stored and lost" \
			"$(folded nasty "func:$function" | folded_sum)" \
			"$(fact nasty "func:$function" '.books | .stored + ([.lost[]] | add)')"
	done
fi

# Unload while hits wait for their stacks.
flamectl record --quiet --off-cpu -a "${probes[@]}" -d 60s -o /tmp/x.pb.gz >"$OUT/unload.out" 2>&1 & recording=$!
# shellcheck disable=SC2317 # wait_for calls it
attached() { flamectl status --json | grep -q off-cpu; }
ok 'events are attached' wait_for 20 attached
/root/sleepers 100 & loading=$!
ok 'unloaded meanwhile' unload_when_free
wait $loading
{ wait $recording; } 2>/dev/null
load autostart=0 "${kernel_half[@]}"
learn
ok 'and loaded again it records' record_into again -e page-faults --only -- /root/sleepers $times
led_to again page-faults k_faults ';k_faults '
ok 'unloaded' unload
finish
