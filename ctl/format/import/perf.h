/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two kinds of lines that perf script prints: a sample's first line, which
 * names the task and the event, and the frames below it.
 */
#ifndef FLAMECTL_IMPORT_PERF_H
#define FLAMECTL_IMPORT_PERF_H

#include "format/import/import.h"

/* What a sample's first line holds; a number is 0 where there is none. */
struct perf_header {
	char *comm;		/* "" where it is not printed */
	char *event;		/* without its last colon, or NULL */
	char *rest;		/* what follows the event */
	uint32_t pid, tid, cpu;
	uint64_t time_ns, period;
	bool is_record;		/* PERF_RECORD_MMAP and the like: no sample */
};

/**
 * perf_header() - read a line as a sample's first one.
 * @text: written to only on success; the header points into it.
 *
 * To be one it needs a time, a CPU or an event, and before that the task.
 */
bool perf_header(char *text, struct perf_header *header);

/**
 * perf_short_header() - the same with fewer fields, such as of -F comm,tid or
 * -F time: a line that may be anything else as well.
 */
bool perf_short_header(char *text, struct perf_header *header);

/** perf_is_alone() - is @rest, of a header, a frame? One is without call chains. */
bool perf_is_alone(const char *rest);

/**
 * perf_is_frame() - is a line "ADDRESS SYMBOL+OFFSET (FILE)"?
 *
 * After a tab an address is enough; else what a comm may look like is none.
 */
bool perf_is_frame(const char *line);

/**
 * perf_push_frame() - push the frame in @text, and those inlined into it.
 * @text: what perf_is_frame() found to be one; written to.
 */
int perf_push_frame(struct import *import, char *text);

#endif /* FLAMECTL_IMPORT_PERF_H */
