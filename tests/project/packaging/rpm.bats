#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# in turn: packages
#
# make rpm: what is in the packages, beside those of make deb, and rpmlint. Nothing is
# installed; tests/project/packaging/rpm-install does that. Debian packages: rpm, rpmlint.

bats_require_minimum_version 1.5.0

setup_file() {
	MAKEFLAGS='' RPM_CFLAGS=-Werror make rpm > "$BATS_FILE_TMPDIR/log" 2>&1 || {
		tail -n 30 "$BATS_FILE_TMPDIR/log"
		return 1
	}
	[ -n "$(compgen -G 'out/deb/flamemod-dkms_*.deb')" ] || MAKEFLAGS='' make deb > /dev/null 2>&1
}

setup() {
	version=$(cat VERSION)
	ctl=$(echo out/rpm/RPMS/*/flamectl-"$version"-1*.rpm)
	dkms=$(echo out/rpm/RPMS/noarch/flamemod-dkms-"$version"-1*.rpm)
	source=$(echo out/rpm/SRPMS/flamemod-"$version"-1*.src.rpm)
}

@test "rpmlint finds nothing" {
	run rpmlint -r packaging/rpm/flamemod.rpmlintrc out/rpm/flamemod.spec "$source" "$ctl" "$dkms"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output = *'3 packages and 1 specfiles checked; 0 errors, 0 warnings'* ]]
	# a check that can fail
	sed 's/^%setup -q/%setup/' out/rpm/flamemod.spec > "$BATS_TEST_TMPDIR/flamemod.spec"
	run rpmlint -r packaging/rpm/flamemod.rpmlintrc "$BATS_TEST_TMPDIR/flamemod.spec"
	[[ $output = *'W: setup-not-quiet'* ]]
}

# Print the files of a Debian package, as the other distributions would place them.
of_deb() {
	dpkg-deb --fsys-tarfile out/deb/"$1"_*.deb | tar -tf - | sed -n -e 's|^\.||' \
		-e 's|^/lib/|/usr/lib/|' -e '\|/$|d' -e '\|/changelog\.gz$|d' \
		-e 's|/doc/\(.*\)/copyright$|/licenses/\1/COPYING|' -e 's|/examples/|/|' \
		-e 's|\(/doc/.*\)\.gz$|\1|' -e p | sort
}

# Print the files of an RPM package, without directories.
of_rpm() { rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$1" | sed -n '/^d/!s/^[^ ]* //p' | sort; }

@test "the packages have the same files as Debian's" {
	for package in flamectl flamemod-dkms; do
		of_deb $package > "$BATS_TEST_TMPDIR/deb"
		of_rpm out/rpm/RPMS/*/"$package"-"$version"-1*.rpm > "$BATS_TEST_TMPDIR/rpm"
		[ "$(wc -l < "$BATS_TEST_TMPDIR/rpm")" -gt 30 ]
		diff "$BATS_TEST_TMPDIR/deb" "$BATS_TEST_TMPDIR/rpm"
	done
	of_rpm "$ctl" | grep -qx /usr/share/man/man1/flamectl.1.gz
}

@test "files belong to root, and only flamectl is a program" {
	for package in "$ctl" "$dkms"; do
		rpm -qp --qf '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]' "$package" | sort -u > "$BATS_TEST_TMPDIR/owners"
		[ "$(cat "$BATS_TEST_TMPDIR/owners")" = root:root ]
	done
	[ "$(rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$ctl" "$dkms" | grep '^-..x' | cut -d' ' -f2)" = /usr/bin/flamectl ]
}

@test "each library that is needed has a name that Fedora and RHEL have" {
	# library, and the package there that has it
	cat > "$BATS_TEST_TMPDIR/known" <<-'END'
	libc.so.6 glibc
	libdw.so.1 elfutils-libs
	libelf.so.1 elfutils-libelf
	libjansson.so.4 jansson
	libkmod.so.2 kmod-libs
	libm.so.6 glibc
	libmnl.so.0 libmnl
	libncursesw.so.6 ncurses-libs
	libprotobuf-c.so.1 protobuf-c
	libtinfo.so.6 ncurses-libs
	libz.so.1 zlib
	END
	rpm -qp --requires "$ctl" | sed -n 's/^\(lib[^(]*\.so\.[0-9]*\).*/\1/p' | sort -u > "$BATS_TEST_TMPDIR/needed"
	cut -d' ' -f1 "$BATS_TEST_TMPDIR/known" | diff - "$BATS_TEST_TMPDIR/needed"
	[ "$(rpm -qp --recommends "$ctl" | sort | xargs)" = 'flamemod-dkms libcurl.so.4()(64bit)' ]
	[ "$(rpm -qp --requires "$dkms" | grep -v '^rpmlib\|^/bin/sh' | xargs)" = dkms ]
}

@test "flamectl needs no newer C library than RHEL 9 has" {
	newest=$(rpm -qp --requires "$ctl" | sed -n 's/.*(GLIBC_\([0-9.]*\)).*/\1/p' | sort -V | tail -n 1)
	[ -n "$newest" ]
	[ "$(printf '%s\n2.34\n' "$newest" | sort -V | tail -n 1)" = 2.34 ]
}

@test "the packages that a build needs are those of README.md" {
	sed -n '/dnf install/,/kernel-devel/p' README.md | tr -s ' `' '\n' | sed -n '/^gcc$/,/^binutils-devel$/p' | sort > "$BATS_TEST_TMPDIR/readme"
	rpm -qp --requires "$source" | grep -v '^rpmlib' | sed 's/ *$//' | sort > "$BATS_TEST_TMPDIR/spec"
	[ -s "$BATS_TEST_TMPDIR/spec" ]
	diff "$BATS_TEST_TMPDIR/readme" "$BATS_TEST_TMPDIR/spec"
}

@test "no script enables or starts a service" {
	run -0 rpm -qp --scripts "$ctl"
	[[ $output = *'disable --now'* && $output = *'try-restart flamectl-agent'* ]]
	[[ $output != *'systemctl start'* && $output != *'systemctl enable'* && $output != *preset* ]]
}

@test "the units call flamectl where it is installed" {
	mkdir "$BATS_TEST_TMPDIR/root"
	rpm2cpio "$ctl" | (cd "$BATS_TEST_TMPDIR/root" && cpio -idm --quiet)
	# shellcheck disable=SC2016 # systemd expands it
	grep -qx 'ExecStart=/usr/bin/flamectl agent --no-load \$FLAMECTL_AGENT' "$BATS_TEST_TMPDIR/root/usr/lib/systemd/system/flamectl-agent.service"
	[ "$("$BATS_TEST_TMPDIR/root/usr/bin/flamectl" --version)" = "flamectl $version" ]
	grep -q -- ' -Werror ' "$BATS_FILE_TMPDIR/log"
	readelf -d "$BATS_TEST_TMPDIR/root/usr/bin/flamectl" | grep -q BIND_NOW
}

@test "without rpmbuild, make rpm says what to install" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	for tool in sh make cat; do ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin/"; done
	run -2 env -u MAKEFLAGS PATH="$BATS_TEST_TMPDIR/bin" make rpm
	[[ $output = *'make: cannot make packages: install rpm-build (on Debian: rpm)'* ]]
}
