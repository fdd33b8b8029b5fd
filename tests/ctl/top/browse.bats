#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl browse in a terminal, which is tmux: files of any format and the module's
# profile, keys, sizes of the terminal, and that it restores the terminal however it ends.
# Debian packages: tmux, xz-utils.

bats_require_minimum_version 1.5.0

load terminal.bash

# browsing SIZE ARGUMENT...
browsing() {
	local size=$1
	shift
	on "$size" 0 browse "$@"
}

crypt() {
	ln -sf "$BATS_TEST_DIRNAME/../articles/crypt.pb.gz" crypt.pb.gz
}

folded() {
	cat > stacks <<-'END'
	cat;entry;call;read;copy 30
	cat;entry;call;read;get;copy 5
	cat;entry;call;read 1
	dd;entry;call;write 20
	dd;entry;call;write;copy 4
	END
}

# the selected row, which is shown in reverse: an escape, then the row
on_row() {
	terminal capture-pane -pe | grep -aE $'^(\e\\[[0-9;]*m)*\e\\[[0-9;]*7[;m]' |
		sed $'s/\e\\[[0-9;]*m//g' | grep -aqE -- "$1"
}

selects() {
	within_a_minute on_row "$1"
}

@test "at 80x24 it shows a saved profile, its origin and its books" {
	crypt
	browsing 80x24 crypt.pb.gz
	shows '▸ swapper$'
	screen > seen
	[ "$(wc -l < seen)" -eq 24 ]
	grep -qx 'Kernel profile on lab, 6\.1\.0-56-amd64, 2026-11-24 *' seen
	line_on_screen 2 '^2 CPUs, 997 Hz, 6\.0 s'
	line_on_screen 3 '^  t tree   c callers   f list  .* 1/8$'
	line_on_screen 4 '^  TOTAL%   SELF%  PERIODS  CALL TREE *$'
	line_on_screen 5 '^   38\.41       -     4398  ▸ swapper$'
	line_on_screen 24 '^ periods: fires 4561 \+ missed 7395 = stored 11449 \+ filtered 507 \+ lost 0'
	run ! grep -qE '.{81}' seen
	selects '▸ swapper$'
	keys Right
	shows '^   36\.65       -     4196  ├─▸ secondary_startup_64_no_verify$'
	shows '^    1\.76       -      202  └─▸ secondary_startup_64_no_verify$'
	keys j Right
	shows '^   21\.09       -     2415  │ ├─▸ start_kernel$'
	shows '^   15\.56       -     1781  │ └─▸ start_secondary$'
	keys q
	given_back 0
}

@test "an event has no periods of a timer in its books" {
	"$fake" 0 record --wall -a -d 50ms -o wall.pb.gz 2> said
	browsing 80x24 wall.pb.gz
	shows '▸ cat *$'
	line_on_screen 24 '^ wall: seen 1\.00 s = stored 1\.00 s \+ filtered 0 ns \+ lost 0 ns'
	keys q
	given_back 0
}

@test "figures equal the report's" {
	crypt
	"$flamectl" report --threshold 0 --depth 1 crypt.pb.gz |
		sed -nE 's/^ *([0-9.]+) +[0-9.]+ +([0-9]+) +[0-9]+  [|`]-(.*)/\1 \2 \3/p' | sort > reported
	browsing 80x24 crypt.pb.gz
	shows '▸ swapper$'
	screen | sed -nE 's/^ +([0-9.]+) +- +([0-9]+)  ▸ (.*[^ ]) *$/\1 \2 \3/p' | sort > shown
	[ "$(wc -l < shown)" -eq 8 ]
	diff reported shown
	"$flamectl" report --flat --threshold 0 crypt.pb.gz | grep -v '^#' | head -n 15 |
		awk '{ print $1, $4, $3, $6 }' > reported
	keys f
	shows '  FUNCTION$'
	screen | sed -n '5,19p' | awk '{ print $1, $2, $3, $4 }' > shown
	diff reported shown
}

