#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Every command that reads a profile reads every format, recognised by its content,
# and sums several files. Debian packages: jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 'cat 1/1 [000] 1.500000: cycles:' \
		$'\tffffffff81000010 vfs_read+0x10 ([kernel.kallsyms])' \
		$'\tffffffff81000020 ksys_read+0x20 ([kernel.kallsyms])' '' > perf-script
	printf '@[\n    vfs_read+149\n    ksys_read+95\n, cat]: 1\n' > bpftrace
	printf ' 0xffffffff81000010 : vfs_read+0x10/0x20 [kernel]\n 0xffffffff81000020 : ksys_read+0x20/0x30 [kernel]\n\t1\n' > stap
	printf 'cat;read;-;ksys_read;vfs_read 1\n' > bcc
	printf 'cat;ksys_read;vfs_read 1\n' > folded
	"$flamectl" import -o pprof folded
	formats=(perf-script bpftrace stap bcc folded pprof)
}

# reads COMMAND...: check that it reads each format, also gzip'd and from a pipe
reads() {
	local format
	for format in "${formats[@]}"; do
		echo "$format: $*"
		"$flamectl" "$@" "$format" > plain
		# a saved profile is gzip'd already
		gzip -cdf "$format" | gzip | "$flamectl" "$@" - > packed
		sed -i 's/stdin/FILE/g' packed
		sed "s/\b$format\b/FILE/g" plain | sed 's/stdin/FILE/g' | cmp - packed
		"$flamectl" "$@" --from "$format" "$format" | cmp - plain
		gzip -cdf plain | grep -qaE 'vfs_read|^all'
	done
}

@test "every command reads every format" {
	for command in "dump" "report" "report --flat" "report -g folded" "svg" "html" "merge" \
			"import" "export --to jsonl" "export --to folded" "export --to pprof" \
			"export --to speedscope" "export --to callgrind" "status"; do
		# shellcheck disable=SC2086 # words
		reads $command
	done
}

@test "two profiles of any formats are compared" {
	for format in "${formats[@]}"; do
		"$flamectl" diff --text --threshold 0 "$format" folded | grep -q 'vfs_read'
		"$flamectl" diff "$format" perf-script | grep -q '<svg'
	done
}

@test "several files are summed" {
	for command in "dump --comm-first" "report -g folded --comm-first" "export --to folded --comm-first"; do
		# shellcheck disable=SC2086 # words
		"$flamectl" $command perf-script bpftrace folded > got
		echo 'cat;ksys_read;vfs_read 3' | cmp - got
	done
	"$flamectl" svg folded bpftrace | grep -q '2 samples, 100.00 %<'
	"$flamectl" html perf-script bpftrace | grep -q '"vfs_read"'
	"$flamectl" status folded bpftrace | grep -q '^all  *read 2 = stored 2 '
	"$flamectl" import -o both.pb.gz folded bcc
	"$flamectl" status --json both.pb.gz | jq -e '.books.stored == 2'
	# messages say what cannot be summed, and name the file that cannot be read
	run -1 "$flamectl" report folded "$saved"
	[[ $output == 'flamectl: cannot read '*': the length of the periods of folded is not known: they cannot be summed with those of '*'; import it with -F HZ' ]]
	run -1 "$flamectl" report folded no-such-file
	[ "$output" = 'flamectl: cannot read no-such-file: No such file or directory' ]
	run -2 "$flamectl" svg --flamechart folded bcc
	[[ $output == 'flamectl: --flamechart works on one file, and 2 are named: '* ]]
}

@test "folded text is the same tree whether it is viewed or imported" {
	printf '%s\n' 'main 5' 'main;run 40' 'main;run;sleep 55' > own
	printf '%s\n' 'cat;pid 3;[task];vfs_read 4' 'dd;pid 4;[user];[user] 2' '[lost: overload] 3' > ours
	printf '%s\n' '<module> (a.py:1);f (a.py:3) 7' 'b;[idle];c 2' > foreign
	printf '%s\n' 'a;[user] 3' '[user] 4' '[idle];x 2' '[unknown] 1' '[unknown];y 3' > odd
	for text in own ours foreign odd; do
		echo "$text"
		"$flamectl" import -o saved "$text"
		if [ "$text" = ours ]; then
			"$flamectl" dump --by comm,pid,context saved | sort | diff <(sort ours) -
			continue
		fi
		"$flamectl" dump saved | sort | diff <(sort "$text") -
		"$flamectl" dump "$text" | sort | diff <(sort "$text") -
		for command in "report" "report --flat" "report --callers" "svg"; do
			# shellcheck disable=SC2086 # words
			"$flamectl" $command "$text" > plain
			# shellcheck disable=SC2086 # words
			"$flamectl" $command saved | cmp - plain
		done
	done
	[ "$("$flamectl" report --flat own | awk '$NF == "main" { print $5 }')" = 100 ]
	# the user says what the first frame is
	"$flamectl" export --to jsonl --comm-first own | jq -se 'map(select(.stack)) | map(.comm) | unique == ["main"]'
	"$flamectl" export --to jsonl --no-comm-first ours | jq -se 'map(select(.stack)) | all(.comm == "")'
	# it is not known to be a kernel's, and there are no books
	"$flamectl" svg own > graph
	run ! grep -E '>[^<]*(Kernel|periods|expected|missed)' graph
	"$flamectl" html own | grep -o '"title":"Profile"\|"books":null' | sort > got
	[ "$(cat got)" = $'"books":null\n"title":"Profile"' ]
}

