// SPDX-License-Identifier: GPL-2.0
/*
 * Parse options of commands, by getopt_long() from their tables: see command.h.
 * An option that getopt_long() does not know is looked up in the habits
 * (options of other tools: habits.h); if it is not there, the error explains
 * it.
 */
#include "cmd/command.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/broken_pipe.h"
#include "base/nearest.h"
#include "cmd/habits.h"

/* getopt's value for option N is OPTION_FIRST + N, above any character. */
#define OPTION_HELP	256
#define OPTION_HABIT	257
#define OPTION_FIRST	258

/*
 * Report whether a command runs a program, which gets all after the first
 * operand.
 */
static bool runs_command(const struct command *command)
{
	return command->args && strstr(command->args, "--");
}

/* The tables for getopt_long(), made from a command's table and habits. */
struct getopt_tables {
	struct option longs[2 * COMMAND_OPTIONS_MAX + 2];
	char shorts[4 + 2 * COMMAND_OPTIONS_MAX + HABIT_LETTERS];
};

/* Add names of habits that would be taken for abbreviations of our options. */
static int add_shadows(const struct command *command, struct option *longs)
{
	const struct command_option *option;
	const struct habit *habit;
	int nr = 0;

	for (int i = 0; (option = command_option(command, i)); i++) {
		habit = habit_shadows(command, option->name);
		if (habit && (!nr || strcmp(longs[nr - 1].name, habit->name)))
			longs[nr++] = (struct option){
				.name = habit->name, .val = OPTION_HABIT,
				.has_arg = habit->takes == HABIT_VALUE ?
					   required_argument : no_argument,
			};
	}
	return nr;
}

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
	i += add_shadows(command, tables->longs + i);
	tables->longs[i].name = "help";
	tables->longs[i].val = OPTION_HELP;
	*to = COMMAND_HELP_LETTER;
	habit_letters(command, tables->shorts, to + 1);
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
	int i;

	for (i = 0; command->options && command->options[i].name; i++)
		if (option == &command->options[i])
			return i;
	for (i = 0; command->shared && command->shared[i].name; i++)
		if (option == &command->shared[i])
			return COMMAND_SHARED + i;
	for (i = 0; command->reads && command->reads[i].name; i++)
		if (option == &command->reads[i])
			return COMMAND_READS + i;
	return COMMAND_LIVE + (int)(option - command->live);
}

/* ---- what is not ours ---- */

/*
 * List the options that start with @word: "--a, --b or --c". Return: how many.
 */
static int list_candidates(const struct command *command, const char *word,
			   size_t length, char *text, size_t size)
{
	const struct command_option *option;
	const char *last = NULL;
	size_t used = 0;
	int nr = 0;

	*text = '\0';
	for (int i = 0; (option = command_option(command, i)); i++) {
		if (strncmp(option->name, word, length))
			continue;
		if (last && used < size)
			used += (size_t)snprintf(text + used, size - used,
						 "%s--%s", nr > 1 ? ", " : "",
						 last);
		last = option->name;
		nr++;
	}
	if (last && used < size)
		snprintf(text + used, size - used, "%s--%s",
			 nr > 1 ? " or " : "", last);
	return nr;
}

/* @given: "--name" or "--name=value" */
static int explain_name(const struct command *command, const char *given)
{
	size_t length = strcspn(given, "=");
	const struct command_option *option;
	char candidates[512], word[64];
	struct nearest nearest = { .word = word };

	snprintf(word, sizeof(word), "%.*s", (int)length - 2, given + 2);
	if (list_candidates(command, given + 2, length - 2, candidates,
			    sizeof(candidates)) > 1)
		return command_usage(command, "ambiguous option --%s: it may be %s",
				     word, candidates);
	for (int i = 0; (option = command_option(command, i)); i++)
		nearest_try(&nearest, option->name);
	if (nearest_word(&nearest))
		return command_usage(command, "unknown option --%s: did you mean --%s?",
				     word, nearest_word(&nearest));
	return command_usage(command, "unknown option --%s", word);
}

/* @given: the word that getopt_long() stopped at */
static int explain(const struct command *command, int found, const char *given)
{
	const struct command_option *option = find_option(command, optopt);
	bool is_long = optopt >= OPTION_HELP;

	if (found == ':' && option && is_long)
		return command_usage(command, "--%s: %s is missing",
				     option->name, option->arg);
	if (found == ':' && is_long)
		return command_usage(command, "%s: its value is missing", given);
	if (found == ':')
		return command_usage(command, "-%c: %s is missing", optopt,
				     option ? option->arg : "its value");
	if (is_long)
		return command_usage(command, "%s: this option takes no value",
				     given);
	return command_usage(command, "unknown option -%c", optopt);
}

/* ---- habits ---- */

/* An option as it was typed, and what follows it. */
struct typed {
	const struct command_option *option;	/* ours, or NULL */
	const char *name;		/* its long name, or NULL */
	size_t length;			/* of @name */
	char letter;			/* its letter, or 0 */
	const char *value;
};

static bool may_lack(const struct habit *habit)
{
	return habit->takes == HABIT_MAY_LACK_VALUE;
}

/*
 * Move the word that was read last to the end, where it is found as an operand
 * after all options.
 */
static void put_last(int argc, char **argv, char *operand)
{
	optind--;
	memmove(argv + optind, argv + optind + 1,
		(size_t)(argc - optind - 1) * sizeof(*argv));
	argv[argc - 1] = operand;
}

static const struct habit *find_habit(const struct command *command,
				      const struct typed *typed)
{
	const char *value = typed->value ?: "";

	return typed->name ?
	       habit_of_name(command, typed->name, typed->length, value) :
	       habit_of_letter(command, typed->letter, value);
}

