/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loading of profiles from files of any format: opens a file, recognises its
 * format, reads it and checks the result, the same way for every command.
 */
#ifndef FLAMECTL_LOAD_H
#define FLAMECTL_LOAD_H

#include <stdbool.h>

#include "base/error.h"
#include "base/input.h"
#include "base/notes.h"
#include "format/content.h"
#include "format/format.h"
#include "format/import/import.h"
#include "format/perf_data.h"
#include "profile/events.h"
#include "profile/profile.h"

/* How to read an input; the command layer has an option for each. */
enum load_option {
	LOAD_FROM,		/* the format, instead of recognising it */
	LOAD_EVENT,		/* the only one wanted of several events */
	LOAD_COMM_FIRST,	/* folded text: what the first frame is */
	LOAD_NO_COMM_FIRST,
	LOAD_STRICT,		/* refuse lines that would be ignored */
	LOAD_TIDY,		/* cut signatures off names */
	LOAD_OPTIONS,
};

/* The options given; if zeroed, the content decides. */
struct load_request {
	const struct format *from;
	struct import_options import;
	/* of a sum of hosts by a server: each task keeps its host, its cgroup */
	bool by_host, by_cgroup;
};

/**
 * load_add() - add an option to the request.
 * @text: the option's value, kept, not copied; NULL if the option has none.
 *
 * Return: 0, or -EINVAL with @error: "VALUE: the limits".
 */
int load_add(struct load_request *request, enum load_option option,
	     const char *text, struct error *error);

/**
 * load_check() - check that the requested options apply to this format.
 *
 * Return: 0, or -EINVAL with @error.
 */
int load_check(const struct load_request *request, const struct format *format,
	       struct error *error);

/* What to say of an empty file: "it is " this. */
#define LOAD_EMPTY	"empty: see what the program that was to write it reported"

/* A file that is being read. */
struct loading {
	const struct load_request *request;
	struct notes *notes;
	struct input input;
	struct content content;
	const struct format *format;	/* being read: never perf-data */
	struct perf_data perf;
	bool by_perf;
	const char *name;		/* for messages */
	FILE *text;			/* unless it is a pprof file */
};

/**
 * load_open() - open the file at @path, and recognise its format.
 * @loading: must not be moved until load_close().
 * @path: "-" for stdin; kept, not copied.
 * @notes: gets the reader's remarks, or NULL.
 *
 * Return: 0, or -errno with @error: "FILE: reason".
 */
int load_open(struct loading *loading, const char *path,
	      const struct load_request *request, struct notes *notes,
	      struct error *error);

/**
 * load_read() - read the opened file as a profile. Return: as load_profile()
 */
int load_read(struct loading *loading, struct profile **profile,
	      struct error *error);

/**
 * load_close() - close the file, and check that reading it succeeded.
 * @err: result of load_read() or of the caller's own reading; if it is not 0,
 *       @error has been set.
 *
 * Return: 0, or -errno with @error. This is @err's, unless there is a more
 * precise one, such as that the file changed while it was read.
 */
int load_close(struct loading *loading, int err, struct error *error);

/**
 * load_events() - load and check all events of the file at @path, or only the
 * event that @request names.
 * @events: set to the events, to be freed by events_deinit(). A single event
 *          may have no name.
 *
 * Return: 0, or -errno with @error: "FILE: reason".
 */
int load_events(const char *path, const struct load_request *request,
		struct notes *notes, struct events *events, struct error *error);

/**
 * load_profile() - load and check one profile of the file at @path: the event
 * that @request names, or the first one.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(), or -errno with
 * @error: "FILE: reason".
 */
int load_profile(const char *path, const struct load_request *request,
		 struct notes *notes, struct profile **profile,
		 struct error *error);

#endif /* FLAMECTL_LOAD_H */
