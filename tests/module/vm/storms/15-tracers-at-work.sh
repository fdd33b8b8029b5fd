# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 900
# takes: 25
# main path
#
# Stacks stay right while others change functions' entries and return
# addresses: kprobes, kretprobes, ftrace's function and function_graph tracers,
# BPF programs at functions, and a function replaced as livepatch does it. The
# module chain calls its functions in a known order, all the time.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh
# shellcheck source=tests/module/vm/storms/tracers.sh
. /tests/module/vm/tracers.sh

functions="chain_one chain_two chain_three chain_four"

# judge FILE FIRST: print "ALL MARKED SEEN", the periods of the chain's process, those of
# stacks with a mark, and how many of the chain's functions were seen; then the wrong
# stacks. Each function must have its known caller, and a whole stack starts where the
# kernel is entered. A stack with a mark lacks its start; callers are checked from its
# frame FIRST on, where the mark is frame 1.
# shellcheck disable=SC2016 # it is awk
judge() {
	awk -F';' -v first="$2" '
	BEGIN {
		caller["chain_four"] = "chain_three detour_three"
		caller["chain_three"] = caller["detour_three"] = "chain_two"
		caller["chain_two"] = "chain_one"
		caller["chain_one"] = "chain_run"
		caller["chain_run"] = "chain_ms_set"
		entry = "^(entry_|asm_|ret_from_fork|syscall_|error_|paranoid_|irqentry_|sync_regs|" \
			"common_interrupt_return|native_irq_return|\\[(user|lost))"
	}
	function name(frame) { sub(/ \[.*/, "", frame); return frame }
	function wrong(first, i, is) {
		for (i = first; i <= NF; i++) {
			is = name($i)
			if (is in caller && !index(" " caller[is] " ", " " name($(i - 1)) " "))
				return 1
		}
		return 0
	}
	$1 != "chain" { next }
	{
		weight = $NF
		sub(/.* /, "", weight)
		sub(/ [0-9]+$/, "")
		all += weight
		for (i = 2; i <= NF; i++) if (name($i) in caller) seen[name($i)]
	}
	$2 ~ /^\[(incomplete|truncated)\]/ {
		marked += weight
		if (wrong(first + 1)) bad[++nr_bad] = weight " " $0
		next
	}
	$2 !~ entry || wrong(2) { bad[++nr_bad] = weight " " $0 }
	END {
		print all + 0, marked + 0, length(seen)
		for (i = 1; i <= nr_bad && i <= 20; i++) print bad[i]
	}' "$1"
}

# sampled NAME MARKED [FIRST]: run the chain, and check its stacks; up to MARKED of them
# may be incomplete
ms=$(times 10000 1000)
sampled() {
	local folded=$OUT/$1.folded verdict all marked seen

	flamectl reset
	flamectl start
	(printf chain >"/proc/$BASHPID/comm"; echo "$ms" >/sys/module/chain/parameters/ms)
	flamectl stop
	flamectl dump >"$folded"
	verdict=$(judge "$folded" "${3:-3}")
	read -r all marked seen <<<"$verdict"
	diag "$1: $all periods of the chain, $marked of them marked"
	holds "$1: the chain was sampled" "$all > $ms / 2"
	holds "$1: each of its functions was seen" "$seen >= 5"
	is "$1: each has its caller, and each stack a beginning" "$(tail -n +2 <<<"$verdict")" ''
	holds "$1: few stacks are incomplete" "$marked <= $all * $2"
}

# these change the kernel's half of a stack alone
load hz=997 autostart=0 user_stacks=0
insmod /root/chain.ko
sampled alone 0.02
ok 'kprobes are on' kprobes_on
sampled kprobes 0.2
probes_off
ok 'kretprobes are on' kretprobes_on
sampled kretprobes 0.2
probes_off
ok 'function is on' tracer_on function
sampled function 0.2
tracer_off
ok 'function_graph is on' tracer_on function_graph
sampled function_graph 0.2
tracer_off
ok 'BPF programs are on' bpf_on
sampled bpf 0.7
bpf_off
ok 'the function is replaced' insmod /root/detour.ko
sampled detour 0.2
holds 'the one in its place was called' "$(cat /sys/module/detour/parameters/hits) > 0"
ok 'kretprobes are on as well' kretprobes_on
ok 'BPF programs are on as well' bpf_on
sampled both 0.7
# With both kretprobes and function_graph on one function, the kernel's unwinder reports
# a trampoline as a caller, under the name of whatever is beside it. Each such stack must
# be marked as incomplete.
ok 'function_graph is on as well' tracer_on function_graph
sampled all 1 4
tracer_off
bpf_off
probes_off
books_right all
rmmod detour
rmmod chain
finish
