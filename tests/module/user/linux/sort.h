/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's sort() for user space. */
#ifndef _TESTS_LINUX_SORT_H
#define _TESTS_LINUX_SORT_H

#include <stdlib.h>

#define sort(base, nr, size, compare, swap)	qsort(base, nr, size, compare)

#endif
