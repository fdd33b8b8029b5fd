# SPDX-License-Identifier: GPL-2.0
#
# Builds what an installation needs in addition to the programs: manual pages
# and completions, which flamectl prints from its option tables; also a static
# flamectl, and packages for Debian and for Fedora and its relatives.

MANDIR ?= $(PREFIX)/share/man
BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d
# empty for none
UNITDIR ?= $(PREFIX)/lib/systemd/system

## man: manual pages, in out/man
man: $(OUT)/man/flamectl.1
.PHONY: man

# written to a new directory and renamed, so that it is complete, and has no
# page of a removed command
$(OUT)/man/flamectl.1: $(FLAMECTL) packaging/packaging.mk
	$(call say,MAN) rm -rf $(OUT)/man $(OUT)/man.new && mkdir -p $(OUT)/man.new && \
	$(abspath $(FLAMECTL)) pages man > $(OUT)/man.new/flamectl.1 && \
	for name in $$($(abspath $(FLAMECTL)) pages table | cut -f 1 | uniq); do \
		$(abspath $(FLAMECTL)) pages man $$name > $(OUT)/man.new/flamectl-$$name.1 || exit; \
	done && mv $(OUT)/man.new $(OUT)/man

COMPLETIONS := $(addprefix $(OUT)/completions/,bash zsh fish)

## completions: for bash, zsh and fish, in out/completions
completions: $(COMPLETIONS)
.PHONY: completions

$(COMPLETIONS): $(OUT)/completions/%: $(FLAMECTL)
	@mkdir -p $(@D)
	$(call say,SHELL) $(abspath $(FLAMECTL)) pages $* > $@

