// SPDX-License-Identifier: GPL-2.0
/*
 * Writing a session and its books as JSON: see status_json.h.
 */
#include "format/status_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"

/* Open an object; if nothing is known of it, write null. Return: whether it is open. */
static bool open_known(struct json *json, const char *key, bool known)
{
	if (known)
		json_open_object(json, key);
	else
		json_nothing(json, key);
	return known;
}

static void put_lost(struct json *json, const struct profile_books *books)
{
	json_open_object(json, "lost");
	/* samples have no other reasons */
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		if (i != PROFILE_LOST_OTHER || books->lost[i])
			json_count(json, profile_lost_name(i), books->lost[i]);
	json_close(json);
}

/* Write the members of books to the object that is open. */
static void put_books(struct json *json, const struct profile_books *books)
{
	json_count(json, "expected", books->expected);
	json_count(json, "fires", books->fires);
	json_count(json, "missed", books->missed);
	json_signed(json, "overdue", books->overdue);
	json_count(json, "stored", books->stored);
	json_count(json, "filtered", books->filtered);
	put_lost(json, books);
	json_count(json, "truncated", books->truncated);
	json_count(json, "asleep", books->asleep);
	json_count(json, "late", books->late);
	json_count(json, "stolen", books->stolen);
}

static void put_cpus(struct json *json, const struct profile *profile)
{
	json_open_array(json, "cpus");
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		const struct profile_cpu *cpu = &profile->cpus[i];

		json_open_object(json, NULL);
		put_books(json, &cpu->books);
		json_count(json, "cpu", cpu->cpu);
		json_bool(json, "sampling", cpu->sampling);
		json_count(json, "sampled_ns", cpu->sampled_ns);
		json_close(json);
	}
	json_close(json);
}

static void put_settings(struct json *json,
			 const struct profile_settings *settings)
{
	json_open_object(json, "settings");
	json_count(json, "hz", settings->hz);
	json_count(json, "max_depth", settings->max_depth);
	json_bool(json, "exclude_idle", settings->exclude_idle);
	json_bool(json, "kernel_only", settings->kernel_only);
	json_open_array(json, "pids");
	for (unsigned int i = 0; i < settings->nr_pids; i++)
		json_count(json, NULL, settings->pids[i]);
	json_close(json);
	json_text(json, "cpus", settings->cpus);
	json_bool(json, "followed_only", settings->followed_only);
	json_bool(json, "user_stacks", settings->user_stacks);
	json_bool(json, "user_places", settings->user_places);
	json_close(json);
}

static void put_stacks(struct json *json, const struct profile_stacks *stacks)
{
	if (!open_known(json, "stacks", stacks->known))
		return;
	json_count(json, "learned", stacks->learned);
	json_count(json, "unwound", stacks->unwound);
	json_count(json, "steps", stacks->steps);
	json_count(json, "verified", stacks->verified);
	json_count(json, "differences", stacks->differences);
	json_close(json);
}

static void put_user_stacks(struct json *json, const struct profile_user_stacks *user)
{
	if (!open_known(json, "user_stacks", user->known))
		return;
	for (unsigned int i = 0; i < PROFILE_SAMPLE_SIDES; i++)
		json_count(json, profile_user_side_name(i), user->sides[i]);
	json_count(json, "files", user->files);
	json_count(json, "rows_bytes", user->rows_bytes);
	json_count(json, "rows_limit_bytes", user->rows_limit_bytes);
	json_close(json);
}

static void put_kept(struct json *json, const struct profile_kept *kept)
{
	if (!open_known(json, "kept", kept->known))
		return;
	json_count(json, "readers", kept->readers);
	json_count(json, "epochs", kept->epochs);
	json_count(json, "bytes", kept->bytes);
	json_count(json, "expired", kept->expired);
	json_count(json, "reclaimed", kept->reclaimed);
	json_close(json);
}

static void put_irqs_off(struct json *json, enum profile_irqs_off irqs_off)
{
	if (irqs_off == PROFILE_IRQS_OFF_UNKNOWN)
		json_nothing(json, "irqs_off_marked");
	else
		json_bool(json, "irqs_off_marked",
			  irqs_off == PROFILE_IRQS_OFF_MARKED);
}

static void put_pauses(struct json *json, const struct profile_pauses *pauses)
{
	if (!open_known(json, "pauses", pauses->nr_callbacks))
		return;
	json_open_array(json, "callbacks");
	for (uint32_t i = 0; i < pauses->nr_callbacks; i++)
		json_count(json, NULL, pauses->callbacks[i]);
	json_close(json);
	json_count(json, "callback_ns_max", pauses->callback_ns_max);
	json_count(json, "swap_ns_max", pauses->swap_ns_max);
	json_count(json, "forget_ns_max", pauses->forget_ns_max);
	json_close(json);
}

