#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# The module's current profile as the operand "live" of each view, with a made-up
# module (tests/ctl/top/fake.c) and without one; and messages of record.
# Debian packages: bsdutils (script), golang-go, jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	programs=$(realpath tests/ctl/cli/programs.bash)
	cd "$BATS_TEST_TMPDIR" || return
}

# 4 CPUs with 1000 periods each when it is opened, and again at the first look
@test "each view shows what the module has" {
	"$fake" 0 report live | grep -qx '# 100 % is 8000 periods'
	"$fake" 0 svg -o graph.svg live
	grep -q '^8,000 periods, 100.00 %' graph.svg
	"$fake" 0 html -o page.html live
	grep -qF '"total":8000}' page.html
	"$fake" 0 diff --text "$saved" live | grep -q copy_page_to_iter
	"$fake" 0 export --to folded live | awk '{ sum += $NF } END { exit sum != 8000 }'
	"$fake" 0 export --to speedscope -o speedscope.json live
	[ "$(jq '[.profiles[].weights[]] | add' speedscope.json)" -eq 8000000000 ]
}

@test "status reports for how long interrupts were kept off" {
	"$fake" 0 status > told
	grep -qxF 'pauses     half of the callbacks below 1.0 us, 99 % below 2.0 us, the longest 4.3 us' told
	grep -qxF '           at most 1.2 us for a swap of tables, 98.8 us to forget a module'"'"'s text' told
	"$fake" 0 status --json > told
	[ "$(python3 -c 'import json; p = json.load(open("told"))["pauses"]; print(sum(p.pop("callbacks")), sorted(p.items()))')" = \
		"100 [('callback_ns_max', 4321), ('forget_ns_max', 98765), ('swap_ns_max', 1234)]" ]
	"$flamectl" status -i "$saved" --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["pauses"] is None'
}

@test "a selection from it is reported like a selection from a file" {
	"$fake" 0 svg --comm cat live | grep -qE '[0-9,]+ periods left out as filtered'
	"$fake" 0 export --to jsonl --comm cat -o selected live
	[ "$(head -n 1 selected | jq '.books.filtered > 0')" = true ]
	"$fake" 0 html --comm cat live | grep -qE '"session":.*"[0-9,]+ periods left out"'
	run -2 --separate-stderr "$fake" 0 svg --flamechart live
	[ "${stderr_lines[0]}" = "flamectl: --flamechart works on folded text and on recordings with --slices; live is the module's profile, which does not keep the order of its stacks" ]
}

@test "the module's profile has no slices, and heat says how to get them" {
	run -2 --separate-stderr "$fake" 0 heat live
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = 'flamectl: the module keeps no slices of time: flamectl record --slices 1s -o FILE does, and heat draws FILE' ]
	timeout 60 "$fake" 0 record --slices 100ms -d 300ms -o live
	"$fake" 0 heat ./live | grep -q '<svg'
}

@test "one sample is counted in the singular" {
	printf 'a;b 1\nc;d 4\n' > folded
	"$flamectl" html --include d folded | grep -qF '"session":["1 sample left out"]'
	"$flamectl" svg --include d folded | grep -q '1 sample left out'
	"$flamectl" html --include b folded | grep -qF '"session":["4 samples left out"]'
	run -1 --separate-stderr "$flamectl" html --include e folded
	[ "${stderr_lines[0]}" = 'flamectl: no function matches e (--include)' ]
	[ "${stderr_lines[1]}" = 'flamectl: cannot show folded: there is no stack with a weight above 0, 5 samples left out' ]
}

@test "without a module no view creates a file" {
	for view in svg html report; do
		run -3 --separate-stderr "$flamectl" $view -o "$view.out" live
		[ "$stderr" = "flamectl: cannot read the module's profile: module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod)" ]
		[ ! -e $view.out ]
	done
	run -3 --separate-stderr "$flamectl" export --to folded -o export.out live
	[ "$stderr" = "flamectl: cannot export: the module's profile: module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod)" ]
	[ ! -e export.out ]
	run -3 --separate-stderr "$flamectl" diff -o diff.out "$saved" live
	[ ! -e diff.out ]
}

@test "a file of that name is ./live" {
	echo 'a;b 1' > live
	"$flamectl" svg ./live | grep -q '<svg'
	"$flamectl" html ./live | grep -qF '"total":1}'
}

