# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 900
# takes: 35
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

running() { flamectl status --json | jq -r .running; }
epoch() { flamectl status --json | jq .epoch; }

# checks NAME: check that a saved profile is whole
checks() {
	unfold "$OUT/$1"
	is "$1: the stacks sum to the books" "$(folded_sum "$OUT/$1.folded")" "$(stored_and_lost "$OUT/$1.json")"
	books_balance "$1" "$OUT/$1.json"
}

cd "$OUT" || exit
load autostart=0 "${kernel_half[@]}"

# If no profile is held and nothing is sampled, record starts sampling and stops it.
exits 0 'record starts sampling' flamectl record -F 499 -d 1s -o "$OUT/first.pb.gz"
is 'it prints nothing if stderr is not a terminal' "$output" ''
is 'record stops what it started' "$(running)" false
checks first
is 'the rate is as requested' "$(what .hz "$OUT/first.json")" 499
holds 'the recording is as long as requested' "$(what '.duration_ns' "$OUT/first.json") >= 999e6"

# That profile is still held, so the next recording is a difference.
exits 1 'another rate is refused while samples are held' flamectl record -F 997 -d 1s -o "$OUT/none.pb.gz"
like 'the refusal names the current rate and what to do' "$output" 'holds samples at 499 Hz: .*flamectl reset'
nok 'and nothing is left behind' test -e "$OUT/none.pb.gz"
(sleep 2; flamectl stop) &
exits 0 'others may stop what it started' flamectl record -d 4s -o "$OUT/ended.pb.gz"
like 'a message says so' "$output" 'sampling was stopped during the recording'
is 'and it stays stopped' "$(running)" false
exits 0 'the same rate is accepted' flamectl record -d 500ms -o "$OUT/second.pb.gz"
checks second
holds 'the first window is not in the second' "$(what .books.fires "$OUT/second.json") < $(flamectl status --json | jq .books.fires)"
before=$(what '.time_ns' "$OUT/first.json")
holds 'the second window began later' "$(what '.time_ns' "$OUT/second.json") > $before"

# A command.
exits 7 "the command's exit status comes through" flamectl record -o "$OUT/command.pb.gz" -- sh -c 'dd if=/dev/zero of=/dev/null bs=64k count=2000 2>/dev/null; exit 7'
checks command
holds 'the command was sampled' "$(folded_match '^dd;' "$OUT/command.folded") > 0"
exits 143 'a signal that ends the command gives the exit code of a shell' flamectl record -o "$OUT/killed.pb.gz" -- sh -c 'kill $$'
fires=$(flamectl status --json | jq .books.fires)
exits 127 'a command that does not exist fails' flamectl record -o "$OUT/none.pb.gz" -- /no/such/command
like 'the message names it' "$output" 'cannot run /no/such/command: No such file or directory'
is 'nothing was started for it' "$(flamectl status --json | jq .books.fires)" "$fires"
printf 'no interpreter' >"$OUT/broken"
chmod +x "$OUT/broken"
printf '#!/no/such/shell\n' >"$OUT/broken"
exits 127 'a command that exec refuses fails' flamectl record -o "$OUT/none.pb.gz" -- "$OUT/broken"
is 'sampling that was started for it is stopped' "$(running)" false
nok 'and nothing is left behind' test -e "$OUT/none.pb.gz"
is 'no temporary file either' "$(find "$OUT" -name '.*.pb.gz*')" ''

# The first signal ends the recording and saves it; the second ends flamectl at once.
flamectl record -o "$OUT/interrupted.pb.gz" &
pid=$!
ok 'sampling begins' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
sleep 0.5
kill -INT $pid
exits 0 'SIGINT ends a recording early' wait $pid
checks interrupted
is 'and sampling with it' "$(running)" false
flamectl record -d 1h -o "$OUT/terminated.pb.gz" &
pid=$!
ok 'sampling begins' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
kill -TERM $pid
exits 0 'SIGTERM ends a recording early' wait $pid
checks terminated

