# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 900
# takes: 95
#
# However a recorder ends, the sampling that it started stops, and its settings are
# restored. What others do stays.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

state() { flamectl status --json | jq -c '[.running, .settings.hz, .settings.pids]'; }
is_state() { [ "$(state)" = "$1" ]; }
samples() { flamectl status --json | jq -e '.books.fires > 0'; }

# killed AFTER OPTION...: start a recorder, and kill it AFTER so many seconds
killed() {
	local pid
	flamectl record "${@:2}" -o "$OUT/killed.pb.gz" >/dev/null 2>&1 & pid=$!
	sleep "$1"
	kill -KILL $pid
	wait $pid 2>/dev/null
}

load autostart=0 hz=997 "${kernel_half[@]}"
load_start

# Killed before it starts sampling, during sampling, during its dump.
for after in 0 0.05 0.1 0.2 0.3 0.8 1.4; do
	killed $after -p "$load_pid" -F 499 -d 1s
	ok "killed after $after s: it is stopped, without a filter" \
		wait_for 20 sh -c 'flamectl status --json | jq -e "(.running | not) and .settings.pids == []"'
	if ! samples >/dev/null; then
		ok "killed after $after s: nothing is held, and the rate is as before" is_state '[false,997,[]]'
	fi
	flamectl reset
	flamectl set hz=997
done

# Its samples are still held, at its rate; a later recording is not filtered.
killed 3 -p "$load_pid" -F 499
ok 'a recorder is killed' wait_for 20 is_state '[false,499,[]]'
ok 'its samples are held' samples
exits 0 'the next recording' flamectl record -v -d 1s -o "$OUT/next.pb.gz"
unlike 'is not filtered' "$output" 'filtered'
unfold "$OUT/next"
holds 'and has samples' "$(what .books.stored "$OUT/next.json") > 0"
flamectl reset
flamectl set hz=997

# Two recorders, of which the first has started sampling.
flamectl record -p "$load_pid" -o "$OUT/first.pb.gz" & first=$!
ok 'a recorder samples' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
killed 2
is 'the other one is killed: it goes on' "$(state)" "[true,997,[$load_pid]]"
flamectl record -d 1h -o "$OUT/second.pb.gz" >"$OUT/second" 2>&1 & second=$!
sleep 2
kill -KILL $first
ok 'the first is killed: it ends' wait_for 20 is_state '[false,997,[]]'
kill -INT $second
exits 0 'the second saves its samples' wait $second
like 'and says that sampling ended' "$(cat "$OUT/second")" 'sampling was stopped during the recording'

# Sampling that flamectl start has started goes on.
flamectl reset
flamectl start pids=1
is 'sampling started by flamectl start goes on without it' "$(state)" '[true,997,[1]]'
flamectl stop
flamectl set pids=
flamectl record -p "$load_pid" -o "$OUT/third.pb.gz" >/dev/null 2>&1 & third=$!
ok 'a recorder samples' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
flamectl stop
flamectl start pids=1
kill -KILL $third
sleep 1
is 'sampling that others started later is not stopped' "$(state)" '[true,997,[1]]'
flamectl stop
flamectl reset
flamectl set pids=

# A recorder that ends as usual does not stop it either: neither what another recorder has
# started, nor what flamectl start has.
flamectl record -p "$load_pid" -F 499 -o "$OUT/fourth.pb.gz" >"$OUT/fourth" 2>&1 & fourth=$!
ok 'a recorder samples' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
flamectl stop
flamectl record -p 1 -o "$OUT/fifth.pb.gz" >"$OUT/fifth" 2>&1 & fifth=$!
ok 'another one starts it anew' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
kill -INT $fourth
exits 0 'the first saves its samples' wait $fourth
like 'and says what happened' "$(cat "$OUT/fourth")" 'somebody else stopped sampling during the recording'
is 'the other one still samples, with its filter' "$(state)" '[true,499,[1]]'
flamectl stop
flamectl start pids=1
kill -INT $fifth
exits 0 'the other one saves its samples' wait $fifth
like 'and says what happened as well' "$(cat "$OUT/fifth")" 'somebody else stopped sampling during the recording'
is 'what flamectl start has started goes on' "$(state)" '[true,499,[1]]'
flamectl stop
flamectl reset
flamectl set pids= hz=997

