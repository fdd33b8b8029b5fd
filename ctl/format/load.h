/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are read as profiles, of any format: opened, told apart, read and
 * checked, for every command alike.
 */
#ifndef FLAMECTL_LOAD_H
#define FLAMECTL_LOAD_H

#include <stdbool.h>

#include "base/error.h"
#include "base/input.h"
#include "base/notes.h"
#include "base/option.h"
#include "format/content.h"
#include "format/format.h"
#include "format/import/import.h"
#include "format/perf_data.h"
#include "profile/events.h"
#include "profile/profile.h"

/* How an input is to be read, in the order of load_options. */
enum load_option {
	LOAD_FROM,		/* its format, where its content is not to decide */
	LOAD_EVENT,		/* of several events: the only one wanted */
	LOAD_COMM_FIRST,	/* of folded text: what the first frame is */
	LOAD_NO_COMM_FIRST,
	LOAD_STRICT,		/* no line may be ignored */
	LOAD_TIDY,		/* names without signatures */
	LOAD_OPTIONS,
};

/* The options of every command that reads a profile: its reads. */
extern const struct command_option load_options[LOAD_OPTIONS + 1];

/* What was asked for; zeroed, content decides. */
struct load_request {
	const struct format *from;
	struct import_options import;
};

/**
 * load_add() - ask for something.
 * @text: the option's value, kept, not copied; NULL for one that has none.
 *
 * Return: 0, or -EINVAL with @error naming option, value and limits.
 */
int load_add(struct load_request *request, enum load_option option,
	     const char *text, struct error *error);

/**
 * load_check() - can what was asked for be asked of this format?
 *
 * Return: 0, or -EINVAL with @error.
 */
int load_check(const struct load_request *request, const struct format *format,
	       struct error *error);

/* A file that is being read. */
struct loading {
	const struct load_request *request;
	struct notes *notes;
	struct input input;
	struct content content;
	const struct format *format;	/* of what is read: never perf-data */
	struct perf_data perf;
	bool by_perf;
	const char *name;		/* for messages */
	FILE *text;			/* where it is no pprof file */
};

/**
 * load_open() - open the file at @path, and find out what it holds.
 * @loading: not to be moved until load_close().
 * @path: "-" for stdin; kept, not copied.
 * @notes: gets what the reader has to say, or NULL.
 *
 * Return: 0, or -errno with @error: "FILE: reason".
 */
int load_open(struct loading *loading, const char *path,
	      const struct load_request *request, struct notes *notes,
	      struct error *error);

/** load_read() - what it holds as a profile. Return: as load_profile(). */
int load_read(struct loading *loading, struct profile **profile,
	      struct error *error);

/**
 * load_close() - close it, and ask whether all is well with what was read.
 * @err: what load_read(), or who read the text, said; with @error where not 0.
 *
 * Return: 0, or -errno with @error, which is @err's unless there is a better
 * one, such as that the file changed meanwhile.
 */
int load_close(struct loading *loading, int err, struct error *error);

/**
 * load_events() - all events of the file at @path, checked, or the one that
 * @request names.
 * @events: set to them, to be freed by events_deinit(). One alone may have no
 *          name.
 *
 * Return: 0, or -errno with @error: "FILE: reason".
 */
int load_events(const char *path, const struct load_request *request,
		struct notes *notes, struct events *events, struct error *error);

/**
 * load_profile() - all of it: a checked profile of the file at @path; of several events,
 * of the first, or the one that @request names.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(), or -errno with
 * @error: "FILE: reason".
 */
int load_profile(const char *path, const struct load_request *request,
		 struct notes *notes, struct profile **profile,
		 struct error *error);

#endif /* FLAMECTL_LOAD_H */
