#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl push and fleet with a server that misbehaves, and what they refuse: every
# answer ends as push --help says, and no token is printed. Debian packages: libcurl4,
# python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	misbehaving=$(realpath tests/ctl/unit/misbehaving.py)
	cd "$BATS_TEST_TMPDIR" || return
	echo s3cr3t-t0k3n > token
	unset http_proxy https_proxy all_proxy
}

# refused MESSAGE ARGUMENT...: exit code 2, and this line
refused() {
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "flamectl: $message" ]
}

# answers LIST: start a server with these; sets url and log
answers() {
	mkfifo "input-$1" "port-$1"
	python3 "$misbehaving" "$1" < "input-$1" > "port-$1" 3>&- 4>&- &
	exec 4> "input-$1"
	read -r port < "port-$1"
	url=clickhouse://me@127.0.0.1:$port/fleet
}

teardown() {
	exec 4>&-	# the server ends when its input does
	wait
}

# push CODE [OPTION...]: push one window; the token is never printed
push() {
	local code=$1
	shift
	run "-$code" "$flamectl" push --token-file token "$@" "$url" "$saved"
	[[ $output != *s3cr3t* ]]
}

# requests: print how many requests the server has had
requests() {
	python3 -c 'import sys, urllib.request as r; print(sum(b"/log" not in l for l in r.urlopen(sys.argv[1])))' \
		"http://127.0.0.1:$port/log"
}

@test "what is given wrong is refused with a reason" {
	refused 'push needs the URL of a server and files: name both' push
	refused 'push needs the URL of a server and files: name both' push clickhouse://localhost
	refused '--label rack: write a label as NAME=VALUE' push --label rack clickhouse://localhost "$saved"
	refused '--in-doubt maybe: must be resend or drop' push --in-doubt maybe clickhouse://localhost "$saved"
	refused '--batch 0: a whole number from 1 to 1000' push --batch 0 clickhouse://localhost "$saved"
	refused 'fleet needs what to do and the URL of a server: name both' fleet init
	refused 'fleet cannot drop: it can init and roll' fleet drop clickhouse://localhost
	refused '--keep 0: a whole number from 1 to 3650' fleet init --keep 0 clickhouse://localhost
	run -1 "$flamectl" push http://localhost "$saved"
	[[ $output = *'http:: no such kind of server; an URL starts with one of: clickhouse://'* ]]
	run -1 "$flamectl" push clickhouse://me:hush@localhost "$saved"
	[[ $output = *'a password does not belong into an URL'* && $output != *hush* ]]
	run -1 "$flamectl" push clickhouse+http://db.example "$saved"
	[[ $output = *'plain http is only for servers on this machine'* ]]
	run -1 "$flamectl" push --token-file nothing clickhouse://localhost "$saved"
	[[ $output = *'nothing: No such file'* ]]
}

@test "questions that cannot be asked are refused" {
	refused 'query needs a question: top, diff, hosts, heat or regressions' query
	refused 'why is no question: there are top, diff, hosts, heat and regressions' query why
	refused 'diff compares two choices of windows, and 1 is named' query diff fleet:
	refused 'top takes one choice of windows, and 2 are named' query top fleet: fleet:
	refused 'hosts needs --function NAME' query hosts
	refused '--over 101: give a share from 0 to 100 percent, such as 0.5, with at most four digits after the point' \
		query hosts --over 101
	refused '--step 1500ms: give whole seconds' query heat --step 1500ms
	refused 'hour=25: give an hour from 0 to 23, or one such as 2026-11-27T14, in UTC' query top hour=25
	refused 'rack: choose windows by NAME=VALUE, such as release=6.12, hour=14, host=web1 or a label' query top rack
	unset FLAMECTL_FLEET
	run -1 "$flamectl" report --no-pager fleet:
	[[ $output = 'flamectl: cannot read fleet:: $FLAMECTL_FLEET is not set: set it to the URL of the store'* ]]
	FLAMECTL_FLEET=http://x run -1 "$flamectl" query top
	[[ $output = *'no such kind of server'* ]]
	run -1 "$flamectl" svg fleet:hour=x
	[[ $output = *'cannot read fleet:hour=x: hour=x: give an hour'* ]]
}

