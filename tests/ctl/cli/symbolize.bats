#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl symbolize: pprof files of other programs get the names that they lack, and
# nothing else in them changes.
# Debian packages: golang-go, python3, xz-utils.

bats_require_minimum_version 1.5.0

setup_file() {
	bash tests/ctl/cli/programs.bash "$BATS_FILE_TMPDIR"
}

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	unnamed=$(realpath tests/ctl/cli/unnamed.py)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	made=$BATS_FILE_TMPDIR
	export HOME=$BATS_TEST_TMPDIR PPROF_TMPDIR=$BATS_TEST_TMPDIR PPROF_BINARY_PATH=/nonexistent
	cd "$BATS_TEST_TMPDIR" || return
}

# mapping PROGRAM [PATH] [BUILD-ID]: print a mapping with all functions of PROGRAM
mapping() {
	local offsets

	offsets=$(cut -d ' ' -f 2 "$made/$1.places" | paste -sd ,)
	echo "${2:-$made/$1},${3-$(cat "$made/$1.id")},1000,$offsets"
}

# raw FILE: print all that pprof reads from it
raw() {
	go tool pprof -symbolize=none -raw "$1"
}

# names FILE: print the names of its samples' leaves
names() {
	"$flamectl" dump --by none "$1" | sed 's/ [0-9]*$//; s/.*;//' | sort
}

named='core::fmt::write
hidden_function
known_function
mycrate::foo::bar
outer::inner::run'

@test "every kind of program is named, and a message says what was done" {
	local program
	for program in pie fixed static static-pie mini; do
		python3 "$unnamed" in.pb.gz "$(mapping $program)"
		run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz in.pb.gz
		[ -z "$output" ]
		[ "$stderr" = "flamectl: in.pb.gz: 5 of 5 locations had no name, 5 of them have one now" ]
		[ "$(names out.pb.gz)" = "$named" ]
	done
}

@test "a debug file, below the root that is asked for" {
	python3 "$unnamed" in.pb.gz "$(mapping separate /separate)"
	run -0 --separate-stderr "$flamectl" symbolize --root "$made" -o out.pb.gz in.pb.gz
	[ "$(names out.pb.gz)" = "$named" ]
	run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz in.pb.gz
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 5 of 5 in /separate have no name: No such file or directory" ]
}

# alone PROGRAM COMMAND...: make root, which has only the debug file that COMMAND writes
alone() {
	local id

	id=$(cat "$made/$1.id")
	rm -rf root
	mkdir -p "root/usr/lib/debug/.build-id/${id:0:2}"
	"${@:2}" "$made/$1" "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	python3 "$unnamed" in.pb.gz "$(mapping "$1" /gone)"
	run -0 --separate-stderr "$flamectl" symbolize --root root -o out.pb.gz in.pb.gz
}

@test "a debug file is enough if the program is gone" {
	local program
	for program in pie fixed static; do
		alone $program objcopy --only-keep-debug
		[ "$stderr" = "flamectl: in.pb.gz: 5 of 5 locations had no name, 5 of them have one now" ]
		[ "$(names out.pb.gz)" = "$named" ]
		# or is another build now
		cp "$made/other" root/gone
		"$flamectl" symbolize --root root -o out.pb.gz in.pb.gz
		[ "$(names out.pb.gz)" = "$named" ]
	done
}

@test "a debug file that leaves open where the text is names nothing" {
	alone gap objcopy --only-keep-debug
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 5 of 5 in /gone have no name: only its debug file was found; it has no symbols, or does not say where the functions are in the program" ]
	diff <(raw in.pb.gz) <(raw out.pb.gz)
	# with the headers of the program it says it
	alone gap cp
	[ "$(names out.pb.gz)" = "$named" ]
}

