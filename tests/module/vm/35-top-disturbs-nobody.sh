# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 60
# alone
#
# flamectl top in a terminal, beside other readers: it shows what runs, and the others
# lose nothing. However it ends, it restores the terminal and the module.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

hz=$((997 / slowness))
burn_ms=6000
burn=/sys/module/burn/parameters

# Text written to file descriptor 5 is typed into the terminal.
mkfifo /tmp/keys
exec 5<>/tmp/keys

# watch NAME DELAY: start top on a terminal of its own
watch() {
	rm -f "$OUT/$1.state"
	/root/pty "$OUT/$1.screen" "$OUT/$1.state" flamectl top -d "$2" <&5 & pty=$!
	wait_for 20 test -e "$OUT/$1.state"
	top=$(<"$OUT/$1.state")
}

shows() { wait_for 30 grep -qa "$2" "$OUT/$1.screen"; }

# given_back NAME CODE: check its exit code, and that its last output restored screen,
# cursor, keys and modes
given_back() {
	wait $pty
	is "$1: it ended so, and the modes are as before" "$(cat "$OUT/$1.state")" "$2 kept"
	like "$1: so are cursor, screen and keys" \
		"$(grep -aoE $'\e''\[\?(25[hl]|1049[hl]|1[hl])' "$OUT/$1.screen" | tail -n 3 | sort | tr -d '\n\033')" \
		'^\[\?1049l\[\?1l\[\?25h$'
}

# held: print how many readers have a dump in progress
held() { cat /sys/module/flamemod/refcnt; }
memory() { flamectl status --json | jq .memory_bytes; }

# Others read while top updates ten times a second.
insmod /root/burn.ko || exit
load hz=$hz autostart=0
load_start
watch beside 100ms
ok 'it says that sampling is stopped' shows beside 'sampling is stopped'
touch /tmp/dumping
(while [ -e /tmp/dumping ]; do flamectl dump --no-names | folded_sum; done) >"$OUT/sums" 2>&1 & dumps=$!
exits 0 'another program records meanwhile' flamectl record -o "$OUT/recorded.pb.gz" -- \
	taskset -c 1 sh -c "echo $burn_ms >$burn/ms"
rm /tmp/dumping
wait $dumps
ok "it shows the workload's function" shows beside burn_in_a_named_loop
unfold "$OUT/recorded"
books_balance 'the recording' "$OUT/recorded.json"
clock_agrees 'the recording' "$OUT/recorded.json"
is 'the recording sums to its books' \
	"$(folded_sum "$OUT/recorded.folded")" "$(stored_and_lost "$OUT/recorded.json")"
# the host may delay the guest at each of 12 ends of slices
near 'the recording has all of the known workload' \
	"$(folded_match ';burn_in_a_named_loop' "$OUT/recorded.folded")" \
	$(($(cat $burn/burnt_us) * hz / 1000000)) 0.02
diag "$(wc -l <"$OUT/sums") dumps meanwhile"
holds 'others dump meanwhile' "$(grep -cvx 0 "$OUT/sums") >= 2"
is 'no dump has less than the one before' "$(sort -nc "$OUT/sums" 2>&1)" ''
flamectl dump >"$OUT/held.folded"
flamectl status --json >"$OUT/held.json"
is 'the module'"'"'s profile sums to its books' \
	"$(folded_sum "$OUT/held.folded")" "$(stored_and_lost "$OUT/held.json")"

# Somebody else resets the profile from which top computes differences.
flamectl start
for _ in {1..5}; do
	flamectl dump --reset >/dev/null
	sleep 0.1
done
printf s >&5	# by total
nok 'functions that have not run are not shown' grep -qa burn_with_interrupts_off "$OUT/beside.screen"
echo 2000 >$burn/irqs_off_ms
ok 'after dumps with reset it shows new samples' shows beside burn_with_interrupts_off
printf q >&5
given_back beside 0

# Print its cost in user mode and in the kernel; this is not checked.
# cpu_ticks: in units of USER_HZ, which is 100
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$top/stat"; }
watch cost 500ms
shows cost FUNCTION
ticks=-$(cpu_ticks)
sleep 4
ticks=$((ticks + $(cpu_ticks)))
diag "4 s with a look each 500 ms took $((ticks * 10)) ms of CPU time, $(flamectl dump --by pid,tid,cpu,context | wc -l) stacks are held"
printf q >&5
given_back cost 0

# Signals.
watch interrupted 500ms
shows interrupted FUNCTION
printf '\003' >&5
given_back interrupted 0
watch signalled 500ms
shows signalled FUNCTION
kill -INT "$top"
given_back signalled 0
watch terminated 500ms
shows terminated FUNCTION
kill -TERM "$top"
given_back terminated 143
load_stop
flamectl stop

# Killed during a dump, if the test can catch it there.
before=$(memory)
caught=0
for _ in {1..5}; do
	watch killed 100ms
	shows killed FUNCTION
	for ((try = 0; try < 2000; try++)); do
		[ "$(held)" = 0 ] || break
	done
	kill -STOP "$top"
	caught=$((caught + $(held)))
	kill -KILL "$top"
	wait $pty
done
diag "$caught of 5 were killed in the middle of a dump"
like 'killed, it is gone' "$(cat "$OUT/killed.state")" '^137 '
ok 'the module is not held' wait_for 30 grep -qx 0 /sys/module/flamemod/refcnt
is 'its memory is freed' "$(memory)" "$before"
flamectl dump >"$OUT/after.folded"
flamectl status --json >"$OUT/after.json"
books_balance 'afterwards' "$OUT/after.json"
clock_agrees 'afterwards' "$OUT/after.json"
is 'afterwards the stacks sum to the books' \
	"$(folded_sum "$OUT/after.folded")" "$(stored_and_lost "$OUT/after.json")"
unload
exec 5<&-
finish
