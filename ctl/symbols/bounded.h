/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bound the memory that is used while anyone's program is read: a compressed section of
 * some kilobytes can have gigabytes in it.
 */
#ifndef FLAMECTL_SYMBOLS_BOUNDED_H
#define FLAMECTL_SYMBOLS_BOUNDED_H

#include <stdint.h>
#include <sys/resource.h>

/* Symbols of the largest programs take a tenth of it when they are not compressed. */
#define BOUNDED_BYTES	(256UL << 20)

/* The bound that there was before, and what was used then. */
struct bounded {
	struct rlimit before;
	uint64_t used_bytes;
};

/**
 * bounded_set() - let what is read take other than BOUNDED_BYTES, as where this process must
 * do with less.
 */
void bounded_set(uint64_t bytes);

/** bounded_max() - return how much memory what is read may take. */
uint64_t bounded_max(void);

/** bounded_used() - return how much memory this process has now; pages of files do not count. */
uint64_t bounded_used(void);

/**
 * bounded_begin() - let this process have bounded_max() more memory than it has now. What
 * needs more fails for lack of memory.
 */
void bounded_begin(struct bounded *bounded);

/** bounded_map() - allow the memory to map a file, in addition. @fd: the file. */
void bounded_map(int fd);

/** bounded_end() - remove the bound. Return: how much more bounded_used() is since the begin. */
uint64_t bounded_end(const struct bounded *bounded);

#endif /* FLAMECTL_SYMBOLS_BOUNDED_H */
