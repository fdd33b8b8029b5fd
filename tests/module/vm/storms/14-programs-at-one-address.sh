# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
# main path
#
# BPF programs come and go without notice. Two are at the same address alternately: after
# a drain no sample of one may have the other's name.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

program() { folded_match "^$1;.*;bpf_prog_[0-9a-f]*_$2( \\[bpf\\])?( |;)" "$OUT/programs.folded"; }

rounds=$(times 60 6)
echo 1 >/proc/sys/net/core/bpf_jit_enable
load hz=997
# A dump drains: so the samples have names while their program exists.
ok "two programs came and went, $rounds times" \
	/root/bpf churn "$rounds" 20000 "flamectl dump >/dev/null"
books_right programs
for name in left right; do
	twin=right
	[ $name = left ] || twin=left
	holds "$name: it was seen" "$(program $name $name) > 0"
	is "$name: none of its samples bears its twin's name" "$(program $name $twin)" 0
done
finish
