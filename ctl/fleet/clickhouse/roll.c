// SPDX-License-Identifier: GPL-2.0
/*
 * Make rollups: see roll.h.
 */
#include "fleet/clickhouse/roll.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "fleet/clickhouse/hours.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/clickhouse/where.h"

/* How often an hour may get windows while it is rolled up. */
#define TRIES	3

/*
 * A stage's name has the server's time in it. One of this age is of a roll that was
 * killed, as no hour takes so long.
 */
#define STAGE		"rolling_"
#define STAGE_AGE_S	(6 * SECONDS_OF_HOUR)

/* Sums that do not fit into so many bytes are put aside on the server's disk. */
#define SETTINGS	"&max_bytes_before_external_group_by=2000000000"

struct rolling {
	struct sender *sender;
	const struct target *target;
	uint32_t now_s;			/* the server's */
	char stage[64];
};

static int run(const struct rolling *r, const char *settings, struct error *error,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));

static int run(const struct rolling *r, const char *settings, struct error *error,
	       const char *format, ...)
{
	struct query query;
	va_list args;
	int err = query_open(&query, error);

	if (err)
		return err;
	va_start(args, format);
	vfprintf(query.out, format, args);
	va_end(args);
	return query_run(&query, r->sender, r->target, settings, error);
}

/* ---- stages ---- */

static int read_clock(struct rolling *r, struct error *error)
{
	struct query query;
	uint64_t now_s;
	int err = query_open(&query, error);

	if (err)
		return err;
	fputs("SELECT toUInt32(now())", query.out);
	err = query_number(&query, r->sender, r->target, 4, &now_s, error);
	if (!err)
		r->now_s = (uint32_t)now_s;
	return err;
}

static int name_stage(struct rolling *r, struct error *error)
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_set(error, -EIO, "the system has no random number");
	snprintf(r->stage, sizeof(r->stage), STAGE "%" PRIu32 "_%016" PRIx64, r->now_s,
		 number);
	return 0;
}

static int drop_stage(const struct rolling *r, const char *name, struct error *error)
{
	return run(r, "", error, "DROP TABLE IF EXISTS %s", name);
}

/* Drop what rolls left that were killed. */
static int drop_old_stages(const struct rolling *r, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	struct query query;
	int err = query_open(&query, error);

	if (err)
		return err;
	fprintf(query.out, "SELECT name FROM system.tables WHERE database = currentDatabase()"
		" AND match(name, '^" STAGE "[0-9]+_[0-9a-f]{16}$')"
		" AND toUInt64OrZero(extract(name, '[0-9]+')) + %d < %" PRIu32,
		STAGE_AGE_S, r->now_s);
	err = query_ask(&query, r->sender, r->target, &answer, error);
	in = query_reader(&answer);
	while (!err && in.next < in.end) {
		char *name = rowbinary_take_text(&in);

		err = in.failed ? query_malformed(r->target, error) :
		      drop_stage(r, name, error);
		free(name);
	}
	send_answer_deinit(&answer);
	return err;
}

/* ---- an hour ---- */

static struct choice choice_of(uint32_t hour)
{
	return (struct choice){
		.from_s = (int64_t)hour * SECONDS_OF_HOUR,
		.to_s = ((int64_t)hour + 1) * SECONDS_OF_HOUR,
	};
}

/* Fill the stage from the windows, and with what is known of them. */
static int fill(const struct rolling *r, const struct hour *hour, const char *final,
		struct error *error)
{
	char windows[160];

