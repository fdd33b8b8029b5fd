# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 3600
#
# Allocations fail of what attaches events, of each kind and of all, the first time after a load
# (each 23rd of some thousand, most of them pages) and later, and of what dumps them. Then nothing
# is attached, and events can be.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/hits.sh
. /tests/module/vm/hits.sh
# shellcheck source=tests/module/vm/inject/inject.sh
. /tests/module/vm/inject.sh

inject_ready
small+=' user_kb=64 rows_kb=1024 events_kb=256'
failing 20 -e 23 first-attach /root/flamemod.ko "$small autostart=0"
# shellcheck disable=SC2086 # words
load $small autostart=0
for kind in tasks wakers func perf user; do
	failing 3 attach $kind
done
# A call that may be timed has some hundred places, each allocated.
failing 3 -e 53 attach latency
failing 3 -e 53 attach all
is 'nothing is attached' "$(flamectl status --json | jq '.attached | length')" 0
unlike 'not even a probe' "$(cat /sys/kernel/debug/kprobes/list)" vfs_statx
quiet

# What could not be kept is counted: tasks and wakers, which are always hit, and calls.
failing 3 dump-events all
balances failing 6
for event in 8 9 10 11; do
	holds "event $event was hit, and stored" \
		"$(books failing $event hits seen) > 0 && $(books failing $event hits stored) > 0"
done
quiet
ok 'it unloads' unload
finish
