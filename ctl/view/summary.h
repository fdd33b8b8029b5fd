/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The summary that is printed after a recording: how long it was, how many
 * periods it has, and which of them were filtered or lost and why.
 */
#ifndef FLAMECTL_SUMMARY_H
#define FLAMECTL_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

#include "profile/profile.h"

/* Room for the longest list of CPUs and all other settings. */
#define SUMMARY_FILTER_MAX	1536

/**
 * summary_filter() - write the settings that filter periods, in the form of
 * flamectl set: "pids=42 kernel-only=1"; "" if there are none.
 */
void summary_filter(const struct profile_settings *settings, char *text,
		    size_t size);

/**
 * summary_write() - write one line with the books, the counts of what became of
 * each timer period, and one line of advice for each reason that lost periods,
 * if there is any.
 * @before_command: how many of the filtered periods are those of flamectl's own process
 *		    before it ran the command.
 * @path: where the profile was saved, "-" for stdout.
 */
void summary_write(const struct profile *profile, uint64_t before_command, const char *path,
		   FILE *out);

/**
 * summary_event() - write one line with the books of an event, and one line of advice if it
 * lost something and a change helps.
 */
void summary_event(const struct profile *profile, FILE *out);

#endif /* FLAMECTL_SUMMARY_H */
