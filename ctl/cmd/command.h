/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A command of flamectl: its name, what help says of it, its options, and the
 * function that runs it. Help, man page and completions are all printed from
 * these tables, so that they cannot differ.
 */
#ifndef FLAMECTL_COMMAND_H
#define FLAMECTL_COMMAND_H

#include "base/option.h"
#include "cmd/exit_code.h"

/* Variables of the environment that commands heed. */
enum {
	COMMAND_LESS = 1 << 0,
	COMMAND_NO_COLOR = 1 << 1,
	COMMAND_PAGER = 1 << 2,
	COMMAND_TERM = 1 << 3,
};

/* Where a command's shared options begin, for command_next(), and its reads. */
#define COMMAND_SHARED	1024
#define COMMAND_READS	2048

struct notes;

/* More options than any command has, the shared ones included. */
#define COMMAND_OPTIONS_MAX	64

/* The letter of --help; no table has it. */
#define COMMAND_HELP_LETTER	'h'

struct command {
	const char *name;
	const char *args;	/* the operands, as usage shows them */
	const char *summary;	/* one line, lower case, no full stop */
	const char *details;	/* paragraphs for --help, or NULL */
	const struct command_option *options;
	const struct command_option *shared;	/* of several commands, or NULL */
	const struct command_option *reads;	/* load_options, or NULL */
	const char *names;	/* of operands NAME=VALUE: "one another", or NULL */
	unsigned int variables;	/* COMMAND_LESS and so on */
	int (*run)(const struct command *command, int argc, char **argv);
};

/**
 * command_option() - the option at @position, from 0: a command's own come
 * first, then the shared ones, then those of what it reads.
 *
 * Return: NULL behind the last.
 */
const struct command_option *command_option(const struct command *command,
					    int position);

/**
 * command_next() - the next option, by getopt_long() from the table.
 * @position: the option's index in command->options, or COMMAND_SHARED and its
 *	      index in command->shared, or COMMAND_READS and that in ->reads.
 *
 * Prints help (--help, exit 0) and usage errors (exit 2) itself. Options that
 * users of other tools type by habit are taken for ours, or answered: habits.h.
 *
 * Return: 1 with @position and @arg set, 0 at the first operand (its index is
 * in optind).
 */
int command_next(const struct command *command, int argc, char **argv,
		 int *position, const char **arg);

/**
 * command_no_operands() - for a command without options or operands: print
 * help, or what is wrong.
 *
 * Return: 0, or 2 to return at once.
 */
int command_no_operands(const struct command *command, int argc, char **argv);

/** command_help() - print a command's help to stdout. */
void command_help(const struct command *command);

/**
 * command_usage() - print "flamectl: ..." and the usage line of @command, or
 * of flamectl itself where it is NULL. Return: 2.
 */
int command_usage(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * command_fail() - print "flamectl: ..." to stderr, harmless to a terminal
 * whatever it quotes. Return: @code.
 */
int command_fail(int code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** command_notes() - print what readers had to say, as command_fail() would. */
void command_notes(const struct notes *notes);

/**
 * command_note() - print "flamectl: @text" to stderr as command_fail() does,
 * for what is no failure; nothing for "".
 */
void command_note(const char *text);

/**
 * command_printed() - the exit code of a command that has printed to stdout.
 * Return: @code, or 1 with its message where not all of that was written.
 */
int command_printed(int code);

extern const struct command cmd_record, cmd_dump, cmd_svg, cmd_html, cmd_heat,
	cmd_report, cmd_browse, cmd_top, cmd_diff, cmd_export, cmd_import, cmd_merge,
	cmd_status, cmd_start, cmd_stop, cmd_reset, cmd_set, cmd_doctor;

/* For those who install flamectl; in no list of commands. */
extern const struct command cmd_pages;

/* All commands but that, as help lists them; NULL at the end. */
extern const struct command *const commands[];

#endif /* FLAMECTL_COMMAND_H */
