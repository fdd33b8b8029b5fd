# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# main path
# limit: 900
# takes: 35
#
# Record each of the demo's workloads, and look for the functions that a reader
# expects in its graph.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# recorded NAME REGEX...: record the workload NAME; stacks match each REGEX
recorded() {
	local name=$1 folded=$OUT/$1.folded saved=$OUT/$1.pb.gz regex
	shift

	ok "$name: set up" workload prepare "$name"
	exits 0 "$name: recorded" flamectl record -o "$saved" -- workload run "$name" "$seconds"
	ok "$name: taken down" workload clean "$name"
	unfold "$OUT/$name"
	exits 0 "$name: drawn" sh -c "flamectl svg $saved >$OUT/$name.svg"
	like "$name: the graph is SVG" "$(head -c 1000 "$OUT/$name.svg")" '<svg'

	for regex; do
		holds "$name: $regex was seen" "$(folded_match "$regex" "$folded") > 0"
	done
	unlike "$name: no frame is an address" "$(cat "$folded")" '(;| )(0x)?[0-9a-f]{12,}(;| )'
	books_balance "$name" "$OUT/$name.json"
	clock_agrees "$name" "$OUT/$name.json"
	is "$name: the stacks sum to what the books say" \
		"$(folded_sum "$folded")" "$(stored_and_lost "$OUT/$name.json")"
	is "$name: nothing was lost" \
		"$(what '[.books.lost | del(.overload)[]] | add' "$OUT/$name.json")" 0
	# a host that stops the guest during a sample makes the sample look slow
	holds "$name: nearly nothing for want of time" \
		"$(what .books.lost.overload "$OUT/$name.json") <= 0.02 * $(what .books.expected "$OUT/$name.json")"
}

load autostart=0
seconds=2
recorded network '^iperf3;.*;tcp_sendmsg(_locked)?[; ]' ';(veth_xmit|process_backlog)( \[[a-z]*\])?[; ]'
if [ -z "$main_path" ]; then
	recorded archive '^tar;.*;.*getdents64[; ]' '^tar;.*;ext4_[a-z_]+ \[ext4\][; ]'
	recorded crypt ';[a-z_]*(aes|xts)[a-z0-9_]*( \[[a-z_]*\])?[; ]' ';kcryptd_crypt[a-z_]* \[dm_crypt\]'
fi
recorded fork ';(kernel_clone|copy_process)[; ]' ';[a-z_0-9]*execve[a-z_]*[; ]' ';exit_mmap[; ]'
# in a kernel that checks itself, to start and stop takes seconds
seconds=$((3 * slowness))
recorded idle '^swapper;.*;do_idle[; ]' '^swapper;.*;default_idle_call[; ]'
# the host stops guests, which counts for what it stopped
flamectl dump --drop-late "$OUT/idle.pb.gz" >"$OUT/idle.prompt"
# The recorder looks for names, for which the module drains its tables.
holds 'idle: except for the recorder it is nearly all idle' \
	"$(folded_match '^swapper;(.*do_idle|\[idle\] )' "$OUT/idle.prompt") > 0.9 * ($(folded_sum "$OUT/idle.prompt") \
		- $(folded_match '^(workload|sleep|timeout|flamectl);|^kworker.*;fm_drain_work ' "$OUT/idle.prompt"))"

is 'record stops what it started' "$(flamectl status --json | jq .running)" false
finish
