# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 40
# main path
#
# Each task's time is that of the cgroup it is in, under the path of the cgroup, also after
# that is gone. The kernel's own account of each cgroup (cpu.stat) says the same.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

root=/sys/fs/cgroup
seconds=4
[ "${STORM:-}" != small ] || seconds=2

# busy CGROUP: run a process that never sleeps on CPU 0 in a cgroup; its id goes to $pid
pids=()
busy() {
	mkdir -p "$root/$1"
	# shellcheck disable=SC2016 # the shell in between expands it
	taskset -c 0 bash -c 'echo $$ >"$1/cgroup.procs" && exec bash -c "while :; do :; done"' \
		busy "$root/$1" &
	pid=$!
	pids+=("$pid")
	# a slow guest takes long to start it
	wait_for 10 grep -qx "$pid" "$root/$1/cgroup.procs"
}
quit() { [ ${#pids[@]} = 0 ] || { kill -KILL "${pids[@]}" && wait "${pids[@]}"; } 2>/dev/null; pids=(); }
trap quit EXIT

# used CGROUP: microseconds that it and those below it ran, by the kernel's account
used() { awk '$1 == "usage_usec" { print $2 }' "$root/$1/cpu.stat"; }

# of FILE CGROUP: the periods of a dump by cgroup alone of exactly this one
of() { folded_match "^$2[; ]" "$1"; }

# below NAME CGROUP: what flamectl selects of it and those below it, in periods
below() { flamectl dump -i "$OUT/$1.pb.gz" --cgroup "$2" | folded_sum -; }

load autostart=0

# Without a mount of cgroup2 there is only the root.
flamectl start
taskset -c 0 bash -c 'for ((i = 0; i < 100000; i++)); do :; done'
flamectl stop
ok "without cgroup2: a view by cgroup" flamectl report live --by cgroup
like "without cgroup2: it says why there is only /" "$output" \
	'all tasks are in the cgroup /: .*cgroup v1 only'
mount -t cgroup2 none "$root" || diag "cannot mount cgroup2"

# Three to one on one CPU, of which one in a cgroup below.
busy heavy
busy heavy
busy heavy/inner
busy light
ok "record" flamectl record -F 997 -d $seconds -o "$OUT/known.pb.gz"
flamectl dump -i "$OUT/known.pb.gz" --by cgroup >"$OUT/known.folded"
flamectl status --json -i "$OUT/known.pb.gz" >"$OUT/known.json"
books_balance known "$OUT/known.json"
is "by cgroup: the stacks sum to the books" "$(folded_sum "$OUT/known.folded")" \
	"$(stored_and_lost "$OUT/known.json")"
heavy=$(below known heavy) light=$(below known /light) inner=$(below known heavy/inner)
diag "heavy $heavy light $light inner $inner periods"
# The scheduler of a busy host is not as even as that; cpu.stat is compared below.
holds "the subtree has three times as much, give or take a sixth" \
	"$heavy > 2.5 * $light && $heavy < 3.5 * $light"
holds "the nested cgroup has a third of it" "$inner > 0.27 * $heavy && $inner < 0.4 * $heavy"
is "a subtree is its cgroups together" "$heavy" \
	"$(($(of "$OUT/known.folded" /heavy) + $(of "$OUT/known.folded" /heavy/inner)))"
ok "kernel threads are in the root" grep -qE '^/[; ]' "$OUT/known.folded"
is "all of it is of a cgroup, or idle" \
	"$(grep -vE '^(/[^;]*|\[idle\]|\[lost: .*);?' "$OUT/known.folded")" ''
is "no cgroup is gone or had no room" "$(grep -cE '\((gone|elsewhere)\)|other cgroups' "$OUT/known.folded")" 0
is "a cgroup that starts alike is another one" "$(below known heav)" 0

# What the kernel accounts for each, and what was sampled, over the same time.
flamectl reset
before=$(used heavy) before_light=$(used light)
flamectl start
sleep $seconds
flamectl stop
heavy=$(($(used heavy) - before)) light=$(($(used light) - before_light))
flamectl export -t pprof -o "$OUT/account.pb.gz" live
near "shares are those of cpu.stat" \
	"$(awk "BEGIN { print $(below account heavy) / $(below account light) }")" \
	"$(awk "BEGIN { print $heavy / $light }")" 0.1

# A task that is moved counts in both, for as long as it was in each.
flamectl reset
flamectl start
sleep 1
echo "$pid" >"$root/heavy/inner/cgroup.procs"
sleep 1
flamectl stop
flamectl dump --by cgroup,pid >"$OUT/moved.folded"
ok "moved: it was in the one" grep -q "^/light;pid $pid;" "$OUT/moved.folded"
ok "moved: and in the other" grep -q "^/heavy/inner;pid $pid;" "$OUT/moved.folded"
quit

# Containers have short names.
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
busy "system.slice/docker-$id.scope"
flamectl reset
flamectl start
sleep 1
flamectl stop
ok "container: report" flamectl report live --by cgroup --cgroup 0123456789abc
like "container: it has its short name" "$output" 'docker 0123456789ab$|docker 0123456789ab '
# With the capability alone.
ok "container: with CAP_PERFMON alone" setpriv --reuid=65534 --regid=65534 --clear-groups \
	--inh-caps=-all,+perfmon --ambient-caps=+perfmon flamectl dump --by cgroup
like "container: the path is found, too" "$output" '^docker 0123456789ab;'
flamectl export -t pprof -o "$OUT/container.pb.gz" live
is "container: the file has the full path" \
	"$(bytes_of "$OUT/container.pb.gz" | grep -cF "/system.slice/docker-$id.scope")" 1

# Time off the CPU is of the same cgroups, so that all time can be spread over the samples.
ok "record --wall" flamectl record --wall -p "$pid" -d 2 -o "$OUT/wall.pb.gz"
flamectl dump -i "$OUT/wall.pb.gz" --cgroup "system.slice" --by cgroup >"$OUT/wall.folded"
holds "wall: the stacks of a busy task have its time" \
	"$(grep -v '\[on-cpu\]' "$OUT/wall.folded" | folded_sum -) > 0.9 * $(folded_sum "$OUT/wall.folded")"
flamectl dump --by cgroup "$OUT/wall.pb.gz" >"$OUT/wall.folded"
holds "wall: none of its time is a task's of a cgroup without a name" \
	"$(grep -v '\[on-cpu\]' "$OUT/wall.folded" | folded_sum -) > 0.9 * $(folded_sum "$OUT/wall.folded")"
unlike "wall: each cgroup has its name" "$(cut -d ';' -f 1 "$OUT/wall.folded" | sort -u)" '^cgroup [0-9]'
quit

# One that goes before the recording ends.
rm -f /tmp/recorded
{ flamectl record -F 997 -d $((seconds + 4)) -o "$OUT/brief.pb.gz"; echo $? >/tmp/recorded; } 2>/dev/null &
sleep 1
busy brief
sleep 2.5
number=$(stat -c %i "$root/brief")
quit
ok "brief: it is removed" wait_for 5 rmdir "$root/brief"
wait_for 30 test -e /tmp/recorded
flamectl dump -i "$OUT/brief.pb.gz" --by cgroup >"$OUT/brief.folded"
holds "brief: it has its path nevertheless" "$(of "$OUT/brief.folded" /brief) > 500"
# And without a recorder, of which nobody knows the path.
flamectl reset
flamectl start
busy gone
sleep 1
number=$(stat -c %i "$root/gone")
quit
wait_for 5 rmdir "$root/gone"
flamectl stop
flamectl dump --by cgroup >"$OUT/gone.folded"
holds "gone: it is named by its number" "$(of "$OUT/gone.folded" "cgroup $number \(gone\)") > 20"
unload

# More cgroups than a small table holds between two drains: of its 16 slots 8 are used, one of
# them by the root. Drains are late, since real-time tasks leave their worker no CPU; if there
# is none meanwhile, 7 of the 40 are told apart.
load autostart=0 cpu_kb=32 hz=9970 user_stacks=0
flamectl start
# A busy host leaves few samples between two drains: then the ring runs again, and longer.
rings() { grep -oE '^/ring-[0-9]+' "$OUT/many.folded" | sort -u | wc -l; }
for ((tries = 0; tries < 5; tries++)); do
	ok "many: a ring of 40 cgroups" /root/ring "$root" 40 $((seconds * (tries + 1))) alone
	flamectl dump --by cgroup >"$OUT/many.folded"
	[[ $(of "$OUT/many.folded" '\[other cgroups\]') = 0 || $(rings) -lt 7 ]] || break
	# On PREEMPT_RT the ring is slow: too few of it are seen between two drains.
	[[ $(uname -v) != *PREEMPT_RT* ]] || break
done
flamectl stop
flamectl status --json >"$OUT/many.json"
books_balance many "$OUT/many.json"
flamectl dump --by cgroup >"$OUT/many.folded"
is "many: the stacks sum to the books" "$(folded_sum "$OUT/many.folded")" "$(stored_and_lost "$OUT/many.json")"
diag "other cgroups: $(of "$OUT/many.folded" '\[other cgroups\]') of $(folded_match '^/ring-|other cgroups' "$OUT/many.folded") periods"
if [[ $(uname -v) == *PREEMPT_RT* ]]; then
	skip "many: those without room are counted together" "the ring is too slow here"
else
	holds "many: those without room are counted together" \
		"$(of "$OUT/many.folded" '\[other cgroups\]') > 0"
	holds "many: the first ones have their paths all the same" "$(rings) >= 7"
fi
unload
rmdir "$root"/ring-*
load autostart=0 hz=9970 user_stacks=0
flamectl start
ok "room: the same ring" /root/ring "$root" 40 $seconds
flamectl stop
flamectl dump --by cgroup >"$OUT/room.folded"
is "room: a table of the usual size has room for all" "$(of "$OUT/room.folded" '\[other cgroups\]')" 0
holds "room: more are there than a small one holds" \
	"$(grep -oE '^/ring-[0-9]+' "$OUT/room.folded" | sort -u | wc -l) > 16"
rmdir "$root"/ring-*
unload
umount "$root"
finish
