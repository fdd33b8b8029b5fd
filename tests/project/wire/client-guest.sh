# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: see tests/project/wire/client.
# shellcheck source=tests/module/vm/tap.sh
. /root/tap.sh

# ynl ARGUMENT...: the kernel's client, as shipped. It does not check the YAML by a schema,
# which would take most of its time.
ynl() { client --no-schema "$@"; }

# client ARGUMENT...: the same, with a schema to be given
client() {
	/usr/bin/python3 /root/ynl/tools/net/ynl/cli.py --spec /root/flamemod.yaml \
		--output-json "$@"
}

# status FILTER: of what the client gets
status() { ynl --do status | jq -c "$1"; }

# summed: each stack once
summed() { awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) if (sum[s]) print s, sum[s] }' | sort; }

# flamectl names the functions of programs, the client does not
insmod /root/flamemod.ko autostart=0 user_stacks=0 || exit
ok 'the kernel'"'"'s schema accepts the YAML' \
	client --schema /root/ynl/Documentation/netlink/genetlink-c.yaml --list-ops
is 'set' "$(ynl --do set --json '{"settings": {"hz": 499, "cpus": "0-1"}}')" null
is 'set: the rate is in force' "$(status .settings.hz)" 499
nok 'set: what is out of range is refused' ynl --do set --json '{"settings": {"hz": 99999}}'
# shellcheck disable=SC2154 # set by nok
like 'set: and the answer names the limit' "$output" 'hz: must be 1..20000'
is 'start' "$(ynl --do start)" null
like 'start: it samples' "$(cat /sys/kernel/debug/flamemod/status 2>/dev/null || flamectl status)" 'running'
timeout 2 dd if=/dev/urandom of=/dev/null bs=64k 2>/dev/null
is 'stop' "$(ynl --do stop)" null
ynl --dump status >status.json
is 'stop: it is stopped' "$(jq -c '[.[].state.state // empty] | unique' status.json)" '["stopped"]'
is 'status as a dump has each CPU' \
	"$(jq -c '[.[] | .cpu // [] | if type == "array" then .[] else . end | .cpu] | unique' status.json)" '[0,1]'
ok 'profile' eval 'ynl --dump profile >/root/profile.json'
/usr/bin/python3 fold.py profile.json | sort >client.folded
flamectl dump | sort >flamectl.folded
nok 'profile: it is not empty' cmp -s client.folded /dev/null
tap_run diff client.folded flamectl.folded
tap_verdict "$status" 'profile: it equals what flamectl dump prints' "$(head -n 20 <<<"$output")"
is 'reset' "$(ynl --do reset)" null
is 'reset: nothing is held' "$(status .state.books.stored)" 0
rmmod flamemod

insmod /root/flamemod.ko user_stacks=1 user_any_fs=1 || exit
timeout 3 dd if=/dev/urandom of=/dev/null bs=64k 2>/dev/null
is 'user stacks: stop' "$(ynl --do stop)" null
holds 'user stacks: some are whole' "$(status '.state."user-stacks".whole') > 0"
ynl --dump profile >profile.json
/usr/bin/python3 fold.py profile.json | summed >client.folded
summed </sys/kernel/debug/flamemod/folded >debugfs.folded
like 'user stacks: they are files and offsets' "$(cat client.folded)" '/dd\+0x'
tap_run diff client.folded debugfs.folded
tap_verdict "$status" 'user stacks: the profile equals what debugfs shows' \
	"$(head -n 20 <<<"$output")"
rmmod flamemod
finish
