/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file, as the text that perf script makes of it: only perf can
 * read what it wrote, with the symbols that it finds.
 */
#ifndef FLAMECTL_PERF_DATA_H
#define FLAMECTL_PERF_DATA_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

struct perf_data {
	FILE *text;		/* what it prints */
	pid_t pid;
	int complaints;		/* a file of its stderr */
};

/**
 * perf_data_open() - run perf script on the file at @path.
 * @path: "-" for standard input, which must be a file then.
 *
 * No shell is used, and perf is looked for in PATH.
 *
 * Return: 0, or -errno with @error, which names the command to run where there
 * is no perf.
 */
int perf_data_open(struct perf_data *data, const char *path,
		   struct error *error);

/**
 * perf_data_close() - stop it if it still runs, and ask how it ended.
 * @read_all: its text was read to the end; else how it ended does not matter.
 *
 * Return: 0, or -EBADMSG with @error, which has what it complained of last.
 */
int perf_data_close(struct perf_data *data, bool read_all, struct error *error);

#endif /* FLAMECTL_PERF_DATA_H */
