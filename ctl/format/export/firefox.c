// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile in the Firefox Profiler's processed format, version 60,
 * whose tables are shared by all threads; profiler.firefox.com reads it and
 * upgrades it to its current version. The fields are those of its
 * src/types/profile.ts at that version.
 *
 * A category is a context, and belongs to a frame: the viewer takes a sample's
 * category from its leaf. So each frame and stack is written once for each
 * context that it occurs in. Samples have no time of their own; each one starts
 * where the previous one ends, and lasts as long as it weighs.
 */
#include "format/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"

#define NR_CONTEXTS	__FLAMEMOD_CONTEXT_MAX
#define CATEGORY_LOST	NR_CONTEXTS

struct writer {
	const struct profile *profile;
	struct export_groups groups;
	uint8_t *contexts;		/* by node: a bit per context */
	uint32_t *stacks[NR_CONTEXTS];	/* by node: its index, once written */
	uint32_t first_bare, first_lost;	/* stacks without frames */
	FILE *out;
};

/* Number of functions. They are: frames, then contexts, then losses. */
static uint32_t nr_functions(const struct writer *w)
{
	return w->profile->nr_frames + NR_CONTEXTS + __FLAMEMOD_LOST_MAX;
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
	return bare_frame_place(w) + NR_CONTEXTS + __FLAMEMOD_LOST_MAX;
}

/* Write a column whose values are all the same: "NAME":[value,value,...], */
static void write_same(struct writer *w, const char *name, const char *value,
		       uint32_t nr)
{
	uint32_t i;

	fprintf(w->out, "\"%s\":[", name);
	for (i = 0; i < nr; i++)
		fprintf(w->out, "%s%s", i ? "," : "", value);
	fputs("],\n", w->out);
}

static int write_strings(struct writer *w)
{
	uint32_t i;
	char *text;

	fputs("\"stringArray\":[", w->out);
	for (i = 0; i < w->profile->nr_frames; i++) {
		const char *name = w->profile->frames[i].name;

		text = json_text(*name ? name : "[unknown]");
		if (!text)
			return -ENOMEM;
		fprintf(w->out, "%s,\n", text);
		free(text);
	}
	for (i = 0; i < NR_CONTEXTS; i++)
		fprintf(w->out, "\"[%s]\",", profile_context_name(i));
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		fprintf(w->out, "%s\"[lost: %s]\"", i ? "," : "",
			profile_lost_name(i));
	fputs("],\n", w->out);
	return export_failed(w->out);
}

static void write_functions(struct writer *w)
{
	uint32_t i, nr = nr_functions(w);

	fputs("\"funcTable\":{\"name\":[", w->out);
	for (i = 0; i < nr; i++)
		fprintf(w->out, "%s%" PRIu32, i ? "," : "", i);
	fputs("],\n", w->out);
	write_same(w, "isJS", "false", nr);
	write_same(w, "relevantForJS", "false", nr);
	write_same(w, "resource", "-1", nr);
	write_same(w, "source", "null", nr);
	write_same(w, "lineNumber", "null", nr);
	write_same(w, "columnNumber", "null", nr);
	fprintf(w->out, "\"length\":%" PRIu32 "},\n", nr);
}

static void write_frames(struct writer *w)
{
	uint32_t i, frames = w->profile->nr_frames, nr = nr_frames(w);

	fputs("\"frameTable\":{\"func\":[", w->out);
	for (i = 0; i < nr; i++)
		fprintf(w->out, "%s%" PRIu32, i ? "," : "",
			i < bare_frame_place(w) ? i % frames :
			i - bare_frame_place(w) + frames);
	fputs("],\n\"category\":[", w->out);
	for (i = 0; i < nr; i++) {
		uint32_t category = CATEGORY_LOST;

		if (i < bare_frame_place(w))
			category = i / frames;
		else if (i < bare_frame_place(w) + NR_CONTEXTS)
			category = i - bare_frame_place(w);
		fprintf(w->out, "%s%" PRIu32, i ? "," : "", category);
	}
	fputs("],\n", w->out);
	write_same(w, "subcategory", "0", nr);
	write_same(w, "address", "-1", nr);
	write_same(w, "inlineDepth", "0", nr);
	write_same(w, "nativeSymbol", "null", nr);
	write_same(w, "innerWindowID", "null", nr);
	write_same(w, "line", "null", nr);
	write_same(w, "column", "null", nr);
	fprintf(w->out, "\"length\":%" PRIu32 "},\n", nr);
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
	return nr + NR_CONTEXTS + __FLAMEMOD_LOST_MAX;
}

