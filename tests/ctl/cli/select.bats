#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Selections from a profile: every command that shows one has the same options, and
# sums say what was left out. saved.pb.gz is made_profile() of the unit tests.
# Debian packages: python3, jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	hostile_py=$(realpath tests/ctl/cli/hostile.py)
	harmless_py=$(realpath tests/ctl/cli/harmless.py)
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
}

sum() { # of the weights of folded text
	awk '{ sum += $NF } END { print sum + 0 }'
}

# selected FOLDED OPTION...: check the sorted lines of dump, with | between them
selected() {
	local expected=$1
	shift
	run -0 --separate-stderr "$flamectl" dump -i "$saved" "$@"
	[ -z "$stderr" ]
	[ "$(tr '\n' '|' <<< "$output")" = "$expected" ]
}

refused() { # MESSAGE ARGUMENT...
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "flamectl: $message" ]
}

@test "dump shows what is selected" {
	selected 'cat;entry;do_syscall;vfs_read 105|' --include '^vfs_'
	selected 'cat;vfs_read 105|' --focus vfs_read
	selected 'a_b_;tun_read [tun] 3|cat;entry 105|' --include _read --cut entry
	selected 'a_b_;tun_read [tun] 3|' --focus tun_read --by comm --exclude vfs
	selected 'cat;entry;do_syscall;vfs_read 5|' --comm cat --cpu 3
	selected 'cat;entry;do_syscall;vfs_read 105|' --comm 'c?t' --path '^entry;.*(read|write)$'
	selected 'swapper/0;[idle] 1|' --context idle
	selected 'pid 10;entry;do_syscall;vfs_read 105|' --pid 11 --include entry --by pid
}

@test "time with interrupts off is a leaf, or part of its function" {
	printf 'dd;lock;unlock 3\ndd;lock;unlock;[irqs-off] 4\n' > folded
	run -0 --separate-stderr "$flamectl" report -g folded folded
	[ "$output" = $'dd;lock;unlock 3\ndd;lock;unlock;[irqs-off] 4' ]
	run -0 --separate-stderr "$flamectl" report -g folded --no-irqs-off folded
	[ "$output" = 'dd;lock;unlock 7' ]
	[ -z "$stderr" ]
	"$flamectl" import --comm-first folded -o saved
	run -0 --separate-stderr "$flamectl" dump -i saved --no-irqs-off --focus lock
	[ "$output" = 'dd;lock;unlock 7' ]
	run -0 --separate-stderr "$flamectl" dump -i saved --include irqs-off
	[ "$output" = 'dd;lock;unlock;[irqs-off] 4' ]
}

@test "the excess of late fires can be left out" {
	run -0 --separate-stderr "$flamectl" report -g folded --drop-late "$saved"
	[[ $output = *'cat;entry;do_syscall;vfs_read 71'* ]]
	[[ $output = *'swapper/0;[idle] 1'* ]]
	printf 'dd;lock;[irqs-off] 4\n' > folded
	run -2 --separate-stderr "$flamectl" report --drop-late folded
	[[ $stderr = *'--drop-late works on saved profiles; folded is folded text'* ]]
	"$flamectl" import --comm-first folded -o imported
	run -1 --separate-stderr "$flamectl" report --drop-late imported
	[[ $stderr = *"--drop-late: this profile is not flamemod's, and does not say what was late"* ]]
}

@test "lost periods stay if they may belong to the selection" {
	[ "$("$flamectl" dump -i "$saved" | grep -c '^\[lost')" -eq 5 ]
	[ "$("$flamectl" dump -i "$saved" --exclude vfs --cut entry | grep -c '^\[lost')" -eq 5 ]
	[ "$("$flamectl" dump -i "$saved" --cpu 3 | grep -c '^\[lost')" -eq 5 ]
	[ "$("$flamectl" dump -i "$saved" --cpu 0 | grep -c '^\[lost')" -eq 0 ]
	[ "$("$flamectl" dump -i "$saved" --comm cat | grep -c '^\[lost')" -eq 0 ]
	[ "$("$flamectl" dump -i "$saved" --exclude '^.lost' | sum)" -eq 198 ]
}

