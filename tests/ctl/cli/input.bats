#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# A file that changes while it is read is refused with a message that says so, and the
# old output stays: for each command that reads one. A command changes the file after
# a part was read; the file "other" is not changed.
# Debian packages: gcc.

bats_require_minimum_version 1.5.0

NR_STACKS=20000
LINE_BYTES=20

setup_file() {
	local flamectl=${FLAMECTL:-./flamectl} there=$BATS_FILE_TMPDIR
	cc -shared -fPIC -o "$there/meanwhile.so" -x c - <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <unistd.h>

		static int is_other(FILE *in)
		{
			char link[64], path[4096];
			ssize_t length;

			snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(in));
			length = readlink(link, path, sizeof(path));
			return length > 6 && !memcmp(path + length - 6, "/other", 6);
		}

		size_t fread(void *to, size_t size, size_t nr, FILE *in)
		{
			size_t (*real)(void *, size_t, size_t, FILE *) = dlsym(RTLD_NEXT, "fread");
			size_t got = real(to, size, nr, in);
			char *command = getenv("MEANWHILE");

			if (command && !is_other(in)) {
				command = strdup(command);
				unsetenv("MEANWHILE");
				unsetenv("LD_PRELOAD");
				if (system(command))
					abort();
			}
			return got;
		}
	END
	# larger than any single read, also when gzip'd; all lines have one length, so
	# that a part of the file is folded text, too
	awk -v nr=$NR_STACKS 'BEGIN {
		srand(1)
		while (nr--)
			printf "a%07d;b%07d 1\n", rand() * 10000000, rand() * 10000000
	}' > "$there/folded"
	"$flamectl" import --from folded -F 1000 -o "$there/saved" "$there/folded"
	awk '{ split($1, frames, ";"); printf "cat 1 [000] 1.5: cycles:\n\tffff %s (k)\n\tffff %s (k)\n\n",
		frames[2], frames[1] }' "$there/folded" > "$there/perf"
	awk '{ split($1, frames, ";"); printf "@[\n    %s+1\n    %s+2\n]: 1\n", frames[2], frames[1] }' \
		"$there/folded" > "$there/bpftrace"
	awk '{ split($1, frames, ";"); printf " 0xff : %s+0x1/0x2 [kernel]\n 0xfe : %s+0x1/0x2 [kernel]\n1\n",
		frames[2], frames[1] }' "$there/folded" > "$there/stap"
	timeout 60 out/unit/fake 0 record --slices 100ms -d 500ms -o "$there/sliced"
	[ "$(stat -c %s "$there/folded")" -eq $((NR_STACKS * LINE_BYTES)) ]
	[ "$(stat -c %s "$there/saved")" -gt $((128 << 10)) ]
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	cp tests/ctl/cli/saved.pb.gz "$BATS_FILE_TMPDIR/other"
	cd "$BATS_TEST_TMPDIR" || return
}

readers=(
	"report PROFILE" "report FOLDED" "report --flat PROFILE" "svg PROFILE" "svg FOLDED"
	"html PROFILE" "html FOLDED" "diff PROFILE OTHER" "diff --text FOLDED OTHER"
	"merge PROFILE OTHER" "export --to jsonl PROFILE" "export --to pprof PROFILE"
	"export --to speedscope PROFILE" "export --to firefox PROFILE" "export --to callgrind PROFILE"
	"export --to folded PROFILE" "diff OTHER PROFILE" "merge OTHER PROFILE"
	"dump -i PROFILE" "heat SLICED" "import --from folded FOLDED" "import --from pprof PROFILE"
	"import --from bcc FOLDED" "import --from perf-script PERF" "import --from bpftrace BPFTRACE"
	"import --from stap STAP"
)

# reads WHAT MEANWHILE: run the command of that line on "file"
reads() {
	local words word arguments=()
	read -ra words <<< "$1"
	for word in "${words[@]}"; do
		case $word in
		OTHER) word=$BATS_FILE_TMPDIR/other ;;
		PROFILE) cp "$BATS_FILE_TMPDIR/saved" file ;;
		SLICED) cp "$BATS_FILE_TMPDIR/sliced" file ;;
		PERF | BPFTRACE | STAP | FOLDED) cp "$BATS_FILE_TMPDIR/${word,,}" file ;;
		esac
		[[ ! $word =~ ^[BFPS][A-Z]+$ ]] || word=file
		arguments+=("$word")
	done
	MEANWHILE=$2 LD_PRELOAD=$BATS_FILE_TMPDIR/meanwhile.so \
		timeout 60 "$flamectl" "${arguments[@]}" -o kept
}

