/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notes: remarks of a reader about an input that it did read, such as lines or
 * events that it left out. Library files do not print; the command prints the
 * notes to stderr after it has read the input.
 */
#ifndef FLAMECTL_NOTES_H
#define FLAMECTL_NOTES_H

/* Notes kept, for all files together; any more are only counted. */
#define NOTES_MAX	16

struct notes {
	char text[NOTES_MAX][512];	/* "FILE: ...", without a newline */
	unsigned int nr;		/* may be more than NOTES_MAX */
	const char *file;		/* that new notes are about, or NULL */
};

/** notes_add() - add a note about the current file. @notes: may be NULL. */
void notes_add(struct notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* FLAMECTL_NOTES_H */
