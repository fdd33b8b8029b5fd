#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# runtimes-guest.sh SECONDS DIRECTORY: in a guest with this machine's programs, record each
# of those in DIRECTORY for so long, three times. Leave what became of user stacks in
# /out/NAME.first.json and /out/NAME.json, the stacks in /out/NAME, and what flamectl said
# in /out/NAME.said.
set -uo pipefail
seconds=$1 programs=$2
cd /tmp || exit 1

# record NAME COMMAND...
record() {
	local name=$1
	shift

	recorded "$name.first" "$@"
	recorded "$name" "$@"
	recorded "$name" "$@"
	flamectl dump --no-idle "/tmp/$name.pb.gz" >"/out/$name"
}

# recorded NAME COMMAND...
recorded() {
	local name=$1
	shift

	flamectl reset
	timeout 300 flamectl record -v --any-fs -o "/tmp/$name.pb.gz" -- "$@" "$seconds" \
		>/dev/null 2>"/out/$name.said" || echo "$name: exit status $?" >&2
	flamectl status --json >"/out/$name.json"
}

insmod /root/flamemod.ko user_any_fs=1 autostart=0 hz=997 || exit 1
record node node --perf-basic-prof "$programs/program.js"
record java java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -cp "$programs" Program
record go "$programs/program-go"
record perl /usr/bin/perl "$programs/program.pl"
record python3 /usr/bin/python3 "$programs/program.py"
record bash /bin/bash "$programs/program.sh"
record openssl openssl speed -evp sha256 -bytes 1024 -seconds
rmmod flamemod
