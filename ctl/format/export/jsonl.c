// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile as lines of JSON, for jq and for programs that do not keep a
 * whole profile in memory:
 *
 *   {"type":"header", ...}	as flamectl status --json prints it
 *   {"type":"file","file":0,"path":,"build_id":}	each program and library
 *   {"type":"record","stack":[root, ..., leaf],"files":[0, 1, null, ...],"pid":,"tid":,
 *    "comm":,"cpu":,"context":,"count":,"periods":,"late_us":,"host":}
 *   {"type":"lost","cpu":,"reason":,"periods":}
 *
 * The periods of records and losses sum to the books in the header. A record
 * without frames has an empty stack; its context says what was running. The first frames
 * of a stack are those of user mode: "files" has one element for each, null where the
 * file is not known, and is left out if there are none.
 */
#include "format/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "format/status_json.h"

struct writer {
	const struct profile *profile;
	FILE *out;
	uint32_t *path;
};

/* Return the number of frames from the root to the last one of user mode. */
static uint32_t nr_user_frames(const struct writer *w, uint32_t depth)
{
	uint32_t nr = depth;

	/* the path is from the leaf to the root */
	while (nr && w->profile->frames[w->path[depth - nr]].kind != FLAMEMOD_FRAME_USER)
		nr--;
	return nr;
}

/* Write the files of the user half of the stack of @depth frames that is in w->path. */
static void write_stack_files(struct writer *w, struct json *json, uint32_t depth)
{
	uint32_t nr = nr_user_frames(w, depth);

	if (!nr)
		return;
	json_open_array(json, "files");
	for (uint32_t i = 1; i <= nr; i++) {
		const struct profile_frame *frame =
			&w->profile->frames[w->path[depth - i]];

		if (frame->object)
			json_count(json, NULL, frame->object - 1);
		else
			json_nothing(json, NULL);
	}
	json_close(json);
}

static void write_stack(struct writer *w, struct json *json, uint32_t node)
{
	const struct profile_node *nodes = w->profile->nodes;
	uint32_t depth = 0;

	for (; node; node = nodes[node].parent)
		w->path[depth++] = nodes[node].frame;
	json_open_array(json, "stack");
	for (uint32_t i = depth; i--;)
		json_text(json, NULL, w->profile->frames[w->path[i]].name);
	json_close(json);
	write_stack_files(w, json, depth);
}

static void write_record(struct writer *w, const struct profile_record *record)
{
	const struct profile_task *task = &w->profile->tasks[record->task];
	struct json json = { .out = w->out };

	json_open_object(&json, NULL);
	json_text(&json, "type", "record");
	write_stack(w, &json, record->node);
	json_count(&json, "pid", task->pid);
	json_count(&json, "tid", task->tid);
	json_text(&json, "comm", task->comm);
	if (*task->cgroup)
		json_text(&json, "cgroup", task->cgroup);
	json_count(&json, "cpu", record->cpu);
	json_text(&json, "context", profile_context_name(record->context));
	json_count(&json, "count", record->count);
	json_count(&json, "periods", record->periods);
	json_count(&json, "late_us", record->late_us);
	json_text(&json, "host", profile_host(w->profile, task));
	json_close(&json);
	json_end(&json);
}

static void write_files(struct writer *w)
{
	for (uint32_t i = 0; i < w->profile->nr_objects; i++) {
		const struct profile_object *object = &w->profile->objects[i];
		struct json json = { .out = w->out };

		json_open_object(&json, NULL);
		json_text(&json, "type", "file");
		json_count(&json, "file", i);
		json_text(&json, "path", object->path);
		json_text(&json, "build_id", object->build_id);
		json_close(&json);
		json_end(&json);
	}
}

static void write_lost(struct writer *w, const struct profile_cpu *cpu)
{
	struct json json = { .out = w->out };

	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!cpu->books.lost[i])
			continue;
		json_open_object(&json, NULL);
		json_text(&json, "type", "lost");
		json_count(&json, "cpu", cpu->cpu);
		json_text(&json, "reason", profile_lost_name(i));
		json_count(&json, "periods", cpu->books.lost[i]);
		json_close(&json);
		json_end(&json);
	}
}

static int write_all(struct writer *w)
{
	const struct profile *profile = w->profile;

	status_json_write_line(profile, "header", w->out);
	write_files(w);
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		if (export_failed(w->out))
			break;
		write_record(w, &profile->records[i]);
	}
	for (uint32_t i = 0; i < profile->nr_cpus; i++)
		write_lost(w, &profile->cpus[i]);
	return export_failed(w->out);
}

int export_jsonl(const struct profile *profile,
		 const struct fold_options *fold, FILE *out,
		 struct error *error)
{
	struct writer w = {
		.profile = profile, .out = out,
		.path = calloc((size_t)profile->nr_nodes + 1, sizeof(*w.path)),
	};
	int err;

	(void)fold;
	err = w.path ? write_all(&w) : -ENOMEM;
	free(w.path);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
