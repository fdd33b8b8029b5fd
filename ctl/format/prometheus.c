// SPDX-License-Identifier: GPL-2.0
/*
 * Writing Prometheus' text format: see prometheus.h.
 */
#include "format/prometheus.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/utf8.h"

void prometheus_family(struct prometheus *prometheus, const char *name,
		       const char *type, const char *help)
{
	prometheus->name = name;
	prometheus->labelled = false;
	fprintf(prometheus->out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
		type);
}

/* Start the series at its first label. */
static void put_label(struct prometheus *prometheus, const char *name)
{
	if (!prometheus->labelled)
		fputs(prometheus->name, prometheus->out);
	fprintf(prometheus->out, "%c%s=", prometheus->labelled ? ',' : '{', name);
	prometheus->labelled = true;
}

int prometheus_label(struct prometheus *prometheus, const char *name,
		     const char *value)
{
	char *clean = utf8_clean(value, true);

	if (!clean)
		return -ENOMEM;
	put_label(prometheus, name);
	putc('"', prometheus->out);
	for (const char *at = clean; *at; at++) {
		if (*at == '"' || *at == '\\')
			putc('\\', prometheus->out);
		putc(*at, prometheus->out);
	}
	putc('"', prometheus->out);
	free(clean);
	return 0;
}

void prometheus_label_number(struct prometheus *prometheus, const char *name,
			     uint64_t value)
{
	put_label(prometheus, name);
	fprintf(prometheus->out, "\"%" PRIu64 "\"", value);
}

static void end_labels(struct prometheus *prometheus)
{
	if (prometheus->labelled)
		putc('}', prometheus->out);
	else
		fputs(prometheus->name, prometheus->out);
	prometheus->labelled = false;
}

void prometheus_count(struct prometheus *prometheus, uint64_t value)
{
	end_labels(prometheus);
	fprintf(prometheus->out, " %" PRIu64 "\n", value);
}

void prometheus_signed(struct prometheus *prometheus, int64_t value)
{
	end_labels(prometheus);
	fprintf(prometheus->out, " %" PRId64 "\n", value);
}

void prometheus_seconds(struct prometheus *prometheus, uint64_t ns)
{
	end_labels(prometheus);
	fprintf(prometheus->out, " %" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000,
		ns % 1000000000);
}
