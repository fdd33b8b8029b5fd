// SPDX-License-Identifier: GPL-2.0
/*
 * Makes selections from options, for tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_selection.h"

struct selection make_selection(const struct asked *asked)
{
	struct selection selection = { 0 };
	struct error error;

	for (; asked->option != SELECT_OPTIONS; asked++)
		if (select_add(&selection, asked->option, asked->text, &error))
			fail_msg("%s", error.text);
	return selection;
}
