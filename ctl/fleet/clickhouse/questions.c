// SPDX-License-Identifier: GPL-2.0
/*
 * Questions whose answers are tables: see questions.h.
 */
#include "fleet/clickhouse/questions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fleet/clickhouse/read.h"
#include "fleet/clickhouse/rowbinary.h"
#include "fleet/clickhouse/where.h"

/* Finish a query that was written to @out, and ask. */
static int ask(struct sender *sender, const struct target *target, FILE *out, char **query,
	       struct send_answer *answer, struct error *error)
{
	int err = fclose(out) ? error_set(error, -ENOMEM, "%s", strerror(ENOMEM)) :
		  clickhouse_ask(sender, target, *query, answer, error);

	free(*query);
	return err;
}

static int short_of_memory(struct error *error)
{
	return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
}

static struct rowbinary_reader reader_of(const struct send_answer *answer)
{
	return (struct rowbinary_reader){ answer->body, answer->body + answer->size, false };
}

static int malformed(const struct target *target, struct error *error)
{
	return error_set(error, -EPROTO, "%.200s: its answer is not what was asked for",
			 target->host);
}

/* Find out whether to use FINAL, and refuse a choice without windows. */
static int look(struct sender *sender, const struct target *target,
		const struct choice *choice, const char **final, struct error *error)
{
	uint64_t windows;
	int err = clickhouse_final(sender, target, choice, &windows, final, error);

	if (!err && !windows)
		err = error_set(error, -ENODATA, "no window of the store matches");
	return err;
}

/* ---- costs ---- */

/* The step of a window, as SQL; a step that is 0 makes none. */
static void put_step(FILE *out, uint64_t step_s)
{
	if (step_s)
		fprintf(out, "toInt64(intDiv(toUInt32(time), %" PRIu64 ") * %" PRIu64 ")",
			step_s, step_s);
	else
		fputs("toInt64(0)", out);
}

/*
 * One query has rows of two kinds, which are then added: the books of each window, and
 * the function's rows. It is one so that both are of the same windows.
 */
static int ask_costs(struct sender *sender, const struct target *target,
		     const struct choice *choice, const char *final, const char *function,
		     uint64_t step_s, struct send_answer *answer, struct error *error)
{
	char *query = NULL;
	size_t size;
	FILE *out = open_memstream(&query, &size);

	memset(answer, 0, sizeof(*answer));
	if (!out)
		return short_of_memory(error);
	fputs("SELECT host, step, sum(f), sum(a) FROM (SELECT host, ", out);
	put_step(out, step_s);
	fputs(" AS step, toUInt64(0) AS f, (stored + arraySum(lost)) * period_ns AS a"
	      " FROM profiles", out);
	fprintf(out, "%s WHERE ", final);
	where_choice(out, choice);
	fputs(" UNION ALL SELECT host, ", out);
	put_step(out, step_s);
	fprintf(out, " AS step, sum(p * period_ns) AS f, toUInt64(0) AS a FROM profiles%s"
		" ARRAY JOIN sid AS i, periods AS p WHERE ", final);
	where_choice(out, choice);
	fputs(" AND i IN (SELECT sid FROM stacks WHERE has(names, ", out);
	where_text(out, function);
	fputs(")) GROUP BY host, step) GROUP BY host, step ORDER BY host, step", out);
	return ask(sender, target, out, &query, answer, error);
}

static int take_cost(struct costs *costs, struct rowbinary_reader *in)
{
	struct cost cost = { .host = rowbinary_take_text(in) };

	cost.from_s = (int64_t)rowbinary_take_number(in, 8);
	cost.function_ns = rowbinary_take_number(in, 8);
	cost.all_ns = rowbinary_take_number(in, 8);
	if (in->failed || vec_reserve(costs->list, costs->room, costs->nr + 1)) {
		free(cost.host);
		return in->failed ? -EPROTO : -ENOMEM;
	}
	costs->list[costs->nr++] = cost;
	return 0;
}

int questions_costs(struct sender *sender, const struct target *target,
		    const struct choice *choice, const char *function, uint64_t step_s,
		    struct costs *costs, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	const char *final;
	int err = look(sender, target, choice, &final, error);

	memset(costs, 0, sizeof(*costs));
	if (err)
		return err;
	err = ask_costs(sender, target, choice, final, function, step_s, &answer, error);
	if (!err) {
		in = reader_of(&answer);
		while (in.next < in.end && !err)
			err = take_cost(costs, &in);
		if (err == -EPROTO)
			malformed(target, error);
		else if (err)
			short_of_memory(error);
	}
	send_answer_deinit(&answer);
	return err;
}

void costs_deinit(struct costs *costs)
{
	for (size_t i = 0; i < costs->nr; i++)
		free(costs->list[i].host);
	free(costs->list);
	memset(costs, 0, sizeof(*costs));
}

/* ---- shifts ---- */

/* The hosts of a choice, with all that was sampled on each, as a query. */
static void put_hosts(FILE *out, const struct choice *choice, const char *final)
{
	fprintf(out, "SELECT host, toFloat64(sum((stored + arraySum(lost)) * period_ns)) AS a"
		" FROM profiles%s WHERE ", final);
	where_choice(out, choice);
	fputs(" GROUP BY host HAVING a > 0", out);
}

/*
 * What each stack took on each host, then by the stack's leaf, then by function: the sum
 * over the hosts, and the sum of squares. Hosts without a function add nothing to either.
 * The joins are LEFT, because ANY INNER means something else since version 19.14.
 */
