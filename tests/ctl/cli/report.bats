#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl report: its figures agree with dump, svg and go tool pprof; outputs and pager;
# what is refused. saved.pb.gz is made_profile() of the unit tests.
# Debian packages: golang-go, less, python3, valgrind.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	hostile_py=$(realpath tests/ctl/cli/hostile.py)
	harmless_py=$(realpath tests/ctl/cli/harmless.py)
	stacks_py=$(realpath tests/bench/stacks.py)
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR
	unset PAGER LESS NO_COLOR
	export TERM=xterm
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
}

sum() { # of the weights of folded text
	awk '{ sum += $NF } END { print sum + 0 }'
}

# rows COLUMN: sum a column of the report
rows() {
	grep -v '^#' | awk -v column="$1" '{ sum += $column } END { print sum + 0 }'
}

refused() { # MESSAGE ARGUMENT...
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "flamectl: $message" ]
}

# as a terminal sees it
on_terminal() {
	script -qec true /dev/null > /dev/null || skip "no terminal can be made here: is devpts mounted?"
	timeout 60 script -qec "${*@Q}" /dev/null < /dev/null
}

@test "selves sum to what dump sums to" {
	total=$("$flamectl" dump -i "$saved" | sum)
	[ "$total" -eq 223 ]
	for threshold in 0 0.5 10 100; do
		[ "$("$flamectl" report --threshold $threshold "$saved" | rows 4)" -eq "$total" ]
		[ "$("$flamectl" report --flat --threshold $threshold "$saved" | rows 3)" -eq "$total" ]
		"$flamectl" report --callers --threshold $threshold "$saved" > callers
		grep -qx ' *100\.00 *223  all' callers
	done
	"$flamectl" report --flat --comm cat "$saved" > flat
	[ "$(rows 3 < flat)" -eq "$("$flamectl" dump --comm cat -i "$saved" | sum)" ]
	grep -qx '# 118 periods left out as filtered' flat
}

@test "every frame has the figures that it has in the graph" {
	"$flamectl" report --threshold 0 --by none "$saved" | grep -v '^#' |
		awk '{ print $3 }' | sort > reported
	"$flamectl" svg --min-width 0 --by none "$saved" |
		sed -nE 's/^<g class=.* data-w="([0-9]+)">.*/\1/p' | sort > drawn
	[ "$(wc -l < drawn)" -gt 10 ]
	diff reported drawn
}

@test "time is grouped by module and by function, with the same figures as the list" {
	# a group's own time is the sum of --flat's self times
	"$flamectl" report --by function --depth 1 --threshold 0 "$saved" |
		sed -n '/^#/d; s/^ *[0-9.]* *[0-9.]* *\([0-9]*\) *[0-9]*  [|`]-\(.*\)/\1 \2/p' | sort > grouped
	"$flamectl" report --flat --threshold 0 "$saved" | grep -v '^#' |
		awk '$3 { printf "%s ", $3; for (i = 6; i <= NF; i++) printf "%s%s", $i, i < NF ? " " : "\n" }' | sort > flat
	[ "$(wc -l < grouped)" -ge 10 ]
	diff grouped flat
	"$flamectl" dump --by module -i "$saved" > folded
	[ "$(sum < folded)" -eq 223 ]
	grep -qx '\[tun\];tun_read \[tun\] 3' folded
	grep -q '^\[kernel\];entry;do_syscall;vfs_read 105$' folded
	[ "$(grep '^\[user\];' folded | sum)" -eq 85 ]
	# lost periods belong to no known module
	[ "$(grep '^\[lost: ' folded | sum)" -eq 25 ]
	# perf's words for the same
	"$flamectl" report --by comm,module,function "$saved" > ours
	"$flamectl" report --sort comm,dso,symbol "$saved" | cmp - ours
	"$flamectl" report -s comm,dso,sym "$saved" | cmp - ours
	refused 'cannot group by "srcline": the levels are comm, pid, tid, cpu, context, host, cgroup, module and function, with commas between, or none' report --sort dso,srcline "$saved"
	refused 'cannot group a page by "module": the levels are comm, pid, tid, cpu, context, host and cgroup, with commas between, or none; its table is by function' html --by comm,module "$saved"
}

