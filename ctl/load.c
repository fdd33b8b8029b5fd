// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are read as profiles: see load.h.
 */
#include "load.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "pprof.h"

const struct command_option load_options[LOAD_OPTIONS + 1] = {
	[LOAD_FROM] = { "from", 0, "FORMAT", "what the input is, where its content is not to say: pprof, perf-data, perf-script, perf-report, trace-cmd, bpftrace-json, bpftrace, stap, dtrace, oprofile, bcc or folded",
		FORMAT_VALUES },
	[LOAD_EVENT] = { "event", 0, "NAME", "of perf script and perf report: this event's samples only" },
	[LOAD_COMM_FIRST] = { "comm-first", 0, NULL, "of folded text: the first frame of each stack is the command (default: only where that is certain)" },
	[LOAD_NO_COMM_FIRST] = { "no-comm-first", 0, NULL, "of folded text: the first frame is a frame, even where the text looks like our own" },
	[LOAD_STRICT] = { "strict", 0, NULL, "refuse an input that has a line which would be ignored" },
	[LOAD_TIDY] = { "tidy", 0, NULL, "of another tool's text: cut signatures of C++ and Java off" },
	[LOAD_OPTIONS] = { 0 }
};

int load_add(struct load_request *request, enum load_option option,
	     const char *text, struct error *error)
{
	switch (option) {
	case LOAD_FROM:
		request->from = format_find(text);
		return request->from ? 0 :
		       error_set(error, -EINVAL, "--from %.40s: there are %s",
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
		return error_set(error, -EINVAL, "--weight period is for perf-script, not for %s",
				 format->name);
	if (import->event && format->read != import_perf &&
	    format->read != import_report)
		return error_set(error, -EINVAL, "--event is for perf-script and perf-report, not for %s",
				 format->name);
	if (import->hz && !format->read)
		return error_set(error, -EINVAL, "-F is for counts of samples, and a pprof file says itself how long they were");
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
		return error_set(error, -EINVAL, "a gzip'd perf.data file: unpack it by gunzip, as perf reads it by its name");
	if (!loading->input.is_file)
		return error_set(error, -EINVAL, "a perf.data file that comes through a pipe: save it, as perf reads it by its name");
	loading->format = format_find("perf-script");
	loading->by_perf = !perf_data_open(&loading->perf, path, error);
	loading->text = loading->perf.text;
	return loading->by_perf ? 0 : -EINVAL;
}

/* What it is, and whether that can be what was asked for. */
static int choose(struct loading *loading, const char *path,
		  struct error *error)
{
	const struct load_request *request = loading->request;
	const struct format *looks = loading->content.format;
	const struct format *format = request->from ?: looks;

	/* what is binary is told with certainty */
	if (format != looks && !looks->read)
		return error_set(error, -EBADMSG, "a %s file, and not %s: leave out --from",
				 looks == format_pprof ? "pprof" : "perf.data",
				 format->name);
	loading->format = format;
	loading->text = loading->content.stream;
	if (format == format_perf_data && looks != format)
		return error_set(error, -EBADMSG, "no perf.data file: leave out --from");
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

static int read_pprof(struct loading *loading, struct profile **profile,
		      struct error *error)
{
	const struct content *content = &loading->content;

	return content->unpacked ?
	       pprof_parse(content->unpacked, content->size, loading->name,
			   profile, error) :
	       pprof_read(content->stream, loading->name, profile, error);
}

static int read_text(struct loading *loading, struct profile *profile,
		     struct error *error)
{
	struct import_options import = loading->request->import;
	int err;

	import.notes = loading->notes;
	err = loading->format->read(loading->text, &import, profile, error);
	if (!err && !profile->nr_records && !profile_lost(&profile->books))
		err = error_set(error, -EBADMSG, "there is no %s stack in it",
				loading->format->name);
	return err;
}

int load_read(struct loading *loading, struct profile **profile,
	      struct error *error)
{
	struct error why;
	int err;

	*profile = NULL;
	if (!loading->format->read)
		return read_pprof(loading, profile, error);
	*profile = profile_create();
	err = *profile ? read_text(loading, *profile, &why) :
			 error_set(&why, -ENOMEM, "%s", strerror(ENOMEM));
	if (!err)
		return 0;
	profile_destroy(*profile);
	*profile = NULL;
	return name_error(loading, err, &why, error);
}

int load_close(struct loading *loading, int err, struct error *error)
{
	struct error why;
	int failed;

	if (loading->by_perf) {
		/* what ends early is the reason, not what was missed for it */
		failed = perf_data_close(&loading->perf, feof(loading->text), &why);
		if (failed)
			err = name_error(loading, failed, &why, error);
	}
	content_close(&loading->content);
	return input_close(&loading->input, error) ?: err;
}

int load_profile(const char *path, const struct load_request *request,
		 struct notes *notes, struct profile **profile,
		 struct error *error)
{
	struct loading loading;
	struct error why;
	int err, closed;

	err = load_open(&loading, path, request, notes, error);
	if (err)
		return err;
	err = load_read(&loading, profile, error);
	closed = load_close(&loading, err, error);
	if (!err && !closed && profile_check(*profile, &why))
		closed = name_error(&loading, -EBADMSG, &why, error);
	if (!err && closed)
		profile_destroy(*profile);
	return closed;
}
