# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# In a guest whose kernel clang optimized when it was linked: tests/module/kernels/lto.
# shellcheck source=tests/module/kernels/guest.sh
. /root/guest.sh

# interrupts_off_marked: time with interrupts off is counted, and marked. To see it, the
# module reads the instruction before the interrupted one, which is aligned to 4 bytes
# only: a read of 8 bytes is a load-acquire too, and would fault at half of these places.
interrupts_off_marked() {
	local burnt_ms all marked

	insmod /root/burn.ko
	flamectl reset
	echo 2000 >/sys/module/burn/parameters/irqs_off_ms
	flamectl stop
	flamectl dump >"$OUT/off.folded"
	flamectl status --json >"$OUT/off.json"
	burnt_ms=$(($(</sys/module/burn/parameters/burnt_us) / 1000))
	all=$(folded_match ';burn_with_interrupts_off \[burn\]( |;)' "$OUT/off.folded")
	marked=$(folded_match ';burn_with_interrupts_off \[burn\];\[irqs-off\] ' "$OUT/off.folded")
	diag "interrupts off: $burnt_ms ms burnt, $all periods, $marked of them marked"
	holds 'time with interrupts off is the function'"'"'s' "$all > 0.9 * $burnt_ms && $all < 1.3 * $burnt_ms"
	holds 'nearly all of it is marked' "$marked > 0.9 * $all"
	is 'it is said that it is recognised here' "$(what .irqs_off_marked "$OUT/off.json")" true
	books_balance 'with interrupts off' "$OUT/off.json"
	clock_agrees 'with interrupts off' "$OUT/off.json"
	ok 'sampling goes on' flamectl start
	ok 'burn is unloaded' rmmod burn
}

like 'it is arm64' "$(uname -m)" '^aarch64$'
like 'the kernel was optimized when it was linked' "$(zcat /proc/config.gz)" 'CONFIG_LTO_CLANG=y'
like 'by clang' "$(</proc/version)" 'clang version'
is 'the portable way is the only one' "$(unwinders | xargs)" portable
load hz=997
exits 0 'doctor finds nothing in the way' flamectl doctor
is 'it samples' "$(flamectl status --json | jq .running)" true
forks_recorded
exits 0 'a command is recorded alone' flamectl record --only -o "$OUT/alone.pb.gz" -- workload run fork 2
unfold "$OUT/alone"
books_balance 'alone' "$OUT/alone.json"
is 'alone: nothing else was' "$(folded_match '^swapper[;/ ]' "$OUT/alone.folded")" 0
interrupts_off_marked
comes_and_goes
finish
