// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile in the Firefox Profiler's processed format, version 60,
 * whose tables are shared by all threads; profiler.firefox.com reads it and
 * upgrades it to its current version. The fields are those of its
 * src/types/profile.ts at that version.
 *
 * A category is a context, and belongs to a frame: the viewer takes a sample's
 * category from its leaf. So each frame and stack is written once for each
 * context that it occurs in; but what a program did is in the category of user mode,
 * also where the kernel worked for it. Samples have no time of their own; each one starts
 * where the previous one ends, and lasts as long as it weighs.
 */
#include "format/export/export.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "format/export/firefox_libs.h"

#define NR_CONTEXTS	__FLAMEMOD_CONTEXT_MAX
#define CATEGORY_LOST	NR_CONTEXTS

struct writer {
	const struct profile *profile;
	struct export_groups groups;
	uint8_t *contexts;		/* by node: a bit per context */
	uint32_t *stacks[NR_CONTEXTS];	/* by node: its index, once written */
	uint32_t first_bare, first_lost;	/* stacks without frames */
	struct json json;
};

/* Number of functions. They are: frames, then contexts, then losses. */
static uint32_t nr_functions(const struct writer *w)
{
	return w->profile->nr_frames + NR_CONTEXTS + PROFILE_LOST_MAX;
}

/*
 * Index of a frame in its table. The table has each frame once per context,
 * then contexts and losses.
 */
static uint32_t frame_place(const struct writer *w, uint32_t frame,
			    unsigned int context)
{
	return context * w->profile->nr_frames + frame;
}

static uint32_t bare_frame_place(const struct writer *w)
{
	return frame_place(w, 0, NR_CONTEXTS);
}

static uint32_t nr_frames(const struct writer *w)
{
	return bare_frame_place(w) + NR_CONTEXTS + PROFILE_LOST_MAX;
}

static void close_line(struct json *json)
{
	json_close(json);
	json_line(json);
}

/* Write a column whose values are all null. */
static void write_nulls(struct writer *w, const char *name, uint32_t nr)
{
	json_open_array(&w->json, name);
	for (uint32_t i = 0; i < nr; i++)
		json_nothing(&w->json, NULL);
	close_line(&w->json);
}

static void write_falses(struct writer *w, const char *name, uint32_t nr)
{
	json_open_array(&w->json, name);
	for (uint32_t i = 0; i < nr; i++)
		json_bool(&w->json, NULL, false);
	close_line(&w->json);
}

/* Write a column whose values are all @value. */
static void write_same(struct writer *w, const char *name, int value,
		       uint32_t nr)
{
	json_open_array(&w->json, name);
	for (uint32_t i = 0; i < nr; i++)
		json_signed(&w->json, NULL, value);
	close_line(&w->json);
}

static void write_strings(struct writer *w)
{
	struct json *json = &w->json;
	char text[64];
	uint32_t i;

	json_open_array(json, "stringArray");
	for (i = 0; i < w->profile->nr_frames; i++) {
		const char *name = w->profile->frames[i].name;

		json_text(json, NULL, *name ? name : "[unknown]");
		json_line(json);
	}
	for (i = 0; i < NR_CONTEXTS; i++) {
		snprintf(text, sizeof(text), "[%s]", profile_context_name(i));
		json_text(json, NULL, text);
	}
	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		snprintf(text, sizeof(text), "[lost: %s]", profile_lost_name(i));
		json_text(json, NULL, text);
	}
	firefox_write_lib_names(json, w->profile);
	close_line(json);
}

static void write_functions(struct writer *w)
{
	uint32_t i, nr = nr_functions(w);
	struct json *json = &w->json;

	json_open_object(json, "funcTable");
	json_open_array(json, "name");
	for (i = 0; i < nr; i++)
		json_count(json, NULL, i);
	close_line(json);
	write_falses(w, "isJS", nr);
	write_falses(w, "relevantForJS", nr);
	json_open_array(json, "resource");
	for (i = 0; i < nr; i++)
		json_signed(json, NULL, i < w->profile->nr_frames ?
			    (int64_t)w->profile->frames[i].object - 1 : -1);
	close_line(json);
	write_nulls(w, "source", nr);
	write_nulls(w, "lineNumber", nr);
	write_nulls(w, "columnNumber", nr);
	json_count(json, "length", nr);
	close_line(json);
}

