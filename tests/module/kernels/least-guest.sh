# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# In a guest with the least of a kernel: tests/module/kernels/least.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# recorded NAME COMMAND...: a profile of COMMAND, whose books balance
recorded() {
	local name=$1
	shift

	exits 0 "$name: recorded" flamectl record -o "$OUT/$name.pb.gz" -- "$@"
	unfold "$OUT/$name"
	books_balance "$name" "$OUT/$name.json"
	clock_agrees "$name" "$OUT/$name.json"
	is "$name: the stacks sum to what the books say" \
		"$(folded_sum "$OUT/$name.folded")" "$(stored_and_lost "$OUT/$name.json")"
	unlike "$name: no frame is an address" "$(cat "$OUT/$name.folded")" \
		'(;| )(0x)?[0-9a-f]{12,}(;| )'
}

is 'there is one CPU' "$(nproc)" 1
nok 'there is no debugfs' grep -qw debugfs /proc/filesystems
is 'there is no symbol of a tracepoint' "$(grep -c ' __tracepoint_' /proc/kallsyms)" 0
is 'the portable way is the only one' "$(unwinders | xargs)" portable
nok 'another is refused' insmod "$module" unwinder=learned
load hz=997
exits 0 'doctor finds nothing in the way' flamectl doctor
like 'doctor tells that stacks are guessed' "$output" '^warn +options .*neither CONFIG_UNWINDER_ORC'
is 'it samples' "$(flamectl status --json | jq .running)" true
recorded fork workload run fork 3
holds 'fork: kernel_clone was seen' \
	"$(folded_match ';(kernel_clone|copy_process)[; ]' "$OUT/fork.folded") > 30"
holds 'fork: exit_mmap was seen' "$(folded_match ';exit_mmap[; ]' "$OUT/fork.folded") > 10"
exits 0 'fork: drawn' sh -c "flamectl svg $OUT/fork.pb.gz >$OUT/fork.svg"

# Without tracepoints nobody reports new tasks.
exits 1 'a command cannot be recorded alone' flamectl record --only -o "$OUT/none.pb.gz" -- true
like 'the module says why' "$output" 'follow: this kernel has no tracepoints'
nok 'nothing is left behind' test -e "$OUT/none.pb.gz"

# An idle CPU is not left asleep where nothing tells when it wakes up: it is sampled.
recorded idle sleep 3
holds 'idle: it is nearly all idle' \
	"$(folded_match '^swapper[;/ ]' "$OUT/idle.folded") > 0.8 * $(folded_sum "$OUT/idle.folded")"

load_start
for ((i = 0; i < 5; i++)); do
	exits 0 "dump $i, with reset" sh -c "flamectl dump --reset >>$OUT/dumps"
	sleep 0.5
done
ok 'unloaded under load' unload
for ((i = 0; i < 20; i++)); do
	insmod "$module" hz=20000 || break
	sleep 0.1
	unload || break
done
is 'twenty times more' $i 20
load_stop
unlike 'the kernel did not complain' "$(dmesg)" 'BUG:|WARNING:|INFO: |Oops|flamemod: .*(cannot|sampling ends)'
finish
