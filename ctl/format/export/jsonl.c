// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile as lines of JSON, for jq and for programs that do not keep a
 * whole profile in memory:
 *
 *   {"type":"header", ...}	as flamectl status --json prints it
 *   {"type":"record","stack":[root, ..., leaf],"pid":,"tid":,"comm":,"cpu":,
 *    "context":,"count":,"periods":,"late_us":,"host":}
 *   {"type":"lost","cpu":,"reason":,"periods":}
 *
 * The periods of records and losses sum to the books in the header. A record
 * without frames has an empty stack; its context says what was running.
 */
#include "format/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "format/status_json.h"

struct writer {
	const struct profile *profile;
	FILE *out;
	char **frames;			/* as JSON; used by many records */
	char **comms, **hosts;		/* by task */
	uint32_t *path;
};

static void write_stack(struct writer *w, uint32_t node)
{
	const struct profile_node *nodes = w->profile->nodes;
	uint32_t depth = 0;

	for (; node; node = nodes[node].parent)
		w->path[depth++] = nodes[node].frame;
	fputs("\"stack\":[", w->out);
	while (depth--)
		fprintf(w->out, "%s%s", w->frames[w->path[depth]],
			depth ? "," : "");
	fputs("],", w->out);
}

static int write_record(struct writer *w, const struct profile_record *record)
{
	const struct profile_task *task = &w->profile->tasks[record->task];

	fputs("{\"type\":\"record\",", w->out);
	write_stack(w, record->node);
	fprintf(w->out, "\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"comm\":%s,\"cpu\":%" PRIu32
		",\"context\":\"%s\",\"count\":%" PRIu64 ",\"periods\":%" PRIu64
		",\"late_us\":%" PRIu64 ",\"host\":%s}\n", task->pid, task->tid,
		w->comms[record->task], record->cpu,
		profile_context_name(record->context), record->count,
		record->periods, record->late_us, w->hosts[record->task]);
	return export_failed(w->out);
}

static int write_lost(struct writer *w, const struct profile_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		if (cpu->books.lost[i])
			fprintf(w->out, "{\"type\":\"lost\",\"cpu\":%" PRIu32
				",\"reason\":\"%s\",\"periods\":%" PRIu64 "}\n",
				cpu->cpu, profile_lost_name(i),
				cpu->books.lost[i]);
	return export_failed(w->out);
}

static int write_all(struct writer *w)
{
	const struct profile *profile = w->profile;
	uint32_t i;
	int err;

	err = status_json_write_line(profile, "header", w->out);
	for (i = 0; i < profile->nr_records && !err; i++)
		err = write_record(w, &profile->records[i]);
	for (i = 0; i < profile->nr_cpus && !err; i++)
		err = write_lost(w, &profile->cpus[i]);
	return err;
}

static int writer_init(struct writer *w, const struct profile *profile,
		       FILE *out)
{
	uint32_t i;

	w->profile = profile;
	w->out = out;
	w->frames = calloc((size_t)profile->nr_frames + 1, sizeof(*w->frames));
	w->comms = calloc((size_t)profile->nr_tasks + 1, sizeof(*w->comms));
	w->hosts = calloc((size_t)profile->nr_tasks + 1, sizeof(*w->hosts));
	w->path = calloc((size_t)profile->nr_nodes + 1, sizeof(*w->path));
	if (!w->frames || !w->comms || !w->hosts || !w->path)
		return -ENOMEM;
	for (i = 0; i < profile->nr_frames; i++) {
		w->frames[i] = json_text(profile->frames[i].name);
		if (!w->frames[i])
			return -ENOMEM;
	}
	for (i = 0; i < profile->nr_tasks; i++) {
		w->comms[i] = json_text(profile->tasks[i].comm);
		w->hosts[i] = json_text(profile_host(profile,
						     &profile->tasks[i]));
		if (!w->comms[i] || !w->hosts[i])
			return -ENOMEM;
	}
	return 0;
}

static void writer_deinit(struct writer *w)
{
	uint32_t i;

	for (i = 0; w->frames && i < w->profile->nr_frames; i++)
		free(w->frames[i]);
	for (i = 0; w->comms && i < w->profile->nr_tasks; i++)
		free(w->comms[i]);
	for (i = 0; w->hosts && i < w->profile->nr_tasks; i++)
		free(w->hosts[i]);
	free(w->frames);
	free(w->comms);
	free(w->hosts);
	free(w->path);
}

int export_jsonl(const struct profile *profile,
		 const struct fold_options *fold, FILE *out,
		 struct error *error)
{
	struct writer w = { 0 };
	int err;

	(void)fold;
	err = writer_init(&w, profile, out) ?: write_all(&w);
	writer_deinit(&w);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
