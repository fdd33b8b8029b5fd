# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Samples of a module keep their names after it is unloaded, including those of its
# init and exit functions. kptr_restrict changes nothing.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

echo 2 >/proc/sys/kernel/kptr_restrict
load hz=997
insmod /root/burn.ko init_ms=300 exit_ms=300
# in small doses, so that samples of the module still wait for a drain when it goes
echo 300 >/sys/module/burn/parameters/ms
rmmod burn
# Another module may now be at the same addresses: its names must not appear.
modprobe -r brd 2>/dev/null
modprobe brd rd_nr=1 rd_size=64
sleep 1
flamectl dump >"$OUT/folded"
flamectl dump --drop-late >"$OUT/on-time.folded"
for function in burn_in_a_named_loop burn_while_loading burn_while_unloading; do
	# 300 ms are 299 periods; a busy host may take some at the ends, and add late ones
	weight=$(folded_match ";$function \\[burn\\]( |;)" "$OUT/folded")
	on_time=$(folded_match ";$function \\[burn\\]( |;)" "$OUT/on-time.folded")
	holds "$function is named after the module is gone" "$weight > 200 && $on_time < 400"
done
unlike 'no sampled function is unknown' "$(cat "$OUT/folded")" '\[unknown\]'
rmmod brd

# Again, with cached names, and the module probably at other addresses.
insmod /root/burn.ko
echo 300 >/sys/module/burn/parameters/ms
flamectl dump >"$OUT/again.folded"
flamectl dump --drop-late >"$OUT/again-on-time.folded"
rmmod burn
flamectl dump >"$OUT/again-gone.folded"
flamectl dump --drop-late >"$OUT/again-gone-on-time.folded"
for part in again again-gone; do
	weight=$(folded_match ';burn_in_a_named_loop \[burn\]( |;)' "$OUT/$part.folded")
	on_time=$(folded_match ';burn_in_a_named_loop \[burn\]( |;)' "$OUT/$part-on-time.folded")
	holds "$part: a second life under the same name" "$weight > 450 && $on_time < 750"
done
finish
