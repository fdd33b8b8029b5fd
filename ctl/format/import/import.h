/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Import of profiles from the text of other tools: one file per format, and
 * what they share: lines, which are numbered and limited in length, and stacks,
 * which become records.
 *
 * Books are the counts of what became of each timer period. Such text has none,
 * so all its weights count as stored. Its weights are "periods"; their length
 * is known only if the text or the user says it.
 */
#ifndef FLAMECTL_IMPORT_H
#define FLAMECTL_IMPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/lines.h"
#include "base/notes.h"
#include "profile/profile.h"

/* Limit of a line's length, in bytes; folded text has its own limit. */
#define IMPORT_LINE_MAX		(1U << 20)

struct events;				/* see events.h */

struct import_options {
	uint32_t hz;			/* the sampling rate; 0: unknown */
	const char *event;		/* perf: the only one wanted, or NULL */
	/*
	 * perf script without @event: gets all events. It must already hold the
	 * parser's profile, for the first event. NULL: read only the first
	 * event.
	 */
	struct events *events;
	bool by_period;			/* perf: weigh by the event's period */
	bool comm_first;		/* folded text: comm is first */
	bool no_comm;			/* the first frame is never the comm */
	bool strict;			/* refuse a line that would be ignored */
	bool tidy;			/* cut signatures off functions' names */
	struct notes *notes;		/* gets remarks, or NULL */
};

/*
 * A parser. @in is read to its end.
 *
 * Return: 0, or -errno with @error, which names the line and its content:
 * -EBADMSG for text of another format. @profile may then be partly filled.
 */
typedef int (*import_fn)(FILE *in, const struct import_options *options,
			 struct profile *profile, struct error *error);

/*
 * Each parser's probe: reports whether a file with these first bytes is of its
 * format. A NUL follows the @size bytes of @head; its last line may be cut.
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
 * import_next_line() - get the next line of the text, for probes.
 * @at: the line's start; set to the start of the next line, or to NULL at the
 *      end.
 *
 * Return: false at the end.
 */
bool import_next_line(const char **at, const char **line, size_t *length);

/** import_perf() - read the output of perf script. */
int import_perf(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error);

/** import_report() - read the output of perf report -g folded. */
int import_report(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error);

/**
 * import_bpftrace() - read maps of counts by kstack, ustack, comm and others.
 */
int import_bpftrace(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error);

/**
 * import_bpftrace_json() - read the same maps, as bpftrace -f json prints them.
 */
int import_bpftrace_json(FILE *in, const struct import_options *options,
			 struct profile *profile, struct error *error);

/** import_dtrace() - read DTrace's aggregations by stack() and ustack(). */
int import_dtrace(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error);

/** import_funcgraph() - read the function_graph tracer's calls. */
int import_funcgraph(FILE *in, const struct import_options *options,
		     struct profile *profile, struct error *error);

/** import_opreport() - read oprofile's opreport --callgraph. */
int import_opreport(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error);

/**
 * import_stap() - read SystemTap's print_stack() or print_backtrace() and
 * counts.
 */
int import_stap(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error);

/**
 * import_folded() - read folded text; our own is turned back into its levels.
 */
int import_folded(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error);

/** import_bcc() - read bcc's profile -f: folded text with delimiters. */
int import_bcc(FILE *in, const struct import_options *options,
	       struct profile *profile, struct error *error);

/* A frame's kind is guessed by name, once the whole stack is known. */
#define IMPORT_GUESS	__FLAMEMOD_FRAME_MAX

struct import_frame {
	uint32_t name;			/* its number, see import_name() */
	unsigned int kind;		/* enum flamemod_frame_kind, or IMPORT_GUESS */
};

/* What is found out about a name once, though stacks repeat it. */
struct import_known {
	unsigned int says;		/* kind_says() */
	enum flamemod_context enters;	/* kind_of_context(); user: none */
	bool injects_idle;		/* kind_injects_idle() */
	/* the frame that was added last with this name */
	const struct profile *profile;
	unsigned int kind;
	uint32_t frame;
};