@test "lines without a count are ignored and reported, unless most lines are so" {
	printf '# a comment\na;b 3\n\nnonsense\nc 4\r\n' > text
	run -0 --separate-stderr "$flamectl" report -g folded text
	[ "$output" = $'a;b 3\nc 4' ]
	[ "$stderr" = 'flamectl: text: ignored 1 of 3 lines, which have no count; the first is line 4' ]
	run -0 --separate-stderr "$flamectl" import -o saved text
	[ "$stderr" = 'flamectl: text: ignored 1 of 3 lines, which have no count; the first is line 4' ]
	[ "$("$flamectl" dump saved)" = $'a;b 3\nc 4' ]
	run -1 "$flamectl" svg --strict text
	[[ $output == 'flamectl: cannot read text: line 4 has no count: '* ]]
	sed -i '$d' text
	echo 'more nonsense' >> text
	run -1 "$flamectl" svg text
	[[ $output == 'flamectl: cannot read text: line 4 has no count: '*'; most lines are like that' ]]
}

@test "--from overrides the recognised format" {
	# the text of one tool that looks like that of another
	echo 'cat;a;-;b 1' > text
	[ "$("$flamectl" dump --from folded text)" = 'cat;a;-;b 1' ]
	[ "$("$flamectl" dump text)" = 'cat;a;b 1' ]
	run -1 "$flamectl" svg --from stap folded
	[[ $output == 'flamectl: cannot read folded: the stack that starts in line 1 has no count below it: '* ]]
	run -1 "$flamectl" svg --from folded pprof
	[ "$output" = 'flamectl: cannot read pprof: a pprof file, and not folded: leave out --from' ]
	run -2 "$flamectl" report --from xml folded
	[[ ${lines[0]} == 'flamectl: --from xml: there are pprof perf-data '* ]]
	run -1 "$flamectl" report --event cycles folded
	[ "$output" = 'flamectl: cannot read folded: --event is for perf-script, perf-report and pprof, not for folded' ]
}

@test "an event is chosen in every command" {
	{
		cat perf-script
		sed 's/cycles/instructions/; s/vfs_read/vfs_write/' perf-script
	} > two
	"$flamectl" report -g folded --event instructions two > got
	[ "$(cat got)" = 'cat;ksys_read;vfs_write 1' ]
}

@test "perf.data is read by perf script" {
	mkdir bin
	printf 'PERFILE2and more' > perf.data
	cat > bin/perf <<-'END'
	#!/bin/sh
	echo "$*" >> log
	[ ! -e fails ] || { echo 'incompatible file format' >&2; exit 3; }
	cat perf-script
	END
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH "$flamectl" dump perf.data > got
	echo 'cat;ksys_read;vfs_read 1' | cmp - got
	[ "$(cat log)" = '--no-pager script --header -F +pid -i perf.data' ]
	PATH=$PWD/bin:$PATH "$flamectl" svg - < perf.data | grep -q vfs_read
	PATH=$PWD/bin:$PATH "$flamectl" svg perf.data | grep -q vfs_read
	# perf's own message says why it failed; no file is left
	touch fails
	PATH=$PWD/bin:$PATH run -1 "$flamectl" import -o new perf.data
	[ "$output" = 'flamectl: cannot import perf.data: perf script failed with exit code 3: incompatible file format' ]
	[ ! -e new ]
	# perf ends when nobody reads its output any more
	printf '#!/bin/sh\nhead -c 1000000 /dev/zero\nexec sleep 1000\n' > bin/perf
	PATH=$PWD/bin:$PATH run -1 timeout 60 "$flamectl" report perf.data
	[[ $output == 'flamectl: cannot read perf.data: line 1 contains a NUL byte'* ]]
	rm bin/perf
	PATH=$PWD/bin run -1 "$flamectl" report perf.data
	[[ $output == *'perf script --header -F +pid -i perf.data > perf.txt'* ]]
	PATH=$PWD/bin run -1 "$flamectl" report - < <(cat perf.data)
	[[ $output == *'perf.data from a pipe: save it'* ]]
	gzip -k perf.data
	PATH=$PWD/bin run -1 "$flamectl" report perf.data.gz
	[[ $output == *'unpack it with gunzip'* ]]
}

@test "dump and status take files as all others do" {
	"$flamectl" dump "$saved" > got
	"$flamectl" dump -i "$saved" | cmp - got
	"$flamectl" status "$saved" > got
	"$flamectl" status -i "$saved" | cmp - got
	run -2 "$flamectl" dump --reset "$saved"
	[[ ${lines[0]} == "flamectl: --reset works only on the module's samples, not on a saved profile: "* ]]
}

@test "what another tool lost is not made up" {
	local view known='read 1 = stored 1 + filtered 0; what its tool lost is not known'
	for view in status report svg; do
		"$flamectl" $view perf-script > shown
		grep -qF "$known" shown
		run ! grep -E 'expected|fires|missed' shown
	done
	"$flamectl" html perf-script > shown
	grep -qF '"books":null' shown
}

@test "bcc's and the articles' idle loop is idle time" {
	printf 'swapper/0;-;cpu_idle 3\nbash;-;vfs_read 4\n' > "$BATS_TEST_TMPDIR/bcc.txt"
	run -0 "$flamectl" report --no-idle "$BATS_TEST_TMPDIR/bcc.txt"
	[[ $output = *vfs_read* && $output != *cpu_idle* ]]
}
