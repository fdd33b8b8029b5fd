// SPDX-License-Identifier: GPL-2.0
/*
 * Read the maps of counts that bpftrace prints, keyed by stacks and other
 * values:
 *
 *   @samples[
 *       vfs_read+149
 *       ksys_read+95
 *   ,
 *       read+18
 *       main+20
 *   , cat, 12]: 42
 *
 * Stacks are leaf first. If a key has two stacks, the first one is the
 * kernel's, as in @[kstack, ustack]. The first key that is not a number is the
 * comm. The text does not say what other keys are, so they stay as they are:
 * frames "[12]" at the root.
 *
 * Frames are indented, except raw ones, which are addresses. In perf's style
 * they are "ADDRESS NAME+OFFSET (FILE)"; with debug information they are
 * "NAME+OFFSET@FILE:LINE" and "[inlined] NAME@FILE:LINE". Text whose
 * indentation was removed is read as well.
 */
#include "format/import/bpftrace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>


/* Return the last "]: " of @text, or NULL. */
static char *find_end(char *text)
{
	char *end = NULL, *at;

	for (at = strstr(text, "]: "); at; at = strstr(at + 1, "]: "))
		end = at;
	return end;
}

static bool ends_in_count(char *text)
{
	const char *end = find_end(text);

	return end && end[3] && !end[3 + strspn(end + 3, "0123456789")];
}

/* Cut "]: 42" off the end of @text. Return: the count, or NULL. */
static char *cut_count(char *text)
{
	size_t length = strlen(text);
	char *end;

	while (length && strchr(" \t", text[length - 1]))
		length--;
	/*
	 * a stack follows, so all text so far is keys, even if it contains "]:
	 * "
	 */
	if (length && text[length - 1] == ',')
		return NULL;
	end = find_end(text);
	if (!end)
		return NULL;
	*end = '\0';
	return end + 3;
}

/*
 * Cut the brackets off @text, "(FILE)" or "[MODULE]". Return: the rest, or
 * NULL.
 */
static char *cut_brackets(char *text, char open, char close)
{
	size_t length = strlen(text);

	if (length < 2 || *text != open || text[length - 1] != close)
		return NULL;
	text[length - 1] = '\0';
	return text + 1;
}

/*
 * Find where a name ends: the first "+OFFSET" that is followed by nothing, by
 * " (FILE)", " [MODULE]" or "@FILE:LINE". The name may contain "+" and digits,
 * and so may the file: "(/opt/c++6 (deleted))".
 */
static char *find_offset(char *text, char **behind)
{
	char *at;

	for (at = strchr(text, '+'); at; at = strchr(at + 1, '+')) {
		char *end = at + 1 + strspn(at + 1, "0123456789");

		/* strchr() finds the NUL as well */
		if (end == at + 1 || !strchr(" @", *end))
			continue;
		if (*end == ' ' && end[1] != '(' && end[1] != '[')
			continue;
		*behind = end + (*end == ' ');
		return at;
	}
	return NULL;
}

/* Cut @text after the name. Return: what follows the name. */
static char *cut_name(char *text)
{
	char *behind, *end = find_offset(text, &behind);

	if (end) {
		*end = '\0';
		return behind;
	}
	end = strrchr(text, ' ');
	if (!end || end == text || !strchr("([", end[1]))
		return text + strlen(text);
	*end = '\0';
	import_strip_offset(text);
	return end + 1;
}

/* Cut the mark and @FILE:LINE off an inlined function, which has no offset. */
static void cut_inlined(char *text)
{
	static const char mark[] = "[inlined] ";
	size_t length = sizeof(mark) - 1;
	char *file;

	if (strncmp(text, mark, length))
		return;
	memmove(text, text + length, strlen(text + length) + 1);
	file = strrchr(text, '@');
	if (file && strchr(file, ':'))
		*file = '\0';
}

static int push_frame(struct import *import, struct bpftrace_entry *entry, char *text)
{
	size_t digits = strspn(text, "0123456789abcdef");
	char *behind, *module, *file, name[4096];
	unsigned int kind = IMPORT_GUESS;

	if (!entry->in_stack && ++entry->nr_stacks == 2)
		entry->second = import->nr_frames;
	entry->in_stack = true;
	if (entry->nr_stacks > 2)
		return import_fail(import, "starts a third stack: a key may have one kernel stack and one program stack");
	/* the address: of a stack in perf's style, or all of a raw frame */
	if (digits >= 6 && (text[digits] == ' ' || !text[digits]))
		text += digits + (text[digits] == ' ');
	cut_inlined(text);
	behind = cut_name(text);
	module = cut_brackets(behind, '[', ']');
	file = cut_brackets(behind, '(', ')');
	if (file && strcmp(file, "inlined"))
		kind = strncmp(file, "[kernel", 7) ? FLAMEMOD_FRAME_USER :
						     FLAMEMOD_FRAME_KERNEL;
	if (!*text || !strncmp(text, "0x", 2))
		return import_push(import, "[unknown]", kind);
	if (module) {
		snprintf(name, sizeof(name), "%.3000s [%.1000s]", text, module);
		return import_push(import, name, FLAMEMOD_FRAME_MODULE);
	}
	return import_push(import, text, kind);
}

