// SPDX-License-Identifier: GPL-2.0
/*
 * Looks up the frames of a stack's callers: see frames.h.
 */
#include <linux/errno.h>

#include "frames.h"
#include "path.h"
#include "sample.h"
#include "session.h"

/**
 * fm_frames_mark() - append the frames of the marks that belong to callers.
 * @session: locked; its frames are appended to
 * @marks: FM_STACK_*
 * @nr: how many frames there are
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOSPC.
 */
int fm_frames_mark(struct fm_session *session, u8 marks, u32 *nr)
{
	u32 *frames = session->frames;

	if (marks & FM_STACK_INCOMPLETE &&
	    fm_symbols_mark(&session->symbols, "[incomplete]", &frames[(*nr)++]))
		return -ENOSPC;
	if (marks & FM_STACK_TRUNCATED &&
	    fm_symbols_mark(&session->symbols, "[truncated]", &frames[(*nr)++]))
		return -ENOSPC;
	return 0;
}

/* Look up the frame of a caller. Return: as fm_symbols_resolve(). */
static int fm_frames_caller(struct fm_session *session, const struct fm_paths *paths,
			    unsigned long caller, u32 *frame)
{
	char comm[TASK_COMM_LEN];
	const char *name;

	if (likely(!fm_path_is_note(caller)))
		return fm_symbols_resolve(&session->symbols, caller, frame);
	name = fm_wakers_name(&paths->wakers, caller, comm);
	return fm_symbols_waker(&session->symbols, name, name == comm, frame);
}

/**
 * fm_frames_find() - look up the frames of all callers, the leaf's caller first.
 * @session: locked; its frames are set
 * @paths: the paths
 * @path: of the callers
 * @marks: FM_STACK_*, whose frames are appended
 * @nr: set to the number of frames
 *
 * Context: Process context, may sleep.
 * Return: as fm_symbols_resolve(), combined over all callers.
 */
int fm_frames_find(struct fm_session *session, const struct fm_paths *paths, u32 path,
		   u8 marks, u32 *nr)
{
	u32 *frames = session->frames, i;
	int passes = 0, err;

	*nr = fm_paths_callers(paths, path, session->callers);
	for (i = 0; i < *nr; i++) {
		err = fm_frames_caller(session, paths, session->callers[i], &frames[i]);
		if (err < 0)
			return err;
		passes |= err;
	}
	return fm_frames_mark(session, marks, nr) ?: passes;
}
