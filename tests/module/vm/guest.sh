#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: run scenarios one after another. tests/module/vm/run, on the host,
# makes one TAP stream of what they print between the "@" lines.
#
#   guest.sh NAME:SECONDS...
# shellcheck source=tests/module/vm/leaks.sh
. /tests/module/vm/leaks.sh
for item; do
	name=${item%:*}
	export OUT=/out/$name
	mkdir -p "$OUT"
	dmesg -c >/dev/null
	echo "@begin $name"
	timeout -k 5 "${item#*:}" bash "/tests/module/vm/$name.sh" </dev/null
	rc=$?
	# Scenarios start from the same state, whatever the one before left.
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

# Which lines ran, over all scenarios, where the module was built to tell.
if [ -d /sys/kernel/debug/gcov ]; then
	mkdir -p /out/gcov
	find /sys/kernel/debug/gcov -name '*.gcda' | while read -r file; do
		cat "$file" >"/out/gcov/${file##*/}"
	done
fi
