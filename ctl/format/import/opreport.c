// SPDX-License-Identifier: GPL-2.0
/*
 * Read the output of oprofile's opreport --callgraph. It has a block for each
 * function: first its callers, each with the samples of its calls, then the
 * function with its own samples, then its callees.
 *
 *   samples  %        image name               symbol name
 *   -------------------------------------------------------
 *     30       75.0000  dd                       read
 *     10       25.0000  dd                       write
 *   40       80.0000  vmlinux                  copy_page
 *     40       80.0000  vmlinux                  copy_page [self]
 *   -------------------------------------------------------
 *
 * The text has no stacks. A function's samples become stacks of two frames,
 * caller and function, in proportion to the callers' samples: the weights sum
 * to all samples, and each function has its own.
 */
#include "format/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limit of a block's callers; the last one gets the samples of any others. */
#define CALLERS_MAX	256
#define NAME_BYTES	1024
#define COMM_BYTES	128

/* One line of a block. */
struct line {
	uint64_t nr_samples;
	char image[COMM_BYTES], app[COMM_BYTES];
	char symbol[NAME_BYTES];
};

struct opreport {
	struct import import;
	unsigned int nr_events;		/* a line has a samples, % pair each */
	unsigned int nr_columns;	/* between these and the symbol */
	int app;			/* the column of the program, or -1 */
	struct line *callers;
	unsigned int nr_callers;
	struct line function;
	bool has_function;
};

/* Read "samples  %        image name               app name   symbol name". */
static bool read_titles(struct opreport *report)
{
	static const char *const titles[] = {
		"image name", "app name", "linenr info", "symbol name",
	};
	const char *at = report->import.line;

	if (!strstr(at, "samples") || !strstr(at, "symbol name"))
		return false;
	report->nr_events = report->nr_columns = 0;
	report->app = -1;
	while (*at) {
		at += strspn(at, " %");
		if (!strncmp(at, "samples", 7))
			report->nr_events++;
		for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
			if (strncmp(at, titles[i], strlen(titles[i])))
				continue;
			at += strlen(titles[i]);
			if (i == 1)
				report->app = (int)report->nr_columns;
			report->nr_columns += i < 3;
		}
		at += strcspn(at, " ");
	}
	return true;
}