@test "keys walk, open, close and zoom" {
	folded
	browsing 80x24 stacks
	shows '▸ cat$'
	keys Right
	shows '^   60\.00       -       36  └─▾ entry$'
	shows '^   50\.00   50\.00       30    ├─  copy$'
	keys j j j
	selects '▾ read$'
	keys z
	shows 'f list   in read'
	not_on_screen 'entry$'
	line_on_screen 4 '▾ read$'
	shows '^   50\.00   50\.00       30  ├─  copy$'
	keys j j Right
	shows '▾ get$'
	keys Escape
	shows 'entry$'
	selects '▾ read$'
	keys Left Left
	selects '▾ call$'
	keys Home Enter
	within_a_minute not_on_screen 'entry$'
	keys End
	selects '▸ dd$'
	keys k
	selects '▸ cat$'
	# right on an open row zooms; left on the top row leaves the zoom
	keys Right Right
	shows 'f list   in cat'
	keys Left
	within_a_minute not_on_screen 'in cat'
	shows '▸ dd$'
}

@test "callers and the list show the same times in another order" {
	folded
	browsing 80x24 stacks
	shows '▸ cat$'
	keys c
	shows '^   65\.00       -       39  ▸ copy$'
	line_on_screen 3 'FUNCTION, THEN ITS CALLERS'
	keys Right
	shows '^   50\.00       -       30  ├─▸ read$'
	shows '^    6\.67       -        4  └─▸ write$'
	keys f
	shows '^   SELF%  TOTAL%  SELF SAMPLES  FUNCTION'
	shows '^   65\.00   65\.00            39  copy$'
	shows '^       -  100\.00             0  entry$'
	# Enter shows a function in the tree, n its next place
	keys Enter
	shows '/copy'
	selects '├─  copy$'
	keys n
	selects '  copy$'
	keys t
	shows 'CALL TREE'
}

@test "the list has functions, but no groups" {
	crypt
	browsing 80x24 --by comm,cpu,context crypt.pb.gz
	shows '▸ swapper$'
	keys f
	shows '^   SELF%  TOTAL%  SELF PERIODS  FUNCTION'
	screen > seen
	run ! grep -qE '  (swapper|cpu [01]|\[task\])$' seen
	# they equal those of a report without groups
	"$flamectl" report --flat --threshold 0 crypt.pb.gz | grep -v '^#' | head -n 15 |
		awk '{ print $1, $4, $3, $6 }' > reported
	sed -n '5,19p' seen | awk '{ print $1, $2, $3, $4 }' > shown
	diff reported shown
}

@test "searches find rows below closed ones, in the order of the rows" {
	folded
	browsing 80x24 stacks
	shows '▸ cat$'
	keys /
	types '^coP'
	keys BSpace
	types py
	keys Enter
	shows '^ /\^copy: 3 frames, 65\.00 % of all$'
	selects '├─  copy$'
	keys n n
	selects '^    6\.67'
	keys N
	selects '^    8\.33'
	# an incomplete regular expression is refused
	keys /
	types '('
	keys Enter
	shows '^ /\(: '
	keys / x y z Enter
	shows '^ /xyz: no frame matches$'
	keys / q Escape
	# q was a letter
	selects '^    8\.33'
	keys Escape n
	shows '^ nothing to go to: search with /$'
}

@test "the rows can be written as a flame graph" {
	crypt
	browsing 80x24 -o seen.svg crypt.pb.gz
	shows '▸ swapper$'
	keys w
	shows '^ written to seen\.svg$'
	"$flamectl" svg crypt.pb.gz > whole.svg
	weight() { sed -nE 's/^<g class=.* data-w="([0-9]+)">.*/\1/p' "$1" | head -n 1; }
	[ "$(weight seen.svg)" = "$(weight whole.svg)" ]
	grep -qF 'fires 4,561' seen.svg
	keys /
	types '^crypt_convert'
	keys Enter z
	shows 'f list   in crypt_convert'
	not_on_screen written
	keys w
	shows '^ written to seen\.svg$'
	grep -q '<title>crypt_convert' seen.svg
	run ! grep -q '<title>do_idle' seen.svg
	grep -qF 'crypt_convert [dm_crypt] alone' seen.svg
	[ "$(weight seen.svg)" -lt 3000 ]
	keys c
	shows 'FUNCTION, THEN ITS CALLERS'
	not_on_screen written
	keys w
	shows '^ written to seen\.svg$'
	grep -qF 'from functions to callers' seen.svg
	keys q
	given_back 0
	terminal kill-server
	mkdir taken
	browsing 80x24 -o taken crypt.pb.gz
	shows '▸ swapper$'
	keys w
	shows '^ cannot write taken: a directory$'
	# without a name the file's name has the date
	keys q
	terminal kill-server
	browsing 80x24 crypt.pb.gz
	shows '▸ swapper$'
	keys w
	shows '^ written to flamectl-browse-[0-9]{8}-[0-9]{6}\.svg$'
}