@test "a file that cannot be used is named, with the reason" {
	local why
	while IFS='|' read -r mapping why; do
		python3 "$unnamed" in.pb.gz "$mapping"
		run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz in.pb.gz
		[ "${stderr_lines[0]}" = "flamectl: in.pb.gz: 5 of 5 locations had no name, 0 of them have one now" ]
		[[ ${stderr_lines[1]} = "flamectl: in.pb.gz: 5 of 5 in "*" have no name: $why" ]]
		diff <(raw in.pb.gz) <(raw out.pb.gz)
	done <<-END
	$(mapping pie "$made/pie" "$(cat "$made/other.id")")|its build-id differs: it is another build than was sampled
	$(mapping stripped)|it has no symbol there
	$(mapping pie /nonexistent)|No such file or directory
	$(mapping pie /dev/zero)|it is no regular file, or one of /proc or /sys
	$(mapping pie "$made/program.c" "")|it is no ELF file, or damaged
	END
	# without a build-id there are names, and a warning
	python3 "$unnamed" in.pb.gz "$(mapping no-id)"
	run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz in.pb.gz
	[ "$(names out.pb.gz)" = "$named" ]
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 0 of 5 in $made/no-id have no name: the profile has no build-id of it, so the names are right only if the file has not changed" ]
}

@test "without a build-id, a file that was written after the profile names nothing" {
	# in 2001; in 2100
	TIME_NANOS=1000000000000000000 python3 "$unnamed" in.pb.gz "$(mapping no-id)"
	run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz in.pb.gz
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 5 of 5 in $made/no-id have no name: the profile has no build-id of it, and it was written after the profile" ]
	TIME_NANOS=4102444800000000000 python3 "$unnamed" in.pb.gz "$(mapping no-id)"
	run -0 --separate-stderr "$flamectl" symbolize --any-fs -o out.pb.gz in.pb.gz
	[ "$(names out.pb.gz)" = "$named" ]
}

@test "for go tool pprof everything else is unchanged" {
	python3 "$unnamed" in.pb.gz "$(mapping pie)" "$(mapping fixed)" "$(mapping other /nonexistent)" -- 'caller\x41'
	run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz in.pb.gz
	[ "${stderr_lines[0]}" = "flamectl: in.pb.gz: 15 of 16 locations had no name, 10 of them have one now" ]
	raw in.pb.gz > before
	raw out.pb.gz > after
	[ "$(grep -c 'request:\[GET /\]' after)" -eq 15 ]
	grep -qF 'caller\x41' after
	# except for the names, and the flag that a mapping has them
	unnamed() { sed -E 's/( M=[0-9]+) .*/\1/; s/ (\[FN\])?$//' "$1"; }
	diff <(unnamed before) <(unnamed after)
	[ "$(grep -c '\[FN\]' after)" -eq 2 ]
	go tool pprof -symbolize=none -top -nodefraction=0 out.pb.gz > top
	grep -qE ' 2ms .* known_function$' top
	grep -qE ' 2ms .* core::fmt::write$' top
	# places without a symbol here can be named on another machine; names stay
	run -0 --separate-stderr "$flamectl" symbolize -o again.pb.gz out.pb.gz
	[ "${stderr_lines[0]}" = "flamectl: out.pb.gz: 5 of 16 locations had no name, 0 of them have one now" ]
	cmp <(zcat again.pb.gz) <(zcat out.pb.gz)
}

@test "names of C++ and Rust are left mangled on request" {
	python3 "$unnamed" in.pb.gz "$(mapping pie)"
	"$flamectl" symbolize --no-demangle -o out.pb.gz in.pb.gz
	[ "$(names out.pb.gz)" = "$(printf '%s\n' _RNvNtCs1234_7mycrate3foo3bar _ZN4core3fmt5write17h0123456789abcdefE _ZN5outer5inner3runEi hidden_function known_function | sort)" ]
	# both are in the file
	"$flamectl" symbolize -o out.pb.gz in.pb.gz
	zcat out.pb.gz | grep -qa _ZN5outer5inner3runEi
	zcat out.pb.gz | grep -qa outer::inner::run
}

@test "a file may be named in its place, or through pipes" {
	python3 "$unnamed" in.pb.gz "$(mapping pie)"
	"$flamectl" symbolize - < in.pb.gz 2> /dev/null | "$flamectl" dump --by none - > folded
	grep -qx 'known_function 1000000' folded
	zcat in.pb.gz | "$flamectl" symbolize - 2> /dev/null | "$flamectl" dump --by none - | cmp folded -
	"$flamectl" symbolize -o in.pb.gz in.pb.gz
	"$flamectl" dump --by none in.pb.gz | cmp folded -
}

