// SPDX-License-Identifier: GPL-2.0
/*
 * The output of perf script: ctl/format/import/perf.c. The first byte chooses options;
 * without any, all events are read as well.
 */
#include "fuzz.h"

static void read_all(const uint8_t *data, size_t size)
{
	struct events events = { .nr = 0 };
	const struct import_options options = { .events = &events };
	struct profile *profile = profile_create();
	FILE *in = fuzz_open(data, size);
	struct error error = { "" };

	must(profile && !events_add(&events, "", profile));
	if (import_perf(in, &options, profile, &error))
		must(*error.text);
	else
		fuzz_events(&events);
	fclose(in);
	events_deinit(&events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct import_options options[] = {
		{ 0 }, { .by_period = true }, { .event = "cycles" },
		{ .hz = 99 },
	};

	if (!size)
		return 0;
	fuzz_import(import_perf, &options[*data % 4], data + 1, size - 1);
	if (*data % 4 == 0)
		read_all(data + 1, size - 1);
	return 0;
}
