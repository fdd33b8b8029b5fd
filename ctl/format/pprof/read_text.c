// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of all parts of the reader: strings of the table, values in comments,
 * and the account of the work that a file causes.
 */
#include "format/pprof/read.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "format/pprof/pprof.h"

const char *pprof_string(const struct pprof_reader *r, int64_t index)
{
	if (index >= 0 && (uint64_t)index < r->message->n_string_table)
		return r->strings[index];
	error_set(r->error, -EBADMSG, "string %" PRId64
		  " is referred to, there are %zu", index,
		  r->message->n_string_table);
	return NULL;
}

int pprof_pay(struct pprof_reader *r, uint64_t work)
{
	r->work += work + PPROF_WORK_EACH;
	if (r->work <= PPROF_WORK_MAX)
		return 0;
	return error_set(r->error, -EBADMSG, "its samples name more than %llu GiB of functions together",
			 PPROF_WORK_MAX >> 30);
}

const char *pprof_value_of(const char *text, const char *key)
{
	size_t length = strlen(key);

	return !strncmp(text, key, length) && text[length] == '=' ?
	       text + length + 1 : NULL;
}