@test "record takes perf's -a, -g and -F max, and answers --call-graph" {
	run -0 --separate-stderr timeout 60 "$fake" 0 record -a -g -F 1000 -d 50ms -o one
	[ -z "$output$stderr" ]
	"$flamectl" status -i one > /dev/null
	run -0 --separate-stderr timeout 60 "$fake" 0 record -ag --call-graph dwarf,8192 -d 50ms -o two
	[ "$stderr" = 'flamectl: --call-graph dwarf,8192: stacks are always sampled, the kernel'"'"'s by its own unwinder and those of programs by their unwind tables; --no-user-stacks leaves the latter out' ]
	"$flamectl" status -i two > /dev/null
	# the made-up module samples at another rate
	run -1 --separate-stderr timeout 60 "$fake" 0 record -F max -d 50ms -o three
	[[ $stderr = 'flamectl: cannot record: sampling already runs at 1000 Hz: '* ]]
}

@test "record has user stacks where they can be taken, and insists on them if asked to" {
	# without: recorded, and nothing is said
	run -0 --separate-stderr timeout 60 "$fake" stopped record -d 50ms -o without
	[ -z "$output$stderr" ]
	[ "$("$flamectl" status --json -i without | jq .settings.user_stacks)" = false ]
	run -0 --separate-stderr timeout 60 "$fake" stopped record --no-user-stacks -d 50ms -o without
	run -1 --separate-stderr timeout 60 "$fake" stopped record --user-stacks -d 50ms -o none
	[ "$stderr" = 'flamectl: cannot record: user-stacks: not on this machine' ]
	[ ! -e none ]
	# sampling that runs is shared as it is
	run -0 --separate-stderr timeout 60 "$fake" 0 record -d 50ms -o shared
	[ -z "$output$stderr" ]
	run -1 --separate-stderr timeout 60 "$fake" 0 record --user-stacks -d 50ms -o none
	[ "$stderr" = 'flamectl: cannot record: sampling already runs without user stacks: leave out --user-stacks to record as it runs, or flamectl stop first' ]
	[ ! -e none ]
}

@test "record --only keeps only the command" {
	run -2 --separate-stderr "$flamectl" record --only -d 1s
	[ "${stderr_lines[0]}" = 'flamectl: --only needs a command to record: flamectl record --only -- make' ]
	run -2 --separate-stderr "$flamectl" record --only -p 1 -- true
	[ "${stderr_lines[0]}" = 'flamectl: --only and -p cannot be combined: --only records the command, -p records other processes' ]
	local how
	for how in 0 stopped; do
		run -0 --separate-stderr timeout 60 "$fake" $how record --only -v -o "$how" -- sleep 0.1
		[[ ${stderr_lines[0]} =~ \ filtered\ by\ followed-only=1,\ [0-9]+\ lost:\ saved\ $how$ ]]
		"$flamectl" dump --by comm -i "$how" > folded
		[ "$(cut -d';' -f1 folded | sort -u | grep -v '^\[lost')" = iperf3 ]
		"$flamectl" status -i "$how" | grep -qxF 'followed   only the command, its threads and all that they created'
		"$flamectl" status -i "$how" --json > books
		[ "$(jq '.settings.followed_only and .books.fires + .books.missed == .books.stored + .books.filtered + ([.books.lost[]] | add)' books)" = true ]
	done
	timeout 60 "$fake" 0 record --only --slices 100ms -o slices -- sleep 0.3
	"$flamectl" dump --by comm -i slices | cut -d';' -f1 | sort -u | grep -v '^\[lost' | diff - <(echo iperf3)
	# a command that does not exist is not followed
	run -127 --separate-stderr timeout 60 "$fake" 0 record --only -o none -- /no/such/command
	[ ! -e none ]
}

