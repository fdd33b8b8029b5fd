# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
# takes: 30
#
# In each way of taking stacks, they are whole, start where the CPU was, and add up.
# A kernel that unwinds by neither ORC nor frame pointers has only the portable way;
# others have it on request.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# part REGEX OF FILE: the part of the weight matching OF that also matches REGEX
part() {
	grep -E -e "$2" "$3" | regex=$1 awk '
		{ sum += $NF } $0 ~ ENVIRON["regex"] { matched += $NF }
		END { print sum ? matched / sum : 0 }'
}

# callers REGEX FILE: the most frequent path to the frame that matches, including it: the
# command and its kernel half, since names of the user half may have spaces
callers() {
	grep -oE -e "^.*$1" "$2" |
		sed -E 's/^([^;]*);.*;(entry_SYSCALL_64_after_hwframe|el0t_64_sync;|ret_from_fork)/\1;\2/; s/[; ]$//' |
		sort | uniq -c | sort -rn | awk 'NR == 1 { sub(/^ *[0-9]+ /, ""); print }'
}

# taken WAY NAME REGEX: record the workload NAME in this WAY; its system calls call
# REGEX
taken() {
	local way=$1 name=$2 regex=$3 at=$OUT/$1.$2

	ok "$way, $name: set up" workload prepare "$name"
	exits 0 "$way, $name: recorded" flamectl record "${kernel_half[@]:+--no-user-stacks}" -o "$at.pb.gz" -- workload run "$name" "$seconds"
	ok "$way, $name: taken down" workload clean "$name"
	unfold "$at"
	books_balance "$way, $name" "$at.json"
	clock_agrees "$way, $name" "$at.json"
	is "$way, $name: the stacks sum to what the books say" \
		"$(folded_sum "$at.folded")" "$(stored_and_lost "$at.json")"
	holds "$way, $name: $regex was seen" "$(folded_match "$regex" "$at.folded") > 30 / $slowness"
	holds "$way, $name: nearly all stacks are whole" \
		"$(part '\[incomplete\]' . "$at.folded") < 0.02"
	holds "$way, $name: a system call called it" \
		"$(part ';(do_syscall_64|el0_svc|ret_from_fork[a-z_]*)' "$regex" "$at.folded") > 0.97"
	unlike "$way, $name: no stack ends in what took it" "$(cat "$at.folded")" "$took"
}

took=';(fm_sampler_fire|stack_trace_save|arch_stack_walk)[ ;]'
# KASAN takes stacks itself, all the time
! grep -q ' kasan_save_stack$' /proc/kallsyms ||
	took=';fm_sampler_fire[ ;]|\[flamemod\];(stack_trace_save|arch_stack_walk)[ ;]'

# make check is satisfied with less
seconds=2
[ "${STORM:-}" != small ] || seconds=1

nok 'an unknown way is refused' insmod "$module" unwinder=none
like 'the log lists the ways' "$(dmesg)" 'flamemod: unwinder=none: must be auto.* or portable'
for way in $(unwinders); do
	load unwinder="$way" autostart=0 hz=$((997 / slowness)) "${kernel_half[@]}"
	taken "$way" network ';tcp_sendmsg(_locked)?[; ]'
	taken "$way" fork ';(kernel_clone|begin_new_exec|bprm_execve)[; ]'
	ok "$way: unloaded" unload
done
network=$(callers ';tcp_sendmsg[; ]' "$OUT/portable.network.folded")
fork=$(callers ';copy_process[; ]' "$OUT/portable.fork.folded")
like 'there is more than one frame' "$network $fork" '.*;.*;tcp_sendmsg .*;.*;copy_process'
for way in $(unwinders); do
	is "$way: callers are those that the portable way finds" \
		"$(callers ';tcp_sendmsg[; ]' "$OUT/$way.network.folded") $(callers ';copy_process[; ]' "$OUT/$way.fork.folded")" \
		"$network $fork"
done
finish
