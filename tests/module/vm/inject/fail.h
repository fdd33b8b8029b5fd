/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets one allocation fail, through a task's file fail-nth. The kernel's fault injection must
 * have been told to fail all allocations: see inject.sh.
 */
#ifndef FAIL_H
#define FAIL_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "nlask.h"

/* What became of an operation in which an allocation was to fail. */
struct result {
	bool met;		/* the failure, on the way */
	unsigned int left;	/* else: how many more could have been passed */
	int error;		/* errno; 0: it was done */
};

/* Let allocation @nth fail; 0 for none. Writing is a copy that may fail too. */
static inline void fail_set(int fail_fd, unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth), try;

	for (try = 0; try < 3; try++)
		if (pwrite(fail_fd, text, len, 0) == len)
			return;
	die("write fail-nth");
}

/* Let no further allocation fail. Return: what became of the operation; @failed: with errno. */
static inline struct result fail_result(int fail_fd, bool failed)
{
	struct result result = { .error = failed ? errno : 0 };
	char text[16] = "";

	/* the copy that would show that it did not fail may itself fail */
	result.met = pread(fail_fd, text, sizeof(text) - 1, 0) > 0 && !atoi(text);
	result.left = atoi(text);
	fail_set(fail_fd, 0);
	return result;
}

#endif /* FAIL_H */
