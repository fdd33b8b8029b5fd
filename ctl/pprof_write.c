// SPDX-License-Identifier: GPL-2.0
/*
 * A profile as a pprof file, laid out as pprof.h says.
 *
 * A protobuf message may be written in parts, whose repeated fields add up.
 * So each sample, location or string is a message of its own here, and the
 * whole is never in memory.
 */
#include "pprof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "pprof.pb-c.h"
#include "pprof_layout.h"
#include "preorder.h"
#include "settings.h"
#include "slices.h"
#include "utf8.h"

#define LABELS_MAX	7

struct writer {
	const struct profile *profile;
	struct gzip *gzip;
	/* as frames, which are numbered as they come and found by their names */
	struct profile *strings;	/* escaped; by index */
	struct profile *mappings;	/* their files; id is number + 1 */
	uint8_t *scratch;
	size_t scratch_bytes;
	const char *type, *unit;	/* of weights */
	bool only_weights;		/* each is the number of its samples */
	int err;			/* the first; nothing is written after it */
};

static bool is_cpu_time(const struct profile *profile)
{
	return profile->meta.period_ns && !*profile->meta.weight_type;
}

static bool counts_only_samples(const struct profile *profile)
{
	uint32_t i;

	if (profile->meta.period_ns || *profile->meta.weight_unit)
		return false;
	for (i = 0; i < profile->nr_records; i++)
		if (profile->records[i].count != profile->records[i].periods)
			return false;
	return true;
}

static void choose_types(struct writer *w)
{
	const struct profile_meta *meta = &w->profile->meta;
	bool is_time = is_cpu_time(w->profile);

	w->type = is_time ? "cpu" : *meta->weight_type ? meta->weight_type :
							PPROF_WEIGHT_TYPE;
	w->unit = meta->period_ns ? "nanoseconds" :
		  *meta->weight_unit ? meta->weight_unit : PPROF_WEIGHT_UNIT;
	w->only_weights = counts_only_samples(w->profile);
}

/* Ids of locations and functions alike: frames, then what has no frames. */
static uint64_t frame_id(uint32_t frame)
{
	return (uint64_t)frame + 1;
}

static uint64_t context_id(const struct writer *w, unsigned int context)
{
	return (uint64_t)w->profile->nr_frames + 1 + context;
}

static uint64_t lost_id(const struct writer *w, unsigned int reason)
{
	return context_id(w, __FLAMEMOD_CONTEXT_MAX) + reason;
}

static void emit(struct writer *w, const Pprof__Profile *part)
{
	size_t size = pprof__profile__get_packed_size(part);
	uint8_t *bigger;

	if (w->err)
		return;
	if (size > w->scratch_bytes) {
		bigger = realloc(w->scratch, size);
		if (!bigger) {
			w->err = -ENOMEM;
			return;
		}
		w->scratch = bigger;
		w->scratch_bytes = size;
	}
	pprof__profile__pack(part, w->scratch);
	w->err = gzip_write(w->gzip, w->scratch, size);
}

/* The number of @text among @names. Return: is it new? */
static bool intern(struct writer *w, struct profile *names, const char *text,
		   uint32_t *number)
{
	uint32_t before = names->nr_frames;

	w->err = profile_add_frame(names, text, FLAMEMOD_FRAME_KERNEL, number);
	return !w->err && names->nr_frames > before;
}

/* The index of @text in the string table, where it is put if need be. */
static int64_t string(struct writer *w, const char *text)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	uint32_t index = 0;
	char *escaped;

	if (w->err)
		return 0;
	escaped = utf8_escape(text);
	if (!escaped) {
		w->err = -ENOMEM;
		return 0;
	}
	if (intern(w, w->strings, escaped, &index)) {
		part.n_string_table = 1;
		part.string_table = &escaped;
		emit(w, &part);
	}
	free(escaped);
	return index;
}

