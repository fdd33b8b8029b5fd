/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows the profile as text, for machines on which only a shell is available.
 */
#ifndef _FLAMEMOD_DEBUGFS_H
#define _FLAMEMOD_DEBUGFS_H

struct fm_session;

void fm_debugfs_init(struct fm_session *session);
void fm_debugfs_deinit(void);

#endif /* _FLAMEMOD_DEBUGFS_H */
