# SPDX-License-Identifier: GPL-2.0
#
# flamectl: the rooms of ctl/, what protoc-c makes of ctl/format/pprof/pprof.proto,
# and the text files that graphs carry, as C arrays. Everything made goes to out/ctl.
# Includes name the room: "base/error.h".

CTL_OUT := $(OUT)/ctl
CTL_LIBS := libmnl zlib jansson libprotobuf-c ncursesw
# what make static does without: Debian has no libkmod.a, and elfutils loads a
# library where it is there
CTL_SHARED_LIBS := libkmod libdw libelf
# it has no file for pkg-config
CTL_DEMANGLER := -liberty

# modprobe_load() by libkmod; in the static flamectl by modprobe. Symbols by
# elfutils; in the static flamectl none. Servers by libcurl, which is opened at run
# time (ctl/fleet/curl.h); in the static flamectl none.
CTL_STATIC_SOURCE := ctl/base/modprobe_exec.c ctl/fleet/curl_none.c \
	ctl/symbols/object_none.c
CTL_SHARED_SOURCE := ctl/base/modprobe_kmod.c ctl/fleet/curl.c ctl/symbols/debug_file.c \
	ctl/symbols/inlined.c ctl/symbols/object.c ctl/symbols/segments.c \
	ctl/symbols/symbol_table.c
