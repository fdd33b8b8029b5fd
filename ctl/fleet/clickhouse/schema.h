/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a fleet in ClickHouse: docs/fleet.md describes them.
 */
#ifndef FLAMECTL_CLICKHOUSE_SCHEMA_H
#define FLAMECTL_CLICKHOUSE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/* What a window is known by; of each event that it has there is a row. */
#define SCHEMA_WINDOW		"host, boot_id, epoch, begin_ns"

/* How many statements make all tables. */
#define SCHEMA_STATEMENTS	3

/* Stacks outlive the windows with which they were sent, by so much. */
#define SCHEMA_STACKS_EXTRA_DAYS	30

/* What a server can do; Debian 12 has 18.16. */
struct schema_server {
	unsigned int major, minor;
};

/** schema_expires() - report whether the server removes old rows by itself. */
bool schema_expires(const struct schema_server *server);

/*
 * How often a window counts in a sum, of the table profiles: K, if its inclusion is 1/K. A
 * row that somebody added without an inclusion counts once.
 */
#define SCHEMA_WEIGHT	"if(inclusion > 0, toUInt64(round(1 / inclusion)), toUInt64(1))"

/*
 * What was stored or lost of a window, of the table profiles. It is not the sum of the two, as
 * earlier versions did not send what an event lost for other reasons than samples.
 */
#define SCHEMA_WHOLE	"toUInt64(fires + missed - filtered)"

/* The threshold of a window in periods, from its label as encode.c writes it; 0: none. */
#define SCHEMA_THRESHOLD \
	"arrayReduce('max', arrayMap(l -> startsWith(l, 'threshold=') ?" \
	" toUInt64OrZero(substring(l, 11)) : 0, arrayPushBack(labels, '')))"

/*
 * Of an event other than samples: the column hits has what its books say of numbers of hits
 * or intervals, traits what holds for all of them. In a sum of windows, hits and powers are
 * added, and of traits the largest count.
 */
enum { SCHEMA_HITS_SEEN, SCHEMA_HITS_BELOW, SCHEMA_HITS_BELOW_NS, SCHEMA_HITS_LOST };
enum { SCHEMA_TRAITS_MIN_NS, SCHEMA_TRAITS_NO_WAITING, SCHEMA_TRAITS_OF_HITS, SCHEMA_TRAITS };
/* The column unit says this for time. Other units are as in a profile. */
#define SCHEMA_UNIT_TIME	"nanoseconds"

/**
 * schema_statement() - write one statement, "CREATE TABLE IF NOT EXISTS ...".
 * @keep_days: how long windows are kept, where the server can remove them.
 *
 * Return: the text, which the caller frees, or NULL.
 */
char *schema_statement(size_t number, const struct schema_server *server,
		       unsigned int keep_days);

/* Columns that the table profiles of earlier versions does not have. */
#define SCHEMA_COLUMNS		8

struct schema_column {
	const char *name;
	const char *statement;		/* which adds it */
};

extern const struct schema_column schema_columns[SCHEMA_COLUMNS];

#endif /* FLAMECTL_CLICKHOUSE_SCHEMA_H */
