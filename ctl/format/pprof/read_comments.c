// SPDX-License-Identifier: GPL-2.0
/*
 * Read the comments of our saved profiles: settings, session, machine and
 * books, laid out as in pprof.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "format/pprof/intervals.h"
#include "format/pprof/layout.h"
#include "format/pprof/read_comments.h"
#include "format/pprof/reader.h"
#include "profile/inclusion.h"
#include "profile/settings.h"
#include "profile/slices.h"

/*
 * One per CPU, per slice and per CPU of a slice, two per event of a slice, and some thirty
 * others.
 */
#define COMMENTS_MAX	(PROFILE_CPUS_MAX + (1 + 2 * EVENTS_MAX) * SLICES_MAX + \
			 SLICES_BOOKS_MAX + 64)

/* A comment's key, and where to store its number. */
struct number_field {
	const char *key;
	uint64_t *value;
};

static int read_number(const struct number_field *fields, size_t nr,
		       const char *text, struct error *error)
{
	const char *value;
	size_t i;

	for (i = 0; i < nr; i++) {
		value = pprof_value_of(text, fields[i].key);
		if (value)
			return number_parse(value, 0, UINT64_MAX,
					    fields[i].value, error);
	}
	return 0;
}

/* Read the value of "overdue=-12", the only number with a sign. */
static int read_overdue(const char *value, int64_t *overdue, struct error *error)
{
	bool negative = *value == '-';
	uint64_t number;
	int err = number_parse(value + negative, 0, INT64_MAX, &number, error);

	if (!err)
		*overdue = negative ? -(int64_t)number : (int64_t)number;
	return err;
}

/* One CPU's books, and the slice they belong to, if one is named. */
struct cpu_line {
	struct profile_cpu cpu;
	bool has_cpu;
	uint64_t slice, end_ns;		/* UINT64_MAX if none is named */
};

#define CPU_FIELDS	14	/* without those of lost periods */

static int read_cpu_line(char *text, struct cpu_line *line, struct error *error)
{
	struct profile_books *books = &line->cpu.books;
	uint64_t number = UINT64_MAX, sampling = 0;
	struct number_field fields[CPU_FIELDS + PROFILE_LOST_MAX] = {
		{ "sampled-ns", &line->cpu.sampled_ns },
		{ "expected", &books->expected },
		{ "fires", &books->fires },
		{ "missed", &books->missed },
		{ "stored", &books->stored },
		{ "filtered", &books->filtered },
		{ "truncated", &books->truncated },
		{ "asleep", &books->asleep },
		{ "late", &books->late },
		{ "stolen", &books->stolen },
		{ PPROF_SLICE_KEY, &line->slice },
		{ "end-ns", &line->end_ns },
		{ "cpu", &number },
		{ "sampling", &sampling },
	};
	char lost[PROFILE_LOST_MAX][64], *word, *next = NULL;
	unsigned int i;
	int err = 0;

	*line = (struct cpu_line){ .slice = UINT64_MAX, .end_ns = UINT64_MAX };
	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		snprintf(lost[i], sizeof(lost[i]), "lost.%s",
			 profile_lost_name(i));
		fields[CPU_FIELDS + i] = (struct number_field){
			lost[i], &books->lost[i]
		};
	}
	for (word = strtok_r(text, " ", &next); word && !err;
	     word = strtok_r(NULL, " ", &next)) {
		const char *overdue = pprof_value_of(word, "overdue");

		err = overdue ? read_overdue(overdue, &books->overdue, error) :
		      read_number(fields, CPU_FIELDS + PROFILE_LOST_MAX,
				  word, error);
	}
	line->has_cpu = number != UINT64_MAX;
	if (err || (line->has_cpu && number > UINT16_MAX) || sampling > 1)
		return error_set(error, -EBADMSG, "the books of a CPU are malformed");
	line->cpu.cpu = line->has_cpu ? (uint32_t)number : 0;
	line->cpu.sampling = sampling;
	return 0;
}