CTL_SOURCES := $(filter-out $(CTL_STATIC_SOURCE),$(sort $(wildcard ctl/*/*.c ctl/*/*/*.c)))
CTL_PROTO := $(wildcard ctl/format/pprof/pprof.proto)
# scripts and styles of graphs and of the page, in the order of their parts
CTL_FLAME_JS := $(patsubst %,ctl/view/%.js,figures graph svg/flame svg/explore)
CTL_PAGE_JS := $(patsubst %,ctl/view/%.js,figures graph html/model html/canvas \
	html/table html/page)
CTL_FLAME_CSS := ctl/view/tools.css ctl/view/svg/flame.css
CTL_PAGE_CSS := ctl/view/tools.css ctl/view/html/page.css
CTL_EMBEDDED := $(addprefix $(CTL_OUT)/,flame.css flame.js page.css page.js) \
	ctl/view/html/page.html ctl/view/svg/heat.css ctl/view/svg/heat.js

CTL_GENERATED := $(if $(CTL_PROTO),$(CTL_OUT)/pprof.pb-c.c) \
	$(if $(CTL_EMBEDDED),$(CTL_OUT)/embed.c)
CTL_HEADERS := $(CTL_GENERATED:.c=.h)
CTL_OBJECTS := $(CTL_SOURCES:ctl/%.c=$(CTL_OUT)/%.o) $(CTL_GENERATED:.c=.o)

CFLAGS ?= -O2 -g
CTL_WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wwrite-strings -Wformat=2 -Wno-missing-field-initializers
CTL_CPPFLAGS = -D_GNU_SOURCE -DFLAMECTL_VERSION='"$(FLAMEMOD_VERSION)"' \
	-iquote ctl -Icommon/uapi -I$(CTL_OUT) $(CTL_LIB_CFLAGS) $(CPPFLAGS)

# asked of pkg-config once, and only by a recipe that needs the answer
CTL_LIB_CFLAGS = $(eval CTL_LIB_CFLAGS := \
	$$(shell pkg-config --cflags $(CTL_LIBS) $(CTL_SHARED_LIBS)))$(CTL_LIB_CFLAGS)
CTL_LIB_LIBS = $(eval CTL_LIB_LIBS := \
	$$(shell pkg-config --libs $(CTL_LIBS) $(CTL_SHARED_LIBS)) \
	$(CTL_DEMANGLER) -ldl)$(CTL_LIB_LIBS)

## ctl: flamectl
ctl: $(FLAMECTL)
.PHONY: ctl

$(FLAMECTL): $(CTL_OBJECTS) $(CTL_OUT)/flags
	$(call say,LD) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CTL_OBJECTS) $(CTL_LIB_LIBS) -lm

$(CTL_OUT)/%.o: ctl/%.c $(CTL_OUT)/flags | $(CTL_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC) $(CC) -std=gnu11 $(CTL_WARNINGS) $(CTL_CPPFLAGS) $(CFLAGS) \
		-MMD -MP -c -o $@ $<

$(CTL_OUT)/%.o: $(CTL_OUT)/%.c $(CTL_OUT)/flags
	$(call say,CC) $(CC) -std=gnu11 $(CTL_CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(CTL_OBJECTS:.o=.d) $(CTL_STATIC_SOURCE:ctl/%.c=$(CTL_OUT)/%.d)

$(CTL_OUT)/pprof.pb-c.c $(CTL_OUT)/pprof.pb-c.h &: ctl/format/pprof/pprof.proto | $(CTL_OUT)/tools
	$(call say,PROTOC) protoc-c --proto_path=$(<D) --c_out=$(CTL_OUT) $<

# one function, so that a script adds no names to its page's window
$(CTL_OUT)/flame.js: $(CTL_FLAME_JS)
$(CTL_OUT)/page.js: $(CTL_PAGE_JS)
$(CTL_OUT)/flame.js $(CTL_OUT)/page.js: ctl/ctl.mk | $(CTL_OUT)/tools
	$(call say,JOIN) { echo '(function () {'; cat $(filter %.js,$^); \
		echo '}());'; } > $@

$(CTL_OUT)/flame.css: $(CTL_FLAME_CSS)
$(CTL_OUT)/page.css: $(CTL_PAGE_CSS)
$(CTL_OUT)/flame.css $(CTL_OUT)/page.css: ctl/ctl.mk | $(CTL_OUT)/tools
	$(call say,JOIN) cat $(filter %.css,$^) > $@

# ctl/view/svg/heat.js becomes svg_heat_js[], ended by a NUL; svg_heat_js_sha256[]
# is its hash as a Content-Security-Policy has it
$(CTL_OUT)/embed.c: $(CTL_EMBEDDED) $(CTL_OUT)/flags ctl/ctl.mk
	$(call say,EMBED) { echo '#include "embed.h"'; \
	for file in $(CTL_EMBEDDED); do \
		name=$${file#ctl/view/}; \
		name=$$(echo $${name#$(CTL_OUT)/} | tr -c '[:alnum:]\n' _); \
		echo "const char $$name[] = {"; \
		od -An -v -tx1 $$file | sed "s/ \(..\)/'\\\\x\1',/g"; \
		echo "0 };"; \
		echo "const char $${name}_sha256[] = \"$$(sha256sum $$file | \
			cut -c -64 | tr a-f A-F | basenc -d --base16 | base64)\";"; \
	done; } > $@

$(CTL_OUT)/embed.h: $(CTL_OUT)/flags ctl/ctl.mk
	@{ for file in $(CTL_EMBEDDED); do \
		name=$${file#ctl/view/}; \
		name=$$(echo $${name#$(CTL_OUT)/} | tr -c '[:alnum:]\n' _); \
		echo "extern const char $$name[], $${name}_sha256[];"; \
	done; } > $@

# another compiler, other flags, files that came or went
CTL_BUILD := $(strip $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(FLAMEMOD_VERSION) \
	$(CTL_WARNINGS) $(CTL_SOURCES) $(CTL_PROTO) $(CTL_EMBEDDED))
$(CTL_OUT)/flags: $(call unless_kept,$(CTL_OUT)/flags,$(CTL_BUILD)) | $(CTL_OUT)/tools
	$(call keep,$(CTL_BUILD))

# Report everything that is missing at once, by package.
$(CTL_OUT)/tools: ctl/ctl.mk
	@missing=; \
	need() { $$2 > /dev/null 2>&1 || missing="$$missing $$1"; }; \
	need build-essential "command -v $(firstword $(CC))"; \
	need pkg-config "command -v pkg-config"; \
	need protobuf-c-compiler "command -v protoc-c"; \
	for pair in libmnl:libmnl-dev zlib:zlib1g-dev jansson:libjansson-dev \
		libprotobuf-c:libprotobuf-c-dev ncursesw:libncurses-dev \
		libkmod:libkmod-dev libdw:libdw-dev; do \
		need $${pair#*:} "pkg-config --exists $${pair%:*}"; \
	done; \
	need libiberty-dev "$(CC) $(CPPFLAGS) -E -include libiberty/demangle.h -x c /dev/null"; \
	[ -z "$$missing" ] || { \
		echo "make: cannot build flamectl, these Debian packages" \
			"are missing:$$missing" >&2; \
		echo "make: install them by: tests/deps build" >&2; exit 1; }
	@mkdir -p $(@D) && touch $@
