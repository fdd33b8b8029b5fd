# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 400
# takes: 30
#
# Stacks taken by learned steps equal those of the kernel's unwinder, whatever
# runs: each stack is taken both ways and compared.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh

# stacks NAME: one of the counters
stacks() { flamectl status --json | jq -r ".stacks.$1"; }

if ! grep -qw learned <<<"$(unwinders)"; then
	skip 'stacks are compared' 'this kernel does not unwind by ORC: nothing is learned'
	finish
fi
load hz=$((4999 / slowness)) verify=1 aggregate_kb=65536 unwinder=learned "${kernel_half[@]}"
# make check is satisfied with less
seconds=2
[ "${STORM:-}" != small ] || seconds=1
for name in network archive fork crypt; do
	before=$(stacks verified)
	ok "$name: set up" workload prepare "$name"
	ok "$name: ran" workload run "$name" "$seconds"
	ok "$name: taken down" workload clean "$name"
	diag "$name: $(flamectl status --json | jq -c .stacks)"
	holds "$name: stacks were compared" "$(stacks verified) - $before > 500"
	is "$name: none was different" "$(stacks differences)" 0
done
holds 'most stacks were taken by learned steps' \
	"$(stacks learned) > 0.7 * ($(stacks learned) + $(stacks unwound))"
like 'flamectl status says so' "$(flamectl status)" 'compared with the kernel.s unwinder, none different'
flamectl status --json >"$OUT/status.json"
books_balance 'at the end' "$OUT/status.json"
ok 'unloaded' unload

load unwinder=regs "${kernel_half[@]}"
is 'the unwinder alone learns nothing' "$(flamectl status --json | jq -c .stacks)" null
ok 'unloaded' unload
finish
