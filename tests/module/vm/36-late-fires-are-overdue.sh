# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
#
# A fire that is late when a window ends is overdue there, and counts in the next
# one: each of a thousand windows that end so adds up, to the period.
#
# CPU 1 has interrupts off nearly all the time, 5 ms at a time. So a dump that
# CPU 0 asks for swaps CPU 1's tables when they are on again, which is before the
# timer's interrupt that waits as well, as it has the lower priority.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

burner_start() {
	taskset 2 sh -c 'while :; do echo 500 >/sys/module/burn/parameters/irqs_off_ms; done' &
	burner=$!
}
burner_stop() { kill "$burner"; wait "$burner" 2>/dev/null; }

# one_window: the books of each CPU now, in a line of $windows; says nothing and
# starts no process. $late counts those in which CPU 1 has something overdue.
one_window() {
	local line

	while read -r line; do
		[[ $line = cpu* ]] || continue
		echo "$line"
		[[ $line != cpu1\ *' overdue 0 '* ]] || continue
		[[ $line != cpu1\ * ]] || late=$((late + 1))
	done <"$debugfs/status" >>"$windows"
}

# off_by FILE: windows from one look to the next that do not add up to a period,
# or look like none
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

load hz=997
insmod /root/burn.ko
taskset -p 1 $$ >/dev/null
burner_start
windows=$OUT/windows late=0 looks=0
while [ $late -lt 1000 ] && [ $looks -lt 6000 ]; do
	one_window
	looks=$((looks + 1))
done
diag "$looks windows, of which $late ended with a fire of CPU 1 overdue"
holds 'a thousand windows ended with a late fire' "$late >= 1000"
is 'each adds up to a period' "$(off_by "$windows" | head -n 5)" ''

# Windows that a reset begins: what is overdue then is expected before it, and
# counted after it, so that they sum to what the clock tells.
late=0
for i in $(seq 20); do
	flamectl dump --reset -o "$OUT/reset.folded" >/dev/null 2>&1
	flamectl status --json >"$OUT/reset-$i.json"
	[ "$(what '[.cpus[].overdue | fabs] | add' "$OUT/reset-$i.json")" = 0 ] || late=$((late + 1))
	off=$(what '[.cpus[] | .expected - .fires - .missed - .overdue | fabs] | max' "$OUT/reset-$i.json")
	[ "$off" -le 1 ] || diag "window $i after a reset is off by $off"
	rm "$OUT/reset-$i.json"
	[ "$off" -le 1 ] || break
done
diag "$late of 20 windows after a reset began or ended with a late fire"
is 'each window after a reset adds up to a period' "$i, off by $off" "20, off by 0"
holds 'and some of them began or ended with a late fire' "$late > 0"

# What a recording saves, as a whole and cut by time.
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
is 'and so does each slice of it' "$bad" ''

# A stop waits for what is overdue.
flamectl stop
burner_stop
flamectl status --json >"$OUT/stopped.json"
clock_agrees 'stopped' "$OUT/stopped.json"
# CPU 1 comes back with nothing left over
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