static void write_stack_frames(struct writer *w)
{
	const struct profile *profile = w->profile;
	unsigned int context, bare;
	uint32_t i;

	fputs("\"frame\":[", w->out);
	for (context = 0; context < NR_CONTEXTS; context++)
		for (i = 1; i < profile->nr_nodes; i++)
			if (w->contexts[i] & 1U << context)
				fprintf(w->out, "%" PRIu32 ",",
					frame_place(w, profile->nodes[i].frame,
						    context));
	for (bare = 0; bare < NR_CONTEXTS + __FLAMEMOD_LOST_MAX; bare++)
		fprintf(w->out, "%s%" PRIu32, bare ? "," : "",
			bare_frame_place(w) + bare);
	fputs("],\n", w->out);
}

static void write_stack_prefixes(struct writer *w)
{
	const struct profile *profile = w->profile;
	unsigned int context, bare;
	uint32_t i, parent;

	fputs("\"prefix\":[", w->out);
	for (context = 0; context < NR_CONTEXTS; context++)
		for (i = 1; i < profile->nr_nodes; i++) {
			if (!(w->contexts[i] & 1U << context))
				continue;
			parent = profile->nodes[i].parent;
			if (parent)
				fprintf(w->out, "%" PRIu32 ",",
					w->stacks[context][parent]);
			else
				fputs("null,", w->out);
		}
	for (bare = 0; bare < NR_CONTEXTS + __FLAMEMOD_LOST_MAX; bare++)
		fprintf(w->out, "%snull", bare ? "," : "");
	fputs("],\n", w->out);
}

static int write_shared(struct writer *w)
{
	uint64_t nr;
	int err;

	find_contexts(w);
	nr = place_stacks(w);
	if (nr > UINT32_MAX)
		return -EOVERFLOW;
	fputs("\"shared\":{\n", w->out);
	err = write_strings(w);
	if (err)
		return err;
	write_functions(w);
	write_frames(w);
	fputs("\"stackTable\":{", w->out);
	write_stack_frames(w);
	write_stack_prefixes(w);
	fprintf(w->out, "\"length\":%" PRIu64 "},\n", nr);
	fputs("\"resourceTable\":{\"type\":[],\"lib\":[],\"name\":[],\"host\":[],\"length\":0},\n"
	      "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},\n"
	      "\"sources\":{\"uuid\":[],\"filename\":[],\"length\":0}},\n",
	      w->out);
	return export_failed(w->out);
}

static void write_category(struct writer *w, const char *name,
			   const char *colour)
{
	fprintf(w->out, "{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}",
		name, colour);
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
	unsigned int i;

	fputs("\"categories\":[", w->out);
	for (i = 0; i < NR_CONTEXTS; i++) {
		write_category(w, profile_context_name(i), colours[i]);
		fputc(',', w->out);
	}
	write_category(w, "lost", "darkgrey");
	/* the viewer requires a grey one, for samples without a category */
	fputc(',', w->out);
	write_category(w, "other", "grey");
	fputs("],\n", w->out);
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
	size_t i;

	fputs("\"extra\":[{\"label\":\"Books, in sampling periods\",\"entries\":[", w->out);
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		fprintf(w->out, "%s{\"label\":\"%s\",\"format\":\"integer\",\"value\":%" PRIu64 "}",
			i ? "," : "", entries[i].name, entries[i].value);
	fputs("]}],\n", w->out);
}

/* Write a weight in milliseconds; a period of unknown length counts as one. */
static void write_ms(struct writer *w, const char *before, uint64_t weight)
{
	if (w->profile->meta.period_ns)
		fprintf(w->out, "%s%" PRIu64 ".%06" PRIu64, before,
			weight / 1000000, weight % 1000000);
	else
		fprintf(w->out, "%s%" PRIu64, before, weight);
}

