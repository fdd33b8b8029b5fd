#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# truth-guest.sh SECONDS DIRECTORY SOURCES: in a guest with this machine's programs, sample user
# stacks of programs of several kinds, for so long each, and keep what the witness saw in
# /out. DIRECTORY has keep, stacks and throws; SOURCES has programs that are interpreted.
set -uo pipefail
seconds=$1 programs=$2 sources=$3
cd /tmp || exit 1

# watch NAME COMMAND...: keep what the witness sees while the command runs
watch() {
	local name=$1 keep
	shift

	"$programs/keep" "/out/$name.kept" &
	keep=$!
	"$@" >/dev/null 2>"/out/$name.errors" ||
		echo "$name: exit status $?" >&2
	kill $keep
	wait $keep || echo "$name: not all was kept" >&2
}

# again COMMAND...: run it again and again
again() {
	local end=$((SECONDS + seconds))

	while ((SECONDS < end)); do timeout 120 "$@" || return; done
}

calls_bash() {
	local i text='' end=$((SECONDS + seconds))

	while ((SECONDS < end)); do
		for ((i = 0; i < 200; i++)); do
			text+=$(printf '%s-%d' "${text: -3}" $i)
			[[ $text =~ ([0-9]+)-([0-9]+)$ ]] && text=${text//${BASH_REMATCH[1]}/x}
		done
		text=''
	done
}

cat >program.cc <<'END'
#include <map>
#include <regex>
#include <string>
int main(int argc, char **argv) {
	std::map<std::string, std::regex> all;
	for (int i = 0; i < argc; i++) all.emplace(argv[i], std::regex(argv[i]));
	return std::regex_match("a", all.begin()->second);
}
END

insmod /root/flamemod.ko user_stacks=1 user_any_fs=1 hz=997 || exit 1
insmod /root/witness.ko every=5 || exit 1
watch stacks again "$programs/stacks" 10
watch throws timeout 120 "$programs/throws" "$seconds"
watch python3 timeout 120 /usr/bin/python3 "$sources/program.py" "$seconds" 40
watch perl timeout 120 perl "$sources/program.pl" "$seconds"
watch openssl timeout 120 openssl speed -seconds 1 -bytes 4096 sha256 aes-128-cbc rsa2048 ecdsap256
watch bash calls_bash
watch gcc again g++ -O1 -o program program.cc
flamectl stop
flamectl status --json >/out/status.json
flamectl status >/out/status
rmmod witness
rmmod flamemod
dmesg | grep witness: >/out/witness
