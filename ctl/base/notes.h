/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader has to say of an input that it did read: lines that it left
 * out, events that it did not take. Library files do not print; the command
 * prints these to stderr when it has the input.
 */
#ifndef FLAMECTL_NOTES_H
#define FLAMECTL_NOTES_H

/* More than this of all files together are counted, not kept. */
#define NOTES_MAX	16

struct notes {
	char text[NOTES_MAX][512];	/* "FILE: ...", without a newline */
	unsigned int nr;		/* may be more than NOTES_MAX */
	const char *file;		/* of the notes to come, or NULL */
};

/** notes_add() - one note more, of the current file. @notes: may be NULL. */
void notes_add(struct notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* FLAMECTL_NOTES_H */
