// SPDX-License-Identifier: GPL-2.0
/*
 * Decode a pprof message: see decode.h. The first pass over the message counts its
 * parts, the second one decodes them.
 */
#include "format/pprof/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "format/pprof/pprof.h"
#include "format/pprof/wire.h"

/* Numbers of the fields of a Profile. */
enum {
	SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING_TABLE,
	DROP_FRAMES, KEEP_FRAMES, TIME_NANOS, DURATION_NANOS, PERIOD_TYPE, PERIOD,
	COMMENT, DEFAULT_SAMPLE_TYPE, NR_FIELDS
};

/* Numbers of the fields of a Sample that are read. */
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE, SAMPLE_LABEL };

/* How many of the first fields of a part are integers. */
enum {
	VALUE_TYPE_NUMBERS = 2, LABEL_NUMBERS = 4, MAPPING_NUMBERS = 6,
	LOCATION_NUMBERS = 3, LINE_NUMBERS = 3, FUNCTION_NUMBERS = 5,
};

/* The number of a Location's field of lines, which follows its numbers. */
#define LOCATION_LINE	(LOCATION_NUMBERS + 1)

struct decoding {
	struct pprof_decoded *message;
	size_t used;			/* bytes of memory, as far as decoded */
	size_t nr_location_ids, nr_values, nr_labels, nr_function_ids, nr_comments;
	size_t location_ids_room, values_room, labels_room, function_ids_room;
	size_t comments_room;
	char *text;			/* where the next text goes */
};

/*
 * Make room for all that a part of @size bytes can hold, so that nothing has to be
 * checked when it is read: a number for each byte, or a label for each two.
 */
static int reserve(const struct decoding *d, size_t size)
{
	return size > (PPROF_DECODED_MAX - d->used) / (3 * sizeof(uint64_t)) ?
	       -E2BIG : 0;
}

/*
 * Read a field whose number and value are of a byte each, as most are. Return: false
 * with nothing read if it is another one.
 */
static bool read_small(struct wire *wire, struct wire_field *field)
{
	const uint8_t *at = wire->at;

	if (wire->end - at < 2 || at[0] < 1 << 3 || at[0] & 0x87 || at[1] & 0x80)
		return false;
	field->number = at[0] >> 3;
	field->type = WIRE_VARINT;
	field->value = at[1];
	wire->at += 2;
	return true;
}

/*
 * Read a part whose fields 1 to @nr are integers; all others are skipped.
 * @numbers: set by the last field of each number; 0 at first.
 */
static bool read_numbers(struct wire wire, uint64_t *numbers, unsigned int nr)
{
	struct wire_field field;

	while (wire.at < wire.end) {
		if (!read_small(&wire, &field) && !wire_next(&wire, &field))
			return false;
		if (field.number - 1 >= nr)
			continue;
		if (field.type != WIRE_VARINT)
			return false;
		numbers[field.number - 1] = field.value;
	}
	return true;
}

/* Read a field of many numbers, packed or not. There is room for them. */
static bool read_repeated(struct wire_field *field, uint64_t *numbers, size_t *nr)
{
	struct wire *packed = &field->bytes;

	if (field->type == WIRE_VARINT) {
		numbers[(*nr)++] = field->value;
		return true;
	}
	if (field->type != WIRE_BYTES)
		return false;
	while (packed->at < packed->end)
		if (!wire_varint(packed, WIRE_VARINT_MAX, &numbers[(*nr)++]))
			return false;
	return true;
}

static bool read_value_type(struct wire wire, struct pprof_value_type *type)
{
	uint64_t numbers[VALUE_TYPE_NUMBERS] = { 0 };

	if (!read_numbers(wire, numbers, VALUE_TYPE_NUMBERS))
		return false;
	type->type = (int64_t)numbers[0];
	type->unit = (int64_t)numbers[1];
	return true;
}

static bool read_label(const struct wire_field *field, struct pprof_label *label)
{
	uint64_t numbers[LABEL_NUMBERS] = { 0 };

	if (field->type != WIRE_BYTES ||
	    !read_numbers(field->bytes, numbers, LABEL_NUMBERS))
		return false;
	label->key = (int64_t)numbers[0];
	label->str = (int64_t)numbers[1];
	label->num = (int64_t)numbers[2];
	label->num_unit = (int64_t)numbers[3];
	return true;
}

static int reserve_sample(struct decoding *d, size_t size)
{
	struct pprof_decoded *m = d->message;

	return reserve(d, size) ?:
	       vec_reserve(m->location_ids, d->location_ids_room,
			   d->nr_location_ids + size + 1) ?:
	       vec_reserve(m->values, d->values_room, d->nr_values + size + 1) ?:
	       vec_reserve(m->labels, d->labels_room,
			   d->nr_labels + size / 2 + 1);
}

