// SPDX-License-Identifier: GPL-2.0
/*
 * The output of perf script, of any version and with most choices of fields:
 *
 *   bash  1234/1235 [002] 158665.570607:   10101010 cpu-clock:pppH:
 *	ffffffff8103ce3b native_safe_halt+0xb ([kernel.kallsyms])
 *	    7f0123456789 main+0x10 (/usr/bin/bash)
 *
 * A sample begins with a line of the task, where the CPU, the time and the
 * event's period may be absent, and of one number instead of pid/tid it is the
 * thread's. Its frames are leaf first and begin with an address; without call
 * chains the one frame stands behind the event. A blank line ends it, or the
 * next one's beginning.
 */
#include "import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_HALF	(1ULL << 63)

struct reading {
	struct import import;
	bool open;			/* a sample's frames may follow */
	bool wanted;			/* it is of the event asked for */
	struct import_sample sample;
	char comm[256];
	char event[256];		/* the first sample's */
	uint64_t first_ns, last_ns;	/* times of samples, 0: not told */
	uint64_t period;		/* of all samples; 0: none, or several */
	bool is_first;
};

/* What a sample's first line says. */
struct header {
	char *comm, *event, *rest;
	uint64_t pid, tid, cpu, time_ns, period;
};

static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " \t"), *end;

	if (!*word)
		return NULL;
	end = word + strcspn(word, " \t");
	*text = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* "1234" or "1234/1235" */
static bool parse_ids(const char *word, size_t length, struct header *header)
{
	char text[44], *slash;

	if (!length || length >= sizeof(text))
		return false;
	memcpy(text, word, length);
	text[length] = '\0';
	slash = strchr(text, '/');
	if (slash)
		*slash++ = '\0';
	/* of a task that is gone perf says -1 */
	if (!strcmp(text, "-1") || (slash && !strcmp(slash, "-1")))
		return true;
	if (import_number(text, &header->pid) ||
	    (slash && import_number(slash, &header->tid)))
		return false;
	if (!slash)
		header->tid = header->pid;
	return header->pid <= UINT32_MAX && header->tid <= UINT32_MAX;
}

/* "[002]" */
static bool parse_cpu(const char *word, uint64_t *cpu)
{
	char digits[8];
	size_t length = strlen(word);

	if (length < 3 || length > sizeof(digits) + 1 || word[0] != '[' ||
	    word[length - 1] != ']')
		return false;
	memcpy(digits, word + 1, length - 2);
	digits[length - 2] = '\0';
	return !import_number(digits, cpu) && *cpu <= UINT16_MAX;
}

/* "158665.570607:", or with nine digits */
static bool parse_time(const char *word, uint64_t *ns)
{
	size_t whole = strspn(word, "0123456789"), digits, i;
	uint64_t seconds = 0, fraction = 0;

	if (!whole || whole > 10 || word[whole] != '.')
		return false;
	digits = strspn(word + whole + 1, "0123456789");
	if (!digits || digits > 9 || strcmp(word + whole + 1 + digits, ":"))
		return false;
	for (i = 0; i < whole; i++)
		seconds = seconds * 10 + (uint64_t)(word[i] - '0');
	for (i = 0; i < 9; i++)
		fraction = fraction * 10 + (i < digits ?
			   (uint64_t)(word[whole + 1 + i] - '0') : 0);
	*ns = seconds * 1000000000 + fraction;
	return true;
}

/* Does what follows a number say that the number was the task's? */
static bool follows_ids(const char *text)
{
	char word[64];
	uint64_t number;
	size_t length;

	text += strspn(text, " \t");
	length = strcspn(text, " \t");
	if (!length || length >= sizeof(word))
		return length >= sizeof(word);
	memcpy(word, text, length);
	word[length] = '\0';
	return parse_cpu(word, &number) || parse_time(word, &number) ||
	       word[length - 1] == ':';
}

/* A comm may hold blanks and numbers: the first number that fits is the task. */
static char *find_ids(char *text, struct header *header)
{
	char *word = text;
	size_t length;

	for (;;) {
		word += strspn(word, " \t");
		length = strcspn(word, " \t");
		if (!length)
			return NULL;
		if (word > text && parse_ids(word, length, header) &&
		    follows_ids(word + length))
			return word;
		word += length;
	}
}