@test "objects of imported frames are modules, too" {
	cat > script <<-'END'
	cat 7 [000] 1.0: cycles:
		ffffffffa0000010 read_it+0x10 ([ext4])
		ffffffff81000010 entry+0x10 ([kernel.kallsyms])

	cat 7 [000] 2.0: cycles:
		ffffffff81000020 copy+0x10 ([kernel.kallsyms])

	cat 7 [000] 3.0: cycles:
		    7fff00001234 [unknown] ([vdso])

	cat 7 [000] 4.0: cycles:
		    7f0000001234 [unknown] (/usr/lib/libc.so.6)

	cat 7 [000] 5.0: cycles:
		    7f0000001234 main+0x1 (/usr/bin/cat)

	END
	"$flamectl" report -g folded --by module script | sed 's/;.* / /' | sort > modules
	printf '[%s] 1\n' ext4 kernel libc.so.6 user vdso | diff - modules
}

@test "folded lines are dump's, and can be folded again" {
	"$flamectl" report -g folded "$saved" > folded
	"$flamectl" dump -i "$saved" | cmp - folded
	# except for the order, which is that of the names before they were cleaned
	diff <(sort folded) <("$flamectl" report -g folded folded | sort)
	"$flamectl" report --callers -g folded --by none "$saved" > callers
	grep -qx 'vfs_read;do_syscall;entry 105' callers
	[ "$(sum < callers)" -eq 223 ]
	# reversed twice
	diff <("$flamectl" dump -i "$saved" --by none | "$flamectl" report -g folded | sort) <("$flamectl" report --callers -g folded callers | sort)
}

@test "the list has the order and the shares of go tool pprof" {
	go tool pprof -top -unit=ms -nodefraction=0 -nodecount=1000 "$saved" |
		sed '1,/flat%/d; s/ms//g; s/%//g' |
		awk '{ printf "%s %.1f %.1f %s %.1f", $1, $2, $3, $4, $5; for (i = 6; i <= NF; i++) printf " %s", $i; print "" }' > pprof
	"$flamectl" report --flat --threshold 0 "$saved" | grep -v '^#' |
		awk '{ printf "%s %.1f %.1f %s %.1f", $3, $1, $2, $5, $4; for (i = 6; i <= NF; i++) printf " %s", $i; print "" }' > ours
	[ "$(wc -l < ours)" -ge 12 ]
	diff <(cut -d ' ' -f 1,4,6- pprof) <(cut -d ' ' -f 1,4,6- ours)
	# to a tenth, because pprof rounds twice
	paste -d ' ' pprof ours | awk '
		{ for (i = 2; i <= 5; i += 3) {
			d = $i - $(i + NF / 2); if (d < -0.11 || d > 0.11) { print; bad = 1 } } }
		END { exit bad }'
}

@test "folded text, standard input and files are reported on" {
	printf 'sh;main;read 3\nsh;main 1\n' > folded
	"$flamectl" report folded > report
	grep -qx ' *75\.00 *75\.00 *3 *3  `-read' report
	"$flamectl" report < folded | cmp - report
	"$flamectl" report - < folded | cmp - report
	"$flamectl" report folded -o out
	cmp out report
	"$flamectl" report - < "$saved" | grep -q '^# periods: fires 165 '
}

@test "options that make no sense are refused" {
	refused '--threshold 101: give a share from 0 to 100 percent, such as 0.5, with at most four digits after the point' report --threshold 101 "$saved"
	refused '--depth 0: a whole number from 1 to 16384' report --depth 0 "$saved"
	refused '--graph dot: give tree or folded; of perf'\''s words, graph, caller, callee, count and period are accepted too' report -g dot "$saved"
	refused '--weight x: must be periods or count; only flamectl import takes period, that of perf' report --weight x "$saved"
	refused '--flat and --callers cannot be combined: leave out one of them' report --flat --callers "$saved"
	refused '--flat and --by cannot be combined: leave out one of them' report --flat --by cpu "$saved"
	refused '--graph folded has all stacks: --depth and --threshold are for the tree' report -g folded --depth 3 "$saved"
	echo 'a;b 1' > folded
	refused '--weight works on saved profiles; folded is folded text, whose stacks and weights cannot be changed: leave it out' report --weight count folded
	refused '--no-idle works on saved profiles; folded is folded text, whose stacks and weights cannot be changed: leave it out' report --no-idle folded
}

