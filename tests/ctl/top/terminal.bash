# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Run a program in a terminal, which is tmux, and send it keys: fake.c, which is flamectl
# with a made-up module.

setup() {
	fake=$(realpath out/unit/fake)
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	harmless_py=$(realpath tests/ctl/cli/harmless.py)
	programs_bash=$(realpath tests/ctl/cli/programs.bash)
	export LC_ALL=C.UTF-8 ASAN_OPTIONS=detect_leaks=1
	unset NO_COLOR TMUX
	# ncurses' settings for a terminal that it does not know
	echo leak:new_prescr > "$BATS_TEST_TMPDIR/suppressions"
	export LSAN_OPTIONS=suppressions=$BATS_TEST_TMPDIR/suppressions:print_suppressions=0
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
}

teardown() {
	terminal kill-server 2> /dev/null || true
	rm -f "$socket"
}

terminal() {
	tmux -S "$socket" -f /dev/null "$@"
}

# a new server each time, because one that was asked to end may still run; a socket's
# path must be short
listen() {
	socket=$(mktemp -u /tmp/top.XXXXXX)
}

# on WIDTHxHEIGHT ARGUMENT...: start it in a terminal that tells how it ended
on() {
	local size=$1
	shift
	listen
	# shellcheck disable=SC2016 # the shell in there expands it
	terminal new-session -d -x "${size%x*}" -y "${size#*x}" \
		"stty -g > before; echo 'before it'; $fake ${*@Q}; code=\$?; stty -g > after; echo \"ended by \$code\"; cat"
	terminal set -g status off
}

screen() {
	terminal capture-pane -p
}

# within_a_minute COMMAND...: wait until it succeeds
within_a_minute() {
	local i
	for i in {1..600}; do
		! "$@" || return 0
		sleep 0.1
	done
	echo "not within a minute: $*"
	screen
	return 1
}

on_screen() { screen | grep -qE -- "$1"; }
not_on_screen() { ! on_screen "$1"; }
nr_on_screen() { [ "$(screen | grep -cE -- "$2")" -eq "$1" ]; }
line_on_screen() { screen | sed -n "$1p" | grep -qE -- "$2"; }

# shows PATTERN: wait until a line does
shows() {
	within_a_minute on_screen "$1"
}

# an escape that sets a colour
coloured() { terminal capture-pane -pe | grep -qE $'\e''\[([0-9;]*;)?(3[0-7]|38;|4[0-7])'; }

# colour_of NAME: print the colour of the name that ends a row, 32 for green; 39 is the
# terminal's own
colour_of() {
	terminal capture-pane -pe | sed -nE $'s/^(.*[ m])'"$1"$'(\e.*)?$/\\1/p' | head -n 1 |
		grep -oE $'\e''\[[0-9;]*m' | grep -oE '[0-9]+' | grep -E '^(0|3[0-79])$' |
		tail -n 1 | sed 's/^0$/39/' | grep . || echo 39
}

# name_is COLOUR NAME
name_is() {
	[ "$(colour_of "$2")" = "$1" ]
}

# program: set module to a made-up one that samples functions of a program
program() {
	mkdir made
	bash "$programs_bash" "$PWD/made"
	module=user=$PWD/made/pie,$(cat made/pie.id),$(cut -d ' ' -f 2 made/pie.places | paste -sd ,)
}

# still SECONDS: check that the screen does not change
still() {
	screen > one
	sleep "$1"
	screen | cmp -s one -
}

keys() {
	terminal send-keys "$@"
}

# text as it is, which keys() takes for the name of a key in places
types() {
	terminal send-keys -l "$1"
}

# the process of the program, not of its shell
process() {
	pgrep -f "^$fake " --parent "$(terminal display -p '#{pane_pid}')"
}

given_back() { # EXIT-CODE
	shows "^ended by $1\$"
	shows '^before it$'
	[ "$(terminal display -p '#{alternate_on} #{cursor_flag}')" = '0 1' ]
	cmp before after
}
