#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# What of the lab can be tested without a kernel: which functions are the widest,
# what the demo refuses, how progress is read.

setup() {
	bats_require_minimum_version 1.5.0
	top=$(realpath "$BATS_TEST_DIRNAME/../../..")
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 'swapper;start_kernel;do_idle;halt;[idle] 90' 'swapper;start_kernel;do_idle;tick 4' \
		'bash;open;[irqs-off] 6' > folded
}

@test "of idle time the widest is [idle], and other marks are no functions" {
	run -0 "$top/lab/widest" -i folded
	[ "${lines[0]}" = $'90.0\t[idle]' ]
	[[ "$output" != *irqs-off* ]]
}

@test "elsewhere idle time is left out" {
	run -0 "$top/lab/widest" folded
	[ "$output" = $'6.0\topen' ]
}

@test "the demo refuses what it does not know, before it does anything" {
	run -1 "$top/lab/demo" -w network,nosuch
	[[ "$output" == *"there is no workload 'nosuch', there are: "*btrfs* ]]
	run -1 "$top/lab/demo" -s 0
	[[ "$output" == *"-s 0: give seconds, 1 to 9999"* ]]
	run -2 "$top/lab/demo" now
}

# status FILE UNIT NR: a recording that lost so much
status() { printf '{ "unit": "%s", "books": { "lost": { "overload": %s } } }\n' "$2" "$3" > "$1"; }

@test "what was lost is told, with and without a recording of all time" {
	status a periods 0
	status b periods 3
	status c periods 4
	status all nanoseconds 1000001
	[ "$("$top/lab/lost" a)" = "none was lost" ]
	[ "$("$top/lab/lost" a b c)" = "7 were lost because the machine was too busy" ]
	[ "$("$top/lab/lost" a all)" = "0, and 2 ms of sleepy, were lost because the machine was too busy" ]
	[ "$("$top/lab/lost" all)" = "0, and 2 ms of sleepy, were lost because the machine was too busy" ]
	status all nanoseconds 0
	[ "$("$top/lab/lost" a b all)" = "3 were lost because the machine was too busy" ]
}

# archive PACKAGE...: let lab/kernel find these packages in an archive, and no others
archive() {
	mkdir -p lab
	cp "$top/lab/kernel" "$top/lab/kernels" lab
	printf '%s\n' "$@" > packages
	cat > lab/apt <<-END
	#!/bin/bash
	while [[ "\$1" == -* ]]; do shift 2; done
	case "\$2 \$3" in
	'cache search') grep -E -- "\$5" "$PWD/packages" | sed 's/\$/ - of Linux/' ;;
	'cache show') echo "Package: \$5"; echo 'Installed-Size: 1' ;;
	'get --print-uris') printf '%s\n' "\$@" > "$PWD/asked"; echo "'uri' file 7 sum" ;;
	esac
	END
	chmod +x lab/apt
}

@test "a kernel whose image is still to come is not the newest" {
	archive linux-headers-6.1.0-9-amd64 linux-image-6.1.0-9-amd64 \
		linux-headers-6.1.0-10-amd64 linux-image-6.1.0-10-amd64 \
		linux-headers-6.1.0-11-amd64 linux-image-6.1.0-11-amd64-unsigned \
		linux-headers-6.1.0-12-rt-amd64 linux-image-6.1.0-12-rt-amd64
	run -0 lab/kernel -s 6.1
	grep -qx 'linux-image-6.1.0-10-amd64' asked
	run ! grep -e -11- -e -9- asked
	archive linux-headers-6.1.0-11-amd64
	run -1 lab/kernel -s 6.1
	[[ "$output" == *'no kernel 6'*'with headers and an image in bookworm'* ]]
}

@test "apt's status lines become words" {
	. "$top/lab/progress"
	echo 'dlstatus:3:2.4:Retrieving file 3 of 132 (2min 3s remaining)' > status
	[ "$(packages_far status)" = 'retrieving file 3 of 132, 2 % downloaded' ]
	echo 'pmstatus:libc6:45.3:Unpacking libc6:amd64 (2.36)' >> status
	[[ "$(packages_far status)" == '45 % installed, now: unpacking libc6'* ]]
}

@test "without a terminal progress is reported in lines, until stop_progress" {
	cat > try <<-END
	set -euo pipefail
	. "$top/lab/progress"
	start_progress waiting echo far > said
	for ((try = 0; try < 600; try++)); do
		! grep -q . said || break
		sleep 0.1
	done
	stop_progress
	END
	run -0 bash try
	[[ "$(head -n 1 said)" =~ ^'  waiting: far, '[0-9]+' s'$ ]]
	before=$(wc -l < said)
	sleep 1.5
	[ "$before" = "$(wc -l < said)" ]
}
