# SPDX-License-Identifier: GPL-2.0
#
# Builds flamemod.ko (with Kbuild) and flamectl (with ctl/ctl.mk), tests,
# demonstrates and installs them. The two are compiled by different rules and
# flags: CFLAGS and LDFLAGS apply to flamectl, KCFLAGS to the module.

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
DESTDIR ?=
INSTALL ?= install

FLAMEMOD_VERSION := $(shell cat VERSION)

# O=DIR on the command line: build everything below DIR and nothing in this tree.
# Kbuild must not see it, because it would use it as its own output directory.
ifeq ($(origin O),command line)
OUT := $(abspath $(O))
BUILT := $(OUT)/
MAKEOVERRIDES := $(filter-out O=%,$(MAKEOVERRIDES))
else
override O :=
OUT := out
BUILT :=
endif
FLAMECTL := $(BUILT)flamectl

# the goals that O= is for
OUT_GOALS := all ctl modules unit fuzzers man completions static install uninstall clean help
NOT_FOR_OUT := $(filter-out $(OUT_GOALS) $(BUILT)%,$(MAKECMDGOALS))
ifneq ($(word 2,$(O)),)
$(error O=$(O): make cannot use a directory with a space in its name)
endif
ifneq ($(and $(O),$(NOT_FOR_OUT)),)
$(error O= is not for $(NOT_FOR_OUT), only for $(OUT_GOALS))
endif

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

all: ctl
.PHONY: all

# show commands in short form, with V=1 in full
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $@;)

# $(call keep,text): write text into $@, but leave the file, and so its time,
# alone if it has that text already
keep = @mkdir -p $(@D); \
	printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
	printf '%s\n' '$(subst ','\'',$(1))' > $@

# $(call unless_kept,file,text): FORCE, or nothing if the file has the text that
# $(call keep,text) would write: make -q must not find it out of date then. make 4.3
# does not always remove the newline at the end of a file that it reads.
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
unless_kept = $(if $(call same,$(strip $(file <$(1))),$(strip $(2))),,FORCE)

# none of these exists in the copy of the tree in which DKMS builds the module
include $(wildcard ctl/ctl.mk tests/ctl/sanitized.mk tests/ctl/unit/unit.mk \
	tests/ctl/fleet/fleet.mk tests/ctl/fuzz/fuzz.mk packaging/packaging.mk)

## all: flamectl, and flamemod.ko if kernel headers are installed (the default)
HAVE_KDIR := $(wildcard $(KDIR)/Makefile)
ifneq ($(HAVE_KDIR),)
all: modules
else
all: $(OUT)/no-modules
endif

## modules: flamemod.ko; KDIR= names the kernel headers or the build tree
modules: $(if $(HAVE_KDIR),$(BUILT)flamemod.ko,kdir-missing)