/* Read keys such as "cat, 12": the comm and others. */
static int read_keys(struct import *import, struct bpftrace_entry *entry, char *text)
{
	char *key, *next = NULL;

	entry->in_stack = false;
	for (key = strtok_r(text, ",", &next); key;
	     key = strtok_r(NULL, ",", &next)) {
		key += strspn(key, " \t");
		if (!*key)
			continue;
		if (!entry->comm[0] && key[strspn(key, "0123456789")]) {
			snprintf(entry->comm, sizeof(entry->comm), "%s", key);
			continue;
		}
		if (entry->nr_keys == BPFTRACE_KEYS_MAX)
			return import_fail(import, "has more than %d keys",
					   BPFTRACE_KEYS_MAX);
		snprintf(entry->keys[entry->nr_keys++], BPFTRACE_KEY_BYTES, "[%.*s]",
			 BPFTRACE_KEY_BYTES - 3, key);
	}
	return 0;
}

static int end_entry(struct import *import, struct bpftrace_entry *entry,
		     const char *count)
{
	struct import_sample sample = { .comm = entry->comm, .context = -1 };
	size_t i;
	int err = 0;

	if (import_number(count, &sample.count))
		return import_fail(import, "ends in %.40s, which is not a count: only maps of count() and sum() can be read",
				   *count ? count : "nothing");
	sample.periods = sample.count;
	for (i = 0; i < import->nr_frames && entry->nr_stacks == 2; i++)
		import->frames[i].kind = i < entry->second ?
			FLAMEMOD_FRAME_KERNEL : FLAMEMOD_FRAME_USER;
	/* import_reverse() then puts the keys at the root */
	for (i = entry->nr_keys; i > 0 && !err; i--)
		err = import_push(import, entry->keys[i - 1],
				  FLAMEMOD_FRAME_MARK);
	if (err)
		return err;
	import_reverse(import, 0);
	err = import_add(import, &sample);
	memset(entry, 0, sizeof(*entry));
	return err;
}

int bpftrace_line(struct import *import, struct bpftrace_entry *entry)
{
	char *text = import->line, *count;
	int err;

	if (!entry->line) {
		/*
		 * skip "Attaching 1 probe..." and what the program itself
		 * prints
		 */
		if (*text != '@' || !strchr(text, '['))
			return 0;
		entry->line = import->line_number;
		text = strchr(text, '[') + 1;
	} else if (strchr(" \t", *text)) {
		/* indented text is a frame, whatever it contains */
		text += strspn(text, " \t");
		return *text ? push_frame(import, entry, text) : 0;
	} else if (*text == '@') {
		return import_fail(import, "starts a map's entry inside the one of line %ju",
				   entry->line);
	} else if (*text != ',' && *text != ']' && !ends_in_count(text)) {
		return push_frame(import, entry, text);
	}
	count = cut_count(text);
	err = read_keys(import, entry, text);
	if (err || !count)
		return err;
	return end_entry(import, entry, count);
}

static int read_line(struct import *import, void *state)
{
	return bpftrace_line(import, state);
}

int import_bpftrace(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error)
{
	struct bpftrace_entry entry = { 0 };
	struct import import;
	int err;

	import_init(&import, in, options, profile, error);
	err = import_lines(&import, read_line, &entry);
	if (!err && entry.line)
		err = error_set(error, -EBADMSG, "the entry that starts in line %ju has no end: the text is incomplete",
				entry.line);
	import_period(&import, 0);
	import_deinit(&import);
	return err;
}

/*
 * Look for a line that opens a map's key: "@[", "@samples[", "@[cat, 12]: 3".
 */
bool import_bpftrace_probe(const char *head, size_t size)
{
	const char *at = head, *line;
	size_t length, name;

	(void)size;
	while (import_next_line(&at, &line, &length)) {
		if (line[0] != '@')
			continue;
		name = 1 + strspn(line + 1, "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		if (name >= length || line[name] != '[')
			continue;
		while (length && strchr(" \t\r", line[length - 1]))
			length--;
		if (strchr("[,", line[length - 1]) ||
		    memmem(line, length, "]: ", 3))
			return true;
	}
	return false;
}
