// SPDX-License-Identifier: GPL-2.0
/*
 * A program of the guest, as an object of user stacks: see program.h.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <kunit/test.h>

#include "allocations.h"
#include "program.h"

struct fm_objects *fm_objects;
struct file *fm_file;
u8 fm_program_budget;

int fm_program_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_program_budget = FM_BUDGET_OF_ROOT;
	fm_objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_file = filp_open(FM_PROGRAM, O_RDONLY, 0);
	return fm_objects && !IS_ERR(fm_file) ? 0 : -ENOENT;
}

void fm_program_end(struct kunit *test)
{
	if (!IS_ERR_OR_NULL(fm_file))
		fput(fm_file);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	fm_file = NULL;
	fm_objects = NULL;
	fm_allocations_exit(test);
}

void fm_program_answer(struct fm_object *object, u32 chunk)
{
	struct fm_request request = {
		.object = object,
		.file = get_file(fm_file),
		.chunk = chunk,
		.runner.budget = fm_program_budget,
	};

	fm_object_answer(fm_objects, &request);
}
