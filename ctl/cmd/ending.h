/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endings of output files' names. A name such as x.svg says which format the user
 * wants. If a command writes another format, it refuses the name, and its message
 * names the command that writes that format. One table serves all commands.
 */
#ifndef FLAMECTL_ENDING_H
#define FLAMECTL_ENDING_H

/* What a command writes. */
enum ending_written {
	ENDING_GRAPH,		/* an SVG file */
	ENDING_PAGE,
	ENDING_PROFILE,
	ENDING_FOLDED,
	ENDING_TEXT,		/* for people */
	ENDING_SPEEDSCOPE,
	ENDING_FIREFOX,
	ENDING_CALLGRIND,
	ENDING_JSONL,
	ENDING_METRICS,
};

/**
 * ending_check() - check that a file of this name may be one of @written. A name
 * without an ending in the table is fine.
 * @path: as in output_open(); NULL and "-" are fine.
 *
 * Prints the error. Return: EXIT_DONE or EXIT_USAGE.
 */
int ending_check(const char *path, enum ending_written written);

#endif /* FLAMECTL_ENDING_H */
