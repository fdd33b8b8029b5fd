# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 900
# takes: 90
#
# record --only samples all of the command's descendants, however they were created,
# and no other process. Their comms are kin and kin-shell. Others, called strangers,
# work and fork at the same time.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

cp /root/family /root/kin
cp /root/family /root/stranger
cp "$(command -v bash)" /root/kin-shell
cd /root || exit

# One command with each kind of descendant.
cat >/root/everything <<'END'
/root/kin work 100 | /root/kin work 100 | /root/kin work 100
(/root/kin work 50; /root/kin forks 100) &
/root/kin threads 4 50
/root/kin vfork 3 50
/root/kin spawn 3 50
/root/kin daemon 200
for i in 1 2 3; do (for ((j = 0; j < 2000; j++)); do :; done); done
wait
END

# In make check they pause, as two guests share two CPUs.
rest=:
[ "${STORM:-}" != small ] || rest='sleep 0.2'
strangers() {
	set -m
	yielding bash -c "while :; do /root/stranger forks 20; /root/stranger vfork 2 20; $rest; done" &
	strangers=$!
	set +m
}
strangers_stop() {
	{
		kill -KILL -- "-$strangers"
		wait "$strangers"
	} 2>/dev/null
}
trap strangers_stop EXIT

# the commands of recorders that were killed
kin_ends() { grep -lx kin /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3 | xargs -r kill -KILL; }

# by_comm PROFILE COMM-REGEX: print the periods of comms that match
by_comm() { flamectl dump -i "$1" --by comm | folded_match "^($2);" -; }

# sums COMM...: print for each of these comms its periods in the folded stacks on standard
# input, but those in do_exit(). A command still runs there for a moment after its parent
# knows of its end and the recording has ended.
sums() {
	awk -F ';' -v comms=" $* " '
		index(comms, " " $1 " ") && !/;do_exit[; ]/ {
			comm = $1
			sub(/.* /, "")
			sum[comm] += $0
		}
		END {
			nr = split(comms, names, " ")
			for (i = 1; i <= nr; i++)
				printf "%s %.0f\n", names[i], sum[names[i]]
		}'
}

# all_of DESCRIPTION NAME COMM...: check that NAME.pb.gz has each period of these comms
# that is in $OUT/total
all_of() {
	local description=$1 name=$2
	shift 2
	is "$description" "$(flamectl dump -i "$OUT/$name.pb.gz" --by comm | sums "$@")" "$(sums "$@" <"$OUT/total")"
	unlike "$description: there are some" "$(sums "$@" <"$OUT/total")" ' 0$'
}

# checks NAME: check that the command's profile adds up and has no other processes
checks() {
	unfold "$OUT/$1"
	books_balance "$1" "$OUT/$1.json"
	is "$1: the stacks sum to the books" "$(folded_sum "$OUT/$1.folded")" "$(stored_and_lost "$OUT/$1.json")"
	is "$1: nobody else is in it" \
		"$(flamectl dump -i "$OUT/$1.pb.gz" --by comm | grep -vcE '^(kin|kin-shell);|^\[lost')" 0
	holds "$1: others were left out" "$(what .books.filtered "$OUT/$1.json") > 0"
	is "$1: it says so" "$(what .settings.followed_only "$OUT/$1.json")" true
}

# make check is satisfied with fewer
forks=10000
[ "${STORM:-}" != small ] || forks=900

load autostart=0 "${kernel_half[@]}"
record=(flamectl record "${record_kernel_half[@]}")
strangers

# If sampling is stopped, record starts it for the command alone.
exits 2 '--only without a command is refused' flamectl record --only -d 1s -o "$OUT/none.pb.gz"
exits 0 'only the command is recorded' "${record[@]}" --only -o "$OUT/alone.pb.gz" -- /root/kin-shell /root/everything
checks alone
# 1.3 s of CPU time, of which some periods may be lost
holds 'the profile has its samples' "$(by_comm "$OUT/alone.pb.gz" kin) > 0.5 * 997"
holds 'and those of its shell' "$(by_comm "$OUT/alone.pb.gz" kin-shell) > 0"
is 'the module has stored no other process either' \
	"$(flamectl dump --by comm | grep -vcE '^(kin|kin-shell|\(flamectl\));|^\[lost')" 0
