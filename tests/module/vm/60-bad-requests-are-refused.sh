# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# main path
#
# A wrong request is refused with a message that names the error, and changes nothing.
# nlbad.c makes the requests.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

load autostart=0
flamectl status --json >"$OUT/before.json"
/root/nlbad bad >"$OUT/answers" 2>"$OUT/err"
is 'every request was answered' $? 0
flamectl status --json >"$OUT/after.json"

# refused NAME ERRNO TEXT [ATTRIBUTE]
refused() {
	local got
	got=$(awk -F '\t' -v name="$1" '$1 == name { print $2 " " $3 " " $4 }' "$OUT/answers")
	like "$1 is refused" "$got" "^$2 $3 ${4:-[-0-9]+}\$"
}
hz='hz: must be 1\.\.20000'
refused hz-0 ERANGE "$hz" 1
refused hz-1000000 ERANGE "$hz" 1
refused hz-short EINVAL '.+' 1
refused depth-0 ERANGE 'max-depth: must be 1\.\.127' 2
refused depth-128 ERANGE 'max-depth: must be 1\.\.127' 2
refused exclude-idle-2 ERANGE 'exclude-idle: must be 0\.\.1' 3
refused kernel-only-2 ERANGE 'kernel-only: must be 0\.\.1' 4
refused unknown-setting EINVAL 'Unknown attribute type' 99
refused pids-17 ERANGE 'pids: .*64 bytes' 5
refused pids-odd EINVAL 'pids: .+' 5
refused pids-0 EINVAL 'pids: .+' 5
refused cpus-words EINVAL 'cpus: .*such as 0-3,8' 6
refused cpus-backwards EINVAL 'cpus: .*such as 0-3,8' 6
refused cpus-absent EINVAL 'cpus: .+' 6
refused cpus-open-ended EINVAL '.+' 6
refused cpus-long ERANGE 'cpus: .*1024 bytes' 6
refused good-then-bad ERANGE "$hz" 1
refused good-then-no-cpus EINVAL 'cpus: .+' 6
refused session-1 ERANGE 'session: must be 0' 1
refused session-1-dump ERANGE 'session: must be 0'
refused unknown-attribute EINVAL 'Unknown attribute type' 99
refused unknown-attribute-dump EINVAL 'Unknown attribute type' 99
refused settings-in-stop EINVAL '.+' 2
refused reset-in-status EINVAL '.+' 3
refused reset-with-a-value '(ERANGE|EINVAL)' '.+' 3
refused set-nothing EINVAL 'settings: missing'
refused settings-not-nested EINVAL '.+' 2
refused trailing-bytes EINVAL '.+'
refused attribute-too-long EINVAL '.+'
refused attribute-too-short EINVAL '.+'
# the kernel refuses these without a message, before they reach the module
refused unknown-command EOPNOTSUPP -
refused dump-without-the-flag EOPNOTSUPP -
refused set-with-the-flag EOPNOTSUPP -
refused no-header EINVAL -
unlike 'none was executed' "$(cat "$OUT/answers")" '	done	'

# except for the time of the status itself
is 'nothing has changed' "$(jq -S 'del(.instant_ns, .time_ns)' "$OUT/after.json")" \
	"$(jq -S 'del(.instant_ns, .time_ns)' "$OUT/before.json")"

# Valid requests in the wrong state.
exits 1 'stop while stopped' flamectl stop
like 'stop while stopped: says so' "$output" 'not sampling'
flamectl start
exits 1 'start while running' flamectl start
like 'start while running: says so' "$output" '^flamectl: cannot start: .+'
exits 1 'set while running' flamectl set hz=99
like 'set while running: says so' "$output" '^flamectl: cannot set: .+'
is 'set while running: the rate stays' "$(flamectl status --json | jq .hz)" 997

# Anyone may read the policy; it contains limits and nothing else.
exits 0 'the policy can be read' /root/nlbad policy
printf '%s\n' "$output" >"$OUT/policy"
like 'the policy is printed' "$output" '^u32 '
# the ranges of the types themselves, and those in common/flamemod.yaml
is 'its numbers are limits, not parts of a pointer' "$(grep -E '^u' <<<"$output" |
	grep -vxE 'u8 0\.\.255|u32 0\.\.4294967295|u64 0\.\.18446744073709551615|u8 0\.\.1|u32 (0\.\.0|1\.\.20000|1\.\.127)')" ''

# The bytes of a dump, as the kernel sends them.
sleep 1
exits 0 'a dump is searched' /root/nlbad scan
like 'no address is in the bytes of a dump' "$output" ' bytes [0-9]{4,} addresses 0$'
finish
