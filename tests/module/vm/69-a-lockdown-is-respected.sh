# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 2 -m 2G -a "possible_cpus=600 lsm=lockdown"
#
# In a kernel locked down for confidentiality nobody can read a profile, even if the
# module was loaded before. A lockdown cannot be undone, so this is the
# last one in its guest.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

mount -t securityfs securityfs /sys/kernel/security
lockdown=/sys/kernel/security/lockdown
load hz=997
sleep 1

echo integrity >$lockdown
like 'the kernel is locked down for integrity' "$(cat $lockdown)" '\[integrity\]'
ok 'for integrity: it can be used' sh -c 'flamectl dump >/dev/null'
flamectl stop
ok 'for integrity: it can be started' flamectl start
ok 'for integrity: a shell can read it' sh -c "cat $debugfs/folded >/dev/null"

# A dump that was started before continues: it was allowed when it started.
exec 3<"$debugfs/status"
echo confidentiality >$lockdown
like 'the kernel is locked down for confidentiality' "$(cat $lockdown)" '\[confidentiality\]'
like 'what was opened before can be read' "$(cat <&3)" '^version '
exec 3<&-

is 'each operation is refused, without data' \
	"$(/root/netlink_fuzz -e | grep -v ^family | cut -f 2- | sort -u)" \
	"$(printf 'EPERM\t0\t%s' 'the kernel is locked down for confidentiality')"
is 'to a user it is refused as well' \
	"$(chmod 755 /root && setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		/root/netlink_fuzz -e | grep -v ^family | cut -f 2,3 | sort -u)" $'EPERM\t0'
exits 3 'flamectl dump is refused' flamectl dump
like 'flamectl says why' "$output" '^flamectl: cannot dump.*locked down for confidentiality'
for file in folded status; do
	nok "$file cannot be opened" cat "$debugfs/$file"
done
ok 'it can still be unloaded' unload
nok 'and not be loaded, unsigned as it is' insmod "$module"

# In a debug kernel kmemleak's report is locked, too. There were no leaks before.
: >"$OUT/kmemleak"
finish
