/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks who may use the module.
 */
#ifndef _FLAMEMOD_PERMIT_H
#define _FLAMEMOD_PERMIT_H

struct netlink_ext_ack;
struct sk_buff;

int fm_permit_message(struct sk_buff *skb, struct netlink_ext_ack *extack);
int fm_permit_refuse(struct netlink_ext_ack *extack);
int fm_permit_current(void);

#endif /* _FLAMEMOD_PERMIT_H */
