#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: load the tests, which runs them, and unload them.
status=0
insmod kunit.ko || exit
insmod flamemod_kunit.ko || status=$?
for module in flamemod_kunit kunit; do
	rmmod "$module" || status=$?
done
dmesg >/out/dmesg
exit "$status"
