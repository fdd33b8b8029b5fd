/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The origin of a profile: how it was made and on what machine. It is collected
 * while recording, saved with the profile, and shown in titles and captions.
 */
#ifndef FLAMECTL_ORIGIN_H
#define FLAMECTL_ORIGIN_H

#include <stddef.h>

#include "profile/profile.h"

/*
 * Ample room for a title or caption, such as "6.1.0-42-amd64 on HOST" and more.
 */
#define ORIGIN_TEXT	1600

/* "2026-11-24 18:17:02 UTC" and a NUL */
#define ORIGIN_DATE	40

/**
 * origin_collect() - collect facts about this machine, and the command line of
 * this process. Nothing else of the environment is read.
 * @origin: to be filled.
 * @root: prefix of every path; "" for this machine.
 */
void origin_collect(struct profile_origin *origin, const char *root);

/**
 * origin_command() - write @argv, which ends with NULL, as it is typed in a
 * shell. A text that is too long ends in an ellipsis.
 */
void origin_command(char text[PROFILE_COMMAND_MAX], char *const *argv);

/** origin_merge() - keep in @sum only what is the same in @other. */
void origin_merge(struct profile_origin *sum,
		  const struct profile_origin *other);

/* "cache-misses flame graph" and a NUL */
#define ORIGIN_GRAPH	(PROFILE_EVENT_MAX + 32)

/**
 * origin_graph() - what is drawn, for origin_title(): "cache-misses flame graph",
 * "Kernel flame graph", or "Flame graph" of text of which nobody knows more.
 * @profile: NULL: of text that is none.
 * @graph: "flame graph"
 * @is_text: it is nothing that says who sampled it.
 *
 * Return: @text.
 */
const char *origin_graph(char text[ORIGIN_GRAPH], const struct profile *profile,
			 const char *graph, bool is_text);

/**
 * origin_title() - write what was recorded: "make -j4 on HOST, RELEASE,
 * 2026-11-24".
 * @graph: what is drawn, "Kernel flame graph": starts the title if no command
 *         was recorded.
 *
 * Return: @text.
 */
const char *origin_title(char text[ORIGIN_TEXT], const struct profile *profile,
			 const char *graph);

/**
 * origin_machine() - write "AMD EPYC 7B13, 16 CPUs, 62.8 GiB, x86_64".
 *
 * Return: @text, "" if nothing is known.
 */
const char *origin_machine(char text[ORIGIN_TEXT],
			   const struct profile_origin *origin);

/**
 * origin_nr_cpus() - return how many CPUs were sampled. In a sum of windows of an agent, which
 * have the books of all CPUs as those of one, and of recordings, it is the larger number.
 */
uint32_t origin_nr_cpus(const struct profile *profile);

/* "14 of 16 CPUs" and a NUL, of numbers of any size */
#define ORIGIN_CPUS	64

/**
 * origin_cpus() - write how many CPUs were sampled: "16 CPUs", or "14 of 16 CPUs"
 * where the machine had more.
 *
 * Return: @text.
 */
const char *origin_cpus(char text[ORIGIN_CPUS], const struct profile *profile);

/**
 * origin_time() - write a time of CLOCK_REALTIME in UTC. Return: @text, "" for times
 * before 1970.
 */
const char *origin_time(char text[ORIGIN_DATE], int64_t time_ns);

/**
 * origin_date() - write when the profile starts, in UTC. Return: @text, "" if
 * that is not known.
 */
const char *origin_date(char text[ORIGIN_DATE],
			const struct profile_meta *meta);

#endif /* FLAMECTL_ORIGIN_H */
