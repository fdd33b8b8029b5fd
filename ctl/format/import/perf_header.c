// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the first line of a sample in perf script's output:
 *
 *   COMM PID/TID [CPU] FLAGS TIME: PERIOD EVENT: ...
 *
 * Any field may be missing, and a comm may contain blanks, numbers and colons.
 * So parsing starts at a field that is hard to mistake, the time if there is
 * one, and goes back to the task. A single number instead of PID/TID is the
 * TID. perf_short_header() parses lines with only a few of these fields, from the
 * end to the start.
 */
#include "format/import/perf.h"

#include <string.h>

/* The widths to which perf pads a period and an address. */
#define PERIOD_COLUMNS	10
#define ADDRESS_COLUMNS	16

/* Limit of words between task and time; perf prints fewer. */
#define WORDS_MAX	4

/* A word of a line, as a range of it. */
struct word {
	char *text;
	size_t length;
};

static bool next_word(char *text, struct word *word)
{
	word->text = text + strspn(text, " \t");
	word->length = strcspn(word->text, " \t");
	return word->length;
}

/* Find the last word before @end, but not before @begin. */
static bool word_before(char *begin, char *end, struct word *word)
{
	while (end > begin && strchr(" \t", end[-1]))
		end--;
	word->text = end;
	while (word->text > begin && !strchr(" \t", word->text[-1]))
		word->text--;
	word->length = (size_t)(end - word->text);
	return word->length;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t nr_digits(const char *text, size_t length)
{
	size_t digits = 0;

	while (digits < length && is_digit(text[digits]))
		digits++;
	return digits;
}

/*
 * Read an id; perf prints -1 for an exited task. That, and 2^32 or more, is 0.
 */
static uint32_t read_id(const char *text, size_t length)
{
	uint64_t number = 0;

	if (*text == '-')
		return 0;
	for (size_t i = 0; i < length && number <= UINT32_MAX; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* Read "1234" or "1234/1235"; each may be "-1". */
static bool read_ids(const struct word *word, struct perf_header *header)
{
	const char *text = word->text, *end = text + word->length;
	size_t sign, digits, sign2, digits2;

	sign = *text == '-';
	digits = nr_digits(text + sign, word->length - sign);
	if (!digits)
		return false;
	if (text + sign + digits == end) {
		header->pid = 0;
		header->tid = read_id(text, digits);
		return true;
	}
	if (text[sign + digits] != '/')
		return false;
	header->pid = read_id(text, digits);
	text += sign + digits + 1;
	sign2 = text < end && *text == '-';
	digits2 = nr_digits(text + sign2, (size_t)(end - text) - sign2);
	header->tid = read_id(text, digits2);
	return digits2 && text + sign2 + digits2 == end;
}

/* Read "[002]". */
static bool read_cpu(const struct word *word, struct perf_header *header)
{
	const char *text = word->text;
	size_t length = word->length, digits;
	uint32_t cpu;

	if (length < 3 || text[0] != '[' || text[length - 1] != ']')
		return false;
	digits = nr_digits(text + 1, length - 2);
	if (digits != length - 2 || digits > 7)
		return false;
	cpu = read_id(text + 1, digits);
	if (cpu > UINT16_MAX)
		return false;
	header->cpu = cpu;
	return true;
}

/* Read "158665.570607:", or up to nine decimals. */
static bool read_time(const struct word *word, struct perf_header *header)
{
	const char *text = word->text;
	size_t whole, digits, i;
	uint64_t seconds = 0, fraction = 0;

	if (!is_digit(*text) || text[word->length - 1] != ':')
		return false;
	whole = nr_digits(text, word->length);
	if (whole > 10 || text[whole] != '.')
		return false;
	digits = nr_digits(text + whole + 1, word->length - whole - 1);
	if (!digits || digits > 9 || whole + 1 + digits + 1 != word->length)
		return false;
	for (i = 0; i < whole; i++)
		seconds = seconds * 10 + (uint64_t)(text[i] - '0');
	for (i = 0; i < 9; i++)
		fraction = fraction * 10 + (i < digits ?
			   (uint64_t)(text[whole + 1 + i] - '0') : 0);
	header->time_ns = seconds * 1000000000 + fraction;
	return true;
}

static bool read_number(const struct word *word, uint64_t *number)
{
	char digits[24];

	if (word->length >= sizeof(digits) ||
	    nr_digits(word->text, word->length) != word->length)
		return false;
	memcpy(digits, word->text, word->length);
	digits[word->length] = '\0';
	return !import_number(digits, number);
}

/* Recognise "cpu-clock:pppH:". */
static bool is_event(const struct word *word)
{
	return word->length > 1 && word->text[word->length - 1] == ':';
}

/* Recognise "d..2." (interrupts and preemption), or "K" (the mode). */
static bool are_flags(const struct word *word)
{
	return word->length <= 8 && !is_event(word) &&
	       (strspn(word->text, ".dDnNpPhHsSzZbB#0123456789") >= word->length ||
		strspn(word->text, "KUHGOEMLN") >= word->length);
}

/* Report whether a number and the blanks before it fill @columns. */
static bool fills(const char *begin, const struct word *word, size_t columns)
{
	const char *blank = word->text;

	while (blank > begin && blank[-1] == ' ')
		blank--;
	/* the first blank separates the fields */
	if (blank > begin)
		blank++;
	return (size_t)(word->text - blank) + word->length >= columns;
}

/*
 * Skip a period to find the ids before it; these are adjacent if neither time
 * nor CPU is printed.
 */
static bool skip_period(char *text, struct word *word,
			struct perf_header *header)
{
	struct word before;

	return fills(text, word, PERIOD_COLUMNS) &&
	       read_number(word, &header->period) &&
	       word_before(text, word->text, &before) &&
	       read_ids(&before, header);
}

/* Find the task's ids before @end, skipping CPU and flags. Sets @ids. */
static bool find_ids(char *text, char *end, bool may_be_period,
		     struct word *ids, struct perf_header *header)
{
	unsigned int i;

	for (i = 0; i < WORDS_MAX; i++) {
		if (!word_before(text, end, ids))
			return false;
		if (read_ids(ids, header)) {
			if (may_be_period && skip_period(text, ids, header))
				word_before(text, ids->text, ids);
			return true;
		}
		if (!read_cpu(ids, header) && !are_flags(ids))
			return false;
		end = ids->text;
	}
	return false;
}

static bool is_mark_time(const struct word *word, struct perf_header *header)
{
	return read_time(word, header);
}

static bool is_mark_cpu(const struct word *word, struct perf_header *header)
{
	return *word->text == '[' && read_cpu(word, header);
}

static bool is_mark_event(const struct word *word, struct perf_header *header)
{
	(void)header;
	return is_event(word);
}

/* Read the fields after the task: CPU, time, period, event. */
static void read_fields(char *at, struct perf_header *header)
{
	struct word word;
	uint64_t number;

	header->rest = at;
	header->event = NULL;
	header->period = 0;
	while (next_word(header->rest, &word)) {
		if (read_cpu(&word, header) || read_time(&word, header)) {
			header->rest = word.text + word.length;
			continue;
		}
		if (!strncmp(word.text, "PERF_RECORD_", 12)) {
			header->is_record = true;
			return;
		}
		header->rest = word.text + word.length;
		if (read_number(&word, &number)) {
			header->period = number;
		} else if (is_event(&word)) {
			header->event = word.text;
			word.text[word.length - 1] = '\0';
			/* the blank after it belongs to the next field */
			return;
		}
	}
}

/* A frame has an address, and only addresses are padded to this width. */
bool perf_is_alone(const char *rest)
{
	const char *text = rest + strspn(rest, " ");
	size_t digits = strspn(text, "0123456789abcdef");

	return digits && (size_t)(text - rest) + digits >= ADDRESS_COLUMNS &&
	       digits <= ADDRESS_COLUMNS && strchr(" \t", text[digits]);
}

/*
 * Find a frame on the sample's own line, with the blanks before it. Return: where
 * these start, or the line's end.
 */
static char *find_alone(char *text)
{
	struct word word;
	char *at;

	for (at = text; next_word(at, &word); at = word.text + word.length)
		if (perf_is_alone(at) || perf_is_alone(at + (*at == ' ')))
			return at;
	return text + strlen(text);
}

static void take_comm(char *text, char *end, struct perf_header *header)
{
	while (end > text && strchr(" \t", end[-1]))
		end--;
	if (*end)
		*end = '\0';
	header->comm = text + strspn(text, " \t");
}

bool perf_header(char *text, struct perf_header *header)
{
	static bool (*const is_mark[])(const struct word *word,
				       struct perf_header *header) = {
		is_mark_time, is_mark_cpu, is_mark_event,
	};
	struct word word, ids;
	char *at;

	memset(header, 0, sizeof(*header));
	if (!strpbrk(text, ":]"))
		return false;
	for (unsigned int i = 0; i < 3; i++) {
		for (at = text; next_word(at, &word);
		     at = word.text + word.length) {
			if (!is_mark[i](&word, header) ||
			    !find_ids(text, word.text, is_mark[i] == is_mark_event,
				      &ids, header))
				continue;
			header->cpu = 0;
			header->time_ns = 0;
			read_fields(ids.text + ids.length, header);
			take_comm(text, ids.text, header);
			return true;
		}
	}
	return false;
}

/* Cut off the last field before @end, if @read accepts it. */
static bool take_last(char *text, char **end, struct perf_header *header,
		      bool (*read)(const struct word *word,
				   struct perf_header *header))
{
	struct word word;

	if (!word_before(text, *end, &word) || !read(&word, header))
		return false;
	*end = word.text;
	return true;
}

static bool read_event(const struct word *word, struct perf_header *header)
{
	if (!is_event(word))
		return false;
	header->event = word->text;
	return true;
}

static bool read_period(const struct word *word, struct perf_header *header)
{
	return read_number(word, &header->period);
}

/* Skip the mode, "K" or "U", if the task is before it. */
static void skip_mode(char *begin, char **end, struct perf_header *header)
{
	struct word mode, ids;

	if (word_before(begin, *end, &mode) && mode.length == 1 &&
	    strchr("KUHG", *mode.text) &&
	    word_before(begin, mode.text, &ids) && read_ids(&ids, header))
		*end = mode.text;
}

bool perf_short_header(char *text, struct perf_header *header)
{
	char *begin = text + strspn(text, " "), *end;
	struct word word;

	memset(header, 0, sizeof(*header));
	end = find_alone(text);
	/* skip the blank that ends the field before it */
	header->rest = end + (*end == ' ' && end > text);
	if (!word_before(begin, end, &word))
		return false;
	if (!take_last(begin, &end, header, read_time)) {
		take_last(begin, &end, header, read_event);
		if (word_before(begin, end, &word) &&
		    fills(text, &word, PERIOD_COLUMNS))
			take_last(begin, &end, header, read_period);
		take_last(begin, &end, header, read_time);
	}
	take_last(begin, &end, header, read_cpu);
	skip_mode(begin, &end, header);
	take_last(begin, &end, header, read_ids);
	if (header->event)
		header->event[strcspn(header->event, " \t") - 1] = '\0';
	take_comm(begin, end, header);
	return true;
}
