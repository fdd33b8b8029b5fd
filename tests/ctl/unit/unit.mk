# SPDX-License-Identifier: GPL-2.0
#
# Unit tests: each tests/ctl/unit/test_*.c becomes a program out/unit/test_* with
# all of flamectl except main.c, under the address and undefined behaviour
# sanitizers. Code comes from an archive, so that a test which defines a
# function itself replaces the file that has it.

UNIT_OUT := $(OUT)/unit
UNIT_SOURCES := $(sort $(wildcard tests/ctl/unit/test_*.c))
UNIT_SHARED := $(filter-out $(UNIT_SOURCES),$(sort $(wildcard tests/ctl/unit/*.c)))
UNIT_TESTS := $(UNIT_SOURCES:tests/ctl/unit/%.c=$(UNIT_OUT)/%)
UNIT_OBJECTS := $(patsubst ctl/%.c,$(UNIT_OUT)/ctl/%.o,\
		$(filter-out ctl/cmd/main.c,$(CTL_SOURCES))) \
	$(CTL_GENERATED:$(CTL_OUT)/%.c=$(UNIT_OUT)/ctl/%.o) \
	$(UNIT_SHARED:tests/ctl/unit/%.c=$(UNIT_OUT)/%.o)

UNIT_CFLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CPPFLAGS = -Itests/ctl/unit $(CTL_CPPFLAGS)

## check-unit: unit tests of flamectl, under sanitizers
check-unit: unit
	tests/run $(UNIT_TESTS)

unit: $(UNIT_TESTS) $(UNIT_OUT)/fake
.PHONY: unit check-unit

$(UNIT_OUT)/test_%: $(UNIT_OUT)/test_%.o $(UNIT_OUT)/ctl.a
	$(call say,LD) $(CC) $(UNIT_CFLAGS) $(LDFLAGS) -o $@ $< $(UNIT_OUT)/ctl.a \
		$(CTL_LIB_LIBS) -lcmocka -lm

# flamectl with a made-up module: for tests/ctl/top and tests/ctl/cli
$(UNIT_OUT)/fake: $(UNIT_OUT)/fake.o $(UNIT_OUT)/ctl.a
	$(call say,LD) $(CC) $(UNIT_CFLAGS) $(LDFLAGS) -o $@ $< $(UNIT_OUT)/ctl.a \
		$(CTL_LIB_LIBS) -lm

$(UNIT_OUT)/fake.o: tests/ctl/top/fake.c $(CTL_OUT)/flags | $(CTL_HEADERS) $(UNIT_OUT)/tools
	$(call say,CC) $(CC) $(UNIT_CFLAGS) $(CTL_WARNINGS) $(UNIT_CPPFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_OUT)/ctl.a: $(UNIT_OBJECTS) $(CTL_OUT)/flags
	$(call say,AR) rm -f $@ && $(AR) qcs $@ $(UNIT_OBJECTS)

$(UNIT_OUT)/%.o: tests/ctl/unit/%.c $(CTL_OUT)/flags | $(CTL_HEADERS) $(UNIT_OUT)/tools
	$(call say,CC) $(CC) $(UNIT_CFLAGS) $(CTL_WARNINGS) $(UNIT_CPPFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_OUT)/ctl/%.o: ctl/%.c $(CTL_OUT)/flags | $(CTL_HEADERS) $(UNIT_OUT)/tools
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(UNIT_CFLAGS) $(CTL_WARNINGS) $(UNIT_CPPFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_OUT)/ctl/%.o: $(CTL_OUT)/%.c $(CTL_OUT)/flags | $(UNIT_OUT)/tools
	$(call say,CC) $(CC) $(UNIT_CFLAGS) $(UNIT_CPPFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(UNIT_OBJECTS) $(UNIT_TESTS:=.o) $(UNIT_OUT)/fake.o
-include $(UNIT_OBJECTS:.o=.d) $(UNIT_TESTS:=.d) $(UNIT_OUT)/fake.d

$(UNIT_OUT)/tools:
	@pkg-config --exists cmocka || { \
		echo "make: cannot build the unit tests, the Debian package" \
			"libcmocka-dev is missing: tests/deps check" >&2; exit 1; }
	@mkdir -p $(UNIT_OUT)/ctl && touch $@
