// SPDX-License-Identifier: GPL-2.0
/*
 * The output of perf report -g folded: entries, each followed by its stacks.
 *
 *   # Samples: 517  of event 'cpu-clock'
 *   #
 *   # Overhead       Samples  Command
 *   # ........  ............  .......
 *   #
 *       78.92%           408  ls
 *   26 main;read;entry_SYSCALL_64_after_hwframe;do_syscall_64
 *
 * A stack's weight is a number of samples, a sum of periods or a percentage, as
 * -g asked for; the last is kept in hundredths of a percent. Columns are found
 * by their dots. Stacks are root first or leaf first, which is not written
 * anywhere: functions that have their fixed place in any stack tell, and the
 * entry's symbol, so all stacks are read before the first is made a record.
 *
 * Where there is a column of children, an entry has the stacks of whatever its
 * function called as well. Those come again with their own entries.
 */
#include "import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX	16
#define NOTHING		SIZE_MAX

enum column { COLUMN_OTHER, COLUMN_COMM, COLUMN_PID, COLUMN_CPU, COLUMN_SYMBOL,
	      COLUMN_CHILDREN };

/* What is below one line of dots. */
struct place {
	size_t begin, end;
	enum column column;
};

/* A line of percentages and columns: whose the stacks below it are. */
struct entry {
	size_t comm, symbol;		/* in the texts; NOTHING */
	uint32_t pid, cpu;
	bool is_left_out;		/* it is of another event */
};

struct chain {
	size_t text;
	uint64_t weight;
	uintmax_t line_number;
	size_t entry;
};

struct report {
	struct import import;
	char titles[1024];		/* the line that names the columns */
	struct place places[COLUMNS_MAX];
	unsigned int nr_places;
	bool has_children, has_symbols;
	char event[256], this_event[256], other_event[256];
	uint64_t nr_samples;		/* as the head has it: may be rounded */
	struct entry *entries;
	size_t nr_entries, entries_room;
	struct chain *chains;
	size_t nr_chains, chains_room;
	char *texts;
	size_t texts_size, texts_room;
	bool has_percent, has_number;
	int root_first;			/* votes for it, less those against */
};

static int make_room(struct report *report, void *array, size_t size,
		     size_t nr, size_t *room)
{
	void **elements = array, *moved;
	size_t more = *room ?: 64;

	while (more < nr)
		more *= 2;
	if (more == *room)
		return 0;
	moved = reallocarray(*elements, more, size);
	if (!moved)
		return error_set(report->import.error, -ENOMEM, "%s",
				 strerror(ENOMEM));
	*elements = moved;
	*room = more;
	return 0;
}

