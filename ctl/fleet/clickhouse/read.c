// SPDX-License-Identifier: GPL-2.0
/*
 * Read a profile from the store: see read.h.
 *
 * Windows come and go while several queries run. The sum of the rows must be what the
 * books say; if it is not, all is read again.
 */
#include "fleet/clickhouse/read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/clickhouse/cover.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/read_stacks.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/clickhouse/where.h"
#include "fleet/id_set.h"
#include "profile/books.h"

struct reading {
	struct sender *sender;
	const struct target *target;
	const struct choice *choice;
	struct fleet_keys keys;
	bool selects;			/* the choice has cgroups */
	bool in_ns;			/* periods differ: sums are in nanoseconds */
	struct cover cover;
	struct profile *profile;
	struct id_set ids;
	uint32_t *nodes;		/* by place in ids */
	struct rowbinary_reader rows;
	struct send_answer rows_answer;
};

/* ---- what windows have in common, and their books ---- */

static const char meta_columns[] =
	SCHEMA_WEIGHT " AS w SELECT period_ns, max(w), max(cpus), min(time_ns), sum(duration_ns * w),"
	" sum(sampled_ns * w), min(hz), max(hz), uniqExact(host), any(host),"
	" uniqExact(release), any(release), uniqExact(machine), any(machine),"
	" uniqExact(version), any(version), sum(expected * w), sum(fires * w),"
	" sum(missed * w), sum(stored * w), sum(filtered * w), sum(truncated * w),"
	" sum(asleep * w), sum(late * w), sum(stolen * w), sum(toInt64(overdue * w)),"
	" sumForEach(arrayMap(l -> l * w, lost)), max(" SCHEMA_THRESHOLD ")";

static const char event_columns[] =
	", uniqExact(unit), any(unit), sumForEach(arrayMap(h -> h * w, hits)),"
	" sumForEach(arrayMap(h -> h * w, powers)), maxForEach(traits)";

/* Take a text that is the same in all windows of a row, else "". */
static void take_same(struct rowbinary_reader *in, char *kept, size_t size, bool first)
{
	bool is_same = rowbinary_take_number(in, 8) == 1;
	char *text = rowbinary_take_text(in);

	if (first)
		snprintf(kept, size, "%s", text && is_same ? text : "");
	else if (!text || !is_same || strcmp(kept, text))
		*kept = '\0';
	free(text);
}

static int scale(uint64_t *figure, uint64_t factor)
{
	return __builtin_mul_overflow(*figure, factor, figure) ? -EOVERFLOW : 0;
}

/* Take the books of the windows with one period. */
static int take_books(struct rowbinary_reader *in, uint64_t factor,
		      struct profile_cpu *cpu)
{
	struct profile_books *books = &cpu->books;
	uint64_t *figures[] = {
		&books->expected, &books->fires, &books->missed, &books->stored,
		&books->filtered, &books->truncated, &books->asleep, &books->late,
		&books->stolen,
	};
	size_t nr;
	int err = 0;

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		*figures[i] = rowbinary_take_number(in, 8);
		if (figures[i] != &books->truncated)
			err = err ?: scale(figures[i], factor);
	}
	books->overdue = (int64_t)(rowbinary_take_number(in, 8) * factor);
	nr = rowbinary_take_length(in);
	for (size_t i = 0; i < nr; i++) {
		uint64_t lost = rowbinary_take_number(in, 8);

		err = err ?: scale(&lost, factor);
		/* reasons of a later version are other ones */
		books->lost[i < PROFILE_LOST_MAX ? i : PROFILE_LOST_OTHER] += lost;
	}
	return err;
}

/* Earlier versions did not send what an event lost for other reasons than samples. */
static void add_other(struct profile_books *books)
{
	uint64_t came, went;

	if (!books_sides(books, &came, &went) && came > went)
		books->lost[PROFILE_LOST_OTHER] += came - went;
}

