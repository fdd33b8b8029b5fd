# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Allocations that fail on purpose, one by one: failnth.c does it, what must hold
# after each is told there. Leaks are looked for by guest.sh, at a scenario's end.

# Small tables: what is allocated page by page then has fewer pages.
# shellcheck disable=SC2034 # for scenarios
small='cpu_kb=32 aggregate_kb=256'

# inject_ready: all allocations may fail, those that could wait for memory too
inject_ready() {
	local faults=/sys/kernel/debug kind

	if [ ! -d $faults/failslab ] || [ ! -d $faults/fail_page_alloc ]; then
		diag 'this kernel does not inject failures: run it with -k debug'
		exit 1
	fi
	for kind in failslab fail_page_alloc; do
		echo N >$faults/$kind/ignore-gfp-wait
	done
	echo N >$faults/fail_page_alloc/ignore-gfp-highmem
	echo 0 >$faults/fail_page_alloc/min-order
	# a stack for each would be all that the log holds
	for kind in "$faults"/fail*/verbose; do echo 0 >"$kind"; done
	dmesg -n 1
	dmesg -c >/dev/null
}

# failing LEAST ARGUMENT...: of failnth. At least LEAST allocations were made to
# fail, nothing but memory was the reason, and then it went through.
failing() {
	local least=$1 name="${*:2}" output
	shift

	output=$(timeout 3000 /root/failnth "$@" 2>&1)
	is "$name: after each failure all is well" $? 0
	diag "$output"
	like "$name: in the end it goes through" "$output" ' through yes'
	holds "$name: allocations were met" \
		"$(sed -n 's/.* tried \([0-9]*\) .*/\1/p' <<<"$output") >= $least"
	# copies from and to user memory fail in their turn as well: EFAULT
	is "$name: there is no error but memory's" "$(grep -oE '\bE[A-Z0-9]+' <<<"$output" |
		grep -vxE 'ENOMEM|ENOBUFS|EFAULT' | paste -sd ' ')" ''
}

# As in tests/module/vm/complaints.py.
complaint='BUG:|WARNING:|KASAN|UBSAN|INFO: (possible|task)|inconsistent lock|'
complaint+='suspicious RCU|ODEBUG|Oops|Kernel panic|flamemod: CPU [0-9]+: .*sampling ends'

# quiet: the kernel said nothing that is a complaint. Warnings of its own about
# the failed allocations, with registers of user mode in them, are dropped.
quiet() {
	dmesg >/tmp/dmesg
	is 'the kernel did not complain' "$(grep -E "$complaint" /tmp/dmesg | head -n 20)" ''
	dmesg -c >/dev/null
}

# adds_up: what is held once sampling has stopped
adds_up() {
	flamectl stop
	flamectl status --json >"$OUT/after.json"
	flamectl dump >"$OUT/after.folded"
	books_balance 'afterwards' "$OUT/after.json"
	is 'afterwards the stacks sum to what the books say' \
		"$(folded_sum "$OUT/after.folded")" "$(stored_and_lost "$OUT/after.json")"
}
