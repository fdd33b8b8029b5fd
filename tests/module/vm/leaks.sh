# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Find leaks of unloaded modules, by kmemleak. Source it in the guest.

kmemleak=/sys/kernel/debug/kmemleak

# leaks_watched: whether the kernel has kmemleak, and it is on
leaks_watched() { [ -w $kmemleak ] && echo scan=off >$kmemleak 2>/dev/null; }

# leaks_forget: do not report again what was reported
leaks_forget() { echo clear >$kmemleak; }

# leaks_of_modules: print the objects that nothing points to and that the code of a
# loaded or unloaded module allocated, except for those of the kernel and its own
# modules. kmemleak reports an object when it is 5 s old and unchanged in a second scan.
leaks_of_modules() {
	sleep 5
	echo scan >$kmemleak
	echo scan >$kmemleak
	# an address without a name is in a module that was unloaded
	awk 'BEGIN { RS = "unreferenced object" }
		/\] 0xffffffff[a-f][0-9a-f]+\n|\[(flamemod|buggy)\]/ { print "unreferenced object" $0 }
		' $kmemleak
}
