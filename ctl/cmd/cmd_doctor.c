// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl doctor: check why sampling does not work on this machine. Prints one
 * line per point.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "cmd/command.h"
#include "cmd/doctor.h"

static void print(void *data, enum doctor_level level, const char *topic,
		  const char *text)
{
	static const char *const levels[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_WARN] = "warn",
		[DOCTOR_FAIL] = "FAIL",
	};

	(void)data;
	printf("%-4s  %-11s  ", levels[level], topic);
	utf8_print(text, stdout);	/* it quotes files with any content */
	putchar('\n');
}

static int run(const struct command *command, int argc, char **argv)
{
	struct doctor doctor = {
		/* tests let doctor look at a directory instead of this machine */
		.root = getenv("FLAMECTL_ROOT") ?: "",
		.report = print,
	};
	int code = command_no_operands(command, argc, argv);

	return code ?: command_printed(doctor_run(&doctor));
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "check whether sampling works here, and if not, why",
	.details =
"Prints a line for each check, starting with ok, warn or FAIL, with what to do\n"
"about it. The exit code is 0 if sampling can work, 3 if the module is not loaded\n"
"or may not be used, 1 if something else prevents sampling.",
	.run = run,
};
