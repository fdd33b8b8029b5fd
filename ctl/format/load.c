// SPDX-License-Identifier: GPL-2.0
/*
 * Loading of profiles from files of any format: see load.h.
 */
#include "format/load.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/wording.h"
#include "format/pprof/pprof.h"

int load_add(struct load_request *request, enum load_option option,
	     const char *text, struct error *error)
{
	switch (option) {
	case LOAD_FROM:
		request->from = format_find(text);
		return request->from ? 0 :
		       error_set(error, -EINVAL, "%.40s: there are %s",
				 text, FORMAT_VALUES);
	case LOAD_COMM_FIRST:
	case LOAD_NO_COMM_FIRST:
		request->import.comm_first = option == LOAD_COMM_FIRST;
		request->import.no_comm = option == LOAD_NO_COMM_FIRST;
		return 0;
	case LOAD_STRICT:
		request->import.strict = true;
		return 0;
	case LOAD_TIDY:
		request->import.tidy = true;
		return 0;
	default:
		request->import.event = text;
		return 0;
	}
}

int load_check(const struct load_request *request, const struct format *format,
	       struct error *error)
{
	const struct import_options *import = &request->import;

	if (import->by_period && format->read != import_perf)
		return error_set(error, -EINVAL, "%s is for perf-script, not for %s",
				 WORDING(BY_PERIOD), format->name);
	if (import->event && format->read && format->read != import_perf &&
	    format->read != import_report)
		return error_set(error, -EINVAL, "%s is for perf-script, perf-report and pprof, not for %s",
				 WORDING(EVENT), format->name);
	if (import->hz && !format->read)
		return error_set(error, -EINVAL, "%s does not work with pprof files, whose samples keep the length that they were saved with: leave it out, or import the text again",
				 WORDING(RATE));
	return 0;
}

static int name_error(const struct loading *loading, int err,
		      const struct error *why, struct error *error)
{
	return error_set(error, err, "%.100s: %.400s", loading->name, why->text);
}

static int open_perf_data(struct loading *loading, const char *path,
			  struct error *error)
{
	if (loading->content.unpacked)
		return error_set(error, -EINVAL, "a gzip'd perf.data file: unpack it with gunzip, because perf cannot read it");
	if (!loading->input.is_file)
		return error_set(error, -EINVAL, "perf.data from a pipe: save it to a file, because perf reads it by its name");
	loading->format = format_find("perf-script");
	loading->by_perf = !perf_data_open(&loading->perf, path, error);
	loading->text = loading->perf.text;
	return loading->by_perf ? 0 : -EINVAL;
}

/* Choose the format, and check that the request is valid for it. */
static int choose(struct loading *loading, const char *path,
		  struct error *error)
{
	const struct load_request *request = loading->request;
	const struct format *looks = loading->content.format;
	const struct format *format = request->from ?: looks;

	/* binary formats are recognised with certainty */
	if (format != looks && !looks->read)
		return error_set(error, -EBADMSG, "a %s file, and not %s: %s",
				 looks == format_pprof ? "pprof" : "perf.data",
				 format->name, WORDING(NO_FORMAT));
	loading->format = format;
	loading->text = loading->content.stream;
	if (format == format_perf_data && looks != format)
		return error_set(error, -EBADMSG, "not a perf.data file: %s",
				 WORDING(NO_FORMAT));
	if (format == format_perf_data)
		return open_perf_data(loading, path, error);
	return load_check(request, format, error);
}

int load_open(struct loading *loading, const char *path,
	      const struct load_request *request, struct notes *notes,
	      struct error *error)
{
	struct error why;
	int err;

	loading->request = request;
	loading->by_perf = false;
	loading->notes = notes;
	err = input_open(&loading->input, path, error);
	if (err)
		return err;
	loading->name = loading->input.name;
	if (notes)
		notes->file = loading->name;
	err = content_open(&loading->content, loading->input.stream, &why);
	if (!err) {
		err = choose(loading, path, &why);
		if (!err)
			return 0;
		content_close(&loading->content);
	}
	name_error(loading, err, &why, error);
	return input_close(&loading->input, error) ?: err;
}

static int read_pprof(struct loading *loading, bool all, struct events *events,
		      struct error *error)
{
	const struct content *content = &loading->content;
	const struct events_wanted wanted = {
		.name = loading->request->import.event, .all = all,
		.notes = loading->notes,
	};

	return content->unpacked ?
	       pprof_parse_events(content->unpacked, content->size, loading->name,
				  &wanted, events, error) :
	       pprof_read_events(content->stream, loading->name, &wanted, events,
				 error);
}

static int read_text(struct loading *loading, bool all, struct events *events,
		     struct error *error)
{
	struct import_options import = loading->request->import;
	struct profile *profile = profile_create();
	int err;

	events->nr = 0;
	if (!profile || events_add(events, "", profile))
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	import.notes = loading->notes;
	if (all && !import.event)
		import.events = events;
	err = loading->format->read(loading->text, &import, profile, error);
	if (!err && !profile->nr_records && !profile_lost(&profile->books))
		err = loading->content.is_empty ?
		      error_set(error, -EBADMSG, "it is " LOAD_EMPTY) :
		      error_set(error, -EBADMSG, "it contains no %s stack",
				loading->format->name);
	return err;
}

/* @all: read all events, unless the request names one; else only one. */
static int read_events(struct loading *loading, bool all, struct events *events,
		       struct error *error)
{
	struct error why;
	int err;

	if (!loading->format->read)
		return read_pprof(loading, all, events, error);
	err = read_text(loading, all, events, &why);
	if (!err)
		return 0;
	events_deinit(events);
	return name_error(loading, err, &why, error);
}

int load_read(struct loading *loading, struct profile **profile,
	      struct error *error)
{
	struct events events;
	int err = read_events(loading, false, &events, error);

	*profile = err ? NULL : events_take_first(&events);
	return err;
}

int load_close(struct loading *loading, int err, struct error *error)
{
	struct error why;
	int failed;

	if (loading->by_perf) {
		/* if perf failed, its error is the cause of the reader's */
		failed = perf_data_close(&loading->perf, feof(loading->text), &why);
		if (failed)
			err = name_error(loading, failed, &why, error);
	}
	content_close(&loading->content);
	return input_close(&loading->input, error) ?: err;
}

static int check_events(const struct loading *loading,
			const struct events *events, struct error *error)
{
	struct error why;

	for (unsigned int i = 0; i < events->nr; i++)
		if (profile_check(events->list[i].profile, &why))
			return name_error(loading, -EBADMSG, &why, error);
	return 0;
}

static int load_some(const char *path, const struct load_request *request,
		     struct notes *notes, bool all, struct events *events,
		     struct error *error)
{
	struct loading loading;
	int err, closed;

	err = load_open(&loading, path, request, notes, error);
	if (err)
		return err;
	err = read_events(&loading, all, events, error);
	closed = load_close(&loading, err, error);
	if (err)
		return closed;
	if (!closed)
		closed = check_events(&loading, events, error);
	if (closed)
		events_deinit(events);
	return closed;
}

int load_events(const char *path, const struct load_request *request,
		struct notes *notes, struct events *events, struct error *error)
{
	return load_some(path, request, notes, true, events, error);
}

int load_profile(const char *path, const struct load_request *request,
		 struct notes *notes, struct profile **profile,
		 struct error *error)
{
	struct events events;
	int err = load_some(path, request, notes, false, &events, error);

	if (!err)
		*profile = events_take_first(&events);
	return err;
}
