// SPDX-License-Identifier: GPL-2.0
/*
 * What users ask to be counted, in the first line, and the kernel's description of the
 * tracepoint, in the rest: what is accepted is within the limits of the wire.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "probe/probe.h"
#include "probe/record_format.h"

static void check_probe(const struct probe *probe)
{
	must(*probe->name && strlen(probe->name) < PROBE_NAME);
	must(*probe->unit && strlen(probe->unit) < PROBE_UNIT);
	must(strlen(probe->target) < PROBE_TARGET && !strchr(probe->target, '/'));
	must(probe->nr_conditions <= PROBE_CONDITIONS_MAX);
	for (unsigned int i = 0; i < probe->nr_conditions; i++) {
		const struct probe_condition *condition = &probe->conditions[i];

		must(condition->value >= PROBE_VALUE_MIN && condition->value <= PROBE_VALUE_MAX);
		must(condition->operand.arg <= PROBE_ARGS_MAX && *condition->operand.name);
	}
	fuzz_terminal(probe->name, strlen(probe->name));
}

static void check_format(const struct record_format *format)
{
	char text[RECORD_FORMAT_TEXT];

	must(format->id && format->nr_fields && format->nr_fields <= RECORD_FIELDS_MAX);
	for (unsigned int i = 0; i < format->nr_fields; i++) {
		const struct record_field *field = &format->fields[i];

		must(field->offset + field->bytes <= RECORD_BYTES_MAX);
		must(record_format_find(format, field->name));
	}
	must(strlen(record_format_numbers(format, text)) < RECORD_FORMAT_TEXT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t length = end ? (size_t)(end - data) : size;
	char *text = strndup((const char *)data, length);
	struct record_format format;
	struct probe probe;
	struct error error;
	FILE *in;

	must(text);
	if (!probe_parse(text, &probe, &error))
		check_probe(&probe);
	free(text);
	in = fuzz_open(data + length, size - length);
	if (!record_format_read(in, &format, &error))
		check_format(&format);
	fclose(in);
	return 0;
}
