# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# limit: 2400
#
# Allocations of a drain fail: of call tree nodes, of records, of names of kernel functions; in a
# request (each third of some hundred) and in another module's load and unload. Periods that
# cannot be kept are counted as lost, with the reason.
# shellcheck source=tests/module/vm/flamemod.sh
. /tests/module/vm/flamemod.sh
# shellcheck source=tests/module/vm/inject/inject.sh
. /tests/module/vm/inject.sh

inject_ready
# shellcheck disable=SC2086 # words
load $small autostart=0
nothing_new=$(/root/failnth -c status)
unload
load_start
holds 'a drain of what is new allocates' \
	"$(/root/failnth -c drain /root/flamemod.ko "$small autostart=0 hz=99") >= $nothing_new + 100"
unload
failing 40 -e 3 drain /root/flamemod.ko "$small autostart=0 hz=99"

# shellcheck disable=SC2086 # words
load $small hz=4999
failing 5 -e 7 load /root/burn.ko
failing 2 unload /root/burn.ko
load_stop
quiet
adds_up
unload
finish
