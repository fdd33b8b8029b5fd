# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of injected idle time, shared by scenarios with and without a driver of idle states.
# A thread that keeps its CPU idle is charged for the time, under a leaf of its own.

# of FILE REGEX: the weight of the stacks that match
of() { folded_match "$2" "$OUT/$1.folded"; }

# inject NAME MS: record MS of injected idle time on CPU 1
inject() {
	flamectl reset
	flamectl start
	taskset 2 sh -c "echo $2 >/sys/module/doze/parameters/ms"
	flamectl stop
	flamectl dump --by comm,context >"$OUT/$1.folded"
	flamectl dump --by comm,context --no-idle >"$OUT/$1-busy.folded"
	flamectl status --json >"$OUT/$1.json"
}

ms=2400
# CPU 1 may be isolated
load hz=997 autostart=0 cpus=all
ok 'a module that injects idle time is loaded' insmod /root/doze.ko
inject injected $ms
dozed_ms=$(($(</sys/module/doze/parameters/dozed_us) / 1000))
marked=$(of injected '^idle_inj/1;\[task\];.*;\[injected idle\] ')
diag "$dozed_ms ms injected, $marked periods marked; $(of injected '^swapper;\[idle\]') of idle time"
holds 'it is the thread'"'"'s, and marked' \
	"$marked > 0.8 * 0.997 * $dozed_ms && $marked < 1.2 * 0.997 * $dozed_ms"
holds 'below the idle loop, called by play_idle_precise' \
	"$(of injected '^idle_inj/1;.*;play_idle_precise;do_idle;.*;\[injected idle\] ') > 0.9 * $marked"
is 'none of it is charged to the idle task' "$(of injected '^swapper;.*play_idle')" 0
is 'none of it is idle time' "$(of injected '^idle_inj/1;\[idle\]')" 0
is 'none of it is time with interrupts off' "$(of injected '^idle_inj/1;\[task\];.*;do_idle;.*\[irqs-off\]')" 0
is '--no-idle keeps it' "$(of injected-busy ';\[injected idle\] ')" "$marked"
books_balance 'injected' "$OUT/injected.json"
clock_agrees 'injected' "$OUT/injected.json"

flamectl set exclude-idle=1
flamectl reset
inject filtered $ms
holds 'exclude-idle keeps it' "$(of filtered ';\[injected idle\] ') > 0.8 * 0.997 * $ms"
flamectl set exclude-idle=0

# A CPU that was idle takes naps; a thread that injects idle time takes none.
flamectl reset
flamectl start
sleep 4
before=$(what '.cpus[] | select(.cpu == 1) | (.books // .).asleep' <(flamectl status --json))
taskset 2 sh -c "echo $ms >/sys/module/doze/parameters/ms"
flamectl stop
flamectl dump --by comm,context >"$OUT/napping.folded"
flamectl status --json >"$OUT/napping.json"
marked=$(of napping '^idle_inj/1;\[task\];.*;\[injected idle\] ')
diag "CPU 1 had slept through $before periods; $marked marked"
holds 'on a CPU that takes naps, too' "$marked > 0.8 * 0.997 * $ms"
books_balance 'napping' "$OUT/napping.json"
clock_agrees 'napping' "$OUT/napping.json"
ok 'doze is unloaded' rmmod doze
ok 'unloaded' unload