static void write_frames(struct writer *w)
{
	uint32_t i, frames = w->profile->nr_frames, nr = nr_frames(w);
	struct json *json = &w->json;

	json_open_object(json, "frameTable");
	json_open_array(json, "func");
	for (i = 0; i < nr; i++)
		json_count(json, NULL, i < bare_frame_place(w) ? i % frames :
			   i - bare_frame_place(w) + frames);
	close_line(json);
	json_open_array(json, "category");
	for (i = 0; i < nr; i++) {
		uint32_t category = CATEGORY_LOST;

		if (i < bare_frame_place(w))
			category = w->profile->frames[i % frames].kind ==
				   FLAMEMOD_FRAME_USER ? FLAMEMOD_CONTEXT_USER : i / frames;
		else if (i < bare_frame_place(w) + NR_CONTEXTS)
			category = i - bare_frame_place(w);
		json_count(json, NULL, category);
	}
	close_line(json);
	write_same(w, "subcategory", 0, nr);
	write_same(w, "address", -1, nr);
	write_same(w, "inlineDepth", 0, nr);
	write_nulls(w, "nativeSymbol", nr);
	write_nulls(w, "innerWindowID", nr);
	write_nulls(w, "line", nr);
	write_nulls(w, "column", nr);
	json_count(json, "length", nr);
	close_line(json);
}

static void find_contexts(struct writer *w)
{
	const struct profile *profile = w->profile;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++)
		w->contexts[profile->records[i].node] |=
			1U << profile->records[i].context;
	/* children have higher numbers than their parents */
	for (i = profile->nr_nodes; i-- > 1;)
		w->contexts[profile->nodes[i].parent] |= w->contexts[i];
}

/* Number the stacks, callers before callees. Return: how many there are. */
static uint64_t place_stacks(struct writer *w)
{
	uint64_t nr = 0;
	unsigned int context;
	uint32_t i;

	for (context = 0; context < NR_CONTEXTS; context++)
		for (i = 1; i < w->profile->nr_nodes; i++)
			if (w->contexts[i] & 1U << context)
				w->stacks[context][i] = (uint32_t)nr++;
	w->first_bare = (uint32_t)nr;
	w->first_lost = w->first_bare + NR_CONTEXTS;
	return nr + NR_CONTEXTS + PROFILE_LOST_MAX;
}

static void write_stack_frames(struct writer *w)
{
	const struct profile *profile = w->profile;
	unsigned int context, bare;
	uint32_t i;

	json_open_array(&w->json, "frame");
	for (context = 0; context < NR_CONTEXTS; context++)
		for (i = 1; i < profile->nr_nodes; i++)
			if (w->contexts[i] & 1U << context)
				json_count(&w->json, NULL,
					   frame_place(w, profile->nodes[i].frame,
						       context));
	for (bare = 0; bare < NR_CONTEXTS + PROFILE_LOST_MAX; bare++)
		json_count(&w->json, NULL, bare_frame_place(w) + bare);
	close_line(&w->json);
}

static void write_stack_prefixes(struct writer *w)
{
	const struct profile *profile = w->profile;
	unsigned int context, bare;
	uint32_t i, parent;

	json_open_array(&w->json, "prefix");
	for (context = 0; context < NR_CONTEXTS; context++)
		for (i = 1; i < profile->nr_nodes; i++) {
			if (!(w->contexts[i] & 1U << context))
				continue;
			parent = profile->nodes[i].parent;
			if (parent)
				json_count(&w->json, NULL,
					   w->stacks[context][parent]);
			else
				json_nothing(&w->json, NULL);
		}
	for (bare = 0; bare < NR_CONTEXTS + PROFILE_LOST_MAX; bare++)
		json_nothing(&w->json, NULL);
	close_line(&w->json);
}

/* Write a table of no rows, as the format requires. */
static void write_empty(struct writer *w, const char *name,
			const char *const *columns)
{
	json_open_object(&w->json, name);
	for (; *columns; columns++) {
		json_open_array(&w->json, *columns);
		json_close(&w->json);
	}
	json_count(&w->json, "length", 0);
	close_line(&w->json);
}

