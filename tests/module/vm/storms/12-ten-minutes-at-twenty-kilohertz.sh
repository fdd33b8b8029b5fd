# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# guest: -c 2 -m 1G -f /usr/bin/stress-ng:/usr/bin/stress-ng
# limit: 1500
# takes: 30
#
# The highest rate on every CPU, under stress-ng: there is no lockup and no stall (the
# check of the kernel's log detects both), and lost periods are counted.
# shellcheck source=tests/module/vm/storms/storm.sh
. /tests/module/vm/storm.sh

seconds=$(times 600 20)
load hz=20000
(while sleep 1; do flamectl dump >"$OUT/under-way.folded" 2>/dev/null; done) & reader=$!
began=$(uptime_ms)
ok "stress-ng ran, $seconds seconds" timeout $((seconds * 2 + 60)) stress-ng --quiet \
	--fork 1 --mmap 1 --mmap-bytes 32M --pipe 1 --sock 1 --vm 1 --vm-bytes 64M \
	--hrtimers 1 --temp-path /tmp --timeout "$seconds"
took_ms=$(($(uptime_ms) - began))
kill $reader
wait $reader 2>/dev/null
holds 'it took the time it was given' "$took_ms > 900 * $seconds"
books_right stressed
json="$OUT/stressed.json"
diag "$(what '[.books.fires, .books.missed, .books.stored] | "fires, missed, stored: \(.)"' "$json")" \
	"lost: $(what '.books.lost | tostring' "$json")"
# 20 kHz on two CPUs all the time, by the clock
holds 'each CPU was sampled all the while' "$(what .books.expected "$json") > 2 * 20 * $took_ms"
for stressor in fork mmap pipe sock vm hrtimers; do
	holds "stress-ng-$stressor was seen" \
		"$(folded_match "^stress-ng-${stressor:0:5}" "$OUT/stressed.folded") > 0"
done
finish
