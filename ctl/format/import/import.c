// SPDX-License-Identifier: GPL-2.0
/*
 * What the parsers of other tools' text share: see import.h.
 */
#include "format/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "format/pprof/pprof.h"
#include "format/tidy.h"
#include "tree/kind.h"
#include "tree/tree.h"

/* Deeper stacks could not be read back once saved. */
#define FRAMES_MAX	(TREE_DEPTH_MAX - FOLD_LEVEL_MAX)

void import_init(struct import *import, FILE *in,
		 const struct import_options *options, struct profile *profile,
		 struct error *error)
{
	memset(import, 0, sizeof(*import));
	lines_init(&import->lines, in, IMPORT_LINE_MAX);
	import->options = options;
	import->profile = profile;
	import->error = error;
}

void import_deinit(struct import *import)
{
	lines_deinit(&import->lines);
	free(import->frames);
	free(import->known);
	free(import->scratch);
	intern_deinit(&import->names);
}

/* Read the next line. Return: 1, 0 at the end, or -errno. */
static int next_line(struct import *import)
{
	size_t length;
	int err;

	import->line_number++;
	err = lines_next(&import->lines, &import->line, &length);
	if (err == -EILSEQ)
		return import_fail(import, "contains a NUL byte: this is not text");
	if (err == -E2BIG)
		return import_fail(import, "is longer than %u KiB",
				   IMPORT_LINE_MAX >> 10);
	if (err == -ENOMEM)
		return error_set(import->error, err, "%s", strerror(-err));
	if (err < 0)
		return error_set(import->error, err, "line %ju cannot be read: %s",
				 import->line_number, strerror(-err));
	if (err && length && import->line[length - 1] == '\r')
		import->line[length - 1] = '\0';
	return err;
}

int import_lines(struct import *import,
		 int (*read)(struct import *import, void *state), void *state)
{
	int err;

	do {
		err = next_line(import);
		if (err > 0)
			err = read(import, state) ?: 1;
	} while (err > 0);
	return err;
}

int import_fail(struct import *import, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!import->line_number)	/* no line to name any more */
		return error_set(import->error, -EBADMSG, "a stack %s", text);
	return error_set(import->error, -EBADMSG, "line %ju %s",
			 import->line_number, text);
}

int import_ignore(struct import *import, const char *why)
{
	if (import->options->strict)
		return import_fail(import, "%s: %.200s", why, import->line);
	if (import->nr_ignored++)
		return 0;
	snprintf(import->first_ignored, sizeof(import->first_ignored),
		 "line %ju %s: %.200s", import->line_number, why, import->line);
	return 0;
}

int import_judge(struct import *import)
{
	uintmax_t nr_lines = import->nr_read + import->nr_ignored;

	if (!import->nr_ignored)
		return 0;
	if (nr_lines == 1)
		return error_set(import->error, -EBADMSG, "%s",
				 import->first_ignored);
	if (import->nr_ignored > import->nr_read)
		return error_set(import->error, -EBADMSG, "%s, and so are %ju of %ju lines",
				 import->first_ignored, import->nr_ignored,
				 nr_lines);
	notes_add(import->options->notes, "ignored %ju of %ju lines; %s",
		  import->nr_ignored, nr_lines, import->first_ignored);
	return 0;
}

/* Get the number of a name, and find out about it if it is new. */
static int find_name(struct import *import, const char *name, size_t length,
		     uint32_t *number)
{
	uint32_t before = import->names.nr;
	int err = vec_reserve(import->known, import->known_room, before + 1UL) ?:
		  intern_add(&import->names, name, length, number);

	if (err)
		return error_set(import->error, err, "%s", strerror(-err));
	if (*number < before)
		return 0;
	name = intern_text(&import->names, *number);
	import->known[*number] = (struct import_known){
		.says = kind_says(name),
		.enters = kind_of_context(FLAMEMOD_CONTEXT_USER, name),
		.injects_idle = kind_injects_idle(name),
	};
	return 0;
}

/* Copy a name to shorten it. Return: NULL with the error set. */
static char *copy_name(struct import *import, const char *name, size_t length)
{
	int err = vec_reserve(import->scratch, import->scratch_room, length + 1);

	if (err) {
		error_set(import->error, err, "%s", strerror(-err));
		return NULL;
	}
	return memcpy(import->scratch, name, length + 1);
}

