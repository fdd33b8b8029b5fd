/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A window: what was sampled on this machine between two instants, as a file of the
 * spool. Its name has all that tells it from others, so that a list of names shows
 * whether one is missing.
 */
#ifndef FLAMECTL_AGENT_WINDOW_H
#define FLAMECTL_AGENT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* /proc/sys/kernel/random/boot_id without its "-", and a NUL */
#define WINDOW_BOOT	33

/* Room for the longest name, and a NUL. */
#define WINDOW_NAME	192

#define WINDOW_ENDING	".pb.gz"

struct window {
	/* windows are numbered from 1; one that several were merged to has all theirs */
	uint64_t first, last;
	char boot[WINDOW_BOOT];		/* hexadecimal */
	uint32_t epoch;			/* the module's */
	uint64_t begin_ns, end_ns;	/* CLOCK_MONOTONIC of that boot */
	uint64_t periods;		/* fires + missed in its books */
};

/** window_name() - write the file's name. Return: @name. */
const char *window_name(const struct window *window, char name[WINDOW_NAME]);

/** window_parse() - parse a file's name. Return: whether it is one. */
bool window_parse(const char *name, struct window *window);

/**
 * window_follows() - report whether @next begins where @window ends. Its epoch may be a later
 * one: others have reset the module at that moment.
 */
bool window_follows(const struct window *window, const struct window *next);

/**
 * window_boot() - turn the kernel's boot_id into its form here.
 * @text: hexadecimal digits and "-", up to the first other character.
 *
 * Return: whether it is one.
 */
bool window_boot(const char *text, char boot[WINDOW_BOOT]);

#endif /* FLAMECTL_AGENT_WINDOW_H */
