// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of a fleet: see schema.h.
 *
 * The same columns are made on all servers. Newer ones get a codec, dictionaries for
 * texts that repeat, and a time to live; 18.16 knows none of these.
 */
#include "fleet/clickhouse/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What rollups depend on, as a number. The server computes it from what is inserted, so
 * that no client has to know of it.
 */
#define CONTENT \
	"content UInt64 DEFAULT cityHash64(time, release, machine, labels, period_ns," \
	" sid, comm, context, periods, samples, late_us)"

/*
 * {repeats}: a text with few different values. {codec}: for a large column. {keep},
 * {keep-stacks} and {keep-hours}: until when rows stay.
 */
static const char *const statements[SCHEMA_STATEMENTS] = {
	/*
	 * A row is a window, or what one has of an event. The engine keeps one row of those
	 * with the same key, which is the window's identity without its end: of a growing dump, which starts at
	 * the same instant each time, the last one stays. Blocks of the index have few rows,
	 * because a row has thousands of elements: the server reads whole blocks, and a block
	 * at a time in each thread.
	 */
	"CREATE TABLE IF NOT EXISTS profiles (\n"
	" host {repeats}, boot_id {repeats}, epoch UInt32, begin_ns UInt64, end_ns UInt64,\n"
	" time DateTime('UTC'), time_ns Int64, release {repeats}, machine {repeats},\n"
	" version {repeats}, labels Array(String), hz UInt32, period_ns UInt64,\n"
	" inclusion Float64, duration_ns UInt64, sampled_ns UInt64, cpus UInt32,\n"
	" expected UInt64, fires UInt64, missed UInt64, stored UInt64, filtered UInt64,\n"
	" truncated UInt64, asleep UInt64, late UInt64, stolen UInt64, overdue Int64,\n"
	" lost Array(UInt64),\n"
	" sid Array(FixedString(16)){codec}, comm Array({repeats}){codec},\n"
	" context Array(UInt8){codec}, periods Array(UInt64){codec},\n"
	" samples Array(UInt64){codec}, late_us Array(UInt64){codec},\n"
	/* those of the window, and for each row which of them; empty where they are not kept */
	" cgroups Array({repeats}){codec}, cgroup Array(UInt16){codec},\n"
	/* of events other than samples, see encode.c; "" and empty for samples */
	" event {repeats}, unit {repeats}, hits Array(UInt64), powers Array(UInt64),\n"
	" traits Array(UInt64),\n"
	" " CONTENT "\n"
	") ENGINE = ReplacingMergeTree(end_ns) PARTITION BY toDate(time)\n"
	" ORDER BY (" SCHEMA_WINDOW ", event){keep}\n"
	" SETTINGS index_granularity = 64",
	"CREATE TABLE IF NOT EXISTS stacks (\n"
	" sid FixedString(16), names Array({repeats}){codec}, kinds Array(UInt8){codec},\n"
	" paths Array({repeats}){codec}, build_ids Array({repeats}){codec},\n"
	" offsets Array(UInt64){codec}, seen Date\n"
	") ENGINE = ReplacingMergeTree(seen) ORDER BY sid{keep-stacks}",
	/*
	 * Sums of an hour, see hours.h and roll.h. All of an hour is one partition, so that
	 * it is replaced as a whole. Columns that a kind of row has not are empty.
	 */
	"CREATE TABLE IF NOT EXISTS rollups (\n"
	" hour UInt32, kind UInt8, windows UInt64, mark UInt64, period_ns UInt64,\n"
	" release {repeats}, machine {repeats}, labels Array(String),\n"
	" sid FixedString(16){codec}, host {repeats}, comm {repeats}, context UInt8,\n"
	" periods UInt64{codec}, samples UInt64{codec}, late_us UInt64{codec}\n"
	") ENGINE = MergeTree() PARTITION BY hour\n"
	" ORDER BY (kind, release, sid, host){keep-hours}",
};

bool schema_expires(const struct schema_server *server)
{
	/* TTL of tables came with 19.6 */
	return server->major > 19 || (server->major == 19 && server->minor >= 6);
}

/* Write the text that replaces a word in braces, such as "{codec}". */
static void put_word(FILE *out, const char *word, bool is_new, unsigned int keep_days)
{
	if (!strncmp(word, "{repeats}", 9))
		fputs(is_new ? "LowCardinality(String)" : "String", out);
	else if (!is_new)
		return;
	else if (!strncmp(word, "{codec}", 7))
		fputs(" CODEC(ZSTD(1))", out);
	else if (!strncmp(word, "{keep}", 6))
		fprintf(out, "\n TTL time + INTERVAL %u DAY", keep_days);
	else if (!strncmp(word, "{keep-hours}", 12))
		fprintf(out, "\n TTL toDateTime(hour * 3600) + INTERVAL %u DAY", keep_days);
	else
		fprintf(out, "\n TTL seen + INTERVAL %u DAY", keep_days + SCHEMA_STACKS_EXTRA_DAYS);
}

char *schema_statement(size_t number, const struct schema_server *server,
		       unsigned int keep_days)
{
	bool is_new = schema_expires(server);
	const char *text = statements[number];
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	if (!out)
		return NULL;
	for (const char *next; *text; text = next) {
		next = text + 1;
		if (*text == '{') {
			put_word(out, text, is_new, keep_days);
			next = strchr(text, '}') + 1;
		} else {
			putc(*text, out);
		}
	}
	if (!fclose(out))
		return made;
	free(made);
	return NULL;
}

const struct schema_column schema_columns[SCHEMA_COLUMNS] = {
	{ "content", "ALTER TABLE profiles ADD COLUMN " CONTENT },
	{ "cgroups", "ALTER TABLE profiles ADD COLUMN cgroups Array(String)" },
	{ "cgroup", "ALTER TABLE profiles ADD COLUMN cgroup Array(UInt16)" },
	/* a column may be added to the key together with it alone */
	{ "event", "ALTER TABLE profiles ADD COLUMN event String,"
	  " MODIFY ORDER BY (" SCHEMA_WINDOW ", event)" },
	{ "unit", "ALTER TABLE profiles ADD COLUMN unit String" },
	{ "hits", "ALTER TABLE profiles ADD COLUMN hits Array(UInt64)" },
	{ "powers", "ALTER TABLE profiles ADD COLUMN powers Array(UInt64)" },
	{ "traits", "ALTER TABLE profiles ADD COLUMN traits Array(UInt64)" },
};