__attribute__((format(printf, 2, 3)))
static void comment(struct writer *w, const char *format, ...)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char text[1200];
	va_list args;
	int64_t index;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	index = string(w, text);
	part.n_comment = 1;
	part.comment = &index;
	emit(w, &part);
}

static void write_types(struct writer *w)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	const char *const words[PPROF_TYPES][2] = {
		[PPROF_SAMPLES] = { "samples", "count" },
		[PPROF_WEIGHT] = { w->type, w->unit },
		[PPROF_LATE] = { "late", "microseconds" },
	};
	Pprof__ValueType types[PPROF_TYPES], *type[PPROF_TYPES];
	size_t i;

	for (i = 0; i < PPROF_TYPES; i++) {
		pprof__value_type__init(&types[i]);
		types[i].type = string(w, words[i][0]);
		types[i].unit = string(w, words[i][1]);
		type[i] = &types[i];
	}
	part.n_sample_type = PPROF_TYPES;
	part.sample_type = type;
	part.period_type = type[PPROF_WEIGHT];
	part.default_sample_type =
		types[w->only_weights ? PPROF_SAMPLES : PPROF_WEIGHT].type;
	part.period = (int64_t)w->profile->meta.period_ns;
	part.time_nanos = w->profile->meta.time_ns;
	part.duration_nanos = (int64_t)w->profile->meta.duration_ns;
	emit(w, &part);
}

static void write_settings(struct writer *w)
{
	const struct profile_settings *settings = &w->profile->meta.settings;
	unsigned int i;
	char text[1100];

	for (i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++) {
		settings_value(settings, i, text, sizeof(text));
		/* no rate or depth is known: no value that could be set */
		if (i <= FLAMEMOD_A_SETTINGS_MAX_DEPTH && !strcmp(text, "0"))
			continue;
		/* which most profiles have nothing to do with */
		if (i == FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY &&
		    !settings->followed_only)
			continue;
		comment(w, "%s=%s", settings_name(i), text);
	}
}

/* @what: what these are the books of, as a word of its own, or "" */
static void write_cpu(struct writer *w, const char *what,
		      const struct profile_cpu *cpu)
{
	const struct profile_books *books = &cpu->books;
	char lost[__FLAMEMOD_LOST_MAX * 64];
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		used += (size_t)snprintf(lost + used, sizeof(lost) - used,
					 " lost.%s=%" PRIu64,
					 profile_lost_name(i), books->lost[i]);
	comment(w, "%scpu=%" PRIu32 " sampling=%d sampled-ns=%" PRIu64
		" expected=%" PRIu64 " fires=%" PRIu64 " missed=%" PRIu64
		" stored=%" PRIu64 " filtered=%" PRIu64 " truncated=%" PRIu64
		" asleep=%" PRIu64 " overdue=%" PRId64 "%s", what, cpu->cpu, cpu->sampling, cpu->sampled_ns,
		books->expected, books->fires, books->missed, books->stored,
		books->filtered, books->truncated, books->asleep,
		books->overdue, lost);
}

static void write_slice(struct writer *w, const struct slice *slice)
{
	char what[64];

	comment(w, PPROF_SLICE_KEY "=%" PRIu64 " end-ns=%" PRIu64,
		slice->begin_ns, slice->end_ns);
	snprintf(what, sizeof(what), PPROF_SLICE_KEY "=%" PRIu64 " ",
		 slice->begin_ns);
	for (uint32_t i = 0; i < slice->nr_cpus; i++)
		write_cpu(w, what, &slice->cpus[i]);
}

/* Only what is known: a file that is silent has no line. */
static void write_origin(struct writer *w, const struct profile_origin *origin)
{
	const struct { const char *key, *text; } texts[] = {
		{ "command", origin->command }, { "cmdline", origin->cmdline },
		{ "cpu-model", origin->cpu_model }, { "arch", origin->arch },
	};
	const struct { const char *key; uint64_t number; } numbers[] = {
		{ "machine-cpus", origin->nr_cpus },
		{ "machine-memory-bytes", origin->memory_bytes },
		{ "cpu-kb", origin->cpu_kb },
		{ "aggregate-kb", origin->aggregate_kb },
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (*texts[i].text)
			comment(w, "%s=%s", texts[i].key, texts[i].text);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].number)
			comment(w, "%s=%" PRIu64, numbers[i].key,
				numbers[i].number);
}

