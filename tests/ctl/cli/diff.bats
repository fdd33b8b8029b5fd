#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl diff: two profiles of any format as a graph or a table, and what it
# refuses. A failure leaves no partial output. Debian packages: python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	hostile_py=$(realpath tests/ctl/cli/hostile.py)
	harmless_py=$(realpath tests/ctl/cli/harmless.py)
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
	printf 'sh;read;copy 30\nsh;read 10\nsh;old 60\n' > before
	printf 'sh;read;copy 90\nsh;read 10\nsh;new 100\n' > after
}

refused() { # MESSAGE ARGUMENT...
	local message=$1
	shift
	run -2 --separate-stderr "$flamectl" "$@"
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "flamectl: $message" ]
}

# frames: print START WEIGHT CLASS NAME TEXT of each frame, sorted
frames() {
	python3 -c '
import sys
from xml.etree import ElementTree
for g in ElementTree.parse(sys.stdin).iter("{http://www.w3.org/2000/svg}g"):
    if "data-w" in g.attrib:
        title = g.find("{http://www.w3.org/2000/svg}title").text.split("\n")
        print(g.get("data-s"), g.get("data-w"), g.get("class"), *title)' | sort -k 1,2n
}

@test "the graph is the second profile's, coloured, with the gone frames beside it" {
	"$flamectl" diff before after > diff.svg
	frames < diff.svg > drawn
	cat > expected <<-'END'
	0 120 gone old gone, was 60.00 %
	0 120 same [gone] what A has and B does not have
	0 120 same sh 0.00, from 100.00 to 100.00 %
	0 320 same all 0.00, from 100.00 to 100.00 %
	120 100 grew5 new new, 50.00 %
	120 200 same sh 0.00, from 100.00 to 100.00 %
	220 100 grew2 read +10.00, from 40.00 to 50.00 %
	220 90 grew3 copy +15.00, from 30.00 to 45.00 %
	END
	diff <(sort expected) <(sort drawn)
	grep -q '>A has 100 samples, B 200 samples, compared by their shares<' diff.svg
	"$flamectl" diff --no-normalize before after | frames | grep -x '160 100 grew4 read +60, from 40 to 100 samples'
	sed 's/$/000/' after | "$flamectl" diff before - > diff.svg
	grep -q '>A has 100 samples, B 200,000 samples, compared by their shares<' diff.svg
}

@test "narrow frames are reported with their share" {
	echo 'all;x 1000000' > much
	(echo 'all;x 60000'; echo 'all;y 50'; seq -f 'all;n%g 1' 900) > little
	"$flamectl" diff much little | frames | grep -x '0 90000 [a-z0-9]* \[900 narrow frames\] 1.48 %'
}

@test "with --negate and the files swapped, red frames are still those that grew" {
	"$flamectl" diff --negate after before > negated.svg
	frames < negated.svg > drawn
	# only "old" is gone in the second file, and only "new" in the first
	grep -qx '.* shrank5 old new, 60.00 %' drawn
	grep -qx '.* gone new gone, was 50.00 %' drawn
	grep -qx '.* grew2 read -10.00, from 50.00 to 40.00 %' drawn
	grep -qx '.* grew3 copy -15.00, from 45.00 to 30.00 %' drawn
	# the legend says the same
	python3 - <<-'END'
	from xml.etree import ElementTree
	at = "{http://www.w3.org/2000/svg}"
	legend = next(g for g in ElementTree.parse("negated.svg").iter(at + "g") if g.get("class") == "legend")
	boxes, texts = legend.findall(at + "rect"), legend.findall(at + "text")
	told = {text.text: box.get("class").split()[0] for box, text in zip(boxes, texts)}
	assert told == {"grew": "shrank4", "new": "shrank5", "same": "same", "shrank": "grew4", "gone": "gone"}, told
	END
	run -2 "$flamectl" diff --negate --text after before
	[[ ${lines[0]} = 'flamectl: --negate is for the graph'* ]]
}

@test "a profile does not differ from itself" {
	"$flamectl" diff "$saved" "$saved" > diff.svg
	run ! grep -qE '<g class="(grew|shrank|gone)' diff.svg
	grep -q '>stored 198<' diff.svg
	"$flamectl" diff --text "$saved" "$saved" > table
	grep -qE '^ +100\.00 +100\.00 +0\.00 +\[[0-9]+ functions that changed less\]$' table
	[ "$(wc -l < table)" -eq 2 ]
}

@test "the table has the shares that report has" {
	"$flamectl" diff --text --threshold 0 before after > table
	grep -qx ' *0\.00 *50\.00 *+50\.00 *0\.00 *50\.00 *+50\.00  new' table
	"$flamectl" report --flat --threshold 0 before | grep -v '^#' |
		awk '{ print $6, $1, $4 }' | sort > of-a
	grep -v '^#' table | awk '$4 > 0 { print $7, $1, $4 }' | sort | diff of-a -
	"$flamectl" report --flat --threshold 0 after | grep -v '^#' |
		awk '{ print $6, $1, $4 }' | sort > of-b
	grep -v '^#' table | awk '$5 > 0 { print $7, $2, $5 }' | sort | diff of-b -
}

