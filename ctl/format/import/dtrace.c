// SPDX-License-Identifier: GPL-2.0
/*
 * Read what DTrace prints of an aggregation by stacks, each with its count:
 *
 *   CPU     ID                    FUNCTION:NAME
 *     0  64091                        :tick-60s
 *
 *     mysqld
 *                 unix`i86_mwait+0xd
 *                 genunix`fop_read+0x2a
 *
 *                 libc.so.1`__read+0xa
 *                 mysqld`main+0x12
 *                  42
 *
 * Stacks are leaf first, and their names are MODULE`FUNCTION+OFFSET. A key may
 * hold two stacks, as @[execname, stack(), ustack()] does, and other values in
 * columns. The first value that is not a number is the comm. The text does not
 * say what other values are, so they stay frames "[12]" at the root.
 */
#include "format/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limit of keys beside stacks; DTrace's programs have one or two. */
#define KEYS_MAX	8
#define KEY_BYTES	128

struct entry {
	uintmax_t line;			/* its first line; 0 if none is open */
	char comm[KEY_BYTES];
	char keys[KEYS_MAX][KEY_BYTES];
	size_t nr_keys;
	size_t begin;			/* first frame of the current stack */
	bool in_stack;
	unsigned int nr_stacks;
	bool is_kernel;			/* of the current stack */
	bool first_is_kernel;
	size_t nr_first;		/* frames in the first stack */
};

static void begin_entry(struct import *import, struct entry *entry)
{
	if (!entry->line)
		entry->line = import->line_number;
}

/* Recognise the core kernel; other modules have names of their own. */
static bool is_kernel_core(const char *module, size_t length)
{
	static const char *const cores[] = {
		"unix", "genunix", "kernel", "vmlinux", "mach_kernel",
	};

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		if (strlen(cores[i]) == length &&
		    !strncmp(cores[i], module, length))
			return true;
	return false;
}

/*
 * Cut " [lofs]" off a name, for a stack that turned out not to be the kernel's.
 */
static int cut_module(struct import *import, size_t frame)
{
	const char *name = import_name(import, frame);
	const char *module = strrchr(name, '[');
	char *copy;
	int err;

	if (!module || module == name || module[-1] != ' ' ||
	    name[strlen(name) - 1] != ']')
		return 0;
	copy = strndup(name, (size_t)(module - 1 - name));
	if (!copy)
		return error_set(import->error, -ENOMEM, "%s", strerror(ENOMEM));
	err = import_rename(import, frame, copy);
	free(copy);
	return err;
}

/* End a stack, whose kind is now known: the kernel's if any frame is. */
static int end_stack(struct import *import, struct entry *entry)
{
	size_t i;
	int err = 0;

	if (!entry->in_stack)
		return 0;
	entry->in_stack = false;
	for (i = entry->begin; i < import->nr_frames && !err; i++) {
		struct import_frame *frame = &import->frames[i];

		if (!entry->is_kernel)
			err = cut_module(import, i);
		else if (frame->kind == FLAMEMOD_FRAME_USER)
			frame->kind = FLAMEMOD_FRAME_MODULE;
	}
	if (entry->nr_stacks == 1) {
		entry->first_is_kernel = entry->is_kernel;
		entry->nr_first = import->nr_frames;
	}
	return err;
}

/* Push "lofs`freelonode+0x1f5"; a module's name is kept with the function's. */
static int push_frame(struct import *import, struct entry *entry, char *text)
{
	char *tick = strchr(text, '`'), name[4096];
	const char *function = tick ? tick + 1 : text;
	size_t length = tick ? (size_t)(tick - text) : 0;
	bool is_core = is_kernel_core(text, length);

	begin_entry(import, entry);
	if (!entry->in_stack) {
		if (++entry->nr_stacks > 2)
			return import_fail(import, "starts a third stack: a key may have one kernel stack and one program stack");
		entry->in_stack = true;
		entry->is_kernel = false;
		entry->begin = import->nr_frames;
	}
	entry->is_kernel |= is_core;
	import_strip_offset(text);
	if (!*function || !strncmp(function, "0x", 2)) {
		snprintf(name, sizeof(name), "[%.*s]",
			 length ? (int)(length < 1000 ? length : 1000) : 7,
			 length ? text : "unknown");
		return import_push(import, name, is_core ?
				   FLAMEMOD_FRAME_KERNEL : FLAMEMOD_FRAME_USER);
	}
	if (is_core || !length)
		return import_push(import, function, is_core ?
				   FLAMEMOD_FRAME_KERNEL : FLAMEMOD_FRAME_USER);
	snprintf(name, sizeof(name), "%.3000s [%.*s]", function,
		 (int)(length < 1000 ? length : 1000), text);
	return import_push(import, name, FLAMEMOD_FRAME_USER);
}

