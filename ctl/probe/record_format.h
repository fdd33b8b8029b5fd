/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a tracepoint's record, as tracefs describes it in events/SYSTEM/NAME/format:
 * its id, and of each field the offset, the size and whether it is signed.
 *
 * The source of the format: Linux, Documentation/trace/events.rst, "Event formats", and
 * kernel/trace/trace_events.c, f_show().
 */
#ifndef FLAMECTL_RECORD_FORMAT_H
#define FLAMECTL_RECORD_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Limits; in Linux 6.12 the most fields are 34, the longest name has 31 characters. */
#define RECORD_FIELDS_MAX	128
#define RECORD_FIELD_NAME	64
#define RECORD_BYTES_MAX	65535

struct record_field {
	char name[RECORD_FIELD_NAME];
	uint32_t offset, bytes;
	bool is_signed;
	bool is_pointer;
	bool is_array;			/* or a string, or a structure's place */
};

struct record_format {
	uint32_t id;
	struct record_field fields[RECORD_FIELDS_MAX];
	unsigned int nr_fields;
};

/**
 * record_format_read() - read the layout.
 *
 * Return: 0, -EBADMSG with @error for what is no layout, or another -errno.
 */
int record_format_read(FILE *in, struct record_format *format, struct error *error);

/** record_format_find() - return the field called @name, or NULL. */
const struct record_field *record_format_find(const struct record_format *format,
					      const char *name);

/* Room for the names below, and a NUL. */
#define RECORD_FORMAT_TEXT	300

/**
 * record_format_numbers() - list the fields that are numbers and no pointers, but for
 * those that all tracepoints have: "bytes_req, bytes_alloc"; "none" if there are none. A
 * longer list ends in "...". Return: @text.
 */
const char *record_format_numbers(const struct record_format *format,
				  char text[RECORD_FORMAT_TEXT]);

/** record_field_is_number() - report whether a field is a number and no pointer. */
bool record_field_is_number(const struct record_field *field);

#endif /* FLAMECTL_RECORD_FORMAT_H */
