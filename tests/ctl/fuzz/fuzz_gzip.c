// SPDX-License-Identifier: GPL-2.0
/*
 * Packed bytes: ctl/base/gzip.c, checked by zlib's own reader of files, and a limit
 * that holds.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zlib.h>

#include "base/gzip.h"

#define LIMIT	(256 * 1024)

/* What zlib makes of the same bytes; -1 where it is not all of them. */
static long by_zlib(const uint8_t *data, size_t size, char *bytes)
{
	int fd = memfd_create("packed", MFD_CLOEXEC), got, end;
	gzFile file;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	must(!lseek(fd, 0, SEEK_SET));
	file = gzdopen(fd, "rb");
	must(file);
	got = gzread(file, bytes, LIMIT);
	gzerror(file, &end);
	if (end != Z_OK && end != Z_STREAM_END)
		got = -1;
	gzclose(file);
	return got;
}

static void must_agree(const uint8_t *data, size_t size, const uint8_t *bytes,
		       size_t unpacked)
{
	char *expected = malloc(LIMIT);
	long nr;

	must(expected);
	nr = by_zlib(data, size, expected);
	/* zlib takes a first byte alone for text, and junk behind for padding */
	if (nr >= 0 && size > 1 && data[0] == 0x1f && data[1] == 0x8b) {
		must((size_t)nr == unpacked);
		must(!memcmp(expected, bytes, unpacked));
	}
	free(expected);
}

static void must_come_back(const uint8_t *bytes, size_t size)
{
	struct fuzz_bytes packed;
	FILE *out = open_memstream(&packed.bytes, &packed.size), *in;
	struct gzip *gzip = gzip_create(out);
	struct error error;
	uint8_t *again;
	size_t size_again;

	must(gzip && !gzip_write(gzip, bytes, size) && !gzip_finish(gzip));
	gzip_destroy(gzip);
	must(!fclose(out));
	in = fuzz_open(packed.bytes, packed.size);
	must(!gzip_read(in, LIMIT, &again, &size_again, &error));
	must(size_again == size && !memcmp(again, bytes, size));
	fclose(in);
	free(again);
	free(packed.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *in = fuzz_open(data, size);
	struct error error = { "" };
	uint8_t *bytes = NULL;
	size_t unpacked;
	int err;

	err = gzip_read(in, LIMIT, &bytes, &unpacked, &error);
	fclose(in);
	if (err) {
		must(*error.text && !bytes);
		must(err == -EBADMSG || err == -EFBIG);
		return 0;
	}
	must(bytes && unpacked <= LIMIT);
	must_agree(data, size, bytes, unpacked);
	must_come_back(bytes, unpacked);
	free(bytes);
	return 0;
}