# refused MEANWHILE: check that all commands refuse it
refused() {
	local reader code
	for reader in "${readers[@]}"; do
		echo old > kept
		code=0
		reads "$reader" "$1" > out 2> err || code=$?
		echo "$reader: $code, $(cat err)"
		[ "$code" -eq 1 ]
		grep -qE "^flamectl: cannot [a-z]+:? file: changed while it was read: try again when nothing writes to it$" err
		[ "$(wc -l < err)" -eq 1 ]
		[ ! -s out ]
		[ "$(cat kept)" = old ]
		[ -z "$(ls -A | grep -vxE 'err|file|kept|out')" ]
	done
}

@test "a file that grows" {
	refused 'cat file > /tmp/more.$$; cat /tmp/more.$$ >> file; rm /tmp/more.$$'
}

@test "a file that shrinks" {
	refused 'truncate -s 100 file'
	# also to a size at which it is still folded text
	refused "truncate -s $((NR_STACKS / 2 * LINE_BYTES)) file"
	refused ': > file'
}

@test "a file that is written anew in its place" {
	refused 'tac file > /tmp/anew.$$; cat /tmp/anew.$$ > file; rm /tmp/anew.$$'
}

@test "a file that is replaced is read as it was" {
	for reader in "${readers[@]}"; do
		reads "$reader" true
		mv kept expected
		reads "$reader" 'echo other > new; mv new file'
		echo "$reader"
		[ "$(cat file)" = other ]
		cmp kept expected
	done
}

@test "a file that is removed is read as it was" {
	reads "svg PROFILE" 'rm file'
	grep -q '<svg' kept
	[ ! -e file ]
}

@test "a palette that grows" {
	yes 'name->rgb(1,2,3)' | head -n $NR_STACKS > palette
	echo old > kept
	run -1 --separate-stderr env MEANWHILE='echo "b->rgb(3,2,1)" >> palette' \
		LD_PRELOAD="$BATS_FILE_TMPDIR/meanwhile.so" \
		"$flamectl" svg --palette palette -o kept "$BATS_FILE_TMPDIR/other"
	[ "$stderr" = 'flamectl: cannot read colours: palette: changed while it was read: try again when nothing writes to it' ]
	[ "$(cat kept)" = old ]
	[ "$(wc -l < palette)" -eq $((NR_STACKS + 1)) ]
}

@test "no command waits for a terminal as standard input" {
	local reader code
	script -qec true /dev/null > /dev/null || skip "no terminal can be made here: is devpts mounted?"
	cp "$BATS_FILE_TMPDIR/other" other
	for reader in "report -" "svg -" "html -" "heat -" "dump -i -" "status -i -" "merge -o kept -" \
			"diff - other" "diff other -" "export --to jsonl -" "import --from folded -o kept -" \
			"import --from pprof -o kept -"; do
		code=0
		timeout 20 script -qec "'$flamectl' $reader" /dev/null > out 2>&1 || code=$?
		echo "$reader: $code, $(cat out)"
		[[ $code = [12] ]]
		grep -qE '^flamectl: .*(standard input is|stdin:) a terminal[:;] name a file' out
		[ ! -e kept ]
	done
}

@test "a file as standard input is checked, too; a pipe is not" {
	local reader code
	for reader in 'svg -' 'import --from folded -'; do
		cp "$BATS_FILE_TMPDIR/folded" file
		code=0
		reads "$reader" 'echo "a;b 1" >> file' < file 2> err || code=$?
		echo "$reader: $code, $(cat err)"
		[ "$code" -eq 1 ]
		grep -q ' stdin: changed while it was read: ' err
		[ ! -e kept ]
	done
	mkfifo pipe
	cat file > pipe &
	reads 'svg -' 'touch pipe' < pipe
	grep -q '<svg' kept
}
