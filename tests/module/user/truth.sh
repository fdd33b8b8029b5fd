# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by truth and truth-arm64: builds the witness, and judges what whole.c found.
here=tests/module/user
# shellcheck disable=SC2034
flags=(-O2 -Wall -Wextra -Werror -D_GNU_SOURCE)

# build_witness KERNEL DIRECTORY ARGUMENT...: build it for a kernel with these arguments of
# make; always afresh, because it uses the module's headers
build_witness() {
	local kernel=$1 to out=$2
	shift 2

	to=$PWD/out/build/$(lab/kernel "$kernel")/witness
	rm -rf "$to"
	cp -r "$here/witness" "$to" &&
		make -C "$(lab/kernel -d "$kernel")" CONFIG_DEBUG_INFO_BTF_MODULES= M="$to" "$@" modules &&
		mv "$to/witness.ko" "$out/"
}

# column NAME PROGRAM: a figure of whole.c
column() { awk -F'\t' -v name="$2" -v what="$1" '$1 == name { for (i = 2; i <= NF; i++)
	if ($i ~ "^[0-9]+ " what "$") { print $i + 0; exit } }' <<<"$output"; }

# judge NR COPIES PROGRAM...: check that at least NR stacks were compared, some of each program,
# of which more than COPIES were walked by the worker, and that none was different
judge() {
	local least=$1 copies=$2 sums=$output program
	shift 2

	for program; do
		output=$sums
		holds "$program: stacks were compared" "$(column compared "$program.kept") >= 100"
	done
	output=$sums
	holds "at least $least were compared" "$(column compared all) >= $least"
	holds 'some of them in a copy, by the worker' "$(column copies all) > $copies"
	holds 'few could not be compared' \
		"$(column gone all) + $(column changed all) + $(column cut all) + $(column guessed all) < 0.1 * $(column whole all)"
	is 'none was different' "$(column differ all)" 0
}
