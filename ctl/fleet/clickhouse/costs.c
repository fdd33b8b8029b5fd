// SPDX-License-Identifier: GPL-2.0
/*
 * What a function costs on each host: see costs.h.
 */
#include "fleet/clickhouse/costs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fleet/clickhouse/cover.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/clickhouse/where.h"

struct costing {
	struct sender *sender;
	const struct target *target;
	const char *function;
	uint64_t step_s;
	struct cover cover;
};

/* The step of a time in seconds, as SQL; a step that is 0 makes none. */
static void put_step(const struct costing *c, FILE *out, const char *seconds)
{
	if (c->step_s)
		fprintf(out, "toInt64(intDiv(%s, %" PRIu64 ") * %" PRIu64 ")", seconds,
			c->step_s, c->step_s);
	else
		fputs("toInt64(0)", out);
	fputs(" AS step", out);
}

/* The periods of stacks that have the function. */
static void put_stacks(const struct costing *c, FILE *out, const char *sid)
{
	fprintf(out, " AND %s IN (SELECT sid FROM stacks WHERE has(names, ", sid);
	where_text(out, c->function);
	fputs(")) GROUP BY host, step", out);
}

/* Whether there are estimates is asked of the books. */
#define NO_ESTIMATE ", toUInt64(0) AS t, toUInt64(0) AS w"

/*
 * One query has rows of two kinds, which are then added: the books of each window, and
 * the function's rows. It is one so that both are of the same windows.
 */
static void put_query(const struct costing *c, FILE *out)
{
	fputs("SELECT host, step, sum(f), sum(a), max(t), max(w) FROM (SELECT host, ", out);
	put_step(c, out, "toUInt32(time)");
	fprintf(out, ", toUInt64(0) AS f, " SCHEMA_WHOLE " * period_ns * w AS a, "
		SCHEMA_THRESHOLD " AS t, " SCHEMA_WEIGHT " AS w FROM profiles%s WHERE ",
		c->cover.final);
	where_choice(out, c->cover.choice);
	if (c->cover.has_windows) {
		fputs(" UNION ALL SELECT host, ", out);
		put_step(c, out, "toUInt32(time)");
		fprintf(out, ", sum(p * period_ns * " SCHEMA_WEIGHT ") AS f, toUInt64(0) AS a"
			NO_ESTIMATE " FROM profiles%s ARRAY JOIN sid AS i, periods AS p%s WHERE ",
			c->cover.final, choice_has_cgroups(c->cover.choice) ? ", " WHERE_CGROUPS : "");
		cover_put_windows(&c->cover, out);
		fputs(" AND ", out);
		where_cgroups(out, c->cover.choice);
		put_stacks(c, out, "i");
	}
	if (c->cover.has_rollups) {
		fputs(" UNION ALL SELECT host, ", out);
		put_step(c, out, "toUInt32(hour * 3600)");
		fputs(", sum(periods * period_ns) AS f, toUInt64(0) AS a" NO_ESTIMATE
		      " FROM rollups WHERE ", out);
		cover_put_rollups(&c->cover, out);
		put_stacks(c, out, "sid");
	}
	fputs(") GROUP BY host, step ORDER BY host, step", out);
}

static int take_cost(struct costs *costs, struct rowbinary_reader *in)
{
	struct cost cost = { .host = rowbinary_take_text(in) };
	struct estimate estimate = { .in_ns = false };

	cost.from_s = (int64_t)rowbinary_take_number(in, 8);
	cost.function_ns = rowbinary_take_number(in, 8);
	cost.all_ns = rowbinary_take_number(in, 8);
	estimate.threshold = rowbinary_take_number(in, 8);
	estimate.weighted = rowbinary_take_number(in, 8);
	if (in->failed || vec_reserve(costs->list, costs->room, costs->nr + 1)) {
		free(cost.host);
		return in->failed ? -EPROTO : -ENOMEM;
	}
	costs->list[costs->nr++] = cost;
	estimate_add(&costs->estimate, estimate);
	return 0;
}

static int take_costs(struct costs *costs, const struct send_answer *answer,
		      const struct target *target, struct error *error)
{
	struct rowbinary_reader in = query_reader(answer);
	int err = 0;

	while (in.next < in.end && !err)
		err = take_cost(costs, &in);
	if (err == -EPROTO)
		return query_malformed(target, error);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

static int ask_once(struct costing *c, const struct choice *choice, struct costs *costs,
		    struct error *error)
{
	/* an hour's rollup is of no use for parts of the hour */
	bool in_hours = c->step_s % SECONDS_OF_HOUR == 0;
	struct send_answer answer = { 0 };
	struct query query;
	int err = cover_look(&c->cover, c->sender, c->target, choice,
			     in_hours ? COVER_HOSTS : COVER_WINDOWS, error) ?:
		  query_open(&query, error);

	if (err)
		return err;
	put_query(c, query.out);
	err = query_ask(&query, c->sender, c->target, &answer, error) ?:
	      take_costs(costs, &answer, c->target, error) ?:
	      cover_check(&c->cover, c->sender, c->target, error);
	send_answer_deinit(&answer);
	return err;
}

int costs_ask(struct sender *sender, const struct target *target,
	      const struct choice *choice, const char *function, uint64_t step_s,
	      struct costs *costs, struct error *error)
{
	int err = -EBADMSG;

	memset(costs, 0, sizeof(*costs));
	for (int i = 0; i < COVER_TRIES && err == -EBADMSG; i++) {
		struct costing c = {
			.sender = sender, .target = target, .function = function,
			.step_s = step_s,
		};

		costs_deinit(costs);
		err = ask_once(&c, choice, costs, error);
		cover_deinit(&c.cover);
	}
	return err;
}

void costs_deinit(struct costs *costs)
{
	for (size_t i = 0; i < costs->nr; i++)
		free(costs->list[i].host);
	free(costs->list);
	memset(costs, 0, sizeof(*costs));
}
