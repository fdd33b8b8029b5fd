# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# In a guest with the minimal kernel: tests/module/kernels/least.
# shellcheck source=tests/module/kernels/guest.sh
. /root/guest.sh

is 'there is one CPU' "$(nproc)" 1
nok 'there is no debugfs' grep -qw debugfs /proc/filesystems
is 'there is no symbol of a tracepoint' "$(grep -c ' __tracepoint_' /proc/kallsyms)" 0
is 'the portable way is the only one' "$(unwinders | xargs)" portable
nok 'another is refused' insmod "$module" unwinder=learned
load hz=997
exits 0 'doctor finds nothing in the way' flamectl doctor
like 'doctor tells that stacks are guessed' "$output" '^warn +options .*neither CONFIG_UNWINDER_ORC'
is 'it samples' "$(flamectl status --json | jq .running)" true
forks_recorded

# Without tracepoints new tasks are not reported.
exits 1 'a command cannot be recorded alone' flamectl record --only -o "$OUT/none.pb.gz" -- true
like 'the module says why' "$output" 'follow: this kernel has no tracepoints'
nok 'nothing is left behind' test -e "$OUT/none.pb.gz"

# If nothing reports that a CPU wakes up, idle CPUs are sampled instead of napping.
recorded idle sleep 3
holds 'idle: it is nearly all idle' \
	"$(folded_match '^swapper[;/ ]' "$OUT/idle.folded") > 0.8 * $(folded_sum "$OUT/idle.folded")"
comes_and_goes
finish
