/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's string functions that module/user uses, for user space. */
#include <string.h>
