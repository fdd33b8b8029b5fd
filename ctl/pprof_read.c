// SPDX-License-Identifier: GPL-2.0
/*
 * Saved profiles, read: see pprof.h. Files come from anywhere, so every index
 * is checked and memory is bounded: of the unpacked bytes, of the message
 * that protobuf makes of them, and of the stacks made of that.
 */
#include "pprof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "gzip.h"
#include "number.h"
#include "pprof_layout.h"
#include "pprof_read.h"
#include "settings.h"
#include "slices.h"
#include "utf8.h"

/* One a CPU, one a slice and one a CPU of that, and some thirty others. */
#define COMMENTS_MAX	(PROFILE_CPUS_MAX + SLICES_MAX + SLICES_BOOKS_MAX + 64)

/* What protobuf allocates; a message is larger than its bytes. */
static void *message_alloc(void *data, size_t size)
{
	return arena_take(data, size ?: 1);
}

static void message_free(void *data, void *pointer)
{
	(void)data;
	(void)pointer;
}

const char *pprof_string(const struct pprof_reader *r, int64_t index)
{
	if (index >= 0 && (uint64_t)index < r->message->n_string_table)
		return r->strings[index];
	error_set(r->error, -EBADMSG, "string %" PRId64
		  " is referred to, there are %zu", index,
		  r->message->n_string_table);
	return NULL;
}

int pprof_pay(struct pprof_reader *r, uint64_t work)
{
	r->work += work + PPROF_WORK_EACH;
	if (r->work <= PPROF_WORK_MAX)
		return 0;
	return error_set(r->error, -EBADMSG, "its samples name more than %llu GiB of functions together",
			 PPROF_WORK_MAX >> 30);
}

/* "key=" of our comments and what to do with its value. */
struct number_field {
	const char *key;
	uint64_t *value;
};

static const char *value_of(const char *text, const char *key)
{
	size_t length = strlen(key);

	return !strncmp(text, key, length) && text[length] == '=' ?
	       text + length + 1 : NULL;
}

static int read_number(const struct number_field *fields, size_t nr,
		       const char *text, struct error *error)
{
	const char *value;
	size_t i;

	for (i = 0; i < nr; i++) {
		value = value_of(text, fields[i].key);
		if (value)
			return number_parse(value, 0, UINT64_MAX,
					    fields[i].value, error);
	}
	return 0;
}

/* "overdue=-12" is the one figure with a sign. */
static int read_overdue(const char *value, int64_t *overdue, struct error *error)
{
	bool negative = *value == '-';
	uint64_t number;
	int err = number_parse(value + negative, 0, INT64_MAX, &number, error);

	if (!err)
		*overdue = negative ? -(int64_t)number : (int64_t)number;
	return err;
}

/* A CPU's books, and, where the words name a slice, of which. */
struct cpu_line {
	struct profile_cpu cpu;
	bool has_cpu;
	uint64_t slice, end_ns;		/* UINT64_MAX where none is named */
};

#define CPU_FIELDS	12	/* but for those of lost periods */

static int read_cpu_line(char *text, struct cpu_line *line, struct error *error)
{
	struct profile_books *books = &line->cpu.books;
	uint64_t number = UINT64_MAX, sampling = 0;
	struct number_field fields[CPU_FIELDS + __FLAMEMOD_LOST_MAX] = {
		{ "sampled-ns", &line->cpu.sampled_ns },
		{ "expected", &books->expected },
		{ "fires", &books->fires },
		{ "missed", &books->missed },
		{ "stored", &books->stored },
		{ "filtered", &books->filtered },
		{ "truncated", &books->truncated },
		{ "asleep", &books->asleep },
		{ PPROF_SLICE_KEY, &line->slice },
		{ "end-ns", &line->end_ns },
		{ "cpu", &number },
		{ "sampling", &sampling },
	};
	char lost[__FLAMEMOD_LOST_MAX][64], *word, *next = NULL;
	unsigned int i;
	int err = 0;

	*line = (struct cpu_line){ .slice = UINT64_MAX, .end_ns = UINT64_MAX };
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		snprintf(lost[i], sizeof(lost[i]), "lost.%s",
			 profile_lost_name(i));
		fields[CPU_FIELDS + i] = (struct number_field){
			lost[i], &books->lost[i]
		};
	}
	for (word = strtok_r(text, " ", &next); word && !err;
	     word = strtok_r(NULL, " ", &next)) {
		const char *overdue = value_of(word, "overdue");

		err = overdue ? read_overdue(overdue, &books->overdue, error) :
		      read_number(fields, CPU_FIELDS + __FLAMEMOD_LOST_MAX,
				  word, error);
	}
	line->has_cpu = number != UINT64_MAX;
	if (err || (line->has_cpu && number > UINT16_MAX) || sampling > 1)
		return error_set(error, -EBADMSG, "the books of a CPU are malformed");
	line->cpu.cpu = line->has_cpu ? (uint32_t)number : 0;
	line->cpu.sampling = sampling;
	return 0;
}

