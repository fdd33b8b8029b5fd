# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A service of the systemd that unit-guest.sh started: enable, start, restart, watch and
# break the agent's unit. Prints TAP.
set -u
# shellcheck source=tests/module/vm/tap.sh
. /out/tap.sh
unit=flamectl-agent.service

# value PROPERTY: print it
value() { systemctl show -P "$1" $unit; }

# within SECONDS COMMAND...: wait until it succeeds
within() {
	local tries
	for ((tries = 0; tries < $1; tries++)); do
		"${@:2}" && return
		sleep 1
	done
	return 1
}

# another: the unit has a main process, and it is not $pid
another() {
	local now
	now=$(value MainPID)
	[ "${now:-0}" -gt 0 ] && [ "$now" != "$pid" ]
}

# restarted: systemd itself has started it again
restarted() { [ "$(value NRestarts)" -gt 0 ]; }

# refused: its main process ended with the exit code of wrong usage
refused() { [ "$(value ExecMainStatus)" = 2 ]; }

is 'this is no container for systemd' "$(systemd-detect-virt -c)" none
echo 'FLAMECTL_AGENT="-F 99"' > /etc/default/flamectl-agent
ok 'enable' systemctl enable $unit
is 'it is enabled' "$(systemctl is-enabled $unit)" enabled
ok 'start' systemctl start $unit
is 'it is active' "$(systemctl is-active $unit)" active
pid=$(value MainPID)
like 'status says so' "$(systemctl status --no-pager $unit)" 'Active: active \(running\)'
like 'it has CAP_PERFMON alone' "$(grep CapEff "/proc/$pid/status")" '0000004000000000$'
unlike 'and is not root' "$(awk '/^Uid/ { print $2 }' "/proc/$pid/status")" '^0$'
like 'it keeps its directory' "$(flamectl agent status)" 'agent +runs'
like 'the module samples' "$(flamectl status)" 'running'
ok 'restart' systemctl restart $unit
ok 'another process runs' another
is 'it is active again' "$(systemctl is-active $unit)" active

mkdir -p /run/systemd/system/$unit.d
printf '[Service]\nWatchdogSec=6\nRestartSec=1\n' > /run/systemd/system/$unit.d/watchdog.conf
systemctl daemon-reload
systemctl restart $unit
pid=$(value MainPID)
sleep 15
is 'it tells the watchdog that it lives' "$(value MainPID)" "$pid"
kill -STOP "$pid"
ok 'when it hangs, the watchdog ends it, and systemd starts it again' within 150 restarted
ok 'another process runs' within 60 another
like 'the watchdog was the reason' "$(dmesg)" 'flamectl-agent.service: Watchdog timeout'
ok 'it is active once more' within 60 systemctl is-active $unit

ok 'stop' systemctl stop $unit
is 'it is inactive' "$(systemctl is-active $unit)" inactive
unlike 'the module does not sample' "$(flamectl status)" 'running'
echo 'FLAMECTL_AGENT="-F nonsense"' > /etc/default/flamectl-agent
systemctl start $unit || :
ok 'with a wrong option it ends with the exit code of wrong usage' within 30 refused
like 'the journal says why' "$(journalctl --no-pager -u $unit)" 'nonsense'
systemctl stop $unit
finish
