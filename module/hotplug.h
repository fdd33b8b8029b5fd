/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handles CPUs that come and go.
 */
#ifndef _FLAMEMOD_HOTPLUG_H
#define _FLAMEMOD_HOTPLUG_H

struct fm_session;

int fm_hotplug_init(struct fm_session *session);
void fm_hotplug_deinit(struct fm_session *session);

#endif /* _FLAMEMOD_HOTPLUG_H */
