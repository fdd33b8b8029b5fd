/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Order records by a walk through the call tree. In this order each stack
 * shares as many frames as possible with the one before it, counted from the
 * root.
 */
#ifndef FLAMECTL_PREORDER_H
#define FLAMECTL_PREORDER_H

#include "profile/profile.h"

/**
 * preorder_ranks() - compute each node's position in a walk through the
 * profile's call tree: callers first, callees of one caller by their frames'
 * numbers.
 *
 * Return: the positions by node, which the caller frees; NULL when memory is
 * short.
 */
uint32_t *preorder_ranks(const struct profile *profile);

/**
 * preorder_records() - sort the numbers of @records by the ranks of their
 * nodes; records of one node keep their order.
 *
 * Return: the numbers, which the caller frees, or NULL when memory is short.
 */
uint32_t *preorder_records(const uint32_t *ranks,
			   const struct profile_record *records, uint32_t nr);

#endif /* FLAMECTL_PREORDER_H */
