// SPDX-License-Identifier: GPL-2.0
/*
 * Write the columns of a profile as JSON: see view/html/data.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "profile/advice.h"
#include "profile/origin.h"
#include "profile/task_state.h"
#include "profile/inclusion.h"
#include "profile/threshold.h"
#include "tree/kind.h"
#include "view/html/columns.h"
#include "view/html/data.h"
#include "view/paint.h"

/* ---- the columns ---- */

/* Write @length bytes of a text to show. */
static void put_text(struct json *json, const char *key, const char *text,
		     size_t length)
{
	if (length && *text)
		json_text_part(json, key, text, length);
	else
		json_text(json, key, "[unknown]");
}

/*
 * Scripts have exact integers only below 2^53: larger ones become text, which
 * model.js handles.
 */
static void put_weight(struct json *json, const char *key, uint64_t weight)
{
	if (weight >> 53)
		json_exact(json, key, weight);
	else
		json_count(json, key, weight);
}

static void put_letter(struct json *json, const char *key, enum tree_kind kind)
{
	char letters[] = { paint_kind_letter(kind), '\0' };

	json_text(json, key, letters);
}

static void put_frames(struct json *json, const struct columns *columns)
{
	json_open_object(json, "frames");
	json_open_array(json, "name");
	for (size_t i = 0; i < columns->nr_frames; i++)
		json_count(json, NULL, columns->frames[i].name);
	json_close(json);
	json_open_array(json, "kind");
	for (size_t i = 0; i < columns->nr_frames; i++)
		put_letter(json, NULL, columns->frames[i].kind);
	json_close(json);
	json_close(json);
}

static void put_nodes(struct json *json, const struct columns *columns)
{
	json_open_object(json, "nodes");
	json_open_array(json, "parent");
	for (size_t i = 0; i < columns->nr_nodes; i++)
		json_count(json, NULL, columns->nodes[i].parent);
	json_close(json);
	json_open_array(json, "frame");
	for (size_t i = 0; i < columns->nr_nodes; i++)
		json_count(json, NULL, columns->nodes[i].frame);
	json_close(json);
	json_close(json);
}

/* Pids and tids are large, so they are left out unless they are grouped by. */
static void put_rows(struct json *json, const struct columns *columns,
		     const struct fold_options *by)
{
	const struct {
		const char *name;
		size_t offset;
		bool is_empty;
	} fields[] = {
		{ "node", offsetof(struct columns_row, node) },
		{ "comm", offsetof(struct columns_row, comm) },
		{ "host", offsetof(struct columns_row, host) },
		{ "cgroup", offsetof(struct columns_row, cgroup) },
		{ "cpu", offsetof(struct columns_row, cpu) },
		{ "context", offsetof(struct columns_row, context) },
		{ "pid", offsetof(struct columns_row, pid), !fold_is_by(by, FOLD_PID) },
		{ "tid", offsetof(struct columns_row, tid), !fold_is_by(by, FOLD_TID) },
	};

	json_open_object(json, "records");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		size_t nr = fields[i].is_empty ? 0 : columns->nr_rows;

		json_open_array(json, fields[i].name);
		for (size_t j = 0; j < nr; j++)
			json_count(json, NULL, *(const uint32_t *)((const char *)
				   &columns->rows[j] + fields[i].offset));
		json_close(json);
	}
	json_open_array(json, "weight");
	for (size_t i = 0; i < columns->nr_rows; i++)
		put_weight(json, NULL, columns->rows[i].weight);
	json_close(json);
	json_close(json);
}

static void put_losses(struct json *json, const struct columns *columns)
{
	json_open_array(json, "lost");
	for (size_t i = 0; i < columns->nr_losses; i++) {
		const struct columns_lost *lost = &columns->losses[i];

		json_open_object(json, NULL);
		json_signed(json, "cpu", lost->cpu);
		put_text(json, "reason", lost->reason, lost->length);
		put_weight(json, "weight", lost->weight);
		json_close(json);
	}
	json_close(json);
}

