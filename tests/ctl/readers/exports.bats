#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Other programs read flamectl's exports: callgrind_annotate, go tool pprof and
# flamegraph.pl show the same shares as the folded text, and each format's grammar is
# checked. Debian packages: golang-go, jq, libdevel-nytprof-perl, python3, valgrind.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	firefox=$(realpath tests/ctl/readers/firefox.py)
	fake=$(realpath out/unit/fake)
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
	# recursion, direct and indirect; functions that are both roots and called; lost
	# periods; no two functions with the same share
	cat > folded <<-'END'
	cat;entry;walk;walk;walk;leaf 64
	cat;entry;walk;leaf 8
	cat;entry;walk;step;walk;step 300
	dd;walk 15
	dd;entry;read [ext4] 111
	dd;step;walk;leaf 33
	sh;main 500
	[lost: overload] 7
	END
	total=1038
	"$flamectl" import --comm-first -F 1000 -o made.pb.gz folded
}

# "WEIGHT NAME" of each function itself, and with all that it called; once a
# stack, however often it stands there
shares() { # self|total
	awk -v what="$1" '{
		weight = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, frames, ";")
		if (n > 1) first = 2; else first = 1	# below the comm
		if (what == "self") { sum[frames[n]] += weight; next }
		split("", seen)
		for (i = first; i <= n; i++)
			if (!(frames[i] in seen)) { seen[frames[i]] = 1; sum[frames[i]] += weight }
	} END { for (name in sum) print sum[name], name }' | sort -rn
}

# annotated: print callgrind_annotate's lines, without repeats of a recursion
annotated() { # OPTION...
	callgrind_annotate --threshold=100 "$@" out.callgrind |
		sed -nE "s/^ *([0-9,]+) .*\[(kernel|module|user|mark)\]:(.*)/\1 \3/p" |
		tr -d , | grep -vE "'[0-9]+$" | sort -rn
}

@test "callgrind_annotate: functions with all that they called" {
	"$flamectl" export --to callgrind -o out.callgrind made.pb.gz
	shares total < folded > expected
	echo "$total [all]" >> expected
	annotated --inclusive=yes > got
	diff <(sort expected) <(sort got)
}

@test "callgrind_annotate: functions themselves" {
	"$flamectl" export --to callgrind -o out.callgrind made.pb.gz
	# a recursive function's own cost is that of all its levels
	callgrind_annotate --threshold=100 out.callgrind |
		sed -nE "s/^ *([0-9,]+) .*\[(kernel|module|user|mark)\]:(.*)/\1 \3/p" | tr -d , |
		sed -E "s/'[0-9]+$//" |
		awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (name in sum) print sum[name] name }' > got
	shares self < folded | diff <(sort -) <(sort got)
	callgrind_annotate out.callgrind | grep -qE "^1,038 .*PROGRAM TOTALS"
}

@test "callgrind_annotate: who called what" {
	"$flamectl" export --to callgrind -o out.callgrind made.pb.gz
	callgrind_annotate --tree=caller --threshold=100 --inclusive=yes out.callgrind > got
	# of what walk did, by its callers
	awk '/\* .*\]:walk( |$)/ { print line; exit } { line = line $0 "\n" } /^$/ { line = "" }' got > callers
	grep -qE '^ *372 .*< \[kernel\]:entry ' callers
	grep -qE '^ *33 .*< \[kernel\]:step ' callers
	grep -qE '^ *15 .*< \[mark\]:\[all\] ' callers
}

@test "callgrind_annotate opens odd names, and totals are the books'" {
	"$flamectl" export --to callgrind -o out.callgrind "$saved"
	callgrind_annotate out.callgrind 2> err | grep -qE '^223 .*PROGRAM TOTALS'
	run ! grep -q WARNING err
}

