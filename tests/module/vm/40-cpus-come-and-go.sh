# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 30
# guest: -c 3 -m 1G
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

cpu() { echo "$2" >"/sys/devices/system/cpu/cpu$1/online"; }
cpu_value() { jq ".cpus[] | select(.cpu == $1) | (.books // .) | $2" "$3"; }

load hz=997 "${kernel_half[@]}"
load_start
sleep 1
ok 'a sampled CPU goes offline' cpu 2 0
flamectl status --json >"$OUT/off.json"
sleep 1
flamectl status --json >"$OUT/still-off.json"
is 'its books are kept, and do not change' \
	"$(cpu_value 2 '[.expected, .fires, .missed, .stored]' "$OUT/still-off.json" | tr -d ' \n')" \
	"$(cpu_value 2 '[.expected, .fires, .missed, .stored]' "$OUT/off.json" | tr -d ' \n')"
holds 'they are not empty' "$(cpu_value 2 .fires "$OUT/off.json") > 0"
ok 'it comes back' cpu 2 1
sleep 1
flamectl status --json >"$OUT/on.json"
holds 'and is sampled again' \
	"$(cpu_value 2 .fires "$OUT/on.json") > $(cpu_value 2 .fires "$OUT/off.json")"

# make check is satisfied with fewer
rounds=10
[ "${STORM:-}" != small ] || rounds=4
for ((i = 0; i < rounds; i++)); do
	cpu 2 0
	cpu 1 0
	cpu 2 1
	flamectl dump >/dev/null || break
	cpu 1 1
done
load_stop
is 'all CPUs are back' "$(nproc)" 3
flamectl stop
flamectl dump --by comm,cpu >"$OUT/folded"
flamectl status --json >"$OUT/status.json"
books_balance "after $((2 * rounds)) times off and on" "$OUT/status.json"
clock_agrees "after $((2 * rounds)) times off and on" "$OUT/status.json"
is 'the stacks sum to what the books say' \
	"$(folded_sum "$OUT/folded")" "$(stored_and_lost "$OUT/status.json")"

# Loaded and started while a CPU is offline, it samples the CPU when it comes online.
unload
cpu 1 0
load hz=997
sleep 0.5
cpu 1 1
sleep 1
flamectl status --json >"$OUT/late.json"
holds 'a CPU that comes later is sampled' "$(cpu_value 1 .fires "$OUT/late.json") > 0"
cpu 2 0
ok 'it unloads while a CPU is off' rmmod flamemod
cpu 2 1
finish
