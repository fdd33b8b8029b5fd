/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the nodes of user stacks in a profile.
 *
 * Locking: the session's lock protects the profile. Copies: see user/copies.h.
 */
#ifndef _FLAMEMOD_DRAIN_USER_H
#define _FLAMEMOD_DRAIN_USER_H

#include <linux/types.h>

struct fm_aggregate;
struct fm_copies;
struct fm_memory;
struct fm_session;
struct fm_user_paths;

/* The profile that user stacks go to, and what is known beside their paths. */
struct fm_drain_to {
	struct fm_aggregate *aggregate;
	const struct fm_memory *memory;		/* of @aggregate */
	struct fm_copies *copies;		/* of the CPU */
	bool places;				/* keep places in functions apart */
};

/*
 * The node of a frame, from that of its caller. To name a frame and to look up its node takes
 * hundreds of instructions, and most stacks have long parts that others had before.
 */
struct fm_callee {
	u64 frame;	/* 0: none is kept here */
	u32 caller;
	u32 node;
};

/*
 * The most that are kept, a power of two: 256 KiB. This is memory of the profile. Addresses in
 * code made at run time get no names once a quarter of that memory is used, by these and others.
 */
#define FM_CALLEES_MAX	16384

void fm_drain_user_begin(struct fm_session *session);
int fm_drain_user(struct fm_session *session, const struct fm_drain_to *to,
		  struct fm_user_paths *paths, u32 path, u32 *node, u8 *side);

#endif /* _FLAMEMOD_DRAIN_USER_H */
