#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl top in a terminal, which is tmux, with a made-up module (fake.c): its screen,
# its keys, and that it restores the terminal however it ends. Debian packages: tmux,
# xz-utils.

bats_require_minimum_version 1.5.0

load terminal.bash

@test "at 80x24 it shows the hottest functions and their course" {
	on 80x24 0 top -d 100ms
	shows 'vfs_write$'
	shows '^    3\.00    3\.00  .*█  tun_chr_write \[tun\]$'
	shows '^       -   1[0-9]\.[0-9]{2}  .*█.*  do_syscall_64$'
	shows '  a_function_with_a_name_that_is_longer_than…$'
	shows '^flamectl top  box\?\[31m  Linux 6\.1\.0-42-amd64  4 CPUs  1000 Hz  [0-9]+\.[0-9] s    running$'
	shows '^ q quit .* \? help$'
	screen > seen
	[ "$(wc -l < seen)" -eq 24 ]
	run ! grep -q do_idle seen
	run ! grep -qE '.{81}' seen
	keys i
	shows '^   7[0-9]\.[0-9]{2}   7[0-9]\.[0-9]{2}  .*do_idle'
}

@test "names do not control the terminal" {
	on 200x50 0 top -d 100ms
	terminal pipe-pane 'cat > raw'
	shows '��\?c$'
	keys b
	shows '  \?\[31mred\?\]0;owned\?$'
	keys 2
	shows '^ .*▸ \?gpj'
	screen | python3 "$harmless_py"
	[ "$(terminal display -p '#{pane_title}')" != owned ]
	within_a_minute env LC_ALL=C grep -qaF ']0;owned' raw
	run ! env LC_ALL=C grep -qaE $'\e''\]0|\xc2\x9b|\xff\xfe|'$'\xe2\x80\xae|\e\\[31mred' raw
}

@test "keys change the page, the rows and the order" {
	on 80x24 0 top -d 100ms
	shows ' vfs_read$'
	keys s
	shows '^   [ 0-9.]{5}   1.*  FUNCTION$|^       -   1[0-9.]+  .* asm_entry$'
	within_a_minute line_on_screen 6 '  asm_entry$'
	keys b
	shows '  by comm$'
	shows '  iperf3$'
	keys 2
	shows '  ▸ iperf3$'
	keys b b
	shows '  by context$'
	keys b
	shows '  by pid$'
	shows '  ▸ pid [0-9]+$'
	keys b
	shows '  by module$'
	shows '  ▸ \[tun\]$'
	keys b
	shows '  ▸ asm_entry$'
	keys Right
	shows '      ▸ ksys_read$'
	keys Left
	shows '  ▸ asm_entry$'
	keys 3
	shows '^  0 +[1-9][0-9.]+ +- '
	within_a_minute nr_on_screen 4 '^  [0-3]  '
	line_on_screen 5 '^  CPU +BUSY% +USER% +KERNEL% +SOFT% +HARD% +LOST%  LAST INTERVALS *$'
	line_on_screen 6 '^  0 .*  [▁▂▃▄▅▆▇█]+$'
	keys Tab
	shows 'FUNCTION$'
	keys '?'
	shows '^    w  *write a flame graph of what is seen$'
	not_on_screen FUNCTION
	keys x
	shows ' tcp_v4_rcv$'
	on_screen FUNCTION
}

@test "rows are at first as requested, in our words or perf's" {
	local words
	for words in '--by pid' '-s pid'; do
		# shellcheck disable=SC2086 # words
		on 80x24 0 top -d 100ms $words
		shows '  PID$'
		shows '  pid [0-9]+$'
		terminal kill-server
	done
	on 80x24 0 top -d 100ms --sort comm
	shows '  iperf3$'
	terminal kill-server
	on 80x24 0 top -d 100ms --sort symbol
	shows ' vfs_read$'
}

