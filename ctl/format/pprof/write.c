// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile as a pprof file, laid out as in pprof.h.
 *
 * A protobuf message may be written in parts, whose repeated fields are
 * concatenated. So each sample, location or string is written as a message of
 * its own, and the whole message is never in memory.
 */
#include "format/pprof/pprof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"
#include "base/utf8.h"
#include "format/pprof/layout.h"
#include "format/pprof/pack.h"
#include "format/pprof/write.h"
#include "pprof.pb-c.h"
#include "profile/preorder.h"
#include "profile/slices.h"

/* One for each label key. */
#define LABELS_MAX	8

/* Ids of locations and functions: frames first, then contexts and losses. */
static uint64_t frame_id(uint32_t frame)
{
	return (uint64_t)frame + 1;
}

static uint64_t context_id(const struct pprof_writer *w, unsigned int context)
{
	return (uint64_t)w->profile->nr_frames + 1 + context;
}

static uint64_t lost_id(const struct pprof_writer *w, unsigned int reason)
{
	return context_id(w, __FLAMEMOD_CONTEXT_MAX) + reason;
}

static void write_types(struct pprof_writer *w)
{
	Pprof__ValueType types[PPROF_WRITE_TYPES], *type[PPROF_WRITE_TYPES];
	const struct profile_meta *meta = &w->events->list[0].profile->meta;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	unsigned int i;

	for (i = 0; i < w->nr_types; i++) {
		pprof__value_type__init(&types[i]);
		types[i].type = pprof_write_string(w, w->types[i].name);
		types[i].unit = pprof_write_string(w, w->types[i].unit);
		type[i] = &types[i];
	}
	part.n_sample_type = w->nr_types;
	part.sample_type = type;
	part.period_type = type[w->main_type];
	part.default_sample_type = types[w->default_type].type;
	part.period = (int64_t)meta->period_ns;
	part.time_nanos = meta->time_ns;
	part.duration_nanos = (int64_t)meta->duration_ns;
	pprof_emit(w, &part);
}

/* Write a frame that has no name: its place says all. */
static void write_place(struct pprof_writer *w, uint64_t id, uint64_t in,
			uint64_t address)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;

	location.id = id;
	location.mapping_id = in;
	location.address = address;
	part.n_location = 1;
	part.location = &locations;
	pprof_emit(w, &part);
}

/*
 * Write a location and its function, which have the same id. Fields are those of
 * pprof.proto; their numbers are in order.
 */
static void write_location(struct pprof_writer *w, uint64_t id, uint64_t in,
			   uint64_t address, const char *name, const char *file)
{
	const size_t most = 8 * PACK_NUMBER_MAX + 3 * PACK_HEAD_MAX;
	uint64_t name_index = (uint64_t)pprof_write_string(w, name);
	uint64_t file_index = (uint64_t)pprof_write_stable(w, file);
	uint8_t *first = pprof_reserve(w, most), *end, *part;

	if (!first)
		return;
	first += most;
	end = first;
	first = pack_number(first, 4, file_index);
	first = pack_number(first, 3, name_index);
	first = pack_number(first, 2, name_index);
	first = pack_number(first, 1, id);
	first = pack_head(first, 5, (size_t)(end - first));
	part = first;
	first = pack_number(first, 1, id);
	first = pack_head(first, 4, (size_t)(part - first));
	first = pack_number(first, 3, address);
	first = pack_number(first, 2, in);
	first = pack_number(first, 1, id);
	first = pack_head(first, 4, (size_t)(part - first));
	w->err = gzip_write(w->gzip, first, (size_t)(end - first));
}

static void write_frame(struct pprof_writer *w, uint32_t frame)
{
	const struct profile_frame *added = &w->profile->frames[frame];
	uint64_t address, in = pprof_frame_mapping(w, added, &address);

	if (address && profile_frame_unnamed(w->profile, frame))
		write_place(w, frame_id(frame), in, address);
	else
		write_location(w, frame_id(frame), in, address, added->name, "");
}

static void write_locations(struct pprof_writer *w)
{
	const struct profile *profile = w->profile;
	char name[64];
	uint32_t i;

	for (i = 0; i < profile->nr_frames; i++)
		write_frame(w, i);
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++) {
		snprintf(name, sizeof(name), "[%s]", profile_context_name(i));
		write_location(w, context_id(w, i), 0, 0, name, PPROF_NO_FILE);
	}
	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		write_location(w, lost_id(w, i), 0, 0, name, PPROF_NO_FILE);
	}
}

struct label {
	int64_t key, str, num, num_unit;
};

/* A sample being built. */
struct sample {
	struct label labels[LABELS_MAX];
	size_t nr_labels;
};

static struct label *add_label(struct pprof_writer *w, struct sample *s,
			       const char *key)
{
	struct label *label = &s->labels[s->nr_labels++];

	*label = (struct label){ .key = pprof_write_stable(w, key) };
	return label;
}