@test "the module's profile is read once" {
	browsing 80x24 live --no-idle
	shows '▸ iperf3$'
	line_on_screen 1 '^Kernel profile on box\?\[31m, 6\.1\.0-42-amd64'
	line_on_screen 2 '^4 CPUs, 1000 Hz, .*periods left out'
	screen > one
	sleep 0.5
	screen | cmp one -
	keys q
	given_back 0
}

@test "functions of programs have names, a colour, and the program as their module" {
	local module
	program
	timeout 60 "$fake" "$module" record -d 100ms -o saved.pb.gz
	for profile in live saved.pb.gz; do
		on 100x30 "$module" browse --no-idle --comm program $profile
		shows '▸ program$'
		keys Right
		shows '  ▾ mycrate::foo::bar$'
		name_is 32 known_function
		name_is 32 mycrate::foo::bar
		shows '├─  do_syscall_64$'
		name_is 39 do_syscall_64
		# searches find them in programs and below
		keys / ^ k n o w Enter
		shows '^ /\^know: 1 frame, [0-9.]+ % of all$'
		# the selected one is with its file
		selects "known_function  $PWD/made/pie\$"
		keys / f i n d _ e Enter
		selects '  find_extent$'
		not_on_screen made/pie
		keys f
		shows ' SELF%  TOTAL%  SELF PERIODS  FUNCTION'
		name_is 32 known_function
		name_is 39 find_extent
		keys c
		shows "▸ mycrate::foo::bar  $PWD/made/pie\$"
		# the selected row is in reverse
		keys End
		within_a_minute name_is 32 mycrate::foo::bar
		terminal kill-server
		on 100x30 "$module" browse --by module,comm $profile
		shows '▸ pie$'
		terminal kill-server
		on 100x30 "$module" browse --user --comm program $profile
		shows '▸ program$'
		keys Right
		shows '    mycrate::foo::bar$'
		not_on_screen do_syscall_64
		terminal kill-server
		on 100x30 "$module" browse --kernel --comm program $profile
		shows '▸ program$'
		keys Right
		shows '─  \[user\]$'
		shows '─[▸▾] \[truncated\]$'
		not_on_screen known_function
		terminal kill-server
	done
}

@test "any format is found by its content, several files are summed" {
	folded
	printf 'cat 7 [000] 1.0: cycles:\n\tffffffff81000010 vfs_read+0x10 ([kernel.kallsyms])\n\n' > script
	crypt
	browsing 80x24 script
	shows '  ▸ cat$'
	keys Right
	shows '└─  vfs_read$'
	terminal kill-server
	browsing 80x24 --by module,function crypt.pb.gz crypt.pb.gz
	shows '▸ \[kernel\]$'
	shows '▸ \[dm_crypt\]$'
	line_on_screen 24 'fires 9122'
	terminal kill-server
	browsing 80x24 --focus crypt_convert --comm 'kworker/*' crypt.pb.gz
	shows '▸ kworker/u4:3$'
	shows 'periods left out'
	keys Right
	shows '└─▾ crypt_convert \[dm_crypt\]$'
	terminal kill-server
	browsing 80x24 --sort cpu crypt.pb.gz
	shows '▸ cpu 0$'
}

@test "names do not control the terminal" {
	browsing 200x50 live
	shows '▸ \?gpj$'
	keys / g p j Enter Right
	shows '��\?c$'
	terminal pipe-pane 'cat > raw'
	keys c f t '?' x / red Enter
	shows '▸ \?\[31mred\?\]0;owned\?$'
	screen | python3 "$harmless_py"
	[ "$(terminal display -p '#{pane_title}')" != owned ]
	run ! env LC_ALL=C grep -qaE $'\e''\]0|\xc2\x9b|\xff\xfe|'$'\xe2\x80\xae|\e\\[31mred' raw
}

