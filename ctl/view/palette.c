// SPDX-License-Identifier: GPL-2.0
/*
 * Palette files. The names read are sorted and found by binary search; new
 * names are sorted in when the file is written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/lines.h"
#include "base/output.h"
#include "base/utf8.h"
#include "view/palette.h"

#define FIRST_ENTRIES 64
#define ARROW "->"

/*
 * Limit of a line's length. A name is shorter than a line of folded text, 64
 * MiB, and each of its bytes may be escaped.
 */
#define LINE_MAX_BYTES (257u << 20)

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

/* Sort, and keep the first entry of each name. */
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

/* Split "name->rgb(R,G,B)". */
static bool parse_line(char *line, uint32_t *rgb)
{
	unsigned int red, green, blue;
	char *arrow = NULL, end;

	/* the last arrow counts, as a name may contain arrows */
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
	size_t length, number = 0;
	struct lines lines;
	uint32_t rgb;
	char *line;
	int err;

	lines_init(&lines, in, LINE_MAX_BYTES);
	while ((err = lines_next(&lines, &line, &length)) > 0) {
		number++;
		line[strcspn(line, "\r")] = '\0';
		if (!*line)
			continue;
		err = parse_line(line, &rgb) ? palette_add(palette, line, rgb) :
					       -EBADMSG;
		if (err)
			break;
	}
	lines_deinit(&lines);
	if (err == -EILSEQ || err == -E2BIG)
		number++;
	if (err == -EBADMSG || err == -EILSEQ || err == -E2BIG)
		return error_set(error, -EBADMSG,
				 "%.200s: line %zu has no colour; a line is \"name->rgb(R,G,B)\", each of 0 to 255",
				 path, number);
	if (err)
		error_set(error, err, "%.200s: %s", path, strerror(-err));
	return err;
}

int palette_read(struct palette *palette, const char *path,
		 struct error *error)
{
	struct input input;
	int err, changed;

	memset(palette, 0, sizeof(*palette));
	err = input_open(&input, path, error);
	if (err)
		return err == -ENOENT ? 0 : err;
	err = read_lines(palette, input.stream, path, error);
	changed = input_close(&input, error);
	err = changed ?: err;
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

/*
 * Write an entry, escaped so that it can be read back and is safe to display.
 */
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
