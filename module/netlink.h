/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family, as common/flamemod.yaml defines it.
 */
#ifndef _FLAMEMOD_NETLINK_H
#define _FLAMEMOD_NETLINK_H

struct fm_session;

int fm_netlink_init(struct fm_session *session);
void fm_netlink_deinit(void);

#endif /* _FLAMEMOD_NETLINK_H */
