# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Every operation in common/flamemod.yaml is refused without the right to it. Neither
# the replies nor files that anyone may read contain information about what runs.
# limit: 600
# takes: 25
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

operations='status status-dump dump reset stop set start follow attach detach'
chmod 755 /root
unprivileged=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
# with CAPABILITY COMMAND...: run it as a user with only that capability
with() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps="-all,+$1" \
		--ambient-caps="-all,+$1" "${@:2}"
}
perfmon=(with perfmon)

# refused_each WHO COMMAND...: check that each operation is refused for that reason,
# without a byte of data
refused_each() {
	answered_each "$1" \
		$'EPERM\t0\tneeds CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace' "${@:2}"
}

# answered_each WHO ANSWER COMMAND...: check that all operations get this answer:
# errno, bytes of data, text
answered_each() {
	local answers

	answers=$("${@:3}" /root/netlink_fuzz -e -f "$family" 2>&1 | grep -v ^family)
	is "$1: each operation was asked for" "$(cut -f 1 <<<"$answers" | sort | paste -sd ' ')" "$protocol"
	is "$1: all have one answer" "$(cut -f 2- <<<"$answers" | sort -u)" "$2"
}

# refused_all WHO COMMAND...: check that every operation is refused, with a reason
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
family=$(/root/netlink_fuzz -e | sed -n 's/^family\t//p')
protocol=$(/root/netlink_fuzz -e | grep -v ^family | cut -f 1 | sort | paste -sd ' ')
is 'these are all operations' \
	"$(tr ' ' '\n' <<<"$operations" | sed 's/^dump$/profile-dump/' | sort | paste -sd ' ')" "$protocol"
flamectl start >/dev/null 2>&1
before=$(flamectl status --json | jq -c '[.running, .hz]')
refused_all 'a user' "${unprivileged[@]}" /root/nlbad every
refused_all "a user namespace's root" "${unprivileged[@]}" unshare --user --map-root-user /root/nlbad every
refused_all "root with a user's socket" /root/nlbad sender
refused_all "a user with root's socket" /root/nlbad opener
refused_each 'a user' "${unprivileged[@]}"
refused_each "a user namespace's root" "${unprivileged[@]}" unshare --user --map-root-user
for capability in net_admin sys_ptrace bpf dac_override sys_module syslog; do
	refused_each "CAP_${capability^^}" with $capability
done
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

answered_each "another network namespace, by the family's number" $'ENOENT\t0\t-' unshare --net
answered_each "a user namespace's root there" $'ENOENT\t0\t-' \
	"${unprivileged[@]}" unshare --user --map-root-user --net

# Files that anyone may read: they have no process and no address.
(renice 19 -p $BASHPID >/dev/null; echo unseen >/proc/self/comm; while :; do :; done) & unseen=$!
flamectl start >/dev/null 2>&1
wait_for 30 sh -c 'flamectl dump | grep -q ^unseen'
ok 'root sees who runs' sh -c 'flamectl dump | grep -q ^unseen'
# shellcheck disable=SC2016 # the user's shell expands it
seen=$("${unprivileged[@]}" bash -c '
	find /sys/module/flamemod /sys/kernel/debug -type f 2>/dev/null |
		while read -r file; do echo "$file $(cat "$file" 2>/dev/null)"; done
	grep flamemod /proc/modules /proc/kallsyms
	cat /proc/timer_list /proc/vmallocinfo /proc/slabinfo
	dmesg | grep flamemod' 2>/dev/null)
printf '%s\n' "$seen" >"$OUT/seen"
like 'a user sees that it is loaded' "$seen" '/proc/modules:flamemod '
unlike 'a user does not see who runs' "$seen" unseen
unlike 'a user sees no address' "$seen" '0x0*[1-9a-f][0-9a-f]{8}|\bf{4}[0-9a-f]{12}\b'
# names of functions are no books
unlike 'a user does not see the books' "$(grep -v '^/proc/kallsyms:' <<<"$seen")" 'fires|stored|missed'
kill $unseen

# Names do not depend on the right to see addresses. The operations above have changed
# the settings.
flamectl stop
flamectl reset
ok 'it takes settings' flamectl set hz=997 max-depth=127 exclude-idle=0 kernel-only=0 pids= cpus=
for restrict in 0 1 2; do
	echo $restrict >/proc/sys/kernel/kptr_restrict
	flamectl reset
	flamectl start >/dev/null 2>&1
	load_start
	sleep 2
	load_stop
	flamectl stop
	flamectl dump >"$OUT/kptr.$restrict"
	cat "$debugfs/folded" >"$OUT/kptr.$restrict.debugfs"
	holds "kptr_restrict=$restrict: there are samples" "$(folded_sum "$OUT/kptr.$restrict") > 500"
	like "kptr_restrict=$restrict: there are names" "$(cat "$OUT/kptr.$restrict")" '(do_syscall_64|invoke_syscall);[a-z_]+[^;]*[; ]'
	unlike "kptr_restrict=$restrict: there are no numbers for them" \
		"$(sed 's/ [0-9]*$//' "$OUT/kptr.$restrict")" '0x[0-9a-f]+|[0-9a-f]{16}'
	# nor on the reader
	for other in 0 1 2; do
		echo $other >/proc/sys/kernel/kptr_restrict
		is "kptr_restrict=$restrict, read with $other: the same output" \
			"$(flamectl dump | cksum)" "$(cksum <"$OUT/kptr.$restrict")"
		is "kptr_restrict=$restrict, read with $other: the same text" \
			"$(cksum <"$debugfs/folded")" "$(cksum <"$OUT/kptr.$restrict.debugfs")"
	done
done
echo 1 >/proc/sys/kernel/kptr_restrict

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
