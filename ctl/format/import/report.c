// SPDX-License-Identifier: GPL-2.0
/*
 * Read the output of perf report -g folded: entries, each followed by its
 * stacks.
 *
 *       78.92%           408  ls
 *   26 main;read;entry_SYSCALL_64_after_hwframe;do_syscall_64
 *
 * A stack's weight is a number of samples, a sum of periods or a percentage, as
 * requested by -g; percentages are kept in hundredths of a percent. Stacks are
 * root first or leaf first. As only all stacks together show which
 * (format/import/report_order.c), all are read before the first becomes a
 * record.
 *
 * If there is a children column, an entry also has the stacks of all that its
 * function called. Those stacks occur again below their own entries.
 */
#include "format/import/report_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/wording.h"

/*
 * Read "26 " or "5.03% " before a stack. Return: 0, 1 if there is none,
 * -EBADMSG.
 */
static int read_weight(struct report *report, char **at, uint64_t *weight)
{
	char *text = *at, *end = text + strspn(text, "0123456789");
	bool is_percent = *end == '.';
	uint64_t percent;

	if (end == text || (*end != ' ' && !is_percent))
		return 1;
	if (is_percent && (!report_is_digit(end[1]) || !report_is_digit(end[2]) ||
			   strncmp(end + 3, "% ", 2)))
		return 1;
	*end = '\0';
	if (import_number(text, weight) ||
	    (is_percent && *weight > UINT64_MAX / 100 - 1))
		return import_fail(&report->import, "has the weight %.40s, which is above 2^64",
				   text);
	if (is_percent) {
		percent = (uint64_t)((end[1] - '0') * 10 + end[2] - '0');
		*weight = *weight * 100 + percent;
		end += 4;
	}
	*at = end + 1;
	report->has_percent |= is_percent;
	report->has_number |= !is_percent;
	if (report->has_percent && report->has_number)
		return import_fail(&report->import, "mixes percentages and numbers, which cannot be summed");
	return 0;
}

static int read_chain(struct report *report)
{
	struct report_chain chain = { .line_number = report->import.line_number };
	const struct report_entry *entry;
	char *text = report->import.line;
	int err;

	if (!report->nr_entries && report_is_digit(*text))
		return import_ignore(&report->import, "is a stack without an entry above it");
	err = read_weight(report, &text, &chain.weight);
	if (err > 0)
		return import_ignore(&report->import, "is neither an entry of perf report nor a stack of one");
	import_read(&report->import);
	chain.entry = report->nr_entries - 1;
	err = err ?: report_make_room(report, &report->chains, sizeof(chain),
				      report->nr_chains + 1, &report->chains_room) ?:
	      report_keep_text(report, text, strlen(text), &chain.text);
	if (err)
		return err;
	entry = &report->entries[chain.entry];
	if (entry->is_left_out)
		return 0;
	report_vote(report, text, entry);
	report->chains[report->nr_chains++] = chain;
	return 0;
}

static int read_line(struct import *import, void *state)
{
	struct report *report = state;
	const char *line = import->line;
	const char *text = line + strspn(line, " \t");

	if (*line == '#') {
		report_read_comment(report);
		return 0;
	}
	if (!*text)
		return 0;
	if (text == line)
		return read_chain(report);
	if (report_is_digit(*text) && strchr(text, '%'))
		return report_read_entry(report);
	return import_ignore(&report->import, "is neither an entry of perf report nor a stack of one");
}

/*
 * Push "f +25" or "f file.c:12" (of -g address), or "f (inlined)"; a mere
 * address is not a name.
 */
static int push_frame(struct import *import, char *name)
{
	char *blank = strrchr(name, ' '), *colon, text[4096];

	if (blank && !strcmp(blank, " (inlined)")) {
		*blank = '\0';
		snprintf(text, sizeof(text), "%.3900s_[i]", name);
		return import_push(import, text, IMPORT_GUESS);
	}
	if (blank) {
		colon = strrchr(blank, ':');
		if (blank[1] == '+' && blank[2] &&
		    !blank[2 + strspn(blank + 2, "0123456789")])
			*blank = '\0';
		else if (colon && colon[1] &&
			 !colon[1 + strspn(colon + 1, "0123456789")])
			*blank = '\0';
	}
	if (!*name || !strncmp(name, "0x", 2) || !strcmp(name, "0"))
		return import_push(import, "[unknown]", FLAMEMOD_FRAME_MARK);
	return import_push(import, name, IMPORT_GUESS);
}

static int add_chain(struct report *report, const struct report_chain *chain,
		     bool root_first)
{
	const struct report_entry *entry = &report->entries[chain->entry];
	char *text = report->texts + chain->text, *name, *next = NULL;
	struct import_sample sample = {
		.comm = entry->comm == REPORT_NOTHING ? "" :
			report->texts + entry->comm,
		.pid = entry->pid, .tid = entry->pid, .cpu = entry->cpu,
		.count = chain->weight, .periods = chain->weight, .context = -1,
	};
	int err = 0;

	if (report->has_children && entry->symbol != REPORT_NOTHING &&
	    !report_is_self(report, text, entry, root_first))
		return 0;
	report->import.line_number = chain->line_number;
	for (name = strtok_r(text, ";", &next); name && !err;
	     name = strtok_r(NULL, ";", &next))
		err = push_frame(&report->import, name);
	if (!root_first)
		import_reverse(&report->import, 0);
	return err ?: import_add(&report->import, &sample);
}

/*
 * Set what the weights are: samples, unless their sum exceeds the number of
 * samples.
 */
static void set_unit(struct report *report)
{
	struct profile_meta *meta = &report->import.profile->meta;
	bool is_clock = !strncmp(report->event, "cpu-clock", 9) ||
			!strncmp(report->event, "task-clock", 10);
	uint64_t sum = report->import.profile->books.stored;

	import_event(&report->import, report->event);
	if (report->has_percent) {
		import_counts(&report->import, "overhead");
		snprintf(meta->weight_unit, sizeof(meta->weight_unit),
			 "hundredths of a percent");
	} else if (report->nr_samples && sum > report->nr_samples) {
		if (!is_clock && *report->event)
			import_counts(&report->import, report->event);
		import_period(&report->import, is_clock ? 1 : 0);
		return;
	}
	import_period(&report->import, 0);
}

static int add_chains(struct report *report)
{
	bool root_first = report_is_root_first(report);
	int err = 0;

	for (size_t i = 0; i < report->nr_chains && !err; i++)
		err = add_chain(report, &report->chains[i], root_first);
	return err;
}

static void deinit(struct report *report)
{
	import_deinit(&report->import);
	free(report->entries);
	free(report->chains);
	free(report->texts);
}

int import_report(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error)
{
	struct report report = { .nr_entries = 0 };
	int err;

	import_init(&report.import, in, options, profile, error);
	if (options->event)
		snprintf(report.event, sizeof(report.event), "%s",
			 options->event);
	err = import_lines(&report.import, read_line, &report) ?:
	      import_judge(&report.import) ?: add_chains(&report);
	if (!err && options->event && !report.nr_chains)
		err = error_set(error, -EBADMSG, "it has no stack of the event %.100s",
				options->event);
	if (!err && *report.other_event)
		notes_add(options->notes, "this shows the event %.80s, not %.80s: %s",
			  report.event, report.other_event,
			  WORDING(CHOOSE_EVENT));
	set_unit(&report);
	deinit(&report);
	return err;
}
