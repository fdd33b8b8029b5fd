# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Leaks that kmemleak finds, of modules that are gone. Source it in the guest.

kmemleak=/sys/kernel/debug/kmemleak

# leaks_watched: is there kmemleak, and is it on?
leaks_watched() { [ -w $kmemleak ] && echo scan=off >$kmemleak 2>/dev/null; }

# leaks_forget: what was told is not told again
leaks_forget() { echo clear >$kmemleak; }

# leaks_of_modules: the objects that nothing points to, which the code of a
# loaded or unloaded module allocated. The kernel's own, and those of its own
# modules, are left out. An object is told when it is 5 s old, and when a second
# scan finds it unchanged.
leaks_of_modules() {
	sleep 5
	echo scan >$kmemleak
	echo scan >$kmemleak
	# an address without a name lies in a module that was unloaded
	awk 'BEGIN { RS = "unreferenced object" }
		/\] 0xffffffff[a-f][0-9a-f]+\n|\[(flamemod|buggy)\]/ { print "unreferenced object" $0 }
		' $kmemleak
}
