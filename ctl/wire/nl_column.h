/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A column of a batch: numbers in as many bytes as each takes, as
 * common/flamemod.yaml says.
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
 * nl_column_open() - begin to read a column.
 * @attr: the column, or NULL, which is refused.
 * @what: its name, for errors; it must live as long as @column.
 * @nr: the batch's length in elements, which the column must have; 0 before
 *      the first of its columns, which sets it.
 *
 * Return: 0, or -EBADMSG with @error filled in.
 */
int nl_column_open(struct nl_column *column, const struct nlattr *attr,
		   const char *what, enum nl_column_kind kind, uint32_t *nr,
		   struct error *error);

/**
 * nl_column_next() - the next of the column's elements, of which there must be
 * one.
 *
 * Return: 0, or -EBADMSG with @error filled in for one past 64 bits.
 */
int nl_column_next(struct nl_column *column, uint64_t *value,
		   struct error *error);

/** nl_column_u32() - the same, refusing those past 32 bits. */
int nl_column_u32(struct nl_column *column, uint32_t *value,
		  struct error *error);

#endif /* FLAMECTL_NL_COLUMN_H */
