/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The input formats: one table, shared by --from, the help text and every
 * command that reads a profile, so that all commands read the same formats. A
 * file's format is recognised by its first bytes.
 */
#ifndef FLAMECTL_FORMAT_H
#define FLAMECTL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "format/import/import.h"

struct format {
	const char *name;	/* value of --from */
	const char *what;	/* what produces it, for the help text */
	/*
	 * Report whether a file with these first bytes is of this format. A
	 * NUL follows the @size bytes of @head; its last line may be cut. The
	 * first row that matches is used.
	 */
	bool (*probe)(const char *head, size_t size);
	/* NULL for a binary format, see load.c */
	import_fn read;
};

/* A row without a name ends the table. The row before it matches any text. */
extern const struct format formats[];

/* The binary formats, and folded text, which can also be read into a tree. */
extern const struct format *const format_pprof, *const format_perf_data,
	*const format_folded;

/* Values of --from: the names of all rows, as in struct command_option. */
#define FORMAT_VALUES	\
	"pprof perf-data perf-script perf-report trace-cmd bpftrace-json " \
	"bpftrace stap dtrace oprofile bcc folded"

/** format_find() - return the format of this name, or NULL. */
const struct format *format_find(const char *name);

/**
 * format_of() - recognise the format by the first bytes of a file.
 * @head: followed by a NUL after @size bytes.
 */
const struct format *format_of(const char *head, size_t size);

#endif /* FLAMECTL_FORMAT_H */
