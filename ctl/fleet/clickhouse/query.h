/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ask ClickHouse: write a query, run it, read its answer.
 */
#ifndef FLAMECTL_CLICKHOUSE_QUERY_H
#define FLAMECTL_CLICKHOUSE_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "fleet/clickhouse/rowbinary.h"
#include "fleet/send.h"
#include "fleet/target.h"

/* The server keeps the answer until it is whole, so that an error is no answer. */
#define QUERY_WHOLE	"&wait_end_of_query=1"

/*
 * The server uses one thread for tables of fewer than 163840 rows. Those of windows have
 * thousands of elements each.
 */
#define QUERY_THREADS	"&merge_tree_min_rows_for_concurrent_read=64"

/* A query that is being written. */
struct query {
	FILE *out;
	char *text;
	size_t size;
};

/** query_open() - start a query. Return: 0 with query->out set, or -ENOMEM with @error. */
int query_open(struct query *query, struct error *error);

/**
 * query_ask() - run the query, which must have no FORMAT, and free it.
 * @answer: RowBinary; to be given to send_answer_deinit() in any case.
 *
 * Return: as clickhouse_run().
 */
int query_ask(struct query *query, struct sender *sender, const struct target *target,
	      struct send_answer *answer, struct error *error);

/**
 * query_number() - run a query that asks for one number, and free it.
 * @bytes: how many the number has in RowBinary, 1 to 8
 * @number: set on success.
 *
 * Return: as query_ask(), or -EPROTO.
 */
int query_number(struct query *query, struct sender *sender, const struct target *target,
		 size_t bytes, uint64_t *number, struct error *error);

/** query_run() - run a statement that has no answer, and free it. Return: as query_ask(). */
int query_run(struct query *query, struct sender *sender, const struct target *target,
	      const char *settings, struct error *error);

/** query_reader() - return what reads an answer from its start. */
struct rowbinary_reader query_reader(const struct send_answer *answer);

/** query_malformed() - set @error: an answer has other columns than asked for. */
int query_malformed(const struct target *target, struct error *error);

#endif /* FLAMECTL_CLICKHOUSE_QUERY_H */
