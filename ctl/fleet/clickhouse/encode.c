// SPDX-License-Identifier: GPL-2.0
/*
 * Write windows for ClickHouse: the stacks that they have, then a row for each window.
 * A window whose row is there has all its stacks, whatever is interrupted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/intern.h"
#include "base/utf8.h"
#include "fleet/clickhouse/clickhouse.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/read_stacks.h"
#include "fleet/clickhouse/rowbinary.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/estimate_labels.h"
#include "fleet/folded_rows.h"
#include "fleet/id_set.h"
#include "profile/inclusion.h"
#include "profile/origin.h"

#define NSEC_PER_SEC	1000000000LL

/* Numbers of a window's cgroups have 16 bits, and start from 1. */
#define CGROUPS_MAX	UINT16_MAX

/* Where stacks of several windows go: each once, and none that the server has. */
struct stack_list {
	const struct id_set *known;
	struct rowbinary rows;
	struct id_set ids;
	uint16_t today;			/* days since 1970 */
};

static const struct profile_object *object_of(const struct profile *profile,
					      const struct profile_frame *frame)
{
	return frame->object ? &profile->objects[frame->object - 1] : NULL;
}

/* Write the columns of frames. @frames: @nr of them, the root first. */
static void put_frames(struct rowbinary *out, const struct profile *profile,
		       const struct profile_frame *const *frames, size_t nr)
{
	size_t placed = 0, i;

	for (i = 0; i < nr && !placed; i++)
		placed = frames[i]->object ? nr : 0;
	rowbinary_length(out, nr);
	for (i = 0; i < nr; i++)
		rowbinary_text(out, frames[i]->name);
	rowbinary_length(out, nr);
	for (i = 0; i < nr; i++)
		rowbinary_number(out, frames[i]->kind, 1);
	/* of a stack without any object, these are empty */
	rowbinary_length(out, placed);
	for (i = 0; i < placed; i++)
		rowbinary_text(out, frames[i]->object ? object_of(profile, frames[i])->path : "");
	rowbinary_length(out, placed);
	for (i = 0; i < placed; i++)
		rowbinary_text(out, frames[i]->object ?
			       object_of(profile, frames[i])->build_id : "");
	rowbinary_length(out, placed);
	for (i = 0; i < placed; i++)
		rowbinary_number(out, frames[i]->offset, 8);
}

