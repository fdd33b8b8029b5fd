/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that is only forged, for walks of its user stack: it is mapped in a CPU's
 * cache alone, its rows are a table here, and its stack is in the memory of the first
 * process, as which the test's thread runs meanwhile.
 */
#ifndef _FM_FORGED_H
#define _FM_FORGED_H

#include <linux/ptrace.h>
#include <kunit/test.h>

#include "../../module/user/maps.h"
#include "../../module/user/walk.h"

/* For a suite's .init and .exit. */
int fm_forged_begin(struct kunit *test);
void fm_forged_end(struct kunit *test);

#ifdef CONFIG_X86_64
#define FM_TEXT		0x70000000ul	/* where the program is mapped */
#define FM_BYTES	0x10000ul	/* of text: one chunk */
#define FM_MADE		0x71000000ul	/* where nothing is mapped */
#define FM_STACK_BYTES	(2 * PAGE_SIZE)

/* The offsets of the program's functions. */
enum {
	FM_START = 0x1000,	/* the outermost one */
	FM_PUSHES = 0x2000,	/* has pushed one word */
	FM_SAVES = 0x3000,	/* has saved bp, and its frame is found by it */
	FM_LEAF = 0x4000,	/* has pushed nothing */
	FM_SAVES_BX = 0x5000,	/* has saved rbx */
	FM_BY_BX = 0x6000,	/* its frame is found by rbx */
	FM_SINKS = 0x7000,	/* says that its caller's frame is below its own */
	FM_UNKNOWN = 0x8000,	/* has no rule */
	FM_PUSHES_BP = 0x9000,	/* has saved bp, and its frame is found by sp */
};

struct fm_forged {
	struct fm_objects *objects;	/* the program is the first one */
	struct fm_user_paths paths;
	struct fm_maps *maps;
	struct mm_struct *mm;
	struct fm_chunk *chunk;		/* the program's rows */
	unsigned long stack;
	struct pt_regs regs;

	/* What the last walk found. */
	u64 frames[FM_USER_DEPTH_MAX + 1];
	unsigned int nr;
	enum flamemod_user_side side;
};

extern struct fm_forged fm_forged;

struct fm_map *fm_forged_map_entry(void);
void fm_forged_map(void);
struct fm_view *fm_forged_view(void);
void fm_forged_last(void);
void fm_forged_put(struct kunit *test, u32 at, unsigned long word);
void fm_forged_call(struct kunit *test, u32 at, unsigned long function);
u32 fm_forged_walk(bool from_user);
void fm_forged_expect_frames(struct kunit *test, enum flamemod_user_side side,
			     const u64 *offsets, unsigned int nr);
void fm_forged_forget_rows(void);
void fm_forged_know_rows(void);
void fm_forged_stand(struct kunit *test);
void fm_forged_expect_standing(struct kunit *test);
void fm_forged_stand_simply(struct kunit *test);

/* Check the result and the frames of the last walk: offsets, the leaf first. */
#define fm_forged_expect(test, side, ...)					\
	fm_forged_expect_frames(test, side, (const u64[]){ __VA_ARGS__ },	\
				sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))
#endif

#endif /* _FM_FORGED_H */