	snprintf(windows, sizeof(windows), WHERE_SAMPLES " AND time >= toDateTime(%" PRIu64 ") AND time < toDateTime(%" PRIu64 ")",
		 (uint64_t)hour->hour * SECONDS_OF_HOUR,
		 ((uint64_t)hour->hour + 1) * SECONDS_OF_HOUR);
	return run(r, SETTINGS, error,
		   "INSERT INTO %s (hour, kind, period_ns, release, machine, labels, sid,"
		   " comm, context, periods, samples, late_us)"
		   " SELECT toUInt32(%" PRIu32 "), %d, period_ns, release, machine, labels,"
		   " i, c, x, sum(p * " SCHEMA_WEIGHT "), sum(n * " SCHEMA_WEIGHT "),"
		   " sum(l * " SCHEMA_WEIGHT ") FROM profiles%s"
		   " ARRAY JOIN sid AS i, comm AS c, context AS x, periods AS p,"
		   " samples AS n, late_us AS l WHERE %s"
		   " GROUP BY period_ns, release, machine, labels, i, c, x",
		   r->stage, hour->hour, ROLLUP_STACKS, final, windows) ?:
	       run(r, SETTINGS, error,
		   "INSERT INTO %s (hour, kind, period_ns, release, machine, labels, sid,"
		   " host, periods)"
		   " SELECT toUInt32(%" PRIu32 "), %d, period_ns, release, machine, labels,"
		   " i, host, sum(p * " SCHEMA_WEIGHT ") FROM profiles%s ARRAY JOIN sid AS i, periods AS p"
		   " WHERE %s GROUP BY period_ns, release, machine, labels, i, host",
		   r->stage, hour->hour, ROLLUP_HOSTS, final, windows) ?:
	       run(r, "", error, "INSERT INTO %s (hour, kind, windows, mark)"
		   " VALUES (%" PRIu32 ", %d, %" PRIu64 ", %" PRIu64 ")",
		   r->stage, hour->hour, ROLLUP_HOUR, hour->windows, hour->mark);
}

/* Compare the stage with the books. A part of it may have been taken twice, or not at all. */
static int check_stage(const struct rolling *r, const struct hour *hour,
		       struct error *error)
{
	uint64_t sums[] = { [ROLLUP_HOUR] = 0, [ROLLUP_STACKS] = 0, [ROLLUP_HOSTS] = 0 };
	struct rowbinary_reader in;
	struct send_answer answer;
	struct query query;
	int err = query_open(&query, error);

	if (err)
		return err;
	fprintf(query.out, "SELECT kind, sum(periods) FROM %s GROUP BY kind", r->stage);
	err = query_ask(&query, r->sender, r->target, &answer, error);
	in = query_reader(&answer);
	while (!err && in.next < in.end) {
		size_t kind = (size_t)rowbinary_take_number(&in, 1);
		uint64_t sum = rowbinary_take_number(&in, 8);

		if (in.failed || kind >= sizeof(sums) / sizeof(sums[0]))
			err = query_malformed(r->target, error);
		else
			sums[kind] = sum;
	}
	send_answer_deinit(&answer);
	if (err || (sums[ROLLUP_STACKS] == hour->stored && sums[ROLLUP_HOSTS] == hour->stored))
		return err;
	return error_set(error, -EBADMSG, "hour %" PRIu32 ": the books have %" PRIu64 " periods, its stacks %" PRIu64 ", those by host %" PRIu64,
			 hour->hour, hour->stored, sums[ROLLUP_STACKS], sums[ROLLUP_HOSTS]);
}

/* Fill and check the stage. Return: -EAGAIN if windows came meanwhile. */
static int make_stage(const struct rolling *r, const struct hours *before,
		      struct error *error)
{
	const struct hour *hour = &before->list[0];
	const struct choice choice = choice_of(hour->hour);
	struct hours after;
	int err, checked;

	err = fill(r, hour, before->final, error);
	if (err)
		return err;
	checked = check_stage(r, hour, error);
	if (checked && checked != -EBADMSG)
		return checked;
	err = hours_of_windows(r->sender, r->target, &choice, &after, checked ? NULL : error);
	if (!err && !hours_equal(before, &after))
		err = -EAGAIN;
	hours_deinit(&after);
	return err ?: checked;
}

