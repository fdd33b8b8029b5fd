/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looks up the frames of a stack's callers, for drains.
 */
#ifndef _FLAMEMOD_FRAMES_H
#define _FLAMEMOD_FRAMES_H

#include <linux/types.h>

struct fm_paths;
struct fm_session;

int fm_frames_mark(struct fm_session *session, u8 marks, u32 *nr);
int fm_frames_find(struct fm_session *session, const struct fm_paths *paths, u32 path,
		   u8 marks, u32 *nr);

#endif /* _FLAMEMOD_FRAMES_H */