static void put_origin(struct json *json, const struct profile_origin *origin)
{
	json_open_object(json, "origin");
	json_text(json, "command", origin->command);
	json_text(json, "cmdline", origin->cmdline);
	json_text(json, "cpu_model", origin->cpu_model);
	json_text(json, "arch", origin->arch);
	json_count(json, "nr_cpus", origin->nr_cpus);
	json_count(json, "memory_bytes", origin->memory_bytes);
	json_count(json, "cpu_kb", origin->cpu_kb);
	json_count(json, "aggregate_kb", origin->aggregate_kb);
	json_close(json);
}

/* Write whether the kernel has a steal clock, null if that is not known; and stalls. */
static void put_steal(struct json *json, const struct profile_meta *meta)
{
	const struct profile_stalls *stalls = &meta->stalls;

	if (meta->steal)
		json_bool(json, "steal_clock", meta->steal == PROFILE_STEAL_CLOCK);
	else
		json_nothing(json, "steal_clock");
	json_count(json, "nr_stalls", stalls->nr);
	json_open_array(json, "stalls");
	for (unsigned int i = 0; i < stalls->nr_listed; i++) {
		json_open_object(json, NULL);
		json_count(json, "cpu", stalls->list[i].cpu);
		json_count(json, "from_ns", stalls->list[i].from_ns);
		json_count(json, "ns", stalls->list[i].ns);
		json_close(json);
	}
	json_close(json);
}

/* Write "1/8"; null if all hours count once. */
static void put_share(struct json *json, const char *key, uint64_t hours)
{
	char text[24];

	snprintf(text, sizeof(text), "1/%" PRIu64, hours);
	if (hours > 1)
		json_text(json, key, text);
	else
		json_nothing(json, key);
}

/* Write why the figures are estimates; null if they are not. */
static void put_estimate(struct json *json, const struct profile_meta *meta)
{
	if (!open_known(json, "estimate", meta->threshold || meta->weighted > 1))
		return;
	json_count(json, "threshold", meta->threshold);
	put_share(json, "weighted", meta->weighted);
	json_close(json);
}

static void put_meta(struct json *json, const struct profile_meta *meta)
{
	json_count(json, "epoch", meta->epoch);
	json_text(json, "unit", profile_unit(meta));
	json_text(json, "event", *meta->event ? meta->event : profile_event(meta));
	json_count(json, "period_ns", meta->period_ns);
	json_count(json, "resolution_ns", meta->resolution_ns);
	json_count(json, "since_ns", meta->since_ns);
	json_count(json, "instant_ns", meta->instant_ns);
	json_signed(json, "time_ns", meta->time_ns);
	json_count(json, "duration_ns", meta->duration_ns);
	json_count(json, "memory_bytes", meta->memory_bytes);
	json_count(json, "memory_limit_bytes", meta->memory_limit_bytes);
	put_share(json, "inclusion", meta->inclusion);
	put_estimate(json, meta);
	put_kept(json, &meta->kept);
	put_stacks(json, &meta->stacks);
	put_user_stacks(json, &meta->user_stacks);
	put_pauses(json, &meta->pauses);
	put_steal(json, meta);
	json_text(json, "module_version", meta->module_version);
	json_text(json, "release", meta->release);
	json_text(json, "host", meta->host);
	put_origin(json, &meta->origin);
}

static void put_event_lost(struct json *json, const uint64_t *lost)
{
	json_open_object(json, "lost");
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		json_count(json, profile_event_lost_name(i), lost[i]);
	json_close(json);
}

/* Write how many hits there were by powers of two of their weights, with their sum. */
static void put_powers(struct json *json, const struct profile_intervals *intervals)
{
	unsigned int first, end;

	if (!intervals_range(intervals, &first, &end))
		return;
	json_open_array(json, "powers");
	for (unsigned int i = first; i < end; i++) {
		json_open_object(json, NULL);
		json_count(json, "from", i ? 1ULL << i : 0);
		json_count(json, "hits", intervals->powers[i]);
		json_close(json);
	}
	json_close(json);
}

