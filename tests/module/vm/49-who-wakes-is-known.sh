# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 30
# main path
#
# The event wakers: each wake-up of a task that was blocked is counted once, with the stack
# of who woke it on top of where it was blocked, and weighs as long as it was. The program is
# woken.c.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# counts NAME: check an event's books
counts() {
	is "$1: stacks sum to what is stored and lost" "$(folded "$1" wakers | folded_sum)" \
		"$(fact "$1" wakers '.books | .stored + ([.lost[]] | add)')"
	is "$1: the books balance" \
		"$(fact "$1" wakers '.books | .fires == .stored + .filtered + ([.lost[]] | add)')" true
	is "$1: nothing is lost but for overload" \
		"$(fact "$1" wakers '.intervals.lost | del(.overload) | add')" 0
}

ways=$(unwinders)
# Where steps are learned, each kernel stack is compared with the unwinder's.
load verify=1 autostart=0 "${kernel_half[@]}"
if ! flamectl events | grep -q '^wakers .*flamectl record --wakers'; then
	like 'a kernel without tracepoints refuses' "$(flamectl events)" \
		'wakers .*not here: .*(sched_waking|sched_switch)'
	unload
	finish
fi
n=$((100 / slowness)) ms=10
blocked() { awk '$1 == "blocked" { print $2 }' "$OUT/$1.out"; }

# A slow kernel takes a while to read how to unwind a program that it meets.
[ "$slowness" = 1 ] || record_into first --wakers --only -- /root/woken $n $ms
ok 'a command is recorded with what wakes it' record_into woken --wakers --off-cpu --only -- \
	/root/woken $n $ms
cat "$OUT/woken.err"
counts woken
folded woken wakers >"$OUT/woken.folded"
stack='^woken;.*read.*;(__)?schedule;(__wake_up|pipe_write|.*wake).*_\[w\];.*write_\[w\];'
sum=$(grep -E "$stack" "$OUT/woken.folded" | folded_sum)
near 'the time in which it was blocked is its waker'"'"'s, on top of where it was' "$sum" \
	"$(blocked woken)" 5
is 'the last frame is who woke it' \
	"$(grep -E "$stack" "$OUT/woken.folded" | grep -cvE ';waker_\[w\] [0-9]+$')" 0
is 'each wake-up is one' \
	"$(flamectl status --json --event wakers "$OUT/woken.pb.gz" | jq '.intervals.seen >= 2 * '$n)" true
near 'of all its time off the CPU, that is the part in which it was blocked there' "$sum" \
	"$(folded woken off-cpu | grep -E '^woken;.*read.*;\[sleeping\] ' | folded_sum)" 5
timer=$(grep -E '^waker;.*nanosleep.*;(__)?schedule;.*(asm_sysvec|el._?.*irq).*_\[w\];\[hardirq\]_\[w\] [0-9]+$' \
	"$OUT/woken.folded" | folded_sum)
# On PREEMPT_RT timers of tasks that are not real-time expire in a softirq.
[ "$timer" -gt 0 ] ||
	timer=$(grep -E '^waker;.*nanosleep.*;\[softirq\]_\[w\] [0-9]+$' "$OUT/woken.folded" |
		folded_sum)
holds 'the waker of a task that sleeps is the interrupt of its timer' "$timer > $n * $ms * 990000"
# On PREEMPT_RT mappings that a forked process has not run since are not verified.
start='.*;_start_\[w\]'
[[ $(uname -v) != *PREEMPT_RT* ]] || start='(.*;_start|;\[user: unverified\])_\[w\]'
if user_stacks_exist; then
	holds 'the waker has its user stack' \
		"$(grep -E "$stack"'.*;k_wakes_\[w\];main_\[w\]'"$start"';waker_\[w\]' \
			"$OUT/woken.folded" | folded_sum) > 0.9 * $sum"
else
	skip 'the waker has its user stack' 'not on this architecture'
fi
if [[ $ways == *learned* ]]; then
	flamectl status --json >"$OUT/stacks.json"
	is 'stacks are the kernel'"'"'s unwinder'"'"'s' \
		"$(what '.stacks | .verified > 100, .differences' "$OUT/stacks.json" | paste -sd ' ')" \
		"true 0"
else
	skip 'stacks are the kernel'"'"'s unwinder'"'"'s' 'no steps are learned'
fi

# Only what is asked for.
ok 'what is shorter is left out' record_into long --wakers --min-block 1s --only -- /root/woken 5 $ms
counts long
is 'nothing is stored then' "$(folded long wakers | grep -c '^woken')" 0
is 'but counted as below' "$(fact long wakers '.intervals | .below >= 10')" true
ok 'a state that it was not in leaves it out' record_into state --wakers --state D --only -- \
	/root/woken 5 $ms
counts state
is 'it is filtered' "$(folded state wakers | grep -c '^woken;.*pipe_read')" 0

# All tasks, with the timer beside, and in slices.
load_start
ok 'all tasks are recorded, in slices' record_into all --wakers --slices 100ms -d 2s
load_stop
counts all
holds 'some are woken by softirqs' "$(folded all wakers | grep -c ';\[softirq\]_\[w\] ') > 0"
holds 'and some by tasks' "$(folded all wakers | grep -c '[^]]_\[w\] [0-9]*$') > 0"
ok 'a graph is drawn' flamectl svg --event wakers -o "$OUT/all.svg" "$OUT/all.pb.gz"
flamectl start
flamectl stop
flamectl status --json >"$OUT/status.json"
books_balance "the timer's books" "$OUT/status.json"
unload
finish