static void write_comments(struct writer *w)
{
	const struct slices *slices = w->profile->slices;
	const struct profile_meta *meta = &w->profile->meta;
	uint32_t i;

	comment(w, PPROF_LAYOUT_KEY "=%d", is_cpu_time(w->profile) ?
		PPROF_LAYOUT_TIME : PPROF_LAYOUT_WEIGHT);
	comment(w, "module-version=%s", meta->module_version);
	comment(w, "release=%s", meta->release);
	comment(w, "host=%s", meta->host);
	write_settings(w);
	comment(w, "state=%s", profile_state_name(meta->state));
	comment(w, "epoch=%" PRIu32, meta->epoch);
	comment(w, "resolution-ns=%" PRIu64, meta->resolution_ns);
	comment(w, "since-ns=%" PRIu64, meta->since_ns);
	comment(w, "instant-ns=%" PRIu64, meta->instant_ns);
	comment(w, "memory-bytes=%" PRIu64, meta->memory_bytes);
	comment(w, "memory-limit-bytes=%" PRIu64, meta->memory_limit_bytes);
	write_origin(w, &meta->origin);
	for (i = 0; i < w->profile->nr_cpus; i++)
		write_cpu(w, "", &w->profile->cpus[i]);
	for (i = 0; slices && i < slices->nr; i++)
		write_slice(w, &slices->list[i]);
}

/* The id of the mapping of this file, which is put there if need be. */
static uint64_t mapping(struct writer *w, const char *file)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Mapping new = PPROF__MAPPING__INIT, *one = &new;
	uint32_t number = 0;

	if (w->err)
		return 0;
	if (!intern(w, w->mappings, file, &number))
		return (uint64_t)number + 1;
	new.id = (uint64_t)number + 1;
	new.filename = string(w, file);
	new.has_functions = true;
	part.n_mapping = 1;
	part.mapping = &one;
	emit(w, &part);
	return new.id;
}

/* A module's frames end in " [module]". */
static uint64_t frame_mapping(struct writer *w,
			      const struct profile_frame *frame)
{
	const char *suffix;

	switch (frame->kind) {
	case FLAMEMOD_FRAME_KERNEL:
		return mapping(w, PPROF_KERNEL_MAPPING);
	case FLAMEMOD_FRAME_MODULE:
		suffix = strrchr(frame->name, ' ');
		if (!suffix || suffix[1] != '[' ||
		    suffix[strlen(suffix) - 1] != ']' ||
		    !strcmp(suffix + 1, PPROF_KERNEL_MAPPING))
			return mapping(w, "[unknown]");
		return mapping(w, suffix + 1);
	case FLAMEMOD_FRAME_USER:
		return mapping(w, PPROF_USER_MAPPING);
	default:
		return 0;
	}
}

static void write_location(struct writer *w, uint64_t id, uint64_t in,
			   const char *name, const char *file)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	Pprof__Line line = PPROF__LINE__INIT, *lines = &line;

	function.id = id;
	function.name = string(w, name);
	function.system_name = function.name;
	function.filename = string(w, file);
	line.function_id = id;
	location.id = id;
	location.mapping_id = in;
	location.n_line = 1;
	location.line = &lines;
	part.n_function = 1;
	part.function = &functions;
	part.n_location = 1;
	part.location = &locations;
	emit(w, &part);
}

static void write_locations(struct writer *w)
{
	const struct profile *profile = w->profile;
	char name[64];
	uint32_t i;

	for (i = 0; i < profile->nr_frames; i++)
		write_location(w, frame_id(i),
			       frame_mapping(w, &profile->frames[i]),
			       profile->frames[i].name, "");
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++) {
		snprintf(name, sizeof(name), "[%s]", profile_context_name(i));
		write_location(w, context_id(w, i), 0, name, PPROF_NO_FILE);
	}
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		write_location(w, lost_id(w, i), 0, name, PPROF_NO_FILE);
	}
}

