// SPDX-License-Identifier: GPL-2.0
/*
 * Grouping levels: parse their names, and name a record's group at each of
 * them.
 */
#include "tree/fold_level.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "profile/cgroup.h"

static const char *const level_names[FOLD_LEVEL_MAX] = {
	[FOLD_COMM] = "comm",
	[FOLD_PID] = "pid",
	[FOLD_TID] = "tid",
	[FOLD_CPU] = "cpu",
	[FOLD_CONTEXT] = "context",
	[FOLD_HOST] = "host",
	[FOLD_CGROUP] = "cgroup",
	[FOLD_MODULE] = "module",
	[FOLD_FUNCTION] = "function",
};

/* The names that perf's --sort uses for these levels. */
static const struct {
	const char *word;
	enum fold_level level;
} perf_words[] = {
	{ "dso", FOLD_MODULE },
	{ "sym", FOLD_FUNCTION },
	{ "symbol", FOLD_FUNCTION },
};

/* Figures that perf's --sort may list among levels; they are shown anyway. */
static const char *const perf_figures[] = {
	"overhead", "overhead_children", "overhead_sys", "overhead_us",
	"period", "sample",
};

bool fold_is_by(const struct fold_options *options, enum fold_level level)
{
	for (unsigned int i = 0; i < options->nr_by; i++)
		if (options->by[i] == level)
			return true;
	return false;
}

const char *fold_level_name(enum fold_level level)
{
	return level_names[level];
}

static int level_parse(const char *word, size_t length)
{
	for (int i = 0; i < FOLD_LEVEL_MAX; i++)
		if (strlen(level_names[i]) == length &&
		    !memcmp(level_names[i], word, length))
			return i;
	for (size_t i = 0; i < sizeof(perf_words) / sizeof(perf_words[0]); i++)
		if (strlen(perf_words[i].word) == length &&
		    !memcmp(perf_words[i].word, word, length))
			return perf_words[i].level;
	return -1;
}

static bool is_figure(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(perf_figures) / sizeof(perf_figures[0]); i++)
		if (strlen(perf_figures[i]) == length &&
		    !memcmp(perf_figures[i], word, length))
			return true;
	return false;
}

int fold_options_by(struct fold_options *options, const char *text,
		    struct error *error)
{
	unsigned int seen = 0, nr = 0;
	enum fold_level by[FOLD_LEVEL_MAX];

	if (!strcmp(text, "none")) {
		options->nr_by = 0;
		return 0;
	}

	for (;;) {
		size_t length = strcspn(text, ",");
		int level = level_parse(text, length);

		if (level < 0 && is_figure(text, length) &&
		    (nr || text[length])) {
			if (!text[length])
				break;
			text += length + 1;
			continue;
		}
		if (level < 0)
			return error_set(error, -EINVAL,
					 "cannot group by \"%.*s\": the levels are comm, pid, tid, cpu, context, host, cgroup, module and function, with commas between, or none",
					 (int)(length < 64 ? length : 64), text);
		if (seen & 1u << level)
			return error_set(error, -EINVAL,
					 "cannot group by \"%s\" twice: name each level once",
					 level_names[level]);
		seen |= 1u << level;
		by[nr++] = level;
		if (!text[length])
			break;
		text += length + 1;
	}

	memcpy(options->by, by, sizeof(by));
	options->nr_by = nr;
	return 0;
}

static const char *whole(const char *name, size_t *length)
{
	*length = strlen(name);
	return name;
}

/* Get "[ext4]" from "ext4_readdir [ext4]", "[vdso]" from "[vdso]"; or NULL. */
static const char *object_in_brackets(const char *name, size_t *length)
{
	const char *at = NULL, *next = name;
	size_t bytes = strlen(name);

	if (!bytes || name[bytes - 1] != ']')
		return NULL;
	if (*name == '[')
		return whole(name, length);
	while ((next = strstr(next, " [")))
		at = ++next;
	return at && at[1] != ']' ? whole(at, length) : NULL;
}

/* Get "libc.so.6" from "libc.so.6`malloc", as DTrace and SystemTap write it. */
static const char *object_of_user(const char *name, size_t *length)
{
	const char *tick = strchr(name, '`');
	const char *object = object_in_brackets(name, length);

	if (object || !tick || tick == name)
		return object ?: whole("[user]", length);
	*length = (size_t)(tick - name);
	return name;
}