static void put_names(struct json *json, const struct intern *names)
{
	json_open_array(json, "names");
	for (uint32_t i = 0; i < names->nr; i++)
		put_text(json, NULL, intern_text(names, i), kind_label(intern_text(names, i)));
	json_close(json);
}

static void put_texts(struct json *json, const char *key,
		      const struct intern *texts)
{
	json_open_array(json, key);
	for (uint32_t i = 0; i < texts->nr; i++)
		put_text(json, NULL, intern_text(texts, i),
			 texts->texts[i].length);
	json_close(json);
}

/* ---- the books ---- */

static void put_book(struct json *json, const struct profile_books *books)
{
	char overdue[24];

	json_exact(json, "expected", books->expected);
	json_exact(json, "fires", books->fires);
	json_exact(json, "missed", books->missed);
	snprintf(overdue, sizeof(overdue), "%" PRId64, books->overdue);
	if (books->overdue)
		json_text(json, "overdue", overdue);
	json_exact(json, "stored", books->stored);
	json_exact(json, "filtered", books->filtered);
	json_exact(json, "truncated", books->truncated);
	json_open_object(json, "lost");
	/* samples have no other reasons */
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		if (i != PROFILE_LOST_OTHER || books->lost[i])
			json_exact(json, profile_lost_name(i), books->lost[i]);
	json_close(json);
}

static void put_books(struct json *json, const struct profile *profile)
{
	char advice[ADVICE_ALL_MAX], late[PROFILE_LATE_FACT], user[PROFILE_USER_FACT];

	json_open_array(json, "cpus");
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		json_open_object(json, NULL);
		put_book(json, &profile->cpus[i].books);
		json_count(json, "cpu", profile->cpus[i].cpu);
		json_close(json);
	}
	json_close(json);
	if (advice_all(profile, advice))
		json_text(json, "advice", advice);
	if (profile_late_fact(profile, late))
		json_text(json, "late", late);
	if (profile_user_fact(profile, user))
		json_text(json, "user", user);
	/* of another tool's samples no timer period is known; events have facts */
	if (profile_is_imported(&profile->meta) || profile->meta.intervals.known) {
		json_nothing(json, "books");
		return;
	}
	json_open_object(json, "books");
	put_book(json, &profile->books);
	json_close(json);
}

/* ---- the session ---- */

static void put_facts(struct json *json, const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	char fact[PROFILE_EVENT_MAX + 8], lasted[DURATION_TEXT], range[RANGE_FACT];
	char date[ORIGIN_DATE], machine[ORIGIN_TEXT], intervals[INTERVALS_TEXT];

	if (meta->host[0])
		json_text(json, NULL, meta->host);
	if (meta->release[0]) {
		snprintf(fact, sizeof(fact), "Linux %s", meta->release);
		json_text(json, NULL, fact);
	}
	if (profile->nr_cpus)
		json_text(json, NULL, origin_cpus(fact, profile));
	if (*threshold_fact(fact, meta))
		json_text(json, NULL, fact);
	if (*inclusion_fact(fact, meta))
		json_text(json, NULL, fact);
	if (meta->settings.hz) {
		snprintf(fact, sizeof(fact), "%" PRIu32 " Hz", meta->settings.hz);
		json_text(json, NULL, fact);
	}
	if (meta->duration_ns)
		json_text(json, NULL, duration_text(lasted, meta->duration_ns));
	if (meta->intervals.known) {
		json_text(json, NULL, intervals_books(intervals, profile));
		json_text(json, NULL, intervals_fact(intervals, profile));
	} else if (*profile_event(meta)) {
		snprintf(fact, sizeof(fact), "event %s", profile_event(meta));
		json_text(json, NULL, fact);
	}
	if (*origin_date(date, meta))
		json_text(json, NULL, date);
	if (*origin_machine(machine, &meta->origin))
		json_text(json, NULL, machine);
	if (*meta->origin.cmdline)
		json_text(json, NULL, meta->origin.cmdline);
	if (meta->range_end_ns)
		json_text(json, NULL, range_fact(range, meta->range_begin_ns,
						 meta->range_end_ns));
}

