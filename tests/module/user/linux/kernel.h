/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's functions that module/user/cfi*.c uses, for user space. */
#ifndef _TESTS_LINUX_KERNEL_H
#define _TESTS_LINUX_KERNEL_H

#include <limits.h>

#define S16_MIN	INT16_MIN
#define S16_MAX	INT16_MAX
#define S32_MIN	INT32_MIN
#define S32_MAX	INT32_MAX
#define U64_MAX	UINT64_MAX
#define max(a, b) ((a) > (b) ? (a) : (b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))

#endif
