// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl: run the command named by the first argument. Each command is
 * described in its own file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/broken_pipe.h"
#include "base/nearest.h"
#include "cmd/command.h"
#include "cmd/habits.h"

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return strcmp(cmd_pages.name, name) ? NULL : &cmd_pages;
}

/* Refuse an unknown command, and say what to type instead if that is known. */
static int refuse_command(const char *name)
{
	const char *answer = habit_command(name);
	struct nearest nearest = { .word = name };
	size_t i;

	if (answer)
		return command_fail(EXIT_USAGE, "there is no command %s: %s",
				    name, answer);
	for (i = 0; commands[i]; i++)
		nearest_try(&nearest, commands[i]->name);
	if (nearest_word(&nearest))
		return command_usage(NULL, "there is no command %s: did you mean %s?",
				     name, nearest_word(&nearest));
	return command_usage(NULL, "there is no command %s", name);
}

static void print_help(FILE *out)
{
	size_t i;

	fputs("usage: flamectl COMMAND [OPTION...]\n"
	      "       flamectl help [COMMAND]\n"
	      "       flamectl --version\n\n"
	      "flamectl shows where the kernel's time goes, as sampled by the flamemod module.\n\n",
	      out);
	for (i = 0; commands[i]; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name,
			commands[i]->summary);
	fputs("\nexit codes: 0 success, 1 failure, 2 wrong usage, 3 module not loaded or not permitted\n",
	      out);
}

static int help(int argc, char **argv)
{
	const struct command *command;
	const char *name = argv[0];

	if (argc > 1)
		return command_usage(NULL, "help takes one command, and \"%s\" is one too many",
				     argv[1]);
	if (!name) {
		print_help(stdout);
		return command_printed(EXIT_DONE);
	}
	command = find_command(name);
	if (!command)
		return refuse_command(name);
	command_help(command);
	return command_printed(EXIT_DONE);
}

/*
 * Fill closed standard streams. Otherwise a file opened later would take their
 * number and be read or overwritten by mistake. Each one is opened for the
 * wrong direction, so that using it is an error.
 */
static int fill_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return -1;
	return 0;
}

static void on_file_limit(int number)
{
	(void)number;
}

/*
 * Let writes fail with an error, instead of a signal that kills, if a file
 * reaches its size limit or if the reader of stdout is gone, so that cleanup
 * can run.
 */
static void expect_errors(void)
{
	broken_pipe_expect();
	/* a handler, not SIG_IGN: programs that are run do not inherit it */
	if (signal(SIGXFSZ, on_file_limit) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
}

static int run(int argc, char **argv)
{
	const struct command *command;
	const char *name = argv[1];

	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(name, "help") || !strcmp(name, "--help") ||
	    !strcmp(name, "-h"))
		return help(argc - 2, argv + 2);
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		puts("flamectl " FLAMECTL_VERSION);
		return command_printed(EXIT_DONE);
	}
	if (*name == '-')
		return command_usage(NULL, "there is no option %s before the command: options follow the command, as in flamectl record -F 997",
				     name);
	command = find_command(name);
	if (!command)
		return refuse_command(name);
	return command->run(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int code;

	if (fill_streams())
		return EXIT_FAILED;
	expect_errors();
	code = run(argc, argv);
	if (code && broken_pipe_seen())
		broken_pipe_die();
	return code;
}
