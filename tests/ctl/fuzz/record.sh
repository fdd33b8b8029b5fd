#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bash tests/ctl/fuzz/record.sh - seeds for the fuzzers from the real thing.
#
# Boots a guest, has flamectl talk to the module there, and leaves in
# out/fuzz/seeds what the module answered (wire), folded text and profiles, as
# inputs of the fuzzers. Those worth keeping are in tests/ctl/fuzz/corpus; see
# tests/ctl/fuzz/parsers -m.
set -euo pipefail
cd "$(dirname "$0")/../../.."
out=out/fuzz/seeds

if [ "${1-}" != in-the-guest ]; then
	lab/build 6.1
	mkdir -p out/fuzz
	gcc -O2 -Wall -D_GNU_SOURCE -shared -fPIC -o out/fuzz/record.so tests/ctl/fuzz/record.c -ldl
	rm -rf "$out"
	mkdir -p "$out"/{wire,folded,pprof,gzip}
	lab/run -f out/fuzz/record.so -f tests/ctl/fuzz/record.sh:/tests/ctl/fuzz/record.sh -o "$out" -- \
		bash /tests/ctl/fuzz/record.sh in-the-guest
	for file in "$out"/gzip/*; do
		zcat "$file" >"$out/pprof/$(basename "$file")"
	done
	exit
fi

# keep NAME FLAGS ARGUMENT...: flamectl's talk, with the flags of fuzz_wire.c
keep() {
	local file=/out/wire/$1

	# shellcheck disable=SC2059 # the flags are an escape sequence
	printf "$2" >"$file"
	chmod 666 "$file"
	shift 2
	RECORD=$file LD_PRELOAD=/root/record.so "$@" >/dev/null 2>&1 || true
}
status='\010' dump='\011' reset='\013' order='\014'

keep absent "$status" flamectl status
# a talk is to be short: few samples of few frames
insmod /root/flamemod.ko hz=97 autostart=0
keep nothing "$dump" flamectl dump
keep refused-here "$status" setpriv --reuid 65534 --regid 65534 --clear-groups flamectl status
flamectl start max-depth=6
keep already "$order" flamectl start
keep busy "$order" flamectl set max-depth=5
sleep 0.3
keep running "$status" flamectl status
flamectl record -d 50ms -o /out/gzip/short
flamectl stop
keep stopped "$order" flamectl stop
keep no-cpu "$order" flamectl set cpus=77
keep set "$order" flamectl set exclude-idle=1 pids=1
keep short "$dump" flamectl dump
flamectl dump >/out/folded/short
flamectl dump --by cpu,context,comm,pid,tid >/out/folded/levels
cat /sys/kernel/debug/flamemod/folded >/out/folded/debugfs
keep reset "$reset" flamectl dump --reset
rmmod flamemod
insmod /root/flamemod.ko hz=20000 cpu_kb=32 max_depth=1 autostart=0
flamectl start kernel-only=1
# few tasks, in more places in the kernel than the smallest table has room for:
# until it was full before it was drained
for _ in {1..20}; do
	flamectl reset
	for _ in {1..4}; do tar -cf - -C / usr/bin{,,,} | tail -c 1 >/dev/null & done
	wait
	! flamectl status --json | jq -e '.books.lost["table-full"] > 0' >/dev/null || break
done
flamectl stop
flamectl dump >/out/folded/lost
flamectl record -d 10ms -o /out/gzip/lost
keep lost "$dump" flamectl dump
