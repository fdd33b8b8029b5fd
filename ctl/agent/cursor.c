// SPDX-License-Identifier: GPL-2.0
/*
 * Read and write how far a target has got: see cursor.h.
 */
#include "agent/cursor.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "agent/disk.h"
#include "agent/pairs.h"

#define NR_PAIRS	16

static void list_pairs(struct cursor *cursor, struct pair pairs[NR_PAIRS])
{
	const struct pair list[NR_PAIRS] = {
		{ "target", NULL, cursor->target, sizeof(cursor->target) },
		{ "done", &cursor->done },
		{ "trying", &cursor->trying },
		{ "taken", &cursor->taken },
		{ "taken-periods", &cursor->taken_periods },
		{ "refused", &cursor->refused },
		{ "refused-periods", &cursor->refused_periods },
		{ "too-old", &cursor->too_old },
		{ "too-old-periods", &cursor->too_old_periods },
		{ "doubtful", &cursor->doubtful },
		{ "doubtful-periods", &cursor->doubtful_periods },
		{ "missed", &cursor->missed },
		{ "success", &cursor->success },
		{ "failures", &cursor->failures },
		{ "error", NULL, cursor->error, sizeof(cursor->error) },
		{ NULL }
	};

	memcpy(pairs, list, sizeof(list));
}

const char *cursor_name(const char *target, char name[CURSOR_NAME])
{
	/* FNV-1a: the same in each run; the file has the whole name, which is compared */
	uint64_t hash = 0xcbf29ce484222325;

	for (; *target; target++)
		hash = (hash ^ (unsigned char)*target) * 0x100000001b3;
	snprintf(name, CURSOR_NAME, CURSOR_PREFIX "%016" PRIx64, hash);
	return name;
}

int cursor_read_file(int directory, const char *name, struct cursor *cursor,
		     struct error *error)
{
	struct pair pairs[NR_PAIRS];

	memset(cursor, 0, sizeof(*cursor));
	list_pairs(cursor, pairs);
	return pairs_read(pairs, directory, name, error);
}

int cursor_read(int directory, const char *target, struct cursor *cursor,
		struct error *error)
{
	char name[CURSOR_NAME];
	int err;

	if (strlen(target) >= CURSOR_TARGET_MAX)
		return error_set(error, -ENAMETOOLONG, "%.60s...: a target has at most %d characters",
				 target, CURSOR_TARGET_MAX - 1);
	err = cursor_read_file(directory, cursor_name(target, name), cursor, error);
	if (!err && strcmp(cursor->target, target))
		return error_set(error, -EBADMSG, "%s: it is that of %.200s, and not of %.200s",
				 name, cursor->target, target);
	if (err == -ENOENT)
		err = 0;
	if (!err)
		strcpy(cursor->target, target);
	return err;
}

static int write_cursor(const void *what, FILE *out, struct error *error)
{
	struct cursor cursor = *(const struct cursor *)what;
	struct pair pairs[NR_PAIRS];

	(void)error;
	list_pairs(&cursor, pairs);
	pairs_write(pairs, out);
	return 0;
}

int cursor_write(int directory, const struct cursor *cursor, struct error *error)
{
	char name[CURSOR_NAME];

	return disk_replace(directory, cursor_name(cursor->target, name), write_cursor,
			    cursor, error);
}
