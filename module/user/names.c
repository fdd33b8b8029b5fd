// SPDX-License-Identifier: GPL-2.0
/*
 * Names the frames of user stacks: see names.h.
 *
 * To find where a function starts takes hundreds of instructions, and many stacks share
 * functions. So the names of some frames are kept.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/log2.h>

#include "../pool.h"
#include "../symbols.h"
#include "names.h"
#include "object.h"
#include "paths.h"

static const char *const fm_user_ends[] = {
	[FLAMEMOD_USER_DEEP] = "[user: deep]",
	[FLAMEMOD_USER_UNVERIFIED] = "[user: unverified]",
	[FLAMEMOD_USER_NO_MAPPING] = "[user: no mapping]",
	[FLAMEMOD_USER_NOT_LEARNED] = "[user: not learned]",
	[FLAMEMOD_USER_COPY_SHORT] = "[user: copy short]",
	[FLAMEMOD_USER_FAULT] = "[user: fault]",
	[FLAMEMOD_USER_NO_RULE] = "[user: no rule]",
	[FLAMEMOD_USER_EXEC] = "[user: exec]",
	[FLAMEMOD_USER_COMPAT32] = "[user: 32-bit]",
	[FLAMEMOD_USER_CROWDED] = "[user: crowded]",
	[FLAMEMOD_USER_AWAY] = "[user: away]",
};

/* Return: the name of a frame that has no object. */
static const char *fm_user_mark(u64 mark)
{
	switch (mark) {
	case FM_USER_MADE:
		return FM_USER_NAME_MADE;
	case FM_USER_FOREIGN:
		return "[unread file]";
	}
	return fm_user_ends[mark - FM_USER_END];
}

/*
 * Return: where the name of a frame is kept, if it is; it may be that of another one. NULL
 * if there is no memory to keep names.
 */
static struct fm_user_known *fm_user_known(struct fm_symbols *symbols, u64 key)
{
	struct fm_pool *known = &symbols->user_known;

	if (!known->nr && fm_pool_init_cache(known, symbols->memory, sizeof(struct fm_user_known),
					     FM_USER_KNOWN_MAX))
		return NULL;
	return fm_pool_at(known, hash_64(key, ilog2(known->nr)));
}

/**
 * fm_user_name() - find or add the frame of a user function.
 * @symbols: the names
 * @objects: the objects
 * @frame: the frame, as in a path
 * @places: keep the places in a function apart
 * @id: set to its number
 *
 * It is named by where the function starts in the file, so all samples of a function are
 * one frame even if the program has no symbols. If the start is not known, or with @places,
 * it is named by the place of the instruction.
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0; FM_SYMBOLS_PASSES if it may have another name the next time; -ENOSPC; or
 * -EAGAIN if the file was not read yet and so has no name.
 */
int fm_user_name(struct fm_symbols *symbols, const struct fm_objects *objects,
		 u64 frame, bool places, u32 *id)
{
	u64 offset = fm_user_frame_offset(frame), start = offset;
	u32 number = fm_user_frame_object(frame);
	struct fm_user_known *known = NULL;
	const struct fm_object *object;
	bool lasts = true;

	if (!number)
		return fm_symbols_user(symbols, fm_user_mark(offset), id);
	if (!places)
		known = fm_user_known(symbols, frame);
	if (known && known->key == frame) {
		*id = known->id;
		return 0;
	}
	object = &objects->list[number - 1];
	/* Pairs with fm_object_open(). Before that, nothing is known about the file. */
	if (smp_load_acquire(&object->state) == FM_OBJECT_NEW)
		return -EAGAIN;
	if (!object->file)
		return fm_symbols_user(symbols, fm_user_mark(FM_USER_FOREIGN), id);
	if (!places)
		lasts = fm_object_function(object, offset, &start);
	if (fm_symbols_place(symbols, object->file->shown, start, id))
		return -ENOSPC;
	if (!lasts)
		return FM_SYMBOLS_PASSES;
	if (known)
		*known = (struct fm_user_known){ .key = frame, .id = *id };
	return 0;
}

/**
 * fm_user_name_made() - find or add the frame of an address in code that was made at
 * run time.
 * @symbols: the names
 * @frame: the frame, as in a path
 * @pid: its process
 * @id: set to its number
 *
 * The name is "[jit PID]+0xADDRESS": the process may tell flamectl what is there. Only
 * netlink sends it. It is the same for no other process.
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0 or -ENOSPC.
 */
int fm_user_name_made(struct fm_symbols *symbols, u64 frame, u32 pid, u32 *id)
{
	char name[48];

	snprintf(name, sizeof(name), "[jit %u]+0x%llx", pid,
		 frame & ~FM_USER_MADE_AT);
	return fm_symbols_user(symbols, name, id);
}