/* Take numbers that a newer version may have more of. */
static void take_numbers(struct rowbinary_reader *in, uint64_t *numbers, size_t nr)
{
	size_t sent = rowbinary_take_length(in);

	for (size_t i = 0; i < sent && !in->failed; i++) {
		uint64_t number = rowbinary_take_number(in, 8);

		if (i < nr)
			numbers[i] = number;
	}
}

/* Take what is known of an event other than samples: see put_event() of encode.c. */
static int take_event(struct rowbinary_reader *in, const char *name,
		      struct profile_meta *meta)
{
	uint64_t hits[SCHEMA_HITS_LOST + __FLAMEMOD_EVENT_LOST_MAX] = { 0 };
	uint64_t traits[SCHEMA_TRAITS] = { 0 };
	struct profile_intervals *intervals = &meta->intervals;
	bool has_one_unit = rowbinary_take_number(in, 8) == 1;
	char *unit = rowbinary_take_text(in);

	take_numbers(in, hits, sizeof(hits) / sizeof(hits[0]));
	take_numbers(in, intervals->powers, INTERVALS_POWERS);
	take_numbers(in, traits, SCHEMA_TRAITS);
	intervals->known = true;
	intervals->seen = hits[SCHEMA_HITS_SEEN];
	intervals->below = hits[SCHEMA_HITS_BELOW];
	intervals->below_ns = hits[SCHEMA_HITS_BELOW_NS];
	memcpy(intervals->lost, hits + SCHEMA_HITS_LOST, sizeof(intervals->lost));
	intervals->min_ns = traits[SCHEMA_TRAITS_MIN_NS];
	intervals->no_waiting = traits[SCHEMA_TRAITS_NO_WAITING];
	intervals->of_hits = traits[SCHEMA_TRAITS_OF_HITS];
	snprintf(meta->weight_type, sizeof(meta->weight_type), "%s", name);
	if (unit && strcmp(unit, SCHEMA_UNIT_TIME)) {
		snprintf(meta->weight_unit, sizeof(meta->weight_unit), "%s", unit);
		meta->period_ns = 0;
	}
	free(unit);
	return has_one_unit || in->failed ? 0 : -EMEDIUMTYPE;
}

/* A sum with an estimate is one. */
static void take_threshold(struct rowbinary_reader *in, uint64_t factor,
			   struct profile_meta *meta)
{
	uint64_t threshold = rowbinary_take_number(in, 8);

	if (scale(&threshold, factor))
		threshold = UINT64_MAX;
	if (threshold > meta->threshold)
		meta->threshold = threshold;
}

/* Take the windows with one period: the first ones set what the others must have too. */
static int take_meta(struct reading *r, struct rowbinary_reader *in, bool first)
{
	struct profile_meta *meta = &r->profile->meta;
	uint64_t period_ns = rowbinary_take_number(in, 8);
	struct profile_cpu cpu = { .cpu = 0 };
	uint64_t hz, hz_max, weight = rowbinary_take_number(in, 8);
	uint32_t cpus;
	int64_t time_ns;
	int err;

	if (weight > 1 && weight > meta->weighted)
		meta->weighted = weight;
	cpus = (uint32_t)rowbinary_take_number(in, 4);
	time_ns = (int64_t)rowbinary_take_number(in, 8);
	if (first || time_ns < meta->time_ns)
		meta->time_ns = time_ns;
	meta->duration_ns += rowbinary_take_number(in, 8);
	cpu.sampled_ns = rowbinary_take_number(in, 8);
	hz = rowbinary_take_number(in, 4);
	hz_max = rowbinary_take_number(in, 4);
	meta->settings.hz = hz == hz_max && first ? (uint32_t)hz : 0;
	meta->period_ns = r->in_ns ? 1 : period_ns;
	meta->resolution_ns = 1;
	take_same(in, meta->host, sizeof(meta->host), first);
	take_same(in, meta->release, sizeof(meta->release), first);
	take_same(in, meta->origin.arch, sizeof(meta->origin.arch), first);
	take_same(in, meta->module_version, sizeof(meta->module_version), first);
	err = take_books(in, r->in_ns ? period_ns : 1, &cpu);
	take_threshold(in, r->in_ns ? period_ns : 1, meta);
	if (*r->choice->event) {
		err = take_event(in, r->choice->event, meta) ?: err;
		add_other(&cpu.books);
	}
	if (in->failed || cpus > PROFILE_CPUS_MAX)
		return -EPROTO;
	err = err ?: profile_add_cpu(r->profile, &cpu);
	if (meta->intervals.known) {
		meta->nr_summed_cpus = cpus;
		return err;
	}
	/* the others only show how many there are */
	for (cpu = (struct profile_cpu){ .cpu = 1 }; cpu.cpu < cpus && !err; cpu.cpu++)
		err = profile_add_cpu(r->profile, &cpu);
	return err;
}

