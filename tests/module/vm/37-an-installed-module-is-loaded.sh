# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 400
# takes: 20
# static flamectl
#
# record, start and top load the installed module if root runs them: by libkmod, or by
# modprobe in the static flamectl. It does not sample afterwards. If it cannot be
# loaded, the message says why.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

release=$(uname -r)
updates=/lib/modules/$release/updates
version=$(modinfo -F version "$module")
unprivileged=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
chmod 755 /root
mkdir -p /etc/modprobe.d /here "$updates"
# files in the current directory are neither loaded nor called
cp "$module" /here/
for name in modprobe insmod flamemod; do
	printf '#!/bin/sh\ntouch /called\n' >/here/$name
	chmod 755 /here/$name
done
cd /here || exit
export PATH=/here:$PATH

loaded() { [ -d /sys/module/flamemod ]; }
is_loaded() { ok "$1: it is loaded" loaded; }
is_absent() { nok "$1: it is not loaded" loaded; }
state() { "$program" status --json | jq -c '[.running, .settings.hz]'; }
# said: print the last command's message about it, in one line
says_loaded() { is "$1: says so" "$(grep -c "^flamectl: loaded flamemod $version, as installed\$" <<<"$output")" 1; }
is_stopped() {
	is "$1: it does not sample" "$(state)" "[false,${2:-997}]"
	is "$1: nor was it to begin by itself" "$(cat /sys/module/flamemod/parameters/autostart)" N
}

# What top shows of a program that spins in user mode; the static flamectl has no names.
spins='\[user\]'
! user_stacks_exist || spins='stacks\+0x|spin_|descend'

program_of() {
	program=$1
	label=$2

	rm -f "$updates/flamemod.ko"
	depmod
	for command in 'record -d 1s -o /tmp/none.pb.gz' start; do
		# shellcheck disable=SC2086 # words
		exits 3 "$label ${command%% *}, not installed" "$program" $command
		like "$label ${command%% *}, not installed: says what to do" "$output" \
			"module neither loaded nor installed for kernel ${release//+/\\+}: make dkms-install, or make modules KDIR="
		is_absent "$label ${command%% *}, not installed"
	done

	cp "$module" "$updates/"
	depmod
	exits 0 "$label record" "$program" record -d 1s -o "$OUT/$label.pb.gz" -- dd if=/dev/zero of=/dev/null bs=4k count=200000
	says_loaded "$label record"
	is_loaded "$label record"
	is_stopped "$label record"
	unfold "$OUT/$label"
	books_balance "$label record" "$OUT/$label.json"
	holds "$label record: there are samples" "$(what .books.stored "$OUT/$label.json") > 500"
	exits 0 "$label record, again" "$program" record -d 100ms -o /tmp/again.pb.gz
	unlike "$label record, again: nothing was to be loaded" "$output" 'loaded flamemod'
	unload

	exits 0 "$label start" "$program" start
	says_loaded "$label start"
	is "$label start: it samples" "$(state)" '[true,997]'
	exits 0 "$label stop" "$program" stop
	unload
	exits 3 "$label stop" "$program" stop
	is_absent "$label stop"

	# with modprobe's options, but stopped
	echo 'options flamemod hz=499 autostart=1' >/etc/modprobe.d/options.conf
	exits 0 "$label record, with options" "$program" record -d 200ms -o /tmp/again.pb.gz
	is_stopped "$label record, with options" 499
	unload
	rm /etc/modprobe.d/options.conf

	yielding /root/stacks 1000 >/dev/null & spinner=$!
	/root/pty "$OUT/$label.screen" "$OUT/$label.state" "$program" top -d 200ms <&5 & pty=$!
	ok "$label top: it is loaded, and samples" wait_for 30 sh -c 'flamectl status --json | jq -e .running'
	ok "$label top: it shows what runs" wait_for 30 grep -qaE "$spins" "$OUT/$label.screen"
	kill $spinner
	printf q >&5
	wait $pty
	like "$label top: it ended well" "$(cat "$OUT/$label.state")" '^0 kept'
	like "$label top: says so" "$(cat "$OUT/$label.screen")" "flamectl: loaded flamemod $version, as installed"
	is_loaded "$label top"
	ok "$label top: and stops with it" wait_for 20 sh -c 'flamectl status --json | jq -e ".running | not"'
	unload

	exits 3 "$label record --no-load" "$program" record --no-load -o /tmp/none.pb.gz
	is "$label record --no-load: says what it is" "$output" \
		'flamectl: cannot record: module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod)'
	exits 3 "$label start --no-load" "$program" start --no-load
	exits 0 "$label top --no-load ends" /root/pty "$OUT/$label.none" "$OUT/$label.none.state" "$program" top --no-load
	like "$label top --no-load: by its exit code" "$(cat "$OUT/$label.none.state")" '^3 kept'
	is_absent "$label --no-load"

	printf '# no\nblacklist flamemod\n' >/etc/modprobe.d/no.conf
	exits 3 "$label record, blacklisted" "$program" record -o /tmp/none.pb.gz
	like "$label record, blacklisted: the file is named" "$output" 'blacklisted in /etc/modprobe.d/no\.conf, line 2'
	is_absent "$label record, blacklisted"
	like "$label doctor, blacklisted" "$("$program" doctor)" '^warn +loading +.*/etc/modprobe.d/no\.conf, line 2'
	rm /etc/modprobe.d/no.conf
	like "$label doctor" "$("$program" doctor)" '^ok +loading +it is installed: flamectl record, start and top load it'

	exits 3 "$label record, by a user" "${unprivileged[@]}" "$program" record -o /tmp/none.pb.gz
	like "$label record, by a user: says who may" "$output" 'module not loaded: .*flamectl loads it if root runs it: sudo flamectl'
	is_absent "$label record, by a user"
	exits 3 "$label record, by a user namespace's root" "${unprivileged[@]}" unshare --user --map-root-user "$program" record -o /tmp/none.pb.gz
	is_absent "$label record, by a user namespace's root"
	echo garbage >"$updates/flamemod.ko"
	exits 3 "$label record, of garbage" "$program" record -o /tmp/none.pb.gz
	like "$label record, of garbage: says so" "$output" 'cannot load flamemod, as installed: .*: see dmesg'
	is_absent "$label record, of garbage"
}

mkfifo /tmp/keys
exec 5<>/tmp/keys
program_of /usr/bin/flamectl dynamic
[ ! -x /root/static/flamectl ] || program_of /root/static/flamectl static

# Anybody may look up the family, and the kernel then tries to load a module with that
# alias. Our module has none.
cp "$module" "$updates/"
depmod
is 'there is no alias' "$(modinfo -F alias "$module")" ''
"${unprivileged[@]}" flamectl status 2>/dev/null
flamectl status 2>/dev/null
sleep 1
is_absent 'asked for by its family'
nok 'no program in the working directory was called' test -e /called
finish