@test "an answer that is not what was asked for is refused" {
	answers 200
	FLAMECTL_FLEET=$url run -1 "$flamectl" query top
	[[ $output = *'its answer is not what was asked for'* ]]
	FLAMECTL_FLEET=$url run -1 "$flamectl" query hosts --function f
	[[ $output = *'its answer is not what was asked for'* ]]
}

@test "what is no window of one host is refused before anything is sent" {
	answers 200
	"$flamectl" merge -o sum.pb.gz "$saved" "$saved"
	run -1 "$flamectl" push "$url" "$saved" sum.pb.gz
	[[ $output = *'cannot push sum.pb.gz: it is a sum, or from another program'* ]]
	[ "$(requests)" = 0 ]
	run -1 "$flamectl" push "$url" "$saved" missing.pb.gz
	[[ $output = *'missing.pb.gz'* ]]
	[ "$(requests)" = 0 ]
}

@test "windows are sent in batches, stacks first and once" {
	answers 200
	push 0
	[ "$output" = 'pushed 1 window in 2 requests' ]
	run -0 "$flamectl" push --batch 2 "$url" "$saved" "$saved" "$saved"
	[ "$output" = 'pushed 3 windows in 3 requests' ]
	python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())' \
		"http://127.0.0.1:$port/log" > log
	sed -n 1p log | grep -q '^POST /?database=fleet&query=INSERT%20INTO%20stacks%20.* gzip flamectl/'
	sed -n 2p log | grep -q '^POST /?database=fleet&query=INSERT%20INTO%20profiles%20.* gzip flamectl/'
}

@test "refusals are final" {
	answers 403
	push 1
	[[ $output = "flamectl: cannot push: http://127.0.0.1:$port answered 403: answer 1" ]]
	[ "$(requests)" = 1 ]
}

@test "a message that repeats the token does not show it" {
	answers echo
	push 1
	[[ $output = *'************'* ]]
}

@test "a redirect is not followed" {
	answers redirect
	push 1
	[[ $output = *'redirects are not followed'* ]]
	[ "$(requests)" = 1 ]
}

@test "a busy server is asked again" {
	answers 503,code:242,429:0,200,code:252,200
	push 0 --attempts 4
	[ "$output" = 'pushed 1 window in 6 requests' ]
	answers 503:7200
	push 1
	[[ $output = *'cannot push now'*'it asks to wait 7200'* ]]
	answers 503,503
	push 1 --attempts 2
	[[ $output = *'answered 503: answer 2 (2 attempts)'* ]]
}

@test "errors of a statement are final" {
	answers code:62
	push 1
	[[ $output = *'Code: 62'* ]]
	[ "$(requests)" = 1 ]
}

@test "too much at once is sent in halves" {
	answers 413,200,200,413,200
	# stacks of four: refused; two; of the other two, which have the same stacks, the windows
	# are refused; one with its stacks, as these are forgotten; one
	run -0 "$flamectl" push "$url" "$saved" "$saved" "$saved" "$saved"
	[ "$output" = 'pushed 4 windows in 7 requests' ]
	answers 413,413,413
	push 1
	[[ $output = *'answered 413'* ]]
}

@test "without an answer, windows are sent again, or dropped and counted" {
	answers cut,200
	push 0
	[ "$output" = 'pushed 1 window in 3 requests' ]
	answers 200,half,200
	push 1 --in-doubt drop
	[[ $output = *'warning: 1 windows are dropped, as they may have been taken'* ]]
	[[ $output = *'pushed 0 windows in 2 requests'* ]]
	answers hang
	push 1 --timeout 200ms --attempts 2
	[[ $output = *'cannot push now'*'timed out'*'(2 attempts)'* ]]
}

@test "without libcurl, the message says what to install" {
	mkdir libraries
	touch libraries/libcurl.so.4 libraries/libcurl-gnutls.so.4
	LD_LIBRARY_PATH=$PWD/libraries run -1 "$flamectl" push clickhouse://localhost "$saved"
	[[ $output = *'cannot open libcurl.so.4, which is needed to talk to a server: install it (Debian: libcurl4'* ]]
	LD_LIBRARY_PATH=$PWD/libraries "$flamectl" report "$saved" > report
	[ -s report ]
}