/* Return: how many different periods an answer has: its rows. */
static size_t count_periods(const struct reading *r, const struct send_answer *answer)
{
	struct rowbinary_reader in = query_reader(answer);
	struct reading one = *r;
	size_t nr = 0;

	one.profile = profile_create();
	while (one.profile && in.next < in.end && !take_meta(&one, &in, true))
		nr++;
	profile_destroy(one.profile);
	return nr;
}

static int read_meta(struct reading *r, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	struct query query;
	bool first = true;
	int err = query_open(&query, error);

	if (err)
		return err;
	fprintf(query.out, "WITH %s%s FROM profiles%s WHERE ", meta_columns,
		*r->choice->event ? event_columns : "", r->cover.final);
	where_choice(query.out, r->choice);
	fputs(" GROUP BY period_ns", query.out);
	err = query_ask(&query, r->sender, r->target, &answer, error);
	if (!err) {
		r->in_ns = count_periods(r, &answer) > 1;
		in = query_reader(&answer);
		for (; in.next < in.end && !err; first = false)
			err = take_meta(r, &in, first);
		if (err == -EPROTO)
			query_malformed(r->target, error);
		else if (err)
			error_set(error, err, "%s", err == -EOVERFLOW ?
				  "the sums are above 2^64" : err == -EMEDIUMTYPE ?
				  "the windows have different units for this event: choose fewer windows" :
				  strerror(-err));
	}
	send_answer_deinit(&answer);
	return err;
}

/* ---- rows ---- */

/* The columns to group by. */
struct columns {
	const char *sid, *comm, *context, *cgroup, *kept;
};

static const struct columns of_windows = { "i", "c", "x", WHERE_CGROUP " AS g", "" };
static const struct columns by_windows = { "i", "c", "x", "g", "" };
static const struct columns of_rollups = { "sid AS i", "comm AS c", "context AS x", "", "" };

/* What a choice of cgroups leaves out is one row. */
static const struct columns chosen = {
	"if(kept, i, toFixedString('', 16)) AS ki", "if(kept, c, '') AS kc",
	"if(kept, x, toUInt8(0)) AS kx", "if(kept, " WHERE_CGROUP ", '') AS kg", "kept",
};
static const struct columns by_chosen = { "ki", "kc", "kx", "kg", "kept" };

static void put_keys(const struct reading *r, FILE *out, const struct columns *columns)
{
	/* one period is known by now, and grouping by it takes a quarter of the time */
	if (r->in_ns)
		fputs("period_ns, ", out);
	if (r->keys.hosts)
		fputs("host, ", out);
	if (r->keys.cgroups)
		fprintf(out, "%s, ", columns->cgroup);
	if (r->selects)
		fprintf(out, "%s, ", columns->kept);
	fprintf(out, "%s, %s, %s", columns->sid, columns->comm, columns->context);
}

