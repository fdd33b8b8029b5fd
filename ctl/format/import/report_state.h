/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the parser of perf report's text share: what was read so
 * far.
 */
#ifndef FLAMECTL_IMPORT_REPORT_STATE_H
#define FLAMECTL_IMPORT_REPORT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/import/import.h"

#define REPORT_COLUMNS_MAX	16
#define REPORT_NOTHING		SIZE_MAX

enum report_column {
	COLUMN_OTHER, COLUMN_COMM, COLUMN_PID, COLUMN_CPU, COLUMN_SYMBOL,
	COLUMN_CHILDREN,
};

/* The column above a run of dots. */
struct report_place {
	size_t begin, end;
	enum report_column column;
};

/* A line of percentages and columns: the task of the stacks below it. */
struct report_entry {
	size_t comm, symbol;		/* into texts, or REPORT_NOTHING */
	uint32_t pid, cpu;
	bool is_left_out;		/* of another event */
};

struct report_chain {
	size_t text;
	uint64_t weight;
	uintmax_t line_number;
	size_t entry;
};

struct report {
	struct import import;
	char titles[1024];		/* the line with the columns' names */
	struct report_place places[REPORT_COLUMNS_MAX];
	unsigned int nr_places;
	bool has_children, has_symbols;
	char event[256], this_event[256], other_event[256];
	uint64_t nr_samples;		/* as in the head: may be rounded */
	struct report_entry *entries;
	size_t nr_entries, entries_room;
	struct report_chain *chains;
	size_t nr_chains, chains_room;
	char *texts;
	size_t texts_size, texts_room;
	bool has_percent, has_number;
	int root_first;			/* votes for it minus those against */
};

static inline bool report_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/**
 * report_make_room() - grow @array to hold @nr elements. Return: 0, or -ENOMEM
 * with the error filled in.
 */
int report_make_room(struct report *report, void *array, size_t size,
		     size_t nr, size_t *room);

/**
 * report_keep_text() - copy @text to the texts, and set @at to its offset
 * there. Return: 0, or -ENOMEM with the error filled in.
 */
int report_keep_text(struct report *report, const char *text, size_t length,
		     size_t *at);

/** report_read_comment() - read a line of the head: events, titles, or dots. */
void report_read_comment(struct report *report);

/**
 * report_read_entry() - read a line of percentages and columns. Return: 0, or
 * -errno with the error filled in.
 */
int report_read_entry(struct report *report);

/** report_vote() - count a stack's votes on whether stacks are root first. */
void report_vote(struct report *report, const char *text,
		 const struct report_entry *entry);

/** report_is_root_first() - evaluate the votes, after all stacks are read. */
bool report_is_root_first(const struct report *report);

/**
 * report_is_self() - report whether the entry's function is the leaf of the
 * stack @text.
 */
bool report_is_self(const struct report *report, const char *text,
		    const struct report_entry *entry, bool root_first);

#endif /* FLAMECTL_IMPORT_REPORT_STATE_H */
