/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The profile as text, for a machine that has nothing but a shell.
 */
#ifndef _FLAMEMOD_DEBUGFS_H
#define _FLAMEMOD_DEBUGFS_H

struct fm_session;

void fm_debugfs_init(struct fm_session *session);
void fm_debugfs_deinit(void);

#endif /* _FLAMEMOD_DEBUGFS_H */
