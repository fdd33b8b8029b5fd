// SPDX-License-Identifier: GPL-2.0
/*
 * Ask ClickHouse: see query.h.
 */
#include "fleet/clickhouse/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/clickhouse/clickhouse.h"

int query_open(struct query *query, struct error *error)
{
	query->text = NULL;
	query->out = open_memstream(&query->text, &query->size);
	return query->out ? 0 : error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
}

static int end(struct query *query, struct error *error)
{
	return fclose(query->out) ? error_set(error, -ENOMEM, "%s", strerror(ENOMEM)) : 0;
}

int query_ask(struct query *query, struct sender *sender, const struct target *target,
	      struct send_answer *answer, struct error *error)
{
	int err;

	memset(answer, 0, sizeof(*answer));
	fputs(" FORMAT RowBinary", query->out);
	err = end(query, error) ?: clickhouse_run(sender, target, query->text,
						  QUERY_WHOLE QUERY_THREADS, answer, error);
	if (err == -EROFS) {
		/* a user who may change no settings waits longer */
		send_answer_deinit(answer);
		err = clickhouse_run(sender, target, query->text, QUERY_WHOLE, answer, error);
	}
	free(query->text);
	return err;
}

int query_number(struct query *query, struct sender *sender, const struct target *target,
		 size_t bytes, uint64_t *number, struct error *error)
{
	struct send_answer answer;
	int err = query_ask(query, sender, target, &answer, error);

	if (!err) {
		struct rowbinary_reader in = query_reader(&answer);

		*number = rowbinary_take_number(&in, bytes);
		err = in.failed ? query_malformed(target, error) : 0;
	}
	send_answer_deinit(&answer);
	return err;
}

int query_run(struct query *query, struct sender *sender, const struct target *target,
	      const char *settings, struct error *error)
{
	struct send_answer answer = { 0 };
	int err = end(query, error) ?:
		  clickhouse_run(sender, target, query->text, settings, &answer, error);

	free(query->text);
	send_answer_deinit(&answer);
	return err;
}

struct rowbinary_reader query_reader(const struct send_answer *answer)
{
	return (struct rowbinary_reader){ answer->body, answer->body + answer->size, false };
}

int query_malformed(const struct target *target, struct error *error)
{
	return error_set(error, -EPROTO, "%.200s: its answer is not what was asked for",
			 target->host);
}
