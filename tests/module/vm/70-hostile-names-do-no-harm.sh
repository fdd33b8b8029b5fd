# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
# takes: 50
#
# Comms and symbols of any bytes: each output stays well-formed, does not control a
# terminal, and sums to the books. The saved profile keeps every byte. flamectl accepts
# answers only from the kernel.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# steers FILE: count what a terminal obeys: control characters of one byte, U+0080 to
# U+009F in UTF-8, and marks of direction
steers() {
	local file=$1

	LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$file"
	LC_ALL=C grep -aoE $'\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' "$file"
	# bytes that neither start nor continue a character
	LC_ALL=C sed -E $'s/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}//g' "$file" |
		LC_ALL=C tr -d '\000-\177'
}

# 15 bytes at most
comms=($'c1\e[31mred' $'c2\xc2\x9b31m' $'c3\x9b31m' $'c4;frame 7' $'c5\nline 7'
	'c6<script>p=1<' $'c7\xe2\x80\xaegpj' '[lost: c8]' $'c9\xe6\x97\xa5\xe6\x9c' 'c10"onload="x'
	$'c11\xe2\x80\x8fgpj' $'c12\xd8\x9c\xe2\x81\xa7.' $'c13\xed\xa0\x80\xc0\xaf' '' '  ')

load hz=997 "${kernel_half[@]}"
pids=()
for comm in "${comms[@]}"; do
	yielding /root/named "$comm" &
	pids+=($!)
done
insmod /root/evil.ko
echo 300 >/sys/module/evil/parameters/ms
sleep 3
kill "${pids[@]}"
wait 2>/dev/null
flamectl stop
flamectl dump >"$OUT/folded"
flamectl dump --by comm,pid,cpu,context >"$OUT/levels.folded"
flamectl status --json >"$OUT/status.json"
flamectl status >"$OUT/status"
flamectl svg "$OUT/folded" >"$OUT/graph.svg"
cat "$debugfs/folded" >"$OUT/debugfs.folded"

for file in folded levels.folded debugfs.folded status status.json graph.svg; do
	is "$file: nothing in it steers a terminal" "$(steers "$OUT/$file" | od -An -c | head -n 3)" ''
done
for file in folded levels.folded debugfs.folded; do
	is "$file: each line has a count" "$(LC_ALL=C grep -avcE ' [0-9]+$' "$OUT/$file")" 0
	is "$file: and before it frames, none of them empty" \
		"$(LC_ALL=C grep -acE '^;|;;|(^|;) [0-9]+$' "$OUT/$file")" 0
	is "$file: it sums to the books" \
		"$(folded_sum "$OUT/$file")" "$(stored_and_lost "$OUT/status.json")"
done

# names FILE: fold it to its comms, and to its symbols in the module evil. Each check then
# reads a few lines: the guest takes seconds to search all stacks.
names() {
	LC_ALL=C awk '{
		count = $NF
		sub(/ [0-9]+$/, "")
		nr = split($0, frames, ";")
		comms[frames[1]] += count
		for (i = 2; i <= nr; i++)
			if (frames[i] ~ / \[evil\]$/)
				symbols[frames[i]] += count
	} END {
		for (comm in comms)
			print comm ";- " comms[comm]
		for (symbol in symbols)
			print "-;" symbol " " symbols[symbol]
	}' "$1"
}
for file in folded debugfs.folded; do
	names "$OUT/$file" >"$OUT/$file.names"
done
for name in 'c1_\[31mred' 'c2_31m' 'c3_31m' 'c4_frame 7' 'c5_line 7' 'c6<script>p=1<' 'c7_gpj' \
	'_lost: c8\]' 'c9日__' 'c10"onload="x' 'c11_gpj' 'c12__\.' 'c13_____' '\[unknown\]'; do
	for file in folded debugfs.folded; do
		holds "$file: comm $name is there, harmless" \
			"$(folded_match "^$name;" "$OUT/$file.names") > 0"
	done
done
for name in 'evil1_\[31m' 'evil2_31m' 'evil3_31m' 'evil4_frame 7' \
	'evil5</script><script>pwned=1</script>' 'evil6_gpj.exe' '_lost: evil7\]'; do
	for file in folded debugfs.folded; do
		holds "$file: symbol $name is there, harmless" \
			"$(folded_match ";$name \\[evil\\] " "$OUT/$file.names") > 100"
	done
done
nok 'no name passes for a loss' env LC_ALL=C grep -qaE '\[lost: (c8|evil7)' "$OUT/folded" "$OUT/debugfs.folded"
books_balance 'with such names' "$OUT/status.json"
is 'the graph has one script' "$(grep -o '<script' "$OUT/graph.svg" | wc -l)" 1
unlike 'and no attribute that runs' "$(grep -o '<[a-z][^>]*>' "$OUT/graph.svg")" '[ "]on[a-z]+='

# The saved names are unchanged: they fold to the same text.
flamectl reset
yielding /root/named "${comms[4]}" & pid=$!
ok 'such names are recorded' flamectl record -o "$OUT/saved.pb.gz" -- \
	sh -c 'echo 200 >/sys/module/evil/parameters/ms; sleep 1'
kill $pid
wait 2>/dev/null
unfold "$OUT/saved"
books_balance 'saved' "$OUT/saved.json"
holds 'the saved profile has the comm' "$(folded_match '^c5_line 7;' "$OUT/saved.folded") > 0"
holds 'and the symbol' "$(folded_match ';evil1_\[31m \[evil\]' "$OUT/saved.folded") > 50"
bytes_of "$OUT/saved.pb.gz" >"$OUT/saved.lines"
is 'every byte of the comm is in the file, escaped' \
	"$(grep -aoF 'c5\x0aline 7' "$OUT/saved.lines" | head -n 1)" 'c5\x0aline 7'
is 'and of the symbol' "$(grep -aoF 'evil1\x1b[31m [evil]' "$OUT/saved.lines" | head -n 1)" \
	'evil1\x1b[31m [evil]'
rmmod evil

# With stderr closed, a warning does not get into the output file.
flamectl reset
(sleep 1; flamectl reset) &
ok 'without a stderr, a recording that has to warn is made' \
	sh -c "flamectl record -d 3s -o $OUT/closed.pb.gz 2>&-"
ok 'and is whole' flamectl status -i "$OUT/closed.pb.gz"

# A message from another process is refused; flamectl's port is its process number.
flamectl record -d 1h -o "$OUT/spoofed.pb.gz" &
pid=$!
ok 'a recording has its socket' wait_for 20 grep -qE "^[0-9a-f]+ +16 +$pid " /proc/net/netlink
exits 1 'which takes no message of another process' /root/spoof $pid
kill $pid
ok 'and records on' wait $pid
finish
