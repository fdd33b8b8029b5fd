#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# truth-guest.sh SECONDS EVERY DIRECTORY SOURCES KIND...: in a guest, sample user stacks of
# programs of these kinds (below: runs_KIND), for so long each, and keep what the witness saw of
# one sample in EVERY in /out. DIRECTORY has keep, stacks and throws; SOURCES has programs that are interpreted.
set -uo pipefail
seconds=$1 every=$2 programs=$3 sources=$4
shift 4
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

runs_bash() {
	local i text='' end=$((SECONDS + seconds))

	while ((SECONDS < end)); do
		for ((i = 0; i < 200; i++)); do
			text+=$(printf '%s-%d' "${text: -3}" $i)
			[[ $text =~ ([0-9]+)-([0-9]+)$ ]] && text=${text//${BASH_REMATCH[1]}/x}
		done
		text=''
	done
}

runs_stacks() { again "$programs/stacks" 10; }

# first_time: run a program that is another file each time
first_time() {
	local program

	cp "$programs/stacks" new
	mv new first
	./first 1 >/dev/null & program=$!
	sleep 0.2
	kill $program
	wait $program 2>/dev/null
	return 0
}

runs_first() {
	local end=$((SECONDS + seconds))

	while ((SECONDS < end)); do first_time; done
}

runs_throws() { timeout 120 "$programs/throws" "$seconds"; }

runs_python3() { timeout 120 /usr/bin/python3 "$sources/program.py" "$seconds" 40; }

runs_perl() { timeout 120 perl "$sources/program.pl" "$seconds"; }

runs_openssl() { timeout 120 openssl speed -seconds 1 -bytes 4096 sha256 aes-128-cbc rsa2048 ecdsap256; }

runs_gcc() {
	cat >program.cc <<-'END'
		#include <map>
		#include <regex>
		#include <string>
		int main(int argc, char **argv) {
			std::map<std::string, std::regex> all;
			for (int i = 0; i < argc; i++) all.emplace(argv[i], std::regex(argv[i]));
			return std::regex_match("a", all.begin()->second);
		}
	END
	again g++ -O1 -o program program.cc
}

# folded NR: print so many folded stacks
folded() { awk -v nr="$1" 'BEGIN { for (i = 0; i < nr; i++)
	printf "main;f%d;g%d;h%d %d\n", i % 7, i % 1009, i * 7919 % nr, i % 13 + 1 }'; }

# a static program, without .eh_frame_hdr
runs_sort() {
	folded 20000 >stacks.folded
	again busybox sort stacks.folded
}

runs_flamectl() {
	folded 5000 >stacks.folded
	again flamectl report stacks.folded
}

insmod /root/flamemod.ko user_stacks=1 user_any_fs=1 hz=997 || exit 1
insmod /root/witness.ko every="$every" || exit 1
for kind; do watch "$kind" "runs_$kind"; done
flamectl stop
flamectl status --json >/out/status.json
flamectl status >/out/status
rmmod witness
rmmod flamemod
dmesg | grep witness: >/out/witness
