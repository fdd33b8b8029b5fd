# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: see tests/project/wire/versions.
# shellcheck source=tests/module/vm/tap.sh
. /root/tap.sh

# understood NAME COMMAND...: it works, or says in one line what to reload
understood() {
	local name=$1
	shift
	tap_run "$@"
	if [ "$status" = 0 ]; then
		tap_pass "$name: it works"
	else
		is "$name: it says so in one line" "$(wc -l <<<"$output")" 1
		like "$name: and what to reload" "$output" '^flamectl: .*(reload|rmmod flamemod|modprobe)'
	fi
}

# pair NAME FLAMECTL MODULE
pair() {
	local name=$1 flamectl=$2 stored

	insmod "$3" hz=499 || { tap_fail "$name: the module is loaded"; return; }
	timeout 1 dd if=/dev/urandom of=/dev/null bs=64k 2>/dev/null
	understood "$name: status" "$flamectl" status
	understood "$name: status --json" "$flamectl" status --json
	understood "$name: dump" eval "$flamectl dump >live.folded"
	understood "$name: svg" eval "$flamectl svg live >live.svg"
	understood "$name: stop" "$flamectl" stop
	understood "$name: set" "$flamectl" set exclude-idle=1
	understood "$name: start" "$flamectl" start
	understood "$name: record" "$flamectl" record -d 1s -o one.pb.gz
	understood "$name: stop again" "$flamectl" stop
	understood "$name: reset" "$flamectl" reset
	understood "$name: record alone" "$flamectl" record -F 199 -d 1s -o two.pb.gz
	understood "$name: record -p" "$flamectl" record -p $$ -d 1s -o three.pb.gz -- \
		dd if=/dev/urandom of=/dev/null bs=64k count=300
	understood "$name: doctor" "$flamectl" doctor
	# the numbers of the two are the same, where the profile can be read at all
	"$flamectl" stop >/dev/null 2>&1
	"$flamectl" reset >/dev/null 2>&1
	"$flamectl" start >/dev/null 2>&1
	timeout 1 dd if=/dev/urandom of=/dev/null bs=64k 2>/dev/null
	"$flamectl" stop >/dev/null 2>&1
	stored=$("$flamectl" status --json | jq '.books.stored')
	ok "$name: samples are stored" test "$stored" -gt 0
	understood "$name: the last dump" eval "$flamectl dump >last.folded"
	# shellcheck disable=SC2154 # set by understood
	[ "$status" != 0 ] || is "$name: what was dumped is what is stored" \
		"$(awk '{ sum += $NF } END { print sum + 0 }' last.folded)" "$stored"
	rmmod flamemod || tap_fail "$name: the module goes"
}

pair 'older module' /usr/bin/flamectl /root/older/flamemod.ko
pair 'older flamectl' /root/older/flamectl /root/flamemod.ko
finish
