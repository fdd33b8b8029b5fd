# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 60
# limit: 1200
# main path
#
# Sources count each call of a function, with its callers, its weight and its duration;
# wherever the function is called, and whatever our own code calls. The calls are those of
# modules/probed, the client is hits.c.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/hits.sh
. /tests/module/vm/hits.sh

probed=/sys/module/probed/parameters

# hits NAME ARG...: attach, run, dump into $OUT/NAME
hits() {
	local name=$1
	shift
	ok "$name: sources are attached and dumped" /root/hits "$@"
	printf '%s\n' "$output" >"$OUT/$name"
}

# stacks NAME EVENT REGEX COLUMN: sum the counts (1) or weights (0) of its stacks that match
stacks() {
	awk -v event="$2" -v regex="$3" -v back="$4" '/^stack / && $2 == event && $0 ~ regex {
		sum += $(NF - back) } END { printf "%.0f\n", sum }' "$OUT/$1"
}

if [ ! -e /proc/kallsyms ] || ! grep -q ' register_kprobe$' /proc/kallsyms; then
	load autostart=0 "${kernel_half[@]}"
	/root/hits func:vfs_read >"$OUT/none" 2>&1 </dev/null
	like 'a kernel without kprobes refuses' "$(cat "$OUT/none")" 'attach: 95 .*no kprobes'
	unload
	finish
fi
# Where steps are learned, each stack is compared with the unwinder's.
ways=$(unwinders)
load verify=1 autostart=0 "${kernel_half[@]}"
insmod /root/probed.ko || exit 1
n=1000
[ -z "$main_path" ] || n=500

# N calls are N hits, and weights are those that the caller knows.
hits count func:probed_call func:probed_call,weight=1,unit=bytes \
	func:probed_call,weight=1,if=1/gt/$((n / 2)),if=2:-4/lt/0 func:probed_call,weight=3:1 \
	func:probed_call,weight=2:-4 func:probed_call,weight=4 \
	func:probed_call,if=2:-4/ge/0 latency:probed_call latency:probed_call,if=1/le/10 \
	latency:probed_call,min=3600000000000 -- bash -c "echo $n >$probed/calls"
balances count 10
sum=$(cat $probed/sum)
is 'N calls are N hits' "$(books count 8 hits seen)" "$n"
is 'a weight of none is 1' "$(books count 8 weight seen)" "$n"
is 'weights are the argument' "$(books count 9 weight seen)" "$sum"
is 'an event has its unit' "$(awk '/^event 9 / { print $4 }' "$OUT/count")" bytes
is 'conditions hold for half of them' "$(books count 10 hits filtered)" $((n / 2))
is 'and the weight that they leave out is known' "$(books count 10 weight filtered)" \
	$(((n * n + 2 * n) / 8))
is 'a byte is read as a byte' "$(books count 11 weight seen)" "$(cat $probed/sum_small)"
is 'negative weights are refused' "$(books count 12 hits large)" "$n"
is 'and so are those of 2^47 and more' "$(books count 13 hits large)" $((n - 127))
is 'a condition that never holds leaves out all' "$(books count 14 hits filtered)" "$n"
is 'N calls are N durations' "$(books count 15 hits seen)" "$n"
holds 'which took time' "$(books count 15 weight seen) > 0"
is 'conditions are those of the call' "$(books count 16 hits filtered)" $((n - 10))
is 'the others are timed' "$(($(books count 16 hits seen) - $(books count 16 hits filtered)))" 10
is 'what takes less than the minimum is below' "$(books count 17 hits below)" "$n"
is 'nothing was missed' "$(awk '/^books .* hits/ { sum += $13 } END { print sum }' "$OUT/count")" 0

# Stacks start at the function, and have its callers; of latency too, at its return. Since
# v5.15 the kernel finds the return addresses that it has replaced.
finds_returns=$(grep -E ' (kretprobe|rethook)_find_ret_addr$' /proc/kallsyms)
hits chain func:probed_inner latency:probed_inner latency:probed_outer func:probed_outer \
	-- bash -c "echo 100 >$probed/outer"
balances chain 4
chain='probed_do_outer( .probed.)?;probed_outer( .probed.)?;probed_middle( .probed.)?;probed_inner( .probed.)? '
if [ -n "$finds_returns" ]; then
	is 'callers of a function' "$(stacks chain 8 "$chain" 1)" "$(books chain 8 hits stored)"
	is 'callers of a function that returned' "$(stacks chain 9 "$chain" 1)" \
		"$(books chain 9 hits stored)"
