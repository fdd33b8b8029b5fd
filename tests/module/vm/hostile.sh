# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Send a storm of valid and invalid netlink messages, and check the module after it.
# Source it after tests/module/vm/flamemod.sh.

# told WHAT: print a number of the storm's report, or 0
told() { awk -v what="$1" '{ n = $NF; $NF = "" } $0 == what " " { found = n } END { print found + 0 }' "$OUT/storm"; }

# nobody_holds: whether no dump is in progress
nobody_holds() { grep -qx 0 /sys/module/flamemod/refcnt; }

# netlink_storm SEED MESSAGES SECONDS: load the module, send the storm, check, unload
netlink_storm() {
	local operation name refused

	exits 0 'every answer is as the protocol says' sh -c \
		"timeout $3 /root/netlink_fuzz -s $1 -n $2 -t 4 >$OUT/storm 2>&1 || { tail -n 60 $OUT/storm; false; }"
	holds 'all messages were sent' "$(told 'sent messages') >= $2"
	# the storm must have reached each kind of handler
	for operation in status status-dump set start stop reset profile-dump; do
		holds "$operation was done" "$(told "done $operation") > 0"
		holds "$operation was refused" "$(told "refused $operation") > 0"
	done
	for name in session settings hz max-depth exclude-idle kernel-only pids cpus user-stacks; do
		holds "$name was refused by its name" "$(told "named $name") > 0"
	done
	holds 'dumps were left where they stood' "$(told 'dumps abandoned') > 0"
	refused=$(told 'judged malformed')
	holds 'malformed messages were among them' "$refused > 0"

	# The module still works.
	wait_for 30 nobody_holds
	is 'nobody holds the module any more' "$(cat /sys/module/flamemod/refcnt)" 0
	flamectl stop >/dev/null 2>&1
	ok 'it forgets' flamectl reset
	ok 'it takes settings' flamectl set hz=997 max-depth=127 exclude-idle=0 kernel-only=0 pids= cpus=
	ok 'it starts' flamectl start
	sleep 2
	ok 'it stops' flamectl stop
	flamectl status --json >"$OUT/after.json"
	flamectl dump >"$OUT/after.folded"
	books_balance 'after the storm' "$OUT/after.json"
	clock_agrees 'after the storm' "$OUT/after.json"
	holds 'after the storm: there are samples' "$(folded_sum "$OUT/after.folded") > 0"
	is 'after the storm: the stacks sum to what the books say' \
		"$(folded_sum "$OUT/after.folded")" "$(stored_and_lost "$OUT/after.json")"
	holds 'after the storm: memory stays in its bounds' \
		"$(what .memory_bytes "$OUT/after.json") <= $(what .memory_limit_bytes "$OUT/after.json")"
	ok 'it unloads' unload
}
