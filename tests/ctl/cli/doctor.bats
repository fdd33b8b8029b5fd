#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl doctor, with a directory of files in place of the machine.

bats_require_minimum_version 1.5.0

release=6.1.0-42-amd64

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	cd "$BATS_TEST_TMPDIR" || return
	export FLAMECTL_ROOT=$BATS_TEST_TMPDIR/root
	version=$("$flamectl" --version)
	# a machine without problems
	put proc/sys/kernel/osrelease $release
	put proc/self/status $'Name:\tflamectl\nCapEff:\t000001ffffffffff'
	put proc/self/uid_map '         0          0 4294967295'
	put proc/timer_list $'  .index:      0\n  .resolution: 1 nsecs'
	put sys/devices/system/clocksource/clocksource0/current_clocksource tsc
	put sys/kernel/security/lockdown '[none] integrity confidentiality'
	put sys/module/module/parameters/sig_enforce N
	put sys/module/flamemod/version "${version#flamectl }"
	put boot/config-$release "$(config)"
}

put() { # FILE TEXT
	mkdir -p "root/$(dirname "$1")"
	printf '%s\n' "$2" > "root/$1"
}

config() {
	printf 'CONFIG_%s=y\n' MODULES NET STACKTRACE KALLSYMS HIGH_RES_TIMERS \
		X86 UNWINDER_ORC
}

# diagnosed: check the exit code, and the line with this level, topic and text
diagnosed() { # CODE LEVEL TOPIC TEXT
	run --separate-stderr "$flamectl" doctor
	[ "$status" -eq "$1" ]
	[ -z "$stderr" ]
	grep -qE "^$2 +$3 +.*$4" <<< "$output"
}

no_failure() {
	! grep -q ^FAIL <<< "$output"
}

make_module() { # FILE RELEASE
	mkdir -p "$(dirname "$1")"
	printf 'ELF\0license=GPL\0vermagic=%s SMP preempt mod_unload \0tail' "$2" > "$1"
}

@test "without problems, all lines are ok and the exit code is 0" {
	diagnosed 0 ok module 'loaded, version'
	[ "$(grep -c '^ok ' <<< "$output")" -eq "${#lines[@]}" ]
	grep -qE '^ok +options +the kernel has all' <<< "$output"
	grep -qE '^ok +lockdown' <<< "$output"
	grep -qE '^ok +timers +of high resolution' <<< "$output"
}

@test "a module that is not loaded: build it" {
	rm -r root/sys/module/flamemod
	diagnosed 3 FAIL module 'not loaded: insmod flamemod.ko'
	diagnosed 3 FAIL file "no flamemod.ko in /lib/modules/$release or here"
	put proc/modules 'flamemod 45056 0 - Live 0x0 (OE)'
	diagnosed 0 ok module loaded
}

@test "a module file is found here or where depmod found it" {
	rm -r root/sys/module/flamemod
	make_module root/flamemod.ko $release
	diagnosed 3 ok file '/flamemod.ko, for this kernel, not signed'
	printf '~Module signature appended~\n' >> root/flamemod.ko
	diagnosed 3 ok file '/flamemod.ko, for this kernel, signed'
	rm root/flamemod.ko
	make_module root/lib/modules/$release/updates/dkms/flamemod.ko $release
	put lib/modules/$release/modules.dep $'kernel/a.ko: kernel/b.ko\nupdates/dkms/flamemod.ko:'
	diagnosed 0 ok file "/lib/modules/$release/updates/dkms/flamemod.ko, for this"
}

