#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# in turn: static
#
# Commands that load the installed module, with a directory in place of the machine:
# libkmod looks the module up there but does not insert it, and the static flamectl's
# modprobe is a script. tests/module/vm/37 loads a real module. Debian packages: kmod,
# those of make static.

bats_require_minimum_version 1.5.0

release=6.1.0-42-amd64
absent='module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod)'

setup_file() {
	MAKEFLAGS='' make static >&2
	# a file that depmod accepts as a module
	printf '__attribute__((section(".modinfo"))) char name[] = "name=flamemod";\n' |
		cc -x c -c -o "$BATS_FILE_TMPDIR/flamemod.ko" -
}

setup() {
	[ ! -e /sys/module/flamemod ] || skip "the module is loaded here"
	PATH=$PATH:/usr/sbin:/sbin
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	static=$(realpath out/static/flamectl)
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
	export FLAMECTL_ROOT=$BATS_TEST_TMPDIR/root
	put proc/sys/kernel/osrelease $release
	put proc/self/status $'Name:\tflamectl\nCapEff:\t000001ffffffffff'
	put proc/cmdline quiet
	mkdir -p "$FLAMECTL_ROOT/lib/modules/$release/updates" "$FLAMECTL_ROOT/etc/modprobe.d"
	cp "$BATS_FILE_TMPDIR/flamemod.ko" "$FLAMECTL_ROOT/lib/modules/$release/updates"
	depmod -b "$FLAMECTL_ROOT" $release 2> /dev/null
	modprobe_is <<- 'END'
		mkdir -p "$root/sys/module/flamemod"
		echo 1.2.3 > "$root/sys/module/flamemod/version"
	END
	# a program that would be found by its bare name
	printf '#!/bin/sh\ntouch %s/called\n' "$BATS_TEST_TMPDIR" > modprobe
	chmod +x modprobe
	cp modprobe depmod
}

put() { # FILE TEXT
	mkdir -p "$FLAMECTL_ROOT/$(dirname "$1")"
	printf '%s\n' "$2" > "$FLAMECTL_ROOT/$1"
}

# the static flamectl's modprobe: note the arguments, then print what stdin has
modprobe_is() {
	mkdir -p "$FLAMECTL_ROOT/sbin"
	{
		cat <<- 'END'
			#!/bin/sh
			root=${0%/sbin/modprobe}
			echo "$@" > "$root/words"
			tr '\0' '\n' < /proc/$$/environ > "$root/environment"
			readlink /proc/$$/cwd > "$root/directory"
		END
		cat
	} > "$FLAMECTL_ROOT/sbin/modprobe"
	chmod +x "$FLAMECTL_ROOT/sbin/modprobe"
}

# says PROGRAM LINE ARGUMENT...: check that it fails without the module, for this reason
says() {
	local program=$1 line=$2
	shift 2
	run -3 --separate-stderr env PATH="$PWD:$PATH" "$program" "$@"
	[ -z "$output" ]
	[ "$stderr" = "flamectl: cannot $1: $line" ]
	[ ! -e "$BATS_TEST_TMPDIR/called" ]
	[ ! -e "$FLAMECTL_ROOT/sys/module/flamemod" ]
}

@test "record and start load the module that is installed, and say so" {
	local command
	for command in 'record -d 1' 'start hz=99'; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr env PATH="$PWD:$PATH" "$flamectl" $command
		[ "${stderr_lines[0]}" = 'flamectl: loaded flamemod, as installed' ]
		# here the script did not load it
		[ "${stderr_lines[1]}" = "flamectl: cannot ${command%% *}: $absent" ]
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr env PATH="$PWD:$PATH" "$static" $command
		[ "${stderr_lines[0]}" = 'flamectl: loaded flamemod 1.2.3, as installed' ]
		[ "${stderr_lines[1]}" = "flamectl: cannot ${command%% *}: $absent" ]
		[ ! -e "$BATS_TEST_TMPDIR/called" ]
		rm -r "$FLAMECTL_ROOT/sys/module/flamemod"
	done
	run -3 --separate-stderr "$flamectl" record -q -d 1
	[ "$stderr" = "flamectl: cannot record: $absent" ]
}

@test "others load nothing" {
	local command program
	for command in status dump stop reset 'set hz=99' 'record --no-load' 'start --no-load'; do
		for program in "$flamectl" "$static"; do
			# shellcheck disable=SC2086 # words
			run -3 --separate-stderr "$program" $command
			[[ $stderr = *": $absent" ]]
			[ "${#stderr_lines[@]}" -eq 1 ]
		done
	done
	[ ! -e "$FLAMECTL_ROOT/words" ]
}

