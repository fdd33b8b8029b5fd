/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read a column of a batch: numbers of variable length, in the encoding that
 * common/flamemod.yaml describes.
 */
#ifndef FLAMECTL_NL_COLUMN_H
#define FLAMECTL_NL_COLUMN_H

#include <libmnl/libmnl.h>

#include "base/error.h"

enum nl_column_kind { NL_NUMBERS, NL_DIFFERENCES };

struct nl_column {
	const char *what;
	const uint8_t *at, *end;
	enum nl_column_kind kind;
	uint64_t last;
};

/**
 * nl_column_open() - start to read a column.
 * @attr: the column; NULL is refused.
 * @what: its name, for errors; must live as long as @column.
 * @nr: the number of elements of the batch, which the column must have too; 0
 *      before the first column, which sets it.
 *
 * Return: 0, or -EBADMSG with @error set.
 */
int nl_column_open(struct nl_column *column, const struct nlattr *attr,
		   const char *what, enum nl_column_kind kind, uint32_t *nr,
		   struct error *error);

/**
 * nl_column_next() - read the next element, which must exist.
 *
 * Return: 0, or -EBADMSG with @error set if it exceeds 64 bits.
 */
int nl_column_next(struct nl_column *column, uint64_t *value,
		   struct error *error);

/** nl_column_u32() - read the next element and refuse more than 32 bits. */
int nl_column_u32(struct nl_column *column, uint32_t *value,
		  struct error *error);

#endif /* FLAMECTL_NL_COLUMN_H */
