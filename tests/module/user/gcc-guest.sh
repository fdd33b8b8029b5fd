#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest, with the host's programs: compile for SECONDS, two files at a time, and
# save what became of user stacks in the first half, and apart from it in the second.
#
#   gcc-guest.sh SECONDS
cd /tmp || exit
# Where these programs are is no local file system of the guest.
insmod /root/flamemod.ko hz=997 user_any_fs=1 || exit
cat >source.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define F(n) int f##n(int x) { char b[64]; snprintf(b, sizeof(b), "%d", x + n); return (int)strlen(b) + atoi(b); }
#define T(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
T(1) T(2) T(3) T(4) T(5) T(6) T(7) T(8) T(9)
END
compiled=0

# compile_until SECOND
compile_until() {
	while [ $SECONDS -lt "$1" ]; do
		gcc -O2 -c source.c -o one.o &
		gcc -O2 -g -c source.c -o two.o && wait $! || exit
		compiled=$((compiled + 2))
	done
}

half=$((SECONDS + $1 / 2)) end=$((SECONDS + $1))
compile_until $half
flamectl status --json >/out/first.json
flamectl reset
compile_until $end
flamectl stop
echo $compiled >/out/compiled
flamectl status --json >/out/status.json
flamectl dump >/out/folded