@test "both are selected from, folded text and profiles are compared" {
	"$flamectl" diff --text --focus read --threshold 0 before after > table
	grep -qx ' *25\.00 *10\.00 *-15\.00 *100\.00 *100\.00 *0\.00  read' table
	"$flamectl" dump -i "$saved" > folded
	"$flamectl" diff --text --exclude '^.lost' "$saved" folded > table
	run ! grep -q lost table
	"$flamectl" diff --text - after < before | cmp - <("$flamectl" diff --text before after)
	"$flamectl" diff --text before - < after | cmp - <("$flamectl" diff --text before after)
}

@test "what cannot be compared is refused" {
	refused 'diff compares two files, and 1 is named' diff before
	refused 'diff compares two files, and 3 are named' diff before after before
	refused 'A and B cannot both be standard input: name a file for one of them' diff - -
	refused '--threshold works only with --text: add --text, or leave it out' diff --threshold 1 before after
	refused '--by is for the graph, but --text prints a table: leave out one of them' diff --text --by cpu before after
	refused '--threshold x: give a share from 0 to 100 percent, such as 0.5, with at most four digits after the point' diff --threshold x before after
	refused '--width 1: a whole number from 320 to 100000' diff --width 1 before after
	refused '--weight works on saved profiles; after is folded text, whose stacks and weights cannot be changed: leave it out' diff --weight count "$saved" after
	refused '--cpu works on saved profiles; before is folded text, whose stacks and weights cannot be changed: leave it out' diff --cpu 0 before after
}

@test "bad input leaves the existing file" {
	echo old > out
	echo 'a;b x' > bad
	: > empty
	for pair in "bad after" "before bad" "before none" "empty after" "before empty"; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr "$flamectl" diff $pair -o out
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		# shellcheck disable=SC2086 # words
		run -1 "$flamectl" diff --text $pair -o out
		[ "$(cat out)" = old ]
	done
	run -1 --separate-stderr "$flamectl" diff before empty
	[ "$stderr" = 'flamectl: cannot compare A, before, with B, empty: B is empty: see what the program that was to write it reported' ]
	echo 'a;b 0' > weightless
	run -1 --separate-stderr "$flamectl" diff before weightless
	[ "$stderr" = 'flamectl: cannot compare A, before, with B, weightless: B has no stack with a weight above 0' ]
	run -1 --separate-stderr "$flamectl" diff before after -o /dev/full
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	run -1 --separate-stderr "$flamectl" diff --text before after -o /dev/full
	[ "$stderr" = 'flamectl: cannot write /dev/full: No space left on device' ]
	[ "$(find . -name '.*' -type f | wc -l)" -eq 0 ]
}

@test "hostile names are drawn and printed as text" {
	python3 "$hostile_py" names | gzip > $'e\e[31m\u202e.gz'
	"$flamectl" diff before $'e\e[31m\u202e.gz' --title $'\e]0;x\a<script>' > diff.svg
	python3 "$harmless_py" < diff.svg
	frames < diff.svg | grep -q 'onload="window.pwned=1 new, '
	"$flamectl" diff --text $'e\e[31m\u202e.gz' before | python3 "$harmless_py"
	run -1 --separate-stderr "$flamectl" diff $'none\e[1m' before
	python3 "$harmless_py" <<< "$stderr"
}

# differ MESSAGE ARGUMENT...
differ() {
	local message=$1
	shift
	run -1 --separate-stderr "$flamectl" diff "$@" -o none
	[[ $stderr = 'flamectl: cannot compare A, '*": $message" ]] || { echo "$stderr"; false; }
	[ ! -e none ]
}

@test "weights that differ in unit or period are compared by shares only, or not at all" {
	load foreign.bash
	foreign inuse_space bytes 400 | gzip > heap
	foreign cpu nanoseconds 4000000 | gzip > time
	foreign delay nanoseconds 4000000 | gzip > delay
	"$flamectl" import --from folded -F 100 -o a100 before
	"$flamectl" import --from folded -F 1000 -o b1000 after
	"$flamectl" import --from folded -o a before
	shares='leave out --no-normalize to compare shares'
	differ "weights of A are periods of 10000000 ns, those of B are periods of 1000000 ns; $shares" --no-normalize a100 b1000
	differ "weights of A are periods of 10000000 ns, those of B are samples; $shares" --no-normalize --text a100 a
	differ "weights of A are periods of 1000000 ns, those of B are nanoseconds; $shares" --no-normalize b1000 time
	differ "weights of A are of an unknown unit, as in all folded text, those of B are periods of 1000000 ns; $shares" --no-normalize before b1000
	for pair in "a100 a100" "a before" "before after" "time time" "--weight count a100 b1000"; do
		# shellcheck disable=SC2086 # words
		"$flamectl" diff --no-normalize -o same $pair
	done
	# shares can be compared if both have the same kind of weight
	for pair in "a100 b1000" "a100 a" "time b1000" "heap before" "delay delay"; do
		# shellcheck disable=SC2086 # words
		"$flamectl" diff -o same $pair
	done
	things='different events or units cannot be compared'
	differ "weights of A are inuse_space in bytes, those of B are periods of 1000000 ns; $things" heap b1000
	differ "weights of A are nanoseconds, those of B are delay in nanoseconds; $things" time delay
}
