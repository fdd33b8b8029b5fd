// SPDX-License-Identifier: GPL-2.0
/*
 * Write manual pages from the tables of commands. The language is mdoc, which
 * marks what a word is and leaves the formatting to the reader's man.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cmd/pages.h"

/* Longer lines of text are broken, as usual in sources of manual pages. */
#define LINE_MAX_CHARS 78

static void put_escaped(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == '\\')
			fputs("\\e", out);
		else if (text[i] == '-')	/* as it is to be typed */
			fputs("\\-", out);
		else
			putc(text[i], out);
}

/* Write a line of text; it must not start like a request. */
static void put_line(FILE *out, const char *text, size_t length)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	put_escaped(out, text, length);
	putc('\n', out);
}

/* Return: the length of the first line: at most a sentence, no word cut. */
static size_t line_length(const char *text, size_t length)
{
	size_t last = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] != ' ')
			continue;
		if (i && strchr(".?!", text[i - 1]))
			return i;
		if (i > LINE_MAX_CHARS && last)
			return last;
		last = i;
	}
	return length > LINE_MAX_CHARS && last ? last : length;
}

static void put_text(FILE *out, const char *text, size_t length)
{
	while (length) {
		size_t end = line_length(text, length);

		put_line(out, text, end);
		end += end < length;
		text += end;
		length -= end;
	}
}

/* Make a sentence of a help line such as "write to FILE". */
static void put_sentence(FILE *out, const char *line)
{
	char text[512];
	int length = snprintf(text, sizeof(text), "%c%s.",
			      toupper((unsigned char)line[0]), line + 1);

	put_text(out, text, length < (int)sizeof(text) ? length : (int)sizeof(text) - 1);
}

/* Write an argument of a macro as one word, whatever it contains. */
static void put_word(FILE *out, const char *word)
{
	fputs(" \"", out);
	for (; *word; word++)
		if (*word == '"')
			fputs("\\(dq", out);
		else
			put_escaped(out, word, 1);
	putc('"', out);
}

static void put_option(FILE *out, const struct command_option *option)
{
	fputs(".It", out);
	if (option->letter)
		fprintf(out, " Fl %c ,", option->letter);
	fprintf(out, " Fl -%s", option->name);
	if (option->arg) {
		fputs(" Ar", out);
		put_word(out, option->arg);
	}
	putc('\n', out);
	put_sentence(out, option->help);
}

static void put_options(FILE *out, const struct command *command)
{
	static const struct command_option help = {
		.name = "help", .letter = 'h', .help = "print a short form of this page",
	};
	const struct command_option *option;

	fputs(".Pp\nThe options are:\n.Bl -tag -width Ds\n", out);
	for (int i = 0; (option = command_option(command, i)); i++)
		put_option(out, option);
	put_option(out, &help);
	fputs(".El\n", out);
}

/* Write paragraphs separated by blank lines; indented text stays as it is. */
static void put_details(FILE *out, const char *details)
{
	bool literal = false, between = true;

	while (*details) {
		size_t length = strcspn(details, "\n");
		bool indented = !strncmp(details, "  ", 2);

		if (literal && !indented) {
			fputs(".Ed\n", out);
			literal = false;
		}
		if (indented && !literal) {
			fputs(".Bd -literal -offset indent\n", out);
			literal = true;
		}
		if (!length)
			between = true;
		else if (between && !indented)
			fputs(".Pp\n", out);
		between = between && !length;
		if (indented)
			put_line(out, details + 2, length - 2);
		else if (length)
			put_text(out, details, length);
		details += length + (details[length] == '\n');
	}
	if (literal)
		fputs(".Ed\n", out);
}

static void put_title(FILE *out, const char *name, time_t date)
{
	char day[64];
	struct tm tm;

	/* "January 2, 2006", in the language of manual pages */
	strftime(day, sizeof(day), "%B %e, %Y", gmtime_r(&date, &tm));
	fputs(".\\\" SPDX-License-Identifier: GPL-2.0\n"
	      ".\\\" Made from the tables that flamectl --help is printed from.\n", out);
	fprintf(out, ".Dd %s\n.Dt ", day);
	for (; *name; name++)
		putc(toupper((unsigned char)*name), out);
	fputs(" 1\n.Os flamemod " FLAMECTL_VERSION "\n", out);
}

