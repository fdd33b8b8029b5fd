# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 600
#
# BPF programs come and go without telling anyone. Two lie at one address in
# turns: neither's samples may bear the other's name once a drain has passed.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

program() { folded_match "^$1;.*;bpf_prog_[0-9a-f]*_$2( \\[bpf\\])?( |;)" "$OUT/programs.folded"; }

rounds=$(times 60 6)
echo 1 >/proc/sys/net/core/bpf_jit_enable
load hz=997
ok "two programs came and went, $rounds times" /root/bpf churn "$rounds" 20000
books_right programs
for name in left right; do
	twin=right
	[ $name = left ] || twin=left
	holds "$name: it was seen" "$(program $name $name) > 0"
	is "$name: none of its samples bears its twin's name" "$(program $name $twin)" 0
done
finish
