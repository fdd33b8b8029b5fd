// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile as speedscope's own JSON: "sampled" profiles, whose samples
 * are arrays of indices into one list of frames, root first. The fields are
 * those of speedscope 1.25's file-format-schema.json.
 */
#include "format/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

struct writer {
	const struct profile *profile;
	const struct fold_options *fold;
	struct export_groups groups;
	struct profile *comms;		/* comms, interned as frames */
	uint32_t *comm_of;		/* by task */
	uint32_t *path;
	struct json json;
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
	return lost_place(w, PROFILE_LOST_MAX) + w->comm_of[task];
}

/* @object: the program or library, or NULL */
static void write_frame(struct writer *w, const char *name,
			const struct profile_object *object)
{
	json_open_object(&w->json, NULL);
	json_text(&w->json, "name", *name ? name : "[unknown]");
	if (object)
		json_text(&w->json, "file", object->path);
	json_close(&w->json);
	json_line(&w->json);
}

static void write_frames(struct writer *w)
{
	const struct profile *profile = w->profile;
	char name[64];
	uint32_t i;

	json_open_array(&w->json, "frames");
	for (i = 0; i < profile->nr_frames; i++)
		write_frame(w, profile->frames[i].name, profile->frames[i].object ?
			    &profile->objects[profile->frames[i].object - 1] : NULL);
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++) {
		snprintf(name, sizeof(name), "[%s]", profile_context_name(i));
		write_frame(w, name, NULL);
	}
	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		write_frame(w, name, NULL);
	}
	for (i = 0; i < w->comms->nr_frames; i++)
		write_frame(w, w->comms->frames[i].name, NULL);
	json_close(&w->json);
}

static void write_stack(struct writer *w, const struct profile_record *record)
{
	const struct profile_node *nodes = w->profile->nodes;
	uint32_t node, depth = 0;

	json_open_array(&w->json, NULL);
	/* if grouped by thread, the comm is already in the group's name */
	if (!w->fold->nr_by || w->fold->by[0] != FOLD_TID)
		json_count(&w->json, NULL, comm_place(w, record->task));
	for (node = record->node; node; node = nodes[node].parent)
		w->path[depth++] = nodes[node].frame;
	if (!depth)
		w->path[depth++] = context_place(w, record->context);
	while (depth--)
		json_count(&w->json, NULL, w->path[depth]);
	json_close(&w->json);
	json_line(&w->json);
}

static void write_samples(struct writer *w, const struct export_group *group)
{
	uint32_t i;

	json_open_array(&w->json, "samples");
	for (i = group->first; i < group->first + group->nr; i++) {
		if (export_failed(w->json.out))
			break;
		write_stack(w, &w->profile->records[w->groups.records[i]]);
	}
	for (i = 0; group->lost && i < PROFILE_LOST_MAX; i++) {
		if (!group->lost->lost[i])
			continue;
		json_open_array(&w->json, NULL);
		json_count(&w->json, NULL, lost_place(w, i));
		json_close(&w->json);
		json_line(&w->json);
	}
	json_close(&w->json);
}

static void write_weights(struct writer *w, const struct export_group *group)
{
	uint32_t i;

	json_open_array(&w->json, "weights");
	for (i = group->first; i < group->first + group->nr; i++)
		json_count(&w->json, NULL,
			   export_weight(w->profile, w->profile->records[
					 w->groups.records[i]].periods));
	for (i = 0; group->lost && i < PROFILE_LOST_MAX; i++)
		if (group->lost->lost[i])
			json_count(&w->json, NULL,
				   export_weight(w->profile, group->lost->lost[i]));
	json_close(&w->json);
}

static void write_group(struct writer *w, const struct export_group *group)
{
	json_open_object(&w->json, NULL);
	json_text(&w->json, "type", "sampled");
	json_text(&w->json, "name", group->name);
	json_text(&w->json, "unit", w->profile->meta.period_ns ? "nanoseconds" :
		  !strcmp(profile_unit(&w->profile->meta), "bytes") ? "bytes" : "none");
	json_count(&w->json, "startValue", 0);
	json_count(&w->json, "endValue",
		   export_group_weight(w->profile, &w->groups, group));
	json_line(&w->json);
	write_samples(w, group);
	json_line(&w->json);
	write_weights(w, group);
	json_close(&w->json);
	json_line(&w->json);
}

/* Write "cache-misses on HOST", or what is known of it. */
static void write_name(struct writer *w)
{
	const struct profile_meta *meta = &w->profile->meta;
	const char *event = profile_event(meta);
	char text[PROFILE_EVENT_MAX + sizeof(meta->host) + 8];

	snprintf(text, sizeof(text), "%s%s%s", event,
		 *event && *meta->host ? " on " : "", meta->host);
	if (!*text)
		return;
	json_text(&w->json, "name", text);
	json_line(&w->json);
}

static int write_all(struct writer *w)
{
	struct json *json = &w->json;

	json_open_object(json, NULL);
	json_text(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_line(json);
	json_text(json, "exporter", "flamectl " FLAMECTL_VERSION);
	json_line(json);
	write_name(w);
	json_count(json, "activeProfileIndex", 0);
	json_line(json);
	json_open_object(json, "shared");
	write_frames(w);
	json_close(json);
	json_line(json);
	json_open_array(json, "profiles");
	for (uint32_t i = 0; i < w->groups.nr; i++)
		write_group(w, &w->groups.groups[i]);
	json_close(json);
	json_close(json);
	json_end(json);
	return export_failed(json->out);
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
	struct writer w = { .profile = profile, .fold = fold, .json = { .out = out } };
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
