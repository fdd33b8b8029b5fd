#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Debug files of a program of this system, which has no symbols of its own: as a package
# installs them, inside of the program, and from a server, which is asked only on request.
# Debian packages: binutils, python3, xz-utils.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	unnamed=$(realpath tests/ctl/cli/unnamed.py)
	server=$(realpath tests/ctl/cli/debuginfod.py)
	cd "$BATS_TEST_TMPDIR" || return
	unset DEBUGINFOD_URLS
	export HOME=$PWD DEBUGINFOD_CACHE_PATH=$PWD/cache

	program=$(realpath /bin/sh)
	id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')
	# a function of our own in its text: $place is the offset in the file
	place=$(readelf -SW "$program" | sed -n 's/.* \.text  *PROGBITS  *[0-9a-f]*  *\([0-9a-f]*\) .*/\1/p')
	place=$(printf %x $((0x$place + 0x102)))
	objcopy --add-symbol a_function_of_sh=.text:0x100,function,global "$program" whole
	objcopy --only-keep-debug whole debug
	python3 "$unnamed" in.pb.gz "/program,$id,1000,$place"
	mkdir -p root
}

teardown() {
	[ ! -e server.pid ] || kill "$(cat server.pid)"
}

# named OPTION...: the name of the one place
named() {
	"$flamectl" symbolize "$@" -o out.pb.gz in.pb.gz 2> told
	"$flamectl" dump --by none out.pb.gz | cut -d ' ' -f 1
}

# takes_at_most MIB ARGUMENT...: run flamectl, whose memory is bounded
takes_at_most() {
	python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[2:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
sys.exit(used > int(sys.argv[1]) << 10 and f"{used} KiB")
' "$1" "$flamectl" "${@:2}"
}

@test "a program of this system has no name there" {
	cp "$program" root/program
	[ "$(named --root root)" = "program+0x$place" ]
}

@test "a package's debug file is found by the build-id" {
	cp "$program" root/program
	mkdir -p "root/usr/lib/debug/.build-id/${id:0:2}"
	cp debug "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	[ "$(named --root root)" = a_function_of_sh ]
	# that of another program is not used
	objcopy --only-keep-debug "$flamectl" "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	[ "$(named --root root)" = "program+0x$place" ]
}

@test "symbols in .gnu_debugdata" {
	echo a_function_of_sh > keep
	objcopy -S --keep-symbols=keep debug data
	xz data
	objcopy --add-section .gnu_debugdata=data.xz "$program" root/program
	[ "$(named --root root)" = a_function_of_sh ]
}

@test "symbols that decompress without end take little memory" {
	head -c 1500M /dev/zero | xz -1 -T 1 > data.xz
	[ "$(stat -c %s data.xz)" -lt 400000 ]
	objcopy --add-section .gnu_debugdata=data.xz "$program" root/program
	[ "$(named --root root)" = "program+0x$place" ]
	takes_at_most 400 symbolize --root root -o out.pb.gz in.pb.gz
}

@test "symbols of many programs take no more memory than those of a few" {
	local places=()
	echo a_function_of_sh > keep
	head -c 100M /dev/zero > zeros
	objcopy -S --keep-symbols=keep --add-section zeros=zeros debug data
	xz -1 -T 1 data
	objcopy --add-section .gnu_debugdata=data.xz "$program" program
	for i in {1..8}; do
		ln program "root/program$i"
		places+=("/program$i,$id,1000,$place")
	done
	python3 "$unnamed" in.pb.gz "${places[@]}"
	takes_at_most 550 symbolize --root root -o out.pb.gz in.pb.gz
	[ "$("$flamectl" dump --by none out.pb.gz | cut -d ' ' -f 1 | sort -u)" = a_function_of_sh ]
}

@test "a server is asked only if the user wants it" {
	ldconfig -p | grep -q 'libdebuginfod\.so\.1' || skip 'without libdebuginfod1 no server can be asked'
	mkdir -p "served/buildid/$id"
	cp debug "served/buildid/$id/debuginfo"
	cp "$program" "served/buildid/$id/executable"
	mkfifo port
	python3 "$server" served > port 3>&- &
	echo $! > server.pid
	read -r -t 20 number < port
	export DEBUGINFOD_URLS=http://127.0.0.1:$number
	cp "$program" root/program
	[ "$(named --root root)" = "program+0x$place" ]
	[ ! -e served/asked ]
	[ "$(named --root root --debuginfod)" = a_function_of_sh ]
	[ "$(cat served/asked)" = "/buildid/$id/debuginfo" ]
	# the program itself, too, if it is not here
	rm root/program
	[ "$(named --root root)" = "program+0x$place" ]
	[ "$(wc -l < served/asked)" -eq 1 ]
	[ "$(named --root root --debuginfod)" = a_function_of_sh ]
	grep -qx "/buildid/$id/executable" served/asked
}