static int read_sample(struct decoding *d, struct wire wire)
{
	struct pprof_decoded *m = d->message;
	struct pprof_sample *sample = &m->sample[m->n_sample];
	size_t labels = d->nr_labels, locations = d->nr_location_ids;
	size_t values = d->nr_values;
	int err = reserve_sample(d, (size_t)(wire.end - wire.at));
	struct wire_field field;
	bool ok = true;

	if (err)
		return err;
	while (ok && wire.at < wire.end) {
		ok = wire_next(&wire, &field);
		if (!ok)
			break;
		if (field.number == SAMPLE_LOCATION_ID)
			ok = read_repeated(&field, m->location_ids,
					   &d->nr_location_ids);
		else if (field.number == SAMPLE_VALUE)
			ok = read_repeated(&field, (uint64_t *)m->values,
					   &d->nr_values);
		else if (field.number == SAMPLE_LABEL)
			ok = read_label(&field, &m->labels[d->nr_labels++]);
	}
	if (!ok)
		return -EBADMSG;
	*sample = (struct pprof_sample){
		.location_id = locations, .value = values, .label = labels,
		.n_location_id = (uint32_t)(d->nr_location_ids - locations),
		.n_value = (uint32_t)(d->nr_values - values),
		.n_label = (uint32_t)(d->nr_labels - labels),
	};
	d->used += (sample->n_location_id + sample->n_value) * sizeof(uint64_t) +
		   sample->n_label * sizeof(struct pprof_label);
	m->n_sample++;
	return 0;
}

static bool read_mapping(struct wire wire, struct pprof_mapping *mapping)
{
	uint64_t numbers[MAPPING_NUMBERS] = { 0 };

	if (!read_numbers(wire, numbers, MAPPING_NUMBERS))
		return false;
	*mapping = (struct pprof_mapping){
		.id = numbers[0], .memory_start = numbers[1],
		.memory_limit = numbers[2], .file_offset = numbers[3],
		.filename = (int64_t)numbers[4], .build_id = (int64_t)numbers[5],
	};
	return true;
}

static bool read_function(struct wire wire, struct pprof_decoded_function *function)
{
	uint64_t numbers[FUNCTION_NUMBERS] = { 0 };

	if (!read_numbers(wire, numbers, FUNCTION_NUMBERS))
		return false;
	*function = (struct pprof_decoded_function){
		.id = numbers[0], .name = (int64_t)numbers[1],
		.filename = (int64_t)numbers[3],
	};
	return true;
}

/* Read the lines of a location, for which there is room, and skip all else. */
static bool read_lines(struct decoding *d, struct wire wire)
{
	struct wire_field field;

	while (wire.at < wire.end) {
		uint64_t numbers[LINE_NUMBERS] = { 0 };

		if (!wire_next(&wire, &field))
			return false;
		if (field.number != LOCATION_LINE)
			continue;
		if (field.type != WIRE_BYTES ||
		    !read_numbers(field.bytes, numbers, LINE_NUMBERS))
			return false;
		d->message->function_ids[d->nr_function_ids++] = numbers[0];
	}
	return true;
}

static int read_location(struct decoding *d, struct wire wire)
{
	struct pprof_decoded *m = d->message;
	uint64_t numbers[LOCATION_NUMBERS] = { 0 };
	size_t size = (size_t)(wire.end - wire.at), first = d->nr_function_ids;
	int err = reserve(d, size) ?:
		  vec_reserve(m->function_ids, d->function_ids_room, first + size);

	if (err)
		return err;
	if (!read_numbers(wire, numbers, LOCATION_NUMBERS) || !read_lines(d, wire))
		return -EBADMSG;
	m->location[m->n_location++] = (struct pprof_location){
		.id = numbers[0], .mapping_id = numbers[1], .address = numbers[2],
		.line = first, .n_line = d->nr_function_ids - first,
	};
	d->used += (d->nr_function_ids - first) * sizeof(uint64_t);
	return 0;
}

static void read_string(struct decoding *d, struct wire wire)
{
	struct pprof_decoded *m = d->message;
	size_t size = (size_t)(wire.end - wire.at);

	m->string_table[m->n_string_table++] = d->text;
	d->text = mempcpy(d->text, wire.at, size);
	*d->text++ = '\0';
}

static int read_comments(struct decoding *d, struct wire_field *field)
{
	struct pprof_decoded *m = d->message;
	size_t most = field->type == WIRE_BYTES ?
		      (size_t)(field->bytes.end - field->bytes.at) : 1;
	int err = reserve(d, most) ?:
		  vec_reserve(m->comment, d->comments_room, m->n_comment + most);
	size_t before = m->n_comment;

	if (err)
		return err;
	if (!read_repeated(field, (uint64_t *)m->comment, &m->n_comment))
		return -EBADMSG;
	d->used += (m->n_comment - before) * sizeof(*m->comment);
	return 0;
}

