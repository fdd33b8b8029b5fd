// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the frames in perf script's output:
 *
 *   ADDRESS SYMBOL+OFFSET (FILE)
 *   ADDRESS SYMBOL (inlined)
 *
 * An unknown symbol is "[unknown]", or absent; its frame is then named by its
 * file. A symbol that perf-map-agent wrote to /tmp/perf-PID.map may name a
 * method and those inlined into it: A->B->C, outermost first.
 */
#include "format/import/perf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are cut later anyway. */
#define NAME_BYTES	4096

/* Minimal digits of an address without a tab before it; a comm has fewer. */
#define SURE_DIGITS	5

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Cut " (FILE)" off the end of @text; the file may contain brackets itself. */
static char *cut_file(char *text)
{
	size_t at = strlen(text);
	int depth = 0;

	while (at && strchr(" \t", text[at - 1]))
		text[--at] = '\0';
	if (!at || text[at - 1] != ')')
		return NULL;
	do {
		at--;
		depth += (text[at] == ')') - (text[at] == '(');
	} while (at && depth);
	if (depth || (at && text[at - 1] != ' '))
		return NULL;
	text[strlen(text) - 1] = '\0';
	text[at - !!at] = '\0';
	return text + at + 1;
}

static bool is_kernel_file(const char *file)
{
	return starts_with(file, "[kernel") || strstr(file, "vmlinux") ||
	       starts_with(file, "[guest.kernel");
}

/* Recognise what perf puts in brackets but is not a kernel module. */
static bool is_region(const char *file)
{
	static const char *const regions[] = {
		"[unknown]", "[vdso", "[vsyscall]", "[vvar", "[heap]",
		"[stack", "[anon", "[uprobes]", "[perf", "[guest.",
	};

	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
		if (starts_with(file, regions[i]))
			return true;
	return false;
}

/*
 * Find the module in "[ext4]" or "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz".
 */
static const char *module_of(const char *file, size_t *length)
{
	const char *base = strrchr(file, '/'), *end;

	base = base ? base + 1 : file;
	end = strstr(base, ".ko");
	if (end && (!end[3] || end[3] == '.')) {
		*length = (size_t)(end - base);
		return base;
	}
	if (*file != '[' || is_kernel_file(file) || is_region(file))
		return NULL;
	*length = strcspn(file + 1, "]");
	return file + 1;
}

/* Recognise "/tmp/perf-1234.map". */
static bool is_jit_map(const char *file)
{
	const char *base = strrchr(file, '/');
	size_t digits;

	base = base ? base + 1 : file;
	if (!starts_with(base, "perf-"))
		return false;
	digits = strspn(base + 5, "0123456789");
	return digits && !strcmp(base + 5 + digits, ".map");
}

/* Push a frame without a symbol, named by its file in brackets. */
static int push_file(struct import *import, const char *file, bool in_kernel)
{
	const char *base = strrchr(file, '/');
	char name[NAME_BYTES];
	size_t length;
	const char *module = module_of(file, &length);

	if (in_kernel && (is_kernel_file(file) || !module))
		return import_push(import, "[kernel]", FLAMEMOD_FRAME_KERNEL);
	if (in_kernel || module) {
		snprintf(name, sizeof(name), "[%.*s]", (int)length, module);
		return import_push(import, name, FLAMEMOD_FRAME_MODULE);
	}
	if (!*file || *file == '[')
		return import_push(import, *file ? file : "[unknown]",
				   FLAMEMOD_FRAME_USER);
	snprintf(name, sizeof(name), "[%.3900s]", base ? base + 1 : file);
	return import_push(import, name, FLAMEMOD_FRAME_USER);
}

/* Push the functions of A->B->C leaf first: the last one is the innermost. */
static int push_inlined(struct import *import, char *symbol)
{
	char name[NAME_BYTES], *arrow, *at;
	int err = 0;

	while (!err) {
		arrow = NULL;
		for (at = strstr(symbol, "->"); at; at = strstr(at + 2, "->"))
			arrow = at;
		if (!arrow)
			return import_push(import, symbol, FLAMEMOD_FRAME_USER);
		*arrow = '\0';
		if (!arrow[2])
			continue;
		snprintf(name, sizeof(name), "%.3900s_[i]", arrow + 2);
		err = import_push(import, name, FLAMEMOD_FRAME_USER);
	}
	return err;
}

static int push_symbol(struct import *import, char *symbol, const char *file,
		       bool in_kernel)
{
	char name[NAME_BYTES];
	const char *module;
	size_t length;

	if (!*symbol || !strcmp(symbol, "[unknown]"))
		return push_file(import, file, in_kernel);
	if (*file == '/' && !in_kernel && is_jit_map(file))
		return push_inlined(import, symbol);
	if (!strcmp(file, "inlined")) {
		if (in_kernel)
			return import_push(import, symbol, FLAMEMOD_FRAME_KERNEL);
		snprintf(name, sizeof(name), "%.3900s_[i]", symbol);
		return import_push(import, name, FLAMEMOD_FRAME_USER);
	}
	if (is_kernel_file(file))
		return import_push(import, symbol, FLAMEMOD_FRAME_KERNEL);
	module = module_of(file, &length);
	if (!module)
		return import_push(import, symbol, in_kernel ?
				   FLAMEMOD_FRAME_KERNEL : FLAMEMOD_FRAME_USER);
	snprintf(name, sizeof(name), "%.3900s [%.*s]", symbol,
		 (int)(length < 128 ? length : 128), module);
	return import_push(import, name, FLAMEMOD_FRAME_MODULE);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char *skip_blanks(char *text)
{
	while (is_blank(*text))
		text++;
	return text;
}

/* Count hexadecimal digits; more than 16 are no address, so 17 is enough. */
static size_t count_digits(const char *text)
{
	static const bool is_digit[UCHAR_MAX + 1] = {
		['0' ... '9'] = true, ['a' ... 'f'] = true,
	};
	size_t nr = 0;

	while (nr <= 16 && is_digit[(unsigned char)text[nr]])
		nr++;
	return nr;
}

static bool ends_in_file(const char *text)
{
	size_t length = strlen(text);

	while (length && strchr(" \t", text[length - 1]))
		length--;
	return length && text[length - 1] == ')';
}

bool perf_is_frame(const char *line)
{
	const char *text = skip_blanks((char *)line);
	size_t digits = count_digits(text);

	if (!digits || digits > 16 || (text[digits] && !is_blank(text[digits])))
		return false;
	if (*line == '\t' && (text[digits] || digits >= SURE_DIGITS))
		return true;
	text += digits;
	if (!text[strspn(text, " \t")])
		return perf_is_alone(line);
	return digits >= SURE_DIGITS || ends_in_file(text);
}

char *perf_frame_key(char *text, bool *in_kernel)
{
	size_t digits;

	text = skip_blanks(text);
	digits = count_digits(text);
	/* the upper half of 64 bits */
	*in_kernel = digits == 16 && *text >= '8';
	return skip_blanks(text + digits);
}

int perf_push_frame(struct import *import, char *text, bool in_kernel)
{
	char *file = cut_file(text) ?: text + strlen(text);

	import_strip_offset(text);
	return push_symbol(import, text, file, in_kernel || is_kernel_file(file));
}
