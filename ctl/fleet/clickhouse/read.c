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

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "fleet/clickhouse/rowbinary.h"
#include "fleet/clickhouse/where.h"
#include "fleet/folded_rows.h"

/* How often windows may change while they are read. */
#define TRIES	3

/* The answer is kept by the server until it is whole, so that an error is no answer. */
#define WHOLE	"&wait_end_of_query=1"

struct reading {
	struct sender *sender;
	const struct target *target;
	const struct choice *choice;
	bool by_host, in_ns;
	const char *final;
	struct profile *profile;
	struct map map;			/* of hash_bytes() of ids, to their places in ids */
	uint8_t (*ids)[STACK_ID_BYTES];
	uint32_t *nodes;		/* by place in ids */
	size_t nr_ids, ids_room;
	struct rowbinary_reader rows;
	struct send_answer rows_answer;
};

int clickhouse_ask(struct sender *sender, const struct target *target,
		   const char *query, struct send_answer *answer, struct error *error)
{
	char *text;
	int err;

	memset(answer, 0, sizeof(*answer));
	if (asprintf(&text, "%s FORMAT RowBinary", query) < 0)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	err = clickhouse_run(sender, target, text, WHOLE, answer, error);
	free(text);
	return err;
}

/* Write "@select FROM profiles@final@join WHERE ...@end" and ask. */
static int ask_profiles(const struct reading *r, const char *select, const char *join,
			const char *end, struct send_answer *answer, struct error *error)
{
	char *query = NULL;
	size_t size;
	FILE *out = open_memstream(&query, &size);
	int err;

	memset(answer, 0, sizeof(*answer));
	if (!out)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	fprintf(out, "SELECT %s FROM profiles%s%s WHERE ", select, r->final, join);
	where_choice(out, r->choice);
	fputs(end, out);
	err = fclose(out) ? error_set(error, -ENOMEM, "%s", strerror(ENOMEM)) :
	      clickhouse_ask(r->sender, r->target, query, answer, error);
	free(query);
	return err;
}

static struct rowbinary_reader reader_of(const struct send_answer *answer)
{
	return (struct rowbinary_reader){ answer->body, answer->body + answer->size, false };
}

static int malformed(const struct reading *r, struct error *error)
{
	return error_set(error, -EPROTO, "%.200s: its answer is not what was asked for",
			 r->target->host);
}

int clickhouse_final(struct sender *sender, const struct target *target,
		     const struct choice *choice, uint64_t *windows, const char **final,
		     struct error *error)
{
	const struct reading r = { .sender = sender, .target = target, .choice = choice, .final = "" };
	struct send_answer answer;
	struct rowbinary_reader in;
	int err = ask_profiles(&r, "count(), uniqExact(host, boot_id, epoch, begin_ns)", "", "",
			       &answer, error);

	if (!err) {
		in = reader_of(&answer);
		*windows = rowbinary_take_number(&in, 8);
		*final = rowbinary_take_number(&in, 8) == *windows ? "" : " FINAL";
		err = in.failed ? malformed(&r, error) : 0;
	}
	send_answer_deinit(&answer);
	return err;
}

/* ---- what windows have in common, and their books ---- */

static const char meta_columns[] =
	"period_ns, max(cpus), min(time_ns), sum(duration_ns), sum(sampled_ns), min(hz), max(hz),"
	" uniqExact(host), any(host), uniqExact(release), any(release), uniqExact(machine),"
	" any(machine), uniqExact(version), any(version), sum(expected), sum(fires),"
	" sum(missed), sum(stored), sum(filtered), sum(truncated), sum(asleep), sum(late),"
	" sum(stolen), sum(overdue), sumForEach(lost)";

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
		/* reasons of a later version count as the last known one */
		books->lost[i < __FLAMEMOD_LOST_MAX ? i : FLAMEMOD_LOST_MAX] += lost;
	}
	return err;
}

