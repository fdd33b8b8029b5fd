#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Hostile files and names: only text reaches a terminal, output stays well-formed, and
# small files do not take much time or memory.
# hostile.py makes the files. Debian packages: python3, jq, golang-go.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	hostile_py=$(realpath tests/ctl/cli/hostile.py)
	harmless_py=$(realpath tests/ctl/cli/harmless.py)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
	# an escape sequence, a title, a C1 CSI in UTF-8 and alone, an override
	evil=$'e\e[31m\e]0;title\a\u009b1m\x9b1m\u202egpj\nexe'
}

make_hostile() { python3 "$hostile_py" "$1"; }

harmless() { python3 "$harmless_py"; }

# as a terminal sees it
on_terminal() {
	script -qec true /dev/null > /dev/null || skip "no terminal can be made here: is devpts mounted?"
	timeout 60 script -qec "${*@Q}" /dev/null < /dev/null
}

# refused MESSAGE ARGUMENT...: check for exit code 1 or 2 and harmless output
refused() {
	local message=$1 code=0
	shift
	"$flamectl" "$@" > out 2> err || code=$?
	[[ $code = [12] ]]
	[ ! -s out ]
	harmless < err
	head -n 1 err | grep -qF -e "flamectl: $message"
}

# bounded SECONDS MIB ARGUMENT...: run it with these limits of CPU time and memory
bounded() {
	local seconds=$1 mib=$2
	shift 2
	(ulimit -t "$seconds" -v "$((mib * 1024))"; exec "$flamectl" "$@")
}

@test "hostile names are folded, a line for each stack, to the same sum" {
	make_hostile names > names.pb
	"$flamectl" dump -i names.pb > folded
	harmless < folded
	nr=$(python3 -c "import runpy; print(len(runpy.run_path('$hostile_py')['HOSTILE']))")
	[ "$(wc -l < folded)" -eq "$nr" ]
	# no name is taken for a count, a loss or another frame
	run ! grep -vE '^[^;]+;[^;]+ 100$' folded
	run ! grep -F '[lost: ' folded
	"$flamectl" dump -i names.pb --by pid,comm | harmless
	# the output is read back, and written the same
	"$flamectl" svg folded > graph.svg
}

@test "go tool pprof reads hostile names, and its copy is the same" {
	make_hostile names > names.pb
	go tool pprof -top names.pb > top
	grep -qE 'of [0-9.]+m?s total' top
	go tool pprof -proto -output=again.pb.gz names.pb
	"$flamectl" dump -i names.pb > folded
	"$flamectl" dump -i again.pb.gz | cmp - folded
}

@test "hostile names are data of a page, not markup" {
	make_hostile names | gzip > names.pb.gz
	"$flamectl" html --title "$evil" names.pb.gz > page.html
	harmless < page.html
	python3 - <<-'END'
	import json, re
	page = open("page.html", encoding="ascii", errors="replace").read()
	# only the page's script and the data are script elements
	assert len(re.findall("(?i)<script", page)) == len(re.findall("(?i)</script", page)) == 2
	data = re.search('(?s)<script type="application/json" id="data">(.*?)</script>', page)[1]
	assert "<" not in data and len(json.loads(data)["names"]) > 30
	assert "http:" not in page.replace(data, "") and "https:" not in page.replace(data, "")
	END
}

@test "hostile names are drawn as text" {
	make_hostile names | gzip > names.pb.gz
	"$flamectl" svg --title "$evil" --subtitle "$evil" names.pb.gz > graph.svg
	harmless < graph.svg
	python3 - <<-'END'
	from xml.etree import ElementTree
	names = {e.tag.split("}")[1] for e in ElementTree.parse("graph.svg").iter()}
	assert names == {"svg", "title", "style", "defs", "pattern", "rect", "path", "g", "text", "script"}, names
	scripts = [e for e in ElementTree.parse("graph.svg").iter() if e.tag.endswith("}script")]
	assert len(scripts) == 1 and "pwned" not in scripts[0].text
	for e in ElementTree.parse("graph.svg").iter():
	    bad = [k for k in e.keys() if k.startswith("on") or "href" in k]
	    assert not bad, bad
	END
}

@test "status shows a hostile kernel harmlessly, JSON included" {
	make_hostile names > names.pb
	"$flamectl" status -i names.pb > text
	harmless < text
	grep -q '^host  *?\[31m<script>?$' text
	"$flamectl" status --json -i names.pb > json
	run ! env LC_ALL=C grep -aP '[^\n -~]' json
	[ "$(jq -r .host json)" = $'\e[31m<script>\u202e' ]
	jq -e '.books.stored == .books.fires' json
}