/* Cut off a column; "(no location information)" is a single one. */
static char *next_column(char **text)
{
	char *word = *text + strspn(*text, " "), *end;

	if (!*word)
		return NULL;
	end = *word == '(' ? strchr(word, ')') : NULL;
	end = end ? end + 1 : word + strcspn(word, " ");
	*text = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static bool read_numbers(const struct opreport *report, char **text,
			 struct line *line)
{
	char *samples, *percent;
	uint64_t ignored;

	for (unsigned int i = 0; i < report->nr_events; i++) {
		samples = next_column(text);
		percent = samples ? next_column(text) : NULL;
		if (!percent || percent[strspn(percent, "0123456789.e-")] ||
		    import_number(samples, i ? &ignored : &line->nr_samples))
			return false;
	}
	return true;
}

static bool read_columns(const struct opreport *report, char *text,
			 struct line *line)
{
	char *column;

	memset(line, 0, sizeof(*line));
	if (!read_numbers(report, &text, line))
		return false;
	for (unsigned int i = 0; i < report->nr_columns; i++) {
		column = next_column(&text);
		if (!column)
			return false;
		if ((int)i == report->app)
			snprintf(line->app, sizeof(line->app), "%s", column);
		else if (!*line->image)
			snprintf(line->image, sizeof(line->image), "%s", column);
	}
	text += strspn(text, " ");
	for (size_t length = strlen(text); length && text[length - 1] == ' ';)
		text[--length] = '\0';
	snprintf(line->symbol, sizeof(line->symbol), "%s", text);
	return *text;
}

static bool is_kernel(const char *image)
{
	return strstr(image, "vmlinux") || !strcmp(image, "kallsyms") ||
	       !strcmp(image, "/proc/kallsyms");
}

/* Push a function; "(no symbols)" is named by its image, as in all formats. */
static int push_function(struct import *import, const struct line *line)
{
	const char *base = strrchr(line->image, '/'), *end;
	char name[NAME_BYTES + COMM_BYTES + 4];
	bool known = strcmp(line->symbol, "(no symbols)");

	base = base ? base + 1 : line->image;
	end = strstr(base, ".ko");
	if (is_kernel(line->image))
		return import_push(import, known ? line->symbol : "[kernel]",
				   FLAMEMOD_FRAME_KERNEL);
	if (end && !end[3]) {
		snprintf(name, sizeof(name), "%s%s[%.*s]",
			 known ? line->symbol : "", known ? " " : "",
			 (int)(end - base), base);
		return import_push(import, name, FLAMEMOD_FRAME_MODULE);
	}
	snprintf(name, sizeof(name), "[%s]", base);
	return import_push(import, known ? line->symbol : name,
			   FLAMEMOD_FRAME_USER);
}

static int add_stack(struct opreport *report, const struct line *caller,
		     uint64_t nr_samples)
{
	struct import_sample sample = {
		.comm = report->function.app,
		.count = nr_samples, .periods = nr_samples, .context = -1,
	};
	int err = 0;

	if (!nr_samples)
		return 0;
	if (caller)
		err = push_function(&report->import, caller);
	return err ?: push_function(&report->import, &report->function) ?:
	       import_add(&report->import, &sample);
}

static int end_block(struct opreport *report)
{
	uint64_t all = 0, so_far = 0, given = 0, up_to, own;
	unsigned int i;
	int err = 0;

	if (!report->has_function) {
		report->nr_callers = 0;
		return 0;
	}
	own = report->function.nr_samples;
	for (i = 0; i < report->nr_callers; i++)
		if (__builtin_add_overflow(all, report->callers[i].nr_samples,
					   &all))
			return import_fail(&report->import, "ends a block whose callers' samples sum to more than 2^64");
	for (i = 0; i < report->nr_callers && all && !err; i++) {
		so_far += report->callers[i].nr_samples;
		/*
		 * rounding the running sum makes the shares sum to @own exactly
		 */
		up_to = (uint64_t)((unsigned __int128)own * so_far / all);
		err = add_stack(report, &report->callers[i], up_to - given);
		given = up_to;
	}
	if (!err && !all)
		err = add_stack(report, NULL, own);
	report->nr_callers = 0;
	report->has_function = false;
	return err;
}

static void add_caller(struct opreport *report, const struct line *line)
{
	struct line *last = &report->callers[CALLERS_MAX - 1];

	if (report->nr_callers < CALLERS_MAX)
		report->callers[report->nr_callers++] = *line;
	else if (line->nr_samples < UINT64_MAX - last->nr_samples)
		last->nr_samples += line->nr_samples;
}

static int read_line(struct import *import, void *state)
{
	struct opreport *report = state;
	char copy[512], *text = import->line;
	bool is_indented = *text == ' ';
	struct line line;
	int err = 0;

	if (!text[strspn(text, " ")])
		return 0;
	if (text[strspn(text, "-")] == '\0')
		return end_block(report);
	if (read_titles(report))
		return 0;
	if (!report->nr_events)		/* text above the titles */
		return 0;
	snprintf(copy, sizeof(copy), "%s", text);
	if (!read_columns(report, text, &line)) {
		import->line = copy;
		return import_ignore(import, "is not a function of opreport");
	}
	import_read(import);
	if (!is_indented) {
		if (report->has_function)
			err = end_block(report);
		report->function = line;
		report->has_function = true;
	} else if (!report->has_function) {
		add_caller(report, &line);
	}
	return err;
}

int import_opreport(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error)
{
	struct opreport *report = calloc(1, sizeof(*report));
	int err;

	if (report)
		report->callers = calloc(CALLERS_MAX, sizeof(*report->callers));
	if (!report || !report->callers) {
		free(report);
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	}
	import_init(&report->import, in, options, profile, error);
	err = import_lines(&report->import, read_line, report) ?:
	      end_block(report) ?: import_judge(&report->import);
	if (!err)
		notes_add(options->notes, "opreport has no stacks, only pairs of caller and function: each function is shown below its direct callers only");
	import_period(&report->import, 0);
	import_deinit(&report->import);
	free(report->callers);
	free(report);
	return err;
}
