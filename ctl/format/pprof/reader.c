// SPDX-License-Identifier: GPL-2.0
/*
 * Small functions that the parts of the pprof reader share: texts of the string
 * table, values in comments, and the refusal of a file that causes too much work. See
 * reader.h.
 */
#include "format/pprof/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "format/pprof/pprof.h"

const char *pprof_text(char *const *strings, size_t nr, int64_t index,
		       struct error *error)
{
	if (index >= 0 && (uint64_t)index < nr)
		return strings[index];
	error_set(error, -EBADMSG, "string %" PRId64
		  " is referred to, there are %zu", index, nr);
	return NULL;
}

int pprof_refuse_work(struct pprof_reader *r)
{
	return error_set(r->error, -EBADMSG, "the functions of its samples need more than %llu GiB",
			 PPROF_WORK_MAX >> 30);
}

const char *pprof_value_of(const char *text, const char *key)
{
	size_t length = strlen(key);

	return !strncmp(text, key, length) && text[length] == '=' ?
	       text + length + 1 : NULL;
}