/*
 * Read the values of a key. They are in columns, as a comm may contain blanks.
 */
static int read_keys(struct import *import, struct entry *entry, char *text)
{
	char *end, *next;

	begin_entry(import, entry);
	for (; *text; text = next) {
		end = strstr(text, "  ");
		next = end ? end + strspn(end, " ") : text + strlen(text);
		if (end)
			*end = '\0';
		if (!entry->comm[0] && text[strspn(text, "0123456789")]) {
			snprintf(entry->comm, sizeof(entry->comm), "%s", text);
			continue;
		}
		if (entry->nr_keys == KEYS_MAX)
			return import_fail(import, "has more than %d keys",
					   KEYS_MAX);
		snprintf(entry->keys[entry->nr_keys++], KEY_BYTES, "[%.*s]",
			 KEY_BYTES - 3, text);
	}
	return 0;
}

/*
 * Order two stacks so that together they are leaf first: the kernel's stack is
 * called from the program's.
 */
static void order_stacks(struct import *import, const struct entry *entry)
{
	size_t first = entry->nr_first, all = import->nr_frames;

	/* nothing to do if the kernel's is first already */
	if (entry->nr_stacks < 2 || entry->first_is_kernel || !entry->is_kernel)
		return;
	/* reverse each part and then all: the parts are swapped */
	import_reverse(import, first);
	for (size_t i = 0; i < first / 2; i++) {
		struct import_frame swap = import->frames[i];

		import->frames[i] = import->frames[first - 1 - i];
		import->frames[first - 1 - i] = swap;
	}
	if (all)
		import_reverse(import, 0);
}

static int end_entry(struct import *import, struct entry *entry,
		     const char *count)
{
	struct import_sample sample = { .comm = entry->comm, .context = -1 };
	int err;

	if (import_number(count, &sample.count))
		return import_fail(import, "has the count %.40s, which is above 2^64",
				   count);
	sample.periods = sample.count;
	err = end_stack(import, entry);
	order_stacks(import, entry);
	/* import_reverse() then puts the keys at the root */
	for (size_t i = entry->nr_keys; i > 0 && !err; i--)
		err = import_push(import, entry->keys[i - 1],
				  FLAMEMOD_FRAME_MARK);
	if (err)
		return err;
	import_reverse(import, 0);
	err = import_add(import, &sample);
	memset(entry, 0, sizeof(*entry));
	return err;
}

/*
 * Recognise "CPU  ID  FUNCTION:NAME", "  0  64091   :tick-60s", "dtrace: ...".
 */
static bool is_head(const char *text)
{
	size_t digits;

	if (!strncmp(text, "dtrace: ", 8) || strstr(text, "FUNCTION:NAME"))
		return true;
	for (int i = 0; i < 2; i++) {
		digits = strspn(text, "0123456789");
		if (!digits || text[digits] != ' ')
			return false;
		text += digits;
		text += strspn(text, " ");
	}
	return strchr(text, ':') && !strchr(text, '`');
}

static bool is_frame(const char *line, const char *text)
{
	if (strchr(text, '`') || !strncmp(text, "0x", 2))
		return true;
	/* names without a module are indented like others */
	return text - line >= 10 && !strchr(text, ' ') &&
	       text[strspn(text, "0123456789")];
}

static int read_line(struct import *import, void *state)
{
	struct entry *entry = state;
	char *text = import->line + strspn(import->line, " \t"), *last;
	size_t length = strlen(text);

	while (length && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
	if (!*text)
		return end_stack(import, entry);
	import_read(import);
	if (is_head(text))
		return 0;
	if (is_frame(import->line, text))
		return push_frame(import, entry, text);
	last = strrchr(text, ' ');
	last = last ? last + 1 : text;
	if (!import->nr_frames || last[strspn(last, "0123456789")]) {
		return end_stack(import, entry) ?:
		       read_keys(import, entry, text);
	}
	if (last > text) {
		last[-1] = '\0';
		if (read_keys(import, entry, text))
			return -EBADMSG;
	}
	return end_entry(import, entry, last);
}

int import_dtrace(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error)
{
	struct entry entry = { .line = 0 };
	struct import import;
	int err;

	import_init(&import, in, options, profile, error);
	err = import_lines(&import, read_line, &entry);
	if (!err && import.nr_frames)
		err = error_set(error, -EBADMSG, "the stack that starts in line %ju has no count below it: the text is incomplete",
				entry.line);
	import_period(&import, 0);
	import_deinit(&import);
	return err;
}
