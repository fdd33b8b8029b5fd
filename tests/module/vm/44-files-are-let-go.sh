# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# takes: 40
#
# The module keeps no file: a program that has just ended can be written, deleted, and its
# file system unmounted. Files of FUSE and of a user namespace's file systems are not read.
# With user_any_fs=1 a server that does not answer holds up its own files, and no others.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

if ! user_stacks_exist; then
	skip 'programs are not read' 'there are no user stacks here'
	finish
fi

rate=$((997 / slowness))
here=/tmp/files
mkdir $here

# serve: serve the program with tables apart, without an answer for its tables
serve() {
	/root/stuck "$here/fuse" "$here/tables-apart" 1000000 >"$OUT/stuck.$1" 2>&1 & server=$!
	wait_for 10 test -e "$here/fuse/program"
}

# end_server: the kernel then answers those who wait with an error
end_server() {
	kill "$server"
	{ wait "$server"; } 2>/dev/null
}

# The worker holds a file while it reads it: how often that is noticed, and for how long.
load hz=$rate
busy=0 slow=0 text_busy=0
# make check is satisfied with fewer
rounds=40
[ "${STORM:-}" != small ] || rounds=10
for ((i = 0; i < rounds; i++)); do
	mount -t tmpfs files $here
	cp /root/stacks $here/stacks
	$here/stacks 1 >/dev/null
	if ! umount $here 2>/dev/null; then
		busy=$((busy + 1))
		wait_for 2 umount $here || slow=$((slow + 1))
	fi
done
is 'a file system can be unmounted after its program has ended' $slow 0
diag "it was busy at once in $busy of $rounds rounds"
holds 'nearly always at once' "$busy <= $rounds / 10"
for ((i = 0; i < rounds; i++)); do
	cp /root/stacks $here/stacks
	$here/stacks 1 >/dev/null
	# writes to the same file
	cat /root/stacks 2>/dev/null >$here/stacks || text_busy=$((text_busy + 1))
	chmod 755 $here/stacks
	$here/stacks 1 >/dev/null
	rm $here/stacks
done
is 'a program that has ended can be written at once' $text_busy 0
flamectl stop
flamectl status --json >"$OUT/let-go.json"
holds 'there were user stacks' "$(what .user_stacks.whole "$OUT/let-go.json") > 10 * $rounds / $slowness"
diag "$(flamectl status | grep -A 14 '^user ')"
books_balance 'with files let go' "$OUT/let-go.json"
ok 'unloaded' unload

# sampled PROGRAM NAME: run it under this name for a while
sampled() {
	bash -c "exec -a $2 $1" & spinner=$!
	sleep $((1 * slowness))
	kill $spinner
	{ wait $spinner; } 2>/dev/null
}

# In a user namespace, anyone can be root and mount a file system.
/root/harmful make $here good
cat >/tmp/in-namespace <<END
mount -t tmpfs none $here && cp /root/good $here/owned && exec timeout -s KILL $((1 * slowness)) $here/owned
END
mv $here/good /root/good
for any_fs in 0 1; do
	load hz=$rate user_any_fs=$any_fs
	unshare -Urm sh /tmp/in-namespace 2>/dev/null
	flamectl stop
	cat "$debugfs/folded" >"$OUT/owned"
	like "user_any_fs=$any_fs: a file system of a user namespace is not read" \
		"$(cat "$OUT/owned")" '^owned;\[user: no rule\];\[unread file\][; ]'
	unlike 'nor is its path there' "$(grep ^owned "$OUT/owned")" '/owned\+'
	ok 'unloaded' unload
done

# In a user namespace anyone can also show root's programs below other paths. Then root runs
# one: the names of its functions are looked for where root sees it.
cat >/tmp/elsewhere <<END
mkdir -p $here/shown && mount --bind /root $here/shown && exec $here/shown/stacks $((5 * slowness)) >/dev/null
END
load hz=$rate
ok 'a user shows a program of root below another path' unshare -Urm sh /tmp/elsewhere
flamectl dump --no-names -o "$OUT/shown"
like 'its stacks are whole' "$(cat "$OUT/shown")" '^stacks;stacks\+0x[0-9a-f]+;[^;]*libc'
ok 'he is the first to run it' flamectl merge -o "$OUT/shown.pb.gz" live
ok 'his frames have his path' grep -qaF "$here/shown/stacks" <(bytes_of "$OUT/shown.pb.gz")
flamectl reset
/root/stacks $((5 * slowness)) >/dev/null
flamectl stop
ok 'then root has run it' flamectl merge -o "$OUT/seen.pb.gz" live
# after its length
ok 'the frames of root have the path of root' grep -qaF $'\x0c/root/stacks' <(bytes_of "$OUT/seen.pb.gz")
nok 'and not that of the user' grep -qaF "$here/shown/stacks" <(bytes_of "$OUT/seen.pb.gz")
ok 'unloaded' unload

if ! modprobe fuse 2>/dev/null; then
	skip 'a server that does not answer' 'there is no FUSE here'
	finish
fi

mkdir $here/fuse
/root/harmful make $here tables-apart
load hz=$rate
ok 'a server of FUSE serves a program' serve default
sampled $here/fuse/program program
flamectl stop
cat "$debugfs/folded" >"$OUT/fuse"
like 'by default its file is not read' "$(cat "$OUT/fuse")" \
	'^program;\[user: no rule\];\[unread file\][; ]'
is 'nobody asked for its tables' "$(cat "$OUT/stuck.default")" ''
end_server
umount $here/fuse
ok 'unloaded' unload

load hz=$rate user_any_fs=1
/root/stacks 3 >/dev/null
ok 'it serves the program again' serve any
sampled $here/fuse/program program
like 'with user_any_fs=1 its tables are read, without an answer' "$(cat "$OUT/stuck.any")" '^no answer for 10'
flamectl dump --no-names -o "$OUT/silent"
like 'but then it is not learned' "$(cat "$OUT/silent")" '^program;\[user: not learned\]'
# Meanwhile what is known stays known, drains go on, and new programs are learned.
flamectl reset
/root/stacks 3 >/dev/null
cp /root/stacks $here/other
$here/other 3 >/dev/null
ok 'dumps go on' timeout $((20 * slowness)) flamectl dump --no-names -o "$OUT/waiting"
whole=$(folded_match '^stacks;stacks\+0x[0-9a-f]+;[^;]*libc' "$OUT/waiting")
holds 'a program that is known has whole stacks' \
	"$whole > 0.8 * $(folded_match '^stacks;.*stacks\+0x' "$OUT/waiting") && $whole > 50 / $slowness"
whole=$(folded_match '^other;other\+0x[0-9a-f]+;[^;]*libc' "$OUT/waiting")
holds 'and so has a new one' \
	"$whole > 0.8 * $(folded_match '^other;.*other\+0x' "$OUT/waiting") && $whole > 50 / $slowness"
end_server
ok 'after the server has ended, it can be unmounted' wait_for 10 umount $here/fuse
flamectl stop
flamectl status --json >"$OUT/fuse.json"
books_balance 'with a server that did not answer' "$OUT/fuse.json"
ok 'unloaded' timeout $((30 * slowness)) rmmod flamemod
finish
