# SPDX-License-Identifier: GPL-2.0
#
# Fuzzers: each tests/ctl/fuzz/fuzz_NAME.c becomes a program out/fuzz/NAME by clang's
# libFuzzer, with flamectl's code from tests/ctl/sanitized.mk.
#
# A new parser needs its fuzz_NAME.c, seeds in corpus/NAME and, where it helps,
# a NAME.dict; tests/ctl/fuzz/parsers finds them.

FUZZ_OUT := $(OUT)/fuzz
FUZZ_SECONDS ?= 600
FUZZ_SOURCES := $(sort $(wildcard tests/ctl/fuzz/fuzz_*.c))
FUZZ_PROGRAMS := $(FUZZ_SOURCES:tests/ctl/fuzz/fuzz_%.c=$(FUZZ_OUT)/%) \
	$(if $(FUZZ_SOURCES),$(FUZZ_OUT)/control)
FUZZ_OBJECTS := $(addprefix $(FUZZ_OUT)/,main.o check.o decoded.o events.o exported.o imported.o \
	terminal.o)
FUZZ_TESTS := $(if $(FUZZ_SOURCES),tests/ctl/fuzz/parsers)

FUZZ_CC = $(SANITIZED_CC) $(SANITIZED_CFLAGS)
FUZZ_CPPFLAGS = -Itests/ctl/fuzz $(CTL_CPPFLAGS)
FUZZ_LIBS = $(CTL_LIB_LIBS) -lexpat -lm

# what stands between flamectl and the machine
FUZZ_LDFLAGS_wire := -Wl,--wrap=mnl_socket_open2,--wrap=mnl_socket_bind \
	-Wl,--wrap=mnl_socket_close,--wrap=mnl_socket_get_fd \
	-Wl,--wrap=mnl_socket_setsockopt,--wrap=mnl_socket_sendto \
	-Wl,--wrap=mnl_socket_recvfrom,--wrap=setsockopt,--wrap=connect \
	-Wl,--wrap=nanosleep,--wrap=access,--wrap=uname,--wrap=clock_gettime
FUZZ_LDFLAGS_options := -Wl,--wrap=exit,--wrap=fopen,--wrap=isatty \
	-Wl,--wrap=load_profile,--wrap=load_events
FUZZ_LDFLAGS_palette := -Wl,--wrap=fopen

## fuzz: every parser of flamectl, FUZZ_SECONDS= each (600)
fuzz: check-deps
	$(MAKE) fuzzers
	tests/ctl/fuzz/parsers -s $(FUZZ_SECONDS) -k

fuzzers: $(FUZZ_PROGRAMS)
.PHONY: fuzz fuzzers

FUZZ_LINK = $(call say,LD) $(FUZZ_CC) -fsanitize=fuzzer $(FUZZ_LDFLAGS_$*) -o $@ $< \
	$(FUZZ_OUT)/shared.a $(SANITIZED_OUT)/ctl.a $(FUZZ_LIBS)

$(FUZZ_OUT)/%: $(FUZZ_OUT)/fuzz_%.o $(FUZZ_OUT)/shared.a $(SANITIZED_OUT)/ctl.a
	$(FUZZ_LINK)

$(FUZZ_OUT)/control: $(FUZZ_OUT)/control.o $(FUZZ_OUT)/shared.a $(SANITIZED_OUT)/ctl.a
	$(FUZZ_LINK)

$(FUZZ_OUT)/shared.a: $(FUZZ_OBJECTS) $(FUZZ_OUT)/flags
	$(call say,AR) rm -f $@ && $(AR) qcs $@ $(FUZZ_OBJECTS)

$(FUZZ_OUT)/%.o: tests/ctl/fuzz/%.c $(FUZZ_OUT)/flags | $(CTL_HEADERS)
	$(call say,CC) $(FUZZ_CC) $(CTL_WARNINGS) $(FUZZ_CPPFLAGS) -MMD -MP -c -o $@ $<

$(FUZZ_OUT)/main.o: ctl/cmd/main.c $(FUZZ_OUT)/flags | $(CTL_HEADERS)
	$(call say,CC) $(FUZZ_CC) $(CTL_WARNINGS) $(FUZZ_CPPFLAGS) -Dmain=flamectl_main \
		-include tests/ctl/fuzz/fuzz.h -MMD -MP -c -o $@ $<

.SECONDARY: $(FUZZ_OBJECTS) $(FUZZ_SOURCES:tests/ctl/fuzz/%.c=$(FUZZ_OUT)/%.o)
-include $(FUZZ_OBJECTS:.o=.d) $(FUZZ_SOURCES:tests/ctl/fuzz/%.c=$(FUZZ_OUT)/%.d)

FUZZ_BUILD := $(strip $(SANITIZED_BUILD) $(FUZZ_SOURCES) \
	$(foreach name,wire options,$(FUZZ_LDFLAGS_$(name))))
$(FUZZ_OUT)/flags: $(call unless_kept,$(FUZZ_OUT)/flags,$(FUZZ_BUILD)) | $(FUZZ_OUT)/tools
	$(call keep,$(FUZZ_BUILD))

$(FUZZ_OUT)/tools:
	@pkg-config --exists expat || { \
		echo "make: cannot build the fuzzers, the Debian package" \
			"libexpat1-dev is missing: tests/deps check" >&2; exit 1; }
	@mkdir -p $(FUZZ_OUT) && touch $@