@test "go tool pprof -top: the same order and shares" {
	"$flamectl" export --to pprof -o out.pb.gz made.pb.gz
	go tool pprof -top -unit=ms -nodefraction=0 out.pb.gz > top
	grep -q "of ${total}ms total" top
	# flat
	sed -nE 's/^ *([0-9]+)(ms)? +[0-9.]+% +[0-9.]+% +[0-9]+(ms)? +[0-9.]+% +(.*)/\1 \4/p' top |
		grep -v '^0 ' > got
	shares self < folded | diff - got
	# cumulative
	sed -nE 's/^ *[0-9]+(ms)? +[0-9.]+% +[0-9.]+% +([0-9]+)(ms)? +[0-9.]+% +(.*)/\2 \4/p' top > got
	shares total < folded | diff <(sort -) <(sort got)
}

@test "go tool pprof -top and flamectl report --flat are one list" {
	"$flamectl" export --to pprof -o out.pb.gz made.pb.gz
	"$flamectl" report --flat --threshold 0 made.pb.gz |
		sed -nE 's/^ +([0-9.]+) +([0-9.]+) +([0-9]+) +([0-9.]+) +([0-9]+)  (.*)/\3 \5 \1 \2 \4 \6/p' > ours
	go tool pprof -top -unit=ms -nodefraction=0 out.pb.gz |
		sed -nE 's/^ *([0-9]+)(ms)? +([0-9.]+)% +([0-9.]+)% +([0-9]+)(ms)? +([0-9.]+)% +(.*)/\1 \5 \3 \4 \7 \8/p' > theirs
	[ "$(wc -l < ours)" -eq "$(shares total < folded | wc -l)" ]
	# names in their order with what they took; shares to pprof's last digit
	diff <(cut -d' ' -f1,2,6- ours) <(cut -d' ' -f1,2,6- theirs)
	paste -d' ' <(cut -d' ' -f3-5 ours) <(cut -d' ' -f3-5 theirs) | awk '
		{ for (i = 1; i <= 3; i++) { off = $i - $(i + 3); if (off > 0.011 || off < -0.011) exit 1 } }'
}

# "WEIGHT NAME" of each frame of a graph, at its place
frames() {
	awk '{
		weight = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, frames, ";")
		path = ""
		sum["all"] += weight; name["all"] = "all"
		for (i = 1; i <= n; i++) {
			path = path ";" frames[i]
			sum[path] += weight; name[path] = frames[i]
		}
	} END { for (path in sum) print sum[path], name[path] }' | sort
}

@test "flamegraph.pl draws each frame, with its weight, and ignores nothing" {
	local by file flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
	for file in made.pb.gz "$saved"; do
		for by in comm none cpu,comm host,comm,pid,tid,cpu,context; do
			"$flamectl" export --to folded --by $by "$file" > lines
			perl $flamegraph --minwidth 0 lines > graph.svg 2> err
			sed -nE 's/.*<title>(.*) \(([0-9,]+) samples, [0-9.]+%\)<\/title>.*/\2 \1/p' graph.svg |
				tr -d , | sort > drawn
			frames < lines | diff - drawn
			run ! grep . err
		done
	done
	# it does report a line that it ignores
	echo 'a;b' >> lines
	perl $flamegraph lines 2>&1 > graph.svg | grep -q '^Ignored 1 lines'
}

@test "folded lines are of flamegraph.pl's grammar" {
	local by
	for by in comm none cpu,comm host,comm,pid,tid,cpu,context; do
		"$flamectl" export --to folded --by $by "$saved" > lines
		# a stack of frames without ';', a blank, a whole number, no second one
		run ! grep -vqE '^[^;]+(;[^;]+)* [0-9]+$' lines
		run ! grep -qE ' [0-9.]+ [0-9]+$' <(grep -vE '(pid|tid|cpu) [0-9]+ [0-9]+$' lines)
		[ "$(awk '{ sum += $NF } END { print sum }' lines)" -eq 223 ]
	done
}

@test "the Firefox Profiler's fields are there, and of their types" {
	local file by
	for file in made.pb.gz "$saved"; do
		for by in cpu tid none; do
			"$flamectl" export --to firefox --by $by "$file" > out
			python3 "$firefox" out
		done
	done
	"$flamectl" export --to firefox made.pb.gz > out
	jq -e "[.threads[].samples.weight | add] | add == $total" out
}

