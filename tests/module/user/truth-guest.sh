#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# truth-guest.sh SECONDS DIRECTORY: in a guest with this machine's programs, sample user
# stacks of programs of several kinds, for so long each, and keep what the witness saw in
# /out. DIRECTORY has keep, stacks and throws.
set -uo pipefail
seconds=$1 programs=$2
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

cat >program.py <<'END'
import json, re, sys, time
end = time.monotonic() + float(sys.argv[1])
def tree(depth): return [tree(depth - 1), depth, str(depth)] if depth else {}
def walk(node): return sum(map(walk, node), 1) if isinstance(node, list) else 1
while time.monotonic() < end:
    text = json.dumps(tree(40))
    walk(json.loads(text))
    sorted(re.findall(r"[0-9]+", text), key=lambda word: (len(word), word))
    try:
        "".join(x * 3 for x in text.split(",")).encode("ascii")[10 ** 9]
    except IndexError:
        pass
END
cat >program.pl <<'END'
my $end = time + shift;
sub deep { my ($n) = @_; return $n ? deep($n - 1) . $n : "" }
while (time < $end) {
	my %h; my $d = deep(60); $h{$1}++ while $d =~ /(\d\d)/g;
	my @s = sort { $h{$a} <=> $h{$b} || $a cmp $b } keys %h;
	my $t = join ",", @s; $t =~ s/(\d)(\d)/$2$1/g; eval { die { at => $t } };
}
END
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
watch python3 timeout 120 /usr/bin/python3 program.py "$seconds"
watch perl timeout 120 perl program.pl "$seconds"
watch openssl timeout 120 openssl speed -seconds 1 -bytes 4096 sha256 aes-128-cbc rsa2048 ecdsap256
watch bash calls_bash
watch gcc again g++ -O1 -o program program.cc
flamectl stop
flamectl status --json >/out/status.json
flamectl status >/out/status
rmmod witness
rmmod flamemod
dmesg | grep witness: >/out/witness
