/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading perf.data files as the text that perf script prints: only perf can
 * read its own files, with the symbols that it finds.
 */
#ifndef FLAMECTL_PERF_DATA_H
#define FLAMECTL_PERF_DATA_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

struct perf_data {
	FILE *text;		/* stdout of perf script */
	pid_t pid;
	int complaints;		/* a file with its stderr */
};

/**
 * perf_data_open() - run perf script on the file at @path.
 * @path: "-" for standard input, which must then be a file.
 *
 * Runs perf directly, without a shell, and looks for it in PATH.
 *
 * Return: 0, or -errno with @error. If there is no perf, @error names the
 * command to run elsewhere.
 */
int perf_data_open(struct perf_data *data, const char *path,
		   struct error *error);

/**
 * perf_data_close() - stop perf script if it still runs, and check its status.
 * @read_all: its text was read to the end; else the status does not matter.
 *
 * Return: 0, or -EBADMSG with @error, which includes the end of its stderr.
 */
int perf_data_close(struct perf_data *data, bool read_all, struct error *error);

#endif /* FLAMECTL_PERF_DATA_H */
