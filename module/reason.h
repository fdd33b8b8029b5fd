/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reasons of refusals that have a name or a number in them.
 */
#ifndef _FLAMEMOD_REASON_H
#define _FLAMEMOD_REASON_H

#include <linux/compiler.h>
#include <linux/netlink.h>

__printf(2, 3)
void fm_reason(struct netlink_ext_ack *extack, const char *format, ...);

#endif /* _FLAMEMOD_REASON_H */
