// SPDX-License-Identifier: GPL-2.0
/*
 * Palette files. Names are read as they stand and looked up by halves; what is
 * new is put among them when the file is written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "palette.h"
#include "utf8.h"

#define FIRST_ENTRIES 64
#define ARROW "->"

static int compare(const void *a, const void *b)
{
	const struct palette_entry *left = a, *right = b;

	return strcmp(left->name, right->name) ?:
	       (left->number > right->number) - (left->number < right->number);
}

static int compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct palette_entry *)entry)->name);
}

int palette_add(struct palette *palette, const char *name, uint32_t rgb)
{
	struct palette_entry *entries = palette->entries;
	size_t max = palette->max ? palette->max * 2 : FIRST_ENTRIES;
	char *copy;

	if (palette->nr == palette->max) {
		entries = realloc(entries, max * sizeof(*entries));
		if (!entries)
			return -ENOMEM;
		palette->entries = entries;
		palette->max = max;
	}
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	entries[palette->nr] = (struct palette_entry) { copy, rgb, palette->nr };
	palette->nr++;
	return 0;
}

/* Sort, and keep one of each name. */
static void sort(struct palette *palette)
{
	struct palette_entry *entries = palette->entries;
	size_t kept = 0;

	if (palette->nr)
		qsort(entries, palette->nr, sizeof(*entries), compare);
	for (size_t i = 0; i < palette->nr; i++)
		if (kept && !strcmp(entries[kept - 1].name, entries[i].name))
			free(entries[i].name);
		else
			entries[kept++] = entries[i];
	palette->nr = palette->nr_sorted = kept;
}

/* Cut "name->rgb(R,G,B)" in two. */
static bool parse_line(char *line, uint32_t *rgb)
{
	unsigned int red, green, blue;
	char *arrow = NULL, end;

	/* the last one: a name may hold arrows */
	for (char *at = strstr(line, ARROW); at; at = strstr(at + 1, ARROW))
		arrow = at;
	if (!arrow ||
	    sscanf(arrow, ARROW "rgb(%3u,%3u,%3u%c", &red, &green, &blue, &end) != 4 ||
	    end != ')' || red > 255 || green > 255 || blue > 255)
		return false;
	*arrow = '\0';
	utf8_unescape(line);
	*rgb = red << 16 | green << 8 | blue;
	return true;
}

static int read_lines(struct palette *palette, FILE *in, const char *path,
		      struct error *error)
{
	size_t size = 0, number = 0;
	char *line = NULL;
	ssize_t length;
	uint32_t rgb;
	int err = 0;

	while (!err && (length = getline(&line, &size, in)) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line)
			continue;
		if (parse_line(line, &rgb))
			err = palette_add(palette, line, rgb);
		else
			err = error_set(error, -EBADMSG,
					"%.200s: line %zu is no colour; a line is \"name->rgb(R,G,B)\", each of 0 to 255",
					path, number);
	}
	if (err == -ENOMEM || (!err && ferror(in)))
		err = error_set(error, err ?: -EIO, "%.200s: %s", path,
				strerror(err ? -err : EIO));
	free(line);
	return err;
}

int palette_read(struct palette *palette, const char *path,
		 struct error *error)
{
	FILE *in = fopen(path, "re");
	int err;

	memset(palette, 0, sizeof(*palette));
	if (!in && errno == ENOENT)
		return 0;
	if (!in)
		return error_set(error, -errno, "%.200s: %s", path,
				 strerror(errno));
	err = read_lines(palette, in, path, error);
	fclose(in);
	if (err)
		palette_deinit(palette);
	else
		sort(palette);
	return err;
}

void palette_deinit(struct palette *palette)
{
	for (size_t i = 0; i < palette->nr; i++)
		free(palette->entries[i].name);
	free(palette->entries);
	memset(palette, 0, sizeof(*palette));
}

bool palette_find(const struct palette *palette, const char *name,
		  uint32_t *rgb)
{
	const struct palette_entry *found;

	if (!palette->nr_sorted)
		return false;
	found = bsearch(name, palette->entries, palette->nr_sorted,
			sizeof(*found), compare_name);
	if (found)
		*rgb = found->rgb;
	return found;
}

/* As it can be read back, and harmless to a terminal. */
static int write_entry(const struct palette_entry *entry, FILE *out)
{
	char *name = utf8_escape(entry->name);

	if (!name)
		return -ENOMEM;
	fprintf(out, "%s" ARROW "rgb(%u,%u,%u)\n", name, entry->rgb >> 16,
		entry->rgb >> 8 & 255, entry->rgb & 255);
	free(name);
	return 0;
}

int palette_write(struct palette *palette, const char *path,
		  struct error *error)
{
	struct output output;
	int err;

	if (palette->nr == palette->nr_sorted)
		return 0;
	sort(palette);
	err = output_open(&output, path, error);
	if (err)
		return err;
	for (size_t i = 0; i < palette->nr && !err; i++)
		err = write_entry(&palette->entries[i], output.stream);
	if (err) {
		output_discard(&output);
		return error_set(error, err, "%.400s: memory is short", path);
	}
	return output_commit(&output, error);
}