@test "a graph shows what was left out, and its books balance" {
	"$flamectl" svg --comm cat "$saved" > graph.svg
	grep -q 'data-total="105"' graph.svg
	# 223 were stored or lost, and 6 filtered before
	grep -q '>filtered 123<' graph.svg
	grep -q '>stored 105<' graph.svg
	grep -q '>118 periods left out as filtered<' graph.svg
	"$flamectl" svg --cut entry "$saved" > graph.svg
	run ! grep -q 'left out' graph.svg
}

@test "a page has only the selection, and shows what was left out" {
	"$flamectl" html --comm cat "$saved" > page.html
	grep -q '"total":105[,}]' page.html
	grep -q '"comms":\["cat"\]' page.html
	grep -q '"books":{"expected":[^}]*"stored":"105","filtered":"123"' page.html
	grep -q '"session":\[.*"118 periods left out"\]' page.html
	"$flamectl" dump -i "$saved" | "$flamectl" html --focus do_syscall > page.html
	grep -q '"session":\["[0-9]* samples left out"\]' page.html
	"$flamectl" html "$saved" > page.html
	run ! grep -q 'left out' page.html
}

@test "a page is grouped as requested" {
	"$flamectl" html "$saved" | grep -q '"pid":\[\],"tid":\[\].*"by":\["comm"\]'
	"$flamectl" html --by cpu,tid "$saved" | grep -q '"pid":\[\],"tid":\[[0-9].*"by":\["cpu","tid"\]'
	run -2 --separate-stderr "$flamectl" html --by comm,x "$saved"
	[[ ${stderr_lines[0]} = 'flamectl: cannot group by "x": the levels are '* ]]
	"$flamectl" dump -i "$saved" > folded
	run -2 --separate-stderr "$flamectl" html --by cpu folded
	[ "${stderr_lines[0]}" = "flamectl: --by works on saved profiles; folded is folded text, whose stacks and weights cannot be changed: leave it out" ]
}

@test "folded text gives the same graph as the profile it came from" {
	local select=(--focus do_syscall --exclude tun --cut vfs_read)
	"$flamectl" dump -i "$saved" --by none > folded
	"$flamectl" dump -i "$saved" --by none "${select[@]}" > selected
	"$flamectl" svg "${select[@]}" folded | grep -v 'left out' > one.svg
	"$flamectl" svg selected > other.svg
	sed -i '/<g class="foot"/,/<\/g>/d; s/^<svg .*//' one.svg other.svg
	# except for the first frame, which may be a comm
	sed -i -E 's/class="[tk][0-9]+"//; /class="key"/d' one.svg other.svg
	grep -q 'do_syscall' one.svg
	diff one.svg other.svg
}

@test "values that match nothing are reported, and the rest is shown" {
	run -0 --separate-stderr "$flamectl" dump -i "$saved" --comm cat,nosuchcomm --cut nosuchfn
	[ "$output" = 'cat;entry;do_syscall;vfs_read 105' ]
	[ "$stderr" = 'flamectl: no comm matches nosuchcomm (--comm); no function matches nosuchfn (--cut)' ]
	for command in 'svg' 'html' 'report --threshold 0' 'export --to folded' 'merge'; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr "$flamectl" $command --exclude nosuchfn "$saved"
		[ "$stderr" = 'flamectl: no function matches nosuchfn (--exclude)' ]
	done
	# one of two files has it
	echo 'a;nosuchfn 1' > folded
	run -0 --separate-stderr "$flamectl" diff --text --cut nosuchfn "$saved" folded
	[ -z "$stderr" ]
	run --separate-stderr "$flamectl" diff --text --cut absent "$saved" folded
	[ "$stderr" = 'flamectl: no function matches absent (--cut)' ]
}

@test "an empty selection is a failure, as in grep" {
	run -1 --separate-stderr "$flamectl" dump -i "$saved" --focus nosuchfn
	[ -z "$output" ]
	[ "$stderr" = $'flamectl: no function matches nosuchfn (--focus)\nflamectl: cannot dump: nothing is selected' ]
	run -1 --separate-stderr "$flamectl" report --path 'system_call.*sys_read' "$saved"
	[ "${stderr_lines[0]}" = 'flamectl: no stack matches system_call.*sys_read (--path)' ]
	# each matches something, but nothing matches both
	run -1 --separate-stderr "$flamectl" dump -i "$saved" --comm cat --context idle
	[ "$stderr" = 'flamectl: cannot dump: nothing is selected' ]
}