/* Take the windows with one period: the first ones set what the others must have too. */
static int take_meta(struct reading *r, struct rowbinary_reader *in, bool first)
{
	struct profile_meta *meta = &r->profile->meta;
	uint64_t period_ns = rowbinary_take_number(in, 8);
	struct profile_cpu cpu = { .cpu = 0 };
	uint64_t hz, hz_max;
	uint32_t cpus;
	int64_t time_ns;
	int err;

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
	if (in->failed || cpus > PROFILE_CPUS_MAX)
		return -EPROTO;
	err = err ?: profile_add_cpu(r->profile, &cpu);
	/* the others only show how many there are */
	for (cpu = (struct profile_cpu){ .cpu = 1 }; cpu.cpu < cpus && !err; cpu.cpu++)
		err = profile_add_cpu(r->profile, &cpu);
	return err;
}

/* Return: how many different periods an answer has: its rows. */
static size_t count_periods(const struct reading *r, const struct send_answer *answer)
{
	struct rowbinary_reader in = reader_of(answer);
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
	bool first = true;
	int err = ask_profiles(r, meta_columns, "", " GROUP BY period_ns", &answer, error);

	if (!err) {
		r->in_ns = count_periods(r, &answer) > 1;
		in = reader_of(&answer);
		for (; in.next < in.end && !err; first = false)
			err = take_meta(r, &in, first);
		if (err == -EPROTO)
			malformed(r, error);
		else if (err)
			error_set(error, err, "%s", err == -EOVERFLOW ?
				  "the sums are above 2^64" : strerror(-err));
	}
	send_answer_deinit(&answer);
	return err;
}

/* ---- rows ---- */

static int read_rows(struct reading *r, struct error *error)
{
	static const char join[] = " ARRAY JOIN sid AS i, comm AS c, context AS x,"
				   " periods AS p, samples AS n, late_us AS l";
	char select[128], end[64];
	int err;

	snprintf(select, sizeof(select), "period_ns, %s i, c, x, sum(p), sum(n), sum(l)",
		 r->by_host ? "host," : "'',");
	snprintf(end, sizeof(end), " GROUP BY period_ns, %si, c, x", r->by_host ? "host, " : "");
	err = ask_profiles(r, select, join, end, &r->rows_answer, error);
	if (!err)
		r->rows = reader_of(&r->rows_answer);
	return err;
}

static uint32_t find_id(const struct reading *r, const void *id)
{
	uint64_t hash = hash_bytes(id, STACK_ID_BYTES);
	const struct map_slot *slot = map_first(&r->map, hash);

	while (slot && memcmp(r->ids[slot->number - 1], id, STACK_ID_BYTES))
		slot = map_next(&r->map, hash, slot);
	return slot ? slot->number - 1 : MAP_NONE;
}

static int add_id(struct reading *r, const void *id)
{
	if (find_id(r, id) != MAP_NONE)
		return 0;
	if (map_reserve(&r->map, 1) || vec_reserve(r->ids, r->ids_room, r->nr_ids + 1))
		return -ENOMEM;
	memcpy(r->ids[r->nr_ids], id, STACK_ID_BYTES);
	map_put(&r->map, hash_bytes(id, STACK_ID_BYTES), (uint32_t)r->nr_ids++);
	return 0;
}

/* One row of the answer; its texts belong to it. */
struct row {
	uint64_t period_ns;
	char *host, *comm;
	const char *id;
	struct profile_record record;
};

static void row_deinit(struct row *row)
{
	free(row->host);
	free(row->comm);
}

