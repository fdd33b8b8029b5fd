/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ClickHouse over HTTP: POST with the statement in the URL and the data in the body.
 * Source: https://clickhouse.com/docs/interfaces/http
 */
#ifndef FLAMECTL_CLICKHOUSE_H
#define FLAMECTL_CLICKHOUSE_H

#include <stddef.h>

#include "base/error.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/send.h"
#include "fleet/target.h"

extern const struct target_kind target_clickhouse;

/**
 * clickhouse_judge() - read an answer: of the errors that come with status 500, those of
 * an overloaded server, or one that cannot write now, are busy.
 */
enum send_verdict clickhouse_judge(const struct send_answer *answer);

/**
 * clickhouse_database() - return the target's database: the path of its URL, or
 * "default".
 */
const char *clickhouse_database(const struct target *target);

/**
 * clickhouse_add() - add a request for one statement.
 * @settings: more of the URL's parameters, "&a=b", or "".
 * @body: as for target_requests_add(): the statement's data. NULL: it has none, and is
 *	  itself the body, of any length.
 *
 * Return: 0 or -ENOMEM.
 */
int clickhouse_add(struct target_requests *requests, const struct target *target,
		   const char *statement, const char *settings, void *body, size_t size);

/**
 * clickhouse_run() - run one statement without data, and wait for its answer.
 * @answer: to be given to send_answer_deinit().
 *
 * Return: 0, or -errno with @error: the server's message, and what to do. -EROFS: the user may
 * only read, and change no settings.
 */
int clickhouse_run(struct sender *sender, const struct target *target,
		   const char *statement, const char *settings,
		   struct send_answer *answer, struct error *error);

/**
 * clickhouse_run_form() - run a query with a table of the caller's beside it, which is in
 * @body, a form (multipart/form-data).
 * @settings: "&a=b", which name the table's format and columns.
 * @boundary: of the form's parts.
 * @body: on the heap; freed here.
 *
 * Return: as clickhouse_run().
 */
int clickhouse_run_form(struct sender *sender, const struct target *target,
			const char *query, const char *settings, const char *boundary,
			char *body, size_t size, struct send_answer *answer,
			struct error *error);

/**
 * clickhouse_version() - ask the server for its version.
 *
 * Return: 0 or -errno with @error.
 */
int clickhouse_version(struct sender *sender, const struct target *target,
		       struct schema_server *server, struct error *error);

/**
 * clickhouse_explain() - add to @error, the server's message, what to do about it.
 *
 * Return: -ENOENT if tables or columns are missing, -EROFS if the user may not, or -EIO.
 */
int clickhouse_explain(const struct target *target, const struct send_answer *answer,
		       struct error *error);

/**
 * clickhouse_init() - make the database and its tables where they are missing, and add
 * columns that tables of an earlier version lack.
 * @cluster: make them on all servers of this cluster, as replicas of one another. NULL:
 *	     on this server alone.
 *
 * Return: 0 or -errno with @error.
 */
int clickhouse_init(struct sender *sender, const struct target *target,
		    const struct schema_server *server, const char *cluster,
		    unsigned int keep_days, struct error *error);

#endif /* FLAMECTL_CLICKHOUSE_H */
