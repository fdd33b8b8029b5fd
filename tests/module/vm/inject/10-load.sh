# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 2400
#
# Each allocation of a load fails once; in the module's own code one by one.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/inject/inject.sh
. /tests/module/vm/inject.sh

inject_ready
ko=/root/flamemod.ko

# gcov makes its files when a module is first loaded.
/root/failnth -c load $ko "$small" >/dev/null
# A load with a wrong parameter ends where the module's own code starts. Its allocations
# are those that the kernel makes for any module.
before=$(/root/failnth -c load $ko hz=0)
all=$(/root/failnth -c load $ko "$small")
diag "$before allocations for any module, $((all - before)) of flamemod's own"
holds 'the module allocates' "$all > $before + 20"
failing 20 -f $((before - 40)) load $ko "$small"
failing 10 -f 1 -e 23 load $ko "$small"
failing 10 -f $((before - 40)) -e 5 load $ko "$small autostart=0"

quiet

load hz=997
ok 'afterwards it works' sh -c "flamectl dump >$OUT/folded"
finish