/* Fill in the error of a slice that cannot be added. Return: -ENOMEM or -EBADMSG. */
static int refuse_slice(struct pprof_reader *r, int err)
{
	if (err == -ENOMEM)
		return err;
	if (err == -E2BIG)
		return error_set(r->error, -EBADMSG, "it has more than %d slices",
				 SLICES_MAX);
	return error_set(r->error, -EBADMSG, "its slices are malformed, or not in order");
}

static int read_cpu(struct pprof_reader *r, char *text)
{
	struct cpu_line line;
	int err = read_cpu_line(text, &line, r->error);

	if (err)
		return err;
	err = profile_add_cpu(r->profile, &line.cpu);
	if (err == -EOVERFLOW)
		return error_set(r->error, -EBADMSG, "the books sum to more than 2^64");
	return err;
}

/* Read "slice=START end-ns=END", then "slice=START cpu=N ..." for each CPU. */
static int read_slice(struct pprof_reader *r, char *text)
{
	const struct slices *slices = r->profile->slices;
	struct cpu_line line;
	int err = read_cpu_line(text, &line, r->error);

	if (err)
		return err;
	if (!line.has_cpu)
		err = line.end_ns > INT64_MAX ? -EINVAL :
		      slices_begin(r->profile, line.slice, line.end_ns);
	else if (slices && slices->list[slices->nr - 1].begin_ns == line.slice)
		err = slices_add_cpu(r->profile, &line.cpu);
	else
		err = -EINVAL;
	return err ? refuse_slice(r, err) : 0;
}

/*
 * Read the words "intervals=N below=N ..." of the slice that starts at @begin_ns, the last
 * one.
 */
static int read_slice_intervals(struct pprof_reader *r, uint64_t begin_ns, char *words)
{
	struct slice *slice = r->profile->slices ? slices_last(r->profile) : NULL;
	char *word, *next = NULL;

	if (!slice || slice->begin_ns != begin_ns || slice->intervals.known)
		return refuse_slice(r, -EINVAL);
	for (word = strtok_r(words, " ", &next); word; word = strtok_r(NULL, " ", &next))
		if (pprof_intervals_word(&slice->intervals, word) <= 0)
			return refuse_slice(r, -EINVAL);
	return slice->intervals.known ? 0 : refuse_slice(r, -EINVAL);
}

/* Cut the first word off @text, and read its number. Return: the rest, or NULL. */
static char *take_number(char *text, const char *key, uint64_t *number)
{
	char *rest = strchr(text, ' ');
	const char *value;

	if (!rest)
		return NULL;
	*rest = '\0';
	value = pprof_value_of(text, key);
	return value && !number_parse(value, 0, UINT64_MAX, number, NULL) ? rest + 1 : NULL;
}

/* Read "slice-intervals=START intervals=N ...". */
static int read_intervals_of_slice(struct pprof_reader *r, char *text)
{
	uint64_t begin_ns;
	char *rest = take_number(text, PPROF_SLICE_INTERVALS_KEY, &begin_ns);

	return rest ? read_slice_intervals(r, begin_ns, rest) : refuse_slice(r, -EINVAL);
}

/*
 * Read "event-slice=START end-ns=END", which is of all events; then, of the event being
 * read, "event-slice=START event=N cpu=N ..." for each CPU, and "... intervals=N ...".
 */
