// SPDX-License-Identifier: GPL-2.0
/*
 * Look up the numbers of a tracepoint and its fields: see probe.h.
 */
#include "probe/probe.h"

#include <errno.h>
#include <stdio.h>

#include "probe/record_format.h"
#include "probe/tracefs.h"

static int find_field(const struct probe *probe, const struct record_format *format,
		      struct probe_operand *operand, struct error *error)
{
	const struct record_field *field = record_format_find(format, operand->name);
	char names[RECORD_FORMAT_TEXT];

	if (field && record_field_is_number(field)) {
		operand->offset = field->offset;
		operand->bytes = field->bytes;
		operand->is_signed = field->is_signed;
		return 0;
	}
	record_format_numbers(format, names);
	if (!field)
		return error_set(error, -EINVAL, "%.60s has no field %s: those that are numbers are %.250s",
				 probe->target, operand->name, names);
	if (field->is_pointer)
		return error_set(error, -EINVAL, "%s of %.60s is a pointer, and addresses of the kernel do not leave it: use one of %.250s",
				 operand->name, probe->target, names);
	return error_set(error, -EINVAL, "%s of %.60s is no number of 1, 2, 4 or 8 bytes: use one of %.250s",
			 operand->name, probe->target, names);
}

int probe_resolve(struct probe *probe, const char *root, struct error *error)
{
	struct record_format format;
	struct error why;
	FILE *in;
	int err;

	if (!probe_reads_record(probe))
		return 0;
	err = tracefs_open_format(root, probe->target, &in, &why);
	if (err)
		return error_set(error, err, "%s: %.440s", probe->name, why.text);
	err = record_format_read(in, &format, &why);
	fclose(in);
	if (err)
		return error_set(error, err, "%s: the kernel's description of %.80s cannot be read: %.300s",
				 probe->name, probe->target, why.text);
	probe->config = format.id;
	if (probe->has_weight)
		err = find_field(probe, &format, &probe->weight, error);
	for (unsigned int i = 0; i < probe->nr_conditions && !err; i++)
		err = find_field(probe, &format, &probe->conditions[i].operand, error);
	return err;
}
