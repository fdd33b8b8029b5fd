/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a profile was made and on what machine: collected where it is recorded,
 * saved with it, and shown in titles and captions.
 */
#ifndef FLAMECTL_ORIGIN_H
#define FLAMECTL_ORIGIN_H

#include <stddef.h>

#include "profile/profile.h"

/* "6.1.0-42-amd64 on HOST" and what else a title or a caption has, amply */
#define ORIGIN_TEXT	1600

/* "2026-11-24 18:17:02 UTC" and a NUL */
#define ORIGIN_DATE	40

/**
 * origin_collect() - what this machine says about itself, and the command line
 * of this process. Nothing else of the environment is looked at.
 * @root: before every path; "" for this machine.
 */
void origin_collect(struct profile_origin *origin, const char *root);

/**
 * origin_command() - @argv, which ends with NULL, as one types it to a shell.
 * What is too long ends in an ellipsis.
 */
void origin_command(char text[PROFILE_COMMAND_MAX], char *const *argv);

/** origin_merge() - keep in @sum what @other says as well. */
void origin_merge(struct profile_origin *sum,
		  const struct profile_origin *other);

/**
 * origin_title() - what was recorded: "make -j4 on HOST, RELEASE, 2026-11-24".
 * @graph: what is drawn, "Kernel flame graph": begins the title where no
 *         command was recorded.
 *
 * Return: @text.
 */
const char *origin_title(char text[ORIGIN_TEXT], const struct profile *profile,
			 const char *graph);

/**
 * origin_machine() - "AMD EPYC 7B13, 16 CPUs, 62.8 GiB, x86_64".
 *
 * Return: @text, "" where nothing is known.
 */
const char *origin_machine(char text[ORIGIN_TEXT],
			   const struct profile_origin *origin);

/**
 * origin_date() - when the profile begins, in UTC. Return: @text, "" where that
 * is not known.
 */
const char *origin_date(char text[ORIGIN_DATE],
			const struct profile_meta *meta);

#endif /* FLAMECTL_ORIGIN_H */