@test "an installed module is loaded by commands, unless something is in the way" {
	rm -r root/sys/module/flamemod
	make_module root/lib/modules/$release/updates/dkms/flamemod.ko.xz $release
	put lib/modules/$release/modules.dep $'updates/dkms/notflamemod.ko:\nupdates/dkms/flamemod.ko.xz: kernel/a.ko'
	diagnosed 0 ok loading 'it is installed: flamectl record, start and top load it$'
	diagnosed 0 ok module 'not loaded, but installed$'
	put etc/modprobe.d/some.conf $'# blacklist flamemod\n  blacklist  flamemod'
	diagnosed 3 warn loading 'flamectl cannot load it: .*blacklisted in /etc/modprobe.d/some.conf, line 2: '
	rm root/etc/modprobe.d/some.conf
	put lib/modprobe.d/none 'blacklist flamemod'
	put proc/cmdline 'quiet modprobe.blacklist=a,flamemod'
	diagnosed 3 warn loading "blacklisted in the kernel's command line, modprobe.blacklist="
	put proc/cmdline 'quiet modprobe.blacklist=flamemodx'
	put proc/self/status $'Name:\tx\nCapEff:\t0000004000000000'
	diagnosed 3 warn loading "it is installed, so flamectl loads it if root runs it"
	put lib/modules/$release/modules.dep $'updates/dkms/notflamemod.ko:\nkernel/a.ko: updates/dkms/flamemod.ko'
	diagnosed 3 FAIL file 'no flamemod.ko in '
	! grep -qE '^[a-zA-Z]+ +loading ' <<< "$output"
}

@test "a module file for another kernel is reported" {
	rm -r root/sys/module/flamemod
	make_module root/flamemod.ko 6.12.0-1-amd64
	diagnosed 3 FAIL file "is for kernel 6.12.0-1-amd64, this is $release"
	# which does no harm if one for this kernel is installed
	make_module root/lib/modules/$release/updates/dkms/flamemod.ko $release
	put lib/modules/$release/modules.dep 'updates/dkms/flamemod.ko:'
	diagnosed 0 warn file "/flamemod.ko here is for kernel 6.12.0-1-amd64, this is $release: use the installed module"
	make_module root/lib/modules/$release/updates/dkms/flamemod.ko 6.12.0-1-amd64
	make_module root/flamemod.ko $release
	diagnosed 3 FAIL file "is for kernel 6.12.0-1-amd64, this is $release"
	rm -r root/lib/modules/$release
	echo garbage > root/flamemod.ko
	diagnosed 3 warn file 'cannot read for which kernel it was built; modinfo'
}

@test "a module of another version is reported" {
	put sys/module/flamemod/version 0.0.0-other
	diagnosed 0 warn module 'version 0.0.0-other, but this is flamectl'
	no_failure
}

@test "missing rights are reported" {
	put proc/self/status $'Name:\tx\nCapEff:\t0000000000000000'
	diagnosed 3 FAIL rights 'neither CAP_PERFMON nor CAP_SYS_ADMIN'
	# CAP_PERFMON alone, then CAP_SYS_ADMIN alone
	put proc/self/status $'Name:\tx\nCapEff:\t0000004000000000'
	diagnosed 0 ok rights sufficient
	put proc/self/status $'Name:\tx\nCapEff:\t0000000000200000'
	diagnosed 0 ok rights sufficient
	rm -r root/sys/module/flamemod
	diagnosed 3 FAIL rights 'loading the module needs CAP_SYS_MODULE'
}

@test "a user namespace is reported" {
	put proc/self/uid_map '         0     100000      65536'
	diagnosed 3 FAIL rights 'user namespace'
}

@test "lockdown is reported" {
	put sys/kernel/security/lockdown 'none integrity [confidentiality]'
	diagnosed 3 FAIL lockdown confidentiality
	put sys/kernel/security/lockdown 'none [integrity] confidentiality'
	diagnosed 0 ok lockdown integrity
	rm -r root/sys/module/flamemod
	diagnosed 3 warn lockdown 'only a signed module'
}

@test "signatures and Secure Boot matter until the module is loaded" {
	put sys/module/module/parameters/sig_enforce Y
	mkdir -p root/sys/firmware/efi/efivars
	printf '\006\0\0\0\001' > root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
	diagnosed 0 ok module loaded
	run ! grep -E '^warn' <<< "$output"
	rm -r root/sys/module/flamemod
	diagnosed 3 warn signatures EKEYREJECTED
	diagnosed 3 warn 'secure boot' 'mokutil --import'
	printf '\006\0\0\0\0' > root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
	run -3 "$flamectl" doctor
	run ! grep 'secure boot' <<< "$output"
}

@test "isolated CPUs are reported" {
	put sys/devices/system/cpu/isolated ''
	put sys/devices/system/cpu/nohz_full '(null)'
	run -0 "$flamectl" doctor
	run ! grep -w cpus <<< "$output"
	put sys/devices/system/cpu/isolated 3
	diagnosed 0 ok cpus '3 is isolated \(isolcpus=, nohz_full=\), and not sampled unless named: flamectl record -C LIST, or -C all$'
	put sys/devices/system/cpu/nohz_full 2-3,8
	diagnosed 0 ok cpus '2-3,8 are isolated '
}

