#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# If writing a file fails, the old file stays, no temporary file is left, and the
# message says why: for each command that writes one. The module is made up
# (tests/ctl/top/fake.c). Debian packages: gcc, mount, util-linux.

bats_require_minimum_version 1.5.0

setup_file() {
	# a filesystem without hard links
	cc -shared -fPIC -o "$BATS_FILE_TMPDIR/linkless.so" -x c - <<-'END'
	#include <errno.h>
	int link(const char *from, const char *to)
	{
		(void)from, (void)to;
		errno = EPERM;
		return -1;
	}
	END
	cc -shared -fPIC -o "$BATS_FILE_TMPDIR/interrupt.so" -x c - <<-'END'
		#include <signal.h>
		/* all is written, and nothing has its name yet */
		int fsync(int fd) { (void)fd; return raise(SIGINT); }
	END
	timeout 60 out/unit/fake 0 record --slices 100ms -d 500ms -o "$BATS_FILE_TMPDIR/sliced.pb.gz"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	sliced=$BATS_FILE_TMPDIR/sliced.pb.gz
	folded=$BATS_FILE_TMPDIR/folded
	perf=$BATS_FILE_TMPDIR/perf bpftrace=$BATS_FILE_TMPDIR/bpftrace stap=$BATS_FILE_TMPDIR/stap
	echo 'a;b 1' > "$folded"
	printf 'cat 1 [000] 1.5: cycles:\n\tffff b (k)\n\n' > "$perf"
	printf '@[\n    b+1\n]: 1\n' > "$bpftrace"
	printf ' 0xff : b+0x1/0x2 [kernel]\n1\n' > "$stap"
	cd "$BATS_TEST_TMPDIR" || return
}

# writes WHAT OUTPUT: run the command of that line with -o OUTPUT
writers=(
	"dump -i SAVED"
	"svg SAVED" "svg FOLDED" "html SAVED" "html FOLDED" "report SAVED" "report --flat FOLDED"
	"heat SLICED"
	"diff SAVED SLICED" "diff --text SAVED SLICED"
	"merge SAVED SLICED" "metrics SAVED"
	"export --to speedscope SAVED" "export --to pprof SAVED" "export --to firefox SAVED"
	"export --to callgrind SAVED" "export --to folded SAVED" "export --to jsonl SAVED"
	"import --from folded FOLDED" "import --from pprof SAVED" "import --from perf-script PERF"
	"import --from bcc FOLDED" "import --from bpftrace BPFTRACE" "import --from stap STAP"
	"record -d 50ms" "record --slices 100ms -d 200ms"
)
# prints WHAT: run the command of that line, which prints to standard output
printers=(
	"--help" "--version" "help" "help svg" "record --help" "top --help" "doctor"
	"status -i SAVED" "status --json -i SAVED"
	"pages man" "pages man svg" "pages bash" "pages zsh" "pages fish" "pages table"
)
writes() {
	local words word program=$flamectl arguments=()
	read -ra words <<< "$1"
	for word in "${words[@]}"; do
		case $word in
		SAVED) word=$saved ;;
		SLICED) word=$sliced ;;
		FOLDED) word=$folded ;;
		PERF) word=$perf ;;
		BPFTRACE) word=$bpftrace ;;
		STAP) word=$stap ;;
		record) program=$fake ;;
		esac
		arguments+=("$word")
	done
	[ "$program" = "$flamectl" ] || arguments=(0 "${arguments[@]}")
	timeout 60 "$program" "${arguments[@]}" -o "$2" < /dev/null
}

# every WHAT STATUS MESSAGE: check that each command fails so, and leaves "kept"
every() {
	local output=$1 status=$2 message=$3 writer code
	for writer in "${writers[@]}"; do
		code=0
		writes "$writer" "$output" > out 2> err || code=$?
		echo "$writer: $code, $(cat err)"
		[ "$code" -eq "$status" ]
		grep -q "^flamectl: .*$message" err
		[ "$(wc -l < err)" -eq 1 ]
		[ ! -s out ]
	done
}