@test "bad selections are refused" {
	refused '--include x(: Unmatched ( or \(; it must be an extended regular expression, as for grep -E' dump --include 'x('
	refused '--exclude: REGEX is empty' svg --exclude '' folded
	refused '--path x(: Unmatched ( or \(; it must be an extended regular expression, as for grep -E' dump --path 'x('
	refused '--focus: FUNCTION is empty' dump --focus ''
	refused '--cpu 3-1: the larger number of a range comes last: 1-3' dump --cpu 3-1
	refused '--cpu 0,99999: there is no CPU 99999: the highest number is 65535' dump --cpu 0,99999
	refused '--cpu 0;1: a list such as 0-3,8 of CPUs from 0 to 65535' dump --cpu '0;1'
	refused '--pid x: a whole number from 0 to 4294967295' dump --pid 1,x
	refused '--comm: a value is missing before or after a comma' svg --comm a, folded
	refused '--context irq: the contexts are user, task, softirq, hardirq and idle' svg --context irq
	refused '--comm: NAME,... is missing' dump --comm
	refused '--no-idle=1: this option takes no value' dump --no-idle=1
	echo 'a;b 1' > folded
	refused '--cpu works on saved profiles; folded is folded text, whose stacks and weights cannot be changed: leave it out' svg --cpu 0 folded
	refused '--merge-threads works on saved profiles; folded is folded text, whose stacks and weights cannot be changed: leave it out' svg --merge-threads folded
}

@test "an empty selection cannot be drawn" {
	run -1 --separate-stderr "$flamectl" svg --comm none "$saved"
	[ -z "$output" ]
	[ "$stderr" = $'flamectl: no comm matches none (--comm)\n'"flamectl: cannot draw $saved: there is no stack with a weight above 0, 223 periods left out" ]
	run -1 --separate-stderr "$flamectl" html --comm none "$saved"
	[ -z "$output" ]
	[ "$stderr" = $'flamectl: no comm matches none (--comm)\n'"flamectl: cannot show $saved: there is no stack with a weight above 0, 223 periods left out" ]
}

@test "hostile names are selected by their bytes" {
	python3 "$hostile_py" names | gzip > names.pb.gz
	"$flamectl" dump -i names.pb.gz --include $'\x1b' --include '</script>' > folded
	[ "$(wc -l < folded)" -ge 2 ]
	python3 "$harmless_py" < folded
	"$flamectl" dump -i names.pb.gz --focus $'\xff\xfe\xc0\xaf' > folded
	[ "$(wc -l < folded)" -eq 1 ]
	run -2 --separate-stderr "$flamectl" dump --include $'\e]0;x\a('
	python3 "$harmless_py" <<< "$stderr"
}

@test "if no comm is known, --comm explains how folded text can have them" {
	local hint=': no comm is known here; if the first frames of folded text are commands, read or import it with --comm-first'
	printf 'cat;main;read 3\ndd;main;write 7\n' > folded
	"$flamectl" import -o folded.pb.gz folded
	run -1 --separate-stderr "$flamectl" report --comm cat folded.pb.gz
	[ "${stderr_lines[0]}" = "flamectl: no comm matches cat (--comm)$hint" ]
	run -1 --separate-stderr "$flamectl" dump --comm 'c*,dd' folded
	[ "${stderr_lines[0]}" = "flamectl: no comm matches c* (--comm); no comm matches dd (--comm)$hint" ]
	run -2 --separate-stderr "$flamectl" report --comm cat folded
	[ "${stderr_lines[0]}" = "flamectl: --comm works on saved profiles; folded is folded text: if its first frames are commands, add --comm-first" ]
	# the advice works
	[ "$("$flamectl" dump --comm-first --comm cat folded)" = 'cat;main;read 3' ]
	[ "$("$flamectl" report --comm-first --comm cat -g folded folded)" = 'cat;main;read 3' ]
	"$flamectl" import --comm-first -o comms.pb.gz folded
	[ "$("$flamectl" dump --comm cat comms.pb.gz)" = 'cat;main;read 3' ]
	# no advice if one of several files has comms, or for other options
	run -0 --separate-stderr "$flamectl" merge --comm cat,none -o sum.pb.gz folded.pb.gz comms.pb.gz
	[ "$stderr" = 'flamectl: no comm matches none (--comm)' ]
	run -1 --separate-stderr "$flamectl" dump --pid 5 folded.pb.gz
	[ "${stderr_lines[0]}" = 'flamectl: no process or thread is 5 (--pid)' ]
}