/* A sample under construction, with all that it points to. */
struct sample {
	Pprof__Sample sample;
	Pprof__Label labels[LABELS_MAX], *label[LABELS_MAX];
	int64_t values[PPROF_TYPES];
};

static Pprof__Label *add_label(struct writer *w, struct sample *s,
			       const char *key)
{
	Pprof__Label *label = &s->labels[s->sample.n_label];

	pprof__label__init(label);
	label->key = string(w, key);
	s->label[s->sample.n_label++] = label;
	return label;
}

static void label_text(struct writer *w, struct sample *s, const char *key,
		       const char *text)
{
	Pprof__Label *label = add_label(w, s, key);

	label->str = string(w, text);
}

/* Other programs take it for a time, and can select by it. */
static void label_slice(struct writer *w, struct sample *s,
			const struct slice *slice)
{
	Pprof__Label *label;

	if (!slice)
		return;
	label = add_label(w, s, PPROF_SLICE_KEY);
	label->num = (int64_t)slice->begin_ns;
	label->num_unit = string(w, "nanoseconds");
}

/* The unit tells a 0 from no number at all. */
static void label_number(struct writer *w, struct sample *s, const char *key,
			 uint32_t number)
{
	Pprof__Label *label = add_label(w, s, key);

	label->num = number;
	label->num_unit = label->key;
}

static void set_values(struct writer *w, struct sample *s, uint64_t count,
		       uint64_t periods, uint64_t late_us)
{
	uint64_t period_ns = w->profile->meta.period_ns ?: 1, ns;

	if (__builtin_mul_overflow(periods, period_ns, &ns) ||
	    ns > INT64_MAX || count > INT64_MAX || late_us > INT64_MAX)
		w->err = w->err ?: -EOVERFLOW;
	s->values[PPROF_SAMPLES] = (int64_t)count;
	s->values[PPROF_WEIGHT] = (int64_t)ns;
	s->values[PPROF_LATE] = (int64_t)late_us;
}

static void emit_sample(struct writer *w, struct sample *s,
			uint64_t *locations, size_t nr)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Sample *sample = &s->sample;

	sample->n_value = PPROF_TYPES;
	sample->value = s->values;
	sample->label = s->label;
	sample->n_location_id = nr;
	sample->location_id = locations;
	part.n_sample = 1;
	part.sample = &sample;
	emit(w, &part);
}

/* Leaf first. Return: how many locations. */
static size_t stack_of(const struct writer *w,
		       const struct profile_record *record,
		       uint64_t *locations)
{
	const struct profile_node *nodes = w->profile->nodes;
	uint32_t node;
	size_t nr = 0;

	for (node = record->node; node; node = nodes[node].parent)
		locations[nr++] = frame_id(nodes[node].frame);
	if (!nr)
		locations[nr++] = context_id(w, record->context);
	return nr;
}

static size_t deepest(const struct profile *profile)
{
	size_t depth, most = 1;
	uint32_t i, node;

	for (i = 0; i < profile->nr_records; i++) {
		depth = 0;
		for (node = profile->records[i].node; node;
		     node = profile->nodes[node].parent)
			depth++;
		if (depth > most)
			most = depth;
	}
	return most;
}

static void write_record(struct writer *w, const struct profile_record *record,
			 const struct slice *slice, uint64_t *locations)
{
	const struct profile_task *task = &w->profile->tasks[record->task];
	struct sample s = { .sample = PPROF__SAMPLE__INIT };

	label_text(w, &s, "comm", task->comm);
	label_number(w, &s, "pid", task->pid);
	label_number(w, &s, "tid", task->tid);
	label_number(w, &s, "cpu", record->cpu);
	label_text(w, &s, "context", profile_context_name(record->context));
	if (strcmp(profile_host(w->profile, task), w->profile->meta.host))
		label_text(w, &s, "host", task->host);
	label_slice(w, &s, slice);
	set_values(w, &s, record->count, record->periods, record->late_us);
	emit_sample(w, &s, locations, stack_of(w, record, locations));
}