/* Make a stage of the hour as it is now, and let it replace the hour's rollup. */
static int try_hour(struct rolling *r, uint32_t number, struct error *error)
{
	const struct choice choice = choice_of(number);
	struct error ignored;
	struct hours hours;
	int err = hours_of_windows(r->sender, r->target, &choice, &hours, error);

	if (!err && hours.nr != 1)
		err = -EAGAIN;
	err = err ?: name_stage(r, error);
	if (err)
		goto out;
	/* also on a cluster, where rollups has another engine, the stage is of this server */
	err = run(r, "", error, "CREATE TABLE %s AS rollups ENGINE = MergeTree()"
		  " PARTITION BY hour ORDER BY (kind, release, sid, host)", r->stage) ?:
	      make_stage(r, &hours, error) ?:
	      run(r, "", error, "ALTER TABLE rollups REPLACE PARTITION %" PRIu32 " FROM %s",
		  number, r->stage);
	/* if it cannot be dropped now, a later roll will */
	drop_stage(r, r->stage, &ignored);
out:
	hours_deinit(&hours);
	return err;
}

static int roll_hour(struct rolling *r, uint32_t number, struct roll_tally *tally,
		     struct error *error)
{
	struct error why;
	int err = -EAGAIN;

	for (int i = 0; i < TRIES && (err == -EAGAIN || err == -EBADMSG); i++)
		err = try_hour(r, number, &why);
	if (err == -EAGAIN)
		tally->busy++;
	else if (!err)
		tally->rolled++;
	else if (err != -EBADMSG || !tally->wrong++)
		*error = why;		/* of all that are wrong, the first */
	/* other hours can be rolled up all the same */
	return err == -EAGAIN || err == -EBADMSG ? 0 : err;
}

/* ---- all hours ---- */

/* Return: whether the choice has all of an hour, and the hour is over. */
static bool is_asked_for(const struct rolling *r, const struct choice *choice,
			 uint32_t hour)
{
	const struct choice all = choice_of(hour);

	return all.from_s >= choice->from_s && (!choice->to_s || all.to_s <= choice->to_s) &&
	       all.to_s <= r->now_s;
}

static int remove_empty(struct rolling *r, const struct choice *choice,
			const struct hours *windows, const struct hours *rollups,
			struct roll_tally *tally, struct error *error)
{
	int err = 0;

	for (size_t i = 0; i < rollups->nr && !err; i++) {
		uint32_t hour = rollups->list[i].hour;

		if (!is_asked_for(r, choice, hour) || hours_find(windows, hour))
			continue;
		err = run(r, "", error, "ALTER TABLE rollups DROP PARTITION %" PRIu32, hour);
		tally->removed += !err;
	}
	return err;
}

static int roll_changed(struct rolling *r, const struct choice *choice,
			const struct hours *windows, const struct hours *rollups,
			struct roll_tally *tally, struct error *error)
{
	int err = 0;

	for (size_t i = 0; i < windows->nr && !err; i++) {
		const struct hour *hour = &windows->list[i];
		const struct hour *rollup = hours_find(rollups, hour->hour);

		if (!is_asked_for(r, choice, hour->hour))
			continue;
		if (rollup && rollup->windows == hour->windows && rollup->mark == hour->mark)
			tally->current++;
		else
			err = roll_hour(r, hour->hour, tally, error);
	}
	return err;
}

int roll_hours(struct sender *sender, const struct target *target,
	       const struct choice *choice, struct roll_tally *tally, struct error *error)
{
	struct rolling r = { .sender = sender, .target = target };
	struct hours windows = { .nr = 0 }, rollups = { .nr = 0 };
	int err;

	*tally = (struct roll_tally){ 0 };
	err = read_clock(&r, error) ?: drop_old_stages(&r, error) ?:
	      hours_of_windows(sender, target, choice, &windows, error) ?:
	      hours_of_rollups(sender, target, choice, &rollups, error) ?:
	      remove_empty(&r, choice, &windows, &rollups, tally, error) ?:
	      roll_changed(&r, choice, &windows, &rollups, tally, error);
	hours_deinit(&windows);
	hours_deinit(&rollups);
	return err ?: tally->wrong ? -EBADMSG : 0;
}