FEATURES := module/compat/features.h
MODULE_SOURCES := Kbuild VERSION $(filter-out $(FEATURES),$(wildcard \
	module/*.[ch] module/user/*.[ch] \
	$(addprefix module/compat/,*.h *.sh include/linux/*.h) common/uapi/*.h))

# Clear CFLAGS and the like: given on the command line, they would reach Kbuild
# too. BTF for the module would need pahole, and has no use in a sampler.
#
# "+" gives Kbuild its share of the jobs of make -j. But make runs such a line for
# -n, -q and -t, too, so then there is none. make would treat $(MAKE) in the rule
# like a "+".
KBUILD_DIR := $(if $(O),$(OUT)/kbuild,$(CURDIR))
dry_run = $(strip $(foreach flag,n q t,$(findstring $(flag),$(firstword -$(MAKEFLAGS)))))
kbuild = $(if $(dry_run),,+)$(MAKE) --no-print-directory -C $(KDIR) M=$(KBUILD_DIR) \
	CONFIG_DEBUG_INFO_BTF_MODULES= CFLAGS= CPPFLAGS= LDFLAGS=

MODULE_OUTPUTS := $(FEATURES) flamemod.ko flamemod.mod* flamemod.o .flamemod.* \
	Module.symvers modules.order .m*.cmd .M*.cmd .module-common.o ..*.cmd \
	$(foreach dir,module module/compat module/user,$(addprefix $(dir)/,*.o .*.cmd .*.d))

# The sources are prerequisites, because Kbuild checks every file and prints
# lines even when there is nothing to do. Objects and probe results of another
# kernel are removed first. Kbuild's own clean would remove flamectl's objects
# too. For O=, the sources are copied, because kernels before 6.13 can build a
# module only beside its sources.
$(BUILT)flamemod.ko: $(MODULE_SOURCES) $(OUT)/kdir
	@cmp -s $(OUT)/kdir $(OUT)/kdir.built || \
		rm -rf $(if $(O),$(KBUILD_DIR),$(MODULE_OUTPUTS))
	@cp $(OUT)/kdir $(OUT)/kdir.built
	$(if $(O),@mkdir -p $(KBUILD_DIR); for file in $(MODULE_SOURCES); do \
		cmp -s $$file $(KBUILD_DIR)/$$file || \
		cp --parents $$file $(KBUILD_DIR) || exit; done)
	@$(kbuild) modules
	@$(if $(O),cp $(KBUILD_DIR)/flamemod.ko $@,touch $@)

MODULE_BUILD := $(strip $(realpath $(KDIR)) $(CC) $(KCFLAGS) $(if $(O),$(MODULE_SOURCES)))
$(OUT)/kdir: $(call unless_kept,$(OUT)/kdir,$(MODULE_BUILD))
	$(call keep,$(MODULE_BUILD))

NO_KDIR = no kernel headers at $(KDIR); install linux-headers-$(shell uname -r) \
or set KDIR= to the headers or the build tree of the kernel to run on

.PHONY: modules kdir-missing
$(OUT)/no-modules: $(FLAMECTL)
	@echo 'make: built flamectl, but not flamemod.ko: $(NO_KDIR)'
	@touch $@
kdir-missing:
	@echo 'make: cannot build flamemod.ko: $(NO_KDIR)' >&2; exit 1

## install: flamectl in PREFIX/bin, and the module if it was built (DESTDIR)
install: all
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin
	$(INSTALL) -m 755 $(FLAMECTL) $(DESTDIR)$(PREFIX)/bin/flamectl
	$(if $(HAVE_KDIR),$(kbuild) INSTALL_MOD_PATH=$(DESTDIR) modules_install)

## uninstall: remove what install copied, the module for all kernels
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/flamectl
	@for file in $(DESTDIR)/lib/modules/*/updates/flamemod.ko* \
			$(DESTDIR)/lib/modules/*/extra/flamemod.ko*; do \
		[ -e "$$file" ] || continue; \
		echo "rm -f $$file"; rm -f "$$file"; \
		release=$${file#$(DESTDIR)/lib/modules/}; \
		[ -n "$(DESTDIR)" ] || depmod "$${release%%/*}"; \
	done
.PHONY: uninstall

# the part of this tree that DKMS needs and copies to /usr/src
DKMS_TREE := $(OUT)/dkms
DKMS_KERNEL ?= $(shell uname -r)
$(DKMS_TREE): $(MODULE_SOURCES) Makefile dkms.conf
	rm -rf $@
	mkdir -p $@
	@cp --parents $^ COPYING $@

# dkms calls make itself and reads its output, so hide this make from it
DKMS := env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dkms
DKMS_MODULE := flamemod/$(FLAMEMOD_VERSION)

## dkms-install: the module with DKMS, which rebuilds it for each new kernel (as root)
dkms-install: $(DKMS_TREE)
	@command -v dkms > /dev/null || { echo 'make: cannot find dkms:' \
		'install the package dkms' >&2; exit 1; }
	[ -z "$$($(DKMS) status $(DKMS_MODULE))" ] || $(DKMS) remove $(DKMS_MODULE) --all
	$(DKMS) add $(DKMS_TREE)
	$(DKMS) install $(DKMS_MODULE) -k $(DKMS_KERNEL) \
		$(if $(HAVE_KDIR),--kernelsourcedir $(realpath $(KDIR)))

## dkms-remove: remove the module from DKMS, for all kernels (as root)
dkms-remove:
	$(DKMS) remove $(DKMS_MODULE) --all
	rm -rf /usr/src/flamemod-$(FLAMEMOD_VERSION)
.PHONY: install dkms-install dkms-remove

## demo: flame graphs of seven workloads on a Debian kernel in QEMU, in out/demo
demo:
	@MAKEFLAGS= lab/demo
.PHONY: demo

# those that take longest come first, so that none of them runs on when all others have ended
TESTS := tests/project/lint tests/kunit tests/project/packaging/deb.bats \
	tests/project/packaging/make-install \
	$(FUZZ_TESTS) tests/project/wire/spec tests/module/user/rows tests/project/runner \
	tests/ctl/browser tests/ctl/cli tests/ctl/golden tests/ctl/top tests/ctl/readers \
	tests/ctl/fleet/smallest.bats \
	$(UNIT_TESTS) tests/module/vm

# one test program more than there are CPUs, as browsers and terminals often wait
CHECK := tests/run -j $$(($$(nproc) + 1)) -l $(OUT)/tests/left

## check: run all tests; installs the packages that they need
check: check-deps
	$(MAKE) -j $(shell nproc) ctl unit fuzzers $(OUT)/fleet/windows
	$(CHECK) $(TESTS)

## check-failed: continue make check: run what failed or was not run
check-failed: check-deps
	$(MAKE) -j $(shell nproc) ctl unit fuzzers $(OUT)/fleet/windows
	$(CHECK)
.PHONY: check-failed

## kunit: the module's unit tests, in three kernels; make check runs them in one
kunit: check-deps
	KUNIT_KERNELS="$$(lab/kernel -l all) $$(lab/kernel -l main)" tests/run -t 3600 tests/kunit

## kunit-mutants: break the module in more than 500 small ways; a unit test must detect each
kunit-mutants: check-deps
	tests/run -t 14400 tests/kunit/mutants
.PHONY: kunit kunit-mutants

## check-vm: tests of the module in a real kernel, under QEMU
check-vm: check-deps
	$(MAKE) ctl
	tests/run tests/module/vm

## check-packaging: make install, make O=, Debian and RPM packages installed and removed; make check runs a part
check-packaging: check-deps
	tests/deps rpm
	tests/run tests/project/packaging tests/module/kernels/dkms
.PHONY: check-packaging

## check-wire: the kernel's own netlink client, and an older flamectl and module with these; make check reads only the YAML
check-wire: check-deps
	$(MAKE) ctl
	tests/run tests/project/wire
.PHONY: check-wire

## check-user: user stacks: rows and whole stacks beside libdw's, short-lived programs, JIT compilers; make check runs only the first
check-user: check-deps
	tests/deps user
	$(MAKE) ctl
	tests/run tests/module/user
.PHONY: check-user

## check-events: time of tasks and wake-ups, on every kernel in lab/kernels with 1, 2 and 4 CPUs
check-events: check-deps
	tests/deps debug kernels
	$(MAKE) ctl
	tests/run tests/module/events
.PHONY: check-events

## check-debug: the same in a kernel with all debug checks, with line coverage
check-debug: check-deps
	tests/deps debug
	$(MAKE) ctl
	tests/run -t 14400 tests/module/debug/net tests/module/debug/scenarios \
		tests/module/debug/coverage
.PHONY: check-debug

## check-kernels: build and test with every kernel in lab/kernels; takes hours
check-kernels: check-deps
	tests/deps debug kernels
	$(MAKE) ctl
	tests/run tests/module/kernels
.PHONY: check-kernels

## check-fleet: what is sent to a fleet's servers, with real ones from Debian; make check runs a part
check-fleet: check-deps
	tests/deps fleet
	$(MAKE) ctl unit $(OUT)/fleet/windows $(OUT)/fleet/agent
	tests/run tests/ctl/fleet
.PHONY: check-fleet

## bench: measure cost and accuracy, beside other profilers; results in out/bench.json
bench: check-deps
	tests/deps bench
	$(MAKE) ctl
	tests/bench/run
.PHONY: bench

## lint: the static checks
lint: check-deps
	LINT=all tests/run tests/project/lint

## check-storms: stress tests: a thousand loads, CPUs off and on 500 times, ...; takes hours, with STORM=small minutes
STORM ?= full
check-storms: check-deps
	$(MAKE) ctl
	STORM=$(STORM) tests/run -t 21600 tests/module/vm/storms
.PHONY: check-storms

## fuzz-netlink: send the module a million hostile messages, in a debug kernel
fuzz-netlink: check-deps
	tests/deps debug
	$(MAKE) ctl
	tests/run -t 86400 tests/module/vm/fuzz
.PHONY: fuzz-netlink

## check-fresh: make demo on a new Debian 12; with FRESH=check make check too
check-fresh:
	tests/deps fresh
	FRESH=$(FRESH) tests/run -t 21600 tests/project/fresh/demo
.PHONY: check-fresh

## check-fresh-fleet: the ten commands of docs/fleet.md, on a new Debian 12 and three hosts
check-fresh-fleet:
	tests/deps build fresh check
	$(MAKE) ctl $(OUT)/fleet/windows
	tests/run tests/project/fresh/fleet
.PHONY: check-fresh-fleet

check-deps:
	tests/deps build demo check
.PHONY: check check-vm lint check-deps

## generate: write the header and the policies from common/flamemod.yaml
generate:
	python3 common/generate.py
.PHONY: generate

## clean: remove what was built, but keep the downloads in .cache
clean:
ifneq ($(O),)
	rm -rf $(addprefix $(OUT)/,ctl unit fuzz kbuild man completions static boot \
		kdir kdir.built no-modules flamectl flamemod.ko)
else
	rm -rf $(OUT) .tmp_versions
	@rm -f flamectl $(MODULE_OUTPUTS)
endif
.PHONY: clean

## O=DIR: build below DIR, for all, ctl, modules, unit, fuzzers, man, completions, static, install, clean

## help: print this list
help:
	@echo 'make [TARGET] [VARIABLE=VALUE]'; \
	sed -n 's/^## \([^:]*\): \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | \
	expand -t 18
.PHONY: help

.PHONY: FORCE
FORCE:
