// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of a fleet on several servers: see cluster.h.
 *
 * There is one shard. A table that replaces rows of the same key does so among the rows
 * of one shard only, so the windows of a host would have to go to the same shard always,
 * and a client would have to know how many there are.
 */
#include "fleet/clickhouse/cluster.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char table[] = "CREATE TABLE IF NOT EXISTS ";
static const char base[] = "CREATE DATABASE IF NOT EXISTS ";
static const char engine[] = "ENGINE = ";

int cluster_check(const char *name, struct error *error)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (!isascii(name[i]) ||
		    (!isalnum((unsigned char)name[i]) && !strchr("_-.", name[i])))
			length = 0;
	if (!length || length > 64)
		return error_set(error, -EINVAL, "%.100s: the name of a cluster has 1 to 64 letters, digits and _ - .; SELECT cluster FROM system.clusters lists them",
				 name);
	return 0;
}

/* Return: the end of the word that starts at @text. */
static const char *word_end(const char *text)
{
	return text + strcspn(text, " (");
}

/* Write the engine, which starts at @from, with where its replicas meet. */
static void write_engine(FILE *out, const char *from, const char *name, size_t length,
			 const char *database)
{
	const char *open = strchr(from, '(');

	fprintf(out, "Replicated%.*s('/clickhouse/tables/flamemod/%s/%.*s', '{replica}'",
		(int)(open - from), from, database, (int)length, name);
	fprintf(out, "%s%s", open[1] == ')' ? "" : ", ", open + 1);
}

char *cluster_statement(const char *statement, const char *cluster, const char *database)
{
	bool is_table = !strncmp(statement, table, strlen(table));
	const char *name = statement + strlen(is_table ? table : base);
	const char *end = word_end(name), *of_engine = strstr(end, engine);
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	if (!out)
		return NULL;
	fprintf(out, "%.*s ON CLUSTER '%s'", (int)(end - statement), statement, cluster);
	if (is_table && of_engine) {
		of_engine += strlen(engine);
		fprintf(out, "%.*s", (int)(of_engine - end), end);
		write_engine(out, of_engine, name, (size_t)(end - name), database);
	} else {
		fputs(end, out);
	}
	if (!fclose(out))
		return made;
	free(made);
	return NULL;
}