static void label_text(struct pprof_writer *w, struct sample *s, const char *key,
		       const char *text)
{
	struct label *label = add_label(w, s, key);

	label->str = pprof_write_stable(w, text);
}

/* The unit lets other programs take it for a time, and select by it. */
static void label_slice(struct pprof_writer *w, struct sample *s,
			const struct slice *slice)
{
	struct label *label;

	if (!slice)
		return;
	label = add_label(w, s, PPROF_SLICE_KEY);
	label->num = (int64_t)slice->begin_ns;
	label->num_unit = pprof_write_stable(w, "nanoseconds");
}

/* The unit distinguishes the number 0 from a missing number. */
static void label_number(struct pprof_writer *w, struct sample *s, const char *key,
			 uint32_t number)
{
	struct label *label = add_label(w, s, key);

	label->num = number;
	label->num_unit = label->key;
}

static uint8_t *pack_label(uint8_t *first, const struct label *label)
{
	const uint8_t *end = first;

	first = pack_number(first, 4, (uint64_t)label->num_unit);
	first = pack_number(first, 3, (uint64_t)label->num);
	first = pack_number(first, 2, (uint64_t)label->str);
	first = pack_number(first, 1, (uint64_t)label->key);
	return pack_head(first, 3, (size_t)(end - first));
}

/*
 * Write a sample: in a file of many samples, most of the time that libprotobuf-c
 * would take. The numbers of fields are those of pprof.proto.
 */
static void emit_sample(struct pprof_writer *w, const struct sample *s,
			const int64_t *values, const uint64_t *locations,
			size_t nr)
{
	size_t most = (nr + w->nr_types) * PACK_VARINT_MAX + 3 * PACK_HEAD_MAX +
		      LABELS_MAX * (4 * PACK_NUMBER_MAX + PACK_HEAD_MAX);
	uint8_t *first = pprof_reserve(w, most), *end;

	if (!first)
		return;
	first += most;
	end = first;
	for (size_t i = s->nr_labels; i > 0; i--)
		first = pack_label(first, &s->labels[i - 1]);
	first = pack_numbers(first, 2, (const uint64_t *)values, w->nr_types);
	first = pack_numbers(first, 1, locations, nr);
	first = pack_head(first, 2, (size_t)(end - first));
	w->err = gzip_write(w->gzip, first, (size_t)(end - first));
}

/* Fill in the locations, leaf first. Return: how many there are. */
static size_t stack_of(const struct pprof_writer *w,
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

/* @row: the record's values, or NULL if there is only one event. */
static void write_record(struct pprof_writer *w,
			 const struct profile_record *record,
			 const struct slice *slice, const int64_t *row,
			 uint64_t *locations)
{
	const struct profile_task *task = &w->profile->tasks[record->task];
	struct sample s = { .nr_labels = 0 };
	int64_t values[PPROF_TYPES];

	label_text(w, &s, "comm", task->comm);
	label_number(w, &s, "pid", task->pid);
	label_number(w, &s, "tid", task->tid);
	label_number(w, &s, "cpu", record->cpu);
	label_text(w, &s, "context", profile_context_name(record->context));
	if (strcmp(profile_host(w->profile, task), w->profile->meta.host))
		label_text(w, &s, "host", task->host);
	if (*task->cgroup)
		label_text(w, &s, "cgroup", task->cgroup);
	label_slice(w, &s, slice);
	if (!row)
		w->err = w->err ?: pprof_values_of(w, 0, record, values);
	emit_sample(w, &s, row ?: values, locations,
		    stack_of(w, record, locations));
}

/*
 * Write lost periods. They carry weight but no sample count, except in a
 * profile whose weights are sample counts.
 */
static void write_lost(struct pprof_writer *w, unsigned int event,
		       const struct profile_cpu *cpu,
		       const struct slice *slice)
{
	int64_t values[PPROF_WRITE_TYPES] = { 0 };
	uint64_t location;
	unsigned int i;

	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		struct sample s = { .nr_labels = 0 };
		const struct profile_record record = {
			.count = w->only_weights ? cpu->books.lost[i] : 0,
			.periods = cpu->books.lost[i],
		};

		if (!cpu->books.lost[i])
			continue;
		label_text(w, &s, "lost", profile_lost_name(i));
		label_number(w, &s, "cpu", cpu->cpu);
		label_slice(w, &s, slice);
		w->err = w->err ?: pprof_values_of(w, event, &record, values);
		location = lost_id(w, i);
		emit_sample(w, &s, values, &location, 1);
	}
}

/* Which samples are written: those of all time, or of one slice. */
struct part {
	const struct slice *label;	/* the slice that samples name; NULL: none */
	uint32_t at;			/* its number; UINT32_MAX: all time */
	const uint32_t *ranks;
	uint64_t *locations;		/* room for the deepest stack */
};