@test "our own profiles, which have all names, stay as they are" {
	run -0 --separate-stderr "$flamectl" symbolize -o out.pb.gz "$saved"
	[[ $stderr =~ ^flamectl:\ .*saved.pb.gz:\ 0\ of\ [0-9]+\ locations\ had\ no\ name,\ 0\ of\ them\ have\ one\ now$ ]]
	diff <(raw "$saved") <(raw out.pb.gz)
	diff <("$flamectl" status --json -i "$saved") <("$flamectl" status --json -i out.pb.gz)
}

@test "the code of a JIT compiler, by its process's map" {
	mkdir -p root/tmp
	echo '7f0000001100 20 LazyCompile:~f /app.js:1' > root/tmp/perf-$$.map
	python3 "$unnamed" in.pb.gz "/tmp/perf-$$.map,,0,110,11f,120"
	run -0 --separate-stderr "$flamectl" symbolize --root root -o out.pb.gz in.pb.gz
	[ "${stderr_lines[0]}" = "flamectl: in.pb.gz: 3 of 3 locations had no name, 2 of them have one now" ]
	"$flamectl" dump --by none out.pb.gz | grep -qx 'LazyCompile:~f /app.js:1 2000000'
}

@test "places that flamectl saves without names can be named later, on another machine" {
	local known
	known=$(sed -n 's/^known_function //p' "$made/pie.places")
	python3 "$unnamed" in.pb.gz "$(mapping pie /opt/program)" "$(mapping fixed)" -- caller
	"$flamectl" import -o saved.pb.gz in.pb.gz
	"$flamectl" dump --by none saved.pb.gz > folded
	grep -qx "caller;program+0x$known 1000000" folded
	"$flamectl" dump --by module saved.pb.gz > modules
	[ "$(grep -c '^program;' modules)" -eq 5 ]
	# merge and selections do not change them
	"$flamectl" merge --include 'program*' -o merged.pb.gz saved.pb.gz saved.pb.gz
	mkdir -p root/opt
	cp "$made/pie" root/opt/program
	run -0 --separate-stderr "$flamectl" symbolize --root root -o named.pb.gz merged.pb.gz
	[[ ${stderr_lines[0]} = "flamectl: merged.pb.gz: "*" locations had no name, 5 of them have one now" ]]
	"$flamectl" dump --by none named.pb.gz | grep -qx 'caller;known_function 2000000'
	# other programs look for the mapping and its build-id
	raw saved.pb.gz > text
	grep -qE "^[0-9]+: 0x[0-9a-f]+/0x[0-9a-f]+/0x0 /opt/program $(cat "$made/pie.id") *$" text
	# after that, flamectl saves both: name and place
	"$flamectl" import -o again.pb.gz named.pb.gz
	diff <("$flamectl" dump named.pb.gz) <("$flamectl" dump again.pb.gz)
	grep -qE ": 0x[0-9a-f]*$known M=[0-9]+ known_function " <(raw again.pb.gz)
}

# inlined: make in.pb.gz of two places in a program: in a function that is inlined
# twice, and in the one that it is inlined into
inlined() {
	local places

	places=$(cut -d ' ' -f 2 "$made/inlined.marks" | sed 's/^0*//' | paste -sd ,)
	python3 "$unnamed" in.pb.gz "$made/inlined,$(cat "$made/inlined.id"),1000,$places"
}

@test "inlined functions are lines of their place" {
	inlined
	run -0 --separate-stderr "$flamectl" symbolize --inlines -o out.pb.gz in.pb.gz
	[ "${stderr_lines[0]}" = "flamectl: in.pb.gz: 2 of 2 locations had no name, 2 of them have one now" ]
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 1 of 2 locations got inlined functions" ]
	[ "$("$flamectl" dump --by none out.pb.gz | sed 's/ [0-9]*$//')" = \
		$'outer\nouter;deep::S::middle;deep::S::inner' ]
	run -0 go tool pprof -symbolize=none -top out.pb.gz
	[[ $output = *' deep::S::inner (inline)'* && $output = *' deep::S::middle (inline)'* ]]
	# once they are there, nothing is added
	run -0 --separate-stderr "$flamectl" symbolize --inlines -o again.pb.gz out.pb.gz
	diff <(raw out.pb.gz) <(raw again.pb.gz)
	# a place with a name gets them, too
	"$flamectl" symbolize -o named.pb.gz in.pb.gz
	run -0 --separate-stderr "$flamectl" symbolize --inlines -o late.pb.gz named.pb.gz
	[ "${stderr_lines[1]}" = "flamectl: named.pb.gz: 1 of 2 locations got inlined functions" ]
	diff <("$flamectl" dump out.pb.gz) <("$flamectl" dump late.pb.gz)
}

