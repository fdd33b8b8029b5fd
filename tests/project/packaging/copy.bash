# SPDX-License-Identifier: GPL-2.0
#
# A copy of this system to install packages in: an overlay of its root in a mount
# namespace, of which nothing stays. It has one kernel, whose headers the lab has.
# shellcheck shell=bash

# copy_make PLACE HEADERS RELEASE: make it; sets root
copy_make() {
	local place=$1 headers=$2 release=$3
	root=$place/root
	mkdir -p "$place"
	mount -t tmpfs -o mode=755 install-test "$place"
	mkdir "$root" "$place/upper" "$place/work"
	mount -t overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" install-test "$root"
	mount -t proc proc "$root/proc"
	mount --bind /dev "$root/dev"
	# where it is not on the root's file system
	[ -e "$root$PWD/VERSION" ] || { mkdir -p "$root$PWD"; mount --bind "$PWD" "$root$PWD"; }

	# make it look as if only that kernel was installed
	rm -rf "$root/lib/modules"
	mkdir -p "$root/lib/modules/$release" "$root/etc/dkms" "$root/packages"
	cp "${headers%/usr/src/*}/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} "$root/lib/modules/$release/"
	ln -s "$headers" "$root/lib/modules/$release/build"
	chroot "$root" depmod "$release"
	echo 'autoinstall_all_kernels=yes' >> "$root/etc/dkms/framework.conf"
}

# ours: print our files in the copy, except those that were built here
ours() {
	find "$root" -xdev \( -path "$root/tmp" -o -path "$root/proc" -o -path "$root/work" -o -path "$root/packages" -o -path "$root$PWD" \) -prune \
		-o \( -iname '*flamemod*' -o -iname '*flamectl*' \) -printf '/%P\n' | sort
}

# in_root DESCRIPTION COMMAND...: a test, passed if the command succeeds in the copy
in_root() { ok "$1" chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "${@:2}"; }
