// SPDX-License-Identifier: GPL-2.0
/*
 * How functions differ between two choices of windows: see shifts.h.
 */
#include "fleet/clickhouse/shifts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fleet/clickhouse/cover.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/clickhouse/where.h"

/* One of the two choices. */
struct side {
	struct sender *sender;
	const struct target *target;
	struct cover cover;
	double hosts;
	struct estimate estimate;
	struct send_answer shares;
};

/* Each host of a choice, with all that was sampled on it, as a query. @more: columns. */
static void put_hosts(const struct side *side, const char *more, FILE *out)
{
	fprintf(out, "SELECT cityHash64(host) AS h, toFloat64(sum(" SCHEMA_WHOLE " * period_ns"
		" * " SCHEMA_WEIGHT ")) AS a%s"
		" FROM profiles%s WHERE ", more, side->cover.final);
	where_choice(out, side->cover.choice);
	fputs(" GROUP BY h HAVING throwIf(uniqExact(host) > 1) = 0 AND a > 0", out);
}

/* What each stack took on each host: h, i and v, several times for some. */
static void put_rows(const struct side *side, FILE *out)
{
	bool cgroups = choice_has_cgroups(side->cover.choice);

	if (side->cover.has_windows) {
		fprintf(out, "SELECT h, i, p * weight_ns AS v FROM (SELECT cityHash64(host) AS h,"
			" sid, periods%s, period_ns * " SCHEMA_WEIGHT " AS weight_ns FROM profiles%s"
			" WHERE ", cgroups ? ", cgroups, cgroup" : "", side->cover.final);
		cover_put_windows(&side->cover, out);
		fprintf(out, ") ARRAY JOIN sid AS i, periods AS p%s WHERE ",
			cgroups ? ", " WHERE_CGROUPS : "");
		where_cgroups(out, side->cover.choice);
	}
	if (side->cover.has_windows && side->cover.has_rollups)
		fputs(" UNION ALL ", out);
	if (side->cover.has_rollups) {
		fputs("SELECT cityHash64(host) AS h, sid AS i, periods * period_ns AS v"
		      " FROM rollups WHERE ", out);
		cover_put_rollups(&side->cover, out);
	}
}

/*
 * What each stack took on each host, then by function, which is the stack's leaf: the sum
 * over the hosts, and the sum of squares. Hosts without a function add nothing to either.
 *
 * Hosts and functions are grouped by 64 bits of a hash, which takes half the time that
 * texts do. If two of either ever have the same one, the server stops with an error.
 * Shares are added up in rising order, so that the sum is always the same.
 * The joins are LEFT, because ANY INNER means something else since version 19.14.
 */
static void put_shares(const struct side *side, FILE *out)
{
	static const char has_leaf[] = " FROM stacks WHERE length(names) > 0";

	fputs("SELECT name, s, q FROM (SELECT leaf, arraySum(arraySort(groupArray(share))) AS s,"
	      " arraySum(arraySort(groupArray(share * share))) AS q FROM"
	      " (SELECT leaf, toFloat64(f) / a AS share FROM"
	      " (SELECT h, leaf, sum(v) AS f FROM (", out);
	put_rows(side, out);
	fprintf(out, ") AS taken ANY LEFT JOIN (SELECT sid AS i, cityHash64(names[-1]) AS leaf%s"
		" LIMIT 1 BY sid) AS known USING i WHERE leaf != 0 GROUP BY h, leaf) AS spent"
		" ANY LEFT JOIN (", has_leaf);
	put_hosts(side, "", out);
	fprintf(out, ") AS hosts USING h WHERE a > 0) GROUP BY leaf) AS shares ANY LEFT JOIN"
		" (SELECT cityHash64(names[-1]) AS leaf, any(names[-1]) AS name%s GROUP BY leaf"
		" HAVING throwIf(uniqExact(names[-1]) > 1) = 0) AS named USING leaf ORDER BY name",
		has_leaf);
}

static int count_hosts(struct side *side, struct error *error)
{
	struct send_answer answer;
	struct rowbinary_reader in;
	struct query query;
	int err = query_open(&query, error);

	if (err)
		return err;
	fputs("SELECT count(), max(t), max(w) FROM (", query.out);
	put_hosts(side, ", max(" SCHEMA_THRESHOLD ") AS t, max(" SCHEMA_WEIGHT ") AS w",
		  query.out);
	fputs(")", query.out);
	err = query_ask(&query, side->sender, side->target, &answer, error);
	if (!err) {
		in = query_reader(&answer);
		side->hosts = (double)rowbinary_take_number(&in, 8);
		side->estimate.threshold = rowbinary_take_number(&in, 8);
		side->estimate.weighted = rowbinary_take_number(&in, 8);
		err = in.failed ? query_malformed(side->target, error) : 0;
	}
	send_answer_deinit(&answer);
	return err;
}

static int ask_once(struct side *side, const struct choice *choice, struct error *error)
{
	struct query query;
	int err = cover_look(&side->cover, side->sender, side->target, choice, COVER_HOSTS,
			     error) ?:
		  count_hosts(side, error) ?: query_open(&query, error);

	if (err)
		return err;
	put_shares(side, query.out);
	return query_ask(&query, side->sender, side->target, &side->shares, error) ?:
	       cover_check(&side->cover, side->sender, side->target, error);
}

/* Ask for one choice. The answer has a function a row, by name. */
static int ask_shares(struct side *side, const struct choice *choice, struct error *error)
{
	int err = -EBADMSG;

	for (int i = 0; i < COVER_TRIES && err == -EBADMSG; i++) {
		send_answer_deinit(&side->shares);
		memset(&side->shares, 0, sizeof(side->shares));
		err = ask_once(side, choice, error);
		cover_deinit(&side->cover);
	}
	return err;
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
	struct rowbinary_reader in = query_reader(answer);

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

static int take_both(struct shifts *shifts, const struct side *a, const struct side *b,
		     struct error *error)
{
	int err;

	shifts->hosts_a = a->hosts;
	shifts->hosts_b = b->hosts;
	estimate_add(&shifts->estimate, a->estimate);
	estimate_add(&shifts->estimate, b->estimate);
	err = take_shares(shifts, &a->shares, false, 0);
	/* in our own order, whatever the server's is */
	if (!err && shifts->nr)
		qsort(shifts->list, shifts->nr, sizeof(*shifts->list), compare_names);
	err = err ?: take_shares(shifts, &b->shares, true, shifts->nr);
	if (err == -EPROTO)
		return query_malformed(a->target, error);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

int shifts_ask(struct sender *sender, const struct target *target,
	       const struct choice *a, const struct choice *b,
	       struct shifts *shifts, struct error *error)
{
	struct side of_a = { .sender = sender, .target = target }, of_b = of_a;
	int err;

	memset(shifts, 0, sizeof(*shifts));
	err = ask_shares(&of_a, a, error) ?: ask_shares(&of_b, b, error) ?:
	      take_both(shifts, &of_a, &of_b, error);
	for (size_t i = 0; i < shifts->nr; i++)
		shifts->list[i].p = welch_p(&shifts->list[i].a, &shifts->list[i].b);
	if (shifts->nr)
		qsort(shifts->list, shifts->nr, sizeof(*shifts->list), compare_p);
	send_answer_deinit(&of_a.shares);
	send_answer_deinit(&of_b.shares);
	return err;
}

void shifts_deinit(struct shifts *shifts)
{
	for (size_t i = 0; i < shifts->nr; i++)
		free(shifts->list[i].function);
	free(shifts->list);
	memset(shifts, 0, sizeof(*shifts));
}