is 'nobody is followed any more' "$(flamectl status --json | jq -c '[.followed, .settings.followed_only]')" '[0,false]'
exits 1 'followed-only without a followed process is refused' flamectl start followed-only=1
like 'with the module'"'"'s message' "$output" 'followed-only: no process is followed'
exits 7 'the exit status is the command'"'"'s' "${record[@]}" --only -o "$OUT/seven.pb.gz" -- sh -c 'exit 7'
exits 127 'a command that does not exist fails' "${record[@]}" --only -o "$OUT/none.pb.gz" -- /no/such/command
is 'is not followed' "$(flamectl status --json | jq .followed)" 0

# If sampling runs already, others see everything as before.
flamectl reset
flamectl start
"${record[@]}" -o "$OUT/all.pb.gz" & all=$!
exits 0 'only the command is recorded while others sample' \
	"${record[@]}" --only -o "$OUT/beside.pb.gz" -- /root/kin-shell /root/everything
kill -INT $all
wait $all
checks beside
unfold "$OUT/all"
books_balance all "$OUT/all.json"
is 'sampling goes on' "$(flamectl status --json | jq .running)" true
is 'the others'"'"' books have nothing filtered' "$(what .books.filtered "$OUT/all.json")" 0
holds 'the others see strangers' "$(by_comm "$OUT/all.pb.gz" stranger) > 0"
flamectl stop
flamectl dump --by comm >"$OUT/total"
all_of 'each period of kin and kin-shell is in the profile of the command' beside kin kin-shell

# In slices, the same.
flamectl reset
flamectl start
exits 0 'in slices' "${record[@]}" --only --slices 100ms -o "$OUT/slices.pb.gz" -- /root/kin-shell /root/everything
checks slices
flamectl stop
flamectl dump --by comm >"$OUT/total"
all_of 'in slices: each period of kin is in it' slices kin

# Both reuse ids again and again.
echo 500 >/proc/sys/kernel/pid_max
flamectl reset
flamectl start
exits 0 'with few ids' "${record[@]}" --only -o "$OUT/reuse.pb.gz" -- /root/kin forks $((forks / 3))
checks reuse
flamectl stop
flamectl dump --by comm >"$OUT/total"
all_of 'with few ids: each period of kin is in it' reuse kin
echo 32768 >/proc/sys/kernel/pid_max

# Many forks in a pid namespace with other ids.
flamectl reset
flamectl start
exits 0 "$forks forks, from a pid namespace" \
	unshare --pid --fork --mount-proc "${record[@]}" --only -o "$OUT/forks.pb.gz" -- /root/kin forks $forks
checks forks
flamectl stop
flamectl dump --by comm >"$OUT/total"
all_of "$forks forks: each period of kin is in it" forks kin

# Only one at a time; a second does not disturb the first.
"${record[@]}" --only -o "$OUT/first.pb.gz" -- /root/kin work 3000 & first=$!
ok 'the first follows' wait_for 20 sh -c 'flamectl status --json | jq -e ".followed > 0"'
exits 1 'a second' "${record[@]}" --only -o "$OUT/none.pb.gz" -- /root/kin work 100
like 'is refused' "$output" 'another process is followed'
wait $first
checks first
holds 'the first has all of its samples' "$(by_comm "$OUT/first.pb.gz" kin) > 0.5 * 3 * 997"

# A recorder that was killed does not hinder the next one.
"${record[@]}" --only -o "$OUT/none.pb.gz" -- /root/kin work 100000 & killed=$!
ok 'a recorder follows' wait_for 20 sh -c 'flamectl status --json | jq -e ".followed > 0"'
kill -KILL $killed
wait $killed
kin_ends
exits 0 'and the next takes over' "${record[@]}" --only -o "$OUT/next.pb.gz" -- /root/kin work 500
checks next
holds 'the next has all of its samples' "$(by_comm "$OUT/next.pb.gz" kin) > 0.5 * 0.5 * 997"
flamectl stop 2>/dev/null

# The module is unloaded while it follows.
flamectl reset
memory=$(flamectl status --json | jq .memory_bytes)
"${record[@]}" --only -o "$OUT/none.pb.gz" -- /root/kin work 100000 & last=$!
ok 'the last follows' wait_for 20 sh -c 'flamectl status --json | jq -e ".followed > 0"'
holds 'its memory is counted' "$(flamectl status --json | jq .memory_bytes) >= $memory + 4194304 / 8"
ok 'unloaded while it follows' unload_when_free
kill -KILL $last
wait $last
kin_ends
unload 2>/dev/null
finish
