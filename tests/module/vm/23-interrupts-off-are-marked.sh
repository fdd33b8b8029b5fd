# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 20
# guest: -c 4 -m 1G
# alone
#
# Time with interrupts off is counted, charged to its function, and marked. Time
# that the host took is not marked so: here four busy CPUs share those of the host.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# periods REGEX: of the stacks that match
periods() { folded_match "$1" "$OUT/folded"; }
# percent PART WHOLE
percent() { awk "BEGIN { print 100 * $1 / ($2 + !$2) }"; }

load hz=997
insmod /root/burn.ko
echo 1000 >/sys/module/burn/parameters/irqs_off_ms
flamectl stop
flamectl dump >"$OUT/folded"
flamectl status --json >"$OUT/off.json"
burnt_ms=$(($(</sys/module/burn/parameters/burnt_us) / 1000))
all=$(periods ';burn_with_interrupts_off \[burn\]( |;)')
marked=$(periods ';burn_with_interrupts_off \[burn\];\[irqs-off\] ')
diag "interrupts off: $burnt_ms ms burnt, $all periods, $marked of them marked"
# more than burnt if the host delays the timer, or if the kernel checks itself
holds 'time with interrupts off is charged to its function' "$all > 0.9 * $burnt_ms && $all < 1.3 * $burnt_ms"
holds 'nearly all of it is marked' "$marked > 0.9 * $all"
is 'it can be counted as the function'"'"'s own' \
	"$(flamectl dump --no-irqs-off | grep -c 'irqs-off')" 0
is 'the sum is the same' "$(flamectl dump --no-irqs-off | folded_sum)" "$(folded_sum "$OUT/folded")"
is 'status says that it is recognised here' "$(what .irqs_off_marked "$OUT/off.json")" true
books_balance 'with interrupts off' "$OUT/off.json"
clock_agrees 'with interrupts off' "$OUT/off.json"

flamectl reset
flamectl start
for _ in $(seq 4); do
	timeout 4 dd if=/dev/zero of=/dev/null bs=16k 2>/dev/null &
done
echo 2000 >/sys/module/burn/parameters/ms
wait
flamectl stop
flamectl dump >"$OUT/folded"
flamectl status --json >"$OUT/on.json"
all=$(periods ';burn_in_a_named_loop \[burn\]( |;)')
marked=$(periods ';burn_in_a_named_loop \[burn\];.*\[irqs-off\] ')
diag "a busy host: $all periods, $marked of them marked; $(what '.books | {fires, missed}' "$OUT/on.json" | tr -d '\n')"
holds 'the host took time from code with interrupts on' "$(what .books.missed "$OUT/on.json") > 100"
# except for moments at which they were off; a few of these take 50 ms here
holds 'that is not marked as time with interrupts off' "$(percent "$marked" "$all") < 8 * $slowness"
all=$(periods '^dd;')
marked=$(periods '^dd;.*\[irqs-off\] ')
diag "dd: $all periods, $marked of them marked"
# dd enters the kernel with interrupts off, and may be delayed there
holds 'a load of system calls has little of it' "$(percent "$marked" "$all") < 15 + 3 * $slowness"
books_balance 'on a busy host' "$OUT/on.json"
ok 'burn is unloaded' rmmod burn
ok 'unloaded' unload
finish
