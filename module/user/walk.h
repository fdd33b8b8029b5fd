/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the user stack of the interrupted task.
 *
 * Context: Hard interrupt. Reads the task's own user memory, with page faults
 * disabled, so pages that are not in memory are not read.
 */
#ifndef _FLAMEMOD_USER_WALK_H
#define _FLAMEMOD_USER_WALK_H

#include <asm/irq_work.h>

#include "arch.h"
#include "copies.h"
#include "maps.h"
#include "paths.h"

struct pt_regs;

/* What a CPU needs for user stacks besides paths. */
#define FM_USER_CPU_BYTES	(sizeof(struct fm_maps) + sizeof(struct fm_copies))

/* A user stack. */
struct fm_user_stack {
	u32 path;
	enum flamemod_user_side side;	/* what became of the walk */
};

#if FM_ARCH_USER_STACKS
void fm_user_walk_copy(struct fm_objects *objects, const struct fm_copy *copy,
		       struct fm_result *result);
struct fm_user_stack fm_user_walk(struct fm_maps *maps, struct fm_user_paths *paths,
				  const struct pt_regs *regs, bool from_user);
#else
/* There are no user stacks: see fm_user_stacks_exist(). */
static inline void fm_user_walk_copy(struct fm_objects *objects,
				     const struct fm_copy *copy,
				     struct fm_result *result)
{
}

static inline struct fm_user_stack fm_user_walk(struct fm_maps *maps,
						struct fm_user_paths *paths,
						const struct pt_regs *regs, bool from_user)
{
	const enum flamemod_user_side side = FLAMEMOD_USER_NO_RULE;

	return (struct fm_user_stack){ fm_user_paths_nothing(side), side };
}
#endif

/* Return: whether user stacks can be taken on this machine. */
static inline bool fm_user_stacks_exist(void)
{
	return FM_ARCH_USER_STACKS && arch_irq_work_has_interrupt();
}

#endif /* _FLAMEMOD_USER_WALK_H */