@test "rows may be of several levels, each a column" {
	local words
	for words in '--by pid,comm,module,function' '--sort pid,comm,dso,symbol'; do
		# shellcheck disable=SC2086 # words
		on 80x24 0 top -d 100ms $words
		within_a_minute line_on_screen 4 '  by pid,comm,module,function *$'
		within_a_minute line_on_screen 5 '^   SELF%  TOTAL%  PID +COMM +MODULE +FUNCTION *$'
		shows '^ +3\.00 +3\.00  2 +iperf3 +\[tun\] +tun_chr_write …?'
		shows '^ +[0-9.]+ +[0-9.]+  1 +cat +\[kernel\] +copy_page_to_…?'
		shows '^ +[0-9.]+ +[0-9.]+  3 +.\[31mred\S* +\[user\] +\[user\]'
		shows '^ +0\.13 +0\.13  \[lost: overload\]'
		run ! grep -qE '.{81}' <(screen)
		terminal kill-server
	done
	# a column starts at the same place in all rows, and wider screens have wider columns
	on 160x24 0 top -d 100ms --by comm,module,function
	within_a_minute line_on_screen 5 '  LAST INTERVALS +COMM +MODULE +FUNCTION *$'
	shows '  iperf3           \[kernel\]          tcp_v4_rcv$'
	shows '  worker           \[kernel\]          a_function_with_a_name_[a-z_]*'
	keys / t u n Enter
	within_a_minute not_on_screen tcp_v4_rcv
	shows '  iperf3           \[tun\]             tun_chr_write \[tun\]$'
	keys Escape b
	shows '  by function$'
	# the tree has them as its levels
	keys b b b b b b 2
	shows '  ▸ iperf3$'
	keys Right
	shows '    ▾ \[kernel\]$'
	terminal resize-window -x 40 -y 10
	keys 1
	within_a_minute line_on_screen 5 '^   SELF%  TOTAL%  C'
	run ! grep -qE '.{41}' <(screen)
	terminal resize-window -x 10 -y 4
	sleep 0.3
	terminal resize-window -x 160 -y 24
	shows '  iperf3           \[kernel\]          tcp_v4_rcv$'
	keys q
	given_back 0
	terminal kill-server
	on 80x24 0 top -d 100ms --by module
	shows '  MODULE$'
	shows '  \[tun\]$'
	shows '  \[kernel\]$'
}

@test "functions of programs have names, a colour, and the program as their module" {
	local module
	program
	on 120x40 "$module" top -d 100ms
	shows '^    2\.50    4\.25  .*  mycrate::foo::bar$'
	shows '^       -    4\.25  .*  known_function$'
	name_is 32 mycrate::foo::bar
	name_is 32 known_function
	name_is 34 'tun_chr_write \[tun\]'
	name_is 39 do_syscall_64
	keys / k n o w Enter
	within_a_minute not_on_screen mycrate
	shows '  known_function$'
	keys Escape 2
	shows '  ▸ hidden_function$'
	name_is 32 hidden_function
	keys / f i n d _ e Enter
	shows '    ▾ \[truncated\]$'
	shows '  find_extent$'
	name_is 32 core::fmt::write
	name_is 39 find_extent
	terminal kill-server
	on 120x40 "$module" top -d 100ms --by module,function
	shows '^    2\.50    2\.50  .*  pie  .*  mycrate::foo::bar$'
	shows '  \[kernel\] .*  find_extent$'
	# a function without a name is a place, and has the same colour
	terminal kill-server
	on 120x40 user=/no/program,aa,1000 top -d 100ms
	shows '  program\+0x1000$'
	name_is 32 'program\+0x1000'
}

@test "one half of each stack may be shown alone" {
	local module
	program
	on 120x40 "$module" top -d 100ms --user
	shows '^    4\.25    4\.25  .*  mycrate::foo::bar$'
	shows '^   1[0-9.]+   1[0-9.]+  .*  \[kernel\]$'
	not_on_screen 'do_syscall_64|find_extent|\[truncated\]'
	terminal kill-server
	on 120x40 "$module" top -d 100ms --kernel
	shows '^    0\.50    0\.50  .*  find_extent$'
	# that of the program, and another process in user mode
	shows '^    5\.00    5\.00  .*  \[user\]$'
	not_on_screen 'mycrate|known_function'
}

@test "the keys that are shown are those that have an effect there" {
	on 80x24 0 top -d 100ms
	shows '^ q quit   / filter   b by   s sort   i idle   p pause   w svg   \? help$'
	keys 2
	shows '^ q quit   arrows open   / filter   b by   i idle   p pause   w svg   \? help$'
	keys 3
	shows '^ q quit   p pause   w svg   \? help$'
}