#define COLUMNS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static int write_shared(struct writer *w)
{
	struct json *json = &w->json;
	uint64_t nr;

	find_contexts(w);
	nr = place_stacks(w);
	if (nr > UINT32_MAX)
		return -EOVERFLOW;
	json_open_object(json, "shared");
	json_line(json);
	write_strings(w);
	write_functions(w);
	write_frames(w);
	json_open_object(json, "stackTable");
	write_stack_frames(w);
	write_stack_prefixes(w);
	json_count(json, "length", nr);
	close_line(json);
	firefox_write_resources(json, w->profile, nr_functions(w));
	write_empty(w, "nativeSymbols",
		    COLUMNS("libIndex", "address", "name", "functionSize"));
	write_empty(w, "sources", COLUMNS("uuid", "filename"));
	close_line(json);
	return export_failed(json->out);
}

static void write_category(struct writer *w, const char *name,
			   const char *colour)
{
	json_open_object(&w->json, NULL);
	json_text(&w->json, "name", name);
	json_text(&w->json, "color", colour);
	json_open_array(&w->json, "subcategories");
	json_text(&w->json, NULL, "Other");
	json_close(&w->json);
	json_close(&w->json);
}

static void write_categories(struct writer *w)
{
	static const char *const colours[NR_CONTEXTS] = {
		[FLAMEMOD_CONTEXT_USER] = "green",
		[FLAMEMOD_CONTEXT_TASK] = "orange",
		[FLAMEMOD_CONTEXT_SOFTIRQ] = "purple",
		[FLAMEMOD_CONTEXT_HARDIRQ] = "red",
		[FLAMEMOD_CONTEXT_IDLE] = "transparent",
	};

	json_open_array(&w->json, "categories");
	for (unsigned int i = 0; i < NR_CONTEXTS; i++)
		write_category(w, profile_context_name(i), colours[i]);
	write_category(w, "lost", "darkgrey");
	/* the viewer requires a grey one, for samples without a category */
	write_category(w, "other", "grey");
	close_line(&w->json);
}

/* Write the books to the section where the viewer describes the recording. */
static void write_books(struct writer *w)
{
	const struct profile_books *books = &w->profile->books;
	const struct { const char *name; uint64_t value; } entries[] = {
		{ "fires", books->fires }, { "missed", books->missed },
		{ "stored", books->stored }, { "filtered", books->filtered },
		{ "lost", profile_lost(books) },
	};
	const char *unit = profile_unit(&w->profile->meta);
	struct json *json = &w->json;
	char label[PROFILE_UNIT_MAX + 32];

	snprintf(label, sizeof(label), "Books, in %s",
		 strcmp(unit, "periods") ? unit : "sampling periods");
	json_open_array(json, "extra");
	json_open_object(json, NULL);
	json_text(json, "label", label);
	json_open_array(json, "entries");
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		json_open_object(json, NULL);
		json_text(json, "label", entries[i].name);
		json_text(json, "format", "integer");
		json_count(json, "value", entries[i].value);
		json_close(json);
	}
	json_close(json);
	json_close(json);
	close_line(json);
}

/* Write a weight in milliseconds; a period of unknown length counts as one. */
static void write_ms(struct writer *w, const char *key, uint64_t weight)
{
	if (w->profile->meta.period_ns)
		json_millionths(&w->json, key, weight);
	else
		json_count(&w->json, key, weight);
}

static void write_meta(struct writer *w)
{
	const struct profile_meta *meta = &w->profile->meta;
	struct json *json = &w->json;

	json_open_object(json, "meta");
	json_count(json, "version", 24);
	json_count(json, "preprocessedProfileVersion", 60);
	json_line(json);
	write_ms(w, "interval", meta->period_ns ?: 1);
	json_signed(json, "startTime", meta->time_ns / 1000000);
	json_count(json, "processType", 0);
	json_line(json);
	json_text(json, "product", *meta->host ? meta->host : "kernel");
	json_text(json, "oscpu", meta->release);
	json_text(json, "importedFrom", "flamectl " FLAMECTL_VERSION);
	json_line(json);
	json_count(json, "logicalCPUs", w->profile->nr_cpus);
	json_count(json, "stackwalk", 1);
	json_bool(json, "symbolicated", true);
	json_bool(json, "symbolicationNotSupported", true);
	json_line(json);
	json_bool(json, "keepProfileThreadOrder", true);
	json_bool(json, "usesOnlyOneStackType", true);
	json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	json_line(json);
	write_books(w);
	write_categories(w);
	json_open_array(json, "markerSchema");
	json_close(json);
	close_line(json);
	firefox_write_libs(json, w->profile);
}