static int answer(const struct habit *habit, const struct typed *typed)
{
	const char *value = typed->value, *name = typed->name;

	if (typed->letter)
		return command_fail(EXIT_USAGE, "-%c%s%s: %s", typed->letter,
				    value ? " " : "", value ?: "", habit->answer);
	return command_fail(EXIT_USAGE, "--%.*s%s%s: %s", (int)typed->length,
			    name, value ? " " : "", value ?: "",
			    habit->answer);
}

/* Find our option that means the same as @habit, and set @value to its value. */
static const struct command_option *
meant_option(const struct command *command, const struct habit *habit,
	     const char **value)
{
	size_t length = strcspn(habit->means, "=");
	const struct command_option *option;

	if (habit->means[length])
		*value = habit->means + length + 1;
	for (int i = 0; (option = command_option(command, i)); i++)
		if (strlen(option->name) == length &&
		    !memcmp(option->name, habit->means, length))
			break;
	if (option && !option->arg)
		*value = NULL;
	return option;
}

/*
 * Look up a habit for @typed; if it is refused, print the answer.
 * Return: whether the command has an option to handle.
 */
static bool heed(const struct command *command, int argc, char **argv,
		 struct typed *typed)
{
	const struct habit *habit = find_habit(command, typed);

	if (typed->option && (!habit || !(habit->values || may_lack(habit))))
		return true;
	if (!habit && typed->letter)
		exit(command_usage(command, "unknown option -%c",
				   typed->letter));
	if (!habit)
		exit(explain_name(command, argv[optind - 1]));
	if (!habit->means)
		exit(answer(habit, typed));
	if (may_lack(habit) && typed->value)
		return true;
	if (!strcmp(habit->means, HABIT_OPERAND)) {
		put_last(argc, argv, (char *)typed->value);
		return false;
	}
	typed->option = meant_option(command, habit, &typed->value);
	return typed->option;
}

/* Handle a long option unknown to getopt_long(); its value is the next word. */
static bool heed_name(const struct command *command, int argc, char **argv,
		      struct typed *typed)
{
	const char *given = argv[optind - 1] + 2;
	const struct habit *habit;

	typed->name = given;
	typed->length = strcspn(given, "=");
	habit = habit_of_name(command, given, typed->length, NULL);
	if (!habit)
		exit(explain_name(command, argv[optind - 1]));
	if (given[typed->length])
		typed->value = given + typed->length + 1;
	else if (habit->takes == HABIT_VALUE && optind < argc)
		typed->value = argv[optind++];
	else if (habit->takes == HABIT_VALUE)
		exit(command_usage(command, "--%s: its value is missing", given));
	return heed(command, argc, argv, typed);
}

/*
 * Report whether our option has no value where habit allows to omit it: no word
 * follows, or another option follows.
 */
static bool lacks_value(const struct command *command, int found, char **argv)
{
	const struct command_option *option =
		find_option(command, found == ':' ? optopt : found);
	const struct habit *habit = !option ? NULL :
		habit_of_name(command, option->name, strlen(option->name), NULL);

	if (!habit || !may_lack(habit))
		return false;
	if (found == ':')
		return true;
	if (optarg != argv[optind - 1] || optarg[0] != '-' || !optarg[1])
		return false;
	optind--;
	return true;
}

static void print_help_and_exit(const struct command *command)
{
	int code;

	command_help(command);
	code = command_printed(EXIT_DONE);
	if (code && broken_pipe_seen())
		broken_pipe_die();
	exit(code);
}

/* @name: a long option that is not ours, or NULL */
static bool heed_found(const struct command *command, int argc, char **argv,
		       int found, const char *name, struct typed *typed)
{
	typed->option = find_option(command, found);
	if (typed->option)
		name = typed->option->name;
	typed->letter = found < OPTION_HELP ? (char)found : 0;
	typed->name = name;
	typed->length = name ? strlen(name) : 0;
	typed->value = optarg;
	return heed(command, argc, argv, typed);
}

/*
 * Parse one option. Return: 1, 0 at the end, or -1 if nothing is left to
 * handle.
 */
static int next(const struct command *command, int argc, char **argv,
		const struct getopt_tables *tables, struct typed *typed)
{
	int index = 0, found;
	bool is_some;

	memset(typed, 0, sizeof(*typed));
	found = getopt_long(argc, argv, tables->shorts, tables->longs, &index);
	if (found == -1)
		return 0;
	if (found == OPTION_HELP || found == COMMAND_HELP_LETTER)
		print_help_and_exit(command);
	if (lacks_value(command, found, argv)) {
		optarg = NULL;
		is_some = heed_found(command, argc, argv,
				     found == ':' ? optopt : found, NULL, typed);
	} else if (found == '?' && !optopt) {
		is_some = heed_name(command, argc, argv, typed);
	} else if (found == '?' || found == ':') {
		exit(explain(command, found, argv[optind - 1]));
	} else {
		is_some = heed_found(command, argc, argv, found,
				     found == OPTION_HABIT ?
				     tables->longs[index].name : NULL, typed);
	}
	return is_some ? 1 : -1;
}

int command_next(const struct command *command, int argc, char **argv,
		 int *position, const char **arg)
{
	struct getopt_tables tables;
	struct typed typed;
	int got;

	make_tables(command, &tables);
	opterr = 0;
	do
		got = next(command, argc, argv, &tables, &typed);
	while (got < 0);
	if (!got)
		return 0;
	*position = position_of(command, typed.option);
	*arg = typed.value;
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