/* Read a field that is a part of the message. */
static int read_part(struct decoding *d, const struct wire_field *field)
{
	struct pprof_decoded *m = d->message;
	struct wire bytes = field->bytes;
	struct pprof_value_type unused;

	if (field->type != WIRE_BYTES)
		return -EBADMSG;
	switch (field->number) {
	case SAMPLE_TYPE:
		return read_value_type(bytes, &m->sample_type[m->n_sample_type++]) ?
		       0 : -EBADMSG;
	case SAMPLE:
		return read_sample(d, bytes);
	case MAPPING:
		return read_mapping(bytes, &m->mapping[m->n_mapping++]) ?
		       0 : -EBADMSG;
	case LOCATION:
		return read_location(d, bytes);
	case FUNCTION:
		return read_function(bytes, &m->function[m->n_function++]) ?
		       0 : -EBADMSG;
	case STRING_TABLE:
		read_string(d, bytes);
		return 0;
	default:
		return read_value_type(bytes, &unused) ? 0 : -EBADMSG;
	}
}

/* Read a field that is an integer. */
static int read_number(struct pprof_decoded *m, const struct wire_field *field)
{
	int64_t value = (int64_t)field->value;

	if (field->type != WIRE_VARINT)
		return -EBADMSG;
	switch (field->number) {
	case TIME_NANOS:
		m->time_nanos = value;
		break;
	case DURATION_NANOS:
		m->duration_nanos = value;
		break;
	case PERIOD:
		m->period = value;
		break;
	case DEFAULT_SAMPLE_TYPE:
		m->default_sample_type = value;
		break;
	}
	return 0;
}

static int read_field(struct decoding *d, struct wire_field *field)
{
	switch (field->number) {
	case SAMPLE_TYPE ... STRING_TABLE:
	case PERIOD_TYPE:
		return read_part(d, field);
	case COMMENT:
		return read_comments(d, field);
	case DROP_FRAMES ... DURATION_NANOS:
	case PERIOD:
	case DEFAULT_SAMPLE_TYPE:
		return read_number(d->message, field);
	default:
		return 0;
	}
}

/* Count the fields of each number, and the bytes of all texts. */
static int count(struct wire wire, size_t counts[NR_FIELDS], size_t *text_bytes)
{
	struct wire_field field;

	while (wire.at < wire.end) {
		if (!wire_next(&wire, &field))
			return -EBADMSG;
		if (field.number >= NR_FIELDS)
			continue;
		counts[field.number]++;
		if (field.number == STRING_TABLE && field.type == WIRE_BYTES)
			*text_bytes += (size_t)(field.bytes.end -
						field.bytes.at) + 1;
	}
	return 0;
}

/* Allocate @nr elements, at least one. */
#define ALLOC(d, elements, nr) ({ \
		(d)->used += (nr) * sizeof(*(elements)); \
		(elements) = (d)->used > PPROF_DECODED_MAX ? NULL : \
			     calloc((nr) + 1, sizeof(*(elements))); \
		(elements) ? 0 : \
		(d)->used > PPROF_DECODED_MAX ? -E2BIG : -ENOMEM; \
	})

static int alloc_all(struct decoding *d, const size_t counts[NR_FIELDS],
		     size_t text_bytes)
{
	struct pprof_decoded *m = d->message;
	int err = ALLOC(d, m->sample_type, counts[SAMPLE_TYPE]) ?:
		  ALLOC(d, m->sample, counts[SAMPLE]) ?:
		  ALLOC(d, m->mapping, counts[MAPPING]) ?:
		  ALLOC(d, m->location, counts[LOCATION]) ?:
		  ALLOC(d, m->function, counts[FUNCTION]) ?:
		  ALLOC(d, m->string_table, counts[STRING_TABLE]) ?:
		  ALLOC(d, m->texts, text_bytes);

	d->text = m->texts;
	return err;
}

static int read_all(struct decoding *d, struct wire wire)
{
	size_t counts[NR_FIELDS] = { 0 }, text_bytes = 0;
	struct wire_field field;
	int err = count(wire, counts, &text_bytes) ?:
		  alloc_all(d, counts, text_bytes);

	while (!err && wire.at < wire.end) {
		wire_next(&wire, &field);
		err = read_field(d, &field);
	}
	return err;
}

int pprof_refuse(int err, const uint8_t *bytes, size_t size, struct error *error)
{
	if (err == -E2BIG)
		return error_set(error, -EBADMSG, "larger than %llu MiB decoded",
				 PPROF_DECODED_MAX >> 20);
	if (err == -ENOMEM)
		return error_set(error, err, "memory is short");
	return error_set(error, -EBADMSG, pprof_probe(bytes, size) ?
			 "damaged: it starts like a pprof profile, but the rest is not one" :
			 "not a pprof profile, or damaged; flamectl import converts folded and other text");
}

int pprof_decode(struct pprof_decoded *message, const uint8_t *bytes, size_t size,
		 struct error *error)
{
	struct decoding d = { .message = message };
	int err;

	*message = (struct pprof_decoded){ 0 };
	err = read_all(&d, (struct wire){ bytes, bytes + size });
	if (!err)
		return 0;
	pprof_decode_deinit(message);
	return pprof_refuse(err, bytes, size, error);
}

void pprof_decode_deinit(struct pprof_decoded *message)
{
	free(message->sample_type);
	free(message->sample);
	free(message->mapping);
	free(message->location);
	free(message->function);
	free(message->string_table);
	free(message->comment);
	free(message->location_ids);
	free(message->values);
	free(message->labels);
	free(message->function_ids);
	free(message->texts);
}