@test "typing filters, and can be undone" {
	on 80x24 0 top -d 100ms
	shows ' tcp_v4_rcv$'
	keys / F U T e x
	shows '  filter FUTex $|  filter FUTex$'
	shows ' futex_wait$'
	within_a_minute not_on_screen tcp_v4_rcv
	keys BSpace BSpace BSpace BSpace BSpace t c p
	shows ' tcp_v4_rcv$'
	# q is a letter here
	keys q Enter
	shows '^    nothing matches the filter: Esc removes it$'
	keys Escape
	shows ' futex_wait$'
}

@test "it has colours unless NO_COLOR is set" {
	for wish in unset empty set; do
		case $wish in
		unset) unset NO_COLOR ;;
		empty) export NO_COLOR= ;;
		set) export NO_COLOR=1 ;;
		esac
		on 80x24 0 top
		shows 'SELF%'
		if [ "$wish" = set ]; then
			run ! coloured
		else
			within_a_minute coloured
		fi
		terminal kill-server
	done
}

@test "a pause stops all changes" {
	on 80x24 0 top -d 100ms
	shows ' tcp_v4_rcv$'
	keys p
	shows ' paused$'
	# once all of it is drawn, five intervals change nothing
	within_a_minute still 0.1
	still 0.5
	keys p
	shows ' running$'
}

@test "it follows the size of the terminal" {
	on 200x50 0 top -d 100ms
	shows ' idle 7[0-9.]+ '
	shows '^.{37}█.*  a_function_with_a_name_that_is_longer_than_what_a_narrow_terminal_has_room_for$'
	terminal resize-window -x 60 -y 12
	shows '^   a|^.{18}.*  a_f[a-z_]*…$|tun_chr_write'
	run ! grep -qE '.{61}' <(screen)
	# figures are shown completely or not at all
	terminal resize-window -x 40 -y 10
	within_a_minute line_on_screen 1 '^flamectl top  box\?\[31m  Linux +running$'
	within_a_minute line_on_screen 2 '^  busy [0-9]+\.[0-9]{2}  user [0-9]+\.[0-9]{2}  kernel [0-9]+\.[0-9]{2}$'
	keys 3
	within_a_minute line_on_screen 5 '^  CPU +BUSY%   USER% KERNEL% *$'
	within_a_minute line_on_screen 6 '^  0  ( +([0-9]+\.[0-9]{2}|-)){3}$'
	terminal resize-window -x 66 -y 10
	within_a_minute line_on_screen 1 '4 CPUs  1… *running$'
	within_a_minute line_on_screen 6 '^  0  ( +([0-9]+\.[0-9]{2}|-)){6}$'
	keys 1
	terminal resize-window -x 10 -y 4
	sleep 0.3
	terminal resize-window -x 3 -y 2
	sleep 0.3
	keys 2
	sleep 0.2
	keys 3
	terminal resize-window -x 80 -y 24
	shows '^  0 +[1-9][0-9.]+ +- '
}

