# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 1 -m 1G -i shift=0,sleep=off
# takes: 30
#
# What lives for a moment and was never seen before: its stacks are copied, and are whole.
# The guest's clock counts instructions, so that the worker has as much time as on a
# machine of one instruction per nanosecond, whatever else runs on the host.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

if ! user_stacks_exist; then
	skip 'first samples are whole' 'there are no user stacks here'
	finish
fi

load hz=997
for ((i = 0; i < 100; i++)); do
	bash -c :
done
flamectl stop
flamectl status --json >"$OUT/first.json"
diag "$(flamectl status | grep -A 14 '^user ')"
holds 'there are short-lived programs' "$(sides "$OUT/first.json") > 150"
holds 'nearly all that is met first is learned' \
	"$(what '.user_stacks | .["not-learned"] + .["copy-short"]' "$OUT/first.json") < 0.05 * $(sides "$OUT/first.json")"
books_balance 'with copies' "$OUT/first.json"
ok 'unloaded' unload
finish
