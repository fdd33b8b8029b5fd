// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile as speedscope's own JSON: "sampled" profiles, whose samples
 * are arrays of indices into one list of frames, root first. The fields are
 * those of speedscope 1.25's file-format-schema.json.
 */
#include "format/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"

struct writer {
	const struct profile *profile;
	const struct fold_options *fold;
	struct export_groups groups;
	struct profile *comms;		/* comms, interned as frames */
	uint32_t *comm_of;		/* by task */
	uint32_t *path;
	FILE *out;
};

/* Indices into the list of frames: frames, contexts, losses, then comms. */
static uint32_t context_place(const struct writer *w, unsigned int context)
{
	return w->profile->nr_frames + context;
}

static uint32_t lost_place(const struct writer *w, unsigned int reason)
{
	return context_place(w, __FLAMEMOD_CONTEXT_MAX) + reason;
}

static uint32_t comm_place(const struct writer *w, uint32_t task)
{
	return lost_place(w, __FLAMEMOD_LOST_MAX) + w->comm_of[task];
}

static int write_frame(struct writer *w, bool first, const char *name)
{
	char *text = json_text(*name ? name : "[unknown]");

	if (!text)
		return -ENOMEM;
	fprintf(w->out, "%s{\"name\":%s}", first ? "" : ",\n", text);
	free(text);
	return export_failed(w->out);
}

static int write_frames(struct writer *w)
{
	const struct profile *profile = w->profile;
	char name[64];
	uint32_t i;
	int err = 0;

	for (i = 0; i < profile->nr_frames && !err; i++)
		err = write_frame(w, !i, profile->frames[i].name);
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX && !err; i++) {
		snprintf(name, sizeof(name), "[%s]", profile_context_name(i));
		err = write_frame(w, !i && !profile->nr_frames, name);
	}
	for (i = 0; i < __FLAMEMOD_LOST_MAX && !err; i++) {
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		err = write_frame(w, false, name);
	}
	for (i = 0; i < w->comms->nr_frames && !err; i++)
		err = write_frame(w, false, w->comms->frames[i].name);
	return err;
}

static void write_stack(struct writer *w, const struct profile_record *record)
{
	const struct profile_node *nodes = w->profile->nodes;
	const char *comma = "";
	uint32_t node, depth = 0;

	fputc('[', w->out);
	/* if grouped by thread, the comm is already in the group's name */
	if (!w->fold->nr_by || w->fold->by[0] != FOLD_TID) {
		fprintf(w->out, "%" PRIu32, comm_place(w, record->task));
		comma = ",";
	}
	for (node = record->node; node; node = nodes[node].parent)
		w->path[depth++] = nodes[node].frame;
	if (!depth)
		w->path[depth++] = context_place(w, record->context);
	while (depth--) {
		fprintf(w->out, "%s%" PRIu32, comma, w->path[depth]);
		comma = ",";
	}
	fputc(']', w->out);
}

static int write_samples(struct writer *w, const struct export_group *group)
{
	const char *separator = "";
	uint32_t i;

	fputs("\"samples\":[", w->out);
	for (i = group->first; i < group->first + group->nr; i++) {
		fputs(separator, w->out);
		write_stack(w, &w->profile->records[w->groups.records[i]]);
		separator = ",\n";
		if (export_failed(w->out))
			return export_failed(w->out);
	}
	for (i = 0; group->lost && i < __FLAMEMOD_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		fprintf(w->out, "%s[%" PRIu32 "]", separator, lost_place(w, i));
		separator = ",\n";
	}
	fputs("],\n", w->out);
	return export_failed(w->out);
}

static int write_weights(struct writer *w, const struct export_group *group)
{
	const char *comma = "";
	uint32_t i;

	fputs("\"weights\":[", w->out);
	for (i = group->first; i < group->first + group->nr; i++) {
		fprintf(w->out, "%s%" PRIu64, comma,
			export_weight(w->profile, w->profile->records[
				      w->groups.records[i]].periods));
		comma = ",";
	}
	for (i = 0; group->lost && i < __FLAMEMOD_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		fprintf(w->out, "%s%" PRIu64, comma,
			export_weight(w->profile, group->lost->lost[i]));
		comma = ",";
	}
	fputs("]}", w->out);
	return export_failed(w->out);
}

static int write_group(struct writer *w, const struct export_group *group)
{
	char *name = json_text(group->name);

	if (!name)
		return -ENOMEM;
	fprintf(w->out, "{\"type\":\"sampled\",\"name\":%s,\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64 ",\n",
		name, w->profile->meta.period_ns ? "nanoseconds" :
		!strcmp(profile_unit(&w->profile->meta), "bytes") ? "bytes" : "none",
		export_group_weight(w->profile, &w->groups, group));
	free(name);
	return write_samples(w, group) ?: write_weights(w, group);
}

/* "cache-misses on HOST", or what is known of it. Return: to be freed, or NULL. */
static char *make_name(const struct profile_meta *meta)
{
	const char *event = profile_event(meta);
	char text[PROFILE_EVENT_MAX + sizeof(meta->host) + 8];

	snprintf(text, sizeof(text), "%s%s%s", event,
		 *event && *meta->host ? " on " : "", meta->host);
	return json_text(text);
}

static int write_all(struct writer *w)
{
	const struct profile_meta *meta = &w->profile->meta;
	char *name = make_name(meta);
	uint32_t i;
	int err;

	if (!name)
		return -ENOMEM;
	fprintf(w->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"flamectl %s\",\n",
		FLAMECTL_VERSION);
	if (*meta->host || *profile_event(meta))
		fprintf(w->out, "\"name\":%s,\n", name);
	free(name);
	fputs("\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[", w->out);
	err = write_frames(w);
	fputs("]},\n\"profiles\":[", w->out);
	for (i = 0; i < w->groups.nr && !err; i++) {
		fputs(i ? ",\n" : "", w->out);
		err = write_group(w, &w->groups.groups[i]);
	}
	fputs("]}\n", w->out);
	return err ?: export_failed(w->out);
}

/* Intern the comms, as many tasks share one. */
static int intern_comms(struct writer *w)
{
	const struct profile *profile = w->profile;
	uint32_t i;
	int err = 0;

	for (i = 0; i < profile->nr_tasks && !err; i++)
		err = profile_add_frame(w->comms, profile->tasks[i].comm,
					FLAMEMOD_FRAME_MARK, &w->comm_of[i]);
	return err;
}

int export_speedscope(const struct profile *profile,
		      const struct fold_options *fold, FILE *out,
		      struct error *error)
{
	struct writer w = { .profile = profile, .fold = fold, .out = out };
	int err = export_check(profile, error);

	if (err)
		return err;
	w.comms = profile_create();
	w.comm_of = calloc((size_t)profile->nr_tasks + 1, sizeof(*w.comm_of));
	w.path = calloc((size_t)profile->nr_nodes + 1, sizeof(*w.path));
	err = export_groups_init(&w.groups, profile, fold);
	if (!w.comms || !w.comm_of || !w.path)
		err = -ENOMEM;
	err = err ?: intern_comms(&w) ?: write_all(&w);
	export_groups_deinit(&w.groups);
	profile_destroy(w.comms);
	free(w.comm_of);
	free(w.path);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
