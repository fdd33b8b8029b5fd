# SPDX-License-Identifier: GPL-2.0
#
# out/fleet/windows, which makes windows of many hosts: with flamectl's own objects, and
# not those for tests, because sanitizers would make millions of rows slow.

WINDOWS_OBJECTS := $(filter-out $(CTL_OUT)/cmd/main.o,$(CTL_OBJECTS))

$(OUT)/fleet/windows: tests/ctl/fleet/windows.c $(WINDOWS_OBJECTS) $(CTL_OUT)/flags
	@mkdir -p $(@D)
	$(call say,CC) $(CC) -std=gnu11 $(CTL_WARNINGS) $(CTL_CPPFLAGS) $(CFLAGS) $(LDFLAGS) \
		-o $@ $< $(WINDOWS_OBJECTS) $(CTL_LIB_LIBS) -lm
