// SPDX-License-Identifier: GPL-2.0
/*
 * Read and write what the agent has counted: see ledger.h.
 */
#include "agent/ledger.h"

#include <errno.h>
#include <string.h>

#include "agent/disk.h"
#include "agent/pairs.h"

#define KEY_MAX		40
#define NR_PAIRS	(14 + 2 * LEDGER_DROPS + LEDGER_BREAKS)

static const char *const drop_names[LEDGER_DROPS] = {
	[LEDGER_DROP_FULL] = "full",
	[LEDGER_DROP_AGE] = "age",
	[LEDGER_DROP_DAMAGED] = "damaged",
};

static const char *const break_names[LEDGER_BREAKS] = {
	[LEDGER_BREAK_FIRST] = "first",
	[LEDGER_BREAK_BOOT] = "boot",
	[LEDGER_BREAK_MODULE] = "module",
	[LEDGER_BREAK_STATE] = "state",
};

const char *ledger_drop_name(enum ledger_drop reason)
{
	return drop_names[reason];
}

const char *ledger_break_name(enum ledger_break reason)
{
	return break_names[reason];
}

struct table {
	struct pair pairs[NR_PAIRS];
	char keys[2 * LEDGER_DROPS + LEDGER_BREAKS][KEY_MAX];
};

static void add_pair(struct table *table, size_t *nr, const char *what, const char *name,
		     const char *suffix, uint64_t *number)
{
	char *key = table->keys[*nr];

	snprintf(key, KEY_MAX, "%.10s%.16s%.10s", what, name, suffix);
	table->pairs[(*nr)++] = (struct pair){ key, number };
}

static void make_table(struct ledger *ledger, struct table *table)
{
	const struct pair rest[] = {
		{ "made", &ledger->made },
		{ "made-periods", &ledger->made_periods },
		{ "merged", &ledger->merged },
		{ "gap-ns", &ledger->gap_ns },
		{ "resets", &ledger->resets },
		{ "pauses", &ledger->pauses },
		{ "paused-ns", &ledger->paused_ns },
		{ "off-duty", &ledger->off_duty },
		{ "on-duty", &ledger->on_duty },
		{ "off-duty-ns", &ledger->off_duty_ns },
		{ "clock-steps", &ledger->clock_steps },
		{ "lost-cursors", &ledger->lost_cursors },
		{ "removing", NULL, ledger->removing, sizeof(ledger->removing) },
		{ NULL }
	};
	size_t nr = 0;

	for (size_t i = 0; i < LEDGER_DROPS; i++) {
		add_pair(table, &nr, "dropped-", drop_names[i], "", &ledger->dropped[i]);
		add_pair(table, &nr, "dropped-", drop_names[i], "-periods",
			 &ledger->dropped_periods[i]);
	}
	for (size_t i = 0; i < LEDGER_BREAKS; i++)
		add_pair(table, &nr, "breaks-", break_names[i], "", &ledger->breaks[i]);
	_Static_assert(sizeof(rest) / sizeof(rest[0]) + 2 * LEDGER_DROPS + LEDGER_BREAKS ==
		       NR_PAIRS, "all pairs have room");
	memcpy(&table->pairs[nr], rest, sizeof(rest));
}

bool ledger_is_off_duty(const struct ledger *ledger)
{
	return ledger->off_duty > ledger->on_duty;
}

int ledger_read(int directory, struct ledger *ledger, struct error *error)
{
	struct window removing;
	struct table table;
	int err;

	memset(ledger, 0, sizeof(*ledger));
	make_table(ledger, &table);
	err = pairs_read(table.pairs, directory, LEDGER_FILE, error);
	/* other files are not removed, whoever has written this one */
	if (!window_parse(ledger->removing, &removing))
		*ledger->removing = '\0';
	return err == -ENOENT ? 0 : err;
}

int ledger_print(const void *what, FILE *out, struct error *error)
{
	struct ledger ledger = *(const struct ledger *)what;
	struct table table;

	(void)error;
	make_table(&ledger, &table);
	pairs_write(table.pairs, out);
	return 0;
}

void ledger_sum(struct ledger *ledger, const struct ledger *counts)
{
	struct ledger copy = *counts;
	struct table sums, table;

	make_table(ledger, &sums);
	make_table(&copy, &table);
	for (size_t i = 0; table.pairs[i].key; i++)
		if (table.pairs[i].number)
			*sums.pairs[i].number += *table.pairs[i].number;
}

int ledger_write(int directory, const struct ledger *ledger, struct error *error)
{
	return disk_replace(directory, LEDGER_FILE, ledger_print, ledger, error);
}