@test "it follows the size of the terminal" {
	crypt
	browsing 200x50 crypt.pb.gz
	shows '▸ swapper$'
	keys Right
	terminal resize-window -x 40 -y 10
	within_a_minute line_on_screen 2 '^  t tree   c callers   f list *$'
	within_a_minute line_on_screen 3 '^  TOTAL%   SELF%  CALL TREE *$'
	within_a_minute line_on_screen 5 '^   36\.65       -  ├─▸ secondary_sta'
	line_on_screen 10 '^ periods: fires 4561 \+ missed 7395 *$'
	run ! grep -qE '.{41}' <(screen)
	keys End
	selects '▸ kworker/0:2$'
	line_on_screen 9 '▸ kworker/0:2$'
	keys Home / h a l t Enter
	selects 'native_safe'
	# no line is too long
	terminal resize-window -x 10 -y 40
	within_a_minute line_on_screen 4 '^  TOTAL%'
	keys j k c f t
	terminal resize-window -x 3 -y 2
	sleep 0.3
	keys j c f t '?' x
	terminal resize-window -x 1 -y 1
	sleep 0.3
	terminal resize-window -x 80 -y 24
	shows '^  TOTAL%   SELF%  PERIODS  CALL TREE *$'
	selects 'schedule_idle$'
	keys h
	shows '^ / +search for a regular expression; n, N: next, previous$'
	keys x
	within_a_minute not_on_screen 'regular expression'
	keys q
	given_back 0
}

@test "it restores the terminal, however it ends" {
	local end
	crypt
	for end in q C-c TERM:143 HUP:129 SEGV:139; do
		rm -f before after
		browsing 80x24 crypt.pb.gz
		shows '▸ swapper$'
		if [[ $end = *:* ]]; then
			kill -"${end%:*}" "$(process)"
			given_back "${end#*:}"
		else
			keys "$end"
			given_back 0
		fi
		terminal kill-server
	done
}

@test "on an ASCII terminal it uses ASCII only" {
	export LC_ALL=C
	folded
	browsing 80x24 stacks
	shows '\+ cat$'
	keys Right
	shows '`-- entry$'
	shows '\|-  copy$'
	LC_ALL=C run ! grep -qP '[^\n -~]' <(screen)
}

@test "without a terminal it says so, and what to do" {
	folded
	run -1 --separate-stderr "$flamectl" browse stacks < /dev/null
	[ -z "$output" ]
	[ "$stderr" = 'flamectl: cannot browse: standard output is not a terminal: flamectl report FILE prints a profile as text' ]
	listen
	terminal new-session -d -x 120 -y 10 "$fake 0 browse stacks < /dev/null; TERM=none $fake 0 browse stacks; TERM=dumb $fake 0 browse stacks; cat"
	shows '^flamectl: cannot browse: standard input is not a terminal: flamectl report FILE prints'
	shows '^flamectl: cannot browse: there is no description of terminals of type none: set TERM to a known type$'
	shows '^flamectl: cannot browse: terminals of type dumb cannot move their cursor: set TERM, or use'
}

@test "unreadable input is an error before the screen changes" {
	folded
	crypt
	: > empty
	cp stacks drawn.svg
	listen
	terminal new-session -d -x 160 -y 20 "for file in empty nowhere 'stacks --no-idle' 'stacks --include nothing' 'drawn.svg -o drawn.svg'; do $fake 0 browse \$file 2>&1 | head -n 1; $fake 0 browse \$file; done; cat"
	shows '^flamectl: cannot read nowhere: No such file or directory'
	shows '^flamectl: cannot browse empty: it is empty: see what the program that was to write it reported$'
	shows '^flamectl: --no-idle works on saved profiles; stacks is folded text'
	shows '^flamectl: cannot browse stacks: nothing is selected$'
	shows '^flamectl: cannot write drawn\.svg: '
	run -2 --separate-stderr "$flamectl" browse
	[ "${stderr_lines[0]}" = 'flamectl: there is nothing to browse: name a file, or live for the module'"'"'s profile' ]
	run -2 --separate-stderr "$flamectl" browse -
	[ "${stderr_lines[0]}" = 'flamectl: -: standard input is the keyboard, so it cannot be a profile: name a file' ]
	run -2 --separate-stderr "$flamectl" browse -o - stacks
	[ "${stderr_lines[0]}" = 'flamectl: -o -: standard output is the screen, so it cannot be the output file: name a file' ]
	run -2 --separate-stderr "$flamectl" browse --by x stacks
	[[ ${stderr_lines[0]} = 'flamectl: cannot group by "x": the levels are '* ]]
	run -2 --separate-stderr "$flamectl" browse --weight x stacks
	[ "${stderr_lines[0]}" = 'flamectl: --weight x: must be periods or count; only flamectl import takes period, that of perf' ]
	run -2 --separate-stderr "$flamectl" report --tui stacks
	[ "${stderr_lines[0]}" = 'flamectl: --tui: flamectl browse FILE shows it in the terminal, flamectl html -o x.html FILE makes a page' ]
}