@test "bad input is an error, and leaves the existing file" {
	echo old > out
	echo 'a;b x' > bad
	run -1 --separate-stderr "$flamectl" report bad -o out
	[[ $stderr = 'flamectl: cannot read bad: line 1 has no count'* ]]
	run -1 --separate-stderr "$flamectl" report none
	[ "$stderr" = 'flamectl: cannot read none: No such file or directory' ]
	run -1 --separate-stderr "$flamectl" report --include nothing "$saved" -o out
	[ "${stderr_lines[0]}" = 'flamectl: no function matches nothing (--include)' ]
	[ "${stderr_lines[1]}" = "flamectl: cannot report on $saved: nothing is selected" ]
	run -1 --separate-stderr "$flamectl" report --flat /dev/null -o out
	[ "$stderr" = 'flamectl: cannot report on /dev/null: it is empty: see what the program that was to write it reported' ]
	[ "$(cat out)" = old ]
	run -1 --separate-stderr "$flamectl" report "$saved" -o /dev/full
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	run -1 bash -c '"$@" 2>&1 > /dev/full' - "$flamectl" report "$saved"
	[ "$output" = 'flamectl: cannot write stdout: No space left on device' ]
}

@test "in a pipe it is plain; on a terminal it has colours and a pager" {
	"$flamectl" report "$saved" > plain
	run ! grep -q $'\e' plain
	PAGER="sed 's/^/paged: /'" on_terminal "$flamectl" report "$saved" > seen
	grep -q '^paged: .*'$'\e''\[31m' seen
	NO_COLOR=1 PAGER="sed 's/^/paged: /'" on_terminal "$flamectl" report "$saved" > seen
	run ! grep -q $'\e' seen
	NO_COLOR='' PAGER="sed 's/^/paged: /'" on_terminal "$flamectl" report "$saved" | grep -q $'\e'
	# except for what the terminal adds
	sed 's/^paged: //; s/\r$//' seen | cmp - plain
	PAGER=false on_terminal "$flamectl" report --no-pager "$saved" > seen
	grep -q vfs_read seen
	PAGER='' on_terminal "$flamectl" report "$saved" > seen
	grep -q vfs_read seen
	PAGER="sed 's/^/paged: /'" on_terminal "$flamectl" report "$saved" -o out > seen
	[ ! -s seen ]
	cmp out plain
	# a file has no colours, even if stdout is a terminal
	run ! grep -q $'\e' out
}

@test "views read what record wrote, if they are given no input" {
	script -qec true /dev/null > /dev/null || skip "no terminal can be made here: is devpts mounted?"
	cp "$saved" flamemod.pb.gz
	for view in 'report -g folded' svg html; do
		# shellcheck disable=SC2086
		"$flamectl" $view flamemod.pb.gz > expected
		timeout 60 script -qec "'$flamectl' $view > seen" /dev/null
		cmp seen expected
		# what is piped in comes first
		# shellcheck disable=SC2086
		echo 'a;b 1' | "$flamectl" $view - > expected
		# shellcheck disable=SC2086
		echo 'a;b 1' | "$flamectl" $view > seen
		cmp seen expected
	done
}

@test "less is the pager, and ends at once if all fits" {
	on_terminal "$flamectl" report --comm cat "$saved" > seen
	grep -q vfs_read seen
	mkdir empty
	ln -s "$(command -v cat)" empty/cat
	PATH=$PWD/empty /usr/bin/timeout 60 /usr/bin/script -qec "'$flamectl' report '$saved'" /dev/null < /dev/null > seen
	grep -q vfs_read seen
}

@test "less shows colours, whatever the user's own options are" {
	for own in -iFX iFX -FrX --quit-if-one-screen; do
		LESS=$own PAGER=less on_terminal "$flamectl" report --comm cat "$saved" < /dev/null > seen
		grep -q $'\e''\[31m' seen
		run ! grep -q 'ESC' seen
	done
	LESS=-i PAGER='printf %s\\n "$LESS"; cat' on_terminal "$flamectl" report "$saved" > seen
	[ "$(head -n 1 seen)" = $'-R -i\r' ]
}