static uint32_t stack_of(const struct writer *w,
			 const struct profile_record *record)
{
	return record->node ? w->stacks[record->context][record->node] :
			      w->first_bare + record->context;
}

static void write_samples(struct writer *w, const struct export_group *group)
{
	uint32_t i, nr = group->nr;
	struct json *json = &w->json;

	json_open_object(json, "samples");
	json_open_array(json, "stack");
	for (i = 0; i < group->nr; i++)
		json_count(json, NULL,
			   stack_of(w, &w->profile->records[w->groups.records[
				    group->first + i]]));
	for (i = 0; group->lost && i < PROFILE_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		json_count(json, NULL, w->first_lost + i);
		nr++;
	}
	close_line(json);
	json_count(json, "length", nr);
	json_text(json, "weightType", w->profile->meta.period_ns ? "tracing-ms" :
		  !strcmp(profile_unit(&w->profile->meta), "bytes") ? "bytes" : "samples");
	json_line(json);
}

/* Write weights, or times as if each sample started where the last ended. */
static void write_column(struct writer *w, const struct export_group *group,
			 const char *name, bool times)
{
	uint64_t weight, now = 0;
	uint32_t i;

	json_open_array(&w->json, name);
	for (i = 0; i < group->nr; i++) {
		weight = export_weight(w->profile, w->profile->records[
				w->groups.records[group->first + i]].periods);
		write_ms(w, NULL, times ? now : weight);
		now += weight;
	}
	for (i = 0; group->lost && i < PROFILE_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		weight = export_weight(w->profile, group->lost->lost[i]);
		write_ms(w, NULL, times ? now : weight);
		now += weight;
	}
	close_line(&w->json);
}

static void write_process(struct writer *w, const struct fold_options *fold,
			  const struct export_group *group)
{
	bool is_task = fold->nr_by && fold->by[0] == FOLD_TID && group->nr;
	const struct profile_task *task = is_task ?
					  &w->profile->tasks[group->task] : NULL;
	struct json *json = &w->json;

	json_text(json, "name", group->name);
	json_text(json, "processName", group->name);
	json_exact(json, "pid", task ? task->pid : 0);
	json_count(json, "tid", task ? task->tid : group->cpu);
	json_bool(json, "isMainThread", !task || task->pid == task->tid);
	json_line(json);
	json_text(json, "processType", "default");
	json_count(json, "processStartupTime", 0);
	json_nothing(json, "processShutdownTime");
	json_count(json, "registerTime", 0);
	json_nothing(json, "unregisterTime");
	json_open_array(json, "pausedRanges");
	close_line(json);
}

static void write_thread(struct writer *w, const struct fold_options *fold,
			 const struct export_group *group)
{
	json_open_object(&w->json, NULL);
	write_process(w, fold, group);
	write_empty(w, "markers", COLUMNS("data", "name", "startTime", "endTime",
					  "phase", "category"));
	write_samples(w, group);
	write_column(w, group, "weight", false);
	write_column(w, group, "time", true);
	json_close(&w->json);
	close_line(&w->json);
}

static int write_all(struct writer *w, const struct fold_options *fold)
{
	struct json *json = &w->json;
	int err;

	json_open_object(json, NULL);
	write_meta(w);
	err = write_shared(w);
	if (err)
		return err;
	json_open_array(json, "threads");
	for (uint32_t i = 0; i < w->groups.nr; i++) {
		if (export_failed(json->out))
			break;
		write_thread(w, fold, &w->groups.groups[i]);
	}
	json_close(json);
	json_close(json);
	json_end(json);
	return export_failed(json->out);
}

int export_firefox(const struct profile *profile,
		   const struct fold_options *fold, FILE *out,
		   struct error *error)
{
	struct writer w = { .profile = profile, .json = { .out = out } };
	unsigned int i;
	int err = export_check(profile, error);

	if (err)
		return err;
	err = export_groups_init(&w.groups, profile, fold);
	w.contexts = calloc(profile->nr_nodes, sizeof(*w.contexts));
	for (i = 0; i < NR_CONTEXTS; i++) {
		w.stacks[i] = calloc(profile->nr_nodes, sizeof(*w.stacks[i]));
		if (!w.stacks[i] || !w.contexts)
			err = -ENOMEM;
	}
	err = err ?: write_all(&w, fold);
	export_groups_deinit(&w.groups);
	for (i = 0; i < NR_CONTEXTS; i++)
		free(w.stacks[i]);
	free(w.contexts);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
