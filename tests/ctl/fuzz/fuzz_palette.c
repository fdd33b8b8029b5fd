// SPDX-License-Identifier: GPL-2.0
/*
 * Palette files: ctl/view/palette.c. What was read is found, and is written so that
 * it is read again, with one more name; no file is touched.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "view/palette.h"

#define NEW	"fuzz;\033->rgb(1,2,3)"

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);

static const struct fuzz_bytes *file;	/* NULL: fopen() is libFuzzer's */
static struct fuzz_bytes saved;

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return file ? fuzz_open(file->bytes, file->size) :
		      __real_fopen(path, mode);
}

int output_open(struct output *output, const char *path, struct error *error)
{
	(void)path;
	(void)error;
	output->stream = open_memstream(&saved.bytes, &saved.size);
	must(output->stream);
	return 0;
}

int output_commit(struct output *output, struct error *error)
{
	(void)error;
	must(!fclose(output->stream));
	return 0;
}

void output_discard(struct output *output)
{
	(void)output;
	must(!"memory is short");
}

static int read_from(const struct fuzz_bytes *bytes, struct palette *palette)
{
	struct error error = { "" };
	int err;

	file = bytes;
	err = palette_read(palette, "palette", &error);
	file = NULL;
	must(!err == !*error.text);
	return err;
}

static void check_found(const struct palette *palette)
{
	for (size_t i = 0; i < palette->nr; i++) {
		const struct palette_entry *entry = &palette->entries[i];
		uint32_t rgb;

		must(entry->rgb <= 0xffffff);
		must(!i || strcmp(entry[-1].name, entry->name) < 0);
		must(palette_find(palette, entry->name, &rgb) && rgb == entry->rgb);
	}
}

static void check_written(struct palette *palette)
{
	struct palette again;
	struct error error;
	uint32_t rgb;

	must(!palette_add(palette, NEW, 0x010203));
	must(!palette_write(palette, "palette", &error));
	fuzz_terminal(saved.bytes, saved.size);
	must(!read_from(&saved, &again));
	check_found(&again);
	must(again.nr == palette->nr);
	for (size_t i = 0; i < again.nr; i++)
		must(palette_find(palette, again.entries[i].name, &rgb) &&
		     rgb == again.entries[i].rgb);
	must(palette_find(&again, NEW, &rgb));
	palette_deinit(&again);
	free(saved.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fuzz_bytes bytes = { (char *)(uintptr_t)data, size };
	struct palette palette;

	if (read_from(&bytes, &palette))
		return 0;
	check_found(&palette);
	check_written(&palette);
	palette_deinit(&palette);
	return 0;
}
