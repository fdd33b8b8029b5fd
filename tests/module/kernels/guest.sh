# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the guests of these tests, which source it.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# recorded NAME COMMAND...: record COMMAND, and check that the books balance
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

# forks_recorded: record processes that start and end, and draw a graph
forks_recorded() {
	recorded fork workload run fork 3
	holds 'fork: kernel_clone was seen' \
		"$(folded_match ';(kernel_clone|copy_process)[; ]' "$OUT/fork.folded") > 30"
	holds 'fork: exit_mmap was seen' "$(folded_match ';exit_mmap[; ]' "$OUT/fork.folded") > 10"
	exits 0 'fork: drawn' sh -c "flamectl svg $OUT/fork.pb.gz >$OUT/fork.svg"
}

# comes_and_goes: unload and load the module many times, under load
comes_and_goes() {
	local i

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
}