/* A lost period is no sample, but it was time; a weight is all that it is. */
static void write_lost(struct writer *w, const struct profile_cpu *cpu,
		       const struct slice *slice)
{
	uint64_t location;
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		struct sample s = { .sample = PPROF__SAMPLE__INIT };

		if (!cpu->books.lost[i])
			continue;
		label_text(w, &s, "lost", profile_lost_name(i));
		label_number(w, &s, "cpu", cpu->cpu);
		label_slice(w, &s, slice);
		set_values(w, &s, w->only_weights ? cpu->books.lost[i] : 0,
			   cpu->books.lost[i], 0);
		location = lost_id(w, i);
		emit_sample(w, &s, &location, 1);
	}
}

/* @locations: room for the deepest stack */
static void write_records(struct writer *w, const struct slice *slice,
			  const struct slice *label, const uint32_t *ranks,
			  uint64_t *locations)
{
	uint32_t *order = preorder_records(ranks, slice->records,
					   slice->nr_records);

	if (!order)
		w->err = -ENOMEM;
	for (uint32_t i = 0; i < slice->nr_records && !w->err; i++)
		write_record(w, &slice->records[order[i]], label, locations);
	free(order);
}

/*
 * All records and losses, of one slice after the other where there are any;
 * neighbours share callers, which packs, and is read, in less.
 */
static void write_samples(struct writer *w)
{
	const struct profile *profile = w->profile;
	const struct slices *slices = profile->slices;
	const struct slice whole = {
		.records = profile->records, .nr_records = profile->nr_records,
		.cpus = profile->cpus, .nr_cpus = profile->nr_cpus,
	};
	uint64_t *locations = calloc(deepest(profile), sizeof(*locations));
	uint32_t *ranks = preorder_ranks(profile);
	uint32_t nr = slices ? slices->nr : 1, i, j;

	if (!locations || !ranks)
		w->err = w->err ?: -ENOMEM;
	for (i = 0; i < nr && !w->err; i++) {
		const struct slice *slice = slices ? &slices->list[i] : &whole;
		const struct slice *label = slices ? slice : NULL;

		write_records(w, slice, label, ranks, locations);
		for (j = 0; j < slice->nr_cpus; j++)
			write_lost(w, &slice->cpus[j], label);
	}
	free(ranks);
	free(locations);
}

static int writer_init(struct writer *w, const struct profile *profile,
		       FILE *out)
{
	memset(w, 0, sizeof(*w));
	w->profile = profile;
	choose_types(w);
	w->strings = profile_create();
	w->mappings = profile_create();
	w->gzip = gzip_create(out);
	if (!w->strings || !w->mappings || !w->gzip)
		return -ENOMEM;
	/* read back as numbers with a sign */
	if (profile->meta.period_ns > INT64_MAX ||
	    profile->meta.duration_ns > INT64_MAX)
		return -EOVERFLOW;
	return 0;
}

static void writer_deinit(struct writer *w)
{
	profile_destroy(w->strings);
	profile_destroy(w->mappings);
	free(w->scratch);
	gzip_destroy(w->gzip);
}

int pprof_write(const struct profile *profile, FILE *out, struct error *error)
{
	struct writer w;
	int err;

	w.err = writer_init(&w, profile, out);
	if (!w.err) {
		string(&w, "");
		write_types(&w);
		write_comments(&w);
		mapping(&w, PPROF_KERNEL_MAPPING);
		write_locations(&w);
		write_samples(&w);
	}
	err = w.err ?: gzip_finish(w.gzip);
	writer_deinit(&w);
	if (err == -EOVERFLOW)
		return error_set(error, err,
				 "a weight, the period or the duration is past 2^63 ns");
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
