# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# TAP for bash scenarios: source it, test, and end with "finish".
#
#   ok DESCRIPTION COMMAND...            COMMAND succeeds
#   nok DESCRIPTION COMMAND...           COMMAND fails
#   exits STATUS DESCRIPTION COMMAND...  COMMAND's exit status is STATUS
#   is DESCRIPTION GOT EXPECTED          the same text
#   like DESCRIPTION GOT REGEX           GOT matches the extended regex
#   unlike DESCRIPTION GOT REGEX         GOT does not match
#   holds DESCRIPTION EXPRESSION         the arithmetic expression (awk's) is true
#   near DESCRIPTION GOT EXPECTED PART   GOT is EXPECTED, give or take PART of it
#   skip DESCRIPTION WHY
#   diag LINE...                         print it for people; not a test
#   finish                               print the plan
#
# A scenario that ends without finish is a failed one.

tap_count=0
tap_failed=0
# output and exit status of the last command of ok, nok or exits
output=''
status=0

diag() { printf '%s\n' "$@" | sed 's/^/# /'; }

tap_pass() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1"; }

tap_fail() { # DESCRIPTION TEXT...
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $1"
	shift
	diag "$@"
}

# tap_verdict TRUTH DESCRIPTION TEXT: TRUTH is an exit status
tap_verdict() {
	if [ "$1" = 0 ]; then
		tap_pass "$2"
	else
		tap_fail "$2" "${@:3}"
	fi
}

# Run a command for "output" and "status". In this shell, so that functions
# may change variables.
tap_run() {
	local file=/tmp/tap-output.$$

	status=0
	"$@" >"$file" 2>&1 || status=$?
	output=$(<"$file")
	rm -f "$file"
}

ok() {
	local description=$1
	shift
	tap_run "$@"
	tap_verdict "$status" "$description" "$* exited with $status:" "$output"
}

nok() {
	local description=$1
	shift
	tap_run "$@"
	tap_verdict "$((status == 0))" "$description" "$* did not fail:" "$output"
}

exits() {
	local expected=$1 description=$2
	shift 2
	tap_run "$@"
	tap_verdict "$((status != expected))" "$description" \
		"$* exited with $status, not $expected:" "$output"
}

is() {
	local verdict=0

	[ "$2" = "$3" ] || verdict=1
	tap_verdict $verdict "$1" "got:      $2" "expected: $3"
}

like() {
	local verdict=0

	grep -qE -e "$3" <<<"$2" || verdict=1
	tap_verdict $verdict "$1" "does not match $3:" "$2"
}

unlike() {
	local verdict=1

	grep -qE -e "$3" <<<"$2" || verdict=0
	tap_verdict $verdict "$1" "matches $3:" "$2"
}

holds() {
	local verdict=0

	awk "BEGIN { exit !($2) }" </dev/null || verdict=1
	tap_verdict $verdict "$1" "$2"
}

near() {
	local verdict=0

	awk -v got="$2" -v expected="$3" -v part="$4" 'BEGIN {
		off = got - expected
		exit !((off < 0 ? -off : off) <= expected * part)
	}' </dev/null || verdict=1
	tap_verdict $verdict "$1" "got:      $2" "expected: $3, give or take the ${4}th part"
}

skip() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1 # skip $2"; }

finish() { echo "1..$tap_count"; exit $((tap_failed > 0)); }
