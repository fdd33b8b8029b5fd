#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: run scenarios one after another. tests/module/vm/run, on the host,
# makes one TAP stream of what they print between the "@" lines.
#
#   guest.sh NAME:SECONDS[:alone]...
#
# Before a scenario that runs alone it waits until the host makes a file.
# shellcheck source=tests/module/vm/leaks.sh
. /tests/module/vm/leaks.sh

# left_running: print, for each process that a scenario has left, where it waits
left_running() {
	local dir name state

	for dir in /proc/[0-9]*; do
		# those of the kernel have no program
		if [ -s "$dir/exe" ] && [ "${dir#/proc/}" -gt $$ ]; then
			read -r name <"$dir/comm"
			state=$(sed -n 's/^State:\t//p' "$dir/status")
			echo "# left: ${dir#/proc/} $name, $state: $(tr '\0' ' ' <"$dir/cmdline")"
			sed 's/^/#     /' "$dir/syscall" "$dir/stack"
		fi
	done
}

# pause: wait for a second, without another process
pause() { read -rt 1 <>/run/pause; }
mkfifo /run/pause
for item; do
	IFS=: read -r name seconds alone <<<"$item"
	export OUT=/out/$name
	mkdir -p "$OUT"
	if [ -n "$alone" ]; then
		echo "@waits $name"
		until [ -e "$OUT/go" ]; do pause; done
	fi
	dmesg -c >/dev/null
	echo "@begin $name"
	timeout -k 5 "$seconds" bash "/tests/module/vm/$name.sh" </dev/null
	rc=$?
	# Its time is over: what hung may be left, and this may be the only trace of it.
	if [ "$rc" = 124 ] || [ "$rc" = 137 ]; then
		left_running 2>/dev/null
	fi
	# Every scenario starts in the same state.
	if [ -d /sys/module/flamemod ] && ! timeout -k 5 30 rmmod flamemod; then
		echo "# the module cannot be unloaded"
		rc=70
	fi
	for left in burn doze; do
		[ ! -d "/sys/module/$left" ] || rmmod "$left"
	done
	if leaks_watched; then
		leaks_of_modules >"$OUT/kmemleak"
		leaks_forget
	fi
	dmesg >"$OUT/dmesg"
	echo "@end $name $rc"
done

# Save the module's line coverage over all scenarios, if it was built to record it.
if [ -d /sys/kernel/debug/gcov ]; then
	mkdir -p /out/gcov
	find /sys/kernel/debug/gcov -name '*.gcda' | while read -r file; do
		name=${file##*/module/}
		[ "$name" != "$file" ] || name=${file##*/}
		cat "$file" >"/out/gcov/${name//\//-}"
	done
fi