@test "low resolution and slow clocks are reported" {
	put proc/timer_list $'  .resolution: 4000000 nsecs'
	put sys/devices/system/clocksource/clocksource0/current_clocksource hpet
	diagnosed 0 warn timers 'low resolution, 4000000 ns: at most 250 Hz'
	grep -qE '^warn +clock +hpet, which is slow' <<< "$output"
	rm root/proc/timer_list
	diagnosed 0 warn timers 'cannot read their resolution'
}

@test "the advised rate is not above the clock's, and the message names the real cause" {
	rm -r root/sys/module/flamemod
	diagnosed 3 FAIL module 'not loaded: insmod flamemod.ko hz=997 \(or modprobe flamemod\)$'
	put proc/timer_list $'  .resolution: 4000000 nsecs'
	diagnosed 3 FAIL module 'not loaded: insmod flamemod.ko hz=250 \(or modprobe flamemod with the same\)$'
	put proc/timer_list $'  .resolution: 1000000 nsecs'
	diagnosed 3 FAIL module 'not loaded: insmod flamemod.ko hz=997 '
	put proc/cmdline 'ro quiet highres=off'
	diagnosed 3 warn timers 'at most 1000 Hz; boot without highres=off$'
	put proc/cmdline 'ro nolapic_timer quiet'
	diagnosed 3 warn timers 'at most 1000 Hz; boot without nolapic_timer, which leaves no timer'
	run ! grep highres <<< "$output"
	put proc/cmdline 'ro nolapic_timers=x'
	diagnosed 3 warn timers 'at most 1000 Hz; boot on a clocksource that allows high resolution'
	run ! grep highres <<< "$output"
}

@test "missing kernel options are reported" {
	put boot/config-$release "$(config | grep -v STACKTRACE)"
	diagnosed 1 FAIL options 'without CONFIG_STACKTRACE: stacks cannot be taken'
	put boot/config-$release "$(config | sed 's/^CONFIG_NET=y/# CONFIG_NET is not set/')"
	diagnosed 1 FAIL options 'without CONFIG_NET:'
	put boot/config-$release "$(config | grep -v HIGH_RES)"
	diagnosed 0 warn options 'without CONFIG_HIGH_RES_TIMERS'
	put boot/config-$release "$(config | grep -v ORC)"
	diagnosed 0 warn options 'neither CONFIG_UNWINDER_ORC'
	rm root/boot/config-$release
	diagnosed 0 warn options 'cannot find the kernel.s configuration'
	config | gzip > root/proc/config.gz
	diagnosed 0 ok options 'all options that are needed'
}

@test "a kernel that takes no modules is reported first, and alone" {
	put boot/config-$release "$(config | sed 's/^CONFIG_MODULES=y/# CONFIG_MODULES is not set/')"
	rm -r root/sys/module/flamemod
	diagnosed 1 FAIL options 'without CONFIG_MODULES: no module can be loaded, flamemod included; use a kernel that has it'
	[ "$(grep -c ^FAIL <<< "$output")" -eq 1 ]
	[[ ${lines[1]} = FAIL* ]]
	run ! grep -q 'all options that are needed' <<< "$output"
	# if the kernel's options are not known, /proc shows it
	rm root/boot/config-$release
	diagnosed 1 FAIL options 'without CONFIG_MODULES: '
	put proc/modules 'ext4 1 0 - Live 0x0'
	diagnosed 3 FAIL module 'not loaded: insmod'
	# one that is built in needs no loading
	rm root/proc/modules
	put boot/config-$release "$(config | grep -v MODULES)"
	put sys/module/flamemod/version "${version#flamectl }"
	diagnosed 0 ok options 'all options that are needed'
	no_failure
}

@test "an old kernel is reported" {
	put proc/sys/kernel/osrelease 5.4.0-100-generic
	diagnosed 1 FAIL kernel '5.4.0-100-generic: the module needs 5.10'
}

@test "without a made-up root it examines this machine" {
	unset FLAMECTL_ROOT
	run "$flamectl" doctor
	[[ $status = [013] ]]
	grep -qF "$(uname -r)" <<< "${lines[0]}"
}
