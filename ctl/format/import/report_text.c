// SPDX-License-Identifier: GPL-2.0
/*
 * Growing arrays, in which the parser of perf report's text keeps what it read.
 */
#include "format/import/report_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int report_make_room(struct report *report, void *array, size_t size,
		     size_t nr, size_t *room)
{
	void **elements = array, *moved;
	size_t more = *room ?: 64;

	while (more < nr)
		more *= 2;
	if (more == *room)
		return 0;
	moved = reallocarray(*elements, more, size);
	if (!moved)
		return error_set(report->import.error, -ENOMEM, "%s",
				 strerror(ENOMEM));
	*elements = moved;
	*room = more;
	return 0;
}

int report_keep_text(struct report *report, const char *text, size_t length,
		     size_t *at)
{
	int err = report_make_room(report, &report->texts, 1,
				   report->texts_size + length + 1,
				   &report->texts_room);

	if (err)
		return err;
	*at = report->texts_size;
	memcpy(report->texts + *at, text, length);
	report->texts[*at + length] = '\0';
	report->texts_size += length + 1;
	return 0;
}
