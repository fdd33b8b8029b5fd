#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# program.sh SECONDS: compute with strings, arrays and functions for so long.
# A call takes bash some 20 frames, and a stack has 127 at most.
outer() { inner $(($1 * 2)); }
inner() { result=$(($1 % 7)); }

end=$((SECONDS + $1))
while ((SECONDS < end)); do
	words=()
	for ((i = 0; i < 200; i++)); do
		outer $i
		words+=("${i/7/seven}$result")
	done
	joined=${words[*]}
	: "${joined//[135]/odd}"
done
