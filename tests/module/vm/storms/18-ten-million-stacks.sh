# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 3600
# takes: 30
#
# Each of 1.7 million stacks taken by learned steps equals the kernel's unwinder's; on six
# kernels that is ten million. They are taken under load, while kprobes, kretprobes,
# function_graph, BPF programs, and modules at the same addresses come and go.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh
# shellcheck source=tests/module/vm/storms/tracers.sh
. /tests/module/vm/tracers.sh

# shellcheck disable=SC2034 # tracers.sh
functions="chain_one chain_three vfs_read vfs_write"

# stacks NAME: print a counter
stacks() { flamectl status --json | jq -r ".stacks.$1"; }

modules_on() { /root/churn 8 /root/left.ko /root/right.ko init_us=2000 exit_us=2000; }
nothing() { :; }

# round ON OFF: run ON, sample for a while, run OFF
round() {
	"$1" >/dev/null 2>"$OUT/errors" || failed="$failed $1: $(<"$OUT/errors")"
	echo 500 >/sys/module/chain/parameters/ms
	sleep 1
	"$2" >/dev/null 2>&1
}
graph_on() { tracer_on function_graph; }

target=$(times 1700000 20000)
failed=''
insmod /root/chain.ko
load_start
load hz=9973 verify=1 aggregate_kb=65536
while [ "$(stacks verified)" -lt "$target" ]; do
	[ "$(stacks differences)" = 0 ] || break
	round kprobes_on probes_off
	round kretprobes_on probes_off
	round graph_on tracer_off
	round bpf_on bpf_off
	round modules_on nothing
	flamectl reset
done
load_stop
diag "$(flamectl status --json | jq -c .stacks)"
is 'all that was to come came' "$failed" ''
holds "$target stacks were compared" "$(stacks verified) >= $target"
is 'none was different' "$(stacks differences)" 0
books_right compared
unload
rmmod chain
finish
