/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bound the memory that is used while anyone's program is read: a compressed section of
 * some kilobytes can have gigabytes in it.
 */
#ifndef FLAMECTL_SYMBOLS_BOUNDED_H
#define FLAMECTL_SYMBOLS_BOUNDED_H

#include <sys/resource.h>

/* Symbols of the largest programs take a tenth of it when they are not compressed. */
#define BOUNDED_BYTES	(256UL << 20)

/* The bound that there was before. */
struct bounded {
	struct rlimit before;
};

/**
 * bounded_begin() - let this process have BOUNDED_BYTES more memory than it has now. What
 * needs more fails for lack of memory.
 */
void bounded_begin(struct bounded *bounded);

/** bounded_map() - allow the memory to map a file, in addition. @fd: the file. */
void bounded_map(int fd);

/** bounded_end() - remove the bound. */
void bounded_end(const struct bounded *bounded);

#endif /* FLAMECTL_SYMBOLS_BOUNDED_H */
