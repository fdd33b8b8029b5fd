# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 30
# guest: -c 3 -m 1G -a "isolcpus=2 nohz_full=2 irqaffinity=0 nowatchdog mce=off"
# alone
#
# Isolated CPUs are not sampled, and not interrupted while sampling runs, unless they
# are named. Messages say which CPUs are left out.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

seconds=3
taskset -p 3 $$ >/dev/null

# What may interrupt a CPU for another one: calls of functions, TLB flushes, patched
# text, rescheduling; and its timer.
crosses='^ *(CAL|TLB|RES|IWI|IPI[0-9]+):'
timers='^ *LOC:|arch_timer'

# irqs_of_2 REGEX: sum up CPU 2's column in these lines of /proc/interrupts
irqs_of_2() { awk -v lines="$1" '$0 ~ lines { sum += $4 } END { printf "%.0f\n", sum }' /proc/interrupts; }

# in_window COMMAND...: run it, and print CPU 2's cross calls and timer interrupts
# meanwhile
in_window() {
	local crossed ticked

	crossed=$(irqs_of_2 "$crosses") ticked=$(irqs_of_2 "$timers")
	"$@"
	echo "$(($(irqs_of_2 "$crosses") - crossed)) $(($(irqs_of_2 "$timers") - ticked))"
}

# Have readers make the module drain, allocate and free.
# shellcheck disable=SC2317 # in_window runs it
busy() {
	local end=$(($(uptime_ms) + seconds * 1000))

	while [ "$(uptime_ms)" -lt "$end" ]; do
		flamectl dump >/dev/null 2>&1
		flamectl dump --reset >/dev/null 2>&1
		sleep 0.2
	done
}

# What recordings of single commands make it do: follow each, and end that.
# shellcheck disable=SC2317 # in_window runs it
following() {
	for _ in $(seq 5); do
		flamectl record --only -o /root/followed.pb.gz -- sleep 0.2 >/dev/null 2>&1
	done
}

insmod "$module" autostart=0
like 'the kernel log says which CPU is left out' "$(dmesg | tail -n 3)" \
	'flamemod: CPUs 2 are isolated and not sampled: cpus=all includes them'
like 'doctor does' "$(flamectl doctor)" '^ok +cpus +2 is isolated'
sleep 2

# A moved kernel thread or the end of a grace period may disturb a window: one quiet
# window is enough.
for _ in $(seq 6); do
	read -r crossed_without ticked_without < <(in_window busy)
	flamectl start hz=997
	sleep 0.5
	read -r crossed ticked < <(in_window busy)
	read -r crossed_following _ < <(in_window following)
	flamectl status --json >"$OUT/sampled.json"
	flamectl stop
	diag "CPU 2, cross calls and timer interrupts in $seconds s: $crossed_without and $ticked_without while stopped, $crossed and $ticked while the others are sampled; $crossed_following cross calls in five recordings with --only"
	[ "$crossed" -gt "$((crossed_without + 1))" ] || [ "$ticked" -gt $((ticked_without + seconds * 20)) ] ||
		[ "$crossed_following" -gt "$((crossed_without + 1))" ] || break
done
ok 'a command is followed meanwhile' test -s /root/followed.pb.gz
holds 'no cross call reaches an isolated CPU' "$crossed <= $crossed_without + 1"
holds 'nor when commands are followed' "$crossed_following <= $crossed_without + 1"
holds 'nor a timer' "$ticked <= $ticked_without + $seconds * 20"
is 'the other CPUs are sampled' "$(what '[.cpus[].cpu] | tostring' "$OUT/sampled.json")" '[0,1]'
is 'the status names the isolated one' "$(what '[.isolated, .nr_isolated] | tostring' "$OUT/sampled.json")" '["2",1]'
books_balance 'without CPU 2' "$OUT/sampled.json"

