/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets idle CPUs sleep instead of waking them up for samples.
 */
#ifndef _FLAMEMOD_IDLE_H
#define _FLAMEMOD_IDLE_H

struct fm_session;

void fm_idle_init(struct fm_session *session);
void fm_idle_deinit(struct fm_session *session);

#endif /* _FLAMEMOD_IDLE_H */