static int keep_text(struct report *report, const char *text, size_t length,
		     size_t *at)
{
	int err = make_room(report, &report->texts, 1,
			    report->texts_size + length + 1,
			    &report->texts_room);

	if (err)
		return err;
	*at = report->texts_size;
	memcpy(report->texts + *at, text, length);
	report->texts[*at + length] = '\0';
	report->texts_size += length + 1;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static enum column column_of(const char *title, size_t length)
{
	static const struct {
		const char *title;
		enum column column;
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

/* "# ........  .......": where the columns are that the line above names */
static void read_dots(struct report *report, const char *line)
{
	size_t at = 1, begin, room = strlen(report->titles);
	struct place *place = report->places;

	report->nr_places = 0;
	report->has_children = report->has_symbols = false;
	while (report->nr_places < COLUMNS_MAX) {
		at += strspn(line + at, " ");
		begin = at;
		at += strspn(line + at, ".");
		if (at == begin)
			break;
		*place = (struct place){ begin, at, COLUMN_OTHER };
		/* the last one is as long as it likes */
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

/* "24K", of samples, is rounded: at most so many. */
static uint64_t read_rounded(const char *text)
{
	char *end;
	uint64_t number = strtoull(text, &end, 10);
	uint64_t unit = *end == 'K' ? 1000 : *end == 'M' ? 1000000 : 1;

	if (number > UINT64_MAX / 1000000 - 1)
		return UINT64_MAX;
	return unit == 1 ? number : (number + 1) * unit;
}

static void read_comment(struct report *report)
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

/* "16043:dd" */
static int take_pid(struct report *report, struct entry *entry,
		    const char *text, size_t length)
{
	size_t digits = strspn(text, "0123456789");
	char number[12];
	uint64_t pid;

	if (!digits || digits >= sizeof(number) || digits >= length ||
	    text[digits] != ':')
		return keep_text(report, text, length, &entry->comm);
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	if (!import_number(number, &pid) && pid <= UINT32_MAX)
		entry->pid = (uint32_t)pid;
	return keep_text(report, text + digits + 1, length - digits - 1,
			 &entry->comm);
}

static int take_column(struct report *report, struct entry *entry,
		       enum column column, const char *text, size_t length)
{
	while (length && strchr(" \t", *text)) {
		text++;
		length--;
	}
	while (length && strchr(" \t", text[length - 1]))
		length--;
	switch (column) {
	case COLUMN_COMM:
		return keep_text(report, text, length, &entry->comm);
	case COLUMN_PID:
		return take_pid(report, entry, text, length);
	case COLUMN_SYMBOL:
		/* "[k] vfs_read" */
		if (length > 4 && text[0] == '[' && text[2] == ']') {
			text += 4;
			length -= 4;
		}
		return keep_text(report, text, length, &entry->symbol);
	case COLUMN_CPU:
		if (length && length < 6 && is_digit(*text))
			entry->cpu = (uint32_t)strtoul(text, NULL, 10);
		return 0;
	default:
		return 0;
	}
}

/* Without a head: what follows the percentages and the number is the comm. */
static int guess_comm(struct report *report, struct entry *entry)
{
	const char *text = report->import.line, *end;

	for (;;) {
		text += strspn(text, " \t");
		end = text + strcspn(text, " \t");
		if (!is_digit(*text) ||
		    strspn(text, "0123456789.%") != (size_t)(end - text))
			break;
		text = end;
	}
	return take_column(report, entry, COLUMN_COMM, text, strlen(text));
}

static int read_entry(struct report *report)
{
	struct entry entry = { .comm = NOTHING, .symbol = NOTHING };
	size_t length = strlen(report->import.line), end;
	const char *asked = report->import.options->event;
	unsigned int i;
	int err;

	import_read(&report->import);
	entry.is_left_out = strcmp(report->event, report->this_event);
	if (entry.is_left_out && !asked)
		memcpy(report->other_event, report->this_event,
		       sizeof(report->other_event));
	err = make_room(report, &report->entries, sizeof(*report->entries),
			report->nr_entries + 1, &report->entries_room);
	if (!err && !report->nr_places)
		err = guess_comm(report, &entry);
	for (i = 0; i < report->nr_places && !err; i++) {
		const struct place *place = &report->places[i];

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

/* "26 ", "5.03% " before a stack. Return: 0, 1 where it is none, -EBADMSG. */
static int read_weight(struct report *report, char **at, uint64_t *weight)
{
	char *text = *at, *end = text + strspn(text, "0123456789");
	bool is_percent = *end == '.';
	uint64_t percent;

	if (end == text || (*end != ' ' && !is_percent))
		return 1;
	if (is_percent && (!is_digit(end[1]) || !is_digit(end[2]) ||
			   strncmp(end + 3, "% ", 2)))
		return 1;
	*end = '\0';
	if (import_number(text, weight) ||
	    (is_percent && *weight > UINT64_MAX / 100 - 1))
		return import_fail(&report->import, "has the weight %.40s, which is past 2^64",
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

/* How far from the root a function stands in any stack; 0: that varies. */
static unsigned int rank_of(const char *name, size_t length)
{
	static const char *const in_order[] = {
		"ret_from_fork_asm", "ret_from_fork", "kthread",
		"worker_thread", "process_one_work",
		"secondary_startup_64", "start_secondary", "cpu_startup_entry",
		"do_idle", "_start", "clone3", "start_thread",
		"__libc_start_main", "__libc_start_call_main", "main",
		"entry_SYSCALL_64", "entry_SYSCALL_64_after_hwframe",
		"el0t_64_sync", "do_syscall_64", "el0_svc", "x64_sys_call",
		"ksys_read", "ksys_write", "vfs_read", "vfs_write",
	};

	for (unsigned int i = 0; i < sizeof(in_order) / sizeof(in_order[0]); i++)
		if (strlen(in_order[i]) == length &&
		    !strncmp(name, in_order[i], length))
			return i + 1;
	return 0;
}

static void vote(struct report *report, const char *text,
		 const struct entry *entry)
{
	const char *symbol = entry->symbol == NOTHING ? "" :
			     report->texts + entry->symbol;
	unsigned int rank, before = 0;
	size_t length = 0, at;

	for (at = 0; text[at]; at += length + !!text[at + length]) {
		length = strcspn(text + at, ";");
		rank = rank_of(text + at, length);
		if (rank && before)
			report->root_first += (rank > before) - (rank < before);
		before = rank ?: before;
	}
	if (!*symbol || report->has_children)
		return;
	/* the entry's function is what ran */
	report->root_first += !strncmp(text + at - length, symbol, length) &&
			      !symbol[length];
	length = strcspn(text, ";");
	report->root_first -= !strncmp(text, symbol, length) && !symbol[length];
}

static int read_chain(struct report *report)
{
	struct chain chain = { .line_number = report->import.line_number };
	const struct entry *entry;
	char *text = report->import.line;
	int err;

	if (!report->nr_entries && is_digit(*text))
		return import_ignore(&report->import, "is a stack without an entry above it");
	err = read_weight(report, &text, &chain.weight);
	if (err > 0)
		return import_ignore(&report->import, "is neither an entry of perf report's nor a stack of one");
	import_read(&report->import);
	chain.entry = report->nr_entries - 1;
	err = err ?: make_room(report, &report->chains, sizeof(chain),
			       report->nr_chains + 1, &report->chains_room) ?:
	      keep_text(report, text, strlen(text), &chain.text);
	if (err)
		return err;
	entry = &report->entries[chain.entry];
	if (entry->is_left_out)
		return 0;
	vote(report, text, entry);
	report->chains[report->nr_chains++] = chain;
	return 0;
}

static int read_line(struct report *report)
{
	const char *line = report->import.line;
	const char *text = line + strspn(line, " \t");

	if (*line == '#') {
		read_comment(report);
		return 0;
	}
	if (!*text)
		return 0;
	if (text == line)
		return read_chain(report);
	if (is_digit(*text) && strchr(text, '%'))
		return read_entry(report);
	return import_ignore(&report->import, "is neither an entry of perf report's nor a stack of one");
}

/* "f +25", "f file.c:12" of -g address; "f (inlined)"; an address is no name */
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

static bool is_address(const char *name, size_t length)
{
	return !strncmp(name, "0x", 2) || (length == 1 && *name == '0');
}

static bool is_self(const struct report *report, const char *text,
		    const struct entry *entry, bool root_first)
{
	const char *last = strrchr(text, ';'), *leaf = text;
	const char *symbol = report->texts + entry->symbol;
	size_t length;

	if (root_first && last)
		leaf = last + 1;
	length = strcspn(leaf, ";");
	/* of what has no name the addresses differ in form */
	if (!strncmp(symbol, "0x", 2))
		return is_address(leaf, length);
	return !strncmp(leaf, symbol, strlen(symbol)) &&
	       (strlen(symbol) == length || leaf[strlen(symbol)] == ' ');
}

static int add_chain(struct report *report, const struct chain *chain,
		     bool root_first)
{
	const struct entry *entry = &report->entries[chain->entry];
	char *text = report->texts + chain->text, *name, *next = NULL;
	struct import_sample sample = {
		.comm = entry->comm == NOTHING ? "" :
			report->texts + entry->comm,
		.pid = entry->pid, .tid = entry->pid, .cpu = entry->cpu,
		.count = chain->weight, .periods = chain->weight, .context = -1,
	};
	int err = 0;

	if (report->has_children && entry->symbol != NOTHING &&
	    !is_self(report, text, entry, root_first))
		return 0;
	report->import.line_number = chain->line_number;
	for (name = strtok_r(text, ";", &next); name && !err;
	     name = strtok_r(NULL, ";", &next))
		err = push_frame(&report->import, name);
	if (!root_first)
		import_reverse(&report->import, 0);
	return err ?: import_add(&report->import, &sample);
}

static bool is_root_first(const struct report *report)
{
	if (report->root_first)
		return report->root_first > 0;
	/* what perf report does without being asked */
	return report->has_children || !report->has_symbols;
}

/* What the weights are: samples where there are not more of them. */
static void set_unit(struct report *report)
{
	struct profile_meta *meta = &report->import.profile->meta;
	bool is_clock = !strncmp(report->event, "cpu-clock", 9) ||
			!strncmp(report->event, "task-clock", 10);
	uint64_t sum = report->import.profile->books.stored;

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
	bool root_first = is_root_first(report);
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
	do {
		err = import_line(&report.import);
		if (err > 0)
			err = read_line(&report) ?: 1;
	} while (err > 0);
	err = err ?: import_judge(&report.import) ?: add_chains(&report);
	if (!err && options->event && !report.nr_chains)
		err = error_set(error, -EBADMSG, "it has no stack of the event %.100s",
				options->event);
	if (!err && *report.other_event)
		notes_add(options->notes, "this is the event %.80s; %.80s is left out: choose one by --event NAME",
			  report.event, report.other_event);
	set_unit(&report);
	deinit(&report);
	return err;
}
