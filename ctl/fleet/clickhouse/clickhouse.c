// SPDX-License-Identifier: GPL-2.0
/*
 * ClickHouse over HTTP: see clickhouse.h.
 */
#include "fleet/clickhouse/clickhouse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/clickhouse/cluster.h"

/* Codes of ClickHouse's src/Common/ErrorCodes.cpp, which never change. */
enum {
	NO_SUCH_COLUMN_IN_TABLE = 16,
	UNKNOWN_IDENTIFIER = 47,
	UNKNOWN_TABLE = 60,
	UNKNOWN_DATABASE = 81,
	READONLY = 164,
	UNKNOWN_STATUS_OF_INSERT = 319,
};

/* Those that another time may not have. */
static const long busy_codes[] = {
	159,	/* TIMEOUT_EXCEEDED */
	202,	/* TOO_MANY_SIMULTANEOUS_QUERIES */
	203,	/* NO_FREE_CONNECTION */
	209,	/* SOCKET_TIMEOUT */
	210,	/* NETWORK_ERROR */
	225,	/* NO_ZOOKEEPER */
	241,	/* MEMORY_LIMIT_EXCEEDED */
	242,	/* TABLE_IS_READ_ONLY: it lost ZooKeeper */
	252,	/* TOO_MANY_PARTS */
	285,	/* TOO_FEW_LIVE_REPLICAS */
	286,	/* UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE */
	999,	/* KEEPER_EXCEPTION */
};

/* Return: N of "Code: N", which all versions start their message with; or 0. */
static long code_of(const struct send_answer *answer)
{
	if (strncmp(answer->body, "Code: ", 6))
		return 0;
	return strtol(answer->body + 6, NULL, 10);
}

enum send_verdict clickhouse_judge(const struct send_answer *answer)
{
	long code = code_of(answer);

	if (answer->status / 100 != 5 || !code)
		return send_judge(answer);
	if (code == UNKNOWN_STATUS_OF_INSERT)
		return SEND_IS_DOUBTFUL;
	for (size_t i = 0; i < sizeof(busy_codes) / sizeof(busy_codes[0]); i++)
		if (code == busy_codes[i])
			return SEND_IS_BUSY;
	return SEND_IS_REFUSED;
}

const char *clickhouse_database(const struct target *target)
{
	return *target->path ? target->path : "default";
}

/* Return: the URL, or NULL. */
static char *make_url(const struct target *target, const char *database,
		      const char *query, const char *settings)
{
	char *escaped = target_escape(query), *base = target_escape(database);
	char *rest = NULL, *url = NULL;

	if (escaped && base &&
	    asprintf(&rest, "/?%s%s%s%s%s", *base ? "database=" : "", base,
		     *escaped ? "&query=" : "", escaped, settings) >= 0)
		url = target_url(target, rest);
	free(rest);
	free(escaped);
	free(base);
	return url;
}

/* @type: one more header, or NULL */
static int add_typed(struct target_requests *requests, const struct target *target,
		     char *url, const char *type, void *body, size_t size)
{
	char user[sizeof(target->user) + 32], *key = NULL;
	const char *headers[4] = { NULL };
	size_t nr = 0;
	int err;

	snprintf(user, sizeof(user), "X-ClickHouse-User: %s", target->user);
	if (*target->user)
		headers[nr++] = user;
	if (*target->token && asprintf(&key, "X-ClickHouse-Key: %s", target->token) < 0) {
		free(url);
		free(body);
		return -ENOMEM;
	}
	if (key)
		headers[nr++] = key;
	if (type)
		headers[nr++] = type;
	err = target_requests_add(requests, target, url, headers, body, size);
	if (key)
		explicit_bzero(key, strlen(key));
	free(key);
	if (!err)
		requests->list[requests->nr - 1].judge = clickhouse_judge;
	return err;
}

static int add(struct target_requests *requests, const struct target *target,
	       char *url, void *body, size_t size)
{
	return add_typed(requests, target, url, NULL, body, size);
}

int clickhouse_add(struct target_requests *requests, const struct target *target,
		   const char *statement, const char *settings, void *body, size_t size)
{
	const char *database = clickhouse_database(target);
	char *text;
	int err;

	if (body) {
		err = add(requests, target, make_url(target, database, statement, settings),
			  body, size);
		if (!err)
			requests->list[requests->nr - 1].gzip = true;
		return err;
	}
	text = strdup(statement);
	if (!text)
		return -ENOMEM;
	return add(requests, target, make_url(target, database, "", settings), text,
		   strlen(text));
}

int clickhouse_explain(const struct target *target, const struct send_answer *answer,
		       struct error *error)
{
	long code = answer->body ? code_of(answer) : 0;
	struct error why = *error;

	if (code == UNKNOWN_TABLE || code == UNKNOWN_DATABASE)
		return error_set(error, -ENOENT,
				 "%.300s: the database %.60s has no tables of a fleet yet, flamectl fleet init makes them",
				 why.text, clickhouse_database(target));
	if (code == UNKNOWN_IDENTIFIER || code == NO_SUCH_COLUMN_IN_TABLE)
		return error_set(error, -ENOENT,
				 "%.300s: the tables of the database %.60s are of an earlier version, flamectl fleet init adds what they lack",
				 why.text, clickhouse_database(target));
	return code == READONLY ? -EROFS : -EIO;
}

/* Send one request. Return: 0 or -errno with @error. */
static int run(struct sender *sender, const struct target *target,
	       const struct target_requests *requests, struct send_answer *answer,
	       struct error *error)
{
	int outcome = send_request(sender, &requests->list[0], answer, error);