int import_push_known(struct import *import, uint32_t name, unsigned int kind)
{
	int err;

	if (import->nr_frames == FRAMES_MAX)
		return import_fail(import, "makes the stack deeper than %d frames",
				   FRAMES_MAX);
	err = vec_reserve(import->frames, import->frames_room,
			  import->nr_frames + 1);
	if (err)
		return error_set(import->error, err, "%s", strerror(-err));
	import->to_guess |= kind == IMPORT_GUESS;
	import->frames[import->nr_frames++] = (struct import_frame){ name, kind };
	return 0;
}

int import_push(struct import *import, const char *name, unsigned int kind)
{
	bool tidies = import->options->tidy &&
		      (kind == FLAMEMOD_FRAME_USER || kind == IMPORT_GUESS);
	size_t length = strlen(name);
	uint32_t number;
	char *copy;

	if (tidies || length > PROFILE_NAME_MAX) {
		copy = copy_name(import, name, length);
		if (!copy)
			return -ENOMEM;
		if (tidies)
			tidy_name(copy);
		utf8_cut(copy, PROFILE_NAME_MAX);
		name = copy;
		length = strlen(copy);
	}
	return find_name(import, name, length, &number) ?:
	       import_push_known(import, number, kind);
}

int import_rename(struct import *import, size_t frame, const char *name)
{
	return find_name(import, name, strlen(name), &import->frames[frame].name);
}

void import_reverse(struct import *import, size_t first)
{
	size_t last = import->nr_frames;
	struct import_frame swap;

	for (; first + 1 < last; first++) {
		swap = import->frames[first];
		import->frames[first] = import->frames[--last];
		import->frames[last] = swap;
	}
}

static struct import_known *known_of(const struct import *import, size_t frame)
{
	return &import->known[import->frames[frame].name];
}

static enum flamemod_frame_kind kind_of_tree(enum tree_kind kind)
{
	switch (kind) {
	case TREE_MODULE:
		return FLAMEMOD_FRAME_MODULE;
	case TREE_USER:
		return FLAMEMOD_FRAME_USER;
	case TREE_MARK:
	case TREE_LOST:
		return FLAMEMOD_FRAME_MARK;
	default:
		return FLAMEMOD_FRAME_KERNEL;
	}
}

/* Guess the kinds of frames that have none yet, by all names from the root. */
static void guess_kinds(struct import *import)
{
	struct kind_state state = { .nr_levels = 1 };
	enum tree_kind kind;
	size_t i;

	if (!import->to_guess)
		return;
	for (i = 0; i < import->nr_frames; i++) {
		kind = kind_of_said(&state, known_of(import, i)->says);
		if (import->frames[i].kind == IMPORT_GUESS)
			import->frames[i].kind = kind_of_tree(kind);
	}
}

static bool is_idle_task(const struct import_sample *sample)
{
	return !sample->tid && !strncmp(sample->comm, "swapper", 7);
}

/*
 * Report whether the sample is of a thread that injects idle time (idle_inj/N;
 * kidle_inj/N before Linux 4.10). It runs the idle loop as well, but its time
 * is the thread's.
 */
static bool injects_idle(const struct import *import,
			 const struct import_sample *sample)
{
	size_t i;

	if (sample->tid || !strncmp(sample->comm, "idle_inj/", 9) ||
	    !strncmp(sample->comm, "kidle_inj/", 10))
		return true;
	for (i = 0; i < import->nr_frames; i++)
		if (known_of(import, i)->injects_idle)
			return true;
	return false;
}

/* Find what was interrupted: user mode, unless a kernel frame was running. */
static enum flamemod_context judge_context(const struct import *import,
					   const struct import_sample *sample)
{
	enum flamemod_context context = FLAMEMOD_CONTEXT_USER, below;
	bool injected = injects_idle(import, sample);
	size_t i;

	for (i = 0; i < import->nr_frames; i++) {
		unsigned int kind = import->frames[i].kind;

		if (kind == FLAMEMOD_FRAME_USER) {
			context = FLAMEMOD_CONTEXT_USER;
			continue;
		}
		if (kind != FLAMEMOD_FRAME_KERNEL &&
		    kind != FLAMEMOD_FRAME_MODULE)
			continue;
		if (context == FLAMEMOD_CONTEXT_USER)
			context = FLAMEMOD_CONTEXT_TASK;
		below = known_of(import, i)->enters;
		if (below == FLAMEMOD_CONTEXT_USER)
			continue;
		if (below != FLAMEMOD_CONTEXT_IDLE || !injected)
			context = below;
	}
	if (context == FLAMEMOD_CONTEXT_USER && is_idle_task(sample))
		return FLAMEMOD_CONTEXT_IDLE;
	return context;
}

