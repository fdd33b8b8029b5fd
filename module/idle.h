/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPUs that are idle, which are left asleep.
 */
#ifndef _FLAMEMOD_IDLE_H
#define _FLAMEMOD_IDLE_H

struct fm_session;

/* Of the worker, which comes every second, or more often. */
#define FM_IDLE_LOOKS	8

void fm_idle_init(struct fm_session *session);
void fm_idle_deinit(struct fm_session *session);

#endif /* _FLAMEMOD_IDLE_H */