@test "no output controls a terminal" {
	make_hostile names | gzip > names.pb.gz
	make_hostile names > "$evil"
	export NO_COLOR=1
	for command in "dump -i names.pb.gz" "svg names.pb.gz" "status -i names.pb.gz" \
		"status --json -i names.pb.gz" "metrics names.pb.gz" "report --no-pager names.pb.gz" \
		"report --no-pager --flat names.pb.gz" "report --no-pager -g folded names.pb.gz" \
		"diff names.pb.gz names.pb.gz" "diff --text --threshold 0 names.pb.gz names.pb.gz"; do
		# shellcheck disable=SC2086 # words
		on_terminal "$flamectl" $command > seen
		harmless < seen
	done
	on_terminal "$flamectl" dump -i "$evil$evil" > seen || true
	harmless < seen
	grep -q 'No such file' seen
}

@test "messages quote hostile arguments harmlessly" {
	refused 'there is no command e?[31m?]0;title' "$evil"
	refused 'there is no command e?' help "$evil"
	refused 'there is no option -e?' "-$evil"
	refused 'unknown option --e?' dump "--$evil"
	refused 'unknown option -?' dump $'-\e'
	refused 'unknown option -' dump $'-\x9b'
	refused '-i e?' dump -i "$evil" x
	refused 'stop takes no operand e?' stop "$evil"
	refused '-i e?' status -i "$evil" x
	refused '--from e?' svg --from "$evil" x
	refused 'cannot group by "e?' svg --by "$evil"
	refused 'cannot group by "e?' dump --by "$evil"
	refused '--weight e?' dump --weight "$evil"
	refused '--width e?' svg --width "$evil"
	refused 'cannot read e?' report "$evil" "$evil"
	refused '--graph e?' report -g "$evil" x
	refused '--threshold e?' report --threshold "$evil" x
	refused 'cannot read e?' report "$evil"
	refused '-F e?' record -F "$evil"
	refused '-d e?' record -d "$evil"
	refused '-p e?' record -p "$evil"
	refused 'no setting e?' set "$evil=1"
	refused 'cpus=e?' set "cpus=$evil"
	refused 'hz=e?' start "hz=$evil"
	refused 'cannot read e?' svg "$evil"
	refused 'cannot dump: e?' dump -i "$evil"
	refused 'cannot write ' dump -i "$saved" -o "$evil/$evil"
	mkdir "$evil"
	refused 'cannot write e?' dump -i "$saved" -o "$evil"
	refused 'cannot write e?' svg -o "$evil" <(echo 'a 1')
	refused 'cannot read e?' svg "$evil"
	refused 'cannot dump: e?' dump -i "$evil"
}

@test "messages quote hostile files harmlessly" {
	printf 'a;b %s\n' "${evil%%$'\n'*}" > text
	refused 'cannot read text: line 1 has no count: it ends in "e?' svg text
	zcat "$saved" > plain
	LC_ALL=C sed "s/state=running/state=ru\x1b[1mg/" plain > state
	refused 'cannot dump: state: state=ru?[1mg is unknown' dump -i state
	LC_ALL=C sed "s/hz=1000/hz=1\x1b[1/" plain > hz
	refused 'cannot dump: hz: hz=1?[1: a whole number' dump -i hz
	LC_ALL=C sed "s/flamemod=1/flamemod=\x1b/" plain > layout
	refused 'cannot dump: layout: its layout is flamemod=?, this' dump -i layout
}

@test "a name that is too long to show leaves room for the reason" {
	long=$(printf '%0600d' 0)
	refused "cannot dump: 000" dump -i "$long"
	grep -q 'File name too long' err
	refused "cannot write 000" dump -i "$saved" -o "$long"
	grep -q 'File name too long' err
	refused "cannot read 000" svg "$long"
	grep -q 'File name too long' err
}

@test "doctor quotes a hostile module file harmlessly, and waits for no pipe" {
	export FLAMECTL_ROOT=$PWD/root
	mkdir -p root/proc/sys/kernel
	echo 6.1.0-42-amd64 > root/proc/sys/kernel/osrelease
	: > root/proc/modules
	printf 'vermagic=6.1\e]0;title\a\xc2\x9b1m SMP' > root/flamemod.ko
	"$flamectl" doctor > out || [ $? -eq 3 ]
	harmless < out
	grep -qF 'is for kernel 6.1?]0;title?' out
	rm root/flamemod.ko
	mkfifo root/flamemod.ko
	code=0
	timeout 20 "$flamectl" doctor > out || code=$?
	[ "$code" -eq 3 ]
	grep -q 'no flamemod.ko in' out
}

@test "a graph of more frames than can be drawn is refused with the remedy" {
	seq 1100000 | sed 's/$/ 1/; s/^/f/' > wide
	bounded 60 2000 svg --min-width 0 wide > graph.svg 2> err && false
	[ ! -s graph.svg ]
	grep -qx 'flamectl: cannot draw wide: more than 1048576 frames are wide enough: raise --min-width' err
	bounded 60 2000 svg wide > graph.svg
	tail -n 1 graph.svg | grep -qx '</svg>'
}

