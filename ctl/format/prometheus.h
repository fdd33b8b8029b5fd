/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write metrics in Prometheus' text format, version 0.0.4: families, each with a line
 * HELP and a line TYPE, then one line a series. It is described at
 * https://prometheus.io/docs/instrumenting/exposition_formats/.
 *
 * A series is written by prometheus_label() for each of its labels, then one of
 * prometheus_count(), prometheus_signed() and prometheus_seconds(). The caller writes
 * each series once, and checks the stream.
 */
#ifndef FLAMECTL_PROMETHEUS_H
#define FLAMECTL_PROMETHEUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct prometheus {
	FILE *out;
	const char *name;		/* of the family that is being written */
	bool labelled;			/* its series has a label already */
};

/**
 * prometheus_family() - start a family.
 * @name: kept, not copied. By Prometheus' conventions a counter ends in _total, and a
 *	  name ends in its unit before that: seconds, bytes.
 * @type: "counter" or "gauge"
 * @help: one line, without a backslash.
 */
void prometheus_family(struct prometheus *prometheus, const char *name,
		       const char *type, const char *help);

/**
 * prometheus_label() - add a label to the next series.
 * @value: any text; bytes that are not UTF-8 become U+FFFD, and characters that control
 *	   a terminal, newlines too, become '?'.
 *
 * Return: 0 or -ENOMEM.
 */
int prometheus_label(struct prometheus *prometheus, const char *name,
		     const char *value);

/** prometheus_label_number() - add a label whose value is a number. */
void prometheus_label_number(struct prometheus *prometheus, const char *name,
			     uint64_t value);

/** prometheus_count() - end a series with its value. */
void prometheus_count(struct prometheus *prometheus, uint64_t value);

/** prometheus_signed() - end a series with a value that may be negative. */
void prometheus_signed(struct prometheus *prometheus, int64_t value);

/** prometheus_seconds() - end a series with nanoseconds, which are written as seconds. */
void prometheus_seconds(struct prometheus *prometheus, uint64_t ns);

#endif /* FLAMECTL_PROMETHEUS_H */
