// SPDX-License-Identifier: GPL-2.0
/*
 * Read the output of SystemTap's print_stack(), print_backtrace() and the like,
 * where a line with the count follows each stack:
 *
 *   0xffffffff81234567 : vfs_read+0x95/0x190 [kernel]
 *   0xffffffffc0123456 : ext4_file_read_iter+0x12/0x60 [ext4] (inexact)
 *   0x00007f0123456789 : main+0x10/0x40 [/usr/bin/cat]
 *  	42
 *
 * Stacks are leaf first. Lines without an address are names alone.
 */
#include "format/import/import.h"

#include <errno.h>
#include <string.h>


/* Cut "[TEXT]" off the end of @text. Return: its TEXT, or NULL. */
static char *cut_brackets(char *text)
{
	size_t length = strlen(text);
	char *open = strrchr(text, '[');

	/* the brackets may be double: "[[vdso]]" */
	while (open && open > text && open[-1] == '[')
		open--;
	if (!open || open == text || open[-1] != ' ' || text[length - 1] != ']')
		return NULL;
	text[length - 1] = '\0';
	open[-1] = '\0';
	return open + 1;
}

static void cut_word(char *text, const char *word)
{
	size_t length = strlen(text), tail = strlen(word);

	if (length >= tail && !strcmp(text + length - tail, word))
		text[length - tail] = '\0';
}

static int push_frame(struct import *import, char *text)
{
	static char unknown[] = "[unknown]";
	char *in, *colon, name[4096];

	cut_word(text, " (inexact)");
	in = cut_brackets(text);
	colon = strstr(text, " : ");
	if (colon)
		text = colon + 3;
	import_strip_offset(text);
	/* the address is repeated instead of a name */
	if (!*text || !strncmp(text, "0x", 2))
		text = unknown;
	if (!in)
		return import_push(import, text, IMPORT_GUESS);
	if (!strcmp(in, "kernel"))
		return import_push(import, text, FLAMEMOD_FRAME_KERNEL);
	if (strchr(in, '/') || *in == '[')
		return import_push(import, text, FLAMEMOD_FRAME_USER);
	snprintf(name, sizeof(name), "%.3000s [%.1000s]", text, in);
	return import_push(import, name, FLAMEMOD_FRAME_MODULE);
}

static int read_line(struct import *import, void *state)
{
	uintmax_t *begun = state;	/* the line of the first frame */
	struct import_sample sample = { .comm = "", .context = -1 };
	char *text = import->line + strspn(import->line, " \t");

	text[strcspn(text, "\r")] = '\0';
	while (*text && strchr(" \t", text[strlen(text) - 1]))
		text[strlen(text) - 1] = '\0';
	if (!*text)
		return 0;
	if (text[strspn(text, "0123456789")]) {
		if (!import->nr_frames)
			*begun = import->line_number;
		return push_frame(import, text);
	}
	if (!import->nr_frames)
		return import_fail(import, "is a count, %.40s, without a stack above it",
				   text);
	if (import_number(text, &sample.count))
		return import_fail(import, "has the count %.40s, which is above 2^64",
				   text);
	sample.periods = sample.count;
	import_reverse(import, 0);
	return import_add(import, &sample);
}

int import_stap(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error)
{
	struct import import;
	uintmax_t begun = 0;
	int err;

	import_init(&import, in, options, profile, error);
	err = import_lines(&import, read_line, &begun);
	if (!err && import.nr_frames)
		err = error_set(error, -EBADMSG, "the stack that starts in line %ju has no count below it: let the script print one after each stack",
				begun);
	import_period(&import, 0);
	import_deinit(&import);
	return err;
}

/* Look for a frame with an address: "0xffffffff81234567 : vfs_read+...". */
bool import_stap_probe(const char *head, size_t size)
{
	const char *at = head, *line, *text;
	size_t length;

	(void)size;
	while (import_next_line(&at, &line, &length)) {
		text = line + strspn(line, " \t");
		if (strncmp(text, "0x", 2))
			continue;
		text += 2;
		text += strspn(text, "0123456789abcdef");
		if (!strncmp(text, " : ", 3))
			return true;
	}
	return false;
}
