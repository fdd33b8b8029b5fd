# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1800
# takes: 40
#
# Two modules at the same addresses are loaded and unloaded alternately, a thousand
# times, while they are sampled. The comm of the process that loads them is the name of
# the current one: no sample may have the other's functions.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

# foreign NAME FILE: count samples of NAME's process in the other module's functions
foreign() {
	local twin=right

	[ "$1" = left ] || twin=left
	grep -E "^$1;" "$2" | grep -E "[; ]${twin}_(stays|loads|unloads|init|exit)|\\[$twin\\]"
}

rounds=$(times 1000 24)
load hz=9973
(while sleep 0.3; do flamectl dump >/dev/null 2>&1; done) & reader=$!
ok "two modules came and went, $rounds times" \
	/root/churn "$rounds" /root/left.ko /root/right.ko init_us=3000 exit_us=3000
same=$output
kill $reader
wait $reader 2>/dev/null
holds "they lay at the same address $same times of $rounds" "$same > $rounds / 2"
books_right churn
folded=$OUT/churn.folded
for name in left right; do
	is "$name: none of its samples bears its twin's names" "$(foreign $name "$folded")" ''
	for part in loads stays unloads; do
		# each spins 1.5 ms, or twice that, half of the rounds each
		weight=$(folded_match "^$name;.*;${name}_$part \\[$name\\]( |;)" "$folded")
		diag "$name: ${name}_$part has $weight periods"
		holds "$name: ${name}_$part has its periods" \
			"$weight > $rounds / 2 * 1.5 * 9.973 * 0.7"
	done
	is "$name: nothing is unknown" "$(grep -E "^$name;.*\\[unknown\\]" "$folded")" ''
done

# A module whose load fails is gone at once, without an exit function, and the other
# one follows.
flamectl reset
flamectl start
for ((i = 0; i < $(times 50 10); i++)); do
	insmod /root/left.ko init_us=10000 fail=1 2>/dev/null && diag 'it should have failed'
	insmod /root/right.ko init_us=6000
	rmmod right
done
books_right failing
for part in loads stays; do
	left=$(folded_match "^insmod;.*;left_$part \\[left\\]( |;)" "$OUT/failing.folded")
	right=$(folded_match "^insmod;.*;right_$part \\[right\\]( |;)" "$OUT/failing.folded")
	# they spin by a clock that also runs while the host does something else
	holds "failed: left_$part has $left periods" "$left > $i * 5 * 9.973 * 0.4"
	holds "failed: right_$part has $right periods" "$right > $i * 3 * 9.973 * 0.4"
done
finish
