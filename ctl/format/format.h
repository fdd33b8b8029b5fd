/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats that are read: one table, which --from, help and every command
 * that reads a profile share. A file's format is found by what it begins with,
 * so that no command reads less than another.
 */
#ifndef FLAMECTL_FORMAT_H
#define FLAMECTL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "format/import/import.h"

struct format {
	const char *name;	/* of --from */
	const char *what;	/* what prints it, for help */
	/*
	 * Does a file that begins with these bytes hold it? @head is ended by a
	 * NUL behind @size bytes; its last line may be cut. The first row of the
	 * table that says so is taken.
	 */
	bool (*probe)(const char *head, size_t size);
	/* NULL: it is no text, see load.c */
	import_fn read;
};

/* A row without a name ends it. The last row takes any text. */
extern const struct format formats[];

/* The rows that are no text, and folded text, which becomes a tree as well. */
extern const struct format *const format_pprof, *const format_perf_data,
	*const format_folded;

/* What --from takes: the names of all rows, as struct command_option has them. */
#define FORMAT_VALUES	\
	"pprof perf-data perf-script perf-report trace-cmd bpftrace-json " \
	"bpftrace stap dtrace oprofile bcc folded"

/** format_find() - the format of this name, or NULL. */
const struct format *format_find(const char *name);

/**
 * format_of() - the format of what begins so.
 * @head: ended by a NUL behind @size bytes.
 */
const struct format *format_of(const char *head, size_t size);

#endif /* FLAMECTL_FORMAT_H */
