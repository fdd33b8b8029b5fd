// SPDX-License-Identifier: GPL-2.0
/*
 * Read the output of perf script, of any version and with most choices of
 * fields:
 *
 *   bash  1234/1235 [002] 158665.570607:   10101010 cpu-clock:pppH:
 *  	ffffffff8103ce3b native_safe_halt+0xb ([kernel.kallsyms])
 *  	    7f0123456789 main+0x10 (/usr/bin/bash)
 *
 * A sample starts with a line that names the task and the event, and its frames
 * follow, leaf first; without call chains, the only frame follows the event. A
 * blank line usually ends a sample, but frames after it still belong to it:
 * only another first line ends it for certain. Text without first lines, such
 * as that of -F ip,sym, has only the blank lines.
 *
 * Source lines below frames, and perf's records other than samples, are
 * skipped; any other line that does not fit is ignored and noted.
 */
#include "format/import/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/vec.h"
#include "base/wording.h"
#include "profile/events.h"

/* An event, and what its samples have in common. */
struct met_event {
	char name[EVENTS_NAME];
	uint64_t nr_samples;
	uint64_t first_ns, last_ns;	/* times of samples; 0: unknown */
	uint64_t period;		/* of all samples; 0: none or varying */
	bool has_period;		/* @period has been set */
};

/* The frames that a frame's line was parsed to: several if some are inlined. */
struct parsed {
	size_t first, nr;		/* in reading->parsed_frames */
};

struct reading {
	struct import import;
	/* lines of frames, without the address: most occur again and again */
	struct intern lines;
	struct parsed *parsed;		/* by line */
	struct import_frame *parsed_frames;
	size_t parsed_room, nr_parsed_frames, parsed_frames_room;
	bool open;			/* a sample is being read */
	bool wanted;			/* its event is wanted */
	bool after_blank;		/* after a blank line or at the start */
	bool has_headers;		/* samples have a first line */
	bool in_record;			/* reading a record that is no sample */
	bool is_alone;			/* its frame is on its first line */
	struct import_sample sample;
	char comm[256];
	struct profile *first;		/* the first event's profile */
	struct met_event events[EVENTS_MAX];	/* all events, or the first */
	struct met_event *event;	/* of the open sample, if wanted */
	unsigned int nr_events;
	bool has_others;
	/* a possible first line, confirmed only if a frame follows */
	uintmax_t doubtful;		/* its line number, or 0 */
	char doubt[256];
};

/* Start anew with this many lines, so that they do not fill the memory. */
#define LINES_MAX	(1U << 18)

static const char no_line[] = "is neither a sample's first line nor a frame of one";
static const char no_sample[] = "belongs to no sample";

/* Report whether the event's periods are nanoseconds. */
static bool is_clock(const char *event)
{
	return events_same(event, "cpu-clock") || events_same(event, "task-clock");
}

/* Remember that a new line was parsed to the frames from @first on. */
static int remember(struct reading *reading, size_t first)
{
	const struct import *import = &reading->import;
	size_t nr = import->nr_frames - first, line = reading->lines.nr - 1;
	int err = vec_reserve(reading->parsed, reading->parsed_room, line + 1) ?:
		  vec_reserve(reading->parsed_frames,
			      reading->parsed_frames_room,
			      reading->nr_parsed_frames + nr + 1);

	if (err)
		return error_set(import->error, err, "%s", strerror(-err));
	memcpy(reading->parsed_frames + reading->nr_parsed_frames,
	       import->frames + first, nr * sizeof(*import->frames));
	reading->parsed[line] = (struct parsed){ reading->nr_parsed_frames, nr };
	reading->nr_parsed_frames += nr;
	return 0;
}

static void forget_lines(struct reading *reading)
{
	intern_deinit(&reading->lines);
	reading->nr_parsed_frames = 0;
}

