/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saved profiles in memory, for tests.
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

/** written() - the file that a profile is saved as; its bytes are the caller's. */
struct bytes written(const struct profile *profile);

/** read_bytes() - pprof_read() of them. */
int read_bytes(const void *bytes, size_t size, struct profile **profile,
	       struct error *error);

/** unpacked() - what gzip packed; the caller's. */
struct bytes unpacked(struct bytes file);

/** expect_refusal() - fail unless they are refused, and that is said. */
void expect_refusal(const void *bytes, size_t size, const char *why);

#endif /* SAVED_H */
