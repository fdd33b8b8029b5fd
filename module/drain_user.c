// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the nodes of user stacks, for drains of the timer's samples and of events: see
 * drain_user.h.
 */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/minmax.h>

#include "aggregate.h"
#include "drain_user.h"
#include "memory.h"
#include "session.h"
#include "user/copies.h"
#include "user/names.h"

/*
 * Is there memory for another user stack? They are anyone's choice, so they leave half
 * of the memory to the rest of the profile. The names of their frames are in the session's
 * memory, and stay, whosever profile it is: those of events leave a quarter of that. They may
 * have more of it than the timer's, which fill their half on many machines.
 */
static bool fm_drain_has_room(const struct fm_session *session, const struct fm_drain_to *to)
{
	const struct fm_memory *names = &session->memory;

	if (!fm_memory_has_room(to->memory, to->memory->limit_bytes / 2))
		return false;
	return fm_memory_has_room(names, names->limit_bytes / 4);
}

/*
 * Find the name of a frame of a user stack. Addresses in code that was made at run time
 * are many, so they leave another quarter to stacks that have none; then such code is
 * one frame. Return: as fm_user_name().
 */
static int fm_drain_user_frame(struct fm_session *session, u64 frame, bool places, u32 pid,
			       u32 *id)
{
	if (!fm_user_frame_is_made(frame))
		return fm_user_name(&session->symbols, session->objects, frame, places, id);
	if (!fm_memory_has_room(&session->memory, session->memory.limit_bytes / 4 * 3))
		return fm_user_name(&session->symbols, session->objects,
				    fm_user_frame(0, FM_USER_MADE), false, id);
	return fm_user_name_made(&session->symbols, frame, pid, id);
}

/**
 * fm_drain_user_begin() - forget what may be other than at the last drain.
 * @session: locked
 *
 * A drain starts with this: since the last one, a profile may have been freed, or user
 * functions may be named in another way.
 *
 * Context: Process context.
 */
void fm_drain_user_begin(struct fm_session *session)
{
	struct fm_drained *drained = &session->drained;
	u64 noted = fm_session_noted(session);

	drained->nr = 0;
	if (drained->noted != noted)
		fm_pool_deinit(&drained->callees);
	drained->noted = noted;
}

/*
 * Return: where the node of a frame is kept, if it is; it may be that of another one. NULL
 * if it is not kept.
 */
static struct fm_callee *fm_drain_callee(struct fm_session *session,
					 const struct fm_drain_to *to, u32 caller, u64 frame)
{
	struct fm_pool *callees = &session->drained.callees;

	if (to->aggregate != session->aggregate || fm_user_frame_is_made(frame))
		return NULL;
	if (!callees->nr && fm_pool_init_cache(callees, &session->memory,
					       sizeof(struct fm_callee), FM_CALLEES_MAX))
		return NULL;
	return fm_pool_at(callees, hash_64(frame ^ (u64)caller << 32, ilog2(callees->nr)));
}

/*
 * Find or add the node of a frame.
 * @node: that of its caller; set
 *
 * Return: 0, -ENOSPC, FM_SYMBOLS_PASSES, or -EAGAIN if it has no name yet; then @node stays.
 */
static int fm_drain_user_node(struct fm_session *session, const struct fm_drain_to *to,
			      u64 frame, u32 pid, u32 *node)
{
	struct fm_callee *callee = fm_drain_callee(session, to, *node, frame);
	u32 caller = *node, id;
	int passes;

	if (callee && callee->frame == frame && callee->caller == caller) {
		*node = callee->node;
		return 0;
	}
	passes = fm_drain_user_frame(session, frame, to->places, pid, &id);
	if (passes < 0)
		return passes;
	if (fm_aggregate_node(to->aggregate, caller, &id, 1, node))
		return -ENOSPC;
	if (callee && !passes)
		*callee = (struct fm_callee){ .frame = frame, .caller = caller, .node = *node };
	return passes;
}

/*
 * Keep what the stack that was drained last has in common with this one, from the outermost
 * frame on: many stacks of a program begin alike.
 */
static void fm_drain_user_keep(struct fm_drained *drained,
			       const struct fm_aggregate *aggregate, const u64 *users, u32 nr)
{
	u32 most = drained->aggregate == aggregate ? min(drained->nr, nr) : 0, i;

	for (i = 0; i < most && drained->frames[i] == users[nr - 1 - i]; i++)
		;
	drained->aggregate = aggregate;
	drained->nr = i;
}

/* Return: the process of a stack's frames in code that was made at run time; or 0. */
static u32 fm_drain_user_process(const u64 *users, u32 nr)
{
	while (nr--)
		if (fm_user_frame_is_process(users[nr]))
			return fm_user_frame_offset(users[nr]) - FM_USER_PROCESS;
	return 0;
}

/*
 * Find or add the nodes of a stack's frames, and keep those of its outermost frames, which
 * have the same name in other stacks.
 * @users: the frames of which the nodes are not kept already, the leaf first
 * @nr: how many
 *
 * Return: as fm_drain_user().
 */
static int fm_drain_user_nodes(struct fm_session *session, const struct fm_drain_to *to,
			       const u64 *users, u32 nr, u32 *node)
{
	struct fm_drained *drained = &session->drained;
	bool keeps = true;
	int passes = 0;
	u32 pid = 0;

	*node = drained->nr ? drained->nodes[drained->nr - 1] : 0;
	while (nr--) {
		bool is_made = fm_user_frame_is_made(users[nr]);
		int err;

		if (fm_user_frame_is_process(users[nr]))
			continue;
		if (is_made && !pid)
			pid = fm_drain_user_process(users, nr);
		err = fm_drain_user_node(session, to, users[nr], pid, node);
		if (err == -ENOSPC)
			return err;
		/* A frame that has no name yet is left out. */
		if (err)
			passes = FM_SYMBOLS_PASSES;
		if (err || is_made)
			keeps = false;
		if (!keeps)
			continue;
		drained->frames[drained->nr] = users[nr];
		drained->nodes[drained->nr++] = *node;
	}
	return passes;
}

/**
 * fm_drain_user() - find the call tree node of a user stack.
 * @session: locked
 * @to: where it goes
 * @paths: the CPU's
 * @path: the user stack
 * @node: set to the node
 * @side: what became of the stack; changes if a copy tells more, or there is no room for it
 *
 * Context: Process context, may sleep.
 * Return: 0, -ENOSPC, or FM_SYMBOLS_PASSES if it may have another node the next time.
 */
int fm_drain_user(struct fm_session *session, const struct fm_drain_to *to,
		  struct fm_user_paths *paths, u32 path, u32 *node, u8 *side)
{
	u32 *note = &paths->nodes[path], nr;
	int passes = 0, err;

	if (*note) {
		*node = *note - 1;
		return 0;
	}
	if (!fm_drain_has_room(session, to)) {
		*side = FLAMEMOD_USER_CROWDED;
		path = fm_user_paths_nothing(*side);
		passes = FM_SYMBOLS_PASSES;
	}
	nr = fm_user_paths_frames(paths, path, session->users);
	if (fm_user_frame_is_copy(session->users[nr - 1])) {
		nr = fm_copies_result(to->copies, session->users, nr, side);
		passes = FM_SYMBOLS_PASSES;
	}
	fm_drain_user_keep(&session->drained, to->aggregate, session->users, nr);
	err = fm_drain_user_nodes(session, to, session->users, nr - session->drained.nr, node);
	if (err < 0)
		return err;
	if (!passes && !err)
		*note = *node + 1;
	return passes ?: err;
}
