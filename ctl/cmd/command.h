/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A command of flamectl: its name, its help texts, its options, and the
 * function that runs it. Help, manual pages and completions are all printed
 * from these tables, so that they cannot differ.
 */
#ifndef FLAMECTL_COMMAND_H
#define FLAMECTL_COMMAND_H

#include "cmd/exit_code.h"
#include "cmd/option.h"

/* Environment variables that commands use. */
enum {
	COMMAND_LESS = 1 << 0,
	COMMAND_NO_COLOR = 1 << 1,
	COMMAND_PAGER = 1 << 2,
	COMMAND_TERM = 1 << 3,
	COMMAND_SERVICE = 1 << 4,	/* those of the service manager */
	COMMAND_FLEET = 1 << 5,		/* the URL of a store */
};

/*
 * First positions of a command's shared options, of its reads and of its live ones:
 * command_next().
 */
#define COMMAND_SHARED	1024
#define COMMAND_READS	2048
#define COMMAND_LIVE	3072

struct notes;

/* More options than any command has, including shared ones. */
#define COMMAND_OPTIONS_MAX	64

/* The letter of --help, which is in no table. */
#define COMMAND_HELP_LETTER	'h'

struct command {
	const char *name;
	const char *args;	/* the operands, as usage shows them */
	const char *summary;	/* one line, lower case, no full stop */
	const char *details;	/* paragraphs for --help, or NULL */
	const struct command_option *options;
	const struct command_option *shared;	/* of several commands, or NULL */
	const struct command_option *reads;	/* load_options, or NULL */
	const struct command_option *live;	/* live_options, or NULL */
	const char *names;	/* of NAME=VALUE operands: "one another", or NULL */
	unsigned int variables;	/* COMMAND_LESS and so on */
	int (*run)(const struct command *command, int argc, char **argv);
};

/**
 * command_option() - return the option at @position, from 0: a command's own
 * options come first, then the shared ones, then those of what it reads, then
 * those of names.
 *
 * Return: the option, or NULL after the last.
 */
const struct command_option *command_option(const struct command *command,
					    int position);

/**
 * command_next() - parse the next option, by getopt_long() from the table.
 * @position: the option's index in command->options, or COMMAND_SHARED plus its
 *	      index in command->shared, COMMAND_READS plus that in ->reads, or
 *	      COMMAND_LIVE plus that in ->live.
 *
 * Prints help (--help, exit 0) and usage errors (exit 2) itself. Options of
 * other tools that users type by habit are mapped to ours, or answered: see
 * habits.h.
 *
 * Return: 1 with @position and @arg set, 0 at the first operand (its index is
 * in optind).
 */
int command_next(const struct command *command, int argc, char **argv,
		 int *position, const char **arg);

/**
 * command_no_operands() - parse the arguments of a command without options or
 * operands: print help, or what is wrong.
 *
 * Return: 0, or 2, which the caller returns at once.
 */
int command_no_operands(const struct command *command, int argc, char **argv);

/** command_help() - print a command's help to stdout. */
void command_help(const struct command *command);

/**
 * command_usage() - print "flamectl: ..." and the usage line of @command, or of
 * flamectl itself if it is NULL. Return: 2.
 */
int command_usage(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * command_fail() - print "flamectl: ..." to stderr, cleaned for a terminal
 * whatever it quotes. Return: @code.
 */
int command_fail(int code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** command_notes() - print the notes of readers, as command_fail() does. */
void command_notes(const struct notes *notes);

/**
 * command_note() - print "flamectl: @text" to stderr as command_fail() does,
 * for a text that is not a failure; print nothing for "".
 */
void command_note(const char *text);

/**
 * command_printed() - compute the exit code of a command that printed to
 * stdout.
 * Return: @code, or 1 after a message if the output was not completely written.
 */
int command_printed(int code);

extern const struct command cmd_record, cmd_dump, cmd_svg, cmd_html, cmd_heat,
	cmd_report, cmd_browse, cmd_top, cmd_diff, cmd_export, cmd_import, cmd_merge,
	cmd_symbolize, cmd_push, cmd_query, cmd_fleet, cmd_status, cmd_metrics, cmd_start,
	cmd_stop, cmd_reset, cmd_set, cmd_agent, cmd_events, cmd_doctor;

/* For installing flamectl; not in the list of commands. */
extern const struct command cmd_pages;

/* All commands except cmd_pages, in the order of help; NULL at the end. */
extern const struct command *const commands[];

#endif /* FLAMECTL_COMMAND_H */