@test "it restores the terminal, however it ends" {
	local end
	for end in q C-c TERM:143 HUP:129 SEGV:139 ABRT:134; do
		rm -f before after
		on 80x24 0 top -d 100ms
		shows ' tcp_v4_rcv$'
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

@test "it reports a module that has gone, and leaves nothing else on the screen" {
	on 80x24 5 top -d 100ms
	given_back 3
	shows '^flamectl: cannot go on: the module is not loaded any more$'
}

@test "a module that does not sample is no error" {
	on 80x24 stopped top -d 100ms
	shows ' stopped$'
	shows '^    sampling is stopped: flamectl start starts it$'
}

@test "a selection leaves out rows, but shares are of the whole" {
	on 80x24 0 top -d 100ms --comm cat
	shows ' vfs_read$'
	run ! grep -q tcp_v4_rcv <(screen)
	shows '^       -    [0-9]\.[0-9]{2}  .*  vfs_read$|^       -   10.00'
}

@test "the rows can be written as a flame graph" {
	on 80x24 0 top -d 100ms -o seen.svg
	shows ' tcp_v4_rcv$'
	keys / v f s Enter w
	shows '^ written to seen\.svg$'
	grep -q '<title>vfs_read' seen.svg
	run ! grep -q '<title>tcp_v4_rcv' seen.svg
	grep -qF 'without idle time, only stacks with vfs' seen.svg
	keys q
	shows '^ended by 0$'
	terminal kill-server
	mkdir taken
	on 80x24 0 top -d 100ms -o taken
	shows ' tcp_v4_rcv$'
	keys w
	shows '^ cannot write taken: a directory$'
	keys q
	given_back 0
	terminal kill-server
	rm before after
	on 80x24 0 top -d 100ms -o /dev/full
	shows ' tcp_v4_rcv$'
	keys w
	shows '^ cannot write /dev/full: No space left on device$'
	keys q
	given_back 0
}

@test "on an ASCII terminal it uses ASCII only" {
	export LC_ALL=C
	on 80x24 0 top -d 100ms
	shows ' tcp_v4_rcv$'
	shows '^.{18}[ .=#-]+  \?\?\?_e\?$'
	LC_ALL=C run ! grep -qP '[^\n -~]' <(screen)
	keys 2 Right
	shows '^.{16}  - asm_entry$'
}

@test "without a terminal it says so" {
	run -1 --separate-stderr "$flamectl" top < /dev/null
	[ -z "$output" ]
	[ "$stderr" = 'flamectl: cannot show: standard output is not a terminal: flamectl report live prints where the time went as text' ]
	listen
	terminal new-session -d -x 100 -y 10 "$fake 0 top < /dev/null; TERM=none $fake 0 top; TERM=none $fake 1 top | cat; cat"
	shows '^flamectl: cannot show: standard input is not a terminal'
	shows '^flamectl: cannot show: there is no description of terminals of type none: set TERM to a known type$'
	shows '^flamectl: cannot show: standard output is not a terminal'
}

@test "options that make no sense are refused" {
	local i
	local -a lines=('-d 50ms: at least 100ms' '-d x: a duration'
		'-o -: standard output is the screen, so it cannot be the output file: name a file'
		'top takes no operand live' '--cpu x: '
		'cannot group by "uid": the levels are comm, pid, tid, cpu, context, host, module and function, with commas between, or none'
		'cannot group by "pid" twice: name each level once')
	local -a words=('-d 50ms' '-d x' '-o -' live '--cpu x' '--sort pid,uid' '--by pid,pid')
	for i in "${!lines[@]}"; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr "$flamectl" top ${words[i]}
		[ -z "$output" ]
		[[ ${stderr_lines[0]} = "flamectl: ${lines[i]}"* ]]
	done
}

@test "status says where time with interrupts off is not recognised" {
	run -0 "$fake" 0 status
	[[ $output != *irqs-off* ]]
	run -0 "$fake" unmarked status
	[[ $output == *$'\nirqs-off   not recognised: '*' irqchip.gicv3_pseudo_nmi=0'* ]]
	[ "$("$fake" 0 status --json | jq .irqs_off_marked)" = true ]
	[ "$("$fake" unmarked status --json | jq .irqs_off_marked)" = false ]
}

@test "if others leave no room to count an event, it shows what one of them counts" {
	on 100x24 attached top -d 100ms --event off-cpu
	shows '^flamectl top .*  off-cpu  [0-9]+\.[0-9] s '
	shows '^   66\.6[0-9]   66\.6[0-9]  .*\[sleeping\]$'
	keys q
	shows '^flamectl: another program counts this event: this shows what it counts, as long as it runs$'
	# they do not count this one
	run -1 --separate-stderr timeout 20 "$fake" attached top --event func:vfs_read
	[[ "${stderr_lines[0]}" = 'flamectl: cannot show: '* ]]
}

@test "with --event off-cpu it shows where tasks wait" {
	on 100x24 0 top -d 100ms --event off-cpu
	shows '^flamectl top .*  off-cpu  [0-9]+\.[0-9] s '
	shows '^  [0-9.]+ m?s of tasks, [0-9]+ intervals, lost 0 ns$'
	shows '^   66\.6[0-9]   66\.6[0-9]  .*\[sleeping\]$'
	keys 2
	shows '^  100\.00 .* asm_entry$'
	# it is of no CPU
	keys b b
	shows '  by context$'
	keys 3
	shows '  CONTEXT$'
	not_on_screen '3 CPUs'
	keys q
	run -2 --separate-stderr timeout 20 "$fake" 0 top --event waiting
	[[ "${stderr_lines[0]}" = 'flamectl: --event waiting: there is no such event: there are func:FUNCTION, '* ]]
}