static int put_stack(struct stack_list *stacks, const struct profile *profile,
		     uint32_t node, const uint8_t *id)
{
	const struct profile_frame **frames;
	size_t nr = 0;

	for (uint32_t at = node; at; at = profile->nodes[at].parent)
		nr++;
	frames = calloc(nr + 1, sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	for (size_t i = nr; i; node = profile->nodes[node].parent)
		frames[--i] = &profile->frames[profile->nodes[node].frame];
	rowbinary_bytes(&stacks->rows, id, STACK_ID_BYTES);
	put_frames(&stacks->rows, profile, frames, nr);
	rowbinary_number(&stacks->rows, stacks->today, 2);
	free(frames);
	return 0;
}

static int add_stack(struct stack_list *stacks, const struct profile *profile,
		     uint32_t node, const uint8_t *id)
{
	if (id_set_find(&stacks->ids, id) != MAP_NONE ||
	    id_set_find(stacks->known, id) != MAP_NONE)
		return 0;
	return id_set_add(&stacks->ids, id) ?: put_stack(stacks, profile, node, id);
}

static void stack_list_deinit(struct stack_list *stacks)
{
	free(stacks->rows.bytes);
	id_set_deinit(&stacks->ids);
}

/* ---- windows ---- */

#define PROFILES_COLUMNS \
	"host, boot_id, epoch, begin_ns, end_ns, time, time_ns," \
	" release, machine, version, labels, hz, period_ns, inclusion, duration_ns," \
	" sampled_ns, cpus, expected, fires, missed, stored, filtered, truncated, asleep," \
	" late, stolen, overdue, lost, sid, comm, context, periods, samples, late_us"

/* Those that not every window needs, so that tables of earlier versions take the others. */
struct extras {
	bool cgroups, events;
};

#define INSERT_TEXT	1024

static void write_insert(char text[INSERT_TEXT], struct extras extras)
{
	snprintf(text, INSERT_TEXT, "INSERT INTO profiles (" PROFILES_COLUMNS "%s%s) FORMAT RowBinary",
		 extras.cgroups ? ", cgroups, cgroup" : "",
		 extras.events ? ", event, unit, hits, powers, traits" : "");
}

static const char insert_stacks[] =
	"INSERT INTO stacks (sid, names, kinds, paths, build_ids, offsets, seen)"
	" FORMAT RowBinary";

static void put_identity(struct rowbinary *out, const struct profile_identity *identity)
{
	rowbinary_text(out, identity->host);
	rowbinary_text(out, identity->boot_id);
	rowbinary_number(out, identity->epoch, 4);
	rowbinary_number(out, identity->begin_ns, 8);
	rowbinary_number(out, identity->end_ns, 8);
	rowbinary_number(out, (uint64_t)(identity->time_ns / NSEC_PER_SEC), 4);
	rowbinary_number(out, (uint64_t)identity->time_ns, 8);
}

/*
 * The kernel's build has no column, so it is a label, unless the user gave one. That a
 * window is an estimate, or its host not always sampled, is one in any case:
 * clickhouse_read() looks for the former.
 */
static void put_labels(struct rowbinary *out, const struct labels *labels,
		       const struct profile_meta *meta)
{
	const char *build = meta->origin.build;
	char text[LABEL_NAME_MAX + LABEL_VALUE_MAX + 2];
	bool has_build = *build && utf8_valid(build) && !labels_get(labels, "build");
	struct estimate_labels own;
	unsigned int replaced = 0;

	estimate_labels(&own, meta);
	for (unsigned int i = 0; i < labels->nr; i++)
		replaced += estimate_labels_have(&own, labels->list[i].name);
	rowbinary_length(out, labels->nr - replaced + own.nr + has_build);
	for (unsigned int i = 0; i < own.nr; i++) {
		snprintf(text, sizeof(text), "%s=%s", own.list[i].name, own.list[i].value);
		rowbinary_text(out, text);
	}
	if (has_build) {
		snprintf(text, sizeof(text), "build=%s", build);
		rowbinary_text(out, text);
	}
	for (unsigned int i = 0; i < labels->nr; i++) {
		if (estimate_labels_have(&own, labels->list[i].name))
			continue;
		snprintf(text, sizeof(text), "%s=%s", labels->list[i].name,
			 labels->list[i].value);
		rowbinary_text(out, text);
	}
}

static void put_meta(struct rowbinary *out, const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	const double share = 1 / (double)inclusion_weight(meta);
	uint64_t inclusion;

	memcpy(&inclusion, &share, sizeof(inclusion));
	rowbinary_number(out, meta->settings.hz, 4);
	/* a weight that is no time counts as it is */
	rowbinary_number(out, meta->period_ns ?: 1, 8);
	rowbinary_number(out, inclusion, 8);
	rowbinary_number(out, meta->duration_ns, 8);
	rowbinary_number(out, profile_sampled_ns(profile), 8);
	rowbinary_number(out, origin_nr_cpus(profile), 4);
}

static void put_numbers(struct rowbinary *out, const uint64_t *numbers, size_t nr)
{
	rowbinary_length(out, nr);
	for (size_t i = 0; i < nr; i++)
		rowbinary_number(out, numbers[i], 8);
}

static void put_books(struct rowbinary *out, const struct profile_books *books)
{
	const uint64_t figures[] = {
		books->expected, books->fires, books->missed, books->stored,
		books->filtered, books->truncated, books->asleep, books->late,
		books->stolen, (uint64_t)books->overdue,
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		rowbinary_number(out, figures[i], 8);
	put_numbers(out, books->lost, books->lost[PROFILE_LOST_OTHER] ? PROFILE_LOST_MAX :
								__FLAMEMOD_LOST_MAX);
}

static void put_rows(struct rowbinary *out, const struct folded_rows *rows,
		     const struct stack_ids *ids)
{
	const struct folded_row *list = rows->list;
	size_t i;

	rowbinary_length(out, rows->nr);
	for (i = 0; i < rows->nr; i++)
		rowbinary_bytes(out, ids->hashes[list[i].node], STACK_ID_BYTES);
	rowbinary_length(out, rows->nr);
	for (i = 0; i < rows->nr; i++)
		rowbinary_text(out, list[i].comm);
	rowbinary_length(out, rows->nr);
	for (i = 0; i < rows->nr; i++)
		rowbinary_number(out, list[i].context, 1);
	rowbinary_length(out, rows->nr);
	for (i = 0; i < rows->nr; i++)
		rowbinary_number(out, list[i].periods, 8);
	rowbinary_length(out, rows->nr);
	for (i = 0; i < rows->nr; i++)
		rowbinary_number(out, list[i].count, 8);
	rowbinary_length(out, rows->nr);
	for (i = 0; i < rows->nr; i++)
		rowbinary_number(out, list[i].late_us, 8);
}

/*
 * Write the cgroups that rows have, each once, and for each row which one it is, from 1 on.
 */
static int put_cgroups(struct rowbinary *out, const struct folded_rows *rows)
{
	struct intern texts = { 0 };
	uint32_t *numbers = calloc(rows->nr + 1, sizeof(*numbers));
	int err = numbers ? 0 : -ENOMEM;

	for (size_t i = 0; i < rows->nr && !err; i++) {
		const char *cgroup = rows->list[i].cgroup;

		err = intern_add(&texts, cgroup, strlen(cgroup), &numbers[i]);
		if (!err && numbers[i] >= CGROUPS_MAX)
			err = -E2BIG;
	}
	if (!err) {
		rowbinary_length(out, texts.nr);
		for (uint32_t i = 0; i < texts.nr; i++)
			rowbinary_text(out, intern_text(&texts, i));
		rowbinary_length(out, rows->nr);
		for (size_t i = 0; i < rows->nr; i++)
			rowbinary_number(out, numbers[i] + 1, 2);
	}
	intern_deinit(&texts);
	free(numbers);
	return err;
}

/* Write which event it is; samples have no name, and nothing of this. */
static void put_event(struct rowbinary *out, const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	const struct profile_intervals *intervals = &meta->intervals;
	const uint64_t traits[SCHEMA_TRAITS] = {
		[SCHEMA_TRAITS_MIN_NS] = intervals->min_ns,
		[SCHEMA_TRAITS_NO_WAITING] = intervals->no_waiting,
		[SCHEMA_TRAITS_OF_HITS] = intervals->of_hits,
	};
	uint64_t hits[SCHEMA_HITS_LOST + __FLAMEMOD_EVENT_LOST_MAX] = {
		[SCHEMA_HITS_SEEN] = intervals->seen,
		[SCHEMA_HITS_BELOW] = intervals->below,
		[SCHEMA_HITS_BELOW_NS] = intervals->below_ns,
	};
	bool is_event = intervals->known;

	memcpy(hits + SCHEMA_HITS_LOST, intervals->lost, sizeof(intervals->lost));
	rowbinary_text(out, is_event ? meta->weight_type : "");
	rowbinary_text(out, !is_event ? "" : meta->period_ns ? SCHEMA_UNIT_TIME :
		       meta->weight_unit);
	put_numbers(out, hits, is_event ? sizeof(hits) / sizeof(hits[0]) : 0);
	put_numbers(out, intervals->powers, is_event ? INTERVALS_POWERS : 0);
	put_numbers(out, traits, is_event ? SCHEMA_TRAITS : 0);
}

/* Rows in the order of their ids compress better, as neighbours are alike. */
static int compare_rows(const void *a, const void *b, void *hashes)
{
	const struct folded_row *left = a, *right = b;
	uint8_t (*of)[SHA256_BYTES] = hashes;

	return memcmp(of[left->node], of[right->node], STACK_ID_BYTES) ?:
	       strcmp(left->comm, right->comm) ?: strcmp(left->cgroup, right->cgroup) ?:
	       (left->context > right->context) - (left->context < right->context);
}

static int put_window(struct rowbinary *out, struct stack_list *stacks,
		      const struct target_window *window, struct extras extras)
{
	const struct profile *profile = window->profile;
	struct folded_rows rows = { 0 };
	struct stack_ids ids = { NULL };
	int err = stack_ids_make(&ids, profile) ?: folded_rows_make(&rows, profile, extras.cgroups);

	for (size_t i = 0; i < rows.nr && !err; i++)
		err = add_stack(stacks, profile, rows.list[i].node,
				ids.hashes[rows.list[i].node]);
	if (!err) {
		if (rows.nr)
			qsort_r(rows.list, rows.nr, sizeof(*rows.list), compare_rows,
				ids.hashes);
		put_identity(out, window->identity);
		rowbinary_text(out, profile->meta.release);
		rowbinary_text(out, profile->meta.origin.arch);
		rowbinary_text(out, profile->meta.module_version);
		put_labels(out, window->labels, &profile->meta);
		put_meta(out, profile);
		put_books(out, &profile->books);
		put_rows(out, &rows, &ids);
		err = extras.cgroups ? put_cgroups(out, &rows) : 0;
		if (extras.events)
			put_event(out, profile);
	}
	folded_rows_deinit(&rows);
	stack_ids_deinit(&ids);
	return err;
}

/* A server keeps times in 32 bits. */
static int check_window(const struct target_window *window, struct error *error)
{
	if (window->identity->time_ns / NSEC_PER_SEC > UINT32_MAX)
		return error_set(error, -EINVAL, "it was recorded at %" PRId64
				 " s, after 2106: ClickHouse cannot keep that time",
				 (int64_t)(window->identity->time_ns / NSEC_PER_SEC));
	return 0;
}

/* Read "?cgroups=yes" of the target's URL. */
static int read_cgroups(const struct target *target, bool *cgroups, struct error *error)
{
	char value[64];

	*cgroups = false;
	if (!target_option(target, "cgroups", value, sizeof(value)) || !strcmp(value, "no"))
		return 0;
	*cgroups = !strcmp(value, "yes");
	return *cgroups ? 0 : error_set(error, -EINVAL, "?cgroups=%.40s: must be yes or no", value);
}

static int add_requests(const struct target *target, struct stack_list *stacks,
			struct rowbinary *rows, struct extras extras,
			struct target_requests *requests)
{
	char *bytes = stacks->rows.bytes, insert[INSERT_TEXT];
	int err = 0;

	if (stacks->rows.failed || rows->failed)
		return -ENOMEM;
	stacks->rows.bytes = NULL;
	if (bytes)
		err = clickhouse_add(requests, target, insert_stacks, "", bytes,
				     stacks->rows.size);
	bytes = rows->bytes;
	if (!err)
		rows->bytes = NULL;
	write_insert(insert, extras);
	return err ?: clickhouse_add(requests, target, insert, "", bytes, rows->size);
}

static int encode(const struct target *target, const struct target_window *windows,
		  size_t nr, struct target_requests *requests, struct error *error)
{
	struct stack_list stacks = {
		.known = &target->known, .today = (uint16_t)(time(NULL) / 86400),
	};
	struct rowbinary rows = { NULL };
	struct extras extras = { false };
	int err = read_cgroups(target, &extras.cgroups, error);

	for (size_t i = 0; i < nr; i++)
		extras.events |= windows[i].profile->meta.intervals.known;
	for (size_t i = 0; i < nr && !err; i++) {
		err = check_window(&windows[i], error);
		if (err)
			break;
		err = put_window(&rows, &stacks, &windows[i], extras);
		if (err == -E2BIG)
			error_set(error, err, "it has more than %d cgroups: send it without ?cgroups=yes",
				  CGROUPS_MAX);
		else if (err)
			error_set(error, err, "%s", strerror(-err));
	}
	if (!err) {
		err = nr ? add_requests(target, &stacks, &rows, extras, requests) : 0;
		if (err)
			error_set(error, err, "%s", strerror(-err));
		requests->stacks = stacks.ids;
		stacks.ids = (struct id_set){ NULL };
	}
	free(rows.bytes);
	stack_list_deinit(&stacks);
	return err;
}

/* ---- stacks that the server has ---- */

/*
 * Stacks are removed so many days later than windows of the day on which they were sent,
 * see SCHEMA_STACKS_EXTRA_DAYS. One that has less than half of that left is sent again.
 */
static int ask_known(struct target *target, struct sender *sender,
		     const struct id_set *stacks, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	char query[160];
	int err;

	snprintf(query, sizeof(query), "SELECT sid FROM stacks WHERE sid IN (SELECT id FROM ids)"
		 " AND seen >= today() - %d LIMIT 1 BY sid FORMAT RowBinary",
		 SCHEMA_STACKS_EXTRA_DAYS / 2);
	err = stacks_ask(sender, target, query, stacks, &answer, error);
	in = query_reader(&answer);
	while (!err && in.next < in.end) {
		const char *id = rowbinary_take(&in, STACK_ID_BYTES);

		err = !id ? query_malformed(target, error) :
		      id_set_add(&target->known, id) ?
		      error_set(error, -ENOMEM, "%s", strerror(ENOMEM)) : 0;
	}
	send_answer_deinit(&answer);
	return err;
}

const struct target_kind target_clickhouse = {
	.scheme = "clickhouse", .name = "ClickHouse", .port = 8123, .tls_port = 8443,
	.encode = encode, .ask_known = ask_known, .explain = clickhouse_explain, .is_idempotent = true,
	.takes_events = true,
};
