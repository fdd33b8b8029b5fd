#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# in turn: packages
#
# make deb: the packages' contents, and lintian. Nothing is installed;
# tests/project/packaging/install does that. Debian packages: debhelper, dh-dkms, fakeroot, lintian, systemd.

bats_require_minimum_version 1.5.0

setup_file() {
	# Warnings are errors here, but not in a user's build, whose compiler may have others.
	MAKEFLAGS='' DEB_CFLAGS_APPEND=-Werror make deb out/dkms > "$BATS_FILE_TMPDIR/log" 2>&1 || {
		tail -n 30 "$BATS_FILE_TMPDIR/log"
		return 1
	}
	dpkg-deb -x out/deb/flamemod-dkms_*_all.deb "$BATS_FILE_TMPDIR/dkms"
	dpkg-deb -x out/deb/flamectl_*.deb "$BATS_FILE_TMPDIR/ctl"
}

setup() {
	version=$(cat VERSION)
	dkms=$BATS_FILE_TMPDIR/dkms ctl=$BATS_FILE_TMPDIR/ctl
}

@test "the packages are of this version" {
	for package in flamemod-dkms flamectl; do
		[ "$(dpkg-deb -f out/deb/"$package"_*.deb Version)" = "$version" ]
	done
}

@test "the maintainer is the one given, or the newest commit's author" {
	local tree=$BATS_TEST_TMPDIR/tree
	[ "$(dpkg-deb -f out/deb/flamectl_*.deb Maintainer)" = "$(packaging/maintainer)" ]
	mkdir -p "$tree/packaging"
	cp packaging/maintainer "$tree/packaging"
	export GIT_CEILING_DIRECTORIES=$BATS_TEST_TMPDIR
	unset DEBFULLNAME DEBEMAIL
	[ "$("$tree/packaging/maintainer")" = "flamemod packagers <flamemod@example.org>" ]
	git -c init.defaultBranch=main init -q "$tree"
	[ "$("$tree/packaging/maintainer")" = "flamemod packagers <flamemod@example.org>" ]
	git -C "$tree" -c user.name='A & B/C' -c user.email=a@b.example commit -q --allow-empty -m x
	[ "$("$tree/packaging/maintainer")" = "A & B/C <a@b.example>" ]
	[ "$(DEBEMAIL=d@e.example "$tree/packaging/maintainer")" = "A & B/C <d@e.example>" ]
	[ "$(DEBEMAIL=d@e.example DEBFULLNAME=D "$tree/packaging/maintainer")" = "D <d@e.example>" ]
}

@test "flamectl was compiled with warnings as errors" {
	grep -q -- ' -Werror ' out/deb/flamemod-*/out/ctl/flags
}

@test "lintian finds no error" {
	run lintian --fail-on error out/deb/*.changes
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "the module's source is what DKMS is tested with" {
	diff -r -x COPYING out/dkms "$dkms/usr/src/flamemod-$version"
	dpkg-deb -I out/deb/flamemod-dkms_*.deb postinst | grep -qF dkms
	dpkg-deb -I out/deb/flamemod-dkms_*.deb prerm | grep -qF 'dkms remove'
	[[ $(dpkg-deb -f out/deb/flamemod-dkms_*.deb Depends) = *dkms* ]]
	[[ $(dpkg-deb -f out/deb/flamectl_*.deb Depends) != *dkms* ]]
}

@test "flamectl comes with its pages, completions and unit" {
	[ "$("$ctl/usr/bin/flamectl" --version)" = "flamectl $version" ]
	for name in $("$ctl/usr/bin/flamectl" pages table | cut -f 1 | uniq); do
		zcat "$ctl/usr/share/man/man1/flamectl-$name.1.gz" | grep -qF "flamectl $name"
	done
	for path in bash-completion/completions/flamectl zsh/site-functions/_flamectl \
		fish/vendor_completions.d/flamectl.fish man/man1/flamectl.1.gz; do
		[ -s "$ctl/usr/share/$path" ]
	done
	[ -s "$ctl/lib/systemd/system/flamemod.service" ]
	[ -s "$ctl/lib/systemd/system/flamectl-agent.service" ]
	[ ! -e "$ctl/usr/src" ]
}

@test "the agent's unit is valid and hardened" {
	local unit=$ctl/lib/systemd/system/flamectl-agent.service
	local out=$BATS_TEST_TMPDIR/flamectl-agent.service
	grep -qx 'ExecStart=/usr/bin/flamectl agent --no-load \$FLAMECTL_AGENT' "$unit"
	sed "s|/usr/bin/flamectl|$(realpath flamectl)|" "$unit" > "$out"
	run -0 systemd-analyze verify --man=no "$out"
	[ -z "$output" ]
	# 20: an exposure of 2.0 of 10
	run -0 systemd-analyze security --offline=true --threshold=20 "$out"
	# a check that can fail
	sed -i /^SystemCallFilter/d "$out"
	run -1 systemd-analyze security --offline=true --threshold=20 "$out"
}

@test "the unit is valid, and the package does not enable it" {
	grep -qx 'ExecStart=/usr/bin/flamectl start user-stacks=0 \$FLAMEMOD' "$ctl/lib/systemd/system/flamemod.service"
	sed "s|/usr/bin/flamectl|$(realpath flamectl)|" "$ctl/lib/systemd/system/flamemod.service" \
		> "$BATS_TEST_TMPDIR/flamemod.service"
	run -0 systemd-analyze verify --man=no "$BATS_TEST_TMPDIR/flamemod.service"
	[ -z "$output" ]
	run dpkg-deb -I out/deb/flamectl_*.deb postinst
	[[ $output != *'systemctl start'* && $output != *'deb-systemd-invoke start'* ]]
	# enabled again only where its user had enabled it
	[[ $output = *'deb-systemd-helper debian-installed'* ]]
}

@test "modprobe and systemd accept the examples for boot" {
	grep -qx flamemod packaging/boot/flamemod.modules-load.conf
	# the module has each parameter
	for pair in $(sed -n 's/^options flamemod //p' packaging/boot/flamemod.modprobe.conf); do
		grep -qE "module_param(_named)?(_cb)?\(${pair%%=*}\b" module/*.c
	done
}
