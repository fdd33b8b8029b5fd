# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 30
# limit: 900
#
# Several programs have events attached at the same time. Each counts all of what it asked
# for, from its own start to its own end, and the others neither see that nor end with it.
# The calls are those of modules/probed, the client is hits.c.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/hits.sh
. /tests/module/vm/hits.sh

probed=/sys/module/probed/parameters

if [ ! -e /proc/kallsyms ] || ! grep -q ' register_kprobe$' /proc/kallsyms; then
	skip 'several programs count calls' 'this kernel has no kprobes'
	finish
fi
load autostart=0 "${kernel_half[@]}"
insmod /root/probed.ko || exit 1

# call N: call the function so often
call() { echo "$1" >$probed/calls; }

# now QUERY: ask the status
now() { flamectl status --json | jq -rc "$1"; }

# Started at the same moment, one of them starts sampling, and the others share it.
pids=()
for i in 1 2 3; do
	flamectl record -e func:probed_call --no-user-stacks -d 2s -o "$OUT/same.$i.pb.gz" \
		>"$OUT/same.$i" 2>&1 &
	pids+=($!)
done
failed=''
for i in 1 2 3; do
	wait "${pids[i - 1]}" || failed+=$(cat "$OUT/same.$i")
done
is 'three recordings can begin at the same moment' "$failed" ''
flamectl stop 2>/dev/null
flamectl reset

# Each counts from its own start to its own end. The third one has another function, and
# events of tasks; the fourth a condition, which is its own as well.
client_begin one func:probed_call
call 100
client_begin two func:probed_call latency:probed_call
call 20
client_begin three -e 10 func:probed_inner
client_begin four func:probed_call,if=1/le/2
call 3
echo 5 >$probed/outer
is 'four programs have events attached' "$(now '[.attached[].pid] | unique | length')" 4
is 'the status names them' "$(now '[.attached[].pid] | unique')" \
	"[$(printf '%s\n' "${clients[@]}" | sort -n | paste -sd ,)]"
is 'and what each has' "$(now "[.attached[] | select(.pid == ${clients[1]}) | .event]")" \
	'["func:probed_call","latency:probed_call"]'
is 'with its own books' "$(now '[.attached[] | select(.event == "func:probed_call") | .hits.seen]')" \
	'[123,23,3]'

# A fifth is refused, and told who has them; a name is found with whoever has it.
/root/hits func:probed_call </dev/null >"$OUT/fifth" 2>&1
like 'a fifth is refused, and told who they are' "$(cat "$OUT/fifth")" \
	"^attach: 16 attach: processes ${clients[0]}, ${clients[1]}, ${clients[2]}, ${clients[3]} have events attached, 4 at a time: wait for one to end"
exits 1 'so is flamectl' flamectl record -e func:vfs_read -o "$OUT/refused.pb.gz" -- true
like 'with the same words' "$output" "processes ${clients[0]}, .* 4 at a time"
ok 'an event is found with the program that has it' flamectl dump --event latency:probed_call
ok 'and one of a later program, too' flamectl dump --event func:probed_inner
like 'with its stacks' "$output" 'probed_middle'
exits 1 'one that several have is not, by its name alone' flamectl dump --event func:probed_call
like 'and they are listed' "$output" \
	"func:probed_call@PID; they are ${clients[0]}, ${clients[1]}, ${clients[3]}\$"
ok 'but with the process, too' flamectl dump --event "func:probed_call@${clients[1]}"
is 'and its count' "$(awk '{ n += $NF } END { print n }' <<<"$output")" 23
exits 1 'one that nobody has is not' flamectl dump --event func:vfs_read
like 'and all names are listed' "$output" 'latency:probed_call'
like 'those of all programs' "$output" 'func:probed_inner'

# The end of one is not that of others. What it had is free for the next.
client_end two "${clients[1]}"
balances two 2
is 'the second counted from its start on' "$(books two 8 hits seen)" 23
is 'and so did its other event' "$(books two 9 hits seen)" 23
call 7
client_begin five func:probed_call
call 1
kill -KILL "${clients[3]}"
wait "${clients[3]}" 2>/dev/null
has_so_many() { [ "$(now '[.attached[].pid] | unique | length')" = "$1" ]; }
ok 'what was killed has nothing attached any more' wait_for 20 has_so_many 3
# Without user stacks: before v5.14 the kernel counts a fault in a handler as a missed call.
ok 'the place of one that was killed is free' flamectl record -e func:probed_call \
	--no-user-stacks -o "$OUT/record.pb.gz" -- sh -c "echo 50 >$probed/calls"
is 'and has its own count' "$(flamectl status --json "$OUT/record.pb.gz" --event func:probed_call |
	jq .intervals.seen)" 50

# CPUs go and come while four have events attached, and the timer samples.
client_begin six -e 10 func:probed_call
flamectl start
load_start
for _ in 1 2 3; do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
	echo 1 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
done
call 11
load_stop
flamectl stop
client_end one "${clients[0]}"
client_end three "${clients[2]}"
client_end five "${clients[4]}"
client_end six "${clients[5]}"
balances one 1
balances three 3
balances five 1
balances six 3
is 'the first counted all calls' "$(books one 8 hits seen)" $((100 + 20 + 3 + 7 + 1 + 50 + 11))
is 'the third those of its function' "$(books three 8 hits seen)" 5
is 'the fifth those since its start' "$(books five 8 hits seen)" $((1 + 50 + 11))
is 'the sixth as well' "$(books six 8 hits seen)" 11
flamectl status --json >"$OUT/end.json"
is 'nothing is attached any more' "$(jq '.attached | length' "$OUT/end.json")" 0
books_balance "the timer's books" "$OUT/end.json"

# Unloaded while several have events attached.
client_begin seven func:vfs_read
client_begin eight -e 10 latency:vfs_read
ok 'it unloads while sources of two are attached' unload_when_free
unlike 'and leaves no probe' "$(cat /sys/kernel/debug/kprobes/list 2>/dev/null)" vfs_read
kill "${clients[6]}" "${clients[7]}"
wait "${clients[6]}" "${clients[7]}" 2>/dev/null
rmmod probed
finish
