/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads what a message asks to attach.
 */
#ifndef _FLAMEMOD_REQUESTED_H
#define _FLAMEMOD_REQUESTED_H

#include <linux/types.h>

struct fm_attach;
struct netlink_ext_ack;
struct nlattr;

int fm_requested_parse(struct fm_attach *request, const struct nlattr *nest,
		       struct netlink_ext_ack *extack);
void fm_requested_free(struct fm_attach *request);

int fm_requested_pids(u32 *pids, u32 *nr, const struct nlattr *attr,
		      struct netlink_ext_ack *extack);

#endif /* _FLAMEMOD_REQUESTED_H */
