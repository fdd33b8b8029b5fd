// SPDX-License-Identifier: GPL-2.0
/*
 * Print help and errors of commands, from their tables: see command.h.
 */
#include "cmd/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/broken_pipe.h"
#include "base/notes.h"
#include "base/output.h"
#include "base/utf8.h"

static int count(const struct command_option *options)
{
	int nr = 0;

	while (options && options[nr].name)
		nr++;
	return nr;
}

const struct command_option *command_option(const struct command *command,
					    int position)
{
	const struct command_option *const tables[] = {
		command->options, command->shared, command->reads, command->live,
	};
	size_t i;
	int nr;

	if (position >= COMMAND_OPTIONS_MAX)
		return NULL;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		nr = count(tables[i]);
		if (position < nr)
			return &tables[i][position];
		position -= nr;
	}
	return NULL;
}

static void print_usage(const struct command *command, FILE *out)
{
	fprintf(out, "usage: flamectl %s%s%s%s\n", command->name,
		command_option(command, 0) ? " [OPTION...]" : "",
		command->args && *command->args ? " " : "",
		command->args ? command->args : "");
}

static void print_option(const struct command_option *option, FILE *out)
{
	char left[64];
	int length;

	length = snprintf(left, sizeof(left), "  %c%c%s--%s%s%s",
			  option->letter ? '-' : ' ',
			  option->letter ? option->letter : ' ',
			  option->letter ? ", " : "  ", option->name,
			  option->arg ? " " : "",
			  option->arg ? option->arg : "");
	if (length > 26)
		fprintf(out, "%s\n%27s %s\n", left, "", option->help);
	else
		fprintf(out, "%-27s %s\n", left, option->help);
}

void command_help(const struct command *command)
{
	static const struct command_option help = {
		.name = "help", .letter = COMMAND_HELP_LETTER, .help = "print this help",
	};
	const struct command_option *option;

	print_usage(command, stdout);
	printf("\n%s\n\n", command->summary);
	for (int i = 0; (option = command_option(command, i)); i++)
		print_option(option, stdout);
	print_option(&help, stdout);
	if (command->details)
		printf("\n%s\n", command->details);
}

__attribute__((format(printf, 2, 0)))
static int fail(int code, const char *format, va_list args)
{
	char *text;

	/* no message if the reader of stdout is gone */
	if (code == EXIT_FAILED && broken_pipe_seen())
		return code;
	fputs("flamectl: ", stderr);
	/*
	 * clean it: file names, arguments and kernel texts may hold any bytes
	 */
	if (vasprintf(&text, format, args) >= 0) {
		utf8_print(text, stderr);
		free(text);
	}
	fputc('\n', stderr);
	return code;
}

int command_fail(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(code, format, args);
	va_end(args);
	return code;
}

void command_note(const char *text)
{
	if (*text)
		command_fail(EXIT_DONE, "%s", text);
}

void command_notes(const struct notes *notes)
{
	unsigned int kept = notes->nr < NOTES_MAX ? notes->nr : NOTES_MAX;

	for (unsigned int i = 0; i < kept; i++)
		command_fail(EXIT_DONE, "%s", notes->text[i]);
	if (notes->nr > kept)
		command_fail(EXIT_DONE, "and %u more like that",
			     notes->nr - kept);
}

int command_printed(int code)
{
	struct output output;
	struct error error;

	output_open(&output, NULL, &error);
	if (output_commit(&output, &error))
		return command_fail(EXIT_FAILED, "%s", error.text);
	return code;
}

int command_usage(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(EXIT_USAGE, format, args);
	va_end(args);
	if (!command) {
		fputs("usage: flamectl COMMAND [OPTION...], see flamectl help\n",
		      stderr);
		return EXIT_USAGE;
	}
	print_usage(command, stderr);
	fprintf(stderr, "see flamectl %s --help\n", command->name);
	return EXIT_USAGE;
}
