# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# debugfs alone gives folded stacks and the books, each of a single instant.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# status_sum FILE KEYS: the sum of the totals of these keys
status_sum() {
	awk -v keys="$2" '$1 == "total" {
		for (i = 2; i < NF; i += 2)
			if ($i ~ "^(" keys ")$")
				sum += $(i + 1)
	} END { printf "%.0f\n", sum }' "$1"
}

# merged FILE: each stack once
merged() {
	awk '{
		weight = $NF
		sub(/ [0-9]+$/, "")
		sum[$0] += weight
	} END {
		for (stack in sum)
			print stack, sum[stack]
	}' "$1" | sort
}

load hz=997
load_start
sleep $((2 * slowness))
load_stop
flamectl stop
cat "$debugfs/folded" >"$OUT/folded"
cat "$debugfs/status" >"$OUT/status"
flamectl dump --no-names >"$OUT/by-flamectl"
# The module prints a file's path and build-id, flamectl the name alone.
sed -E 's,(/[^;]*/)?([^/;]+\+0x[0-9a-f]+) [0-9a-f]{40}(;| ),\2\3,g' "$OUT/folded" >"$OUT/short"

like 'folded stacks of the load' "$(cat "$OUT/folded")" '^dd;.*;ksys_write(;|$| )'
unlike 'every line is a stack and a weight' "$(grep -vE '^[^;]+(;.+)* [0-9]+$' "$OUT/folded")" .
is 'the stacks sum to the books' "$(folded_sum "$OUT/folded")" "$(status_sum "$OUT/status" 'stored|lost.*')"
is 'the books balance' "$(status_sum "$OUT/status" 'fires|missed')" "$(status_sum "$OUT/status" 'stored|filtered|lost.*')"
is 'flamectl sees the same sum' "$(folded_sum "$OUT/by-flamectl")" "$(folded_sum "$OUT/folded")"
# the module prints a line for each process, flamectl one for each command
is 'flamectl sees the same stacks' "$(diff <(merged "$OUT/by-flamectl") <(merged "$OUT/short"))" ''
is 'only root may open them' "$(stat -c %a "$debugfs/folded" "$debugfs/status" | sort -u)" 400
finish
