/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What users of perf, FlameGraph and bcc type by habit.
 *
 * Where an option of theirs means what flamectl does, or what one of its own
 * options does, it is understood. Otherwise it is answered with one line that
 * says what to type instead. All of that is one table; a command's own options
 * come first, so a row is only used where the command has no such option, or
 * for the values that the row names.
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
	HABIT_MAY_LACK_VALUE,	/* the command's own option; means has the default */
};

struct habit {
	const char *commands;	/* their names, separated by spaces */
	char letter;		/* 0 for none */
	const char *name;	/* long name without "--", NULL for none */
	enum habit_value takes;
	const char *values;	/* fnmatch() patterns separated by '|', NULL: any */
	/*
	 * "": what is done anyway; "option": that option of ours, with the
	 * value given; "option=value": with that one; HABIT_OPERAND: the value
	 * is an operand. NULL: not understood.
	 */
	const char *means;
	const char *answer;	/* what to type instead, where means is NULL */
};

#define HABIT_OPERAND	"operand"

/**
 * habit_of_letter() - the row for an option by its letter.
 * @value: NULL where none is known yet: the first row that has the letter.
 *
 * Return: the row, or NULL.
 */
const struct habit *habit_of_letter(const struct command *command, char letter,
				    const char *value);

/**
 * habit_of_name() - the same by its long name, of which @length bytes are.
 */
const struct habit *habit_of_name(const struct command *command,
				  const char *name, size_t length,
				  const char *value);

/**
 * habit_letters() - the letters that rows for @command have, in getopt's form,
 * without those in @own.
 * @letters: at least HABIT_LETTERS bytes.
 */
#define HABIT_LETTERS	(3 * 64)
void habit_letters(const struct command *command, const char *own,
		   char letters[HABIT_LETTERS]);

/**
 * habit_shadows() - a long name of a row for @command that starts @name, an
 * option of ours, and would pass for its abbreviation; or NULL.
 */
const struct habit *habit_shadows(const struct command *command,
				  const char *name);

/**
 * habit_command() - what to type instead of a command of another tool, or NULL.
 */
const char *habit_command(const char *name);

/** habits_print() - all of it as tables in Markdown. */
void habits_print(FILE *out);

/** habits_table() - the rows, for tests; ends with a zeroed one. */
const struct habit *habits_table(void);

#endif /* FLAMECTL_HABITS_H */