/* @values: of several events, nr_types a record; else NULL */
static void write_records(struct pprof_writer *w, const struct part *part,
			  const struct profile_record *records, uint32_t nr,
			  const int64_t *values)
{
	uint32_t *order = preorder_records(part->ranks, records, nr);

	if (!order)
		w->err = -ENOMEM;
	for (uint32_t i = 0; i < nr && !w->err; i++)
		write_record(w, &records[order[i]], part->label, values ?
			     values + (size_t)order[i] * w->nr_types : NULL,
			     part->locations);
	free(order);
}

/* Return: the records and books of an event that are in a part, as those of a slice. */
static struct slice slice_of(const struct profile *profile, const struct part *part)
{
	if (part->label)
		return profile->slices->list[part->at];
	return (struct slice){
		.records = profile->records, .nr_records = profile->nr_records,
		.cpus = profile->cpus, .nr_cpus = profile->nr_cpus,
	};
}

static void write_part(struct pprof_writer *w, const struct part *part)
{
	bool several = w->layout == PPROF_LAYOUT_EVENTS;
	struct pprof_rows rows = { .nr = 0 };
	struct slice slice;

	if (several) {
		w->err = pprof_rows_make(w, part->at, &rows);
		if (!w->err)
			write_records(w, part, rows.records, rows.nr, rows.values);
		pprof_rows_deinit(&rows);
	} else {
		slice = slice_of(w->profile, part);
		write_records(w, part, slice.records, slice.nr_records, NULL);
	}
	for (unsigned int i = 0; i < w->events->nr; i++) {
		slice = slice_of(w->events->list[i].profile, part);
		for (uint32_t j = 0; j < slice.nr_cpus && !w->err; j++)
			write_lost(w, i, &slice.cpus[j], part->label);
	}
}

/*
 * Write all records and losses, slice by slice if there are slices. Records are
 * sorted so that neighbours share callers, which compresses better and reads
 * faster.
 */
static void write_samples(struct pprof_writer *w)
{
	const struct slices *slices = w->slices;
	uint64_t *locations = calloc(deepest(w->profile), sizeof(*locations));
	uint32_t *ranks = preorder_ranks(w->profile);
	struct part part = { .at = UINT32_MAX, .ranks = ranks, .locations = locations };

	if (!locations || !ranks)
		w->err = w->err ?: -ENOMEM;
	if (!slices && !w->err)
		write_part(w, &part);
	for (uint32_t i = 0; slices && i < slices->nr && !w->err; i++) {
		part.at = i;
		part.label = &slices->list[i];
		write_part(w, &part);
	}
	free(ranks);
	free(locations);
}

/* @gzip: owned by the writer from then on, also on an error; NULL: memory is short. */
static int writer_init(struct pprof_writer *w, const struct events *events,
		       struct gzip *gzip)
{
	unsigned int i;

	memset(w, 0, sizeof(*w));
	w->events = events;
	w->strings = profile_create();
	w->mappings = profile_create();
	w->gzip = gzip;
	if (!w->strings || !w->mappings || !w->gzip)
		return -ENOMEM;
	/* they are read back as signed numbers */
	for (i = 0; i < events->nr; i++)
		if (events->list[i].profile->meta.period_ns > INT64_MAX ||
		    events->list[i].profile->meta.duration_ns > INT64_MAX)
			return -EOVERFLOW;
	return pprof_choose_types(w);
}

static void writer_deinit(struct pprof_writer *w)
{
	profile_destroy(w->strings);
	profile_destroy(w->mappings);
	profile_destroy(w->united);
	free(w->objects);
	for (unsigned int i = 0; i < EVENTS_MAX; i++)
		profile_map_deinit(&w->maps[i]);
	free(w->scratch);
	gzip_destroy(w->gzip);
}

static int write_all(const struct events *events, struct gzip *gzip, struct error *error)
{
	struct pprof_writer w;
	int err;

	w.err = writer_init(&w, events, gzip) ?: pprof_find_objects(&w);
	if (!w.err) {
		pprof_write_string(&w, "");
		write_types(&w);
		pprof_write_comments(&w);
		pprof_write_kernel_mapping(&w);
		write_locations(&w);
		write_samples(&w);
	}
	err = w.err ?: gzip_finish(w.gzip);
	writer_deinit(&w);
	if (err == -EINVAL)
		return error_set(error, err, "its events have different slices of time");
	if (err == -EOVERFLOW)
		return error_set(error, err,
				 "a weight, the period or the duration is more than 2^63 ns");
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

int pprof_write_events(const struct events *events, FILE *out,
		       struct error *error)
{
	return write_all(events, gzip_create(out), error);
}

static struct events only(const struct profile *profile)
{
	return (struct events){
		.list[0].profile = (struct profile *)profile, .nr = 1,
	};
}

int pprof_write(const struct profile *profile, FILE *out, struct error *error)
{
	const struct events events = only(profile);

	return write_all(&events, gzip_create(out), error);
}

int pprof_write_fast(const struct profile *profile, FILE *out, struct error *error)
{
	const struct events events = only(profile);

	return write_all(&events, gzip_create_fast(out), error);
}
