# SPDX-License-Identifier: GPL-2.0
#
# Unit tests: each tests/ctl/unit/test_*.c becomes a program out/unit/test_* with
# flamectl's code from tests/ctl/sanitized.mk.

UNIT_OUT := $(OUT)/unit
UNIT_SOURCES := $(sort $(wildcard tests/ctl/unit/test_*.c))
UNIT_SHARED := $(filter-out $(UNIT_SOURCES),$(sort $(wildcard tests/ctl/unit/*.c)))
UNIT_TESTS := $(UNIT_SOURCES:tests/ctl/unit/%.c=$(UNIT_OUT)/%)
UNIT_OBJECTS := $(UNIT_SHARED:tests/ctl/unit/%.c=$(UNIT_OUT)/%.o)
UNIT_LIBRARIES := $(UNIT_OUT)/shared.a $(SANITIZED_OUT)/ctl.a
UNIT_CC = $(SANITIZED_CC) $(SANITIZED_CFLAGS)
UNIT_CPPFLAGS = -Itests/ctl/unit $(CTL_CPPFLAGS)

## check-unit: unit tests of flamectl, under sanitizers
check-unit: unit
	tests/run $(UNIT_TESTS)

unit: $(UNIT_TESTS) $(UNIT_OUT)/fake
.PHONY: unit check-unit

$(UNIT_OUT)/test_%: $(UNIT_OUT)/test_%.o $(UNIT_LIBRARIES)
	$(call say,LD) $(UNIT_CC) $(LDFLAGS) -o $@ $< $(UNIT_LIBRARIES) \
		$(CTL_LIB_LIBS) -lcmocka -lm

# flamectl with a made-up module: for tests/ctl/top and tests/ctl/cli
FAKE_OBJECTS := $(patsubst tests/ctl/top/%.c,$(UNIT_OUT)/%.o,$(wildcard tests/ctl/top/fake*.c))
$(UNIT_OUT)/fake: $(FAKE_OBJECTS) $(UNIT_LIBRARIES)
	$(call say,LD) $(UNIT_CC) $(LDFLAGS) -o $@ $(FAKE_OBJECTS) $(UNIT_LIBRARIES) \
		$(CTL_LIB_LIBS) -lm

$(FAKE_OBJECTS): $(UNIT_OUT)/%.o: tests/ctl/top/%.c $(SANITIZED_OUT)/flags | $(CTL_HEADERS) $(UNIT_OUT)/tools
	$(call say,CC) $(UNIT_CC) $(CTL_WARNINGS) $(UNIT_CPPFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_OUT)/shared.a: $(UNIT_OBJECTS) $(SANITIZED_OUT)/flags
	$(call say,AR) rm -f $@ && $(AR) qcs $@ $(UNIT_OBJECTS)

$(UNIT_OUT)/%.o: tests/ctl/unit/%.c $(SANITIZED_OUT)/flags | $(CTL_HEADERS) $(UNIT_OUT)/tools
	$(call say,CC) $(UNIT_CC) $(CTL_WARNINGS) $(UNIT_CPPFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(UNIT_OBJECTS) $(UNIT_TESTS:=.o) $(FAKE_OBJECTS)
-include $(UNIT_OBJECTS:.o=.d) $(UNIT_TESTS:=.d) $(FAKE_OBJECTS:.o=.d)

$(UNIT_OUT)/tools:
	@pkg-config --exists cmocka || { \
		echo "make: cannot build the unit tests, the Debian package" \
			"libcmocka-dev is missing: tests/deps check" >&2; exit 1; }
	@mkdir -p $(UNIT_OUT) && touch $@