/* The state of reading one text. */
struct import {
	struct lines lines;
	const struct import_options *options;
	struct profile *profile;
	struct error *error;
	char *line;			/* no newline; until the next line */
	uintmax_t line_number;
	struct import_frame *frames;	/* the current stack, as pushed */
	size_t nr_frames, frames_room;
	bool to_guess;			/* some frame is IMPORT_GUESS */
	struct intern names;		/* of all stacks' frames */
	struct import_known *known;	/* by name */
	size_t known_room;
	char *scratch;			/* for a name that is shortened */
	size_t scratch_room;
	uintmax_t nr_read, nr_ignored;	/* lines, see import_judge() */
	char first_ignored[320];	/* "line 7 is no ...: TEXT" */
};

/* The task of a stack, and its weight. */
struct import_sample {
	uint32_t pid, tid, cpu;
	const char *comm, *host;	/* host: NULL for the profile's own */
	uint64_t count, periods;
	int context;			/* flamemod_context; -1: by frames */
};

/** import_init() - set up @import; to be freed by import_deinit(). */
void import_init(struct import *import, FILE *in,
		 const struct import_options *options, struct profile *profile,
		 struct error *error);

/** import_deinit() - free what @import holds, except the profile. */
void import_deinit(struct import *import);

/**
 * import_lines() - pass each line to a parser, as import->line.
 * @read: returns 0, or -errno with the error set, which ends the reading.
 * @state: passed on to @read.
 *
 * Return: 0 at the end, or -errno of @read or of the text: a line that is too
 * long or has a NUL byte, memory, or the stream.
 */
int import_lines(struct import *import,
		 int (*read)(struct import *import, void *state), void *state);

/** import_fail() - set the error "line N ...". Return: -EBADMSG. */
int import_fail(struct import *import, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * import_ignore() - ignore the line, and remember the first one: "line N ",
 * @why and its content. Return: 0, or -EBADMSG if the options are strict.
 */
int import_ignore(struct import *import, const char *why);

/** import_read() - count a line as read, for import_judge(). */
static inline void import_read(struct import *import)
{
	import->nr_read++;
}

/**
 * import_judge() - at the end, decide whether the text was of this format.
 *
 * Adds a note about ignored lines, if the options ask for notes.
 *
 * Return: 0, or -EBADMSG with the first ignored line, if more lines were
 * ignored than read.
 */
int import_judge(struct import *import);

/**
 * import_push() - add a frame to the current stack.
 * @name: cut if it is longer than PROFILE_NAME_MAX.
 */
int import_push(struct import *import, const char *name, unsigned int kind);

/**
 * import_push_known() - add a frame whose name was pushed before.
 * @name: its number, as in import->frames then.
 */
int import_push_known(struct import *import, uint32_t name, unsigned int kind);

/** import_rename() - give frame @frame of the current stack another name. */
int import_rename(struct import *import, size_t frame, const char *name);

/** import_name() - return the name of frame @frame of the current stack. */
static inline const char *import_name(const struct import *import, size_t frame)
{
	return intern_text(&import->names, import->frames[frame].name);
}

/** import_reverse() - reverse the order of the frames from the @first-th on. */
void import_reverse(struct import *import, size_t first);

/** import_drop() - drop the current stack. */
void import_drop(struct import *import);

/**
 * import_add() - add the current stack, root first, as a stack of @sample, and
 * start a new one. A stack without frames is time outside any kernel stack.
 */
int import_add(struct import *import, const struct import_sample *sample);

/**
 * import_period() - set the length of a period; the options override it.
 * @period_ns: as the text says; 0 if unknown.
 */
void import_period(struct import *import, uint64_t period_ns);

/** import_event() - set which event was sampled; a longer name is cut. */
void import_event(struct import *import, const char *name);

/** import_counts() - set what the weights count, such as "cycles". */
void import_counts(struct import *import, const char *what);

/**
 * import_number() - convert @text, which must be digits only.
 * Return: 0, or -EINVAL, also above 2^64 - 1.
 */
int import_number(const char *text, uint64_t *number);

/** import_strip_offset() - cut "+0x1f/0x40" or "+31" off a function's name. */
void import_strip_offset(char *name);

#endif /* FLAMECTL_IMPORT_H */
