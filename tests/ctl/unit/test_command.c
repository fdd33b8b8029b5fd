// SPDX-License-Identifier: GPL-2.0
/*
 * Option tables: parsing with getopt, help, and errors. Each parse runs in a process of
 * its own, because errors end the process.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmd/command.h"
#include "cmd/habits.h"
#include "profile/settings.h"

static const struct command_option options[] = {
	[0] = { "output", 'o', "FILE", "write to FILE" },
	[1] = { "all", 'a', NULL, "everything" },
	[2] = { "almost", 0, NULL, "nearly everything" },
	[3] = { "a-very-long-option-name", 0, "VALUE", "beyond the column" },
	{ 0 }
};

static const struct command plain = {
	.name = "plain", .args = "FILE...", .summary = "a plain command",
	.details = "Details stand here.", .options = options,
};

static const struct command runner = {
	.name = "runner", .args = "[-- COMMAND...]", .summary = "runs another",
	.options = options,
};

static const struct command_option shared_options[] = {
	[0] = { "some", 's', NULL, "a part" },
	[1] = { "alike", 0, "WHAT", "what resembles it" },
	{ 0 }
};

static const struct command sharing = {
	.name = "sharing", .args = "", .summary = "has options of others",
	.options = options, .shared = shared_options,
};

static const struct command borrowing = {
	.name = "borrowing", .args = "", .summary = "has no other options",
	.shared = shared_options,
};

static const struct command bare = {
	.name = "bare", .summary = "takes nothing",
};

/* What was parsed, and what was printed on the way. */
struct outcome {
	char out[2048], err[2048];
	int code;
};