/* Push the frames of a line. @text: modified, unless it was parsed before. */
static int push_frame(struct reading *reading, char *text)
{
	struct import *import = &reading->import;
	uint32_t before = reading->lines.nr, line;
	size_t first = import->nr_frames;
	const struct import_frame *frame;
	bool in_kernel;
	char *key = perf_frame_key(text, &in_kernel);
	int err;

	/* the byte before it is the address's or a blank, and not needed any more */
	key[-1] = in_kernel ? 'k' : 'u';
	err = intern_add(&reading->lines, key - 1, strlen(key) + 1, &line);
	if (err)
		return error_set(import->error, err, "%s", strerror(-err));
	if (line < before) {
		frame = reading->parsed_frames + reading->parsed[line].first;
		for (size_t i = 0; i < reading->parsed[line].nr && !err; i++)
			err = import_push_known(import, frame[i].name,
						frame[i].kind);
		return err;
	}
	err = perf_push_frame(import, key, in_kernel) ?: remember(reading, first);
	if (reading->lines.nr >= LINES_MAX)
		forget_lines(reading);
	return err;
}

static int end_sample(struct reading *reading)
{
	int err = 0;

	if (!reading->open)
		return 0;
	reading->open = false;
	if (!reading->wanted)
		return 0;
	if (!reading->import.nr_frames)
		err = import_push(&reading->import, "[unknown]",
				  FLAMEMOD_FRAME_MARK);
	import_reverse(&reading->import, 0);
	return err ?: import_add(&reading->import, &reading->sample);
}

/* Count a sample. Return: the event's number, in order of appearance from 0. */
static unsigned int count_event(struct reading *reading, const char *name)
{
	struct met_event *event = reading->events;
	unsigned int i;

	for (i = 0; i < reading->nr_events; i++, event++) {
		if (!events_same(name, event->name))
			continue;
		event->nr_samples++;
		return i;
	}
	if (i == EVENTS_MAX) {
		reading->has_others = true;
		return i;
	}
	snprintf(event->name, sizeof(event->name), "%s", name);
	event->nr_samples = 1;
	reading->nr_events++;
	return i;
}

/* Choose the profile that gets the samples of event @number. */
static int choose_profile(struct reading *reading, unsigned int number)
{
	struct events *all = reading->import.options->events;
	struct profile *profile;
	int err;

	if (number == all->nr) {
		profile = profile_create();
		err = profile ? events_add(all, "", profile) : -ENOMEM;
		if (err)
			return error_set(reading->import.error, err, "%s",
					 strerror(-err));
	}
	reading->import.profile = all->list[number].profile;
	return 0;
}

/* Decide whether the event is wanted: the named one, or the first, or all. */
static int choose_event(struct reading *reading, const char *event)
{
	const struct import_options *options = reading->import.options;
	unsigned int number = 0;

	if (options->event) {
		reading->wanted = events_same(event, options->event);
		if (reading->wanted && !reading->nr_events)
			count_event(reading, event);
		/* it has both cycles:u and cycles:k */
		else if (reading->wanted && strcmp(event, reading->events[0].name))
			snprintf(reading->events[0].name, EVENTS_NAME, "%s",
				 options->event);
	} else {
		number = count_event(reading, event);
		reading->wanted = !number ||
				  (options->events && number < EVENTS_MAX);
	}
	if (!reading->wanted)
		return 0;
	reading->event = &reading->events[number];
	return options->events ? choose_profile(reading, number) : 0;
}

static void note_events(const struct reading *reading)
{
	char list[256] = "";
	size_t length = 0;
	unsigned int i;

	if (reading->import.options->events) {
		if (reading->has_others)
			notes_add(reading->import.options->notes, "it has more than %d events; the first ones, from %.40s on, are kept: %s",
				  EVENTS_MAX, reading->events[0].name,
				  WORDING(CHOOSE_EVENT));
		return;
	}
	for (i = 1; i < reading->nr_events && length < sizeof(list); i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length,
					   "%s%.80s (%" PRIu64 ")",
					   i > 1 ? ", " : "",
					   reading->events[i].name,
					   reading->events[i].nr_samples);
	if (reading->nr_events > 1)
		notes_add(reading->import.options->notes, "this shows the event %.40s, not %s%s: %s",
			  reading->events[0].name, list,
			  reading->has_others ? " and others" : "",
			  WORDING(CHOOSE_EVENT));
}

static void note_period(struct met_event *event, uint64_t period)
{
	if (!event->has_period)
		event->period = period;
	else if (event->period != period)
		event->period = 0;
	event->has_period = true;
}

static void note_time(struct met_event *event, uint64_t time_ns)
{
	if (!time_ns)
		return;
	if (!event->first_ns || time_ns < event->first_ns)
		event->first_ns = time_ns;
	if (time_ns > event->last_ns)
		event->last_ns = time_ns;
}

