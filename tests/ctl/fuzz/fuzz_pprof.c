// SPDX-License-Identifier: GPL-2.0
/*
 * Saved profiles, ours and others': ctl/format/pprof/. Inputs are unpacked
 * messages, since no mutation would come past gzip's checksum; what is
 * accepted is packed as well and must read the same. Packed bytes are
 * fuzz_gzip.c's. Whatever the bytes are, libprotobuf-c must decode them to the
 * same message, or refuse them as well.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"
#include "format/pprof/places.h"
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

/* A symbol at every other place; one for several, of hostile bytes; and inlined ones. */
static int find_name(void *context, const struct pprof_place *place,
		     struct pprof_function *function)
{
	static const char *const inlined[] = { "g", "h\xff;_[i]" };

	must(*place->file && place->build_id && function);
	++*(uint64_t *)context;
	if (place->offset & 1)
		return 0;
	function->name = place->offset & 2 ? "f\033[31m\xff" : place->file;
	function->system_name = place->offset & 4 ? "_Z1fv" : function->name;
	function->inlined = inlined;
	function->nr_inlined = place->offset >> 3 & 1 ? 2 : 0;
	return 1;
}

/*
 * Name its places. What was accepted is accepted afterwards, and sums to the
 * same; the same places are without a name.
 */
static void name_places(const uint8_t *data, size_t size,
			const struct profile *profile)
{
	FILE *in = fuzz_open(data, size), *out;
	struct pprof_naming naming, again;
	struct error error = { "" };
	struct profile *named;
	struct pprof_file *file;
	struct fuzz_bytes bytes;
	bool inlines = size & 1;
	uint64_t calls = 0;

	if (pprof_file_read(in, "FILE", &file, &error)) {
		must(!strncmp(error.text, "FILE: ", 6));
		/* views skip such a field, which could not be written again */
		must(!profile || strstr(error.text, "a field has the number 0"));
		fclose(in);
		return;
	}
	fclose(in);
	if (pprof_file_name(file, inlines, find_name, &calls, &naming, &error)) {
		must(!strncmp(error.text, "FILE: ", 6));
		pprof_file_destroy(file);
		return;
	}
	must(naming.nr_named <= calls && naming.nr_inlined <= calls &&
	     naming.nr_asked == calls && calls <= naming.nr_locations &&
	     (inlines || calls <= naming.nr_unnamed - naming.nr_unplaced) &&
	     naming.nr_unnamed <= naming.nr_locations);
	must(!pprof_file_name(file, inlines, find_name, &calls, &again, &error));
	must(again.nr_unnamed == naming.nr_unnamed - naming.nr_named &&
	     !again.nr_named);
	out = open_memstream(&bytes.bytes, &bytes.size);
	must(out && !pprof_file_write(file, out, &error) && !fclose(out));
	pprof_file_destroy(file);
	named = read_profile(bytes.bytes, bytes.size);
	if (profile)
		must(named && !memcmp(&named->books, &profile->books,
				      sizeof(profile->books)));
	profile_destroy(named);
	free(bytes.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *profile = read_profile(data, size), *unpacked;
	struct fuzz_bytes packed;
	struct error error;

	fuzz_decoded(data, size);
	name_places(data, size, profile);
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