static void read_all(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got;

	while ((got = read(fd, text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	close(fd);
}

static const struct command_option *option_at(const struct command *command,
					      int position)
{
	if (position >= COMMAND_LIVE)
		return &command->live[position - COMMAND_LIVE];
	if (position >= COMMAND_READS)
		return &command->reads[position - COMMAND_READS];
	return position >= COMMAND_SHARED ?
	       &command->shared[position - COMMAND_SHARED] :
	       &command->options[position];
}

static int parse_all(const struct command *command, int argc, char **argv)
{
	const char *arg;
	int position;

	if (!command_option(command, 0))
		return command_no_operands(command, argc, argv);
	while (command_next(command, argc, argv, &position, &arg))
		printf("%s=%s;", option_at(command, position)->name,
		       arg ? arg : "");
	for (; optind < argc; optind++)
		printf("%s;", argv[optind]);
	return 0;
}

/* @line: the arguments, separated by spaces */
static struct outcome parse(const struct command *command, const char *line)
{
	char *argv[16] = { (char *)command->name }, *copy = strdup(line);
	char *next = NULL, *word;
	struct outcome outcome;
	int out[2], err[2], argc = 1, status;
	pid_t child;

	for (word = strtok_r(copy, " ", &next); word;
	     word = strtok_r(NULL, " ", &next))
		argv[argc++] = word;
	assert_int_equal(pipe(out) | pipe(err), 0);
	fflush(NULL);
	child = fork();
	if (!child) {
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		close(out[0]);
		close(err[0]);
		status = parse_all(command, argc, argv);
		fflush(NULL);
		_exit(status);
	}
	close(out[1]);
	close(err[1]);
	read_all(out[0], outcome.out, sizeof(outcome.out));
	read_all(err[0], outcome.err, sizeof(outcome.err));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	outcome.code = WEXITSTATUS(status);
	free(copy);
	return outcome;
}

static void expect_parsed(const struct command *command, const char *line,
			  const char *parsed)
{
	struct outcome outcome = parse(command, line);

	assert_string_equal(outcome.err, "");
	assert_string_equal(outcome.out, parsed);
	assert_int_equal(outcome.code, 0);
}

static void options_are_parsed_from_the_table(void **state)
{
	(void)state;
	expect_parsed(&plain, "", "");
	expect_parsed(&plain, "-o x -a", "output=x;all=;");
	expect_parsed(&plain, "-aox", "all=;output=x;");
	expect_parsed(&plain, "--output=x --almost", "output=x;almost=;");
	expect_parsed(&plain, "--output x", "output=x;");
	expect_parsed(&plain, "-o -", "output=-;");
	/* operands may stand between options, and -- ends those */
	expect_parsed(&plain, "f -a g", "all=;f;g;");
	expect_parsed(&plain, "-a -- -o", "all=;-o;");
}

static void arguments_after_a_command_are_the_commands(void **state)
{
	(void)state;
	expect_parsed(&runner, "-a ls -a -o", "all=;ls;-a;-o;");
	expect_parsed(&runner, "-a -- ls -a", "all=;ls;-a;");
}

static void shared_options_come_with_the_own(void **state)
{
	struct outcome outcome;

	(void)state;
	expect_parsed(&sharing, "--alike=x -sa --some -o y",
		      "alike=x;some=;all=;some=;output=y;");
	expect_parsed(&borrowing, "-s --ali x z", "some=;alike=x;z;");
	outcome = parse(&sharing, "--al x");
	assert_int_equal(outcome.code, EXIT_USAGE);
	outcome = parse(&sharing, "--alike");
	assert_memory_equal(outcome.err, "flamectl: --alike: WHAT is missing", 34);
	outcome = parse(&borrowing, "--help");
	assert_string_equal(outcome.out,
		"usage: flamectl borrowing [OPTION...]\n\n"
		"has no other options\n\n"
		"  -s, --some                a part\n"
		"      --alike WHAT          what resembles it\n"
		"  -h, --help                print this help\n");
}

static void expect_error(const struct command *command, const char *line,
			 const char *message)
{
	struct outcome outcome = parse(command, line);

	assert_int_equal(outcome.code, EXIT_USAGE);
	assert_string_equal(outcome.out, "");
	/* one line, then how to use it */
	assert_memory_equal(outcome.err, "flamectl: ", 10);
	assert_memory_equal(outcome.err + 10, message, strlen(message));
	assert_memory_equal(outcome.err + 10 + strlen(message),
			    "\nusage: flamectl ", 17);
}

static void errors_name_the_option(void **state)
{
	(void)state;
	expect_error(&plain, "-x", "unknown option -x");
	expect_error(&plain, "-xa", "unknown option -x");
	expect_error(&plain, "--nonsense",
		     "unknown option --nonsense");
	expect_error(&plain, "--al",
		     "ambiguous option --al: it may be --all or --almost");
	expect_error(&plain, "-o", "-o: FILE is missing");
	expect_error(&plain, "--output", "--output: FILE is missing");
	expect_error(&plain, "--all=x", "--all=x: this option takes no value");
	expect_error(&bare, "x", "bare takes no operand x");
	expect_error(&bare, "-x", "unknown option -x");
}

static void the_nearest_option_is_proposed(void **state)
{
	(void)state;
	expect_error(&plain, "--outptu=x",
		     "unknown option --outptu: did you mean --output?");
	expect_error(&sharing, "--somme", "unknown option --somme: did you mean --some?");
	expect_error(&plain, "--al_", "unknown option --al_: did you mean --all?");
	expect_error(&plain, "--zzz", "unknown option --zzz");
}

/* followed-only is for record, which sets it itself. */
static void settings_are_completed(void **state)
{
	const char *name;

	(void)state;
	for (unsigned int i = 1; (name = settings_name(i)); i++) {
		const char *found = strstr(cmd_set.names, name);

		assert_string_equal(cmd_start.names, cmd_set.names);
		if (!strcmp(name, "followed-only"))
			assert_null(found);
		else if (!found || !strchr(" ", found[strlen(name)]))
			fail_msg("%s is not completed", name);
	}
}

/* ---- habits ---- */

static const struct command *const all[] = {
	&cmd_record, &cmd_dump, &cmd_svg, &cmd_html, &cmd_heat, &cmd_report,
	&cmd_browse, &cmd_top, &cmd_diff, &cmd_export, &cmd_import, &cmd_merge,
	&cmd_status,
	&cmd_start, &cmd_stop, &cmd_reset, &cmd_set, &cmd_events, &cmd_doctor,
};

#define NR_COMMANDS	(sizeof(all) / sizeof(all[0]))

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	fail_msg("there is no command %s", name);
	return NULL;
}

/* A value to which the row applies. */
static const char *value_for(const struct habit *habit)
{
	static const char *const samples[] = {
		"cpu-clock", "sym", "max", "99", "fK", "overhead", "#ffffff",
		"graph", "chart", "normal", "icicle",
	};
	char pattern[64];

	if (habit->takes != HABIT_VALUE)
		return NULL;
	if (!habit->values)
		return "~odd";
	snprintf(pattern, sizeof(pattern), "%.*s",
		 (int)strcspn(habit->values, "|"), habit->values);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		if (!fnmatch(pattern, samples[i], 0))
			return samples[i];
	fail_msg("no sample is %s", pattern);
	return NULL;
}

static void expect_habit(const struct habit *habit,
			 const struct command *command, const char *typed)
{
	const char *value = value_for(habit), *fixed;
	char line[128], expected[640];
	struct outcome outcome;

	snprintf(line, sizeof(line), "%s%s%s", typed, value ? " " : "",
		 value ?: "");
	outcome = parse(command, line);
	if (habit->answer) {
		snprintf(expected, sizeof(expected), "flamectl: %s: %s\n", line,
			 habit->answer);
		assert_string_equal(outcome.err, expected);
		assert_string_equal(outcome.out, "");
		assert_int_equal(outcome.code, EXIT_USAGE);
		return;
	}
	fixed = strchr(habit->means, '=');
	if (!*habit->means)
		*expected = '\0';
	else if (!strcmp(habit->means, HABIT_OPERAND))
		snprintf(expected, sizeof(expected), "%s;", value);
	else if (fixed)
		snprintf(expected, sizeof(expected), "%s;", habit->means);
	else
		snprintf(expected, sizeof(expected), "%s=%s;", habit->means, value ?: "");
	assert_string_equal(outcome.err, "");
	/* a habit without a value gets none */
	if (strcmp(outcome.out, expected) && value && *habit->means && !fixed)
		snprintf(expected, sizeof(expected), "%s=;", habit->means);
	assert_string_equal(outcome.out, expected);
	assert_int_equal(outcome.code, 0);
}

static void every_habit_is_understood_or_answered(void **state)
{
	int nr = 0;

	(void)state;
	for (const struct habit *habit = habits_table(); habit->commands; habit++) {
		char names[128], typed[64], *next = NULL;

		assert_true(!habit->means != !habit->answer);
		strcpy(names, habit->commands);
		for (char *name = strtok_r(names, " ", &next); name;
		     name = strtok_r(NULL, " ", &next)) {
			if (habit->letter) {
				snprintf(typed, sizeof(typed), "-%c", habit->letter);
				expect_habit(habit, find(name), typed);
			}
			if (habit->name) {
				snprintf(typed, sizeof(typed), "--%s", habit->name);
				expect_habit(habit, find(name), typed);
			}
			nr++;
		}
	}
	assert_true(nr > 100);
}

static void habits_stand_among_our_options(void **state)
{
	(void)state;
	expect_parsed(&cmd_record, "-ae cpu-clock -- true -a",
		      "all-cpus=;event=cpu-clock;true;-a;");
	expect_parsed(&cmd_start, "-ae cpu-clock hz=1", "hz=1;");
	expect_parsed(&cmd_record, "-F 99 -ag sleep 10",
		      "frequency=99;all-cpus=;stacks=;sleep;10;");
	expect_parsed(&cmd_start, "-agF max hz=1", "frequency=max;hz=1;");
	expect_parsed(&cmd_record, "--freq 99", "frequency=99;");
	expect_parsed(&cmd_report, "--stdio -n x --sort=comm --flat y",
		      "by=comm;flat=;x;y;");
	/* a file to read is an operand, at any position */
	expect_parsed(&cmd_report, "-i x --flat", "flat=;x;");
	expect_parsed(&cmd_report, "--flat -nix --callers", "flat=;callers=;x;");
	expect_parsed(&cmd_report, "y --input=x --flat", "flat=;y;x;");
	/* a value that is optional before another option, and at the end */
	expect_parsed(&cmd_report, "-g --flat", "graph=tree;flat=;");
	expect_parsed(&cmd_report, "x -g", "graph=tree;x;");
	expect_parsed(&cmd_report, "-g folded x", "graph=folded;x;");
	/* a habit's name is not short for one of ours */
	expect_parsed(&cmd_svg, "--cp x", "palette=palette.map;x;");
	expect_parsed(&cmd_svg, "--cpu 3", "cpu=3;");
	/* a tool's option is a habit only in the commands that replace the tool */
	expect_error(&cmd_doctor, "-a", "unknown option -a");
	expect_error(&cmd_status, "--stdio", "unknown option --stdio");
	expect_error(&cmd_report, "--sort", "--sort: its value is missing");
	expect_error(&cmd_svg, "--cp=x", "--cp=x: this option takes no value");
}

static void help_is_printed_from_the_table(void **state)
{
	struct outcome outcome = parse(&plain, "-a --help -x");

	(void)state;
	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.err, "");
	assert_string_equal(outcome.out,
		"all=;usage: flamectl plain [OPTION...] FILE...\n\n"
		"a plain command\n\n"
		"  -o, --output FILE         write to FILE\n"
		"  -a, --all                 everything\n"
		"      --almost              nearly everything\n"
		"      --a-very-long-option-name VALUE\n"
		"                            beyond the column\n"
		"  -h, --help                print this help\n\n"
		"Details stand here.\n");
	outcome = parse(&bare, "--help");
	assert_string_equal(outcome.out,
		"usage: flamectl bare\n\ntakes nothing\n\n"
		"  -h, --help                print this help\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_parsed_from_the_table),
		cmocka_unit_test(arguments_after_a_command_are_the_commands),
		cmocka_unit_test(shared_options_come_with_the_own),
		cmocka_unit_test(errors_name_the_option),
		cmocka_unit_test(the_nearest_option_is_proposed),
		cmocka_unit_test(settings_are_completed),
		cmocka_unit_test(every_habit_is_understood_or_answered),
		cmocka_unit_test(habits_stand_among_our_options),
		cmocka_unit_test(help_is_printed_from_the_table),
	};

	return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