/* Start a sample without a first line; its task is unknown. */
static int begin_nobody(struct reading *reading)
{
	bool by_period = reading->import.options->by_period;
	int err = end_sample(reading);

	if (err)
		return err;
	if (by_period)
		return import_fail(&reading->import, "has no period: let perf script print it with -F +period, or leave out %s",
				   WORDING(BY_PERIOD));
	reading->open = true;
	reading->sample = (struct import_sample){
		.comm = "", .count = 1, .periods = 1, .context = -1,
	};
	return choose_event(reading, "");
}

static int begin_sample(struct reading *reading,
			const struct perf_header *header)
{
	const char *event = header->event ? header->event : "";
	bool by_period = reading->import.options->by_period;
	struct import_sample *sample = &reading->sample;
	int err = end_sample(reading);

	if (err)
		return err;
	reading->open = true;
	reading->has_headers = true;
	reading->is_alone = perf_is_alone(header->rest);
	err = choose_event(reading, event);
	if (err || !reading->wanted)
		return err;
	if (by_period && !header->period)
		return import_fail(&reading->import, "has no period: let perf script print it with -F +period, or leave out %s",
				   WORDING(BY_PERIOD));
	snprintf(reading->comm, sizeof(reading->comm), "%s", header->comm);
	*sample = (struct import_sample){
		.pid = header->pid, .tid = header->tid, .cpu = header->cpu,
		.comm = reading->comm,
		.count = 1, .periods = by_period ? header->period : 1,
		.context = -1,
	};
	note_period(reading->event, header->period);
	note_time(reading->event, header->time_ns);
	/* without call chains; any other text is a tracepoint's, not a frame */
	if (!reading->is_alone)
		return 0;
	return push_frame(reading, header->rest);
}

/* Read "# hostname : web1", as perf script --header prints it. */
static void read_comment(struct reading *reading)
{
	struct profile_meta *meta = &reading->first->meta;
	const char *line = reading->import.line;

	if (!strncmp(line, "# hostname : ", 13))
		snprintf(meta->host, sizeof(meta->host), "%s", line + 13);
	if (!strncmp(line, "# os release : ", 15))
		snprintf(meta->release, sizeof(meta->release), "%s", line + 15);
}

/*
 * Recognise what -F +srcline,+srccode prints: "file.c:12", "libc.so.6[27b25]",
 * "|12   code();".
 */
static bool is_source(const char *line)
{
	const char *text = line + strspn(line, " \t"), *colon;
	size_t length = strlen(text);

	while (length && strchr(" \t", text[length - 1]))
		length--;
	if (*text == '|' && text[1] >= '0' && text[1] <= '9')
		return true;
	if (!length)
		return false;
	if (text[length - 1] == ']' && memchr(text, '[', length))
		return !memchr(text, ' ', length);
	colon = memrchr(text, ':', length);
	return colon && colon > text && colon < text + length - 1 &&
	       strspn(colon + 1, "0123456789") >= (size_t)(text + length - colon - 1);
}

/* Ignore the doubtful line: it was not a first line. */
static int ignore_doubtful(struct reading *reading)
{
	struct import *import = &reading->import;
	uintmax_t line_number = import->line_number;
	char *line = import->line;
	int err;

	if (!reading->doubtful)
		return 0;
	import->line_number = reading->doubtful;
	import->line = reading->doubt;
	err = import_ignore(import, no_line);
	import->line_number = line_number;
	import->line = line;
	reading->doubtful = 0;
	return err;
}

/* Start a sample from the doubtful line, as a frame follows it. */
static int begin_doubtful(struct reading *reading)
{
	struct perf_header header;

	reading->doubtful = 0;
	import_read(&reading->import);
	perf_short_header(reading->doubt, &header);
	return begin_sample(reading, &header);
}

static int read_frame(struct reading *reading)
{
	bool begins = !reading->open || reading->after_blank ||
		      *reading->import.line == ' ';
	int err = 0;

	if (reading->doubtful)
		err = begin_doubtful(reading);
	else if (!reading->has_headers && begins)
		err = begin_nobody(reading);
	if (err)
		return err;
	if (!reading->open)
		return import_ignore(&reading->import, no_sample);
	import_read(&reading->import);
	return reading->wanted ? push_frame(reading, reading->import.line) : 0;
}

