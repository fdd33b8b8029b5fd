/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One command-line option, as an entry of a table: of a command, or of several
 * (shared_options.h). Commands parse and print these tables.
 */
#ifndef FLAMECTL_OPTION_H
#define FLAMECTL_OPTION_H

/* One option; a table ends with a zeroed entry. */
struct command_option {
	const char *name;	/* long name, without "--" */
	char letter;		/* short name, 0 for none */
	const char *arg;	/* the argument's name, NULL if it takes none */
	const char *help;	/* one line, lower case, no full stop */
	const char *values;	/* "one of these", "some,of,these", or NULL: any */
};

#endif /* FLAMECTL_OPTION_H */