@test "in our own files their names are marked, and none is added twice" {
	inlined
	"$flamectl" import -o ours.pb.gz in.pb.gz
	"$flamectl" symbolize --inlines -o out.pb.gz ours.pb.gz
	"$flamectl" dump --by none out.pb.gz >out.folded
	[ "$(sed 's/ [0-9]*$//' out.folded)" = $'outer\nouter;deep::S::middle_[i];deep::S::inner_[i]' ]
	# saved again, each is a location of its own
	"$flamectl" merge -o merged.pb.gz out.pb.gz
	run -0 --separate-stderr "$flamectl" symbolize --inlines -o again.pb.gz merged.pb.gz
	[[ ${stderr_lines[1]} = "flamectl: merged.pb.gz: 0 of 1 locations got inlined functions"* ]]
	diff out.folded <("$flamectl" dump --by none again.pb.gz)
}

@test "inlined functions by a debug file alone" {
	local id

	inlined
	"$flamectl" symbolize --inlines -o whole.pb.gz in.pb.gz
	id=$(cat "$made/inlined.id")
	mkdir -p "root/usr/lib/debug/.build-id/${id:0:2}"
	objcopy --only-keep-debug "$made/inlined" "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	run -0 --separate-stderr "$flamectl" symbolize --inlines --root root -o out.pb.gz in.pb.gz
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 1 of 2 locations got inlined functions" ]
	diff <(raw whole.pb.gz) <(raw out.pb.gz)
}

@test "without DWARF a message says so" {
	python3 "$unnamed" in.pb.gz "$(mapping pie)"
	run -0 --separate-stderr "$flamectl" symbolize --inlines -o out.pb.gz in.pb.gz
	[ "${stderr_lines[1]}" = "flamectl: in.pb.gz: 0 of 5 locations got inlined functions: they are known by DWARF, which is in programs compiled with -g and in debug files" ]
}

@test "a file that is not pprof is refused, and no file is left" {
	echo 'a;b 1' > folded
	run -1 --separate-stderr "$flamectl" symbolize -o out.pb.gz folded
	[ "$stderr" = "flamectl: cannot symbolize: folded: not a pprof profile, or damaged; flamectl import converts folded and other text" ]
	: > empty
	run -1 --separate-stderr "$flamectl" symbolize -o out.pb.gz empty
	[ "$stderr" = "flamectl: cannot symbolize: empty: empty" ]
	run -1 --separate-stderr "$flamectl" symbolize -o out.pb.gz nonexistent
	[ "$stderr" = "flamectl: cannot symbolize: nonexistent: No such file or directory" ]
	# libprotobuf-c accepts a field with the number 0, and would write a damaged file
	{ gzip -dc "$saved"; printf '\x80\x00\x01'; } > zero
	run -1 --separate-stderr "$flamectl" symbolize -o out.pb.gz zero
	[ "$stderr" = "flamectl: cannot symbolize: zero: not a pprof profile: a field has the number 0" ]
	# also in a mapping
	{ gzip -dc "$saved"; printf '\x1a\x03\x80\x00\x01'; } > zero
	run -1 --separate-stderr "$flamectl" symbolize -o out.pb.gz zero
	[ "$stderr" = "flamectl: cannot symbolize: zero: not a pprof profile: a field has the number 0" ]
	[ ! -e out.pb.gz ]
	run -2 --separate-stderr "$flamectl" symbolize
	[ "${stderr_lines[0]}" = "flamectl: symbolize needs one pprof file, - for stdin" ]
	run -2 --separate-stderr "$flamectl" symbolize a b
	run -2 --separate-stderr "$flamectl" symbolize --root folded a
	[ "${stderr_lines[0]}" = "flamectl: --root folded: no directory" ]
	run -2 --separate-stderr "$flamectl" symbolize -o out.svg "$saved"
}
