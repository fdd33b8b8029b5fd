# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 15
#
# Tasks are looked up by their comms, which any user can choose. No choice makes the
# look-up slow for others.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

chmod 755 /root
load hz=20000
setpriv --reuid 65534 --regid 65534 --clear-groups /root/comms & comms=$!
sleep 12
kill $comms
flamectl stop
flamectl dump >"$OUT/folded"
flamectl dump --by comm >"$OUT/comms"
holds 'there are many comms' "$(wc -l <"$OUT/comms") > 1000"
drain=$(folded_match 'fm_drain' "$OUT/folded")
search=$(folded_match 'fm_set_find|fm_task_match' "$OUT/folded")
diag "of $drain periods in the drain, $search were spent in searching"
holds 'the drain was seen' "$drain > 0"
# Usually a quarter to a third; nearly all if they share a bucket.
holds 'it does not go through all tasks for each' "$search < $drain * 0.6"
finish
