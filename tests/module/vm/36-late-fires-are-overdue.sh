# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
# takes: 25
#
# If a fire is late when a window ends, it is overdue in that window and counted in the
# next one. Each of a thousand such windows adds up exactly.
#
# CPU 1 has interrupts off nearly all the time, 5 ms at a time. When they are on again,
# CPU 0's request to swap CPU 1's tables runs before the timer's interrupt, which has
# the lower priority.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

burner_start() {
	taskset 2 sh -c 'while :; do echo 500 >/sys/module/burn/parameters/irqs_off_ms; done' &
	burner=$!
}
burner_stop() { kill "$burner"; wait "$burner" 2>/dev/null; }

# one_window: append each CPU's current books to $windows as a line, without output or
# a new process. $late counts the windows in which CPU 1 has an overdue fire.
one_window() {
	local line lines

	# at once: "read" would make the module write all of it again for each line
	mapfile -t lines <"$debugfs/status"
	for line in "${lines[@]}"; do
		[[ $line = cpu* ]] || continue
		echo "$line"
		[[ $line != cpu1\ *' overdue 0 '* ]] || continue
		[[ $line != cpu1\ * ]] || late=$((late + 1))
	done >>"$windows"
}

# off_by FILE: print the windows between two lines that do not add up exactly, or that
# are empty
off_by() {
	awk '{
		for (i = 2; i < NF; i += 2)
			now[$i] = $(i + 1)
		off = now["expected"] - now["fires"] - now["missed"] - now["overdue"]
		window = off - before[$1]
		if (!("overdue" in now) || off > 1 || off < -1 || window > 1 || window < -1)
			print NR ": " $0
		before[$1] = off
	}' "$1"
}

load hz=997 "${kernel_half[@]}"
insmod /root/burn.ko
taskset -p 1 $$ >/dev/null
burner_start
# make check is satisfied with fewer
enough=1000
resets=20
[ "${STORM:-}" != small ] || enough=50 resets=10
windows=$OUT/windows late=0 looks=0
while [ $late -lt $enough ] && [ $looks -lt 6000 ]; do
	one_window
	looks=$((looks + 1))
done
diag "$looks windows, of which $late ended with a fire of CPU 1 overdue"
holds "$enough windows ended with a late fire" "$late >= $enough"
is 'each adds up exactly' "$(off_by "$windows" | head -n 5)" ''

# Windows that start with a reset: an overdue fire was expected before the reset and is
# counted after it, so the windows still match the clock.
late=0
for i in $(seq $resets); do
	flamectl dump --reset -o "$OUT/reset.folded" >/dev/null 2>&1
	flamectl status --json >"$OUT/reset-$i.json"
	[ "$(what '[.cpus[].overdue | fabs] | add' "$OUT/reset-$i.json")" = 0 ] || late=$((late + 1))
	off=$(what '[.cpus[] | .expected - .fires - .missed - .overdue | fabs] | max' "$OUT/reset-$i.json")
	[ "$off" -le 1 ] || diag "window $i after a reset is off by $off"
	rm "$OUT/reset-$i.json"
	[ "$off" -le 1 ] || break
done
diag "$late of $resets windows after a reset began or ended with a late fire"
is 'each window after a reset adds up exactly' "$i, off by $off" "$resets, off by 0"
holds 'some of them started or ended with a late fire' "$late > 0"

# A saved recording, as a whole and cut by time.
ok 'a recording is made' flamectl record -d 4s --slices 200ms -o "$OUT/recorded.pb.gz"
unfold "$OUT/recorded"
books_balance 'recorded' "$OUT/recorded.json"
clock_agrees 'recorded' "$OUT/recorded.json"
bad=''
for i in $(seq 0 4 16); do
	flamectl export --to pprof --range "$((200 * i + 1))ms,$((200 * i + 199))ms" \
		-o "$OUT/slice.pb.gz" "$OUT/recorded.pb.gz" || bad="$bad $i: no slice"
	flamectl status --json -i "$OUT/slice.pb.gz" >"$OUT/slice.json"
	off=$(what '[.cpus[] | .expected - .fires - .missed - .overdue | fabs] | max' "$OUT/slice.json")
	[ "$off" -le 1 ] || bad="$bad $i: $off"
done
is 'each slice of it adds up' "$bad" ''

# A stop waits for overdue fires.
flamectl stop
burner_stop
flamectl status --json >"$OUT/stopped.json"
clock_agrees 'stopped' "$OUT/stopped.json"
# CPU 1 has no overdue fire when it comes back
flamectl reset
flamectl start
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
flamectl status --json >"$OUT/hotplug.json"
books_balance 'gone and back' "$OUT/hotplug.json"
clock_agrees 'gone and back' "$OUT/hotplug.json"
ok 'burn is unloaded' rmmod burn
ok 'unloaded' unload
finish
