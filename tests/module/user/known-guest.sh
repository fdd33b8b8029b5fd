#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# known-guest.sh DIRECTORY: in a guest with this machine's programs, sample programs whose
# stacks are known, and leave the folded stacks in /out. DIRECTORY has the programs.
set -euo pipefail
programs=$1

# sampled NAME COMMAND...: leave the folded stacks of a command
sampled() {
	local name=$1
	shift
	flamectl reset
	flamectl start
	"$@" >"/out/$name.says"
	flamectl stop
	flamectl dump --any-fs >"/out/$name.folded"
	flamectl status --json >"/out/$name.json"
}

# The module's paths begin where the guest's own root is, in which this one is /host.
ln -s / /host
insmod /root/flamemod.ko user_stacks=1 user_any_fs=1 autostart=0 hz=4999
for program in "$programs"/known-*; do
	sampled "${program##*/}" "$program" 150
done
# Where both are at the same addresses.
sampled close setarch -R "$programs/plugs" "$programs" 100000 1500 close
sampled over setarch -R "$programs/plugs" "$programs" 100000 1500 over
sampled execs setarch -R "$programs/execs-a" 100000 600 "$programs/execs-b"
rmmod flamemod
