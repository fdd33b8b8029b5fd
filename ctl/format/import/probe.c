// SPDX-License-Identifier: GPL-2.0
/*
 * Recognise which tool printed a text, by marks that the texts of the other tools do
 * not have. Each function judges the start of a text for one format; format.c asks
 * them in turn.
 */
#include <string.h>

#include "format/import/perf.h"

/* Limit of a line's length; perf script's first lines are shorter. */
#define LINE_BYTES	1024

/* Limit of lines before the first sample, such as a warning. */
#define LINES_BEFORE	8

/* Get the next line of @at, cut to fit. Return: false at the end. */
static bool next_line(const char **at, char line[LINE_BYTES])
{
	size_t length = strcspn(*at, "\n"), fits = length;

	if (!**at)
		return false;
	if (fits >= LINE_BYTES)
		fits = LINE_BYTES - 1;
	memcpy(line, *at, fits);
	line[fits] = '\0';
	*at += length + ((*at)[length] == '\n');
	return true;
}

static bool is_blank(const char *line)
{
	return !line[strspn(line, " \t\r")];
}

/* Get the next line that is neither blank nor a comment. */
static bool next_text(const char **at, char line[LINE_BYTES])
{
	while (next_line(at, line))
		if (*line != '#' && !is_blank(line))
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- perf script ---- */

static bool frame_follows(const char *at)
{
	char line[LINE_BYTES];

	return next_text(&at, line) && perf_is_frame(line);
}

/*
 * With few fields, a line may be anything, so a frame must follow after a tab.
 */
static bool is_short(const char *at, char line[LINE_BYTES])
{
	struct perf_header header;
	char next[LINE_BYTES];

	if (*line == '\t' || (*line == ' ' && perf_is_alone(line)))
		return perf_is_frame(line);
	if (next_text(&at, next) && *next == '\t' && perf_is_frame(next))
		return true;
	return perf_short_header(line, &header) && *line == ' ' &&
	       perf_is_alone(header.rest);
}

bool import_perf_probe(const char *head, size_t size)
{
	struct perf_header header;
	char line[LINE_BYTES];
	const char *at = head;

	(void)size;
	for (int i = 0; i < LINES_BEFORE && next_text(&at, line); i++) {
		if (*line != '\t' && perf_header(line, &header) &&
		    (header.is_record || (header.event && !i) ||
		     frame_follows(at)))
			return true;
		if (!i && is_short(at, line))
			return true;
	}
	return false;
}

/* ---- perf report -g folded ---- */

/* Recognise "    78.92%    78.92%           408  ls". */
static bool is_entry(const char *line)
{
	size_t blanks = strspn(line, " ");

	line += blanks;
	return blanks && is_digit(*line) &&
	       line[strspn(line, "0123456789.")] == '%';
}

/* Recognise "26 main;read" or "5.03% main;read". */
static bool is_chain(const char *line)
{
	const char *end = line + strspn(line, "0123456789.");

	if (end == line)
		return false;
	end += *end == '%';
	return *end == ' ' && end[1] && end[1] != ' ';
}

bool import_report_probe(const char *head, size_t size)
{
	char line[LINE_BYTES];
	const char *at = head;
	bool after_entry = false;

	(void)size;
	while (next_text(&at, line)) {
		if (after_entry && is_chain(line))
			return true;
		/* entries without stacks may come first */
		after_entry = is_entry(line);
		if (!after_entry)
			return false;
	}
	return false;
}

/* ---- others ---- */

bool import_bpftrace_json_probe(const char *head, size_t size)
{
	head += strspn(head, " \t\r\n");
	(void)size;
	return *head == '{' && strstr(head, "\"type\"") && strstr(head, "\"data\"");
}

/*
 * Look for an indented MODULE`FUNCTION; other tools that write it do so in
 * folded text.
 */
bool import_dtrace_probe(const char *head, size_t size)
{
	char line[LINE_BYTES];

	(void)size;
	while (next_line(&head, line))
		if ((*line == ' ' && strchr(line, '`') && !strchr(line, ';')) ||
		    (!strncmp(line, "CPU ", 4) && strstr(line, "FUNCTION:NAME")))
			return true;
	return false;
}

/* Recognise " 0)   0.198 us    |  f();". */
static bool is_call(const char *line)
{
	line += strspn(line, " ");
	return is_digit(*line) && line[strspn(line, "0123456789")] == ')' &&
	       strchr(line, '|');
}

bool import_funcgraph_probe(const char *head, size_t size)
{
	char line[LINE_BYTES];

	(void)size;
	while (next_line(&head, line))
		if (!strncmp(line, "# tracer: function_graph", 24) ||
		    (strstr(line, " funcgraph_e") && strchr(line, '|')) ||
		    is_call(line))
			return true;
	return false;
}

bool import_opreport_probe(const char *head, size_t size)
{
	char line[LINE_BYTES];

	(void)size;
	while (next_line(&head, line))
		if (!strncmp(line, "samples ", 8) && strchr(line, '%') &&
		    strstr(line, "symbol name"))
			return true;
	return false;
}
