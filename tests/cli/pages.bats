#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Help, manual pages and completions say the same as the tables of commands:
# completions as their shells understand them. pages.py compares.
# Debian packages: python3, mandoc, zsh, fish, shellcheck.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	pages_py=$(realpath tests/cli/pages.py)
	export HOME=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
	touch FILE-A
}

@test "help is as the tables" { python3 "$pages_py" "$flamectl" help .; }

@test "manual pages are as the tables" { python3 "$pages_py" "$flamectl" man .; }

@test "bash completes as the tables" { python3 "$pages_py" "$flamectl" bash .; }

@test "zsh completes as the tables" { python3 "$pages_py" "$flamectl" zsh .; }

@test "fish completes as the tables" { python3 "$pages_py" "$flamectl" fish .; }

@test "manual pages are without fault" {
	export SOURCE_DATE_EPOCH=1700000000
	"$flamectl" pages man > page.1
	mandoc -T lint -W warning page.1
	for name in $("$flamectl" pages table | cut -f 1 | uniq); do
		"$flamectl" pages man "$name" > page.1
		mandoc -T lint -W warning page.1
		grep -qx '.Dd November 14, 2023' page.1
	done
	SOURCE_DATE_EPOCH=x run -1 "$flamectl" pages man
	[[ $output = "flamectl: cannot take the date of SOURCE_DATE_EPOCH: x: a whole number from "* ]]
	run -2 "$flamectl" pages man none
	run -2 "$flamectl" pages
}

@test "completions are scripts without fault" {
	"$flamectl" pages bash > bash
	shellcheck -s bash bash
	"$flamectl" pages zsh > zsh
	zsh -n zsh
	"$flamectl" pages fish > fish
	fish -n fish
}

@test "bash completes files, and commands of record" {
	"$flamectl" pages bash > completion
	cat > ask <<-'END'
	. ./completion
	compopt() { :; }
	COMP_WORDS=(flamectl "$@") COMP_CWORD=$#
	_flamectl
	printf '%s\n' "${COMPREPLY[@]}"
	END
	[ "$(bash ask svg FILE)" = FILE-A ]
	[ "$(bash ask svg -o FILE)" = FILE-A ]
	[ "$(bash ask svg --title FILE)" = "" ]
	bash ask record -- bas | grep -qx bash
	[ "$(bash ask help sv)" = svg ]
	[ "$(bash ask sv)" = svg ]
}
