# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck source=tests/vm/flamemod.sh
. /tests/vm/flamemod.sh

operations='status status-dump dump reset stop set start'
chmod 755 /root
unprivileged=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
perfmon=(setpriv --reuid 65534 --regid 65534 --clear-groups
	--inh-caps='-all,+perfmon' --ambient-caps='-all,+perfmon')

# refused_all WHO COMMAND...: every operation is refused, with a reason
refused_all() {
	local who=$1 operation answers
	shift

	answers=$("$@" 2>&1)
	for operation in $operations; do
		like "$who: $operation is refused" \
			"$(awk -F '\t' -v name="$operation" '$1 == name { print $2, $3 }' <<<"$answers")" \
			'^EPERM needs CAP_PERFMON or CAP_SYS_ADMIN'
	done
}

load hz=997
before=$(flamectl status --json | jq -c '[.running, .hz]')
refused_all 'a user' "${unprivileged[@]}" /root/nlbad every
refused_all "a user namespace's root" "${unprivileged[@]}" unshare --user --map-root-user /root/nlbad every
refused_all "root with a user's socket" /root/nlbad sender
refused_all "a user with root's socket" /root/nlbad opener
is 'nothing has changed' "$(flamectl status --json | jq -c '[.running, .hz]')" "$before"

unlike 'CAP_PERFMON is enough' "$("${perfmon[@]}" /root/nlbad every 2>&1)" 'EPERM'
is 'CAP_PERFMON is enough for each' "$("${perfmon[@]}" /root/nlbad every | cut -f 1 | paste -sd ' ')" "$operations"

for command in status dump start stop reset 'set max-depth=5' 'record -d 1s -o /tmp/x.pb.gz'; do
	# shellcheck disable=SC2086 # words
	exits 3 "a user: flamectl ${command%% *}" "${unprivileged[@]}" flamectl $command
	like "a user: flamectl ${command%% *} says what is missing" "$output" '^flamectl: cannot .*CAP_PERFMON'
done

nok 'another network namespace does not have it' unshare --net /root/nlbad every
like 'another network namespace: there is no such family' "$output" 'cannot find or read the family'
exits 3 'another network namespace: flamectl says so' unshare --net flamectl status

mount -o remount,mode=755 /sys/kernel/debug
chmod 444 "$debugfs/folded" "$debugfs/status"
for file in folded status; do
	nok "a user may not read debugfs' $file, whatever its mode" "${unprivileged[@]}" cat "$debugfs/$file"
	nok "a user namespace's root neither" "${unprivileged[@]}" unshare --user --map-root-user cat "$debugfs/$file"
	ok "CAP_PERFMON may read $file" "${perfmon[@]}" cat "$debugfs/$file"
done
mount -o remount,mode=700 /sys/kernel/debug

unload
exits 3 'without the module: exit code 3' flamectl status
like 'without the module: says so' "$output" '^flamectl: cannot .*(not loaded|insmod|modprobe)'
finish