static int read_cpu(struct pprof_reader *r, char *text)
{
	struct cpu_line line;
	int err = read_cpu_line(text, &line, r->error);

	if (err)
		return err;
	err = profile_add_cpu(r->profile, &line.cpu);
	if (err == -EOVERFLOW)
		return error_set(r->error, -EBADMSG, "the books sum past 2^64");
	return err;
}

/* "slice=BEGIN end-ns=END", then "slice=BEGIN cpu=N ..." of each CPU. */
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
	if (err == -ENOMEM)
		return err;
	if (err == -E2BIG)
		return error_set(r->error, -EBADMSG, "it has more than %d slices",
				 SLICES_MAX);
	return err ? error_set(r->error, -EBADMSG, "its slices are malformed, or in no order") : 0;
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
		if (value_of(text, settings_name(i)))
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
	};
	const char *value;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		value = value_of(text, fields[i].key);
		if (!value)
			continue;
		snprintf(fields[i].to, fields[i].size, "%s", value);
		return 1;
	}
	return 0;
}

static int read_comment(struct pprof_reader *r, char *text)
{
	struct profile_meta *meta = &r->profile->meta;
	uint64_t epoch = meta->epoch;
	const struct number_field fields[] = {
		{ "epoch", &epoch },
		{ "resolution-ns", &meta->resolution_ns },
		{ "since-ns", &meta->since_ns },
		{ "instant-ns", &meta->instant_ns },
		{ "memory-bytes", &meta->memory_bytes },
		{ "memory-limit-bytes", &meta->memory_limit_bytes },
		{ "machine-cpus", &meta->origin.nr_cpus },
		{ "machine-memory-bytes", &meta->origin.memory_bytes },
		{ "cpu-kb", &meta->origin.cpu_kb },
		{ "aggregate-kb", &meta->origin.aggregate_kb },
	};
	const char *state = value_of(text, "state");
	int err;

	if (value_of(text, "cpu"))
		return read_cpu(r, text);
	if (value_of(text, PPROF_SLICE_KEY))
		return read_slice(r, text);
	if (state)
		return read_state(meta, state, r->error);
	if (read_text(meta, text))
		return 0;
	err = read_number(fields, sizeof(fields) / sizeof(fields[0]), text,
			  r->error) ?: read_setting(meta, text, r->error);
	if (!err && epoch > UINT32_MAX)
		err = error_set(r->error, -EBADMSG, "epoch=%" PRIu64
				" is past 2^32", epoch);
	meta->epoch = (uint32_t)epoch;
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

/* Is it ours? Then its strings are to be unescaped, too. */
static int recognise(struct pprof_reader *r)
{
	const Pprof__Profile *message = r->message;
	const char *text, *value;
	size_t i;

	if (!message->n_string_table || *message->string_table[0])
		return error_set(r->error, -EBADMSG,
				 "no pprof profile: its string table does not begin with an empty string");
	if (!message->n_comment)
		return 0;
	text = pprof_string(r, message->comment[0]);
	if (!text)
		return -EBADMSG;
	value = value_of(text, PPROF_LAYOUT_KEY);
	if (!value)
		return 0;
	if (number_parse(value, PPROF_LAYOUT_TIME, PPROF_LAYOUT_WEIGHT,
			 &r->layout, NULL))
		return error_set(r->error, -EBADMSG, "its layout is %.40s, this flamectl knows %d and %d: use a newer one",
				 text, PPROF_LAYOUT_TIME, PPROF_LAYOUT_WEIGHT);
	r->ours = true;
	for (i = 0; i < message->n_string_table; i++)
		utf8_unescape(r->strings[i]);
	return 0;
}

static int check_ours(const struct pprof_reader *r)
{
	struct error inner;

	int err;

	if (!r->ours)
		return 0;
	err = profile_check(r->profile, &inner) ?:
	      slices_check(r->profile, &inner);
	if (!err || err == -ENOMEM)
		return err;
	return error_set(r->error, -EBADMSG, "its books do not add up, it may have been changed by another program: %.300s",
			 inner.text);
}

static int read_message(struct pprof_reader *r)
{
	const Pprof__Profile *message = r->message;
	struct profile_meta *meta = &r->profile->meta;
	size_t i;
	int err;

	r->strings = message->string_table;
	meta->time_ns = message->time_nanos;
	if (message->duration_nanos < 0 || message->period < 0)
		return error_set(r->error, -EBADMSG, "period or duration is negative");
	meta->duration_ns = (uint64_t)message->duration_nanos;
	err = recognise(r);
	for (i = 0; i < message->n_string_table; i++)
		utf8_cut(r->strings[i], PROFILE_NAME_MAX);
	if (!err && r->ours) {
		meta->period_ns = (uint64_t)message->period;
		err = pprof_read_comments(r);
	}
	return err ?: pprof_read_locations(r) ?: pprof_read_samples(r) ?:
	       check_ours(r);
}

/* Why protobuf made no message of them, which it does not tell itself. */
static int explain(const struct arena *arena, const uint8_t *bytes, size_t size,
		   struct error *error)
{
	if (arena->exceeded)
		return error_set(error, -EBADMSG, "larger than %llu MiB decoded",
				 PPROF_DECODED_MAX >> 20);
	if (arena->failed)
		return error_set(error, -ENOMEM, "memory is short");
	return error_set(error, -EBADMSG, pprof_probe(bytes, size) ?
			 "damaged: what begins as a pprof profile does not go on as one" :
			 "no pprof profile, or damaged; flamectl import makes one of folded and other text");
}

static int read_bytes(const uint8_t *bytes, size_t size,
		      struct profile **profile, struct error *error)
{
	struct arena arena = { .left = PPROF_DECODED_MAX };
	ProtobufCAllocator allocator = {
		.alloc = message_alloc,
		.free = message_free,
		.allocator_data = &arena,
	};
	struct pprof_reader r = { .error = error };
	int err;

	r.message = pprof__profile__unpack(&allocator, size, bytes);
	if (!r.message) {
		arena_deinit(&arena);
		return explain(&arena, bytes, size, error);
	}
	r.profile = profile_create();
	err = r.profile ? read_message(&r) : -ENOMEM;
	if (err == -E2BIG)
		err = error_set(error, -EBADMSG, "it has more than %d CPUs",
				PROFILE_CPUS_MAX);
	else if (err == -ENOMEM || err == -EOVERFLOW)
		error_set(error, err, "%s", strerror(-err));
	pprof_locations_deinit(&r);
	pprof_samples_deinit(&r);
	arena_deinit(&arena);
	if (err) {
		profile_destroy(r.profile);
		return err;
	}
	*profile = r.profile;
	return 0;
}

int pprof_parse(const uint8_t *bytes, size_t size, const char *name,
		struct profile **profile, struct error *error)
{
	struct error inner;
	int err = size ? read_bytes(bytes, size, profile, &inner) :
			 error_set(&inner, -EBADMSG, "empty");

	return err ? error_set(error, err, "%.100s: %.400s", name, inner.text) :
		     0;
}

int pprof_read(FILE *in, const char *name, struct profile **profile,
	       struct error *error)
{
	struct error inner;
	uint8_t *bytes;
	size_t size;
	int err;

	err = gzip_read(in, PPROF_UNPACKED_MAX, &bytes, &size, &inner);
	if (err)
		return error_set(error, err, "%.100s: %.400s", name, inner.text);
	err = pprof_parse(bytes, size, name, profile, error);
	free(bytes);
	return err;
}
