#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# How tests/module/vm/run judges a guest's log.

setup() {
	cd "$BATS_TEST_DIRNAME/../../.."
	log=$BATS_TEST_TMPDIR/console
}

# begins: print the number of the line where the log reports a breakpoint that is gone
begins() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/module/vm python3 -c '
import sys
from complaints import gone_breakpoint
log = open(sys.argv[1], "rb").read()
at = gone_breakpoint(log)
print("nowhere" if at is None else log[:at].count(b"\n") + 1)' "$log"
}

# an_oops WHAT CODE: print an Oops after another line, with a second CPU's inside
an_oops() {
	cat >"$log" <<-END
		[    1.000000] flamemod: loading out-of-tree module taints kernel.
		[    2.000000] $1 [#1] PREEMPT SMP NOPTI
		[    2.000100] CPU: 0 PID: 3829 Comm: bash Tainted: G           OE
		[    2.000150] Oops: int3: 0000 [#2] PREEMPT SMP NOPTI
		[    2.000200] RIP: 0010:syscall_trace_enter+0xd6/0x190
		[    2.000300] Code: 83 cf 05 e8 ec f6 f3 ff 7b ff ff ff $2 e9 57 ff ff ff
		[    2.000400] Kernel panic - not syncing: Fatal exception in interrupt
	END
}

@test 'a breakpoint is gone if another byte is at its place' {
	an_oops 'Oops: int3: 0000' 'eb <49>'
	[ "$(begins)" = 2 ]
	an_oops 'int3: 0000' '66 <90>'	# as kernels before 6.10 say it
	[ "$(begins)" = 2 ]
}

@test 'an existing breakpoint is not gone' {
	an_oops 'Oops: int3: 0000' 'cc <49>'
	[ "$(begins)" = nowhere ]
}

@test 'other crashes of a kernel are not taken for that' {
	an_oops 'Oops: 0000' 'eb <49>'
	[ "$(begins)" = nowhere ]
	an_oops 'general protection fault: 0000' 'eb <49>'
	[ "$(begins)" = nowhere ]
	an_oops 'Oops: int3: 0000' 'Unable to access opcode bytes.'
	[ "$(begins)" = nowhere ]
	echo 'Kernel panic - not syncing: stack is corrupted' >"$log"
	[ "$(begins)" = nowhere ]
}

# a_hang CODE [WHAT]: print the log of a kernel that hung and was asked where its CPUs are;
# one of them handles a breakpoint, or WHAT
a_hang() {
	cat >"$log" <<-END
		[    1.000000] flamemod: loading out-of-tree module taints kernel.
		[   25.329894] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
		[   36.513996] Uhhuh. NMI received for unknown reason 21 on CPU 0.
		[   36.514290] Kernel panic - not syncing: NMI: Not continuing
		[   36.514473] Call Trace:
		[   36.516405] RIP: 0010:native_safe_halt+0xb/0x10
		[   36.516478] Code: bf 48 8b 00 a9 00 00 08 fb f4 <c3> cc cc cc cc eb 07
		[   36.528915] Sending NMI from CPU 0 to CPUs 1:
		[   36.529440] RIP: 0010:irqentry_nmi_exit+0x1e/0x50
		[   36.529472] Code: 03 10 cf 59 02 8b 3d 6b <a9> 00 00 f0 00 74
		[   36.529971] Call Trace:
		[   36.530050]  ${2-asm_exc_int3}+0x35/0x40
		[   36.530070] RIP: 0010:__schedule+0x1a/0x1000
		[   36.530133] Code: $1
		[   36.530191] RSP: 0018:ffffd34f4047fbc0 EFLAGS: 00010046
	END
}

@test 'a kernel that runs a breakpoint for ever which is not in memory hung because of it' {
	a_hang '0f 1f 44 00 00 66 <90> e9 57 ff ff ff'
	[ "$(begins)" = 2 ]	# where it hung first
	sed -i 2d "$log"
	[ "$(begins)" = 2 ]	# where it was asked
}

@test 'other hangs are not taken for that' {
	a_hang '0f 1f 44 00 00 66 <cc> e9 57 ff ff ff'
	[ "$(begins)" = nowhere ]
	a_hang '0f 1f 44 00 00 cc <90> e9 57 ff ff ff'
	[ "$(begins)" = nowhere ]
	a_hang 'Unable to access opcode bytes at 0xffffffffc02eeff0.'
	[ "$(begins)" = nowhere ]
	a_hang '0f 1f 44 00 00 66 <90> e9 57 ff ff ff' asm_sysvec_apic_timer_interrupt
	[ "$(begins)" = nowhere ]
	a_hang '0f 1f 44 00 00 66 <90> e9 57 ff ff ff'
	sed -i '/Kernel panic/d' "$log"	# it was not asked
	[ "$(begins)" = nowhere ]
}

# Instead of the emulator's fault, the guest writes the message itself, and dies.
@test 'of a guest that dies of it, the rest is run in another; of any other, nothing is' {
	. tests/project/runner/stand-ins.bash
	stand_ins 10-before 20-dies 30-after
	an_oops 'Oops: int3: 0000' 'eb <49>'
	cat >"$top/lab/run" <<-'END'
		#!/bin/bash
		while [ "$1" != -- ]; do
			[ "$1" != -o ] || out=$2
			[ "$1" != -l ] || console=$2
			shift
		done
		shift 3
		echo '[    1.000000] flamemod: loading out-of-tree module taints kernel.' >"$console"
		boots=$(($(cat "$TOP/boots" 2>/dev/null) + 1))
		echo $boots >"$TOP/boots"
		for scenario; do
			name=${scenario%:*}
			printf '@begin %s\nok 1 - it\n' "$name"
			if [ "$name" = 20-dies ] && [ $boots -le $((DEATHS)) ]; then
				cat "$LOG" >>"$console"
				cat "$LOG" >&2
				exit 125
			fi
			mkdir -p "$out/$name"
			touch "$out/$name/dmesg"
			printf '1..1\n@end %s 0\n' "$name"
		done
	END
	chmod +x "$top/lab/run"
	export TOP=$top LOG=$log

	DEATHS=1 run "$vm/run" -k 6.1
	[ "$status" = 0 ]
	[ "$(cat "$top/boots")" = 2 ]
	grep -q '^## 6.1 .*booted again, for 20-dies' <<<"$output"
	[ "$(grep -c '^ok .*: it$' <<<"$output")" = 4 ]	# 20-dies tells it twice
	[ -e "$top"/out/vm/6.1/c_2_m_1G.first/console ]

	rm "$top/boots"
	DEATHS=2 run "$vm/run" -k 6.1	# it happens again: once is enough
	[ "$status" = 1 ]
	[ "$(cat "$top/boots")" = 2 ]
	[ "$(grep -c '^not ok .*: it came to no end$' <<<"$output")" = 2 ]

	rm "$top/boots"
	an_oops 'Oops: 0000' 'eb <49>'
	DEATHS=1 run "$vm/run" -k 6.1
	[ "$status" = 1 ]
	[ "$(cat "$top/boots")" = 1 ]
	grep -q '^not ok .*: the kernel did not complain$' <<<"$output"
}

# addresses TEXT: print how many kernel addresses are found in it
addresses() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/module/vm python3 -c '
import sys
from complaints import ADDRESS
print(len(ADDRESS.findall(sys.argv[1].encode())))' "$1"
}

@test "a clock's mask is no address, and anything else of the kind is one" {
	[ "$(addresses 'clocksource: tsc: mask: 0xffffffffffffffff max_cycles: 0x2127')" = 0 ]
	[ "$(addresses 'clocksource: tsc: mask: 0xffffffff81000000')" = 1 ]
	[ "$(addresses 'at 0xffffffffffffffff')" = 1 ]
	[ "$(addresses 'ffff888000001000 and FFFFFFFF81000000')" = 2 ]
}

# left SAID: print what is checked of lab/run's messages
left() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/module/vm python3 -c '
import sys
from complaints import of_last_boot
print(of_last_boot(sys.argv[1].encode()).decode())' "$1"
}

@test "a boot that did not come up is not checked, and the one that did is" {
	again=$'lab/run: the guest did not come up (124)\nKernel Offset\nlab/run: booting it again\n'
	[ "$(left "$again$again")" = '' ]
	[ "$(left "${again}a leak")" = 'a leak' ]
	[ "$(left 'a leak')" = 'a leak' ]
}