static void put_session(struct json *json, const struct html_options *options)
{
	json_open_array(json, "session");
	if (options->profile)
		put_facts(json, options->profile);
	if (options->note)
		put_text(json, NULL, options->note, strlen(options->note));
	json_close(json);
}

/* ---- colours ---- */

/* Write the marks, in the order of their shades. */
static void put_marks(struct json *json)
{
	json_open_array(json, "marks");
	for (unsigned int i = 0; paint_mark_name(i); i++)
		json_text(json, NULL, paint_mark_name(i));
	json_close(json);
}

/* Write the marks of time off the CPU. */
static void put_off_cpu(struct json *json)
{
	json_open_array(json, "offCpu");
	for (unsigned int i = 0; i < TASK_STATES; i++)
		json_text(json, NULL, task_state_leaf(i));
	json_close(json);
}

static void put_shades(struct json *json)
{
	static const char *const pages[] = { "light", "dark" };

	json_open_object(json, "shades");
	for (int dark = 0; dark < 2; dark++) {
		json_open_object(json, pages[dark]);
		for (int kind = TREE_TASK; kind <= (int)PAINT_WAKER; kind++) {
			char name[] = { paint_kind_letter(kind), '\0' }, hex[8];
			uint32_t rgb;

			json_open_array(json, name);
			for (unsigned int i = 0; ; i++) {
				rgb = paint_kind_shade(kind, i, dark);
				if (rgb > 0xffffff)
					break;
				snprintf(hex, sizeof(hex), "#%06x", rgb);
				json_text(json, NULL, hex);
			}
			json_close(json);
		}
		json_close(json);
	}
	json_close(json);
}

/* ---- all of it ---- */

static void put_levels(struct json *json, const struct fold_options *by)
{
	json_open_array(json, "by");
	for (unsigned int i = 0; i < by->nr_by; i++)
		json_text(json, NULL, fold_level_name(by->by[i]));
	json_close(json);
}

static void put_profile(struct json *json, const struct profile *profile,
			const struct columns *columns)
{
	put_texts(json, "comms", &columns->comms);
	put_texts(json, "hosts", &columns->hosts);
	put_texts(json, "cgroups", &columns->cgroups);
	put_books(json, profile);
	json_text(json, "unit", profile_unit(&profile->meta));
	json_bool(json, "hasContexts", true);
}

static void put_folded(struct json *json, const struct columns *columns)
{
	put_texts(json, "comms", &columns->comms);
	json_text(json, "unit", "samples");
	json_bool(json, "hasContexts", false);
	put_texts(json, "hosts", &columns->hosts);
	put_texts(json, "cgroups", &columns->cgroups);
	json_nothing(json, "books");
	json_open_array(json, "cpus");
	json_close(json);
}

static void put_all(struct json *json, const struct html_options *options,
		    const struct columns *columns)
{
	json_open_object(json, NULL);
	put_frames(json, columns);
	put_nodes(json, columns);
	put_rows(json, columns, options->by);
	put_names(json, &columns->names);
	put_losses(json, columns);
	put_text(json, "title", options->title, strlen(options->title));
	put_levels(json, options->by);
	if (options->profile)
		put_profile(json, options->profile, columns);
	else
		put_folded(json, columns);
	put_session(json, options);
	put_shades(json);
	put_marks(json);
	put_off_cpu(json);
	put_weight(json, "total", columns->total);
	json_close(json);
}

int html_data_write(const struct html_options *options, FILE *out)
{
	struct json json = { .out = out, .style = JSON_IN_PAGE };
	struct columns columns;
	int err;

	if (options->profile)
		err = columns_of_profile(&columns, options->profile);
	else
		err = columns_of_tree(&columns, options->tree);
	if (!err)
		put_all(&json, options, &columns);
	columns_deinit(&columns);
	return err;
}
