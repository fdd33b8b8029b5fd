// SPDX-License-Identifier: GPL-2.0
/*
 * A session and its books as JSON: see status_json.h.
 */
#include "status_json.h"

#include <errno.h>
#include <stdlib.h>

#include <jansson.h>

#include "json_text.h"
#include "utf8.h"

/* JSON's integers are signed here. */
static json_t *number(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *text(const char *value)
{
	char *clean = utf8_clean(value, false);
	json_t *json = clean ? json_string(clean) : NULL;

	free(clean);
	return json;
}

/* The setters below take what they are given, NULL too, which they refuse. */
static json_t *lost_json(const struct profile_books *books)
{
	json_t *json = json_object();
	unsigned int i;
	int err = 0;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		err |= json_object_set_new(json, profile_lost_name(i),
					   number(books->lost[i]));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *books_json(const struct profile_books *books)
{
	json_t *json = json_object();
	int err;

	err = json_object_set_new(json, "expected", number(books->expected));
	err |= json_object_set_new(json, "fires", number(books->fires));
	err |= json_object_set_new(json, "missed", number(books->missed));
	err |= json_object_set_new(json, "stored", number(books->stored));
	err |= json_object_set_new(json, "filtered", number(books->filtered));
	err |= json_object_set_new(json, "lost", lost_json(books));
	err |= json_object_set_new(json, "truncated", number(books->truncated));
	err |= json_object_set_new(json, "asleep", number(books->asleep));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *cpus_json(const struct profile *profile)
{
	json_t *json = json_array(), *one;
	uint32_t i;
	int err = 0;

	for (i = 0; i < profile->nr_cpus && !err; i++) {
		const struct profile_cpu *cpu = &profile->cpus[i];

		one = books_json(&cpu->books);
		err = json_object_set_new(one, "cpu", number(cpu->cpu));
		err |= json_object_set_new(one, "sampling",
					   json_boolean(cpu->sampling));
		err |= json_object_set_new(one, "sampled_ns",
					   number(cpu->sampled_ns));
		err |= json_array_append_new(json, one);
	}
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *settings_json(const struct profile_settings *settings)
{
	json_t *json = json_object(), *pids = json_array();
	unsigned int i;
	int err = 0;

	for (i = 0; i < settings->nr_pids; i++)
		err |= json_array_append_new(pids, number(settings->pids[i]));
	err |= json_object_set_new(json, "hz", number(settings->hz));
	err |= json_object_set_new(json, "max_depth",
				   number(settings->max_depth));
	err |= json_object_set_new(json, "exclude_idle",
				   json_boolean(settings->exclude_idle));
	err |= json_object_set_new(json, "kernel_only",
				   json_boolean(settings->kernel_only));
	err |= json_object_set_new(json, "pids", pids);
	err |= json_object_set_new(json, "cpus", text(settings->cpus));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *stacks_json(const struct profile_stacks *stacks)
{
	json_t *json = json_object();
	int err;

	if (!stacks->known) {
		json_decref(json);
		return json_null();
	}
	err = json_object_set_new(json, "learned", number(stacks->learned));
	err |= json_object_set_new(json, "unwound", number(stacks->unwound));
	err |= json_object_set_new(json, "steps", number(stacks->steps));
	err |= json_object_set_new(json, "verified", number(stacks->verified));
	err |= json_object_set_new(json, "differences",
				   number(stacks->differences));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *pauses_json(const struct profile_pauses *pauses)
{
	json_t *json = json_object(), *callbacks = json_array();
	uint32_t i;
	int err = 0;

	if (!pauses->nr_callbacks) {
		json_decref(json);
		json_decref(callbacks);
		return json_null();
	}
	for (i = 0; i < pauses->nr_callbacks; i++)
		err |= json_array_append_new(callbacks,
					     number(pauses->callbacks[i]));
	err |= json_object_set_new(json, "callbacks", callbacks);
	err |= json_object_set_new(json, "callback_ns_max",
				   number(pauses->callback_ns_max));
	err |= json_object_set_new(json, "swap_ns_max",
				   number(pauses->swap_ns_max));
	err |= json_object_set_new(json, "forget_ns_max",
				   number(pauses->forget_ns_max));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static int add_meta(json_t *json, const struct profile_meta *meta)
{
	int err;

	err = json_object_set_new(json, "epoch", number(meta->epoch));
	err |= json_object_set_new(json, "period_ns", number(meta->period_ns));
	err |= json_object_set_new(json, "resolution_ns",
				   number(meta->resolution_ns));
	err |= json_object_set_new(json, "since_ns", number(meta->since_ns));
	err |= json_object_set_new(json, "instant_ns",
				   number(meta->instant_ns));
	err |= json_object_set_new(json, "time_ns",
				   json_integer(meta->time_ns));
	err |= json_object_set_new(json, "duration_ns",
				   number(meta->duration_ns));
	err |= json_object_set_new(json, "memory_bytes",
				   number(meta->memory_bytes));
	err |= json_object_set_new(json, "memory_limit_bytes",
				   number(meta->memory_limit_bytes));
	err |= json_object_set_new(json, "stacks", stacks_json(&meta->stacks));
	err |= json_object_set_new(json, "pauses", pauses_json(&meta->pauses));
	err |= json_object_set_new(json, "module_version",
				   text(meta->module_version));
	err |= json_object_set_new(json, "release", text(meta->release));
	err |= json_object_set_new(json, "host", text(meta->host));
	return err;
}

static json_t *status_json(const struct profile *profile, bool live)
{
	const struct profile_meta *meta = &profile->meta;
	json_t *json = json_object();
	int err;

	err = json_object_set_new(json, "hz", number(meta->settings.hz));
	err |= json_object_set_new(json, "running",
				   json_boolean(meta->state ==
						FLAMEMOD_STATE_RUNNING));
	err |= json_object_set_new(json, "state",
				   text(profile_state_name(meta->state)));
	err |= json_object_set_new(json, "live", json_boolean(live));
	err |= add_meta(json, meta);
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
