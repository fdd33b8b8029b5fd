#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: run scenarios one after another. tests/vm/run, on the host,
# makes one TAP stream of what they print between the "@" lines.
#
#   guest.sh NAME:SECONDS...
for item; do
	name=${item%:*}
	export OUT=/out/$name
	mkdir -p "$OUT"
	dmesg -c >/dev/null
	echo "@begin $name"
	timeout -k 5 "${item#*:}" bash "/tests/vm/$name.sh" </dev/null
	rc=$?
	# Scenarios start from the same state, whatever the one before left.
	if [ -d /sys/module/flamemod ] && ! timeout -k 5 30 rmmod flamemod; then
		echo "# the module cannot be unloaded"
		rc=70
	fi
	[ ! -d /sys/module/burn ] || rmmod burn
	dmesg >"$OUT/dmesg"
	echo "@end $name $rc"
done
