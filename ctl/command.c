// SPDX-License-Identifier: GPL-2.0
/*
 * Options, help and errors of commands, all from their tables: see command.h.
 */
#include "command.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "utf8.h"

/* More options than any command has; getopt's arrays are made this large. */
#define OPTIONS_MAX	64

/* getopt's value of option N is OPTION_FIRST + N; above any character. */
#define OPTION_HELP	256
#define OPTION_FIRST	257

/* No table has it. */
#define HELP_LETTER	'h'

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
	int own = count(command->options), nr = own + count(command->shared);

	if (position >= nr || position >= OPTIONS_MAX)
		return NULL;
	return position < own ? &command->options[position] :
				&command->shared[position - own];
}

/* A command that runs another leaves all behind the first operand to it. */
static bool runs_command(const struct command *command)
{
	return command->args && strstr(command->args, "--");
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
		.name = "help", .letter = HELP_LETTER, .help = "print this",
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

	fputs("flamectl: ", stderr);
	/* names of files, arguments, texts of the kernel: anybody's bytes */
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

/* What getopt_long() wants to know, made from a command's table. */
struct getopt_tables {
	struct option longs[OPTIONS_MAX + 2];
	char shorts[4 + 2 * OPTIONS_MAX];
};

static void make_tables(const struct command *command,
			struct getopt_tables *tables)
{
	const struct command_option *option;
	char *to = tables->shorts;
	int i;

	memset(tables, 0, sizeof(*tables));
	if (runs_command(command))
		*to++ = '+';
	*to++ = ':';
	for (i = 0; (option = command_option(command, i)); i++) {
		tables->longs[i].name = option->name;
		tables->longs[i].has_arg = option->arg ? required_argument :
							 no_argument;
		tables->longs[i].val = OPTION_FIRST + i;
		if (!option->letter)
			continue;
		*to++ = option->letter;
		if (option->arg)
			*to++ = ':';
	}
	tables->longs[i].name = "help";
	tables->longs[i].val = OPTION_HELP;
	*to = HELP_LETTER;
}

static const struct command_option *
find_option(const struct command *command, int value)
{
	const struct command_option *option;

	if (value >= OPTION_FIRST)
		return command_option(command, value - OPTION_FIRST);
	for (int i = 0; (option = command_option(command, i)); i++)
		if (option->letter && option->letter == value)
			return option;
	return NULL;
}

static int position_of(const struct command *command,
		       const struct command_option *option)
{
	int i, own = count(command->options);

	for (i = 0; i < own; i++)
		if (option == &command->options[i])
			return i;
	return COMMAND_SHARED + (int)(option - command->shared);
}

/* @given: the word that getopt_long() stopped at */
static int explain(const struct command *command, int found, const char *given)
{
	const struct command_option *option = find_option(command, optopt);
	bool is_long = optopt >= OPTION_HELP || !optopt;

	if (found == ':' && option && is_long)
		return command_usage(command, "--%s: %s is missing",
				     option->name, option->arg);
	if (found == ':')
		return command_usage(command, "-%c: %s is missing", optopt,
				     option ? option->arg : "its value");
	if (optopt >= OPTION_HELP)
		return command_usage(command, "%s: this option takes no value",
				     given);
	if (is_long)
		return command_usage(command, "%s has no option %s, or it is short for several",
				     command->name, given);
	return command_usage(command, "%s has no option -%c", command->name,
			     optopt);
}

int command_next(const struct command *command, int argc, char **argv,
		 int *position, const char **arg)
{
	const struct command_option *option;
	struct getopt_tables tables;
	int found;

	make_tables(command, &tables);
	opterr = 0;
	found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL);
	if (found == -1)
		return 0;
	if (found == OPTION_HELP || found == HELP_LETTER) {
		command_help(command);
		exit(command_printed(EXIT_DONE));
	}
	option = found == '?' || found == ':' ? NULL :
						find_option(command, found);
	if (!option)
		exit(explain(command, found, argv[optind - 1]));
	*position = position_of(command, option);
	*arg = optarg;
	return 1;
}

int command_no_operands(const struct command *command, int argc, char **argv)
{
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg))
		continue;
	if (optind < argc)
		return command_usage(command, "%s takes no operand %s",
				     command->name, argv[optind]);
	return EXIT_DONE;
}
