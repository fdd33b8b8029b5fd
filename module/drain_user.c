// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the nodes of user stacks, for drains of the timer's samples and of events: see
 * drain_user.h.
 */
#include <linux/minmax.h>

#include "aggregate.h"
#include "drain_user.h"
#include "memory.h"
#include "session.h"
#include "user/copies.h"
#include "user/names.h"

/*
 * Is there memory for another user stack? They are anyone's choice, so they leave half
 * of the memory to the rest of the profile.
 */
static bool fm_drain_has_room(const struct fm_memory *memory)
{
	return fm_memory_has_room(memory, memory->limit_bytes / 2);
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
 * fm_drain_user_begin() - forget the user stack that was drained last.
 * @session: locked
 *
 * A drain starts with this: since the last one, a profile may have been freed, or user
 * functions may be named in another way.
 *
 * Context: Process context.
 */
void fm_drain_user_begin(struct fm_session *session)
{
	session->drained.nr = 0;
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

/*
 * Find or add the nodes of a stack's frames, and keep those of its outermost frames.
 * @users: the frames of which the nodes are not kept already, the leaf first
 * @nr: how many
 * @odd: so many of them, from the leaf on, may have other names in another stack
 * @ids: their names, the leaf's first; a frame that has no name yet is left out
 * @nr_ids: how many
 */
static int fm_drain_user_nodes(struct fm_drained *drained, struct fm_aggregate *aggregate,
			       const u64 *users, u32 nr, u32 odd, const u32 *ids, u32 nr_ids,
			       u32 *node)
{
	int err;

	*node = drained->nr ? drained->nodes[drained->nr - 1] : 0;
	while (nr_ids) {
		err = fm_aggregate_node(aggregate, *node, &ids[--nr_ids], 1, node);
		if (err)
			return err;
		if (nr == odd)
			continue;
		drained->frames[drained->nr] = users[--nr];
		drained->nodes[drained->nr++] = *node;
	}
	return 0;
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
	u32 *note = &paths->nodes[path], nr, at, pid = 0, named = 0, odd = 0;
	int passes = 0, err;

	if (*note) {
		*node = *note - 1;
		return 0;
	}
	if (!fm_drain_has_room(to->memory)) {
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
	nr -= session->drained.nr;
	for (at = 0; at < nr; at++) {
		u64 frame = session->users[at];

		if (fm_user_frame_is_process(frame)) {
			pid = fm_user_frame_offset(frame) - FM_USER_PROCESS;
			odd = at + 1;
			continue;
		}
		err = fm_drain_user_frame(session, frame, to->places, pid,
					  &session->frames[named]);
		if (err == -ENOSPC)
			return err;
		if (err || fm_user_frame_is_made(frame))
			odd = at + 1;
		if (err)	/* the file is not read yet */
			passes = FM_SYMBOLS_PASSES;
		else
			named++;
	}
	err = fm_drain_user_nodes(&session->drained, to->aggregate, session->users, nr, odd,
				  session->frames, named, node);
	if (err)
		return err;
	if (!passes)
		*note = *node + 1;
	return passes;
}