@test "a message comes without a pager" {
	for options in "" --flat --callers; do
		code=0
		# shellcheck disable=SC2086 # words
		PAGER='echo paged; cat' on_terminal "$flamectl" report $options --comm none "$saved" > seen || code=$?
		[ "$code" -eq 1 ]
		[ "$(cat seen)" = "$(printf '%s\r\n' 'flamectl: no comm matches none (--comm)' \
			"flamectl: cannot report on $saved: nothing is selected")" ]
	done
}

@test "a pager that ends early is no error; one that cannot be run is" {
	seq 100000 | sed 's/$/ 1/; s/^/f/' > wide
	PAGER='head -n 3' on_terminal "$flamectl" report --threshold 0 wide > seen
	[ "$(wc -l < seen)" -eq 3 ]
	code=0
	PAGER=/nonexistent/pager on_terminal "$flamectl" report "$saved" > seen || code=$?
	[ "$code" -eq 1 ]
	grep -qF 'flamectl: cannot run $PAGER: set it to another program, or use --no-pager' seen
}

@test "hostile names do not control the terminal, with or without a pager" {
	python3 "$hostile_py" names | gzip > names.pb.gz
	for options in "--threshold 0" --flat --callers "-g folded"; do
		# shellcheck disable=SC2086 # words
		"$flamectl" report $options names.pb.gz > report
		python3 "$harmless_py" < report
		# shellcheck disable=SC2086 # words
		NO_COLOR=1 PAGER='sed s/x/x/' on_terminal "$flamectl" report $options names.pb.gz > seen
		python3 "$harmless_py" < seen
	done
}

# Ten times as many stacks cost ten times as much, and a little more for look-ups in
# larger trees and tables.
@test "the cost of folded text is about linear" {
	instructions() { # STACKS
		python3 "$stacks_py" "$1" "$1" > "folded$1"
		valgrind --tool=callgrind --callgrind-out-file=callgrind.out \
			"$flamectl" report -g folded -o "out$1" "folded$1" 2> valgrind.log || return
		sed -n 's/.*Collected : //p' valgrind.log
	}
	local few many
	few=$(instructions 2000)
	many=$(instructions 20000)
	[ "$(wc -l < out20000)" -eq 20000 ]
	[ "$few" -gt 1000000 ]
	[ "$many" -lt $((few * 12)) ]
}

@test "-g takes the words of perf report" {
	local words
	"$flamectl" report "$saved" > tree
	"$flamectl" report --callers "$saved" > callers
	"$flamectl" report -g folded "$saved" > folded
	"$flamectl" report -g folded --weight count "$saved" > counts
	run ! cmp -s folded counts
	for words in tree graph caller graph,0.5,caller graph,0.5,caller,function,percent; do
		"$flamectl" report -g $words "$saved" | cmp tree
	done
	"$flamectl" report "$saved" -g | cmp tree
	"$flamectl" report -g --stdio -n --no-children "$saved" | cmp tree
	"$flamectl" report -g callee "$saved" | cmp callers
	"$flamectl" report --call-graph graph,0.5,callee "$saved" | cmp callers
	"$flamectl" report --stdio --no-children -n -g folded,0,caller,count -s comm "$saved" | cmp counts
	"$flamectl" report -g folded,0,caller,period "$saved" | cmp folded
	"$flamectl" report -g graph,20 "$saved" > high
	"$flamectl" report --threshold 20 "$saved" | cmp high
	run ! cmp -s tree high
	# folded text has counts anyway
	[ "$("$flamectl" report -g folded,0,caller,count <<< 'a;b 3')" = 'a;b 3' ]
}

@test "-g refuses perf's other words, and says what to type instead" {
	refused '--graph odd: give tree or folded; of perf'\''s words, graph, caller, callee, count and period are accepted too' report -g odd
	refused '--graph fractal: shares are of the total, not of the caller: use -g graph' report -g fractal
	refused '--graph flat: -g folded prints a line for each stack' report -g flat,caller
	refused '--graph none: --flat lists functions without stacks' report -g none
	refused '--graph address: a profile contains names, never addresses: leave it out' report -g caller,address
	refused '--graph folded prints all stacks: write 0 in place of a share, or leave it out' report -g folded,0.5
	refused '--graph percent: folded has weights: count or period' report -g folded,percent
	refused '--graph 7: the number of entries cannot be limited: limit the share with --threshold 1' report -g graph,0.5,7
}
