// SPDX-License-Identifier: GPL-2.0
/*
 * Writing a session and its books as JSON: see status_json.h.
 */
#include "format/status_json.h"

#include <errno.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/json_text.h"
#include "base/utf8.h"

/* JSON's integers are signed here, so larger values become INT64_MAX. */
static json_int_t number(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (json_int_t)value;
}

static json_t *text(const char *value)
{
	char *clean = utf8_clean(value, false);
	json_t *json = clean ? json_string(clean) : NULL;

	free(clean);
	return json;
}

/* NULL if out of memory, here and below; json_pack() passes it on. */
static json_t *lost_json(const struct profile_books *books)
{
	json_t *json = json_object();
	unsigned int i;
	int err = 0;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		err |= json_object_set_new(json, profile_lost_name(i),
					   json_integer(number(books->lost[i])));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *books_json(const struct profile_books *books)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I}",
			 "expected", number(books->expected),
			 "fires", number(books->fires),
			 "missed", number(books->missed),
			 "overdue", (json_int_t)books->overdue,
			 "stored", number(books->stored),
			 "filtered", number(books->filtered),
			 "lost", lost_json(books),
			 "truncated", number(books->truncated),
			 "asleep", number(books->asleep));
}

static json_t *cpus_json(const struct profile *profile)
{
	json_t *json = json_array(), *one;
	uint32_t i;
	int err = 0;

	for (i = 0; i < profile->nr_cpus && !err; i++) {
		const struct profile_cpu *cpu = &profile->cpus[i];

		one = books_json(&cpu->books);
		err = json_object_set_new(one, "cpu", json_integer(cpu->cpu));
		err |= json_object_set_new(one, "sampling",
					   json_boolean(cpu->sampling));
		err |= json_object_set_new(one, "sampled_ns",
					   json_integer(number(cpu->sampled_ns)));
		err |= json_array_append_new(json, one);
	}
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *pids_json(const struct profile_settings *settings)
{
	json_t *json = json_array();
	unsigned int i;
	int err = 0;

	for (i = 0; i < settings->nr_pids; i++)
		err |= json_array_append_new(json,
					     json_integer(settings->pids[i]));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *settings_json(const struct profile_settings *settings)
{
	return json_pack("{s:I, s:I, s:b, s:b, s:o, s:o, s:b}",
			 "hz", number(settings->hz),
			 "max_depth", number(settings->max_depth),
			 "exclude_idle", settings->exclude_idle,
			 "kernel_only", settings->kernel_only,
			 "pids", pids_json(settings),
			 "cpus", text(settings->cpus),
			 "followed_only", settings->followed_only);
}

static json_t *stacks_json(const struct profile_stacks *stacks)
{
	if (!stacks->known)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:I}",
			 "learned", number(stacks->learned),
			 "unwound", number(stacks->unwound),
			 "steps", number(stacks->steps),
			 "verified", number(stacks->verified),
			 "differences", number(stacks->differences));
}

static json_t *callbacks_json(const struct profile_pauses *pauses)
{
	json_t *json = json_array();
	uint32_t i;
	int err = 0;

	for (i = 0; i < pauses->nr_callbacks; i++)
		err |= json_array_append_new(json,
					     json_integer(number(pauses->callbacks[i])));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *pauses_json(const struct profile_pauses *pauses)
{
	if (!pauses->nr_callbacks)
		return json_null();
	return json_pack("{s:o, s:I, s:I, s:I}",
			 "callbacks", callbacks_json(pauses),
			 "callback_ns_max", number(pauses->callback_ns_max),
			 "swap_ns_max", number(pauses->swap_ns_max),
			 "forget_ns_max", number(pauses->forget_ns_max));
}

static json_t *origin_json(const struct profile_origin *origin)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I}",
			 "command", text(origin->command),
			 "cmdline", text(origin->cmdline),
			 "cpu_model", text(origin->cpu_model),
			 "arch", text(origin->arch),
			 "nr_cpus", number(origin->nr_cpus),
			 "memory_bytes", number(origin->memory_bytes),
			 "cpu_kb", number(origin->cpu_kb),
			 "aggregate_kb", number(origin->aggregate_kb));
}

static json_t *meta_json(const struct profile_meta *meta)
{
	return json_pack("{s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "epoch", number(meta->epoch),
			 "unit", text(profile_unit(meta)),
			 "event", text(meta->event),
			 "period_ns", number(meta->period_ns),
			 "resolution_ns", number(meta->resolution_ns),
			 "since_ns", number(meta->since_ns),
			 "instant_ns", number(meta->instant_ns),
			 "time_ns", (json_int_t)meta->time_ns,
			 "duration_ns", number(meta->duration_ns),
			 "memory_bytes", number(meta->memory_bytes),
			 "memory_limit_bytes", number(meta->memory_limit_bytes),
			 "stacks", stacks_json(&meta->stacks),
			 "pauses", pauses_json(&meta->pauses),
			 "module_version", text(meta->module_version),
			 "release", text(meta->release),
			 "host", text(meta->host),
			 "origin", origin_json(&meta->origin));
}

static json_t *status_json(const struct profile *profile, bool live)
{
	const struct profile_meta *meta = &profile->meta;
	json_t *json;
	int err;

	json = json_pack("{s:I, s:b, s:o, s:b, s:I}",
			 "hz", number(meta->settings.hz),
			 "running", meta->state == FLAMEMOD_STATE_RUNNING,
			 "state", text(profile_state_name(meta->state)),
			 "live", live,
			 "followed", number(meta->followed));
	err = json_object_update_new(json, meta_json(meta));
	err |= json_object_set_new(json, "settings",
				   settings_json(&meta->settings));
	err |= json_object_set_new(json, "books", books_json(&profile->books));
	err |= json_object_set_new(json, "cpus", cpus_json(profile));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static int dump(json_t *json, size_t flags, FILE *out)
{
	char *text = json_ascii(json, flags);
	int err;

	json_decref(json);
	if (!text)
		return -ENOMEM;
	errno = 0;
	err = fprintf(out, "%s\n", text) < 0;
	free(text);
	return err ? -(errno ?: EIO) : 0;
}

int status_json_write(const struct profile *profile, bool live, FILE *out)
{
	json_t *json = status_json(profile, live);

	return json ? dump(json, JSON_INDENT(2), out) : -ENOMEM;
}

static json_t *events_json(const struct events *events)
{
	json_t *json = json_array();
	int err = 0;

	for (unsigned int i = 0; i < events->nr; i++) {
		const struct event *event = &events->list[i];
		const struct profile *profile = event->profile;

		err |= json_array_append_new(json, json_pack("{s:o, s:o, s:I}",
				"name", text(event->name),
				"unit", text(profile_unit(&profile->meta)),
				"stored", number(profile->books.stored)));
	}
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

int status_json_write_events(const struct events *events, bool live, FILE *out)
{
	json_t *json = status_json(events->list[0].profile, live);

	if (json && events->nr > 1 &&
	    json_object_set_new(json, "events", events_json(events))) {
		json_decref(json);
		return -ENOMEM;
	}
	return json ? dump(json, JSON_INDENT(2), out) : -ENOMEM;
}

int status_json_write_line(const struct profile *profile, const char *type,
			   FILE *out)
{
	json_t *json = status_json(profile, false);

	if (json && json_object_set_new(json, "type", json_string(type))) {
		json_decref(json);
		return -ENOMEM;
	}
	return json ? dump(json, JSON_COMPACT, out) : -ENOMEM;
}