static void put_windows(const struct reading *r, FILE *out)
{
	const char *weight;

	if (r->selects) {
		fputs("WITH toUInt8(", out);
		where_cgroups(out, r->choice);
		fputs(") AS kept ", out);
	}
	fputs("SELECT ", out);
	put_keys(r, out, r->selects ? &chosen : &of_windows);
	/* most fleets have no weights, and to multiply by them takes a quarter of the time */
	weight = r->profile->meta.weighted ? " * " SCHEMA_WEIGHT : "";
	fprintf(out, ", sum(p%s), sum(n%s), sum(l%s) FROM profiles%s ARRAY JOIN sid AS i,"
		" comm AS c, context AS x, periods AS p, samples AS n, late_us AS l%s WHERE ",
		weight, weight, weight, r->cover.final,
		r->keys.cgroups || r->selects ? ", " WHERE_CGROUPS : "");
	cover_put_windows(&r->cover, out);
	fputs(" GROUP BY ", out);
	put_keys(r, out, r->selects ? &by_chosen : &by_windows);
}

static void put_source(const struct reading *r, FILE *out)
{
	if (r->cover.has_windows)
		put_windows(r, out);
	if (r->cover.has_windows && r->cover.has_rollups)
		fputs(" UNION ALL ", out);
	if (r->cover.has_rollups) {
		fputs("SELECT ", out);
		put_keys(r, out, &of_rollups);
		fputs(", sum(periods), sum(samples), sum(late_us) FROM rollups WHERE ", out);
		cover_put_rollups(&r->cover, out);
		fputs(" GROUP BY ", out);
		put_keys(r, out, &by_windows);
	}
}

static int read_rows(struct reading *r, struct error *error)
{
	struct query query;
	int err = query_open(&query, error);

	if (err)
		return err;
	put_source(r, query.out);
	err = query_ask(&query, r->sender, r->target, &r->rows_answer, error);
	if (!err)
		r->rows = query_reader(&r->rows_answer);
	return err;
}

/* One row of the answer; its texts belong to it. */
struct row {
	uint64_t period_ns;
	char *host, *comm, *cgroup;
	bool is_left_out;
	const char *id;
	struct profile_record record;
};

static void row_deinit(struct row *row)
{
	free(row->host);
	free(row->comm);
	free(row->cgroup);
}

/* Return: whether there was another row. */
static bool take_row(const struct reading *r, struct rowbinary_reader *in, struct row *row)
{
	memset(row, 0, sizeof(*row));
	if (in->failed || in->next >= in->end)
		return false;
	if (r->in_ns)
		row->period_ns = rowbinary_take_number(in, 8);
	if (r->keys.hosts)
		row->host = rowbinary_take_text(in);
	if (r->keys.cgroups)
		row->cgroup = rowbinary_take_text(in);
	if (r->selects)
		row->is_left_out = !rowbinary_take_number(in, 1);
	row->id = rowbinary_take(in, STACK_ID_BYTES);
	row->comm = rowbinary_take_text(in);
	row->record.context = (enum flamemod_context)rowbinary_take_number(in, 1);
	row->record.periods = rowbinary_take_number(in, 8);
	row->record.count = rowbinary_take_number(in, 8);
	row->record.late_us = rowbinary_take_number(in, 8);
	in->failed |= row->record.context >= __FLAMEMOD_CONTEXT_MAX;
	return true;
}