static void put_shares(FILE *out, const struct choice *choice, const char *final)
{
	fputs("SELECT leaf, sum(share), sum(share * share) FROM"
	      " (SELECT host, leaf, f / a AS share FROM"
	      " (SELECT host, leaf, toFloat64(sum(v)) AS f FROM"
	      " (SELECT host, i, sum(p * period_ns) AS v FROM profiles", out);
	fprintf(out, "%s ARRAY JOIN sid AS i, periods AS p WHERE ", final);
	where_choice(out, choice);
	fputs(" GROUP BY host, i) AS taken ANY LEFT JOIN"
	      " (SELECT sid AS i, names[-1] AS leaf FROM stacks WHERE length(names) > 0 LIMIT 1 BY sid)"
	      " AS named USING i WHERE leaf != '' GROUP BY host, leaf) AS spent ANY LEFT JOIN (", out);
	put_hosts(out, choice, final);
	fputs(") AS hosts USING host WHERE a > 0) GROUP BY leaf ORDER BY leaf", out);
}

static int count_hosts(struct sender *sender, const struct target *target,
		       const struct choice *choice, const char *final, double *hosts,
		       struct error *error)
{
	struct send_answer answer = { 0 };
	struct rowbinary_reader in;
	char *query = NULL;
	size_t size;
	FILE *out = open_memstream(&query, &size);
	int err;

	if (!out)
		return short_of_memory(error);
	fputs("SELECT count() FROM (", out);
	put_hosts(out, choice, final);
	fputs(")", out);
	err = ask(sender, target, out, &query, &answer, error);
	if (!err) {
		in = reader_of(&answer);
		*hosts = (double)rowbinary_take_number(&in, 8);
		err = in.failed ? malformed(target, error) : 0;
	}
	send_answer_deinit(&answer);
	return err;
}

/* Ask for one choice. The answer has a function a row, by name. */
static int ask_shares(struct sender *sender, const struct target *target,
		      const struct choice *choice, double *hosts,
		      struct send_answer *answer, struct error *error)
{
	char *query = NULL;
	const char *final;
	size_t size;
	FILE *out;
	int err = look(sender, target, choice, &final, error) ?:
		  count_hosts(sender, target, choice, final, hosts, error);

	memset(answer, 0, sizeof(*answer));
	if (err)
		return err;
	out = open_memstream(&query, &size);
	if (!out)
		return short_of_memory(error);
	put_shares(out, choice, final);
	return ask(sender, target, out, &query, answer, error);
}

static struct shift take_shift(struct rowbinary_reader *in, double hosts)
{
	struct shift shift = { .function = rowbinary_take_text(in) };

	shift.a.n = hosts;
	shift.a.sum = rowbinary_take_double(in);
	shift.a.sum_of_squares = rowbinary_take_double(in);
	return shift;
}

static int compare_names(const void *a, const void *b)
{
	const struct shift *left = a, *right = b;

	return strcmp(left->function, right->function);
}

static int compare_p(const void *a, const void *b)
{
	const struct shift *left = a, *right = b;

	return (left->p > right->p) - (left->p < right->p) ?: compare_names(a, b);
}

/* Take the functions of A, or of B into those of A. @nr_a: of these, by name. */
static int take_shares(struct shifts *shifts, const struct send_answer *answer, bool is_b,
		       size_t nr_a)
{
	struct rowbinary_reader in = reader_of(answer);

	while (in.next < in.end) {
		double hosts = is_b ? shifts->hosts_b : shifts->hosts_a;
		struct shift taken = take_shift(&in, hosts), *found = NULL;

		if (in.failed || vec_reserve(shifts->list, shifts->room, shifts->nr + 1)) {
			free(taken.function);
			return in.failed ? -EPROTO : -ENOMEM;
		}
		if (!is_b) {
			taken.b.n = shifts->hosts_b;
			shifts->list[shifts->nr++] = taken;
			continue;
		}
		if (nr_a)
			found = bsearch(&taken, shifts->list, nr_a, sizeof(taken), compare_names);
		if (found) {
			found->b = taken.a;
			free(taken.function);
			continue;
		}
		taken.b = taken.a;
		taken.a = (struct sample){ .n = shifts->hosts_a };
		shifts->list[shifts->nr++] = taken;
	}
	return 0;
}

int questions_shifts(struct sender *sender, const struct target *target,
		     const struct choice *a, const struct choice *b,
		     struct shifts *shifts, struct error *error)
{
	struct send_answer of_a = { 0 }, of_b = { 0 };
	int err;

	memset(shifts, 0, sizeof(*shifts));
	err = ask_shares(sender, target, a, &shifts->hosts_a, &of_a, error) ?:
	      ask_shares(sender, target, b, &shifts->hosts_b, &of_b, error);
	if (!err) {
		err = take_shares(shifts, &of_a, false, 0);
		/* in our own order, whatever the server's is */
		if (!err && shifts->nr)
			qsort(shifts->list, shifts->nr, sizeof(*shifts->list), compare_names);
		err = err ?: take_shares(shifts, &of_b, true, shifts->nr);
		if (err == -EPROTO)
			malformed(target, error);
		else if (err)
			short_of_memory(error);
	}
	for (size_t i = 0; i < shifts->nr; i++)
		shifts->list[i].p = welch_p(&shifts->list[i].a, &shifts->list[i].b);
	if (shifts->nr)
		qsort(shifts->list, shifts->nr, sizeof(*shifts->list), compare_p);
	send_answer_deinit(&of_a);
	send_answer_deinit(&of_b);
	return err;
}

void shifts_deinit(struct shifts *shifts)
{
	for (size_t i = 0; i < shifts->nr; i++)
		free(shifts->list[i].function);
	free(shifts->list);
	memset(shifts, 0, sizeof(*shifts));
}
