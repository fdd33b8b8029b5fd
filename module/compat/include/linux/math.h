/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Used on kernels that have no <linux/math.h> yet: "kernel.h: split out
 * mathematical helpers", in v5.11.
 */
#include <linux/kernel.h>
