// SPDX-License-Identifier: GPL-2.0
/*
 * The facts below a graph: see facts.h.
 */
#include "view/svg/facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "profile/advice.h"
#include "profile/books.h"
#include "profile/inclusion.h"
#include "profile/intervals.h"
#include "profile/origin.h"
#include "profile/threshold.h"
#include "view/svg/text.h"

#define LINE_HEIGHT	16	/* in pixels */
#define FACT_ADVANCE	6.63	/* of the monospaced font of 11 px in the CSS */
#define FACT_MAX	512

/* Facts flow into lines; the script does the same after a change of width. */
struct flow {
	FILE *out;		/* NULL: only compute the height */
	double width;
	double x;
	unsigned int y;
};

static void flow_fact(struct flow *flow, const char *fact)
{
	double width = svg_text_cells(fact) * FACT_ADVANCE;

	if (flow->x > 0 && flow->x + width > flow->width) {
		flow->x = 0;
		flow->y += LINE_HEIGHT;
	}
	if (flow->out) {
		fputs("<text class=\"fact\" x=\"", flow->out);
		svg_put_px(flow->out, flow->x);
		fprintf(flow->out, "\" y=\"%u\">", flow->y);
		svg_put_text(flow->out, fact);
		fputs("</text>\n", flow->out);
	}
	flow->x += width + 18;
}

static void flow_count(struct flow *flow, const char *what, uint64_t count)
{
	char fact[FACT_MAX], text[SVG_COUNT_MAX];

	snprintf(fact, sizeof(fact), "%s %s", what, svg_format_count(text, count));
	flow_fact(flow, fact);
}

/* Write "lost 12 (table-full 10, overload 2)". */
static void flow_lost(struct flow *flow, const struct profile_books *books)
{
	char fact[FACT_MAX], count[SVG_COUNT_MAX];
	const char *before = " (";
	int length;

	length = snprintf(fact, sizeof(fact), "lost %s",
			  svg_format_count(count, profile_lost(books)));
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!books->lost[i])
			continue;
		length += snprintf(fact + length, sizeof(fact) - length, "%s%s %s",
				   before, profile_lost_name(i),
				   svg_format_count(count, books->lost[i]));
		before = ", ";
	}
	if (*before == ',')
		snprintf(fact + length, sizeof(fact) - length, ")");
	flow_fact(flow, fact);
}

/* Write the unit of the books that follow. */
static void flow_unit(struct flow *flow, const char *unit)
{
	char fact[FACT_MAX];

	snprintf(fact, sizeof(fact), "%s%s:",
		 strcmp(unit, "periods") ? "" : "timer ", unit);
	flow_fact(flow, fact);
}

static void flow_session(struct flow *flow, const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	char fact[FACT_MAX], lasted[DURATION_TEXT], range[RANGE_FACT];

	if (meta->settings.hz) {
		snprintf(fact, sizeof(fact), "%u Hz", meta->settings.hz);
		flow_fact(flow, fact);
	}
	if (profile->nr_cpus)
		flow_fact(flow, origin_cpus(fact, profile));
	if (*threshold_fact(fact, meta))
		flow_fact(flow, fact);
	if (*inclusion_fact(fact, meta))
		flow_fact(flow, fact);
	if (meta->duration_ns)
		flow_fact(flow, duration_text(lasted, meta->duration_ns));
	if (meta->range_end_ns)
		flow_fact(flow, range_fact(range, meta->range_begin_ns,
					   meta->range_end_ns));
	if (meta->release[0]) {
		snprintf(fact, sizeof(fact), "Linux %s", meta->release);
		flow_fact(flow, fact);
	}
}

static void flow_event(struct flow *flow, const char *event)
{
	char fact[PROFILE_EVENT_MAX + 8];

	if (!*event)
		return;
	snprintf(fact, sizeof(fact), "event %s", event);
	flow_fact(flow, fact);
}