static int read_event_slice(struct pprof_reader *r, char *text)
{
	const struct slices *slices = r->profile->slices;
	struct cpu_line line;
	uint64_t begin_ns, number;
	char *rest = take_number(text, PPROF_EVENT_SLICE_KEY, &begin_ns), *words;
	int err;

	if (!rest)
		return refuse_slice(r, -EINVAL);
	if (pprof_value_of(rest, "end-ns")) {
		err = read_cpu_line(rest, &line, r->error);
		if (err)
			return err;
		err = line.end_ns > INT64_MAX ? -EINVAL :
		      slices_begin(r->profile, begin_ns, line.end_ns);
		return err ? refuse_slice(r, err) : 0;
	}
	words = take_number(rest, PPROF_EVENT_KEY, &number);
	if (!words || number >= r->nr_events)
		return refuse_slice(r, -EINVAL);
	if (number != r->event)
		return 0;
	if (pprof_value_of(words, PPROF_INTERVALS_KEY))
		return read_slice_intervals(r, begin_ns, words);
	if (!slices || slices_last(r->profile)->begin_ns != begin_ns)
		return refuse_slice(r, -EINVAL);
	err = read_cpu_line(words, &line, r->error);
	if (err)
		return err;
	err = line.has_cpu ? slices_add_cpu(r->profile, &line.cpu) : -EINVAL;
	return err ? refuse_slice(r, err) : 0;
}

/*
 * Read "event=N cpu=N ..." if N is the event being read; skip other event
 * lines.
 */
static int read_event_cpu(struct pprof_reader *r, char *text)
{
	char *rest = strchr(text, ' ');
	uint64_t number;

	if (!rest || !pprof_value_of(rest + 1, "cpu"))
		return 0;
	*rest = '\0';
	if (number_parse(pprof_value_of(text, PPROF_EVENT_KEY), 0, UINT64_MAX,
			 &number, NULL) || number >= r->nr_events)
		return error_set(r->error, -EBADMSG, "the books of a CPU name an event that does not exist");
	return number == r->event ? read_cpu(r, rest + 1) : 0;
}

/* Read "intervals=N below=N ...". */
static int read_intervals(struct pprof_reader *r, char *text)
{
	struct profile_intervals *intervals = &r->profile->meta.intervals;
	char *word, *next = NULL;

	for (word = strtok_r(text, " ", &next); word; word = strtok_r(NULL, " ", &next))
		if (pprof_intervals_word(intervals, word) < 0)
			return error_set(r->error, -EBADMSG, "its intervals are malformed: %.60s",
					 word);
	return 0;
}

static int read_state(struct profile_meta *meta, const char *name,
		      struct error *error)
{
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_STATE_MAX; i++)
		if (!strcmp(name, profile_state_name(i))) {
			meta->state = i;
			return 0;
		}
	return error_set(error, -EBADMSG, "state=%.40s is unknown", name);
}

static int read_setting(struct profile_meta *meta, const char *text,
			struct error *error)
{
	unsigned int i, mask = 0;

	for (i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++)
		if (pprof_value_of(text, settings_name(i)))
			return settings_assign(&meta->settings, &mask, text,
					       error);
	return 0;
}

static int read_text(struct profile_meta *meta, const char *text)
{
	const struct {
		const char *key;
		char *to;
		size_t size;
	} fields[] = {
		{ "module-version", meta->module_version,
		  sizeof(meta->module_version) },
		{ "release", meta->release, sizeof(meta->release) },
		{ "host", meta->host, sizeof(meta->host) },
		{ "command", meta->origin.command,
		  sizeof(meta->origin.command) },
		{ "cmdline", meta->origin.cmdline,
		  sizeof(meta->origin.cmdline) },
		{ "cpu-model", meta->origin.cpu_model,
		  sizeof(meta->origin.cpu_model) },
		{ "arch", meta->origin.arch, sizeof(meta->origin.arch) },
		{ "build", meta->origin.build, sizeof(meta->origin.build) },
		{ "boot-id", meta->origin.boot_id,
		  sizeof(meta->origin.boot_id) },
	};
	const char *value;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		value = pprof_value_of(text, fields[i].key);
		if (!value)
			continue;
		snprintf(fields[i].to, fields[i].size, "%s", value);
		return 1;
	}
	return 0;
}

/* Read "inclusion=1/8" or "weighted=1/8". Return: 1 if it is one, 0 if not, or -EINVAL. */
static int read_inclusion(struct profile_meta *meta, const char *text, struct error *error)
{
	const char *own = pprof_value_of(text, "inclusion");
	const char *most = pprof_value_of(text, "weighted");

	if (own)
		return inclusion_parse(own, &meta->inclusion, error) ?: 1;
	return most ? inclusion_parse(most, &meta->weighted, error) ?: 1 : 0;
}

