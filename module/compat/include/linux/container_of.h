/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Used on kernels that have no <linux/container_of.h> yet: "kernel.h: split
 * out container_of() and typeof_member() macros", in v5.16.
 */
#include <linux/kernel.h>