/* Return: whether there was another row. */
static bool take_row(struct rowbinary_reader *in, struct row *row)
{
	memset(row, 0, sizeof(*row));
	if (in->failed || in->next >= in->end)
		return false;
	row->period_ns = rowbinary_take_number(in, 8);
	row->host = rowbinary_take_text(in);
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

	while (!err && take_row(&in, &row)) {
		if (!in.failed)
			err = add_id(r, row.id);
		row_deinit(&row);
	}
	if (in.failed)
		return malformed(r, error);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

/* ---- stacks ---- */

/* A boundary that no id can have: it is longer. */
#define BOUNDARY "flamectl-ids-of-stacks-0123456789abcdef"

/* The ids as a table for the query, in a form as browsers send files. */
static char *make_form(const struct reading *r, size_t *size)
{
	char *form = NULL;
	FILE *out = open_memstream(&form, size);

	if (!out)
		return NULL;
	fputs("--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"ids\"; filename=\"ids\"\r\n"
	      "Content-Type: application/octet-stream\r\n\r\n", out);
	fwrite(r->ids, STACK_ID_BYTES, r->nr_ids, out);
	fputs("\r\n--" BOUNDARY "--\r\n", out);
	if (!fclose(out))
		return form;
	free(form);
	return NULL;
}

static int ask_stacks(const struct reading *r, struct send_answer *answer,
		      struct error *error)
{
	static const char query[] =
		"SELECT sid, names, kinds, paths, build_ids, offsets FROM stacks"
		" WHERE sid IN (SELECT id FROM ids) LIMIT 1 BY sid FORMAT RowBinary";
	static const char settings[] =
		WHOLE "&ids_format=RowBinary&ids_structure=id%20FixedString%2816%29";
	size_t size;
	char *form = make_form(r, &size);

	if (!form)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	return clickhouse_run_form(r->sender, r->target, query, settings, BOUNDARY, form,
				   size, answer, error);
}

/* The columns of one stack. Texts belong to it. */
struct stack {
	size_t nr, nr_placed;
	char **names, **paths, **build_ids;
	uint8_t *kinds;
	uint64_t *offsets;
};

static char **take_texts(struct rowbinary_reader *in, size_t *nr)
{
	char **texts;

	*nr = rowbinary_take_length(in);
	texts = calloc(*nr + 1, sizeof(*texts));
	for (size_t i = 0; texts && i < *nr; i++)
		texts[i] = rowbinary_take_text(in);
	return texts;
}

static void free_texts(char **texts, size_t nr)
{
	for (size_t i = 0; texts && i < nr; i++)
		free(texts[i]);
	free(texts);
}

static void stack_deinit(struct stack *stack)
{
	free_texts(stack->names, stack->nr);
	free_texts(stack->paths, stack->nr_placed);
	free_texts(stack->build_ids, stack->nr_placed);
	free(stack->kinds);
	free(stack->offsets);
}

/* Read the columns. Return: 0, -ENOMEM, or -EPROTO if they do not fit each other. */
static int take_stack(struct rowbinary_reader *in, struct stack *stack)
{
	size_t nr_kinds, nr_ids, nr_offsets, i;

	memset(stack, 0, sizeof(*stack));
	stack->names = take_texts(in, &stack->nr);
	nr_kinds = rowbinary_take_length(in);
	stack->kinds = calloc(nr_kinds + 1, 1);
	for (i = 0; stack->kinds && i < nr_kinds; i++)
		stack->kinds[i] = (uint8_t)rowbinary_take_number(in, 1);
	stack->paths = take_texts(in, &stack->nr_placed);
	stack->build_ids = take_texts(in, &nr_ids);
	nr_offsets = rowbinary_take_length(in);
	stack->offsets = calloc(nr_offsets + 1, sizeof(*stack->offsets));
	for (i = 0; stack->offsets && i < nr_offsets; i++)
		stack->offsets[i] = rowbinary_take_number(in, 8);
	if (!stack->names || !stack->kinds || !stack->paths || !stack->build_ids ||
	    !stack->offsets)
		return -ENOMEM;
	if (in->failed || nr_kinds != stack->nr || nr_ids != stack->nr_placed ||
	    nr_offsets != stack->nr_placed ||
	    (stack->nr_placed && stack->nr_placed != stack->nr))
		return -EPROTO;
	return 0;
}

static int add_frame(struct profile *profile, const struct stack *stack, size_t at,
		     uint32_t *frame)
{
	uint32_t object;
	int err;

	if (stack->kinds[at] >= __FLAMEMOD_FRAME_MAX)
		return -EPROTO;
	if (!stack->nr_placed || !*stack->paths[at])
		return profile_add_frame(profile, stack->names[at], stack->kinds[at], frame);
	if (stack->offsets[at] >= PROFILE_OFFSET_MAX)
		return -EPROTO;
	err = profile_add_object(profile, stack->paths[at], stack->build_ids[at], &object);
	return err ?: profile_add_frame_at(profile, stack->names[at], object,
					   stack->offsets[at], frame);
}

static int add_stack(struct reading *r, struct rowbinary_reader *in)
{
	const char *id = rowbinary_take(in, STACK_ID_BYTES);
	uint32_t at = id ? find_id(r, id) : MAP_NONE, node = 0, frame;
	struct stack stack;
	int err = take_stack(in, &stack);

	for (size_t i = 0; i < stack.nr && !err; i++)
		err = add_frame(r->profile, &stack, i, &frame) ?:
		      profile_add_node(r->profile, node, frame, &node);
	if (!err && r->profile->nr_nodes > PROFILE_NODES_MAX)
		err = -EFBIG;
	if (!err && at != MAP_NONE)
		r->nodes[at] = node;
	stack_deinit(&stack);
	return err;
}

/* A stack that is not in the store, because someone removed it. */
static int add_missing(struct reading *r, uint32_t *node)
{
	uint32_t frame;

	return profile_add_frame(r->profile, "[stack not in the store]", FLAMEMOD_FRAME_MARK,
				 &frame) ?: profile_add_node(r->profile, 0, frame, node);
}

static int read_stacks(struct reading *r, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	int err = ask_stacks(r, &answer, error);

	if (err)
		goto out;
	r->nodes = calloc(r->nr_ids + 1, sizeof(*r->nodes));
	err = r->nodes ? 0 : -ENOMEM;
	for (size_t i = 0; i < r->nr_ids && !err; i++)
		r->nodes[i] = UINT32_MAX;
	in = reader_of(&answer);
	while (in.next < in.end && !err)
		err = add_stack(r, &in);
	for (size_t i = 0; i < r->nr_ids && !err; i++)
		if (r->nodes[i] == UINT32_MAX)
			err = add_missing(r, &r->nodes[i]);
	if (err == -EPROTO)
		malformed(r, error);
	else if (err)
		error_set(error, err, "%s", err == -EFBIG ?
			  "all stacks together have more than 2^24 calls: select less" :
			  strerror(-err));
out:
	send_answer_deinit(&answer);
	return err;
}

/* ---- the profile ---- */

static int add_row(struct reading *r, const struct row *row)
{
	struct profile_record record = row->record;
	int err = r->in_ns ? scale(&record.periods, row->period_ns) : 0;

	record.node = r->nodes[find_id(r, row->id)];
	return err ?: profile_add_task_of(r->profile, row->host, 0, 0, row->comm,
					  &record.task) ?:
	       profile_add_record(r->profile, &record);
}

static int add_rows(struct reading *r, struct error *error)
{
	struct row row;
	int err = 0;

	while (!err && take_row(&r->rows, &row)) {
		err = add_row(r, &row);
		row_deinit(&row);
	}
	return err ? error_set(error, err, "%s", err == -EOVERFLOW ?
			       "the sums are above 2^64" : strerror(-err)) : 0;
}

static void reading_deinit(struct reading *r)
{
	send_answer_deinit(&r->rows_answer);
	map_deinit(&r->map);
	free(r->ids);
	free(r->nodes);
	profile_destroy(r->profile);
}

static int read_once(struct reading *r, struct error *error)
{
	uint64_t windows;
	int err = clickhouse_final(r->sender, r->target, r->choice, &windows, &r->final, error);

	if (!err && !windows)
		err = error_set(error, -ENODATA, "no window of the store matches");
	if (!err) {
		r->profile = profile_create();
		err = r->profile ? 0 : error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	}
	return err ?: read_meta(r, error) ?: read_rows(r, error) ?:
	       collect_ids(r, error) ?: read_stacks(r, error) ?: add_rows(r, error) ?:
	       profile_check(r->profile, error);
}

int clickhouse_read(struct sender *sender, const struct target *target,
		    const struct choice *choice, bool by_host, struct profile **profile,
		    struct error *error)
{
	int err = -EBADMSG;

	for (int i = 0; i < TRIES && err == -EBADMSG; i++) {
		struct reading r = {
			.sender = sender, .target = target, .choice = choice,
			.by_host = by_host,
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