/* Return: is it a sample's first line? Only then @text has changed. */
static bool parse_header(char *text, struct header *header)
{
	char *ids, *word, *end;
	uint64_t period = 0;

	memset(header, 0, sizeof(*header));
	ids = find_ids(text, header);
	if (!ids)
		return false;
	header->rest = ids + strcspn(ids, " \t");
	for (end = ids; end > text && strchr(" \t", end[-1]); end--)
		continue;
	*end = '\0';
	header->comm = text + strspn(text, " \t");
	while ((word = next_word(&header->rest))) {
		if (parse_cpu(word, &header->cpu) ||
		    parse_time(word, &header->time_ns) ||
		    !import_number(word, &period))
			continue;
		end = word + strlen(word) - 1;
		/* flags of interrupts and the like stand without a colon */
		if (*end != ':')
			continue;
		*end = '\0';
		header->event = word;
		header->period = period;
		break;
	}
	return true;
}

/* "cpu-clock:pppH" and "cpu-clock" are one. */
static bool same_event(const char *a, const char *b)
{
	size_t length = strcspn(a, ":");

	if (!strcmp(a, b))
		return true;
	/* of "sched:sched_switch" all is the name */
	return length == strcspn(b, ":") && !strncmp(a, b, length) &&
	       (!a[length] || !b[length]);
}

/* Its periods are nanoseconds. */
static bool is_clock(const char *event)
{
	return same_event(event, "cpu-clock") || same_event(event, "task-clock");
}

static int end_sample(struct reading *reading)
{
	int err = 0;

	if (!reading->open)
		return 0;
	reading->open = false;
	if (!reading->wanted)
		return 0;
	if (!reading->import.nr_frames)
		err = import_push(&reading->import, "[unknown]",
				  FLAMEMOD_FRAME_MARK);
	import_reverse(&reading->import, 0);
	return err ?: import_add(&reading->import, &reading->sample);
}

static int choose_event(struct reading *reading, const char *event)
{
	const char *asked = reading->import.options->event;

	reading->wanted = true;
	if (asked) {
		reading->wanted = same_event(event, asked);
		return 0;
	}
	if (reading->is_first) {
		snprintf(reading->event, sizeof(reading->event), "%s", event);
		return 0;
	}
	if (same_event(event, reading->event))
		return 0;
	return import_fail(&reading->import, "is of the event %.80s, those before it of %.80s, and the two cannot be summed: choose one by --event",
			   event, reading->event);
}

static void note_period(struct reading *reading, uint64_t period)
{
	if (reading->is_first)
		reading->period = period;
	else if (reading->period != period)
		reading->period = 0;
}

static void note_time(struct reading *reading, uint64_t time_ns)
{
	if (!time_ns)
		return;
	if (!reading->first_ns || time_ns < reading->first_ns)
		reading->first_ns = time_ns;
	if (time_ns > reading->last_ns)
		reading->last_ns = time_ns;
}

static int push_frame(struct reading *reading, char *text, bool needs_file);

static int begin_sample(struct reading *reading, const struct header *header)
{
	const char *event = header->event ? header->event : "";
	struct import_sample *sample = &reading->sample;
	bool by_period = reading->import.options->by_period;
	int err = end_sample(reading) ?: choose_event(reading, event);

	if (err)
		return err;
	reading->open = true;
	if (!reading->wanted)
		return 0;
	if (by_period && !header->period)
		return import_fail(&reading->import, "tells no period: have perf script print it by -F +period, or leave out --weight period");
	snprintf(reading->comm, sizeof(reading->comm), "%s", header->comm);
	*sample = (struct import_sample){
		.pid = (uint32_t)header->pid, .tid = (uint32_t)header->tid,
		.cpu = (uint32_t)header->cpu, .comm = reading->comm,
		.count = 1, .periods = by_period ? header->period : 1,
		.context = -1,
	};
	if (reading->is_first)
		snprintf(reading->event, sizeof(reading->event), "%s", event);
	note_period(reading, header->period);
	note_time(reading, header->time_ns);
	reading->is_first = false;
	/* without call chains; a tracepoint's own text is no frame */
	err = push_frame(reading, header->rest, true);
	return err < 0 ? err : 0;
}

/* The " (FILE)" that ends @text, which may hold brackets itself; cut off. */
static char *cut_file(char *text)
{
	size_t at = strlen(text);
	int depth = 0;

	if (!at || text[at - 1] != ')')
		return NULL;
	do {
		at--;
		depth += (text[at] == ')') - (text[at] == '(');
	} while (at && depth);
	if (depth || !at || text[at - 1] != ' ')
		return NULL;
	text[strlen(text) - 1] = '\0';
	text[at - 1] = '\0';
	return text + at + 1;
}

static bool is_kernel_file(const char *file)
{
	return !strncmp(file, "[kernel", 7) || strstr(file, "vmlinux") ||
	       !strncmp(file, "[guest.kernel", 13);
}

