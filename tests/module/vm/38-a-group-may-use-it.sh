# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Without root: flamectl's file has CAP_PERFMON, for the members of a group. Commands
# that it runs for them do not get the capability.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# somebody GROUP COMMAND...: run it as a user in one group, without capabilities;
# setpriv itself has root's until it executes the command
somebody() {
	# shellcheck disable=SC2016 # the shell in between expands it
	setpriv --reuid 1000 --regid 1000 --groups "$1" --inh-caps=-all sh -c 'exec "$@"' sh "${@:2}"
}
member() { somebody 990 "$@"; }
stranger() { somebody 991 "$@"; }

# as README.md says
echo flamemod:x:990: >>/etc/group
mkdir -p /usr/local/bin
cp /usr/bin/flamectl /usr/local/bin/flamectl
chgrp flamemod /usr/local/bin/flamectl
chmod 0750 /usr/local/bin/flamectl
ok 'the program gets the capability' setcap cap_perfmon+ep /usr/local/bin/flamectl
group=/usr/local/bin/flamectl
mkdir /tmp/mine
chown 1000:1000 /tmp/mine
cd /tmp/mine || exit

load autostart=0
exits 3 'a member is refused with the other flamectl' member /usr/bin/flamectl status
exits 126 'a user outside of the group cannot run it' stranger "$group" status
exits 0 'a member' member "$group" status
exits 0 'starts' member "$group" start
is 'it samples' "$(flamectl status --json | jq .running)" true
exits 0 'stops' member "$group" stop

cat >/tmp/mine/told <<'END'
#!/bin/bash
{ id -u; id -g; grep -E '^(Cap[IPEA]|Groups:)' /proc/self/status; } >/tmp/mine/who
/usr/bin/flamectl status 2>/tmp/mine/refused
echo $? >>/tmp/mine/refused
exec dd if=/dev/zero of=/dev/null bs=4k count=200000 2>/dev/null
END
chmod 755 /tmp/mine/told
for only in '' --only; do
	rm -f /tmp/mine/who /tmp/mine/refused
	# shellcheck disable=SC2086 # words
	exits 0 "record $only -- COMMAND" member "$group" record $only -o /tmp/mine/x.pb.gz -- /tmp/mine/told
	is "record $only: the command is the user's, without a capability" "$(tr -s '\t \n' ' ' </tmp/mine/who)" \
		'1000 1000 Groups: 990 CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000 CapAmb: 0000000000000000 '
	like "record $only: the module refuses the command" "$(cat /tmp/mine/refused)" 'CAP_PERFMON'
	is "record $only: by its exit code" "$(tail -n 1 /tmp/mine/refused)" 3
	is "record $only: the profile is the user's alone" "$(stat -c '%u %a' /tmp/mine/x.pb.gz)" '1000 600'
	cp /tmp/mine/x.pb.gz "$OUT/x.pb.gz"
	unfold "$OUT/x"
	books_balance "record $only" "$OUT/x.json"
	holds "record $only: the kernel's functions are in it" "$(folded_match 'do_syscall_64|invoke_syscall' "$OUT/x.folded") > 0"
	flamectl reset
done
exits 7 'the exit code is the command'"'"'s' member "$group" record -o /tmp/mine/x.pb.gz -- sh -c 'exit 7'
like 'doctor says that the rights are sufficient' "$(member "$group" doctor)" '^ok +rights +sufficient'
# it writes only what the user may write, whoever owns flamectl's file
exits 1 'it does not write where the user may not' member "$group" record -d 100ms -o /root/x.pb.gz
nok 'no file is written' test -e /root/x.pb.gz

# It gives no right to load modules, and takes no other root directory.
unload
mkdir -p "/lib/modules/$(uname -r)/updates"
cp "$module" "/lib/modules/$(uname -r)/updates/"
depmod
exits 3 'the capability loads no module' member "$group" record -o /tmp/mine/x.pb.gz
like 'and says who does' "$output" 'flamectl loads it if root runs it'
nok 'it is not loaded' test -d /sys/module/flamemod
exits 3 'another root directory does not change that' member env FLAMECTL_ROOT=/tmp/mine "$group" record -o /tmp/mine/x.pb.gz
like 'which is ignored' "$output" 'flamectl loads it if root runs it'
finish