# Without a limit, each of these took more than a minute of CPU time, or all memory.
@test "small files that repeat a deep stack very often are refused" {
	make_hostile tower > tower.pb
	# some 10 kB when gzip'd
	[ "$(gzip -9c tower.pb | wc -c)" -lt 50000 ]
	bounded 100 3000 dump --by pid -i tower.pb > out 2> err && false
	[ ! -s out ]
	grep -qE 'tower.pb: the functions of its samples need more than|its stacks together have more than' err
}

@test "small files that repeat a long name are refused, or the name is cut" {
	make_hostile longnames > long.pb
	bounded 100 3000 dump --by pid -i long.pb > out 2> err && false
	grep -qF 'long.pb: the functions of its samples need more than 4 GiB' err
	make_hostile names > names.pb
	"$flamectl" dump -i names.pb > folded
	# 70000 bytes of one letter
	[ "$(wc -L < folded)" -lt 9000 ]
	grep -qE 'A{4000}…' folded
}

@test "small files of many types or CPUs are refused" {
	make_hostile types > types.pb
	bounded 20 1000 dump -i types.pb 2> err && false
	grep -qF 'types.pb: it has more than 64 sample types' err
	make_hostile cpus > cpus.pb
	bounded 20 1000 dump -i cpus.pb 2> err && false
	grep -qF 'cpus.pb: it has more than 8192 CPUs' err
}

@test "names that collide under known hashes cost no more than others" {
	make_hostile flood > flood.pb
	bounded 20 2000 dump -i flood.pb > folded
	grep -qx '.* 1' folded
}

@test "a signal leaves nothing half written" {
	for number in INT TERM HUP; do
		mkfifo "in.$number"
		# the output is written only when all is read; here a reader never takes all of it
		(trap - INT; exec "$flamectl" dump -i "in.$number" -o out.folded) 2> err &
		pid=$!
		exec 7> "in.$number"
		for ((try = 0; try < 200; try++)); do
			compgen -G '.out.folded.*' > /dev/null && break
			sleep 0.05
		done
		compgen -G '.out.folded.*'
		kill -"$number" $pid
		exec 7>&-
		wait $pid && false
		run ! compgen -G '.out.folded.*'
		[ ! -e out.folded ]
	done
}

@test "a file that replaces another has its mode, but not its set-user-ID bit" {
	echo old > out
	chmod 6755 out
	"$flamectl" dump -i "$saved" -o out
	[ "$(stat -c %a out)" = 755 ]
	grep -q '^cat;' out
}

@test "a link without a target is replaced, not followed" {
	ln -s elsewhere out
	"$flamectl" dump -i "$saved" -o out
	[ ! -L out ]
	[ ! -e elsewhere ]
	grep -q '^cat;' out
	ln -s loop loop
	refused 'cannot write loop: Too many levels' dump -i "$saved" -o loop
}

@test "impossible outputs are reported, and leave no file" {
	mkdir dir
	refused 'cannot write dir: a directory' dump -i "$saved" -o dir
	refused 'cannot write dir/: ' dump -i "$saved" -o dir/
	refused 'cannot write none/x: cannot create a file in its directory: No such file' dump -i "$saved" -o none/x
	refused 'cannot write dir: a directory' svg -o dir <(echo 'a 1')
	touch file
	refused 'cannot write file/x: ' dump -i "$saved" -o file/x
	[ "$(find . -mindepth 1 ! -name out ! -name err | sort | tr '\n' ' ')" = './dir ./file ' ]
}

@test "a full disk leaves nothing" {
	code=0
	(trap '' XFSZ; ulimit -f 0; "$flamectl" dump -i "$saved" -o graph 2>&1) > >(cat > said) || code=$?
	[ "$code" -eq 1 ]
	[ -z "$(find . -name '*graph*')" ]
	echo old > graph
	(trap '' XFSZ; ulimit -f 0; "$flamectl" svg "$saved" -o graph 2>&1) > >(cat > said) || code=$?
	[ "$(cat graph)" = old ]
	[ -z "$(find . -name '.graph*')" ]
}

@test "closed standard streams are errors, and no file gets their output" {
	code=0
	"$flamectl" dump -i "$saved" >&- 2> err || code=$?
	[ "$code" -eq 1 ]
	grep -qx 'flamectl: cannot write stdout: Bad file descriptor' err
	code=0
	"$flamectl" dump -i - <&- 2> err || code=$?
	[ "$code" -eq 1 ]
	grep -qx 'flamectl: cannot dump: stdin: Bad file descriptor' err
	# the first file that is opened does not take the stream's number
	code=0
	"$flamectl" dump -i - -o out <&- 2> err || code=$?
	[ "$code" -eq 1 ]
	grep -qx 'flamectl: cannot dump: stdin: Bad file descriptor' err
	# a message is dropped, and does not go into the file
	"$flamectl" dump -i "$saved" -o whole
	"$flamectl" dump -i "$saved" -o out >&- 2>&- <&-
	cmp out whole
	"$flamectl" dump -i nowhere -o out 2>&- && false
	cmp out whole
}
