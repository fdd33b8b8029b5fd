// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl pages: print manual pages, completions and more from the tables of
 * commands. It is for makefiles and packages and is not listed in help.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cmd/command.h"
#include "cmd/habits.h"
#include "cmd/pages.h"

/*
 * Print the tables, for comparison: command, option, letter, argument, help,
 * values.
 */
static void print_table(void)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command_option *option;

		printf("%s\t\t\t%s\t%s\t%s\n", commands[i]->name,
		       commands[i]->args ?: "", commands[i]->summary,
		       commands[i]->names ?: "");
		for (int at = 0; (option = command_option(commands[i], at)); at++)
			printf("%s\t%s\t%.1s\t%s\t%s\t%s\n", commands[i]->name,
			       option->name, (char[]) { option->letter, '\0' },
			       option->arg ?: "", option->help,
			       option->values ?: "");
	}
}

/*
 * Date the page today, or by SOURCE_DATE_EPOCH so that builds are reproducible.
 */
static int print_man(const struct command *command, const char *name)
{
	const char *given = getenv("SOURCE_DATE_EPOCH");
	const struct command *page = NULL;
	struct error error;
	uint64_t date = time(NULL);

	if (given && number_parse(given, 0, UINT32_MAX, &date, &error))
		return command_fail(EXIT_FAILED, "cannot take the date of SOURCE_DATE_EPOCH: %s",
				    error.text);
	for (size_t i = 0; commands[i] && name; i++)
		if (!strcmp(commands[i]->name, name))
			page = commands[i];
	if (name && !page)
		return command_usage(command, "there is no command %s", name);
	pages_man(page, commands, date, stdout);
	return command_printed(EXIT_DONE);
}

static int run(const struct command *command, int argc, char **argv)
{
	const char *arg, *what, *name;
	int position;

	while (command_next(command, argc, argv, &position, &arg))
		continue;
	what = optind < argc ? argv[optind] : "";
	name = optind + 1 < argc ? argv[optind + 1] : NULL;
	if (!strcmp(what, "man"))
		return print_man(command, name);
	if (!strcmp(what, "bash"))
		pages_bash(commands, stdout);
	else if (!strcmp(what, "zsh"))
		pages_zsh(commands, stdout);
	else if (!strcmp(what, "fish"))
		pages_fish(commands, stdout);
	else if (!strcmp(what, "table"))
		print_table();
	else if (!strcmp(what, "habits"))
		habits_print(stdout);
	else
		return command_usage(command, "pages needs what to print: man, bash, zsh, fish, table or habits");
	return command_printed(EXIT_DONE);
}

const struct command cmd_pages = {
	.name = "pages",
	.args = "man [COMMAND]|bash|zsh|fish|table|habits",
	.summary = "print a manual page, a shell's completion, the tables behind them, or the accepted options of other tools",
	.run = run,
};
