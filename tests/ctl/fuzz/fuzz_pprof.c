// SPDX-License-Identifier: GPL-2.0
/*
 * Saved profiles, ours and others': ctl/pprof_*.c. Inputs are unpacked
 * messages, since no mutation would come past gzip's checksum; what is
 * accepted is packed as well and must read the same. Packed bytes are
 * fuzz_gzip.c's.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"
#include "format/pprof/pprof.h"
#include "profile/slices.h"

static struct fuzz_bytes pack(const uint8_t *data, size_t size)
{
	struct fuzz_bytes packed;
	FILE *out = open_memstream(&packed.bytes, &packed.size);
	struct gzip *gzip = gzip_create(out);

	must(out && gzip && !gzip_write(gzip, data, size) &&
	     !gzip_finish(gzip));
	gzip_destroy(gzip);
	must(!fclose(out));
	return packed;
}

static struct profile *read_profile(const void *bytes, size_t size)
{
	FILE *in = fuzz_open(bytes, size);
	struct profile *profile = NULL;
	struct error error = { "" };

	if (pprof_read(in, "FILE", &profile, &error))
		must(!profile && !strncmp(error.text, "FILE: ", 6));
	else
		must(profile);
	fclose(in);
	return profile;
}

/* All of its events, of which the first is the one that is read alone. */
static void read_all(const uint8_t *data, size_t size,
		     const struct profile *profile)
{
	const struct events_wanted wanted = { .all = true };
	FILE *in = fuzz_open(data, size);
	struct events events;
	struct error error = { "" };

	if (pprof_read_events(in, "FILE", &wanted, &events, &error)) {
		must(!strncmp(error.text, "FILE: ", 6));
	} else {
		must(!memcmp(&events.list[0].profile->books, &profile->books,
			     sizeof(profile->books)));
		fuzz_events(&events);
		events_deinit(&events);
	}
	fclose(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *profile = read_profile(data, size), *unpacked;
	struct fuzz_bytes packed;
	struct error error;

	if (!profile)
		return 0;
	/* books are made up where there are none: those balance, too */
	must(!profile_check(profile, &error) && !slices_check(profile, &error));
	packed = pack(data, size);
	unpacked = read_profile(packed.bytes, packed.size);
	must(unpacked && unpacked->nr_records == profile->nr_records &&
	     !memcmp(&unpacked->books, &profile->books, sizeof(profile->books)));
	profile_destroy(unpacked);
	free(packed.bytes);
	fuzz_profile(profile);
	read_all(data, size, profile);
	profile_destroy(profile);
	return 0;
}
