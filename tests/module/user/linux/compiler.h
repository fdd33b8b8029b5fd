/* SPDX-License-Identifier: GPL-2.0 */
/* What module/user/cfi*.c uses of the kernel's header, for user space. */
#ifndef _TESTS_LINUX_COMPILER_H
#define _TESTS_LINUX_COMPILER_H

/* libc defines __always_inline. */
#include <sys/cdefs.h>

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#endif
