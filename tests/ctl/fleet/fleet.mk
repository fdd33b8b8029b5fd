# SPDX-License-Identifier: GPL-2.0
#
# Programs with flamectl's own objects, and not those for tests, because sanitizers would
# make millions of rows slow: out/fleet/windows, which makes windows of many hosts, and
# out/fleet/agent and out/fleet/lots, which measure what the agent costs, and how far off
# windows with a threshold are.

FLEET_OBJECTS := $(filter-out $(CTL_OUT)/cmd/main.o,$(CTL_OBJECTS))
FLEET_SHARED := tests/ctl/fleet/draw.c tests/ctl/fleet/must.c

$(OUT)/fleet/windows $(OUT)/fleet/agent $(OUT)/fleet/lots: $(OUT)/fleet/%: tests/ctl/fleet/%.c \
		$(FLEET_SHARED) $(FLEET_SHARED:.c=.h) $(FLEET_OBJECTS) $(CTL_OUT)/flags
	@mkdir -p $(@D)
	$(call say,CC) $(CC) -std=gnu11 $(CTL_WARNINGS) $(CTL_CPPFLAGS) $(CFLAGS) $(LDFLAGS) \
		-o $@ $< $(FLEET_SHARED) $(FLEET_OBJECTS) $(CTL_LIB_LIBS) -lm
