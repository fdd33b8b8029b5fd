// SPDX-License-Identifier: GPL-2.0
/*
 * Read and write files of keys and values: see pairs.h.
 */
#include "agent/pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "agent/disk.h"
#include "base/lines.h"
#include "base/number.h"

#define LINE_MAX_BYTES	4096

void pairs_write(const struct pair *pairs, FILE *out)
{
	for (; pairs->key; pairs++) {
		fprintf(out, "%s=", pairs->key);
		if (pairs->number)
			fprintf(out, "%" PRIu64, *pairs->number);
		for (const char *c = pairs->text; c && *c; c++)
			putc((unsigned char)*c < ' ' ? ' ' : *c, out);
		putc('\n', out);
	}
	fputs("end=1\n", out);
}

/* Return: whether the value is one of this key. */
static bool read_value(const struct pair *pair, const char *value)
{
	if (pair->number)
		return !number_parse(value, 0, UINT64_MAX, pair->number, NULL);
	snprintf(pair->text, pair->size, "%s", value);
	return true;
}

static bool read_line(const struct pair *pairs, char *line, bool *ended)
{
	char *value = strchr(line, '=');

	if (!value || *ended)
		return false;
	*value++ = '\0';
	*ended = !strcmp(line, "end");
	for (; pairs->key; pairs++)
		if (!strcmp(pairs->key, line))
			return read_value(pairs, value);
	return true;
}

static int read_lines(const struct pair *pairs, FILE *in)
{
	struct lines lines;
	bool good = true, ended = false;
	size_t length;
	char *line;
	int more = 0;

	lines_init(&lines, in, LINE_MAX_BYTES);
	while (good && (more = lines_next(&lines, &line, &length)) > 0)
		good = read_line(pairs, line, &ended);
	lines_deinit(&lines);
	if (more == -ENOMEM)
		return more;
	return good && !more && ended ? 0 : -EBADMSG;
}

int pairs_read(const struct pair *pairs, int directory, const char *name,
	       struct error *error)
{
	FILE *in;
	int err = disk_read(directory, name, &in, error);

	if (err)
		return err;
	err = read_lines(pairs, in);
	fclose(in);
	if (err)
		error_set(error, err, "%.200s: %s", name, err == -EBADMSG ?
			  "damaged: its lines are not all whole" : strerror(-err));
	return err;
}