	if (outcome == SEND_TAKEN && answer->truncated)
		return error_set(error, -EFBIG, "%.200s answers more than %zu bytes: select less",
				 target->host, answer->size);
	if (outcome < 0 || outcome == SEND_TAKEN)
		return outcome;
	return clickhouse_explain(target, answer, error);
}

/* Run a request, unless making it failed with @err, and free it. Return: as run(). */
static int run_and_free(struct sender *sender, const struct target *target,
			struct target_requests *requests, int err,
			struct send_answer *answer, struct error *error)
{
	memset(answer, 0, sizeof(*answer));
	if (err)
		error_set(error, err, "%s", strerror(-err));
	else
		err = run(sender, target, requests, answer, error);
	target_requests_deinit(requests);
	return err;
}

int clickhouse_run(struct sender *sender, const struct target *target,
		   const char *statement, const char *settings,
		   struct send_answer *answer, struct error *error)
{
	struct target_requests requests = { 0 };
	int err = clickhouse_add(&requests, target, statement, settings, NULL, 0);

	return run_and_free(sender, target, &requests, err, answer, error);
}

int clickhouse_run_form(struct sender *sender, const struct target *target,
			const char *query, const char *settings, const char *boundary,
			char *body, size_t size, struct send_answer *answer,
			struct error *error)
{
	struct target_requests requests = { 0 };
	char type[160];
	int err;

	snprintf(type, sizeof(type), "Content-Type: multipart/form-data; boundary=%s",
		 boundary);
	err = add_typed(&requests, target,
			make_url(target, clickhouse_database(target), query, settings),
			type, body, size);
	return run_and_free(sender, target, &requests, err, answer, error);
}

/* Run a statement outside of the target's database, which may not exist yet. */
static int run_outside(struct sender *sender, const struct target *target,
		       const char *statement, struct send_answer *answer,
		       struct error *error)
{
	struct target_requests requests = { 0 };
	char *text = strdup(statement);
	int err = text ? add(&requests, target, make_url(target, "", "", ""), text,
			     strlen(text)) : -ENOMEM;

	return run_and_free(sender, target, &requests, err, answer, error);
}

int clickhouse_version(struct sender *sender, const struct target *target,
		       struct schema_server *server, struct error *error)
{
	struct send_answer answer;
	int err = run_outside(sender, target, "SELECT version()", &answer, error);

	if (!err && sscanf(answer.body, "%u.%u.", &server->major, &server->minor) != 2)
		err = error_set(error, -EPROTO, "%.200s is no ClickHouse server: it has no version",
				target->host);
	send_answer_deinit(&answer);
	return err;
}

static bool is_database_name(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (!isascii(name[i]) ||
		    (!isalnum((unsigned char)name[i]) && name[i] != '_'))
			return false;
	return length && length <= 64 && !isdigit((unsigned char)*name);
}

/*
 * Run a statement that makes something, on all servers if there is a cluster.
 * @statement: freed here; NULL if memory was short.
 * @how: what runs it.
 */
static int make(struct sender *sender, const struct target *target, char *statement,
		const char *cluster, typeof(run_outside) *how, struct error *error)
{
	struct send_answer answer;
	char *text = statement;
	int err;

	if (statement && cluster) {
		text = cluster_statement(statement, cluster, clickhouse_database(target));
		free(statement);
	}
	if (!text)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	err = how(sender, target, text, &answer, error);
	send_answer_deinit(&answer);
	free(text);
	return err;
}

static int run_inside(struct sender *sender, const struct target *target,
		      const char *statement, struct send_answer *answer,
		      struct error *error)
{
	return clickhouse_run(sender, target, statement, "", answer, error);
}

/* Ask whether the table profiles has a column. */
static int ask_column(struct sender *sender, const struct target *target, const char *name,
		      bool *has, struct error *error)
{
	struct send_answer answer;
	char question[192];
	int err;

	snprintf(question, sizeof(question), "SELECT count() FROM system.columns WHERE"
		 " database = currentDatabase() AND table = 'profiles' AND name = '%s'", name);
	err = clickhouse_run(sender, target, question, "", &answer, error);
	*has = !err && *answer.body != '0';
	send_answer_deinit(&answer);
	return err;
}

/* Add a column that profiles lacks if an earlier version made it. */
static int upgrade(struct sender *sender, const struct target *target,
		   const struct schema_column *column, struct error *error)
{
	struct send_answer answer;
	bool has;
	int err = ask_column(sender, target, column->name, &has, error);

	if (err || has)
		return err;
	err = clickhouse_run(sender, target, column->statement, "", &answer, error);
	send_answer_deinit(&answer);
	return err;
}

int clickhouse_init(struct sender *sender, const struct target *target,
		    const struct schema_server *server, const char *cluster,
		    unsigned int keep_days, struct error *error)
{
	const char *database = clickhouse_database(target);
	char *statement;
	int err;

	if (!is_database_name(database))
		return error_set(error, -EINVAL, "%.100s: the name of a database has 1 to 64 letters, digits and underscores, and does not start with a digit",
				 database);
	if (cluster && cluster_check(cluster, error))
		return -EINVAL;
	if (asprintf(&statement, "CREATE DATABASE IF NOT EXISTS %s", database) < 0)
		statement = NULL;
	err = make(sender, target, statement, cluster, run_outside, error);
	for (size_t i = 0; i < SCHEMA_STATEMENTS && !err; i++)
		err = make(sender, target, schema_statement(i, server, keep_days), cluster,
			   run_inside, error);
	for (size_t i = 0; i < SCHEMA_COLUMNS && !err; i++)
		err = upgrade(sender, target, &schema_columns[i], error);
	return err;
}