# To check the windows: they do show the interrupts of sampling a busy CPU 2. What is stored
# here tells why, if they do not: the timers, and the spinner's state, CPU time and CPU.
taskset 4 sh -c 'while :; do :; done' &
spinner=$!
trap 'kill $spinner' EXIT
sleep 1
flamectl reset
flamectl start -C all
is 'all CPUs are named' "$(flamectl status --json | jq -r .settings.cpus)" 0-2
read -r crossed_all ticked_all < <(in_window busy)
flamectl status --json >"$OUT/all.json"
grep -E '^(cpu: |Tick Device|Per CPU)|expires|next_event|hang|event_handler' /proc/timer_list >"$OUT/timers"
cut -d ' ' -f 3,14,39 "/proc/$spinner/stat" >"$OUT/spinner"
flamectl stop
diag "CPU 2 when it is sampled: $crossed_all cross calls, $ticked_all timer interrupts"
holds 'a sampled CPU gets cross calls' "$crossed_all > $crossed + $seconds"
holds 'and timer interrupts' "$ticked_all > $ticked + 100 * $seconds"
ok 'the default is set again' flamectl set cpus=

# A task that can only run there is refused, or sampled if the CPU is named.
run() { out=$("$@" 2>&1); code=$?; }
run flamectl record -p "$spinner" -d 1 -o /root/refused.pb.gz
is 'a task on an isolated CPU is refused' "$code" 1
like 'the message names the CPU' "$out" \
	"pid $spinner may only run on CPU 2, which is isolated and not sampled: -C 2 samples it, -C all samples all CPUs"
run flamectl start pids="$spinner"
is 'start refuses it, too' "$code" 1
is 'and nothing runs' "$(flamectl status --json | jq -r .state)" stopped
flamectl reset
ok 'the CPU is named' flamectl record -C 2 -p "$spinner" -d 1 -o "$OUT/named.pb.gz"
unfold "$OUT/named"
holds 'and the task is sampled' "$(folded_sum "$OUT/named.folded") > 200"
is 'on that CPU alone' "$(what '[.cpus[].cpu] | tostring' "$OUT/named.json")" '[2]'
like 'the caption says so' "$(flamectl report "$OUT/named.pb.gz")" '^# 1 of 3 CPUs, 997 Hz'
is 'the setting is as it was' "$(flamectl status --json | jq -r .settings.cpus)" ''

# Memory that is mapped page by page is freed with a flush of all CPUs' TLBs, sooner or
# later. The kernel maps what it cannot find in a row, and here that is all larger blocks.
echo 0 >/proc/sys/vm/compact_unevictable_allowed
ok 'free memory is left in small pieces' insmod /root/shatter.ko
flamectl reset
flamectl start hz=997
mapped=$(flamectl record --only -o /root/followed.pb.gz -- grep -cE 'fm_(memory_alloc|object_publish|object_compile|objects_work)' /proc/vmallocinfo 2>"$OUT/mapped.log")
is 'nothing is mapped page by page while a command is followed and programs are met' "$mapped" 0
like 'and it is followed' "$(flamectl report /root/followed.pb.gz)" '^# 2 of 3 CPUs, 997 Hz'
flamectl stop
rmmod shatter
ok 'unloaded' unload

# The CPUs can be chosen at load.
load cpus=2 hz=997
sleep 1
is 'the parameter is obeyed' "$(flamectl status --json | jq -c '[.cpus[] | select(.sampling) | .cpu]')" '[2]'
unload
load cpus=all hz=997
sleep 1
is 'it may be all' "$(flamectl status --json | jq -c '[.cpus[] | select(.sampling) | .cpu]')" '[0,1,2]'
unload
insmod "$module" cpus=9 2>/dev/null
like 'a CPU that does not exist is refused, and the message names those that do' "$(dmesg | tail -n 1)" \
	'flamemod: cpus=9: must be a list such as 0-3,8, all, or nothing .* there are CPUs 0-2'
finish