install: install-pages
install-pages: man completions
	$(INSTALL) -d $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(BASH_COMPLETIONS) \
		$(DESTDIR)$(ZSH_COMPLETIONS) $(DESTDIR)$(FISH_COMPLETIONS)
	$(INSTALL) -m 644 $(OUT)/man/*.1 $(DESTDIR)$(MANDIR)/man1
	$(INSTALL) -m 644 $(OUT)/completions/bash $(DESTDIR)$(BASH_COMPLETIONS)/flamectl
	$(INSTALL) -m 644 $(OUT)/completions/zsh $(DESTDIR)$(ZSH_COMPLETIONS)/_flamectl
	$(INSTALL) -m 644 $(OUT)/completions/fish $(DESTDIR)$(FISH_COMPLETIONS)/flamectl.fish
uninstall: uninstall-pages
uninstall-pages:
	rm -f $(DESTDIR)$(MANDIR)/man1/flamectl.1 $(DESTDIR)$(MANDIR)/man1/flamectl-*.1 \
		$(DESTDIR)$(BASH_COMPLETIONS)/flamectl $(DESTDIR)$(ZSH_COMPLETIONS)/_flamectl \
		$(DESTDIR)$(FISH_COMPLETIONS)/flamectl.fish
.PHONY: install-pages uninstall-pages

UNITS := flamemod.service flamectl-agent.service

# flamectl is where it is installed
$(addprefix $(OUT)/boot/,$(UNITS)): $(OUT)/boot/%: packaging/boot/%.in $(OUT)/boot/bindir
	$(call say,UNIT) sed 's|@BINDIR@|$(PREFIX)/bin|' $< > $@
$(OUT)/boot/bindir: $(call unless_kept,$(OUT)/boot/bindir,$(PREFIX)/bin)
	$(call keep,$(PREFIX)/bin)

install: install-boot
install-boot: $(if $(UNITDIR),$(addprefix $(OUT)/boot/,$(UNITS)))
	$(if $(UNITDIR),$(INSTALL) -d $(DESTDIR)$(UNITDIR))
	$(if $(UNITDIR),$(INSTALL) -m 644 $^ $(DESTDIR)$(UNITDIR))
uninstall: uninstall-boot
uninstall-boot:
	$(if $(UNITDIR),rm -f $(addprefix $(DESTDIR)$(UNITDIR)/,$(UNITS)))
.PHONY: install-boot uninstall-boot

## static: flamectl that needs no shared library, in out/static
static: $(OUT)/static/flamectl
.PHONY: static

$(OUT)/static/libmnl.a: packaging/libmnl-static
	@mkdir -p $(@D)
	$(call say,LIBMNL) packaging/libmnl-static $(@D)

# the static flamectl has some source files replaced: see ctl/ctl.mk
CTL_STATIC_OBJECTS := $(filter-out $(CTL_SHARED_SOURCE:ctl/%.c=$(CTL_OUT)/%.o),$(CTL_OBJECTS)) \
	$(CTL_STATIC_SOURCE:ctl/%.c=$(CTL_OUT)/%.o)

$(OUT)/static/flamectl: $(FLAMECTL) $(CTL_STATIC_OBJECTS) $(OUT)/static/libmnl.a
	$(call say,LD) $(CC) $(CFLAGS) -static $(LDFLAGS) -o $@ $(CTL_STATIC_OBJECTS) \
		-L$(OUT)/static $(shell pkg-config --static --libs $(CTL_LIBS)) \
		$(CTL_DEMANGLER) -lm

DEB_TREE := $(OUT)/deb/flamemod-$(FLAMEMOD_VERSION)
PACKAGE_FILES = COPYING Kbuild Kconfig Makefile README.md VERSION common ctl dkms.conf \
	docs module packaging
package_tar = tar -cf - --exclude-vcs --exclude='*.o' --exclude='.*.cmd' --exclude='*.d' \
	--exclude=features.h $(PACKAGE_FILES)

## deb: flamemod-dkms and flamectl for Debian, in out/deb
deb:
	@command -v dpkg-buildpackage > /dev/null && command -v dh_dkms > /dev/null || { \
		echo 'make: cannot make packages: install dpkg-dev, debhelper,' \
			'dh-dkms and fakeroot' >&2; exit 1; }
	rm -rf $(OUT)/deb
	mkdir -p $(DEB_TREE)
	$(package_tar) | tar -xf - -C $(DEB_TREE)
	cp -r packaging/debian $(DEB_TREE)
	maintainer=$$(packaging/maintainer | sed 's|[\\&/]|\\&|g') && \
		sed -i "s/@MAINTAINER@/$$maintainer/" $(DEB_TREE)/debian/control
	for unit in $(UNITS); do \
		sed 's|@BINDIR@|/usr/bin|' packaging/boot/$$unit.in \
			> $(DEB_TREE)/debian/flamectl.$$unit || exit; \
	done
	printf '%s\n\n  * This version.\n\n -- %s  %s\n' \
		'flamemod ($(FLAMEMOD_VERSION)) unstable; urgency=medium' \
		"$$(packaging/maintainer)" "$$(LC_ALL=C date -R -r VERSION)" \
		> $(DEB_TREE)/debian/changelog
	cd $(DEB_TREE) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
		dpkg-buildpackage -b -us -uc
.PHONY: deb

# The same documentation as in Debian's package.
RPM_DOCS = $(shell paste -sd' ' packaging/debian/flamectl.docs)
# What is not Fedora, RHEL or the like has no database of rpm, in which the packages that
# a build needs would be found, and no compiler flags of a distribution: Debian's are used.
RPM_FOREIGN = $(shell rpm -q rpm > /dev/null 2>&1 || echo yes)
debian_flags = $(shell DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --get $(1) | \
	sed 's/-ffile-prefix-map=[^ ]*//')
RPM_FLAGS = --define '_topdir $(abspath $(OUT)/rpm)' $(if $(RPM_FOREIGN),--nodeps \
	--define 'optflags $(call debian_flags,CFLAGS) $(call debian_flags,CPPFLAGS) $(RPM_CFLAGS)' \
	--define 'build_ldflags $(call debian_flags,LDFLAGS)')

## rpm: the same for Fedora, RHEL and Oracle Linux, with their source, in out/rpm
rpm:
	@command -v rpmbuild > /dev/null || { \
		echo 'make: cannot make packages: install rpm-build (on Debian: rpm)' >&2; exit 1; }
	rm -rf $(OUT)/rpm
	mkdir -p $(OUT)/rpm/SOURCES
	$(package_tar) --transform 's|^|flamemod-$(FLAMEMOD_VERSION)/|' | \
		gzip -9 > $(OUT)/rpm/SOURCES/flamemod-$(FLAMEMOD_VERSION).tar.gz
	maintainer=$$(packaging/maintainer | sed 's|[\\&/]|\\&|g') && \
		sed -e "s/@MAINTAINER@/$$maintainer/; s/@VERSION@/$(FLAMEMOD_VERSION)/" \
		-e "s/@DATE@/$$(LC_ALL=C date -u -r VERSION '+%a %b %d %Y')/" \
		-e 's|@DOCS@|$(RPM_DOCS)|' packaging/rpm/flamemod.spec.in \
		> $(OUT)/rpm/flamemod.spec
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
		rpmbuild -ba $(RPM_FLAGS) $(OUT)/rpm/flamemod.spec
.PHONY: rpm
