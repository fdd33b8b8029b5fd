/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Search in arrays of structures that are sorted by a number.
 */
#ifndef FLAMECTL_SORTED_H
#define FLAMECTL_SORTED_H

#include <stddef.h>
#include <stdint.h>

/**
 * sorted_nr_upto() - count the elements whose number is @most or less.
 * @list: the elements, in rising order. Each starts with its number, a uint64_t.
 * @nr: how many there are.
 * @size: of an element, in bytes.
 */
static inline size_t sorted_nr_upto(const void *list, size_t nr, size_t size,
				    uint64_t most)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (*(const uint64_t *)((const char *)list + middle * size) <= most)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif /* FLAMECTL_SORTED_H */