# halves EXPECTED FILE OPTION...: check the sorted lines of dump, with | between them
halves() {
	local expected=$1 file=$2
	shift 2
	run -0 --separate-stderr "$flamectl" dump "$@" "$file"
	[ -z "$stderr" ]
	[ "$(tr '\n' '|' <<< "$output")" = "$expected" ]
}

@test "one half of each stack can be selected, and the sum stays" {
	local kernel user
	cat > folded <<-'END'
		bash;_start;main;[unknown];read;entry_SYSCALL_64;vfs_read;[irqs-off] 3
		bash;_start;main;[truncated];entry_SYSCALL_64 9
		bash;_start;main 4
		bash;bash+0x2f;[user: fault] 8
		bash;[user] 7
		kworker;ret_from_fork;worker_thread 5
		swapper;cpu_startup_entry;do_idle 6
		[lost: overload] 2
	END
	kernel='[lost: overload] 2|bash;[truncated];entry_SYSCALL_64 9|bash;[user] 19|bash;entry_SYSCALL_64;vfs_read;[irqs-off] 3|kworker;ret_from_fork;worker_thread 5|swapper;cpu_startup_entry;do_idle 6|'
	user='[lost: overload] 2|bash;[user] 7|bash;_start;main 13|bash;_start;main;[unknown];read 3|bash;bash+0x2f;[user: fault] 8|kworker;[kernel] 5|swapper;[idle] 6|'
	run -0 --separate-stderr "$flamectl" report -g folded --kernel folded
	[ "$(tr '\n' '|' <<< "$output")" = "$kernel" ]
	run -0 --separate-stderr "$flamectl" report -g folded --user folded
	[ "$(tr '\n' '|' <<< "$output")" = "$user" ]
	# of the same as a profile
	"$flamectl" import --comm-first folded -o imported
	halves "$kernel" imported --kernel
	halves "$user" imported --user
	halves "$user" imported -U
	halves "$kernel" imported --kernel-stacks-only
	# other selections see whole stacks: what a program makes the kernel do
	halves 'bash;_start;main;[unknown];read 3|' imported --user --include vfs_read
	halves 'bash;entry_SYSCALL_64;vfs_read;[irqs-off] 3|' imported --kernel --path 'main.*vfs_read'
	for view in svg html 'report' 'export --to folded' 'merge' 'diff --text folded'; do
		# shellcheck disable=SC2086
		"$flamectl" $view --kernel imported > made
		[ -s made ]
	done
}

@test "a half that no stack has is reported, and both together leave nothing" {
	printf 'kworker;ret_from_fork;worker_thread 5\n' > folded
	run -0 --separate-stderr "$flamectl" report -g folded --user folded
	[ "$output" = 'kworker;[kernel] 5' ]
	[ "$stderr" = 'flamectl: no stack has user frames (--user)' ]
	printf 'bash;_start;main 5\nbash;[user] 1\n' > folded
	run -0 --separate-stderr "$flamectl" report -g folded --kernel folded
	[ "$output" = 'bash;[user] 6' ]
	[ "$stderr" = 'flamectl: no stack has kernel frames (--kernel)' ]
	refused '--kernel: the other half of stacks is selected, so that nothing would be left' dump --user --kernel folded
	refused '--user: the other half of stacks is selected, so that nothing would be left' svg --kernel --user folded
	# a name with a typing mistake is still reported with it
	run -1 --separate-stderr "$flamectl" dump --kernel --include nosuch "$saved"
	[[ $stderr = *'no function matches nosuch (--include)'* ]]
}
