/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saves and reads profiles in memory, for tests.
 */
#ifndef SAVED_H
#define SAVED_H

#include <stddef.h>

#include "base/error.h"
#include "profile/profile.h"

struct bytes {
	char *bytes;
	size_t size;
};

/** written() - save a profile. Return: the file; its bytes are to be freed. */
struct bytes written(const struct profile *profile);

/** read_bytes() - call pprof_read() on bytes. */
int read_bytes(const void *bytes, size_t size, struct profile **profile,
	       struct error *error);

/** unpacked() - decompress gzip'd bytes. Return: the result, to be freed. */
struct bytes unpacked(struct bytes file);

/** expect_refusal() - check that bytes are refused with this message. */
void expect_refusal(const void *bytes, size_t size, const char *why);

#endif /* SAVED_H */