/* @heeded: COMMAND_LESS and so on */
static void put_environment(FILE *out, unsigned int heeded)
{
	static const struct {
		unsigned int bit;
		const char *name, *text;
	} variables[] = {
		{ COMMAND_FLEET, "FLAMECTL_FLEET",
		  "The URL of a store of many hosts' profiles, such as\n"
		  ".Pa clickhouse://me@db.example/fleet?token-file=/etc/flamemod/token .\n" },
		{ COMMAND_LESS, "LESS",
		  "Options of\n.Xr less 1 ;\n-R is added, which shows colours.\n"
		  "If it is not set, they are FRX.\n" },
		{ COMMAND_NO_COLOR, "NO_COLOR",
		  "If it is set and not empty, flamectl prints no colours.\n" },
		{ COMMAND_SERVICE, "NOTIFY_SOCKET",
		  "Where the service manager is told that the agent runs.\n" },
		{ COMMAND_PAGER, "PAGER",
		  "The shell command through which a report on a terminal is shown.\n"
		  "If it is not set, that is\n.Xr less 1 ;\n"
		  "if it is empty or cat, no pager is used.\n" },
		{ COMMAND_SERVICE, "STATE_DIRECTORY",
		  "The directory, if\n.Fl -state-directory\nis not given; a service manager sets it.\n" },
		{ COMMAND_TERM, "TERM", "The type of the terminal; a dumb one gets no colours.\n" },
		{ COMMAND_SERVICE, "WATCHDOG_USEC",
		  "How often the service manager is to be told that the agent still runs.\n" },
	};

	if (!heeded)
		return;
	fputs(".Sh ENVIRONMENT\n.Bl -tag -width Ds\n", out);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (heeded & variables[i].bit)
			fprintf(out, ".It Ev %s\n%s", variables[i].name,
				variables[i].text);
	fputs(".El\n", out);
}

/* Write the instructions that README.md also has. */
static void put_rights(FILE *out)
{
	fputs(".Sh WITHOUT ROOT\n"
	      "The module answers only users who have CAP_PERFMON, or CAP_SYS_ADMIN, in the initial\n"
	      "user namespace.\n"
	      "To let only the members of a group use it, give that capability to a\n"
	      "copy of this program that only they may run:\n"
	      ".Bd -literal -offset indent\n"
	      "groupadd flamemod\n"
	      "install -g flamemod -m 0750 flamectl /usr/local/bin/flamectl\n"
	      "setcap cap_perfmon+ep /usr/local/bin/flamectl\n"
	      "usermod -a -G flamemod USER\n"
	      ".Ed\n"
	      ".Pp\n"
	      "They can then see which kernel functions every process runs.\n"
	      "A command that\n.Cm record\nruns does not get the capability.\n"
	      "The capability does not allow loading modules: let root load it, at boot for example.\n",
	      out);
}

static void put_exit_status(FILE *out)
{
	fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds\n"
	      ".It 0\nSuccess.\n.It 1\nFailure; a message gives the reason.\n"
	      ".It 2\nWrong usage.\n"
	      ".It 3\nThe module is not loaded, has another version, or may not be used.\n"
	      ".El\n", out);
}

static void put_program(const struct command *const *all, FILE *out)
{
	unsigned int heeded = 0;

	fputs(".Sh NAME\n.Nm flamectl\n"
	      ".Nd Linux kernel flame graph profiling, with the module flamemod\n"
	      ".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar option ...\n"
	      ".Nm\n.Cm help\n.Op Ar command\n.Nm\n.Fl -version\n"
	      ".Sh DESCRIPTION\n"
	      "The kernel module flamemod samples the stacks of CPUs and folds them into a\n"
	      "profile; this program fetches profiles and shows them.\n"
	      ".Pp\nThe commands are:\n.Bl -tag -width Ds\n", out);
	for (; *all; all++) {
		heeded |= (*all)->variables;
		fprintf(out, ".It Cm %s\n", (*all)->name);
		put_sentence(out, (*all)->summary);
		fprintf(out, "See\n.Xr flamectl-%s 1 .\n", (*all)->name);
	}
	fputs(".El\n", out);
	put_rights(out);
	put_environment(out, heeded);
	put_exit_status(out);
}

static void put_command(const struct command *command, FILE *out)
{
	fprintf(out, ".Sh NAME\n.Nm flamectl-%s\n.Nd", command->name);
	put_word(out, command->summary);
	fprintf(out, "\n.Sh SYNOPSIS\n.Nm flamectl %s\n", command->name);
	if (command_option(command, 0))
		fputs(".Op Ar OPTION ...\n", out);
	if (command->args && *command->args) {
		fputs(".Ar", out);
		put_word(out, command->args);
		putc('\n', out);
	}
	fputs(".Sh DESCRIPTION\n", out);
	put_sentence(out, command->summary);
	if (command->details)
		put_details(out, command->details);
	put_options(out, command);
	put_environment(out, command->variables);
	put_exit_status(out);
	fputs(".Sh SEE ALSO\n.Xr flamectl 1\n", out);
}

void pages_man(const struct command *command, const struct command *const *all,
	       time_t date, FILE *out)
{
	char name[64] = "flamectl";

	if (command)
		snprintf(name, sizeof(name), "flamectl-%s", command->name);
	put_title(out, name, date);
	if (command)
		put_command(command, out);
	else
		put_program(all, out);
}
