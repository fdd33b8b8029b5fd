#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Help, manual pages and completions agree with the tables of commands; completions are
# tested in their shells. pages.py compares.
# Debian packages: python3, mandoc, zsh, fish, shellcheck.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	pages_py=$(realpath tests/ctl/cli/pages.py)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	export HOME=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
	touch FILE-A
}

@test "help agrees with the tables" { python3 "$pages_py" "$flamectl" help .; }

@test "manual pages agree with the tables" { python3 "$pages_py" "$flamectl" man .; }

@test "bash completions agree with the tables" { python3 "$pages_py" "$flamectl" bash .; }

@test "zsh completions agree with the tables" { python3 "$pages_py" "$flamectl" zsh .; }

@test "fish completions agree with the tables" { python3 "$pages_py" "$flamectl" fish .; }

@test "mandoc finds nothing in manual pages" {
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

@test "manual pages name the environment variables that are used" {
	heeded() { "$flamectl" pages man "$@" | sed -n 's/^\.It Ev //p' | tr '\n' ' '; }
	[ "$(heeded)" = "FLAMECTL_FLEET LESS NO_COLOR NOTIFY_SOCKET PAGER STATE_DIRECTORY TERM WATCHDOG_USEC " ]
	[ "$(heeded agent)" = "NOTIFY_SOCKET STATE_DIRECTORY WATCHDOG_USEC " ]
	[ "$(heeded report)" = "FLAMECTL_FLEET LESS NO_COLOR PAGER TERM " ]
	[ "$(heeded top)" = "NO_COLOR TERM " ]
	[ "$(heeded svg)" = "FLAMECTL_FLEET " ]
	[ "$(heeded heat)" = "" ]
}

@test "the shells accept the completions" {
	"$flamectl" pages bash > bash
	shellcheck -s bash bash
	"$flamectl" pages zsh > zsh
	zsh -n zsh
	"$flamectl" pages fish > fish
	fish -n fish
}

# in_bash, in_fish, in_zsh: print what is offered at the end of a line
in_bash() { # WORD...
	cat > ask <<-'END'
	. ./completion
	compopt() { :; }
	COMP_WORDS=(flamectl "$@") COMP_CWORD=$#
	_flamectl
	printf '%s\n' "${COMPREPLY[@]}"
	END
	"$flamectl" pages bash > completion
	bash ask "$@" | tr '\n' ' '
}
in_fish() { # LINE
	"$flamectl" pages fish > completion
	fish -c 'source completion; complete --do-complete=$argv' "flamectl $1" < /dev/null |
		cut -f 1 | sort | tr '\n' ' '
}
in_zsh() { # LINE, with an editor of lines of its own
	mkdir -p functions
	"$flamectl" pages zsh > functions/_flamectl
	rm -f ready offered
	cat > ask <<-'END'
	zmodload zsh/zpty
	zpty z zsh -f -i
	zpty -w z 'fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D'
	zpty -w z 'compadd() { local -a got; builtin compadd -O got "$@"; print -rl -- $got >> offered; builtin compadd "$@" }'
	zpty -w z 'offer() { _main_complete "$@"; print end >> offered }; zle -C offer .complete-word offer; bindkey "^I" offer'
	zpty -w z 'print > ready'
	until [[ -e ready ]]; do sleep 0.05; zpty -r -t z said; done
	zpty -n -w z $1$'\t'
	until grep -qsx end offered; do sleep 0.05; zpty -r -t z said; done
	zpty -d z
	grep -vx 'end\|' offered | sort -u | tr '\n' ' '
	END
	timeout 60 zsh -f ask "flamectl $1"
}

@test "bash completes files, and commands of record" {
	[ "$(in_bash svg FILE)" = "FILE-A " ]
	[ "$(in_bash svg -o FILE)" = "FILE-A " ]
	[ "$(in_bash svg --output = FILE)" = "FILE-A " ]
	[ "$(in_bash svg --title FILE)" = " " ]
	[ "$(in_bash help sv)" = "svg " ]
	[ "$(in_bash sv)" = "svg " ]
	for before in "" -- "-q -d 3 --" "-F 9 -o x" "--duration = 3" "-d 3 -v"; do
		# shellcheck disable=SC2086 # words
		[[ " $(in_bash record $before bas)" = *" bash "* ]]
		# shellcheck disable=SC2086
		[ "$(in_bash record $before cat FILE)" = "FILE-A " ]
		# shellcheck disable=SC2086
		[ "$(in_bash record $before cat --)" = " " ]
	done
	[ "$(in_bash record -d 3 --ver)" = "--verbose " ]
	[ "$(in_bash record -d FILE)" = " " ]
	# with bash-completion loaded, it knows the options of the recorded command
	cat >> ask <<-'END'
	_comp_command_offset() { echo "from $1"; }
	_flamectl
	END
	bash ask record -d 3 -- make - | grep -qx 'from 5'
}

@test "fish completes files, and commands of record" {
	[ "$(in_fish 'svg FILE')" = "FILE-A " ]
	for before in "" "-- " "-q -d 3 -- " "-F 9 -o x "; do
		[[ " $(in_fish "record ${before}bas")" = *" bash "* ]]
		[ "$(in_fish "record ${before}cat FILE")" = "FILE-A " ]
		[[ " $(in_fish "record ${before}cat --")" != *" --slices "* ]]
	done
	[ "$(in_fish 'record -d 3 --ver')" = "--verbose " ]
}

@test "zsh completes files, and commands of record" {
	[ "$(in_zsh 'svg FILE')" = "FILE-A " ]
	for before in "" "-- " "-q -d 3 -- "; do
		[ "$(in_zsh "record ${before}cat FILE")" = "FILE-A " ]
		[[ " $(in_zsh "record ${before}base64 --")" != *" --slices "* ]]
	done
	[ "$(in_zsh 'record -d 3 --ver')" = "--verbose " ]
	[ "$(in_zsh 'svg --theme d')" = "dark " ]
}

@test "lists and settings are completed" {
	[ "$(in_bash svg --by comm,c)" = "comm,comm comm,cpu comm,context comm,cgroup " ]
	[ "$(in_bash svg --by = comm,h)" = "comm,host " ]
	[ "$(in_bash svg --by =)" = "comm pid tid cpu context host cgroup module function none " ]
	[ "$(in_fish 'svg --by comm,h')" = "comm,host " ]
	[ "$(in_zsh 'svg --by comm,h')" = "host " ]
	settings="cpus= exclude-idle= hz= kernel-only= max-depth= pids= user-places= user-stacks= "
	for command in set start; do
		[ "$(in_bash $command '' | xargs -n 1 | sort | tr '\n' ' ')" = "$settings" ]
		[ "$(in_fish "$command ")" = "$settings" ]
		[ "$(in_zsh "$command ")" = "$settings" ]
	done
	[ "$(in_bash set hz =)" = " " ]
	[ "$(in_bash set hz = c)" = " " ]
}

@test "completed values are accepted values" {
	while IFS=$'\037' read -r command option _ _ _ values; do
		[ -n "$values" ] && [ -n "$option" ] || continue
		others=("$saved")
		case $command in
		dump) others=(-i "$saved") ;;
		diff) others=("$saved" "$saved") ;;
		record) others=(--no-load --off-cpu -a -o new.pb.gz) ;;
		export) others+=(--to speedscope) ;;
		push) others=(--attempts 1 clickhouse://127.0.0.1:1/x "$saved") ;;
		agent) others=(--check clickhouse://127.0.0.1:1/x) ;;
		import) others+=(--from perf-script) ;;
		esac
		for value in ${values//,/ } none-of-these; do
			code=0
			"$flamectl" "$command" "${others[@]}" "--$option" "$value" > out 2> err < /dev/null || code=$?
			echo "$command --$option $value: $code, $(head -n 1 err)"
			if [ "$value" = none-of-these ]; then
				[ "$code" -eq 2 ]
			elif [ "$command" != top ]; then
				[ "$code" -ne 2 ]
			fi
		done
	done < <("$flamectl" pages table | tr '\t' '\037')
}