static const char *object_of_frame(const struct profile *profile,
				   const struct profile_frame *frame,
				   size_t *length)
{
	switch (frame->kind) {
	case FLAMEMOD_FRAME_USER:
		if (frame->object)
			return whole(profile_object_file(&profile->objects[
					frame->object - 1]), length);
		return object_of_user(frame->name, length);
	case FLAMEMOD_FRAME_MODULE:
		return object_in_brackets(frame->name, length) ?:
		       whole("[kernel]", length);
	case FLAMEMOD_FRAME_MARK:
		return whole("[unknown]", length);
	default:
		return whole("[kernel]", length);
	}
}

/*
 * A mark tells what its caller did, such as keeping interrupts off, and belongs
 * to the caller's module. "[unknown]" is not such a mark: it is code of unknown
 * origin.
 */
static bool is_of_caller(const struct profile_frame *frame)
{
	return frame->kind == FLAMEMOD_FRAME_MARK && frame->name[0] &&
	       strcmp(frame->name, "[unknown]");
}

/* Get the object of a record that has no function on its stack. */
static const char *object_of_context(const struct profile_record *record,
				     size_t *length)
{
	if (record->context == FLAMEMOD_CONTEXT_USER)
		return whole("[user]", length);
	if (record->context == FLAMEMOD_CONTEXT_IDLE || record->node)
		return whole("[kernel]", length);
	return whole(fold_bare(record->context), length);
}

static const char *module_text(const struct profile *profile,
			       const struct profile_record *record,
			       size_t *length)
{
	for (uint32_t at = record->node; at; at = profile->nodes[at].parent) {
		const struct profile_frame *frame =
			&profile->frames[profile->nodes[at].frame];

		if (!is_of_caller(frame))
			return object_of_frame(profile, frame, length);
	}
	return object_of_context(record, length);
}

/* Use the leaf, even a mark, so that shares equal the self of report --flat. */
static const char *function_text(const struct profile *profile,
				 const struct profile_record *record)
{
	const char *name;

	if (!record->node)
		return fold_bare(record->context);
	name = profile->frames[profile->nodes[record->node].frame].name;
	return *name ? name : "[unknown]";
}

/* The kernel's idle task is in no cgroup; of all other tasks it is not known then. */
static const char *cgroup_text(const struct profile_task *task,
			       char text[FOLD_LEVEL_TEXT])
{
	if (*task->cgroup)
		return cgroup_short(task->cgroup, text, FOLD_LEVEL_TEXT);
	return !task->pid && !strcmp(task->comm, "swapper") ? "[idle]" : "[unknown]";
}

const char *fold_level_text(const struct profile *profile,
			    const struct profile_record *record,
			    enum fold_level level, char text[FOLD_LEVEL_TEXT],
			    size_t *length)
{
	const struct profile_task *task = &profile->tasks[record->task];
	const char *name = text;

	switch (level) {
	case FOLD_COMM:
		name = task->comm[0] ? task->comm : "[unknown]";
		break;
	case FOLD_PID:
		snprintf(text, FOLD_LEVEL_TEXT, "pid %u", task->pid);
		break;
	case FOLD_TID:
		snprintf(text, FOLD_LEVEL_TEXT, "tid %u", task->tid);
		break;
	case FOLD_CPU:
		snprintf(text, FOLD_LEVEL_TEXT, "cpu %u", record->cpu);
		break;
	case FOLD_HOST:
		name = profile_host(profile, task);
		snprintf(text, FOLD_LEVEL_TEXT, "host %.150s",
			 *name ? name : "[unknown]");
		name = text;
		break;
	case FOLD_CGROUP:
		name = cgroup_text(task, text);
		break;
	case FOLD_MODULE:
		return module_text(profile, record, length);
	case FOLD_FUNCTION:
		name = function_text(profile, record);
		break;
	default:
		snprintf(text, FOLD_LEVEL_TEXT, "[%s]",
			 profile_context_name(record->context));
	}
	return whole(name, length);
}

const char *fold_bare(enum flamemod_context context)
{
	if (context == FLAMEMOD_CONTEXT_USER)
		return "[user]";
	return context == FLAMEMOD_CONTEXT_IDLE ? "[idle]" : "[unknown]";
}

enum tree_kind fold_bare_kind(enum flamemod_context context)
{
	if (context == FLAMEMOD_CONTEXT_USER)
		return TREE_USER;
	return context == FLAMEMOD_CONTEXT_IDLE ? TREE_IDLE : TREE_MARK;
}