# mounted OPTIONS SCRIPT: run SCRIPT in a mount with these options, which one file fills
mounted() { # OPTIONS
	[ "$(id -u)" -eq 0 ] || skip "mounting needs root"
	mkdir there
	export -f writes every
	export flamectl fake saved sliced folded perf bpftrace stap
	unshare -m bash -euc "
		$(declare -p writers)
		mount -t tmpfs -o size=4k none there
		head -c 4096 /dev/zero > there/kept
		mount -o remount,$1 there
		$2
		[ \"\$(ls -A there)\" = kept ]
		head -c 4096 /dev/zero | cmp - there/kept"
}

@test "each of these commands writes a file when nothing goes wrong" {
	for writer in "${writers[@]}"; do
		writes "$writer" whole
		[ -s whole ]
		mv whole before
		# and in place of an existing one
		echo old > whole
		writes "$writer" whole
		run ! grep -qx old whole
		rm whole
	done
	[ "$(ls -A)" = before ]
}

@test "a device that is full" {
	every /dev/full 1 'No space left on device'
}

@test "a recording that cannot be saved is still in the module" {
	for options in "-d 50ms" "-d 200ms --slices 100ms"; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr timeout 60 "$fake" 0 record $options -o /dev/full
		[ "$stderr" = "flamectl: cannot record: cannot write /dev/full: No space left on device; the module still holds the samples: flamectl dump -o FILE or flamectl svg -o FILE live saves them elsewhere" ]
	done
}

@test "a recording does not follow another user's link that has the default name" {
	recorded() { timeout 60 "$fake" 0 record -d 50ms "$@"; }
	echo precious > target
	ln -s target flamemod.pb.gz
	# one's own link is followed
	recorded
	[ "$(cat target.old)" = precious ]
	[ "$EUID" = 0 ] || skip "only root can make another user's link"
	echo precious > target
	rm target.old
	chown -h 65534 flamemod.pb.gz
	run -1 --separate-stderr recorded
	[ "$stderr" = "flamectl: cannot record: flamemod.pb.gz is a link of user 65534, which may lead to any file: remove it, or name the output file" ]
	[ "$(cat target)" = precious ]
	[ ! -e target.old ]
	# it is followed if it is named
	recorded -o flamemod.pb.gz
	[ "$(head -c 8 target)" != precious ]
}

@test "only its owner may read a recording, whatever file it replaces" {
	umask 022
	recorded() { timeout 60 "$fake" 0 record -d 50ms "$@"; }
	recorded
	[ "$(stat -c %a flamemod.pb.gz)" = 600 ]
	echo old > named
	chmod 666 named
	recorded -o named
	[ "$(stat -c %a named)" = 600 ]
	chmod 644 flamemod.pb.gz
	recorded
	[ "$(stat -c %a flamemod.pb.gz flamemod.pb.gz.old)" = $'600\n644' ]
	(umask 277 && recorded -o narrow)
	[ "$(stat -c %a narrow)" = 400 ]
	# as are its copies
	for copy in 'merge named' 'import named' 'symbolize named' 'export --to pprof named'; do
		rm -f copied
		# shellcheck disable=SC2086 # words
		"$flamectl" $copy -o copied
		[ "$(stat -c %a copied)" = 600 ]
		chmod 644 copied
		# shellcheck disable=SC2086 # words
		"$flamectl" $copy -o copied
		[ "$(stat -c %a copied)" = 600 ]
	done
	# other files made from it have the usual mode
	"$flamectl" export --to folded -o folded.txt named
	[ "$(stat -c %a folded.txt)" = 644 ]
	"$flamectl" svg -o graph.svg named
	[ "$(stat -c %a graph.svg)" = 644 ]
}

@test "standard output that is full" {
	for writer in "${writers[@]}"; do
		# record always writes a file by name
		[[ $writer != record* ]] || continue
		code=0
		writes "$writer" - > /dev/full 2> err || code=$?
		echo "$writer: $code, $(cat err)"
		[ "$code" -eq 1 ]
		grep -qx 'flamectl: cannot write stdout: No space left on device' err
	done
}

@test "a palette that cannot be saved leaves the old palette and graph" {
	[ "$(id -u)" -eq 0 ] || skip "mounting needs root"
	mkdir there
	export flamectl folded
	unshare -m bash -euc '
		mount -t tmpfs -o size=8k none there
		echo "a->rgb(1,2,3)" > there/palette
		head -c 4096 /dev/zero > there/full
		echo old > kept
		for trouble in "No space left on device" "Read-only file system"; do
			code=0
			"$flamectl" svg --palette there/palette -o kept "$folded" 2> err || code=$?
			echo "$code, $(cat err)"
			[ "$code" -eq 1 ]
			grep -q "^flamectl: cannot save colours: .*there/palette: .*$trouble$" err
			[ "$(cat kept there/palette | tr "\n" " ")" = "old a->rgb(1,2,3) " ]
			[ "$(ls -A there | tr "\n" " ")" = "full palette " ]
			mount -o remount,ro there
		done'
}

# prints WHAT
prints() {
	local words
	read -ra words <<< "${1/SAVED/$saved}"
	timeout 60 "$flamectl" "${words[@]}" < /dev/null
}

@test "printing to a device that is full" {
	for printer in "${printers[@]}"; do
		code=0
		prints "$printer" > /dev/full 2> err || code=$?
		echo "$printer: $code, $(cat err)"
		[ "$code" -eq 1 ]
		[ "$(cat err)" = 'flamectl: cannot write stdout: No space left on device' ]
	done
}

@test "a disk that is full" {
	mounted rw "every there/new 1 'No space left on device'
		every there/kept 1 'No space left on device'"
}

@test "a limit on the size of files" {
	echo old > kept
	for writer in "${writers[@]}"; do
		# the program with the made-up module has another main()
		[[ $writer != record* ]] || continue
		for output in new kept -; do
			code=0
			# messages go through a pipe, to which the limit does not apply
			(ulimit -f 0; writes "$writer" $output 2>&1 > out) | cat > err || code=$?
			code=${PIPESTATUS[0]}
			echo "$writer: $code, $(cat err)"
			[ "$code" -eq 1 ]
			grep -qx "flamectl: cannot write ${output/#-/stdout}: File too large" err
			[ "$(ls -A | tr '\n' ' ')" = 'err kept out ' ]
			[ "$(cat kept)" = old ]
		done
	done
	# past the limit, but not with the first write
	seq 1000 | sed 's/.*/f&;g 1/' > "$BATS_FILE_TMPDIR/much"
	(ulimit -f 10; "$flamectl" svg -o new "$BATS_FILE_TMPDIR/much" 2>&1) | cat > err
	[ "$(cat err)" = 'flamectl: cannot write new: File too large' ]
	[ ! -e new ]
	rm out
	[ "$(ls -A | tr '\n' ' ')" = 'err kept ' ]
}

@test "a directory that is read-only" {
	mounted ro "every there/new 1 'there/new: .*Read-only file system'
		every there/kept 1 'there/kept: Read-only file system'"
}

# unread COMMAND...: run it with a stdout whose reader has gone; set code
unread() {
	exec 7<> pipe 8> pipe 7>&-
	code=0
	"$@" >&8 2> err || code=$?
	exec 8>&-
	echo "$*: $code, $(cat err)"
}

@test "a reader that closes the pipe ends it without a message, as with cat and git" {
	mkfifo pipe
	for writer in "${writers[@]}"; do
		[[ $writer != record* ]] || continue
		unread writes "$writer" -
		[ "$code" -eq 141 ]
		[ ! -s err ]
	done
	for printer in "${printers[@]}"; do
		unread prints "$printer"
		[ "$code" -eq 141 ]
		[ ! -s err ]
	done
}

@test "with SIGPIPE ignored there is a message that nobody reads" {
	mkfifo pipe
	trap '' PIPE
	for writer in "${writers[@]}"; do
		[[ $writer != record* ]] || continue
		unread writes "$writer" -
		[ "$code" -eq 1 ]
		grep -qx 'flamectl: cannot write stdout: Broken pipe' err
	done
	for printer in "${printers[@]}"; do
		unread prints "$printer"
		[ "$code" -eq 1 ]
		[ "$(cat err)" = 'flamectl: cannot write stdout: Broken pipe' ]
	done
}

@test "a file is complete even if the reader of stdout goes" {
	mkfifo pipe
	unread writes "svg SAVED" graph.svg
	[ "$code" -eq 0 ]
	grep -q '</svg>' graph.svg
}

@test "Ctrl-C when all is written but not renamed yet" {
	for writer in "${writers[@]}"; do
		# in record it means to save what was sampled
		[[ $writer != record* ]] || continue
		echo old > kept
		code=0
		LD_PRELOAD=$BATS_FILE_TMPDIR/interrupt.so writes "$writer" kept 2> err || code=$?
		echo "$writer: $code, $(cat err)"
		[ "$code" -eq 130 ]
		[ "$(cat kept)" = old ]
		[ "$(ls -A | grep -vx 'err\|kept' || true)" = "" ]
	done
}

@test "without -o, the earlier recording is kept" {
	sampled() { timeout 60 "$fake" 0 record -d 50ms "$@" 2> err; }
	sampled
	[ ! -s err ]
	[ "$(ls)" = $'err\nflamemod.pb.gz' ]
	for time in first second third; do
		echo $time > flamemod.pb.gz
		sampled
		[ ! -s err ]
		[ "$(cat flamemod.pb.gz.old)" = $time ]
		"$flamectl" status -i flamemod.pb.gz > /dev/null
	done
	for time in fourth fifth; do
		echo $time > flamemod.pb.gz
		LD_PRELOAD=$BATS_FILE_TMPDIR/linkless.so \
			ASAN_OPTIONS=verify_asan_link_order=0 sampled
		[ ! -s err ]
		[ "$(cat flamemod.pb.gz.old)" = $time ]
		"$flamectl" status -i flamemod.pb.gz > /dev/null
	done
	# nor the target of a link
	mkdir there
	echo linked > there/real
	ln -sf there/real flamemod.pb.gz
	sampled
	[ "$(cat there/real.old)" = linked ]
	[ "$(cat flamemod.pb.gz.old)" = fifth ]
	"$flamectl" status -i there/real > /dev/null
	# if the old one cannot be kept, a message says so, and the new one is saved
	rm there/real.old
	mkdir there/real.old
	echo linked > there/real
	sampled
	grep -q '^flamectl: warning: cannot keep the earlier flamemod.pb.gz as .*/there/real.old: Is a directory$' err
	"$flamectl" status -i there/real > /dev/null
	# a file that is named by -o is replaced
	rm flamemod.pb.gz flamemod.pb.gz.old
	echo old > flamemod.pb.gz
	sampled -o flamemod.pb.gz
	[ ! -e flamemod.pb.gz.old ]
	# if the recording fails, both stay
	echo kept > flamemod.pb.gz.old
	echo old > flamemod.pb.gz
	(ulimit -f 0; env --ignore-signal=XFSZ timeout 60 "$fake" 0 record -d 50ms 2>&1) | cat > err || true
	grep -q 'File too large' err
	[ "$(cat flamemod.pb.gz flamemod.pb.gz.old)" = $'old\nkept' ]
	[ -z "$(ls -A | grep -vxE 'err|there|flamemod.pb.gz(.old)?')" ]
}

# recording SIGNALS OPTION...: record into "kept", and send signals, at once, when it samples;
# set code
recording() {
	local pid try signal
	code=0
	echo old > kept
	env --default-signal=INT,TERM,HUP,QUIT "$fake" 0 record "${@:2}" -o kept 2> err &
	pid=$!
	# SIGCHLD (17) is the last signal that it starts to catch
	for ((try = 0; try < 200; try++)); do
		[[ $(readlink /proc/$pid/exe) = "$fake" ]] &&
			((0x$(sed -n 's/^SigCgt:\t//p' /proc/$pid/status) & 1 << 16)) && break
		sleep 0.05
	done
	kill -STOP $pid
	for signal in ${1//,/ }; do
		kill -"$signal" $pid
	done
	kill -CONT $pid
	timeout 30 tail --pid=$pid -f /dev/null || kill -KILL $pid
	wait $pid || code=$?
	echo "$*: $code, $(cat err)"
	[ -z "$(ls -A | grep -vxE 'err|kept')" ]
}

@test "Ctrl-C, and other signals that end it, save the recording" {
	# a terminal that closes, a session's end and timeout(1) send several
	for signals in INT TERM HUP HUP,TERM; do
		recording $signals -d 60s
		[ "$code" -eq 0 ]
		"$flamectl" status -i kept | grep -q '^rate '
		recording $signals --slices 100ms
		[ "$code" -eq 0 ]
		"$flamectl" status -i kept | grep -q '^rate '
	done
}

@test "a second key that ends it drops the recording" {
	recording INT,QUIT -d 60s
	[ "$code" -eq 1 ]
	grep -q '^flamectl: cannot record: .*interrupted twice, so nothing is saved$' err
	[ "$(cat kept)" = old ]
}

@test "Ctrl-C while an input is read" {
	mkfifo pipe
	for command in "svg -" "html -" "report -" "report --flat -" "merge -" "dump -i -" "heat -" \
			"export --to jsonl -" "export --to pprof -" "diff - $saved" "diff $saved -" \
			"diff --text - $saved" "import --from folded -" "import --from pprof -" \
			"import --from perf-script -" "import --from bcc -" "import --from bpftrace -" \
			"import --from stap -"; do
		echo old > kept
		# shellcheck disable=SC2086
		env --default-signal=INT "$flamectl" $command -o kept < pipe 2> err &
		pid=$!
		exec 7> pipe
		echo 'a;b 1' >&7
		# before the exec of flamectl the signal is ignored
		for ((try = 0; try < 200; try++)); do
			[[ $(readlink /proc/$pid/exe) != "$flamectl" ]] || break
			sleep 0.05
		done
		kill -INT $pid
		code=0
		wait $pid || code=$?
		exec 7>&-
		echo "$command: $code, $(cat err)"
		[ "$code" -eq 130 ]
		[ "$(cat kept)" = old ]
		[ "$(ls -A | tr '\n' ' ')" = 'err kept pipe ' ]
	done
}

# refused COMMAND...: check that it says so and changes no file
refused() {
	local before code=0
	before=$(ls -A && sha256sum ./*)
	"$flamectl" "$@" > "$BATS_FILE_TMPDIR/out" 2> "$BATS_FILE_TMPDIR/err" < input || code=$?
	echo "$*: $code, $(cat "$BATS_FILE_TMPDIR/err")"
	[ "$code" -eq 1 ]
	grep -q '^flamectl: cannot .*: it is the same file as the input .*: write to another file$' "$BATS_FILE_TMPDIR/err"
	[ ! -s "$BATS_FILE_TMPDIR/out" ]
	[ "$(ls -A && sha256sum ./*)" = "$before" ]
}

@test "an output that is also the input, by any name" {
	cp "$sliced" input
	cp "$saved" other
	cp "$folded" text
	echo 'a->rgb(1,2,3)' > palette
	ln -s input symbolic
	ln input hard
	for command in "svg" "html" "report" "heat" "metrics" "dump -i" "export --to folded" "export --to pprof" \
			"import --from pprof"; do
		for name in input ./input symbolic hard; do
			# shellcheck disable=SC2086
			refused $command input -o $name
		done
	done
	for command in "svg" "html" "report" "heat" "dump -i" "export --to jsonl" "diff other"; do
		# shellcheck disable=SC2086
		refused $command - -o input
	done
	refused svg -o text text
	refused import --from folded text -o text
	refused diff input other -o other
	refused diff --text input other -o input
	refused svg --palette palette -o palette text
	refused svg --palette new -o ./new text
	refused svg --palette text text
	refused svg --palette new -o "$PWD/new" text
}

@test "merge may replace one of its files" {
	cp "$saved" one
	cp "$saved" two
	"$flamectl" merge -o one one two
	[ "$("$flamectl" status --json -i one | jq .books.fires)" -eq \
		$((2 * $("$flamectl" status --json -i two | jq .books.fires))) ]
}

@test "an output name of another picture format is refused, with a way to get it" {
	for suffix in png pdf jpg PNG; do
		run "$flamectl" svg -o "x.$suffix" "$saved"
		[ "$status" = 2 ]
		[[ $output == *"a graph is an SVG file; name it x.svg, then: rsvg-convert "*"x.$suffix"* ]]
		[ ! -e "x.$suffix" ] && [ ! -e x.svg ]
	done
	run "$flamectl" heat -o x.png "$saved"
	[[ $output == *'name it x.svg'* ]]
	run "$flamectl" diff -o x.png "$saved" "$saved"
	[[ $output == *'name it x.svg'* ]]
	# a name without a suffix, or in a directory with one, is accepted
	mkdir dir.png
	"$flamectl" svg -o dir.png/graph "$saved"
	[ -s dir.png/graph ]
}
