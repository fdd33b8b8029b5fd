# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 3600
# takes: 60
#
# Probes on fifty functions that the sampler, its handlers and the kernel's own probes depend
# on: locks, clocks, timers, the scheduler, interrupts, RCU, the unwinder, allocators, and our
# own. A dozen at a time are attached and detached, 500 times. Meanwhile the timer samples at
# 10 kHz, a CPU goes and comes, and a load runs. Nothing complains, and the books of each event
# balance.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh
# shellcheck source=tests/module/vm/hits.sh
. /tests/module/vm/hits.sh

functions=(
	_raw_spin_lock _raw_spin_lock_irq _raw_spin_lock_irqsave _raw_spin_lock_bh
	_raw_spin_unlock_irqrestore _raw_spin_trylock _raw_read_lock _raw_write_lock_irq
	mutex_lock mutex_unlock down_read up_read
	ktime_get ktime_get_mono_fast_ns ktime_get_with_offset ktime_get_update_offsets_now
	tick_program_event clockevents_program_event lapic_next_event
	hrtimer_interrupt hrtimer_start_range_ns hrtimer_try_to_cancel hrtimer_forward
	__hrtimer_run_queues timerqueue_add timerqueue_del
	try_to_wake_up wake_up_process default_wake_function autoremove_wake_function
	update_curr update_rq_clock resched_curr enqueue_task_fair dequeue_task_fair
	pick_next_task_fair set_next_entity put_prev_entity finish_task_switch
	finish_task_switch.isra.0 scheduler_tick sched_tick task_tick_fair
	irq_work_queue irq_work_run irq_work_single irq_enter_rcu irq_exit_rcu
	raise_softirq __do_softirq handle_softirqs call_rcu rcu_core rcu_sched_clock_irq
	__rcu_read_lock __rcu_read_unlock rcu_note_context_switch
	smp_call_function_single smp_call_function_many_cond generic_smp_call_function_single_interrupt
	unwind_next_frame __unwind_start unwind_get_return_address kernel_text_address
	__kernel_text_address is_module_text_address __module_address
	kmem_cache_alloc kmem_cache_alloc_noprof kmem_cache_free kfree get_page_from_freelist
	handle_mm_fault do_anonymous_page
	fm_table_find fm_paths_add fm_user_walk fm_user_follow_new fm_event_ask_drain fm_drain_cpu
	fm_stack_from_regs fm_aggregate_node fm_events_drain fm_pool_grow fm_throttle_spend)
# Entry code, and what the kernel's probes are made of.
refused=(exc_int3 do_syscall_64 irqentry_enter irqentry_exit kprobe_ftrace_handler get_kprobe
	fm_func_hit)

load autostart=0 hz=$((9973 / slowness))
ways=$(unwinders)
for function in "${functions[@]}"; do
	# Not all kernels have all of them.
	if /root/hits -h "func:$function" </dev/null >"$OUT/one" 2>&1; then
		probed+=("func:$function")
	else
		diag "$(cat "$OUT/one")"
	fi
done
nr=${#probed[@]}
diag "$nr functions"
least=50
[ "$(uname -m)" = x86_64 ] || least=30
holds 'so many of them are probed' "$nr >= $least"
for function in "${refused[@]}"; do
	exits 1 "$function is refused" /root/hits -h "func:$function"
done </dev/null

flamectl start
load_start
cpu_cycles
priority -10

rounds=$(times 500 $((slowness > 1 ? 10 : 40)))
done=0 nested=0
for ((i = 0; i < rounds; i++)); do
	some=()
	for ((j = 0; j < 12; j++)); do
		some+=("${probed[(i * 7 + j) % nr]}")
	done
	# with tasks: off-cpu, and every other time ran
	/root/hits -e $((i % 2 ? 10 : 2)) "${some[@]}" </dev/null >"$OUT/round" 2>&1 || break
	! books_differ round || break
	nested=$((nested + $(awk '/^books .* hits/ { sum += $12 } END { print sum }' "$OUT/round")))
	done=$((done + 1))
done
is "attached and detached $rounds times" $done "$rounds"
[ $done = "$rounds" ] || diag "$(tail -n 5 "$OUT/round")"
holds 'some hits were in our own code' "$nested > 0"
priority 0
cpu_stays
load_stop
books_right after
if [[ $ways == *learned* ]]; then
	is "all stacks are the kernel's unwinder's" \
		"$(what '.stacks | .verified > 0, .differences' "$OUT/after.json" | paste -sd ' ')" "true 0"
fi
ok 'it unloads' unload
is 'and leaves no probe' "$(cat /sys/kernel/debug/kprobes/list)" ''
finish
