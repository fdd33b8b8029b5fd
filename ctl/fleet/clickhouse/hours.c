// SPDX-License-Identifier: GPL-2.0
/*
 * The hours of a store: see hours.h.
 */
#include "fleet/clickhouse/hours.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/clickhouse/where.h"

/* What makes a window one of its own; the server keeps the last row of each. */
#define KEY	SCHEMA_WINDOW

/* What its rollup depends on beside the key. */
#define CONTENT	"if(inclusion < 1, cityHash64(content, inclusion), content)"

static int add(struct hours *hours, struct rowbinary_reader *in, const struct hour *hour)
{
	if (in->failed)
		return -EPROTO;
	if (vec_reserve(hours->list, hours->room, hours->nr + 1))
		return -ENOMEM;
	hours->list[hours->nr++] = *hour;
	return 0;
}

static int explain(const struct target *target, int err, struct error *error)
{
	if (err == -EPROTO)
		return query_malformed(target, error);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

/* @different: set to how many keys each hour has, added up */
static int take_windows(const struct send_answer *answer, struct hours *hours,
			uint64_t *rows, uint64_t *different)
{
	struct rowbinary_reader in = query_reader(answer);
	int err = 0;

	*rows = *different = 0;
	while (in.next < in.end && !err) {
		struct hour hour = { .hour = (uint32_t)rowbinary_take_number(&in, 4) };

		hour.windows = rowbinary_take_number(&in, 8);
		*rows += hour.windows;
		*different += rowbinary_take_number(&in, 8);
		hour.mark = rowbinary_take_number(&in, 8);
		hour.chosen = rowbinary_take_number(&in, 8);
		hour.stored = rowbinary_take_number(&in, 8);
		err = add(hours, &in, &hour);
	}
	return err;
}

static int ask_windows(struct sender *sender, const struct target *target,
		       const struct choice *choice, struct hours *hours, uint64_t *rows,
		       uint64_t *different, struct error *error)
{
	struct send_answer answer;
	struct query query;
	int err = query_open(&query, error);

	if (err)
		return err;
	fputs("SELECT toUInt32(intDiv(toUInt32(time), 3600)) AS hour, count(),"
	      " uniqExact(" KEY "), groupBitXor(cityHash64(" KEY ", end_ns, " CONTENT ")), sum(",
	      query.out);
	where_terms(query.out, choice);
	fprintf(query.out, "), sum(stored * " SCHEMA_WEIGHT ") FROM profiles%s WHERE "
		WHERE_SAMPLES " AND ", hours->final);
	where_time(query.out, choice);
	fputs(" GROUP BY hour ORDER BY hour", query.out);
	err = query_ask(&query, sender, target, &answer, error);
	if (!err)
		err = explain(target, take_windows(&answer, hours, rows, different), error);
	send_answer_deinit(&answer);
	return err;
}

/* Count the keys of all hours together. */
static int count_keys(struct sender *sender, const struct target *target,
		      const struct choice *choice, uint64_t *keys, struct error *error)
{
	struct query query;
	int err = query_open(&query, error);

	if (err)
		return err;
	fputs("SELECT uniqExact(" KEY ") FROM profiles WHERE " WHERE_SAMPLES " AND ", query.out);
	where_time(query.out, choice);
	return query_number(&query, sender, target, 8, keys, error);
}

int hours_of_windows(struct sender *sender, const struct target *target,
		     const struct choice *choice, struct hours *hours, struct error *error)
{
	uint64_t rows, different, keys = 0;
	int err;

	*hours = (struct hours){ .final = "" };
	err = ask_windows(sender, target, choice, hours, &rows, &different, error) ?:
	      count_keys(sender, target, choice, &keys, error);
	if (err)
		return err;
	/* a window that came in between looks like one in several hours, which is safe */
	hours->shared = keys != different;
	if (rows == keys)
		return 0;
	hours->nr = 0;
	hours->final = " FINAL";
	return ask_windows(sender, target, choice, hours, &rows, &different, error);
}

int hours_of_rollups(struct sender *sender, const struct target *target,
		     const struct choice *choice, struct hours *hours, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	struct query query;
	int err;

	*hours = (struct hours){ .final = "" };
	err = query_open(&query, error);
	if (err)
		return err;
	fprintf(query.out, "SELECT hour, windows, mark FROM rollups WHERE kind = %d"
		" AND hour >= %" PRId64, ROLLUP_HOUR, choice->from_s / SECONDS_OF_HOUR);
	if (choice->to_s)
		fprintf(query.out, " AND hour <= %" PRId64, choice->to_s / SECONDS_OF_HOUR);
	fputs(" ORDER BY hour", query.out);
	err = query_ask(&query, sender, target, &answer, error);
	in = query_reader(&answer);
	while (!err && in.next < in.end) {
		struct hour hour = { .hour = (uint32_t)rowbinary_take_number(&in, 4) };

		hour.windows = rowbinary_take_number(&in, 8);
		hour.mark = rowbinary_take_number(&in, 8);
		err = explain(target, add(hours, &in, &hour), error);
	}
	send_answer_deinit(&answer);
	/* a store that was made before there were rollups */
	return err == -ENOENT ? 0 : err;
}

static int compare(const void *a, const void *b)
{
	const struct hour *left = a, *right = b;

	return (left->hour > right->hour) - (left->hour < right->hour);
}

const struct hour *hours_find(const struct hours *hours, uint32_t hour)
{
	const struct hour key = { .hour = hour };

	return hours->nr ? bsearch(&key, hours->list, hours->nr, sizeof(key), compare) : NULL;
}

bool hours_equal(const struct hours *a, const struct hours *b)
{
	for (size_t i = 0; a->nr == b->nr && i < a->nr; i++)
		if (a->list[i].hour != b->list[i].hour ||
		    a->list[i].windows != b->list[i].windows ||
		    a->list[i].mark != b->list[i].mark)
			return false;
	return a->nr == b->nr;
}

void hours_deinit(struct hours *hours)
{
	free(hours->list);
	hours->list = NULL;
	hours->nr = hours->room = 0;
}
