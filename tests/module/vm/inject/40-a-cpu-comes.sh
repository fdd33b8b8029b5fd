# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
#
# If there is no memory for a CPU that comes online for the first time, it comes online
# all the same, and is sampled when it comes again.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/inject/inject.sh
. /tests/module/vm/inject.sh

inject_ready
online=/sys/devices/system/cpu/cpu1/online
thread=$(ps | awk '/\[cpuhp\/1\]/ { print $1 }')
sampled() { flamectl status --json | jq -c '[.cpus[].cpu]'; }

# comes NTH: bring the CPU online while the NTH allocation of the CPU's hotplug thread
# fails; $left is 0 if there were so many
comes() {
	echo "$1" >"/proc/$thread/fail-nth"
	echo 1 >$online || diag "allocation $1: it did not come"
	left=$(cat "/proc/$thread/fail-nth")
	echo 0 >"/proc/$thread/fail-nth"
}

# Our allocations are the last ones when a CPU comes online.
echo 0 >$online
comes 1000000
kernels=$((1000000 - left))
echo 0 >$online
# shellcheck disable=SC2086 # words
load $small
comes 1000000
all=$((1000000 - left))
unload
diag "$kernels allocations for any CPU that comes, $((all - kernels)) for one that is sampled"
holds 'the module allocates' "$all >= $kernels + 20"

unsampled=0
tried=0
for ((nth = kernels; nth <= all + 50; nth += (all - kernels) / 20)); do
	echo 0 >$online
	# shellcheck disable=SC2086 # words
	load $small
	comes $nth
	if [ "$(cat $online)" = 1 ] && [ "$(sampled)" = '[0]' ]; then
		unsampled=$((unsampled + 1))
		echo 0 >$online
		echo 1 >$online
	fi
	[ "$(cat $online)" = 1 ] || echo 1 >$online
	[ "$(sampled)" = '[0,1]' ] || bad="$bad $nth"
	flamectl stop
	flamectl status --json >"$OUT/status.json"
	# in a subshell, which counts its own tests
	(books_balance "allocation $nth" "$OUT/status.json") >/tmp/balance
	! grep '^not ok' /tmp/balance || bad="$bad $nth"
	unload
	[ "$left" = 0 ] || break
	tried=$((tried + 1))
done
is 'whatever failed, it is sampled when it comes again' "${bad:-}" ''
holds 'some allocations were met' "$tried >= 15"
holds 'the last was met' "$left > 0"
holds 'at some of them it was not sampled at first' "$unsampled > 0"
quiet
finish