# -p sets the module's filter, and restores it afterwards.
flamectl reset
load_start
exits 0 'a single process is recorded' flamectl record -p "$load_pid" -d 1s -o "$OUT/pid.pb.gz"
unlike 'which exists' "$output" 'no process or thread'
exits 0 'one that is not there, too' flamectl record -p 4194303 -d 100ms -o "$OUT/none.pb.gz"
like 'with a warning' "$output" 'warning: no process or thread here has the number 4194303'
checks pid
is 'no other process is in it' "$(flamectl dump -i "$OUT/pid.pb.gz" --by pid | grep -vcE "^(pid $load_pid;|\[lost)")" 0
holds 'other processes are filtered' "$(what .books.filtered "$OUT/pid.json") > 0"
is 'the filter is put back' "$(flamectl status --json | jq -c .settings.pids)" '[]'

# If sampling runs already, its state and settings do not change.
flamectl reset
flamectl start hz=997
before=$(epoch)
exits 1 'another rate is refused while sampling runs' flamectl record -F 99 -d 1s -o "$OUT/none.pb.gz"
like 'the refusal names the rate' "$output" 'already runs at 997 Hz'
flamectl record -p "$load_pid" -d 1s -o "$OUT/own.pb.gz" & one=$!
exits 0 'a window of running sampling is recorded' flamectl record -d 1s -F 997 -o "$OUT/all.pb.gz"
wait $one
is 'sampling still runs' "$(running)" true
is 'in the same epoch' "$(epoch)" "$before"
checks own
checks all
clock_agrees 'a window' "$OUT/all.json"
is 'another recorder has only its process' "$(flamectl dump -i "$OUT/own.pb.gz" --by pid | grep -vcE "^(pid $load_pid;|\[lost)")" 0
holds 'and others are filtered' "$(what .books.filtered "$OUT/own.json") > 0"

# Somebody else resets or stops it meanwhile.
(sleep 2; flamectl reset) &
exits 0 'a reset meanwhile is survived' flamectl record -d 4s -o "$OUT/reset.pb.gz"
is 'and costs nothing' "$output" ''
checks reset
holds 'the recording is of all of its time' "$(what .duration_ns "$OUT/reset.json") > 3.5e9"
(sleep 2; flamectl stop) &
exits 0 'a stop meanwhile is survived' flamectl record -d 4s -o "$OUT/stopped.pb.gz"
like 'the message says so' "$output" 'sampling was stopped during the recording'
checks stopped

# What others take by a reset, and what is left in the end, is what was recorded.
flamectl reset
flamectl record -d 4s -o "$OUT/shared.pb.gz" 2>"$OUT/shared.err" &
pid=$!
ok 'sampling begins' wait_for 20 sh -c 'flamectl status --json | jq -e .running'
for i in {1..6}; do
	flamectl dump --reset >"$OUT/part.$i.folded" || diag "no dump $i"
	sleep 0.4
done
exits 0 'it is recorded beside resets' wait $pid
is 'without a warning' "$(cat "$OUT/shared.err")" ''
flamectl dump >"$OUT/part.rest.folded"
checks shared
is 'it has what others got, and the rest, to the period' \
	"$(folded_sum "$OUT/shared.folded")" "$(folded_sum "$OUT"/part.*.folded)"
is 'nothing is kept any more, and nothing was missed' \
	"$(flamectl status --json | jq -c '.kept | [.readers, .epochs, .bytes, .expired, .reclaimed]')" '[0,0,0,0,0]'

# Requests that do not fit the state are refused with the module's message.
exits 1 'stop is refused while stopped' flamectl stop
like 'the message says so' "$output" '^flamectl: cannot stop: not sampling'
flamectl start
exits 1 'start is refused while running' flamectl start
like 'the message says so' "$output" '^flamectl: cannot start: already sampling'
exits 1 'set is refused while running' flamectl set max-depth=5
like 'the message says so' "$output" '^flamectl: cannot set: '
flamectl stop
exits 1 'another rate is refused while samples are held' flamectl set hz=50
like 'the message says so' "$output" '^flamectl: cannot set: hz: '
exits 1 'CPUs that do not exist are refused' flamectl set cpus=77
like 'the message says so' "$output" '^flamectl: cannot set: cpus: '
exits 0 'doctor finds no problem' flamectl doctor
unlike 'and no failure' "$output" '^FAIL'
exits 0 'status prints text' flamectl status
like 'it names the module' "$output" '^module +[0-9]'

# Without permission, and without the module: exit 3.
exits 3 'status is refused to an unprivileged user' setpriv --reuid 65534 --regid 65534 --clear-groups flamectl status
like 'the message names what is needed' "$output" 'needs CAP_PERFMON or CAP_SYS_ADMIN.*run it as root'
exits 3 'record is refused, too' setpriv --reuid 65534 --regid 65534 --clear-groups flamectl record -o /tmp/x.pb.gz
load_stop
unload
exits 3 'status fails without the module' flamectl status
like 'the message says how to load it' "$output" 'module not loaded: insmod flamemod.ko hz=997'
finish