# Following ends with its recorder, although the command continues: no matter whether
# the recorder or somebody else has started sampling.
cp /root/family /root/kin
followed() { flamectl status --json | jq -c '[.running, .followed, .settings.followed_only]'; }
is_followed() { [ "$(followed)" = "$1" ]; }
memory() { flamectl status --json | jq .memory_bytes; }
kin() { grep -lx kin /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3; }
kin_works() { [ -n "$(kin)" ]; }
kin_ends() { kin | xargs -r kill -KILL; }
# is_freed BYTES: forget the profile, and check that about so many are used, as at first;
# following takes 512 KiB
is_freed() { flamectl reset; [ "$(memory)" -lt $(($1 + 262144)) ]; }
flamectl set hz=997
for running in false true; do
	# user stacks would take memory meanwhile
	[ $running = false ] || flamectl start user-stacks=0
	flamectl reset
	first=$(memory)
	flamectl record --no-user-stacks --only -o "$OUT/only.pb.gz" -- /root/kin work 100000 >/dev/null 2>&1 & only=$!
	ok "running $running: a command is followed" \
		wait_for 20 sh -c 'flamectl status --json | jq -e ".running and .followed > 0"'
	ok "running $running: it is at work" wait_for 20 kin_works
	holds "running $running: memory for that is counted" "$(memory) > $first + 262144"
	kill -KILL $only
	wait $only 2>/dev/null
	ok "running $running: its recorder is killed, and nobody is followed" \
		wait_for 20 is_followed "[$running,0,false]"
	ok "running $running: nothing is held for it" wait_for 20 is_freed "$first"
	ok "running $running: the command lives on" kin_works
	# at once, each while the previous command still runs
	for i in 1 2; do
		flamectl record --only -o "$OUT/again.pb.gz" -- /root/kin work 100000 >/dev/null 2>&1 & only=$!
		ok "running $running, $i: the next command is followed" \
			wait_for 20 sh -c 'flamectl status --json | jq -e ".running and .followed > 0"'
		kill -KILL $only
		wait $only 2>/dev/null
		exits 0 "running $running, $i: and right after that the next" \
			flamectl record --only -o "$OUT/last.pb.gz" -- /root/kin work 200
	done
	unfold "$OUT/last"
	books_balance "running $running" "$OUT/last.json"
	holds "running $running: it was recorded" "$(folded_match 'do_syscall_64|el0_svc|\[user\]' "$OUT/last.folded") > 0"
	is "running $running: as before" "$(followed)" "[$running,0,false]"
	kin_ends
	flamectl stop 2>/dev/null
	flamectl reset
done
# When a recording ends, the settings are as before, although its command still runs.
settings() { flamectl status --json | jq -c '[.running, .settings.cpus, .settings.pids]'; }
before=$(settings)
flamectl record -C 0 -p "$load_pid" --no-user-stacks -d 500ms -o "$OUT/sixth.pb.gz" -- \
	/root/kin work 100000 >"$OUT/sixth" 2>&1 & sixth=$!
ok 'a recorder samples' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
ok 'and ends' wait_for 20 test -s "$OUT/sixth.pb.gz"
sixth_is_over() { [ "$(settings)" = "$before" ]; }
ok 'the settings are as before' wait_for 5 sixth_is_over
ok 'and the command still runs' kill -0 $sixth
kin_ends
wait $sixth
is 'the profile says how it was sampled' "$(flamectl status --json "$OUT/sixth.pb.gz" | jq -c '[.settings.cpus, .settings.pids]')" "[\"0\",[$load_pid]]"
flamectl reset
flamectl set hz=997

# The module is unloaded while the command continues.
flamectl record --only -o "$OUT/only.pb.gz" -- /root/kin work 100000 >/dev/null 2>&1 & only=$!
ok 'a command is followed' wait_for 20 sh -c 'flamectl status --json | jq -e ".followed > 0"'
kill -KILL $only
wait $only 2>/dev/null
ok 'unloaded right after its recorder was killed' unload_when_free
kin_ends
load autostart=0 hz=997

# A port belongs to a socket of one protocol in one network namespace.
mkfifo "$OUT/fifo"
/root/nlowner 4711 <"$OUT/fifo" >"$OUT/said" 2>&1 & asker=$!
exec 7>"$OUT/fifo"
ok 'sockets with the port of the owner are closed elsewhere' wait_for 20 grep -q 'others closed' "$OUT/said"
sleep 1
is 'and it goes on' "$(state)" '[true,997,[]]'
exec 7>&-
exits 0 'the owner ends' wait $asker
ok 'and sampling with it' wait_for 20 is_state '[false,997,[]]'
rm "$OUT/fifo"

# Another one starts sampling between what record looks at and what it does. Before it
# shared that, 4 of 40 recordings failed.
failed=''
for ((i = 0; i < 40; i++)); do
	flamectl start 2>/dev/null & other=$!
	tap_run flamectl record -d 100ms -o "$OUT/at-once.pb.gz"
	[ "$status" = 0 ] || failed+=$output
	wait $other
	flamectl stop 2>/dev/null
done
is 'a recording shares what starts at the same time' "$failed" ''

# Unloaded right after.
unloaded=0
for ((i = 0; i < 4; i++)); do
	killed "0.$((2 * i + 1))" -F 4999
	unload_when_free && unloaded=$((unloaded + 1))
	load autostart=0
done
is 'unloaded 4 times right after a recorder was killed' $unloaded 4
load_stop
unload
finish
