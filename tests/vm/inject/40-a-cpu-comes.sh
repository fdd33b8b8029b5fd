# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# A CPU that comes online for the first time, and for which there is no memory:
# it comes all the same, and is sampled when it comes again.
# shellcheck source=tests/vm/flamemod.sh
. /tests/vm/flamemod.sh
# shellcheck source=tests/vm/inject/inject.sh
. /tests/vm/inject.sh

inject_ready
online=/sys/devices/system/cpu/cpu1/online
thread=$(ps | awk '/\[cpuhp\/1\]/ { print $1 }')
sampled() { flamectl status --json | jq -c '[.cpus[].cpu]'; }

unsampled=0
for ((nth = 1; nth <= 60; nth++)); do
	echo 0 >$online
	# shellcheck disable=SC2086 # words
	load $small
	echo $nth >"/proc/$thread/fail-nth"
	echo 1 >$online || diag "allocation $nth: it did not come"
	left=$(cat "/proc/$thread/fail-nth")
	echo 0 >"/proc/$thread/fail-nth"
	if [ "$(cat $online)" = 1 ] && [ "$(sampled)" = '[0]' ]; then
		unsampled=$((unsampled + 1))
		echo 0 >$online
		echo 1 >$online
	fi
	[ "$(cat $online)" = 1 ] || echo 1 >$online
	[ "$(sampled)" = '[0,1]' ] || bad="$bad $nth"
	flamectl stop
	flamectl status --json >"$OUT/status.json"
	books_balance "allocation $nth" "$OUT/status.json" >/tmp/balance
	! grep '^not ok' /tmp/balance || bad="$bad $nth"
	unload
	[ "$left" = 0 ] || break
done
is 'whatever failed, it is sampled when it comes again' "${bad:-}" ''
holds 'all allocations were met' "$left > 0"
holds 'at some of them it was not sampled at first' "$unsampled > 0"
quiet
finish
