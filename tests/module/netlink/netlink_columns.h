/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Columns of numbers, as the YAML's doc says how they are sent.
 */
#ifndef NETLINK_COLUMNS_H
#define NETLINK_COLUMNS_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>

struct column {
	uint64_t *numbers;
	uint32_t nr;
	const char *wrong;	/* what is wrong with it, or NULL */
};

/** column_of() - decode a column; NULL: an empty one. Return: it, for free_columns(). */
struct column column_of(const struct nlattr *attr);

/** differences_of() - decode a column of differences. Return: it, for free_columns(). */
struct column differences_of(const struct nlattr *attr);

/** free_columns() - free columns. Return: what is wrong with one of them, or @wrong. */
const char *free_columns(struct column *columns, uint32_t nr, const char *wrong);

/** equally_many() - return whether columns have as many numbers, and any. */
bool equally_many(const struct column *columns, uint32_t nr);

#endif /* NETLINK_COLUMNS_H */