else
	hits plain func:probed_inner -- bash -c "echo 100 >$probed/outer"
	balances plain 1
	is 'callers of a function' "$(stacks plain 8 "$chain" 1)" "$(books plain 8 hits stored)"
	is 'callers that are timed end a stack, which says so' \
		"$(stacks chain 8 '[[]incomplete];.*;probed_inner( .probed.)? ' 1)" \
		"$(books chain 8 hits stored)"
	is 'of a function that returned, too' \
		"$(stacks chain 9 '[[]incomplete];.*;probed_middle( .probed.)?;probed_inner( .probed.)? ' 1)" \
		"$(books chain 9 hits stored)"
fi
# A slow kernel, which compares each stack, loses some for overload: balances counts them.
holds 'and some are stored' "$(books chain 8 hits stored) > 0"
holds 'an outer call lasts longer than an inner one' \
	"$(books chain 10 weight seen) > $(books chain 9 weight seen)"

# A sleep that the caller timed, and the time off the CPU in it: its stack goes through
# the return address that the kernel has replaced.
hits sleep -e 2 latency:probed_sleep -- bash -c "echo 20 >$probed/sleeps"
balances sleep 2
slept=$(cat $probed/slept_ns)
is '20 sleeps are 20 durations' "$(books sleep 8 hits seen)" 20
holds 'they are as long as the sleeper says' \
	"$(books sleep 8 weight seen) >= $slept && $(books sleep 8 weight seen) < $slept * 1.2 + 5000000"
hits again -e 2 latency:probed_sleep latency:vfs_write -- bash -c "echo 20 >$probed/sleeps"
balances again 3
if [[ -e /sys/kernel/debug/kprobes && -n $finds_returns && $ways == *learned* ]]; then
	# A busy host may make stacks seem to take long: some are then lost for overload.
	holds 'stacks off the CPU go through return probes' \
		"$(stacks again 1 'vfs_write.*probed_do_sleeps.*probed_sleep.*schedule ' 1) >= 10"
else
	skip 'stacks off the CPU go through return probes' 'not on this kernel'
fi

# Wherever the function is called.
hits contexts func:probed_call latency:probed_call -- bash -c "
	echo 20 >$probed/hardirq; echo 20 >$probed/softirq; echo 20 >$probed/calls; echo 20 >$probed/nmis"
balances contexts 2
context() { awk '/^context 8 '"$1"' / { sum += $5 } END { print sum + 0 }' "$OUT/contexts"; }
is 'all calls are seen' "$(books contexts 8 hits seen)" $((60 + $(cat $probed/nr_nmis)))
# As above, some may be lost. On PREEMPT_RT a soft interrupt may be served by a task.
holds 'calls in hard interrupts' "$(context 3) > 0 && $(context 3) <= 20"
uname -v | grep -q PREEMPT_RT || holds 'calls in soft interrupts' \
	"$(context 2) > 0 && $(context 2) <= 20"
holds 'calls in tasks' "$(context 1) > 0"
is 'each that is stored is in one of them' $(($(context 1) + $(context 2) + $(context 3))) \
	"$(books contexts 8 hits stored)"
is 'calls in non-maskable interrupts are only counted' "$(books contexts 8 hits nmi)" \
	"$(cat $probed/nr_nmis)"

# Functions that our own code, the scheduler, the clock and the unwinder call.
nasty=(_raw_spin_lock _raw_spin_lock_irqsave _raw_spin_unlock_irqrestore ktime_get
	ktime_get_mono_fast_ns try_to_wake_up unwind_next_frame unwind_get_return_address
	irq_work_queue update_curr hrtimer_interrupt fm_table_find fm_paths_add
	tick_program_event)
some=()
for function in "${nasty[@]}"; do
	# Each on its own first: not all kernels have all of them.
	if /root/hits -h "func:$function" </dev/null >"$OUT/nasty.$function" 2>&1; then
		some+=("func:$function")
	else
		diag "$(cat "$OUT/nasty.$function")"
	fi
done
holds 'most of the nasty functions exist' "${#some[@]} >= 7"
# Beside them, all events of tasks; a kernel may not account the wait for a CPU.
tasks=14 nr_tasks=3
/root/hits -e 4 func:probed_call </dev/null >/dev/null 2>&1 || tasks=10 nr_tasks=2
flamectl start
hits nasty -e $tasks "${some[@]}" -- bash -c "
	for i in {1..10}; do cat /proc/meminfo >/dev/null; done
	echo 10 >$probed/sleeps; echo 10 >$probed/hardirq; echo 10 >$probed/softirq; sleep 0.5"
