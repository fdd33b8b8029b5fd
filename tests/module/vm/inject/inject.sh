# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Let allocations fail one by one: failnth.c does this, and says what is checked after
# each. guest.sh looks for leaks at a scenario's end.

# Small tables, so that there are fewer allocations of pages.
# shellcheck disable=SC2034 # for scenarios
small='cpu_kb=32 aggregate_kb=256'

# inject_ready: let all allocations fail, including those that could wait for memory
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
	# a stack of each failure would fill the log
	for kind in "$faults"/fail*/verbose; do echo 0 >"$kind"; done
	dmesg -n 1
	dmesg -c >/dev/null
}

# failing LEAST ARGUMENT...: run failnth with these arguments; $OUT/failing gets what it prints.
# Check that at least LEAST allocations failed, with no error but those of memory, and that the
# last try succeeded.
failing() {
	local least=$1 name="${*:2}" output
	shift

	timeout 3000 /root/failnth "$@" >"$OUT/failing" 2>&1
	is "$name: after each failure all is well" $? 0
	output=$(grep -vE '^(stack|context|event|books|broken) ' "$OUT/failing")
	diag "$output"
	like "$name: in the end it goes through" "$output" ' through yes'
	holds "$name: allocations were met" \
		"$(sed -n 's/.* tried \([0-9]*\) .*/\1/p' <<<"$output") >= $least"
	# copies from and to user memory fail as well: EFAULT
	is "$name: there is no error but memory's" "$(grep -oE '\bE[A-Z0-9]+' <<<"$output" |
		grep -vxE 'ENOMEM|ENOBUFS|EFAULT' | paste -sd ' ')" ''
}

# As in tests/module/vm/complaints.py.
complaint='BUG:|WARNING:|KASAN|UBSAN|INFO: (possible|task)|inconsistent lock|'
complaint+='suspicious RCU|ODEBUG|Oops|Kernel panic|flamemod: CPU [0-9]+: .*sampling ends'

# quiet: check that the kernel's log has no complaint. The kernel's warnings about the
# failed allocations, which contain registers of user mode, are dropped.
quiet() {
	dmesg >/tmp/dmesg
	is 'the kernel did not complain' "$(grep -E "$complaint" /tmp/dmesg | head -n 20)" ''
	dmesg -c >/dev/null
}

# adds_up: stop sampling, and check that the profile adds up
adds_up() {
	flamectl stop
	flamectl status --json >"$OUT/after.json"
	flamectl dump >"$OUT/after.folded"
	books_balance 'afterwards' "$OUT/after.json"
	is 'afterwards the stacks sum to what the books say' \
		"$(folded_sum "$OUT/after.folded")" "$(stored_and_lost "$OUT/after.json")"
}
