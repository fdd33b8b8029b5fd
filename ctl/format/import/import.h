/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profiles from the text of other tools: one file a format, and what they
 * share: lines, which are numbered and bounded, and stacks, which become
 * records.
 *
 * Such text has no books: all that it tells of is taken as stored. Its weights
 * are "periods" of a length that is known where it says so, or the user does.
 */
#ifndef FLAMECTL_IMPORT_H
#define FLAMECTL_IMPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/notes.h"
#include "profile/profile.h"

/* The longest line of these formats, in bytes; folded text has its own limit. */
#define IMPORT_LINE_MAX		(1U << 20)

struct events;				/* see events.h */

struct import_options {
	uint32_t hz;			/* it was sampled at; 0: not known */
	const char *event;		/* of perf: the only one wanted, or NULL */
	/*
	 * Of perf script, where no event is given: gets all of them. To be begun
	 * with the parser's own profile, which is the first event's. NULL: the
	 * first one alone.
	 */
	struct events *events;
	bool by_period;			/* of perf: weigh by the event's period */
	bool comm_first;		/* of folded text: the first frame is the comm */
	bool no_comm;			/* it is not, whatever it looks like */
	bool strict;			/* refuse a line that would be ignored */
	bool tidy;			/* cut signatures off functions' names */
	struct notes *notes;		/* what there is to say, or NULL */
};

/*
 * The parsers. @in is read to its end.
 *
 * Return: 0, or -errno with @error, which names the line and what it holds:
 * -EBADMSG for text of another kind. @profile may then hold a part of it.
 */
typedef int (*import_fn)(FILE *in, const struct import_options *options,
			 struct profile *profile, struct error *error);

/*
 * Beside each parser is its probe: does a file that begins so hold it? @head is
 * ended by a NUL after @size bytes, and its last line may be cut.
 */
bool import_perf_probe(const char *head, size_t size);
bool import_report_probe(const char *head, size_t size);
bool import_bpftrace_json_probe(const char *head, size_t size);
bool import_dtrace_probe(const char *head, size_t size);
bool import_funcgraph_probe(const char *head, size_t size);
bool import_opreport_probe(const char *head, size_t size);
bool import_bpftrace_probe(const char *head, size_t size);
bool import_stap_probe(const char *head, size_t size);
bool import_bcc_probe(const char *head, size_t size);

/**
 * import_next_line() - for probes: the next line of the text.
 * @at: where it begins; set behind it. NULL at the end.
 *
 * Return: false at the end.
 */
bool import_next_line(const char **at, const char **line, size_t *length);

/** import_perf() - the output of perf script. */
int import_perf(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error);

/** import_report() - the output of perf report -g folded. */
int import_report(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error);

/** import_bpftrace() - maps of counts by kstack, ustack, comm and others. */
int import_bpftrace(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error);

/** import_bpftrace_json() - the same as bpftrace -f json prints them. */
int import_bpftrace_json(FILE *in, const struct import_options *options,
			 struct profile *profile, struct error *error);

/** import_dtrace() - DTrace's aggregations by stack() and ustack(). */
int import_dtrace(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error);

/** import_funcgraph() - calls of the function_graph tracer, by trace-cmd report. */
int import_funcgraph(FILE *in, const struct import_options *options,
		     struct profile *profile, struct error *error);

/** import_opreport() - oprofile's opreport --callgraph. */
int import_opreport(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error);

/** import_stap() - SystemTap's print_stack() or print_backtrace(), then a count. */
int import_stap(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error);

/** import_folded() - folded text; our own becomes what it was made from. */
int import_folded(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error);

/** import_bcc() - what bcc's profile -f prints: folded, with its delimiters. */
int import_bcc(FILE *in, const struct import_options *options,
	       struct profile *profile, struct error *error);

/* A frame's kind where its name alone decides, when all of the stack is known. */
#define IMPORT_GUESS	__FLAMEMOD_FRAME_MAX

struct import_frame {
	size_t name;			/* where it begins in import->names */
	unsigned int kind;		/* enum flamemod_frame_kind, or IMPORT_GUESS */
};

/* One text under way. */
struct import {
	struct lines lines;
	const struct import_options *options;
	struct profile *profile;
	struct error *error;
	char *line;			/* without its newline, until the next one */
	uintmax_t line_number;
	struct import_frame *frames;	/* of the stack under way, as they come */
	size_t nr_frames, frames_room;
	bool to_guess;			/* the kind of one of them, at least */
	char *names;
	size_t names_size, names_room;
	uintmax_t nr_read, nr_ignored;	/* lines, see import_judge() */
	char first_ignored[320];	/* "line 7 is no ...: TEXT" */
};

/* Whose a stack was, and what it weighs. */
struct import_sample {
	uint32_t pid, tid, cpu;
	const char *comm, *host;	/* host: NULL for the profile's own */
	uint64_t count, periods;
	int context;			/* enum flamemod_context, or -1: judged by frames */
};

/** import_init() - begin; import_deinit() afterwards. */
void import_init(struct import *import, FILE *in,
		 const struct import_options *options, struct profile *profile,
		 struct error *error);

/** import_deinit() - free what @import holds, but for the profile. */
void import_deinit(struct import *import);

/** import_line() - the next line. Return: 1, 0 at the end, or -errno. */
int import_line(struct import *import);

/** import_fail() - "line N: ...". Return: -EBADMSG. */
int import_fail(struct import *import, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * import_ignore() - go on without the line; "line N " and @why, its content.
 * Return: 0, or -EBADMSG where the options are strict.
 */
int import_ignore(struct import *import, const char *why);

/** import_read() - count a line as read, for import_judge(). */
static inline void import_read(struct import *import)
{
	import->nr_read++;
}

/**
 * import_judge() - at the end: was it text of this kind after all?
 *
 * Lines that were ignored are noted where the options have a place for notes.
 *
 * Return: 0, or -EBADMSG with the first line that was ignored, where more lines
 * were ignored than read.
 */
int import_judge(struct import *import);

/**
 * import_push() - one frame more of the stack under way.
 * @name: cut where it is longer than PROFILE_NAME_MAX.
 */
int import_push(struct import *import, const char *name, unsigned int kind);

/** import_reverse() - what was pushed from the @first-th frame on, turned round. */
void import_reverse(struct import *import, size_t first);

/** import_drop() - forget what was pushed. */
void import_drop(struct import *import);

/**
 * import_add() - the frames pushed, root first, as a stack of @sample; then
 * none are pushed any more. Without frames it is time in no kernel stack.
 */
int import_add(struct import *import, const struct import_sample *sample);

/**
 * import_period() - how long a period was, where the text tells; overruled by
 * the options.
 * @period_ns: 0 where it is not known.
 */
void import_period(struct import *import, uint64_t period_ns);

/** import_counts() - what the weights are numbers of, such as "cycles". */
void import_counts(struct import *import, const char *what);

/** import_number() - @text, digits only. Return: 0, or -EINVAL past 2^64 too. */
int import_number(const char *text, uint64_t *number);

/** import_strip_offset() - cut "+0x1f/0x40" or "+31" off a function's name. */
void import_strip_offset(char *name);

#endif /* FLAMECTL_IMPORT_H */
