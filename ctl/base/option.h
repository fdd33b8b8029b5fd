/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One option of the command line, as tables have it. Files that read or select
 * have a table of what can be asked of them; commands parse and print it.
 */
#ifndef FLAMECTL_OPTION_H
#define FLAMECTL_OPTION_H

/* One option; a table ends with a zeroed entry. */
struct command_option {
	const char *name;	/* long name, without "--" */
	char letter;		/* short name, 0 for none */
	const char *arg;	/* the argument's name, NULL for none */
	const char *help;	/* one line, lower case, no full stop */
	const char *values;	/* "one of these", "some,of,these", or NULL: any */
};

#endif /* FLAMECTL_OPTION_H */
