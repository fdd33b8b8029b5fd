#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cost-guest.sh ROUNDS: in a guest that counts instructions, what a sample
# costs. Each way of sampling does the same work; what it took longer than
# without the module is divided by the timer's fires.
set -eu
rounds=$1
status=/sys/kernel/debug/flamemod/status

fires() { sed -n 's/^total .* fires \([0-9]*\) .*/\1/p' $status; }

# measure PARAMETER: the line of the table
measure() {
	insmod /root/flamemod.ko hz=9970 "$1"
	before=$(fires)
	took=$(/root/mix "$rounds")
	after=$(fires)
	frames=$(awk '{ n = $NF; k = split($0, part, ";") - 1
		if ($0 !~ /;\[user\]/ && $0 ~ /^mix;/) { all += n * k; sum += n } }
		END { printf "%.1f", sum ? all / sum : 0 }' /sys/kernel/debug/flamemod/folded)
	rmmod flamemod
	echo "$1 $took $base $((after - before)) $frames" | awk '{
		printf "%-34s %8d %12.0f %8.1f\n", $1, $4, ($2 - $3) / $4, $5 }'
}

/root/mix "$rounds" >/dev/null	# caches of the kernel fill up
base=$(/root/mix "$rounds")
again=$(/root/mix "$rounds")
echo "$base $again" | awk '{ printf "the work alone: %d and %d instructions, %.3f %% apart\n",
	$1, $2, 100 * ($2 > $1 ? $2 - $1 : $1 - $2) / $1 }'
printf '%-34s %8s %12s %8s\n' 'with' fires instructions frames
measure unwinder=portable
measure unwinder=auto
measure unwinder=auto