/* "[ext4]", "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz": the module, or "" */
static void module_of(const char *file, bool in_kernel, char *module, size_t size)
{
	const char *base = strrchr(file, '/'), *end;

	*module = '\0';
	base = base ? base + 1 : file;
	end = strstr(base, ".ko");
	if (end && (!end[3] || end[3] == '.'))
		snprintf(module, size, "%.*s", (int)(end - base), base);
	else if (in_kernel && *file == '[' && !is_kernel_file(file) &&
		 strcmp(file, "[unknown]"))
		snprintf(module, size, "%.*s", (int)strcspn(file + 1, "]"),
			 file + 1);
}

/* A name that is not known is that of its file. */
static int push_named(struct reading *reading, uint64_t address,
		      const char *symbol, const char *file)
{
	bool in_kernel = address >= KERNEL_HALF || is_kernel_file(file);
	const char *base = strrchr(file, '/');
	char module[128], name[4096];

	module_of(file, in_kernel, module, sizeof(module));
	if (*module) {
		snprintf(name, sizeof(name), "%.3900s [%s]", symbol, module);
		return import_push(&reading->import, name, FLAMEMOD_FRAME_MODULE);
	}
	if (in_kernel)
		return import_push(&reading->import, symbol,
				   FLAMEMOD_FRAME_KERNEL);
	if (strcmp(symbol, "[unknown]") || !*file || *file == '[')
		return import_push(&reading->import, symbol, FLAMEMOD_FRAME_USER);
	snprintf(name, sizeof(name), "[%.3900s]", base ? base + 1 : file);
	return import_push(&reading->import, name, FLAMEMOD_FRAME_USER);
}

/* Return: 0, 1 where it is no frame, or -errno. */
static int push_frame(struct reading *reading, char *text, bool needs_file)
{
	size_t digits;
	uint64_t address;
	const char *file;

	text += strspn(text, " \t");
	digits = strspn(text, "0123456789abcdef");
	if (!digits || digits > 16 || !strchr(" \t", text[digits]) ||
	    !text[digits])
		return 1;
	address = strtoull(text, NULL, 16);
	text += digits;
	text += strspn(text, " \t");
	file = cut_file(text);
	if (!file && needs_file)
		return 1;
	import_strip_offset(text);
	return push_named(reading, address, *text ? text : "[unknown]",
			  file ? file : "");
}

/* "# hostname : web1", as perf script --header has it */
static void read_comment(struct reading *reading)
{
	struct profile_meta *meta = &reading->import.profile->meta;
	const char *line = reading->import.line;

	if (!strncmp(line, "# hostname : ", 13))
		snprintf(meta->host, sizeof(meta->host), "%s", line + 13);
	if (!strncmp(line, "# os release : ", 15))
		snprintf(meta->release, sizeof(meta->release), "%s", line + 15);
}

static int read_line(struct reading *reading)
{
	char *line = reading->import.line;
	struct header header;
	int err = 1;

	if (*line == '#') {
		read_comment(reading);
		return 0;
	}
	if (!line[strspn(line, " \t")])
		return end_sample(reading);
	/* a frame's line begins with a tab, in old versions with blanks */
	if (*line != '\t' && parse_header(line, &header))
		return begin_sample(reading, &header);
	if (*line == ' ' || *line == '\t') {
		if (!reading->open)
			return import_fail(&reading->import, "belongs to no sample: %.100s",
					   line);
		err = reading->wanted ? push_frame(reading, line, false) : 0;
	}
	return err == 1 ? import_fail(&reading->import, "is neither a sample's first line nor a frame of one: %.100s",
				      line) : err;
}

/* A clock's periods are time, of one length where all samples say the same. */
static void finish(struct reading *reading)
{
	struct profile_meta *meta = &reading->import.profile->meta;
	uint64_t period_ns = 0;

	if (is_clock(reading->event))
		period_ns = reading->import.options->by_period ?
			    1 : reading->period;
	else if (reading->import.options->by_period)
		import_counts(&reading->import, reading->event);
	meta->duration_ns = reading->last_ns - reading->first_ns;
	import_period(&reading->import, period_ns);
}

int import_perf(FILE *in, const struct import_options *options,
		struct profile *profile, struct error *error)
{
	struct reading reading = { .is_first = true };
	int err;

	import_init(&reading.import, in, options, profile, error);
	do {
		err = import_line(&reading.import);
		if (err > 0)
			err = read_line(&reading) ?: 1;
	} while (err > 0);
	err = err ?: end_sample(&reading);
	if (!err && reading.is_first && options->event)
		err = error_set(error, -EBADMSG, "it has no sample of the event %.100s",
				options->event);
	finish(&reading);
	import_deinit(&reading.import);
	return err;
}
