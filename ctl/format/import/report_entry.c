// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the head and the entries of perf report's text, to find the event and
 * the task of the stacks below an entry.
 *
 *   # Samples: 517  of event 'cpu-clock'
 *   #
 *   # Overhead       Samples  Command
 *   # ........  ............  .......
 *   #
 *       78.92%           408  ls
 *
 * Columns are found by their dots.
 */
#include "format/import/report_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum report_column column_of(const char *title, size_t length)
{
	static const struct {
		const char *title;
		enum report_column column;
	} columns[] = {
		{ "Command", COLUMN_COMM }, { "Pid:Command", COLUMN_PID },
		{ "Symbol", COLUMN_SYMBOL }, { "CPU", COLUMN_CPU },
		{ "Children", COLUMN_CHILDREN },
	};

	while (length && strchr(" \t", *title)) {
		title++;
		length--;
	}
	while (length && strchr(" \t", title[length - 1]))
		length--;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (strlen(columns[i].title) == length &&
		    !strncmp(title, columns[i].title, length))
			return columns[i].column;
	return COLUMN_OTHER;
}

/* Read "# ........  .......": it shows where the columns named above are. */
static void read_dots(struct report *report, const char *line)
{
	size_t at = 1, begin, room = strlen(report->titles);
	struct report_place *place = report->places;

	report->nr_places = 0;
	report->has_children = report->has_symbols = false;
	while (report->nr_places < REPORT_COLUMNS_MAX) {
		at += strspn(line + at, " ");
		begin = at;
		at += strspn(line + at, ".");
		if (at == begin)
			break;
		*place = (struct report_place){ begin, at, COLUMN_OTHER };
		/* the last one has no width limit */
		if (!line[at + strspn(line + at, " ")])
			place->end = SIZE_MAX;
		if (begin < room)
			place->column = column_of(report->titles + begin,
				(place->end < room ? place->end : room) - begin);
		report->has_children |= place->column == COLUMN_CHILDREN;
		report->has_symbols |= place->column == COLUMN_SYMBOL;
		report->nr_places++;
		place++;
	}
}

/* Read a number of samples such as "24K", which is rounded: its upper limit. */
static uint64_t read_rounded(const char *text)
{
	char *end;
	uint64_t number = strtoull(text, &end, 10);
	uint64_t unit = *end == 'K' ? 1000 : *end == 'M' ? 1000000 : 1;

	if (number > UINT64_MAX / 1000000 - 1)
		return UINT64_MAX;
	return unit == 1 ? number : (number + 1) * unit;
}

void report_read_comment(struct report *report)
{
	static const char samples[] = "# Samples: ", of_event[] = " of event '";
	const char *line = report->import.line, *event;

	if (!strncmp(line, samples, sizeof(samples) - 1)) {
		event = strstr(line, of_event);
		event = event ? event + sizeof(of_event) - 1 : "";
		snprintf(report->this_event, sizeof(report->this_event), "%.*s",
			 (int)strcspn(event, "'"), event);
		if (!*report->event && !report->import.options->event)
			memcpy(report->event, report->this_event,
			       sizeof(report->event));
		if (!strcmp(report->event, report->this_event))
			report->nr_samples = read_rounded(line +
							  sizeof(samples) - 1);
	} else if (!strncmp(line, "# ..", 4)) {
		read_dots(report, line);
	} else {
		snprintf(report->titles, sizeof(report->titles), "%s", line);
	}
}

/* Read "16043:dd". */
static int take_pid(struct report *report, struct report_entry *entry,
		    const char *text, size_t length)
{
	size_t digits = strspn(text, "0123456789");
	char number[12];
	uint64_t pid;

	if (!digits || digits >= sizeof(number) || digits >= length ||
	    text[digits] != ':')
		return report_keep_text(report, text, length, &entry->comm);
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	if (!import_number(number, &pid) && pid <= UINT32_MAX)
		entry->pid = (uint32_t)pid;
	return report_keep_text(report, text + digits + 1, length - digits - 1,
				&entry->comm);
}

static int take_column(struct report *report, struct report_entry *entry,
		       enum report_column column, const char *text, size_t length)
{
	while (length && strchr(" \t", *text)) {
		text++;
		length--;
	}
	while (length && strchr(" \t", text[length - 1]))
		length--;
	switch (column) {
	case COLUMN_COMM:
		return report_keep_text(report, text, length, &entry->comm);
	case COLUMN_PID:
		return take_pid(report, entry, text, length);
	case COLUMN_SYMBOL:
		/* "[k] vfs_read" */
		if (length > 4 && text[0] == '[' && text[2] == ']') {
			text += 4;
			length -= 4;
		}
		return report_keep_text(report, text, length, &entry->symbol);
	case COLUMN_CPU:
		if (length && length < 6 && report_is_digit(*text))
			entry->cpu = (uint32_t)strtoul(text, NULL, 10);
		return 0;
	default:
		return 0;
	}
}

/* Without a head: take what follows the percentages and numbers as the comm. */
static int guess_comm(struct report *report, struct report_entry *entry)
{
	const char *text = report->import.line, *end;

	for (;;) {
		text += strspn(text, " \t");
		end = text + strcspn(text, " \t");
		if (!report_is_digit(*text) ||
		    strspn(text, "0123456789.%") != (size_t)(end - text))
			break;
		text = end;
	}
	return take_column(report, entry, COLUMN_COMM, text, strlen(text));
}

int report_read_entry(struct report *report)
{
	struct report_entry entry = { .comm = REPORT_NOTHING, .symbol = REPORT_NOTHING };
	size_t length = strlen(report->import.line), end;
	const char *asked = report->import.options->event;
	unsigned int i;
	int err;

	import_read(&report->import);
	entry.is_left_out = strcmp(report->event, report->this_event);
	if (entry.is_left_out && !asked)
		memcpy(report->other_event, report->this_event,
		       sizeof(report->other_event));
	err = report_make_room(report, &report->entries, sizeof(*report->entries),
			       report->nr_entries + 1, &report->entries_room);
	if (!err && !report->nr_places)
		err = guess_comm(report, &entry);
	for (i = 0; i < report->nr_places && !err; i++) {
		const struct report_place *place = &report->places[i];

		if (place->begin >= length)
			break;
		end = place->end < length ? place->end : length;
		err = take_column(report, &entry, place->column,
				  report->import.line + place->begin,
				  end - place->begin);
	}
	if (!err)
		report->entries[report->nr_entries++] = entry;
	return err;
}
