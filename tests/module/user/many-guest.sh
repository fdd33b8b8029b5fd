#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest, with the host's programs: run some of them for a moment each, and save what
# their user stacks took.
#
#   many-guest.sh PROGRAMS
cd /tmp || exit
# Where these programs are is no local file system of the guest.
insmod /root/flamemod.ko hz=997 user_any_fs=1 || exit
ran=0
for program in /usr/bin/*; do
	[ $ran -lt "$1" ] || break
	if [ -L "$program" ] || ! head -c 4 "$program" | grep -q ELF; then continue; fi
	case ${program##*/} in halt | poweroff | qemu-* | reboot | shutdown | systemctl) continue ;; esac
	# Most print their version. Few wait for something, even then.
	timeout -s KILL 2 "$program" --version </dev/null >/dev/null 2>&1
	ran=$((ran + 1))
done
flamectl stop
echo $ran >/out/ran
flamectl status --json >/out/status.json
