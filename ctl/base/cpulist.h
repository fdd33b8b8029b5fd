/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of CPUs as the kernel writes and reads them: "0-3,8", "0-63:1/2".
 */
#ifndef FLAMECTL_CPULIST_H
#define FLAMECTL_CPULIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The highest CPU number a record can carry. */
#define CPULIST_MAX	UINT16_MAX

/* A set of CPUs, one bit each; zeroed, it is empty. */
struct cpulist {
	uint64_t words[(CPULIST_MAX + 1) / 64];
};

/**
 * cpulist_add() - add the CPUs of a list to a set.
 * @cpus: NULL to check the list only.
 * @text: at least one CPU.
 *
 * Return: 0, or -EINVAL for what is no list of CPUs up to CPULIST_MAX; then
 * @cpus may hold a part of it.
 */
int cpulist_add(struct cpulist *cpus, const char *text);

/**
 * cpulist_refuse() - say what is wrong with a list that cpulist_add() refuses:
 * which number is too high, which range runs backwards, or what a list is.
 *
 * Return: -EINVAL, with @error set.
 */
int cpulist_refuse(const char *text, struct error *error);

/** cpulist_has() - is @cpu one of them? */
bool cpulist_has(const struct cpulist *cpus, uint32_t cpu);

#endif /* FLAMECTL_CPULIST_H */