# A program's functions are in two halves of stacks, and in one whose kernel half was cut.
@test "programs and their functions are what each reader shows" {
	local id=43edbbde2f24e571118a6e3c78ea916c7cf13b1d by
	timeout 60 "$fake" "user=/opt/a program,$id,1000,2000" record --no-names -d 100ms -o mixed.pb.gz
	"$flamectl" dump mixed.pb.gz > mixed
	"$flamectl" export --to callgrind -o out.callgrind mixed.pb.gz
	callgrind_annotate --threshold=100 --inclusive=yes out.callgrind > got 2> err
	run ! grep . err
	[ "$(grep -cE '\[a program\]:a program\+0x[12]000 \[/opt/a program\]$' got)" -eq 2 ]
	grep -qE '\[kernel\]:find_extent \[kernel\]$' got
	for by in cpu tid none; do
		"$flamectl" export --to firefox --by $by mixed.pb.gz > out
		python3 "$firefox" out
	done
	[ "$(jq -r '.libs[].codeId' out)" = $id ]
	"$flamectl" export --to pprof -o out.pb.gz mixed.pb.gz
	go tool pprof -symbolize=none -raw out.pb.gz > raw
	grep -qE "^[0-9]+: 0x[0-9a-f]+/0x[0-9a-f]+/0x0 /opt/a program $id *$" raw
	go tool pprof -symbolize=none -top -unit=ms -nodefraction=0 out.pb.gz > top
	# functions without a name are one, the file, until pprof finds the file
	[ "$(sed -nE 's/.* ([0-9]+)ms +[0-9.]+% +\[a program\]$/\1/p' top)" = "$(shares total < mixed | sed -n 's/ a program+0x1000$//p')" ]
	# flamegraph.pl reads the user half below the kernel's, as stackcollapse-perf.pl writes it
	grep -qE '^program;a program\+0x1000;a program\+0x2000;do_syscall_64 [0-9]+$' mixed
	frames < mixed > expected
	perl /usr/share/perl5/Devel/NYTProf/flamegraph.pl --minwidth 0 mixed 2> err |
		sed -nE 's/.*<title>(.*) \(([0-9,]+) samples, [0-9.]+%\)<\/title>.*/\2 \1/p' | tr -d , |
		grep -F 'a program' | sort | diff <(grep -F 'a program' expected) -
}

@test "a file that the Firefox Profiler cannot read is detected" {
	local change
	timeout 60 "$fake" user=/opt/program,00ff,1000 record --no-names -d 100ms -o mixed.pb.gz
	"$flamectl" export --to firefox mixed.pb.gz > out
	for change in 'del(.meta.interval)' 'del(.meta.startTime)' '.meta.preprocessedProfileVersion = 59' \
			'del(.libs)' '.meta.categories[-1].color = "white"' 'del(.meta.categories[-1])' \
			'.meta.categories[0].subcategories = []' '.threads = []' \
			'del(.shared.stringArray[-1])' 'del(.shared.funcTable.isJS[0])' \
			'del(.shared.sources)' 'del(.shared.nativeSymbols.name)' \
			'.shared.funcTable.name[0] = null' '.shared.funcTable.resource[0] = 1000' \
			'.shared.frameTable.func[0] = 1000' '.shared.frameTable.category[0] = 7' \
			'.shared.frameTable.subcategory[0] = 1' '.shared.frameTable.subcategory[0] = null' \
			'.shared.stackTable.prefix[0] = 0' '.shared.stackTable.frame[0] = -1' \
			'.shared.stackTable.length += 1' '.threads[0].samples.stack[0] = 1000' \
			'.threads[0].samples.length += 1' '.threads[0].samples.weightType = "ns"' \
			'.threads[0].samples.time[0] = 1e9' '.threads[0].samples.weight[0] = "1"' \
			'.shared.resourceTable.lib[0] = 1' '.shared.resourceTable.lib[0] = null' \
			'.libs[0].breakpadId = "0"' 'del(.libs[0].arch)' \
			'.threads[0].pid = 0' 'del(.threads[0].tid)' 'del(.threads[0].markers.phase)'; do
		jq -a "$change" out > changed
		echo "$change"
		run -1 python3 "$firefox" changed
		[[ $output = *AssertionError* || $output = *KeyError* ]]
	done
}