/* Get the number of a frame of the current stack in the profile. */
static int find_frame(struct import *import, size_t at, uint32_t *frame)
{
	struct import_known *known = known_of(import, at);
	unsigned int kind = import->frames[at].kind;
	int err;

	if (known->profile != import->profile || known->kind != kind) {
		err = profile_add_frame(import->profile, import_name(import, at),
					kind, &known->frame);
		if (err)
			return err;
		known->profile = import->profile;
		known->kind = kind;
	}
	*frame = known->frame;
	return 0;
}

static int add_frames(struct import *import, uint32_t *node)
{
	struct profile *profile = import->profile;
	uint32_t frame;
	size_t i;
	int err = 0;

	*node = 0;
	for (i = 0; i < import->nr_frames && !err; i++) {
		err = find_frame(import, i, &frame) ?:
		      profile_add_node(profile, *node, frame, node);
		if (!err && profile->nr_nodes > PROFILE_NODES_MAX)
			return import_fail(import, "belongs to stacks that together have more than %u calls",
					   PROFILE_NODES_MAX);
	}
	return err;
}

/* Make up books: all that the text contains was stored. */
static int add_books(struct profile *profile, const struct profile_record *record)
{
	struct profile_cpu cpu = {
		.cpu = record->cpu,
		.books = {
			.expected = record->periods, .fires = record->periods,
			.stored = record->periods,
		},
	};

	return profile_add_cpu(profile, &cpu);
}

void import_drop(struct import *import)
{
	import->nr_frames = 0;
	import->to_guess = false;
}

int import_add(struct import *import, const struct import_sample *sample)
{
	struct profile_record record = {
		.cpu = sample->cpu, .count = sample->count,
		.periods = sample->periods,
	};
	int err;

	guess_kinds(import);
	record.context = sample->context >= 0 ? (enum flamemod_context)sample->context :
			 judge_context(import, sample);
	err = add_frames(import, &record.node);
	import_drop(import);
	err = err ?: profile_add_task_of(import->profile, sample->host ?: "",
					 sample->pid, sample->tid, sample->comm,
					 &record.task) ?:
	      add_books(import->profile, &record) ?:
	      profile_add_record(import->profile, &record);
	if (err == -EOVERFLOW)
		return import_fail(import, "makes the weights sum to more than 2^64");
	if (err == -E2BIG)
		return import_fail(import, "has a CPU beyond the limit of %d CPUs",
				   PROFILE_CPUS_MAX);
	if (err == -ENOMEM)
		error_set(import->error, err, "%s", strerror(-err));
	return err;
}

void import_period(struct import *import, uint64_t period_ns)
{
	struct profile_meta *meta = &import->profile->meta;
	uint64_t hz;

	if (import->options->hz)
		period_ns = 1000000000 / import->options->hz;
	meta->period_ns = period_ns;
	if (!period_ns)
		return;
	/* a saved profile holds no rate that is above the module's limit */
	hz = (1000000000 + period_ns / 2) / period_ns;
	if (hz <= FLAMEMOD_HZ_MAX)
		meta->settings.hz = (uint32_t)hz;
}

void import_event(struct import *import, const char *name)
{
	struct profile_meta *meta = &import->profile->meta;

	snprintf(meta->event, sizeof(meta->event), "%s", name);
	if (strlen(name) >= sizeof(meta->event))
		utf8_cut(meta->event, sizeof(meta->event) - 4);
}

void import_counts(struct import *import, const char *what)
{
	struct profile_meta *meta = &import->profile->meta;

	snprintf(meta->weight_type, sizeof(meta->weight_type), "%s", what);
	snprintf(meta->weight_unit, sizeof(meta->weight_unit), "count");
}

int import_number(const char *text, uint64_t *number)
{
	return number_parse(text, 0, UINT64_MAX, number, NULL);
}

void import_strip_offset(char *name)
{
	char *plus = strrchr(name, '+');
	const char *at;

	/* "operator+" is a name */
	if (!plus || plus == name || !isdigit((unsigned char)plus[1]))
		return;
	at = plus + 1;
	if (at[0] == '0' && at[1] == 'x')
		at += 2;
	at += strspn(at, "0123456789abcdef");
	if (at[0] == '/' && at[1] == '0' && at[2] == 'x') {
		at += 3;
		at += strspn(at, "0123456789abcdef");
	}
	if (!*at)
		*plus = '\0';
}

bool import_next_line(const char **at, const char **line, size_t *length)
{
	if (!*at || !**at)
		return false;
	*line = *at;
	*length = strcspn(*line, "\n");
	*at = (*line)[*length] ? *line + *length + 1 : NULL;
	return true;
}
