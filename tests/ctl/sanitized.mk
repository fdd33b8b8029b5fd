# SPDX-License-Identifier: GPL-2.0
#
# All of flamectl except main.c, as the archive out/sanitized/ctl.a, for its unit tests and
# fuzzers: by clang, under the address and undefined behaviour sanitizers, with what
# libFuzzer wants to know about branches. As the code comes from an archive, a test or
# fuzzer that defines a function itself replaces the file that has it.

SANITIZED_OUT := $(OUT)/sanitized
SANITIZED_CC ?= clang-14
SANITIZED_CFLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
SANITIZED_OBJECTS := $(patsubst ctl/%.c,$(SANITIZED_OUT)/%.o,\
		$(filter-out ctl/cmd/main.c,$(CTL_SOURCES))) \
	$(CTL_GENERATED:$(CTL_OUT)/%.c=$(SANITIZED_OUT)/%.o)

$(SANITIZED_OUT)/ctl.a: $(SANITIZED_OBJECTS) $(SANITIZED_OUT)/flags
	$(call say,AR) rm -f $@ && $(AR) qcs $@ $(SANITIZED_OBJECTS)

$(SANITIZED_OUT)/%.o: ctl/%.c $(SANITIZED_OUT)/flags | $(CTL_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC) $(SANITIZED_CC) $(SANITIZED_CFLAGS) $(CTL_WARNINGS) $(CTL_CPPFLAGS) \
		-MMD -MP -c -o $@ $<

$(SANITIZED_OUT)/%.o: $(CTL_OUT)/%.c $(SANITIZED_OUT)/flags
	$(call say,CC) $(SANITIZED_CC) $(SANITIZED_CFLAGS) $(CTL_CPPFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(SANITIZED_OBJECTS)
-include $(SANITIZED_OBJECTS:.o=.d)

# what flamectl depends on, a new version and other sources included
SANITIZED_BUILD := $(strip $(SANITIZED_CC) $(SANITIZED_CFLAGS) $(CTL_BUILD))
$(SANITIZED_OUT)/flags: $(call unless_kept,$(SANITIZED_OUT)/flags,$(SANITIZED_BUILD)) | \
		$(SANITIZED_OUT)/tools
	$(call keep,$(SANITIZED_BUILD))

$(SANITIZED_OUT)/tools:
	@command -v $(SANITIZED_CC) > /dev/null || { \
		echo "make: cannot build flamectl's tests, a Debian package of" \
			"clang-14, libclang-rt-14-dev is missing: tests/deps check" >&2; exit 1; }
	@mkdir -p $(SANITIZED_OUT) && touch $@
