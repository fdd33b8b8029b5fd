/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of CPUs as the kernel writes and reads them: "0-3,8", "0-63:1/2".
 */
#ifndef FLAMECTL_CPULIST_H
#define FLAMECTL_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The highest CPU number a record can carry. */
#define CPULIST_MAX	UINT16_MAX

/* A set of CPUs, one bit each; all zero is the empty set. */
struct cpulist {
	uint64_t words[(CPULIST_MAX + 1) / 64];
};

/**
 * cpulist_add() - add the CPUs of a list to a set.
 * @cpus: NULL to check the list only.
 * @text: the list; at least one CPU.
 *
 * Return: 0, or -EINVAL if @text is not a list of CPUs up to CPULIST_MAX; @cpus
 * may then hold a part of the list.
 */
int cpulist_add(struct cpulist *cpus, const char *text);

/**
 * cpulist_refuse() - set @error for a list that cpulist_add() refuses.
 *
 * The error names the number that is too high, or the range that runs
 * backwards, or else explains what a list looks like.
 *
 * Return: -EINVAL, with @error set.
 */
int cpulist_refuse(const char *text, struct error *error);

/** cpulist_has() - report whether @cpu is in the set. */
bool cpulist_has(const struct cpulist *cpus, uint32_t cpu);

/** cpulist_meets() - report whether some CPU is in both sets. */
bool cpulist_meets(const struct cpulist *cpus, const struct cpulist *others);

/** cpulist_count() - count the CPUs of the set. */
uint32_t cpulist_count(const struct cpulist *cpus);

/**
 * cpulist_print() - write the set as a list such as "0-3,8", "" for none. A list
 * that is too long ends in "..." after a whole range.
 * @size: of @text, at least 16 bytes.
 *
 * Return: @text.
 */
const char *cpulist_print(const struct cpulist *cpus, char *text, size_t size);

#endif /* FLAMECTL_CPULIST_H */
