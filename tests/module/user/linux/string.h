/* SPDX-License-Identifier: GPL-2.0 */
/* What module/user takes of the kernel's strings, for user space. */
#include <string.h>