static int write_meta(struct writer *w)
{
	const struct profile_meta *meta = &w->profile->meta;
	char *release = json_text(meta->release);
	char *host = json_text(*meta->host ? meta->host : "kernel");

	if (release && host) {
		fputs("\"meta\":{\"version\":24,\"preprocessedProfileVersion\":60,\n", w->out);
		write_ms(w, "\"interval\":", meta->period_ns ?: 1);
		fprintf(w->out, ",\"startTime\":%" PRId64 ",\"processType\":0,\n",
			meta->time_ns / 1000000);
		fprintf(w->out, "\"product\":%s,\"oscpu\":%s,\"importedFrom\":\"flamectl %s\",\n",
			host, release, FLAMECTL_VERSION);
		fprintf(w->out, "\"logicalCPUs\":%" PRIu32 ",\"stackwalk\":1,\"symbolicated\":true,\"symbolicationNotSupported\":true,\n",
			w->profile->nr_cpus);
		fputs("\"keepProfileThreadOrder\":true,\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,\n", w->out);
		write_books(w);
		write_categories(w);
		fputs("\"markerSchema\":[]},\n\"libs\":[],\n", w->out);
	}
	free(host);
	if (!release)
		return -ENOMEM;
	free(release);
	return export_failed(w->out);
}

static uint32_t stack_of(const struct writer *w,
			 const struct profile_record *record)
{
	return record->node ? w->stacks[record->context][record->node] :
			      w->first_bare + record->context;
}

static void write_samples(struct writer *w, const struct export_group *group)
{
	const char *comma = "";
	uint32_t i, nr = group->nr;

	fputs("\"samples\":{\"stack\":[", w->out);
	for (i = 0; i < group->nr; i++) {
		fprintf(w->out, "%s%" PRIu32, comma,
			stack_of(w, &w->profile->records[w->groups.records[
				 group->first + i]]));
		comma = ",";
	}
	for (i = 0; group->lost && i < __FLAMEMOD_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		fprintf(w->out, "%s%" PRIu32, comma, w->first_lost + i);
		comma = ",";
		nr++;
	}
	fprintf(w->out, "],\n\"length\":%" PRIu32 ",\"weightType\":\"%s\",\n",
		nr, w->profile->meta.period_ns ? "tracing-ms" :
		!strcmp(profile_unit(&w->profile->meta), "bytes") ? "bytes" : "samples");
}

/* Write weights, or times as if each sample started where the last ended. */
static void write_column(struct writer *w, const struct export_group *group,
			 const char *name, bool times)
{
	uint64_t weight, now = 0;
	const char *comma = "";
	uint32_t i;

	fprintf(w->out, "\"%s\":[", name);
	for (i = 0; i < group->nr; i++) {
		weight = export_weight(w->profile, w->profile->records[
				w->groups.records[group->first + i]].periods);
		write_ms(w, comma, times ? now : weight);
		now += weight;
		comma = ",";
	}
	for (i = 0; group->lost && i < __FLAMEMOD_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		weight = export_weight(w->profile, group->lost->lost[i]);
		write_ms(w, comma, times ? now : weight);
		now += weight;
		comma = ",";
	}
	fputc(']', w->out);
}

static int write_thread(struct writer *w, const struct fold_options *fold,
			const struct export_group *group)
{
	bool is_task = fold->nr_by && fold->by[0] == FOLD_TID && group->nr;
	const struct profile_task *task = NULL;
	char *name = json_text(group->name);

	if (!name)
		return -ENOMEM;
	if (is_task)
		task = &w->profile->tasks[group->task];
	fprintf(w->out, "{\"name\":%s,\"processName\":%s,\"pid\":\"%" PRIu32 "\",\"tid\":%" PRIu32 ",\"isMainThread\":%s,\n",
		name, name, task ? task->pid : 0, task ? task->tid : group->cpu,
		!task || task->pid == task->tid ? "true" : "false");
	free(name);
	fputs("\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\n",
	      w->out);
	fputs("\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0},\n",
	      w->out);
	write_samples(w, group);
	write_column(w, group, "weight", false);
	fputs(",\n", w->out);
	write_column(w, group, "time", true);
	fputs("}}", w->out);
	return export_failed(w->out);
}

static int write_all(struct writer *w, const struct fold_options *fold)
{
	uint32_t i;
	int err;

	fputs("{", w->out);
	err = write_meta(w) ?: write_shared(w);
	fputs("\"threads\":[", w->out);
	for (i = 0; i < w->groups.nr && !err; i++) {
		fputs(i ? ",\n" : "", w->out);
		err = write_thread(w, fold, &w->groups.groups[i]);
	}
	fputs("]}\n", w->out);
	return err ?: export_failed(w->out);
}

int export_firefox(const struct profile *profile,
		   const struct fold_options *fold, FILE *out,
		   struct error *error)
{
	struct writer w = { .profile = profile, .out = out };
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
