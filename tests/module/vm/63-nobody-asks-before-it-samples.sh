# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# A load that fails is undone, but a reader may hold the module by then. So after the
# module accepts requests nothing in the load may fail, and nobody may change anything
# before that.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

tracing=/sys/kernel/debug/tracing
# gcov has a directory of that name as well, in one of its own
# shellcheck disable=SC2016 # the kernel expands it
printf '%s\n' 'p:started flamemod:fm_session_start' 'p:offered genl_register_family' \
	'p:shown debugfs_create_dir name=+0($arg1):string parent=$arg2' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/enable
load hz=997
echo 0 >$tracing/events/kprobes/enable
is 'it samples before it accepts requests' \
	"$(grep -E '(started|offered): |shown: .* name="flamemod" parent=0x0' $tracing/trace |
		grep -oE '(started|offered|shown): ' | paste -sd ' ')" 'started:  offered:  shown: '
echo >$tracing/kprobe_events
finish
