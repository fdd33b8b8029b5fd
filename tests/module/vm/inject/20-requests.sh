# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 1200
#
# Each allocation of each request, and of reading debugfs, fails once.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/inject/inject.sh
. /tests/module/vm/inject.sh

inject_ready
# The first start allocates the CPUs' tables, which the module then keeps.
failing 40 first-start /root/flamemod.ko "$small autostart=0"
# shellcheck disable=SC2086 # words
load $small autostart=0
for operation in set start stop reset status status-dump dump dump-reset; do
	failing 5 $operation
done
for file in folded status; do
	failing 3 open "$debugfs/$file"
done
quiet

flamectl reset
flamectl start
sleep 1
adds_up
finish