/* Write the number of an event's intervals; null if the profile is of no such event. */
static void put_intervals(struct json *json, const struct profile_intervals *intervals)
{
	if (!open_known(json, "intervals", intervals->known))
		return;
	json_count(json, "seen", intervals->seen);
	json_count(json, "below", intervals->below);
	json_count(json, "below_ns", intervals->below_ns);
	json_count(json, "min_ns", intervals->min_ns);
	json_bool(json, "tells_waiting", !intervals->no_waiting);
	json_bool(json, "of_hits", intervals->of_hits);
	put_event_lost(json, intervals->lost);
	put_powers(json, intervals);
	json_close(json);
}

static void put_tally(struct json *json, const char *key, const struct profile_tally *tally)
{
	json_open_object(json, key);
	json_count(json, "seen", tally->seen);
	json_count(json, "stored", tally->stored);
	json_count(json, "filtered", tally->filtered);
	json_count(json, "below", tally->below);
	put_event_lost(json, tally->lost);
	json_close(json);
}

/* Write what became of an event's user stacks; null if they are not taken. */
static void put_attached_sides(struct json *json, const struct profile_attached *attached)
{
	if (!open_known(json, "user_stacks", attached->user_stacks))
		return;
	for (unsigned int i = 0; i < __FLAMEMOD_USER_MAX; i++)
		json_count(json, profile_user_side_name(i), attached->sides[i]);
	json_close(json);
}

/* Write the events that one client has attached. */
static void put_attached(struct json *json, const struct profile_meta *meta)
{
	const struct profile_attached *attached = meta->attached;

	for (unsigned int i = 0; i < ATTACHED_MAX; i++) {
		if (!attached[i].known)
			continue;
		json_open_object(json, NULL);
		json_text(json, "event", attached[i].name);
		json_text(json, "unit", intervals_unit(&attached[i]));
		json_count(json, "pid", clients_pid(meta));
		json_count(json, "since_ns", attached[i].since_ns);
		json_count(json, "min_ns", attached[i].min_ns);
		json_bool(json, "followed", attached[i].followed);
		json_bool(json, "broken", attached[i].broken);
		json_count(json, "suspended_ns", attached[i].suspended_ns);
		put_attached_sides(json, &attached[i]);
		put_tally(json, "hits", &attached[i].hits);
		put_tally(json, i < FLAMEMOD_SOURCE_FIRST ? "ns" : "weight", &attached[i].weight);
		json_close(json);
	}
}

/* Write the events that are attached to the module. */
static void put_all_attached(struct json *json, const struct profile_meta *meta,
			     const struct clients *others)
{
	json_open_array(json, "attached");
	put_attached(json, meta);
	for (unsigned int i = 0; i < others->nr; i++)
		put_attached(json, &others->list[i]->meta);
	json_close(json);
}

/* Write the members of a status to the object that is open. */
static void put_status(struct json *json, const struct profile *profile,
		       const struct clients *others)
{
	const struct profile_meta *meta = &profile->meta;

	json_count(json, "hz", meta->settings.hz);
	json_bool(json, "running", meta->state == FLAMEMOD_STATE_RUNNING);
	json_text(json, "state", profile_state_name(meta->state));
	json_bool(json, "live", others != NULL);
	json_count(json, "followed", meta->followed);
	json_text(json, "isolated", meta->isolated);
	json_count(json, "nr_isolated", meta->nr_isolated);
	put_irqs_off(json, meta->irqs_off);
	put_meta(json, meta);
	put_settings(json, &meta->settings);
	json_open_object(json, "books");
	put_books(json, &profile->books);
	json_close(json);
	put_cpus(json, profile);
	put_intervals(json, &meta->intervals);
	if (others)
		put_all_attached(json, meta, others);
}

static void put_events(struct json *json, const struct events *events)
{
	json_open_array(json, "events");
	for (unsigned int i = 0; i < events->nr; i++) {
		const struct event *event = &events->list[i];
		const struct profile *profile = event->profile;

		json_open_object(json, NULL);
		json_text(json, "name", event->name);
		json_text(json, "unit", profile_unit(&profile->meta));
		json_count(json, "stored", profile->books.stored);
		json_close(json);
	}
	json_close(json);
}

void status_json_write(const struct events *events, const struct clients *others,
		       FILE *out)
{
	struct json json = { .out = out, .style = JSON_SPACED };

	json_open_object(&json, NULL);
	put_status(&json, events->list[0].profile, others);
	if (events->nr > 1)
		put_events(&json, events);
	json_close(&json);
	json_end(&json);
}

void status_json_write_line(const struct profile *profile, const char *type,
			    FILE *out)
{
	struct json json = { .out = out };

	json_open_object(&json, NULL);
	put_status(&json, profile, NULL);
	json_text(&json, "type", type);
	json_close(&json);
	json_end(&json);
}