flamectl stop
balances nasty $((${#some[@]} + nr_tasks))
holds 'some hits were in our own code' \
	"$(awk '/^books .* hits/ { sum += $12 + $13 } END { print sum }' "$OUT/nasty") > 0"
flamectl status --json >"$OUT/nasty.json"
books_balance "the timer's books" "$OUT/nasty.json"
if [[ $ways == *learned* ]]; then
	is "all stacks are the kernel's unwinder's" \
		"$(what '.stacks | .verified > 100, .differences' "$OUT/nasty.json" | paste -sd ' ')" "true 0"
fi

# What the kernel forbids is refused, with the function and the reason; then nothing is
# attached.
for source in func:exc_int3 func:nosuch latency:nosuch func:fm_func_hit; do
	/root/hits "func:probed_call" $source </dev/null >"$OUT/refused" 2>&1
	like "$source is refused" "$(cat "$OUT/refused")" \
		"attach: [0-9]+ $source: cannot attach to ${source#*:}\(\): the kernel"
done
unlike 'and nothing stays attached' "$(cat /sys/kernel/debug/kprobes/list 2>/dev/null)" probed_call

# A function that is called all the time is suspended, and says so; others go on.
hits hot func:probed_call func:probed_outer -- bash -c "
	for i in {1..40}; do echo 20000 >$probed/calls; [ -z \"\$(dmesg | grep 'is suspended')\" ] || break; done
	echo 7 >$probed/outer"
balances hot 2
holds 'a hot source is suspended' "$(awk '/^event 8 / { print $6 }' "$OUT/hot") > 0"
is 'another one is not' "$(awk '/^event 9 / { print $6 }' "$OUT/hot")" 0
is 'and it still counts' "$(books hot 9 hits seen)" 7

# So is one that only others call: their calls are not counted, but cost the kernel's trap.
sleep 600 & idle=$!
hits unwanted -p $idle func:probed_call func:probed_outer -- bash -c "
	for i in {1..40}; do
		echo 20000 >$probed/calls
		[ \"\$(dmesg | grep -c 'is suspended')\" -lt 2 ] || break
	done
	echo 7 >$probed/outer"
kill $idle
wait $idle 2>/dev/null
balances unwanted 2
is 'nothing of others is counted' "$(books unwanted 8 hits seen)" 0
holds 'a source that only others hit is suspended' \
	"$(awk '/^event 8 / { print $6 }' "$OUT/unwanted") > 0"
is 'another one of theirs is not' "$(awk '/^event 9 / { print $6 }' "$OUT/unwanted")" 0

# What is recorded in slices is the whole: the calls that a map of them draws, and each seen.
ok 'calls are recorded in slices' flamectl record --slices 100ms -e latency:probed_call \
	-o "$OUT/sliced.pb.gz" -- bash -c "for i in {1..20}; do echo 50 >$probed/calls; sleep 0.05; done"
flamectl heat --event latency:probed_call "$OUT/sliced.pb.gz" >"$OUT/sliced.svg"
sums=$(awk '/^<g data-b=/ { columns++ } /^[0-9,]+ calls? [(]/ { gsub(",", ""); sum += $1 }
	/ drawn of [0-9,]+ seen/ { gsub(",", ""); sub(/.*nanoseconds: /, ""); drawn = $1; seen = $5 }
	END { print (columns > 1), sum - drawn, seen }' "$OUT/sliced.svg")
is 'slices sum to the calls that are drawn, and to those that were seen' "$sums" '1 0 1000'

# Attached and detached again and again, while the functions are called.
rounds=100
[ -z "$main_path" ] || rounds=20
load_start
done=0
for ((i = 0; i < rounds; i++)); do
	/root/hits -e $((i % 2 ? tasks : 2)) func:vfs_read latency:vfs_read func:try_to_wake_up \
		latency:vfs_write </dev/null >"$OUT/round" 2>&1 && done=$((done + 1))
	! books_differ round || break
done
is "attached and detached $rounds times under load" $done $rounds

# CPUs go and come back meanwhile.
/root/hits -e $tasks func:vfs_read latency:vfs_read func:try_to_wake_up < <(sleep 20) \
	>"$OUT/hotplug" 2>"$OUT/hotplug.err" & client=$!
wait_for 20 grep -q attached "$OUT/hotplug.err"
for i in 1 2 3; do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
	echo 1 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
done
is 'CPUs went and came back' "$(nproc)" 2
wait $client
balances hotplug $((3 + nr_tasks))

# Unloaded while attached.
/root/hits func:vfs_read latency:vfs_read < <(sleep 60) >"$OUT/unload" 2>"$OUT/unload.err" & client=$!
wait_for 20 grep -q attached "$OUT/unload.err"
ok 'it unloads while sources are attached' unload_when_free
unlike 'and leaves no probe' "$(cat /sys/kernel/debug/kprobes/list 2>/dev/null)" vfs_read
kill $client
wait $client 2>/dev/null
load_stop
rmmod probed
finish