static int read_comment(struct pprof_reader *r, char *text)
{
	struct profile_meta *meta = &r->profile->meta;
	uint64_t epoch = meta->epoch, summed = meta->nr_summed_cpus, clock = UINT64_MAX;
	const struct number_field fields[] = {
		{ "epoch", &epoch },
		{ "summed-cpus", &summed },
		{ PPROF_CLOCK_KEY, &clock },
		{ "threshold", &meta->threshold },
		{ "resolution-ns", &meta->resolution_ns },
		{ "since-ns", &meta->since_ns },
		{ "instant-ns", &meta->instant_ns },
		{ "begin-ns", &meta->begin_ns },
		{ "memory-bytes", &meta->memory_bytes },
		{ "memory-limit-bytes", &meta->memory_limit_bytes },
		{ "machine-cpus", &meta->origin.nr_cpus },
		{ "machine-memory-bytes", &meta->origin.memory_bytes },
		{ "cpu-kb", &meta->origin.cpu_kb },
		{ "aggregate-kb", &meta->origin.aggregate_kb },
	};
	const char *state = pprof_value_of(text, "state");
	int err;

	if (pprof_value_of(text, "cpu"))
		return read_cpu(r, text);
	if (pprof_value_of(text, PPROF_EVENT_KEY))
		return read_event_cpu(r, text);
	if (pprof_value_of(text, PPROF_SLICE_KEY))
		return read_slice(r, text);
	if (pprof_value_of(text, PPROF_SLICE_INTERVALS_KEY))
		return read_intervals_of_slice(r, text);
	if (r->layout == PPROF_LAYOUT_EVENTS && pprof_value_of(text, PPROF_EVENT_SLICE_KEY))
		return read_event_slice(r, text);
	if (pprof_value_of(text, PPROF_INTERVALS_KEY))
		return read_intervals(r, text);
	if (state)
		return read_state(meta, state, r->error);
	if (read_text(meta, text))
		return 0;
	err = read_inclusion(meta, text, r->error);
	if (err)
		return err < 0 ? -EBADMSG : 0;
	err = read_number(fields, sizeof(fields) / sizeof(fields[0]), text,
			  r->error) ?: read_setting(meta, text, r->error);
	if (!err && epoch > UINT32_MAX)
		err = error_set(r->error, -EBADMSG, "epoch=%" PRIu64
				" is above 2^32", epoch);
	if (!err && summed > PROFILE_CPUS_MAX)
		err = error_set(r->error, -EBADMSG, "summed-cpus=%" PRIu64
				" is above %d", summed, PROFILE_CPUS_MAX);
	if (!err && clock != UINT64_MAX && clock > 1)
		err = error_set(r->error, -EBADMSG, PPROF_CLOCK_KEY "=%" PRIu64
				" is neither 0 nor 1", clock);
	meta->epoch = (uint32_t)epoch;
	meta->nr_summed_cpus = (uint32_t)summed;
	if (clock <= 1)
		meta->steal = clock ? PROFILE_STEAL_CLOCK : PROFILE_STEAL_NONE;
	return err ? -EBADMSG : 0;
}

int pprof_read_comments(struct pprof_reader *r)
{
	const char *text;
	char *copy;
	size_t i;
	int err = 0;

	if (r->message->n_comment > COMMENTS_MAX)
		return error_set(r->error, -EBADMSG, "it has more than %d comments",
				 COMMENTS_MAX);
	for (i = 1; i < r->message->n_comment && !err; i++) {
		text = pprof_string(r, r->message->comment[i]);
		if (!text)
			return -EBADMSG;
		copy = strdup(text);
		err = copy ? read_comment(r, copy) : -ENOMEM;
		free(copy);
	}
	return err;
}
