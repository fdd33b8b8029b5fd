#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: load these bugs one after another, and save the kernel's log and
# kmemleak's report for each.
#
#   commit.sh BUG...
# shellcheck source=tests/module/vm/leaks.sh
. /root/leaks.sh

for bug; do
	dmesg -c >/dev/null
	echo "# $bug"
	insmod /root/buggy.ko bug="$bug" || exit
	rmmod buggy || exit
	case $bug in
	none | leak) leaks_watched && leaks_of_modules >"/out/$bug.kmemleak" ;;
	esac
	dmesg >"/out/$bug.dmesg"
done