static int read_header(struct reading *reading, const struct perf_header *header)
{
	int err = ignore_doubtful(reading);

	import_read(&reading->import);
	if (err || !header->is_record)
		return err ?: begin_sample(reading, header);
	reading->in_record = true;
	return end_sample(reading);
}

/* Read a line that is not a frame, and not certainly a first line. */
static int read_other(struct reading *reading)
{
	const char *line = reading->import.line;
	bool begins = reading->after_blank || !reading->open ||
		      reading->is_alone;
	struct perf_header header;
	char *copy = reading->doubt;
	int err = ignore_doubtful(reading);

	if (err)
		return err;
	if (reading->in_record || strstr(line, "PERF_RECORD_") ||
	    (reading->open && is_source(line))) {
		import_read(&reading->import);
		return 0;
	}
	if (*line == '\t' || !begins || strlen(line) >= sizeof(reading->doubt))
		return import_ignore(&reading->import, no_line);
	strcpy(copy, line);
	if (!perf_short_header(copy, &header))
		return import_ignore(&reading->import, no_line);
	if (perf_is_alone(header.rest)) {
		import_read(&reading->import);
		return begin_sample(reading, &header);
	}
	strcpy(copy, line);
	reading->doubtful = reading->import.line_number;
	return 0;
}

static int read_line(struct import *import, void *state)
{
	struct reading *reading = state;
	char *line = import->line;
	struct perf_header header;
	int err;

	if (*line == '#') {
		read_comment(reading);
		return 0;
	}
	if (!line[strspn(line, " \t")]) {
		reading->after_blank = true;
		reading->in_record = false;
		return 0;
	}
	/* a frame's line starts with a tab, in old versions with blanks */
	if (*line != '\t' && perf_header(line, &header)) {
		reading->in_record = false;
		err = read_header(reading, &header);
	} else if (!reading->in_record && perf_is_frame(line)) {
		err = read_frame(reading);
	} else {
		err = read_other(reading);
	}
	reading->after_blank = false;
	return err;
}

/*
 * Set the event's period: a clock's are ns, of one length if all samples agree.
 */
static void finish_event(struct reading *reading, const struct met_event *event)
{
	struct profile_meta *meta = &reading->import.profile->meta;
	bool by_period = reading->import.options->by_period;
	uint64_t period_ns = 0;

	if (is_clock(event->name))
		period_ns = by_period ? 1 : event->period;
	else if (by_period && reading->nr_events)
		import_counts(&reading->import,
			      *event->name ? event->name : "event_periods");
	import_event(&reading->import, event->name);
	meta->duration_ns = event->last_ns - event->first_ns;
	import_period(&reading->import, period_ns);
}

static void finish(struct reading *reading)
{
	const struct profile_meta *first = &reading->first->meta;
	struct events *all = reading->import.options->events;
	unsigned int i;

	reading->import.profile = reading->first;
	finish_event(reading, &reading->events[0]);
	for (i = 0; all && i < all->nr; i++) {
		struct event *event = &all->list[i];
		struct profile_meta *meta = &event->profile->meta;

		snprintf(event->name, sizeof(event->name), "%s",
			 reading->events[i].name);
		if (!i)
			continue;
		memcpy(meta->host, first->host, sizeof(meta->host));
		memcpy(meta->release, first->release, sizeof(meta->release));
		reading->import.profile = event->profile;
		finish_event(reading, &reading->events[i]);
	}
}

int import_perf(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error)
{
	struct reading reading = { .first = profile, .after_blank = true };
	int err;

	import_init(&reading.import, in, options, profile, error);
	err = import_lines(&reading.import, read_line, &reading) ?:
	      ignore_doubtful(&reading) ?: end_sample(&reading) ?:
	      import_judge(&reading.import);
	if (!err)
		note_events(&reading);
	if (!err && !reading.nr_events && options->event)
		err = error_set(error, -EBADMSG, "it has no sample of the event %.100s",
				options->event);
	finish(&reading);
	forget_lines(&reading);
	free(reading.parsed);
	free(reading.parsed_frames);
	import_deinit(&reading.import);
	return err;
}
