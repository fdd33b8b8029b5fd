/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a recording says when it has been saved: how long, how many periods,
 * which of them were filtered or lost and why.
 */
#ifndef FLAMECTL_SUMMARY_H
#define FLAMECTL_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

#include "profile/profile.h"
#include "view/remedy.h"

/* For the longest list of CPUs and all other settings. */
#define SUMMARY_FILTER_MAX	1536

/**
 * summary_filter() - the settings that leave periods out, as flamectl set takes
 * them: "pids=42 kernel-only=1"; "" where none does.
 */
void summary_filter(const struct profile_settings *settings, char *text,
		    size_t size);

/**
 * summary_write() - one line of the books, and one for each reason that lost
 * periods and that something helps against.
 * @path: where it was saved, "-" for stdout.
 * @limits: of the module that took the profile.
 */
void summary_write(const struct profile *profile, const char *path,
		   const struct remedy_limits *limits, FILE *out);

#endif /* FLAMECTL_SUMMARY_H */
