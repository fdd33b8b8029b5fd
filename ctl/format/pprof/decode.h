/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A decoded message of pprof.proto, whose fields have the names they have there.
 *
 * This takes a sixth of the instructions that libprotobuf-c takes for a message of
 * many small parts, and a fifth of the memory: parts of a kind are one array, and
 * the numbers of all samples are three.
 */
#ifndef FLAMECTL_PPROF_DECODE_H
#define FLAMECTL_PPROF_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct pprof_value_type {
	int64_t type, unit;
};

struct pprof_label {
	int64_t key, str, num, num_unit;
};

/* The numbers are those from the given place on in the arrays of all samples. */
struct pprof_sample {
	size_t location_id, value, label;
	uint32_t n_location_id, n_value, n_label;
};

struct pprof_mapping {
	uint64_t id, memory_start, memory_limit, file_offset;
	int64_t filename, build_id;
};

struct pprof_location {
	uint64_t id, mapping_id, address;
	size_t line;		/* its first in function_ids */
	size_t n_line;
};

struct pprof_decoded_function {
	uint64_t id;
	int64_t name, filename;
};

struct pprof_decoded {
	struct pprof_value_type *sample_type;
	struct pprof_sample *sample;
	struct pprof_mapping *mapping;
	struct pprof_location *location;
	struct pprof_decoded_function *function;
	char **string_table;		/* may be changed in place */
	int64_t *comment;
	size_t n_sample_type, n_sample, n_mapping, n_location, n_function;
	size_t n_string_table, n_comment;
	int64_t time_nanos, duration_nanos, period, default_sample_type;

	/* of all samples */
	uint64_t *location_ids;
	int64_t *values;
	struct pprof_label *labels;
	uint64_t *function_ids;		/* of all locations' lines */
	char *texts;			/* of string_table */
};

/**
 * pprof_decode() - decode a message.
 * @bytes: not gzip'd; not needed any more when this returns.
 *
 * What libprotobuf-c accepts is accepted, with the same meaning, and no more.
 *
 * Return: 0 with @message set, to be freed by pprof_decode_deinit(); -EBADMSG if
 * these bytes are no such message, or if it is larger than PPROF_DECODED_MAX; or
 * -ENOMEM.
 */
int pprof_decode(struct pprof_decoded *message, const uint8_t *bytes, size_t size,
		 struct error *error);

/**
 * pprof_refuse() - set the error of bytes that were not decoded.
 * @err: -E2BIG if they would become larger than PPROF_DECODED_MAX, -ENOMEM, or
 *	 -EBADMSG.
 *
 * Return: -EBADMSG or -ENOMEM.
 */
int pprof_refuse(int err, const uint8_t *bytes, size_t size, struct error *error);

/** pprof_decode_deinit() - free what @message holds. */
void pprof_decode_deinit(struct pprof_decoded *message);

#endif /* FLAMECTL_PPROF_DECODE_H */
