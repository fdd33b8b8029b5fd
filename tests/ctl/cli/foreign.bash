# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Make other programs' pprof files, byte by byte, for tests that load this.

varint() {
	local rest=$1

	while ((rest > 127)); do
		printf '%b' "\\x$(printf %x $((rest & 127 | 128)))"
		((rest >>= 7))
	done
	printf '%b' "\\x$(printf %x "$rest")"
}

# foreign TYPE UNIT WEIGHT: print a pprof file with one stack, "main", of that weight
foreign() {
	local size text

	size=$(varint "$3" | wc -c)
	# sample_type, sample, location and function, then the strings, of which 1 to 3 are named
	printf '\x0a\x04\x08\x01\x10\x02'
	printf '%b' "\\x12\\x$(printf %x $((5 + size)))\\x0a\\x01\\x01\\x12\\x$(printf %x "$size")"
	varint "$3"
	printf '\x22\x06\x08\x01\x22\x02\x08\x01\x2a\x04\x08\x01\x10\x03'
	for text in '' "$1" "$2" main; do
		printf '\x32'
		varint ${#text}
		printf '%s' "$text"
	done
}