@test "modprobe is called by its path, in /, with nothing of the caller's environment" {
	run -3 env PATH="$PWD:$PATH" MODPROBE_OPTIONS=--evil LD_LIBRARY_PATH=. "$static" start
	[ "$(cat "$FLAMECTL_ROOT/words")" = '-b flamemod autostart=0' ]
	[ "$(cat "$FLAMECTL_ROOT/directory")" = / ]
	[ "$(sort "$FLAMECTL_ROOT/environment")" = $'LC_ALL=C\nPATH=/usr/sbin:/usr/bin:/sbin:/bin' ]
	rm "$FLAMECTL_ROOT/words"
	mkdir -p "$FLAMECTL_ROOT/usr/sbin"
	mv "$FLAMECTL_ROOT/sbin/modprobe" "$FLAMECTL_ROOT/usr/sbin"
	rm -r "$FLAMECTL_ROOT/sys/module/flamemod"
	run -3 "$static" start
	[ "$(cat "$FLAMECTL_ROOT/usr/words")" = '-b flamemod autostart=0' ]
	rm -r "$FLAMECTL_ROOT/usr"
	says "$static" 'cannot load flamemod, as installed: found neither /sbin/modprobe nor /usr/sbin/modprobe: see dmesg and flamectl doctor' start
}

@test "a module that is blacklisted is not loaded, and the place is named" {
	local program
	for program in "$flamectl" "$static"; do
		put etc/modprobe.d/a.conf $'options flamemod hz=49\nblacklist flamemod'
		says "$program" 'module not loaded, and blacklisted in /etc/modprobe.d/a.conf, line 2: modprobe flamemod loads it nevertheless' record
		rm "$FLAMECTL_ROOT/etc/modprobe.d/a.conf"
		put run/modprobe.d/b.conf 'blacklist flamemod # for now'
		says "$program" 'module not loaded, and blacklisted in /run/modprobe.d/b.conf, line 1: modprobe flamemod loads it nevertheless' start
		rm "$FLAMECTL_ROOT/run/modprobe.d/b.conf"
		put proc/cmdline 'quiet modprobe.blacklist=flamemod'
		says "$program" "module not loaded, and blacklisted in the kernel's command line, modprobe.blacklist=: modprobe flamemod loads it nevertheless" start
		put proc/cmdline quiet
	done
	[ ! -e "$FLAMECTL_ROOT/words" ]
	# in a file that only modprobe reads: it succeeds, and has done nothing
	modprobe_is < /dev/null
	says "$static" "cannot load flamemod, as installed: $FLAMECTL_ROOT/sbin/modprobe did not load it, so it seems to be blacklisted: see modprobe --showconfig: see dmesg and flamectl doctor" start
}

@test "an install command is not run" {
	put etc/modprobe.d/a.conf "install flamemod touch $BATS_TEST_TMPDIR/called"
	says "$flamectl" "cannot load flamemod, as installed: modprobe's configuration has an install command for it: touch $BATS_TEST_TMPDIR/called; see modprobe --showconfig: see dmesg and flamectl doctor" record
}

@test "without the right to load modules it does not try, and says who may" {
	put proc/self/status $'Name:\tflamectl\nCapEff:\t0000004000000000'
	local program
	for program in "$flamectl" "$static"; do
		says "$program" "$absent; it is installed, so flamectl loads it if root runs it: sudo flamectl ..." record
	done
	[ ! -e "$FLAMECTL_ROOT/words" ]
}

@test "a module that is not installed for this kernel is not looked for elsewhere" {
	cp "$FLAMECTL_ROOT/lib/modules/$release/updates/flamemod.ko" .
	put proc/sys/kernel/osrelease 6.12.0-1-amd64
	local program
	for program in "$flamectl" "$static"; do
		says "$program" 'module neither loaded nor installed for kernel 6.12.0-1-amd64: make dkms-install, or make modules KDIR=/lib/modules/6.12.0-1-amd64/build and insmod flamemod.ko hz=997' start
	done
	[ ! -e "$FLAMECTL_ROOT/words" ]
}

@test "modprobe's message about a failure is shown" {
	modprobe_is <<- 'END'
		printf 'modprobe: ERROR: no \033[31mkey\nsecond\n' >&2
		exit 1
	END
	says "$static" "cannot load flamemod, as installed: $FLAMECTL_ROOT/sbin/modprobe: modprobe: ERROR: no ?[31mkey: see dmesg and flamectl doctor" start
}
