/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parsing of the two kinds of lines that perf script prints: a sample's first
 * line, which names the task and the event, and the frames below it.
 */
#ifndef FLAMECTL_IMPORT_PERF_H
#define FLAMECTL_IMPORT_PERF_H

#include "format/import/import.h"

/* The fields of a sample's first line; missing numbers are 0. */
struct perf_header {
	char *comm;		/* "" if it is missing */
	char *event;		/* without its last colon, or NULL */
	char *rest;		/* what follows the event */
	uint32_t pid, tid, cpu;
	uint64_t time_ns, period;
	bool is_record;		/* a PERF_RECORD_..., not a sample */
};

/**
 * perf_header() - parse a line as a sample's first line.
 * @text: modified only on success; the header points into it.
 *
 * Such a line needs a time, a CPU or an event, and the task before that.
 *
 * Return: true if it is one.
 */
bool perf_header(char *text, struct perf_header *header);

/**
 * perf_short_header() - parse a first line that has fewer fields, such as with
 * -F comm,tid or -F time. Other lines may match, too.
 */
bool perf_short_header(char *text, struct perf_header *header);

/**
 * perf_is_alone() - report whether @rest of a header is a frame, not a chain.
 */
bool perf_is_alone(const char *rest);

/**
 * perf_is_frame() - report whether a line is "ADDRESS SYMBOL+OFFSET (FILE)".
 *
 * After a tab, an address is enough; else text that may be a comm is rejected.
 */
bool perf_is_frame(const char *line);

/**
 * perf_frame_key() - find what follows the address in a frame's line.
 * @text: must have passed perf_is_frame().
 * @in_kernel: set to whether the address is in the kernel's half. All that
 *	       perf_push_frame() pushes depends on this and on what is returned.
 */
char *perf_frame_key(char *text, bool *in_kernel);

/**
 * perf_push_frame() - push a frame, and those inlined into it.
 * @text: what perf_frame_key() returned; modified.
 */
int perf_push_frame(struct import *import, char *text, bool in_kernel);

#endif /* FLAMECTL_IMPORT_PERF_H */
