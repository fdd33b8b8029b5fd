// SPDX-License-Identifier: GPL-2.0
/*
 * Texts of other tools: what is accepted adds up, and can be saved and shown.
 */
#include "fuzz.h"

#include <string.h>

void fuzz_import(import_fn read, const struct import_options *options,
		 const uint8_t *data, size_t size)
{
	struct profile *profile = profile_create();
	FILE *in = fuzz_open(data, size);
	struct error error = { "" };

	must(profile);
	if (read(in, options, profile, &error)) {
		must(*error.text);
	} else {
		must(!profile_check(profile, &error));
		fuzz_profile(profile);
	}
	fclose(in);
	profile_destroy(profile);
}
