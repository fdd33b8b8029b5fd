/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of comments that say how many intervals or hits an event has: see pprof.h.
 */
#ifndef FLAMECTL_PPROF_INTERVALS_H
#define FLAMECTL_PPROF_INTERVALS_H

#include <stdbool.h>

#include "profile/intervals.h"

/* Room for the words, and a NUL: 80 of up to 46 characters. */
#define PPROF_INTERVALS_TEXT	4096

/**
 * pprof_intervals_text() - write "intervals=N below=N ..."; values of 0 are left out.
 *
 * Return: @text; "" if @intervals is of no such event.
 */
const char *pprof_intervals_text(char text[PPROF_INTERVALS_TEXT],
				 const struct profile_intervals *intervals);

/**
 * pprof_intervals_word() - read one of these words.
 * @word: "KEY=NUMBER"
 *
 * Return: 1, 0 if it is another word, or -EINVAL for a bad number.
 */
int pprof_intervals_word(struct profile_intervals *intervals, const char *word);

#endif /* FLAMECTL_PPROF_INTERVALS_H */