@test "record prints as much as requested, on a terminal or not" {
	run -0 --separate-stderr timeout 60 "$fake" 0 record -d 50ms -o one
	[ -z "$output$stderr" ]
	run -0 --separate-stderr timeout 60 "$fake" 0 record -v -d 50ms -o two
	[ -z "$output" ]
	[[ ${stderr_lines[0]} =~ ^[0-9.]+\ s\ at\ 1000\ Hz,\ [0-9]+\ periods,\ [0-9]+\ lost:\ saved\ two$ ]]
	[[ ${stderr_lines[1]} =~ ^[0-9]+\ lost:\ overload:\ lower\ the\ rate,\ -F\ 500$ ]]
	[ ${#stderr_lines[@]} -eq 2 ]
	script -qec true /dev/null > /dev/null || skip "no terminal can be made here: is devpts mounted?"
	timeout 60 script -qec "${fake@Q} 0 record -d 50ms -o three" /dev/null < /dev/null | grep -q 'saved three'
	timeout 60 script -qec "${fake@Q} 0 record -q -d 50ms -o four" /dev/null < /dev/null > said
	[ ! -s said ]
	[ -s four ]
	run -1 --separate-stderr timeout 60 "$fake" 0 record -q -d 50ms -o none/five
	[[ $stderr = 'flamectl: cannot record: none/five: '* ]]
}

@test "record of a command that is not there, or cannot be run, exits as env does" {
	record() { timeout 60 "$fake" stopped record -o kept "$@"; }
	echo old > kept
	echo 'echo hello' > no-mode
	printf '#!/no/such/shell\n' > no-shell
	chmod +x no-shell
	mkdir directory
	for command in nosuch ./nosuch ./no-shell ''; do
		run -127 --separate-stderr env -- "$command"
		run -127 --separate-stderr record -- "$command"
		[[ $stderr = "flamectl: cannot record: cannot run $command: "* ]]
	done
	for command in ./no-mode ./directory kept/nosuch; do
		run -126 --separate-stderr env -- "$command"
		run -126 --separate-stderr record -- "$command"
		[[ $stderr = "flamectl: cannot record: cannot run $command: "* ]]
	done
	[ "$(cat kept)" = old ]
	run -7 record -- sh -c 'exit 7'
}

@test "the recorded command is the title, without control characters" {
	timeout 60 "$fake" 0 record -o run -- printf '\033[31m%s' 'a b'
	[ "$("$flamectl" status --json -i run | jq -r .origin.command)" = "printf '\\033[31m%s' 'a b'" ]
	"$flamectl" svg run > run.svg
	grep -qF "<title>printf '\\033[31m%s' 'a b' on box" run.svg
	"$flamectl" html run > run.html
	grep -qF "\"title\":\"printf '" run.html
	"$flamectl" svg --title mine run > mine.svg
	grep -qF '<title>mine</title>' mine.svg
	"$flamectl" report run | grep -qF "# printf '"
	"$flamectl" status -i run > told
	run -1 grep $'\033' told
	# two different commands give none
	timeout 60 "$fake" 0 record -o other -- true
	"$flamectl" merge -o both run other
	[ "$("$flamectl" status --json -i both | jq -r .origin.command)" = "" ]
}

@test "a process or command that cannot be sampled is refused, naming its CPU" {
	local cpu pid

	# the last CPU that this test may run on is made isolated
	cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
	"$fake" isolated=$cpu status > told
	grep -qxF "isolated   CPU $cpu is isolated (isolcpus=, nohz_full=) and not sampled: flamectl start -C all samples all CPUs" told
	"$fake" isolated=$cpu status --json > told
	[ "$(jq -c '[.isolated, .nr_isolated]' told)" = "[\"$cpu\",1]" ]
	taskset -c $cpu sleep 60 &
	pid=$!
	# wait until it has started
	for _ in $(seq 50); do [ "$(taskset -cp $pid | sed 's/.*: //')" != $cpu ] || break; sleep 0.1; done
	run -1 --separate-stderr "$fake" isolated=$cpu record -p $pid -d 1 -o x
	kill $pid
	[ "$stderr" = "flamectl: cannot record: pid $pid may only run on CPU $cpu, which is isolated and not sampled: flamectl stop, then -C $cpu samples it, -C all samples all CPUs" ]
	run -1 --separate-stderr taskset -c $cpu "$fake" isolated=$cpu record --only -o x -- touch ran
	[[ "$stderr" = "flamectl: cannot record: the command may only run on CPU $cpu, which is isolated"* ]]
	[ ! -e ran ]
	# this shell may also run elsewhere
	[ "$cpu" = 0 ] || timeout 60 "$fake" isolated=$cpu record -p $$ -d 0.1 -o x
	# without isolated CPUs all are sampled
	timeout 60 taskset -c $cpu "$fake" 0 record --only -o x -- touch ran
	[ -e ran ]
}

@test "record -C leaves sampling that runs as it is" {
	run -1 --separate-stderr "$fake" 0 record -C 1 -d 1 -o x
	[ "$stderr" = 'flamectl: cannot record: sampling already runs on all CPUs that are not isolated: leave out -C and draw with --cpu LIST, or flamectl stop first' ]
}

# program PATH: the made-up module that samples functions of a program at PATH
program() {
	echo "user=$1,$(cat made/pie.id),$(cut -d ' ' -f 2 made/pie.places | paste -sd ,)"
}

@test "functions of programs are named while the module is read" {
	local module inlined named='hidden_function;known_function;outer::inner::run;core::fmt::write;mycrate::foo::bar'
	mkdir made
	bash "$programs" "$PWD/made"
	module=$(program "$PWD/made/pie")
	run -0 --separate-stderr "$fake" "$module" dump
	[ -z "$stderr" ]
	grep -qxF "program;$named 200" <<< "$output"
	grep -qxF "program;$named;do_syscall_64 100" <<< "$output"
	run -0 --separate-stderr "$fake" "$module" dump --no-demangle
	grep -qxF 'program;hidden_function;known_function;_ZN5outer5inner3runEi;_ZN4core3fmt5write17h0123456789abcdefE;_RNvNtCs1234_7mycrate3foo3bar 200' <<< "$output"
	run -0 --separate-stderr "$fake" "$module" dump --no-names
	[ -z "$stderr" ]
	grep -qE '^program;pie\+0x[0-9a-f]+(;pie\+0x[0-9a-f]+){4} 200$' <<< "$output"
	for view in 'report -g folded' 'export --to folded' 'svg' 'html' 'diff --text saved'; do
		cp "$saved" saved
		# shellcheck disable=SC2086
		"$fake" "$module" $view live | grep -q 'outer::inner::run'
	done
	# with what is inlined into them, which sums to the same
	inlined="places=$PWD/made/inlined,$(cat made/inlined.id),$(sed -n 's/^mark_inner 0*//p' made/inlined.marks)"
	run -0 "$fake" "$inlined" dump
	grep -qxF 'program;outer 200' <<< "$output"
	run -0 "$fake" "$inlined" dump --inlines
	grep -qxF 'program;outer;deep::S::middle_[i];deep::S::inner_[i] 200' <<< "$output"
	grep -qxF 'program;outer;deep::S::middle_[i];deep::S::inner_[i];do_syscall_64 100' <<< "$output"
	for view in 'report -g folded' 'export --to folded'; do
		# shellcheck disable=SC2086
		"$fake" "$inlined" $view --inlines live | grep -q 'outer;deep::S::middle_\[i\];deep::S::inner_\[i\]'
	done
	# by places only
	run -1 --separate-stderr "$fake" "${inlined/places=/user=}" dump --inlines
	[ "$stderr" = 'flamectl: cannot dump: --inlines: the module counts functions of programs, not the places in them: flamectl start user-places=1, or flamectl record --inlines' ]
	# which is said before samples are deleted
	FAKE_TELLS=yes run -1 --separate-stderr "$fake" "${inlined/places=/user=}" dump --reset --inlines
	[[ $stderr = 'flamectl: cannot dump: --inlines: '* ]]
	FAKE_TELLS=yes run -0 --separate-stderr "$fake" "$inlined" dump --reset live
	[ "$stderr" = reset ]
	grep -qxF 'program;outer 200' <<< "$output"
	run -1 --separate-stderr "$fake" "${inlined/places=/user=}" record --inlines -d 0.1 -o x
	[ "$stderr" = 'flamectl: cannot record: sampling already runs without the setting user-places, which --inlines needs: leave out --inlines, or flamectl stop first' ]
	timeout 60 "$fake" "$inlined" record -q --inlines -d 0.1 -o places.pb.gz
	timeout 60 "$fake" "${inlined/places=/user=}" record -q -d 0.1 -o functions.pb.gz
	run -0 "$flamectl" dump places.pb.gz
	[[ $output = *'program;outer;deep::S::middle_[i];deep::S::inner_[i]'* ]]
	run -1 --separate-stderr "$flamectl" symbolize --inlines -o y.pb.gz functions.pb.gz
	[ "$stderr" = 'flamectl: cannot symbolize: functions.pb.gz: it has the functions of programs, not the places in them, by which --inlines looks: flamectl record --inlines keeps these' ]
	# and later, elsewhere
	timeout 60 "$fake" "$inlined" record -q --inlines --no-names -d 0.1 -o bare.pb.gz
	"$flamectl" symbolize --inlines -o named.pb.gz bare.pb.gz
	run -0 "$flamectl" dump named.pb.gz
	[[ $output = *'program;outer;deep::S::middle_[i];deep::S::inner_[i]'* ]]
	# in a colour of their own, which the legend has
	"$fake" "$module" svg live > graph.svg
	grep -qE '<g class="u[0-9]+" [^>]*><title>known_function' graph.svg
	grep -qE '<g class="k[0-9]+" [^>]*><title>do_syscall_64' graph.svg
	grep -A 30 'class="legend"' graph.svg | grep -q '>user<'
	# another build, and a file that is gone
	run -0 --separate-stderr "$fake" "user=$PWD/made/pie,$(cat made/other.id),1180" dump
	grep -qxF 'program;pie+0x1180 200' <<< "$output"
	[ "$stderr" = "flamectl: 1 of 1 user functions have no name: 1 in files whose build-id differs from what was sampled; all are in $PWD/made/pie" ]
	run -0 --separate-stderr "$fake" "user=$PWD/made/gone,aa,1180" dump
	grep -qxF 'program;gone+0x1180 200' <<< "$output"
	[ "$stderr" = "flamectl: 1 of 1 user functions have no name: 1 in files that are gone or cannot be read; all are in $PWD/made/gone" ]
}

@test "import and push name functions of programs in the module's profile" {
	local module port
	mkdir made
	bash "$programs" "$PWD/made"
	module=$(program "$PWD/made/pie")
	run -0 --separate-stderr "$fake" "$module" import -o named.pb.gz live
	[ -z "$stderr" ]
	"$flamectl" dump named.pb.gz | grep -qxF 'program;hidden_function;known_function;outer::inner::run;core::fmt::write;mycrate::foo::bar 200'
	"$fake" "$module" import --no-names -o bare.pb.gz live
	"$flamectl" dump bare.pb.gz | grep -q '^program;pie+0x'
	# a server that prints what it gets
	cat > server.py <<-'END'
		import gzip, http.server, sys
		class Handler(http.server.BaseHTTPRequestHandler):
		    def log_message(self, *args): pass
		    def do_POST(self):
		        body = self.rfile.read(int(self.headers["Content-Length"]))
		        sys.stdout.buffer.write(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
		        sys.stdout.flush()
		        self.send_response(200)
		        self.send_header("Content-Type", "application/x-protobuf")
		        self.send_header("Content-Length", "0")
		        self.end_headers()
		server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
		print(server.server_port, file=open("port", "w"), flush=True)
		server.timeout = 60
		server.handle_request()
	END
	for options in '' --no-names; do
		rm -f port
		mkfifo port
		timeout 60 python3 server.py > "got$options" 3>&- &
		read -r -t 20 port < port
		# shellcheck disable=SC2086
		FAKE_SINCE=1700000000 "$fake" "$module" push $options "otlp://127.0.0.1:$port" live
		wait $!
	done
	grep -qaF 'outer::inner::run' got
	run ! grep -qaF 'outer::inner::run' got--no-names
	grep -qaF 'pie+0x' got--no-names
}

@test "names of a file that cannot be compared are used, and that is said" {
	local places
	mkdir made
	bash "$programs" "$PWD/made"
	places=$(cut -d ' ' -f 2 made/no-id.places | paste -sd ,)
	run -0 --separate-stderr "$fake" "user=$PWD/made/no-id,-,$places" dump
	grep -q '^program;hidden_function;known_function;' <<< "$output"
	[ "$stderr" = "flamectl: names are those of a file as it is now, as it has no build-id that could be compared: $PWD/made/no-id" ]
	run -0 --separate-stderr "$fake" "user=$PWD/made/no-id,-,$places" report live
	[[ $stderr = *"no build-id that could be compared: $PWD/made/no-id" ]]
	timeout 60 "$fake" "user=$PWD/made/no-id,-,$places" record -v -o saved -- true 2> told
	grep -qF "no build-id that could be compared: $PWD/made/no-id" told
	run -0 --separate-stderr "$fake" "user=$PWD/made/pie,$(cat made/pie.id),1180" dump --any-fs
	! [[ $stderr = *compared* ]]
}

@test "functions of a program in a container are named while it runs" {
	local pid module named='hidden_function;known_function;outer::inner::run;core::fmt::write;mycrate::foo::bar'
	unshare -rm true || skip 'this user may not create namespaces'
	mkdir made inside
	bash "$programs" "$PWD/made"
	mkfifo ready
	unshare -rm sh -c 'mount -t tmpfs none inside && cp made/pie inside/program && echo > ready && exec sleep 60' &
	pid=$!
	read -r -t 20 < ready
	module=$(program "$PWD/inside/program")
	[ ! -e inside/program ]
	run -0 --separate-stderr "$fake" "user@$pid=${module#*=}" dump
	[ -z "$stderr" ]
	grep -qxF "program;$named 200" <<< "$output"
	# it is stopped before the recording ends
	timeout 60 "$fake" "user@$pid=${module#*=}" record -o named -- sh -c "sleep 1; kill $pid"
	"$flamectl" dump named | grep -q "^program;$named [0-9]"
	run -0 --separate-stderr "$fake" "user@$pid=${module#*=}" dump
	grep -qE '^program;program\+0x[0-9a-f]+(;program\+0x[0-9a-f]+){4} 200$' <<< "$output"
	[ "$stderr" = "flamectl: 5 of 5 user functions have no name: 5 in files that are gone or cannot be read; all are in $PWD/inside/program" ]
}

@test "a recording has the names of programs that are gone at its end, and their places" {
	local module places
	mkdir made
	bash "$programs" "$PWD/made"
	for slices in '' '--slices 100ms'; do
		cp made/pie gone
		module=$(program "$PWD/gone")
		# shellcheck disable=SC2086
		timeout 60 "$fake" "$module" record $slices -o named -- sh -c 'sleep 1; rm gone'
		[ ! -e gone ]
		"$flamectl" dump named | grep -q '^program;hidden_function;known_function;outer::inner::run;core::fmt::write;mycrate::foo::bar [0-9]'
		# the file has the build-id and the offsets, too
		cp made/pie gone
		timeout 60 "$fake" "$module" record --no-names -o bare -d 100ms
		"$flamectl" dump bare | grep -q '^program;gone+0x'
		"$flamectl" symbolize bare -o again
		"$flamectl" dump again | grep -q '^program;hidden_function;known_function;'
		for file in named bare; do
			zcat "$file" | grep -qaF "$(cat made/pie.id)"
		done
		rm gone
	done
	places=$(cut -d ' ' -f 2 made/pie.places)
	go tool pprof -symbolize=none -raw named > raw
	for place in $places; do
		grep -qE "0x1[0-9a-f]*$place " raw
	done
}

@test "where max-depth cut the kernel half of a stack is seen between the halves" {
	local module='user=/no/program,aa,1000,2000' stack
	stack='program;program+0x1000;program+0x2000;[truncated];find_extent 40'
	"$fake" "$module" dump --no-names > folded
	grep -qxF "$stack" folded
	timeout 60 "$fake" "$module" record --no-names -d 100ms -o saved.pb.gz
	"$flamectl" dump saved.pb.gz | grep -qF "${stack% *} "
	for file in folded saved.pb.gz; do
		"$flamectl" report --threshold 0 $file | grep -A 1 -F '[truncated]' |
			grep -qF 'find_extent'
		# the line is below the mark alone, and what is above it is the kernel's
		"$flamectl" svg $file > graph.svg
		[ "$(grep -A 1 -F '<title>[truncated]' graph.svg | grep -c 'class="meeting"')" = 1 ]
		grep -qE '<g class="k[0-9]+" [^>]*><title>find_extent' graph.svg
		[ "$(grep -A 1 -F '<title>find_ext' graph.svg | grep -c 'class="meeting"')" = 0 ]
		"$flamectl" svg --kernel $file | grep -qF '<title>[truncated]'
		"$flamectl" svg --user $file > graph.svg
		run ! grep -qF '<title>[truncated]' graph.svg
	done
	go tool pprof -symbolize=none -traces saved.pb.gz > traces
	grep -A 1 -F 'find_extent' traces | grep -qF '[truncated]'
}

@test "one half of the module's stacks" {
	local module='user=/no/program,aa,1000,2000'
	run -0 --separate-stderr "$fake" "$module" dump --no-names --user
	grep -qxF 'program;program+0x1000;program+0x2000 340' <<< "$output"
	grep -qxF 'cat;[kernel] 606' <<< "$output"
	grep -qE '^swapper;\[idle\] [0-9]+$' <<< "$output"
	[ "$(awk '{ sum += $NF } END { print sum }' <<< "$output")" -eq 8000 ]
	run -0 --separate-stderr "$fake" "$module" dump --no-names --kernel
	grep -qxF 'program;do_syscall_64 100' <<< "$output"
	grep -qxF 'program;[user] 200' <<< "$output"
	[ "$(awk '{ sum += $NF } END { print sum }' <<< "$output")" -eq 8000 ]
	# in slices, too
	timeout 60 "$fake" "$module" record --no-names --slices 100ms -d 300ms -o sliced
	"$flamectl" dump --kernel --range 0s,200ms sliced | grep -qE '^program;\[user\] [0-9]+$'
	"$flamectl" heat --user sliced | grep -q '<svg'
}
