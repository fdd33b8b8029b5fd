// SPDX-License-Identifier: GPL-2.0
/*
 * Saved profiles in memory: see saved.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/gzip.h"
#include "format/pprof/pprof.h"
#include "saved.h"

struct bytes written(const struct profile *profile)
{
	struct bytes file;
	struct error error;
	FILE *out = open_memstream(&file.bytes, &file.size);

	assert_int_equal(pprof_write(profile, out, &error), 0);
	fclose(out);
	return file;
}

int read_bytes(const void *bytes, size_t size, struct profile **profile,
	       struct error *error)
{
	FILE *in = fmemopen((void *)bytes, size, "r");
	int err;

	assert_non_null(in);
	err = pprof_read(in, "FILE", profile, error);
	fclose(in);
	return err;
}

struct bytes unpacked(struct bytes file)
{
	FILE *in = fmemopen(file.bytes, file.size, "r");
	struct bytes plain;
	struct error error;
	uint8_t *bytes;

	assert_int_equal(gzip_read(in, 1 << 30, &bytes, &plain.size, &error), 0);
	plain.bytes = (char *)bytes;
	fclose(in);
	return plain;
}

void expect_refusal(const void *bytes, size_t size, const char *why)
{
	struct profile *profile;
	struct error error;

	assert_int_equal(read_bytes(bytes, size, &profile, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
}
