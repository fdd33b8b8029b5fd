# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# main path
# limit: 1800
# takes: 50
#
# The module can be unloaded at any moment: while it samples, drains and is read.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# Readers pause for twice as long as they read; else they would hold the module nearly
# always, and the profile would grow, so that they read for longer and longer.
reads() {
	local began took

	while :; do
		began=${EPOCHREALTIME/./}
		"$@" >/dev/null 2>&1
		took=$((2 * (${EPOCHREALTIME/./} - began)))
		sleep "$((took / 1000000)).$(printf '%06d' $((took % 1000000)))"
	done
}
load_start
reads flamectl dump --no-names & reader=$!
reads cat "$debugfs/folded" & shell=$!
loaded=0
unloaded=0
# make check is satisfied with fewer
rounds=24
[ "${STORM:-}" != small ] || rounds=12
[ -z "$main_path" ] || rounds=6
for ((i = 0; i < rounds; i++)); do
	insmod "$module" hz=$((i % 2 ? 20000 : 997)) cpu_kb=$((i % 3 ? 448 : 32)) && loaded=$((loaded + 1))
	# from none to a quarter of a second of sampling
	[ $((i % 4)) = 0 ] || sleep "0.$(printf '%02d' $((i % 26)))"
	unload_when_free && unloaded=$((unloaded + 1))
done
kill $reader $shell
wait $reader $shell 2>/dev/null
load_stop
is "loaded $rounds times" $loaded $rounds
is "unloaded $rounds times" $unloaded $rounds

# Other modules are loaded and unloaded while it samples and drains.
load hz=9973
ok 'other modules come and go meanwhile' bash -c '
	for i in {1..12}; do
		insmod /root/burn.ko init_ms=5 && rmmod burn || exit 1
	done'
ok 'and it unloads after that' rmmod flamemod
unlike 'nothing of it is left' "$(cat /proc/modules; ls /sys/kernel/debug)" flamemod
finish