/* Write each line of the notes on its own line, cut if it is too long. */
static void flow_notes(struct flow *flow, const char *notes)
{
	size_t room = flow->width / FACT_ADVANCE;

	while (*notes) {
		size_t length = strcspn(notes, "\n");

		if (flow->x > 0)
			flow->y += LINE_HEIGHT;
		flow->x = flow->width;	/* nothing else fits after it */
		if (flow->out) {
			fprintf(flow->out, "<text class=\"fact note\" x=\"0\" y=\"%u\" data-full=\"",
				flow->y);
			svg_put_text_part(flow->out, notes, length);
			fputs("\">", flow->out);
			svg_put_line(flow->out, notes, length, room);
			fputs("</text>\n", flow->out);
		}
		notes += length + (notes[length] == '\n');
	}
}

/*
 * Write the periods that were due but not yet counted at the end; a negative
 * number means that more were due at the start.
 */
static void flow_overdue(struct flow *flow, int64_t overdue)
{
	if (overdue > 0)
		flow_count(flow, "overdue", (uint64_t)overdue);
	else if (overdue)
		flow_count(flow, "overdue at the start", -(uint64_t)overdue);
}

/* Write date and machine. */
static void flow_origin(struct flow *flow, const struct profile_meta *meta)
{
	char date[ORIGIN_DATE], machine[ORIGIN_TEXT];

	if (*origin_date(date, meta))
		flow_fact(flow, date);
	if (*origin_machine(machine, &meta->origin))
		flow_fact(flow, machine);
}

/* Write what became of each period; of another tool's samples, what is known. */
static void flow_counts(struct flow *flow, const struct profile *profile)
{
	const struct profile_books *books = &profile->books;
	char read[BOOKS_READ_MAX], intervals[INTERVALS_TEXT];

	if (profile_is_imported(&profile->meta)) {
		flow_fact(flow, books_read(books, read));
		return;
	}
	if (profile->meta.intervals.known) {
		flow_fact(flow, intervals_books(intervals, profile));
		flow_fact(flow, intervals_fact(intervals, profile));
		return;
	}
	flow_count(flow, "expected", books->expected);
	flow_count(flow, "fires", books->fires);
	flow_count(flow, "missed", books->missed);
	flow_overdue(flow, books->overdue);
	flow_count(flow, "stored", books->stored);
	flow_count(flow, "filtered", books->filtered);
	flow_lost(flow, books);
}

/* Write the profile's facts, then the notes. */
static void flow_books(struct flow *flow, const struct svg_options *options)
{
	const struct profile_books *books;
	char advice[ADVICE_ALL_MAX], late[PROFILE_LATE_FACT], user[PROFILE_USER_FACT];

	if (options->profile) {
		books = &options->profile->books;
		flow_session(flow, options->profile);
		flow_origin(flow, &options->profile->meta);
		/* the books of intervals begin with the event, and have time with its unit */
		if (!options->profile->meta.intervals.known) {
			flow_event(flow, profile_event(&options->profile->meta));
			flow_unit(flow, profile_unit(&options->profile->meta));
		}
		flow_counts(flow, options->profile);
		if (profile_late_fact(options->profile, late))
			flow_fact(flow, late);
		if (profile_user_fact(options->profile, user))
			flow_fact(flow, user);
		if (advice_all(options->profile, advice))
			flow_fact(flow, advice);
		if (books->truncated)
			flow_count(flow, "truncated stacks", books->truncated);
	}
	if (options->note)
		flow_fact(flow, options->note);
	if (options->profile && *options->profile->meta.origin.cmdline)
		flow_notes(flow, options->profile->meta.origin.cmdline);
	if (options->notes)
		flow_notes(flow, options->notes);
}

unsigned int svg_put_facts(const struct svg_options *options, FILE *out)
{
	struct flow flow = { .out = out, .width = options->width - 2.0 * SVG_PAD };

	flow_books(&flow, options);
	return flow.y;
}
