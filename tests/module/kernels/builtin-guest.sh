# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# In a guest whose kernel has the module in it: tests/module/kernels/builtin.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# books NAME: check that a dump of the stopped sampler agrees with its books
books() {
	flamectl dump >"$OUT/$1.folded"
	flamectl status --json >"$OUT/$1.json"
	books_balance "$1" "$OUT/$1.json"
	clock_agrees "$1" "$OUT/$1.json"
	is "$1: the stacks sum to what the books say" \
		"$(folded_sum "$OUT/$1.folded")" "$(stored_and_lost "$OUT/$1.json")"
}

is 'no module is loaded' "$(grep flamemod /proc/modules)" ''
is 'its parameters come from the command line' "$(cat /sys/module/flamemod/parameters/hz)" 499
flamectl status --json >"$OUT/boot.json"
is 'asked on the command line, it samples since the boot' "$(what .running "$OUT/boot.json")" true
is 'at that rate' "$(what .settings.hz "$OUT/boot.json")" 499
holds 'something was stored before anybody asked' "$(what .books.stored "$OUT/boot.json") > 0"

load_start
exits 0 'record' flamectl record -d 3s -o "$OUT/load.pb.gz"
unfold "$OUT/load"
books_balance 'record' "$OUT/load.json"
exits 0 'svg' sh -c "flamectl svg $OUT/load.pb.gz >$OUT/load.svg"
like 'the load is in the graph' "$(cat "$OUT/load.svg")" 'ksys_write|vfs_write|kernel_clone'
unlike 'no frame is an address' "$(cat "$OUT/load.folded")" '(;| )(0x)?[0-9a-f]{12,}(;| )'
ok 'a CPU goes off' sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online'
ok 'and on again' sh -c 'echo 1 >/sys/devices/system/cpu/cpu1/online'
load_stop
ok 'stop' flamectl stop
books 'since the boot'
ok 'start' flamectl start
sleep 1
ok 'stop again' flamectl stop
books 'and on'
nok 'it cannot be unloaded' rmmod flamemod
unlike 'the kernel did not complain' "$(dmesg)" 'BUG:|WARNING:|INFO: |Oops|flamemod: .*(cannot|must|sampling ends)'
finish
