/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program of the guest, as an object of user stacks.
 */
#ifndef _FM_PROGRAM_H
#define _FM_PROGRAM_H

#include <linux/fs.h>
#include <kunit/test.h>

#include "../../module/user/object.h"

/* It has more than a few chunks. */
#define FM_PROGRAM	"/bin/bash"

/* For one test: the objects, none yet, and the program's file, open. */
extern struct fm_objects *fm_objects;
extern struct file *fm_file;

/* Whose budget answers are charged to: root's, unless a test sets it. */
extern u8 fm_program_budget;

/* A suite's init and exit. A test may destroy the objects, and set NULL. */
int fm_program_begin(struct kunit *test);
void fm_program_end(struct kunit *test);

/* As the worker does with a request for a chunk; here the file stays open. */
void fm_program_answer(struct fm_object *object, u32 chunk);

#endif /* _FM_PROGRAM_H */