static int collect_ids(struct reading *r, struct error *error)
{
	struct rowbinary_reader in = r->rows;
	struct row row;
	int err = 0;

	while (!err && take_row(r, &in, &row)) {
		if (!in.failed && !row.is_left_out)
			err = id_set_add(&r->ids, row.id);
		row_deinit(&row);
	}
	if (in.failed)
		return query_malformed(r->target, error);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

/* ---- the profile ---- */

/* Move what was not chosen from what is stored to what is filtered, as --cgroup does. */
static int leave_out(struct reading *r, uint64_t periods)
{
	struct profile_books *books[] = { &r->profile->books, &r->profile->cpus[0].books };

	for (size_t i = 0; i < sizeof(books) / sizeof(books[0]); i++) {
		if (books[i]->stored < periods)
			return -EBADMSG;
		books[i]->stored -= periods;
		books[i]->filtered += periods;
	}
	return 0;
}

/* Lost periods are of no cgroup. */
static void leave_out_lost(struct reading *r)
{
	struct profile_books *books[] = { &r->profile->books, &r->profile->cpus[0].books };

	for (size_t i = 0; i < sizeof(books) / sizeof(books[0]); i++)
		for (unsigned int reason = 0; reason < PROFILE_LOST_MAX; reason++) {
			books[i]->filtered += books[i]->lost[reason];
			books[i]->lost[reason] = 0;
		}
}

static int add_row(struct reading *r, const struct row *row)
{
	struct profile_record record = row->record;
	const struct profile_task task = {
		.comm = row->comm, .host = row->host ?: "", .cgroup = row->cgroup ?: "",
	};
	int err = r->in_ns ? scale(&record.periods, row->period_ns) : 0;

	if (err || row->is_left_out)
		return err ?: leave_out(r, record.periods);
	record.node = r->nodes[id_set_find(&r->ids, row->id)];
	return profile_intern_task(r->profile, &task, &record.task) ?:
	       profile_add_record(r->profile, &record);
}

/* Of windows of which some do not know the powers of two, the sum does not either. */
static void check_powers(struct profile *profile)
{
	struct profile_intervals *intervals = &profile->meta.intervals;

	if (!intervals_powers_fit(intervals, profile->records, profile->nr_records))
		memset(intervals->powers, 0, sizeof(intervals->powers));
}

static int add_rows(struct reading *r, struct error *error)
{
	struct row row;
	int err = 0;

	while (!err && take_row(r, &r->rows, &row)) {
		err = add_row(r, &row);
		row_deinit(&row);
	}
	if (!err && r->selects && !r->profile->nr_records)
		return error_set(error, -ENODATA, "the windows that match have no cgroup that is, or is below, what cgroup= names");
	if (!err && r->selects)
		leave_out_lost(r);
	check_powers(r->profile);
	return err ? error_set(error, err, "%s", err == -EOVERFLOW ?
			       "the sums are above 2^64" : err == -EBADMSG ?
			       "the store changed while it was read" : strerror(-err)) : 0;
}

static void reading_deinit(struct reading *r)
{
	send_answer_deinit(&r->rows_answer);
	id_set_deinit(&r->ids);
	cover_deinit(&r->cover);
	free(r->nodes);
	profile_destroy(r->profile);
}

static int read_once(struct reading *r, struct error *error)
{
	bool of_windows_alone = r->keys.hosts || r->keys.cgroups;
	int err = cover_look(&r->cover, r->sender, r->target, r->choice,
			     of_windows_alone ? COVER_WINDOWS : COVER_STACKS, error);

	if (!err) {
		r->profile = profile_create();
		err = r->profile ? 0 : error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	}
	return err ?: read_meta(r, error) ?: read_rows(r, error) ?: collect_ids(r, error) ?:
	       stacks_read(r->sender, r->target, &r->ids, r->profile, &r->nodes, error) ?:
	       add_rows(r, error) ?: profile_check(r->profile, error);
}

int clickhouse_read(struct sender *sender, const struct target *target,
		    const struct choice *choice, struct fleet_keys keys,
		    struct profile **profile, struct error *error)
{
	bool selects = choice_has_cgroups(choice);
	int err = -EBADMSG;

	for (int i = 0; i < COVER_TRIES && err == -EBADMSG; i++) {
		struct reading r = {
			.sender = sender, .target = target, .choice = choice,
			.keys = keys, .selects = selects,
		};

		err = read_once(&r, error);
		if (!err) {
			*profile = r.profile;
			r.profile = NULL;
		}
		reading_deinit(&r);
	}
	return err;
}
