#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# library.sh VERSION - have the kernel's own lib/kunit, of Debian's source package
# linux-source-VERSION (6.1, 6.12), and print where.
#
# The package is large (140 to 150 MB), so that directory alone is kept, in
# .cache/kunit/VERSION. A source tree that lab/compile unpacked serves as well.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
cache=$top/.cache/kunit

[ $# = 1 ] || { echo "usage: library.sh VERSION" >&2; exit 2; }
package=linux-source-$1
to=$cache/$1

mkdir -p "$cache"
exec 9>"$cache/.$1.lock"
flock 9
if [ -s "$to/test.c" ]; then
	echo "$to"
	exit
fi
rm -rf "$cache/.part-$1."*
part=$(mktemp -d "$cache/.part-$1.XXXXXX")
trap 'rm -rf "$part"' EXIT

mkdir -p "$top/.cache/source"
unpacked=$(find "$top/.cache/source" -mindepth 1 -maxdepth 1 -name "linux-$1.*" | sort -V | tail -n 1)
if [ -n "$unpacked" ]; then
	cp -r "$unpacked/lib/kunit" "$part/kunit"
else
	echo "tests/kunit: taking lib/kunit out of $package" >&2
	(cd "$part" && "$top/lab/source" "$1" >&2)
	mkdir "$part/kunit"
	dpkg-deb --fsys-tarfile "$part"/*.deb | tar -xO "./usr/src/$package.tar.xz" |
		tar -xJ -C "$part/kunit" --strip-components=3 "$package/lib/kunit"
fi
[ -s "$part/kunit/test.c" ] || { echo "tests/kunit: no lib/kunit in $package" >&2; exit 1; }
rm -rf "$to"
mv "$part/kunit" "$to"
echo "$to"
