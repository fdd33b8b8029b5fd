/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Habits: options that users of perf, FlameGraph and bcc type by habit.
 *
 * If such an option means what flamectl does anyway, or what one of its own
 * options does, it is accepted. Otherwise one line says what to type instead.
 * All of them are in one table. A command's own options take precedence: a row
 * is used only if the command has no such option, or for the values that the
 * row names.
 */
#ifndef FLAMECTL_HABITS_H
#define FLAMECTL_HABITS_H

#include <stdbool.h>
#include <stdio.h>

#include "cmd/command.h"

/* Whether a value follows the option. */
enum habit_value {
	HABIT_NO_VALUE,
	HABIT_VALUE,
	HABIT_MAY_LACK_VALUE,	/* own option; @means has the default */
};

struct habit {
	const char *commands;	/* our commands, separated by spaces */
	char letter;		/* 0 for none */
	const char *name;	/* long name without "--", NULL for none */
	enum habit_value takes;
	const char *values;	/* fnmatch() patterns separated by '|', NULL: any */
	/*
	 * "": done anyway, ignored; "option": our option, with the value given;
	 * "option=value": our option with this value; HABIT_OPERAND: the value
	 * is an operand; NULL: refused, with @answer.
	 */
	const char *means;
	const char *answer;	/* what to type instead, if @means is NULL */
};

#define HABIT_OPERAND	"operand"

/**
 * habit_of_letter() - find the row for an option by its letter.
 * @value: the option's value; NULL if not known yet: take the first row of that
 *         letter.
 *
 * Return: the row, or NULL.
 */
const struct habit *habit_of_letter(const struct command *command, char letter,
				    const char *value);

/**
 * habit_of_name() - find the row by its long name of @length bytes.
 */
const struct habit *habit_of_name(const struct command *command,
				  const char *name, size_t length,
				  const char *value);

/**
 * habit_letters() - list the letters of the rows for @command, in getopt's
 * form, without those in @own.
 * @letters: at least HABIT_LETTERS bytes.
 */
#define HABIT_LETTERS	(3 * 64)
void habit_letters(const struct command *command, const char *own,
		   char letters[HABIT_LETTERS]);

/**
 * habit_shadows() - find a row for @command whose long name would be taken for
 * an abbreviation of @name, an option of ours. Return: the row, or NULL.
 */
const struct habit *habit_shadows(const struct command *command,
				  const char *name);

/**
 * habit_command() - return what to type instead of another tool's command, or
 * NULL.
 */
const char *habit_command(const char *name);

/** habits_print() - print the whole table as tables in Markdown. */
void habits_print(FILE *out);

/** habits_table() - return the rows, for tests; the last one is all zero. */
const struct habit *habits_table(void);

#endif /* FLAMECTL_HABITS_H */
