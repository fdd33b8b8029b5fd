/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handles modules that come and go while they are sampled.
 */
#ifndef _FLAMEMOD_MODULES_H
#define _FLAMEMOD_MODULES_H

struct fm_session;

int fm_modules_init(struct fm_session *session);
void fm_modules_deinit(void);

#endif /* _FLAMEMOD_MODULES_H */
