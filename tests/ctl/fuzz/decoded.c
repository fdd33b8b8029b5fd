// SPDX-License-Identifier: GPL-2.0
/*
 * Compares our decoder of pprof messages with libprotobuf-c.
 */
#include "fuzz.h"

#include <string.h>

#include "format/pprof/decode.h"
#include "pprof.pb-c.h"

/* Two arrays of numbers. */
static bool are_equal(const void *a, const void *b, size_t nr)
{
	return !nr || !memcmp(a, b, nr * sizeof(uint64_t));
}

static void compare_sample(const struct pprof_decoded *m,
			   const struct pprof_sample *a, const Pprof__Sample *b)
{
	const struct pprof_label *labels = m->labels + a->label;

	must(a->n_location_id == b->n_location_id && a->n_value == b->n_value &&
	     a->n_label == b->n_label);
	must(are_equal(m->location_ids + a->location_id, b->location_id,
		       b->n_location_id));
	must(are_equal(m->values + a->value, b->value, b->n_value));
	for (size_t i = 0; i < b->n_label; i++)
		must(labels[i].key == b->label[i]->key &&
		     labels[i].str == b->label[i]->str &&
		     labels[i].num == b->label[i]->num &&
		     labels[i].num_unit == b->label[i]->num_unit);
}

static void compare_places(const struct pprof_decoded *a, const Pprof__Profile *b)
{
	must(a->n_mapping == b->n_mapping && a->n_location == b->n_location &&
	     a->n_function == b->n_function);
	for (size_t i = 0; i < b->n_mapping; i++)
		must(a->mapping[i].id == b->mapping[i]->id &&
		     a->mapping[i].memory_start == b->mapping[i]->memory_start &&
		     a->mapping[i].memory_limit == b->mapping[i]->memory_limit &&
		     a->mapping[i].file_offset == b->mapping[i]->file_offset &&
		     a->mapping[i].filename == b->mapping[i]->filename &&
		     a->mapping[i].build_id == b->mapping[i]->build_id);
	for (size_t i = 0; i < b->n_location; i++) {
		const struct pprof_location *location = &a->location[i];

		must(location->id == b->location[i]->id &&
		     location->mapping_id == b->location[i]->mapping_id &&
		     location->address == b->location[i]->address &&
		     location->n_line == b->location[i]->n_line);
		for (size_t j = 0; j < location->n_line; j++)
			must(a->function_ids[location->line + j] ==
			     b->location[i]->line[j]->function_id);
	}
	for (size_t i = 0; i < b->n_function; i++)
		must(a->function[i].id == b->function[i]->id &&
		     a->function[i].name == b->function[i]->name &&
		     a->function[i].filename == b->function[i]->filename);
}

static void compare(const struct pprof_decoded *a, const Pprof__Profile *b)
{
	must(a->n_sample_type == b->n_sample_type && a->n_sample == b->n_sample &&
	     a->n_string_table == b->n_string_table &&
	     a->n_comment == b->n_comment);
	must(a->time_nanos == b->time_nanos && a->period == b->period &&
	     a->duration_nanos == b->duration_nanos &&
	     a->default_sample_type == b->default_sample_type);
	for (size_t i = 0; i < b->n_sample_type; i++)
		must(a->sample_type[i].type == b->sample_type[i]->type &&
		     a->sample_type[i].unit == b->sample_type[i]->unit);
	for (size_t i = 0; i < b->n_string_table; i++)
		must(!strcmp(a->string_table[i], b->string_table[i]));
	must(are_equal(a->comment, b->comment, b->n_comment));
	compare_places(a, b);
	for (size_t i = 0; i < b->n_sample; i++)
		compare_sample(a, &a->sample[i], b->sample[i]);
}

void fuzz_decoded(const uint8_t *data, size_t size)
{
	struct pprof_decoded message;
	struct error error = { "" };
	Pprof__Profile *other = pprof__profile__unpack(NULL, size, data);

	if (pprof_decode(&message, data, size, &error)) {
		must(!other && *error.text);
		return;
	}
	must(other);
	compare(&message, other);
	pprof__profile__free_unpacked(other, NULL);
	pprof_decode_deinit(&message);
}
