/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records in the order of a walk through the call tree, in which each stack
 * begins as the one before it as far as it can.
 */
#ifndef FLAMECTL_PREORDER_H
#define FLAMECTL_PREORDER_H

#include "profile/profile.h"

/**
 * preorder_ranks() - each node's place in a walk through the profile's call
 * tree, callers first, callees of one caller by their frames' numbers.
 *
 * Return: by node, to be freed; NULL when memory is short.
 */
uint32_t *preorder_ranks(const struct profile *profile);

/**
 * preorder_records() - the numbers of @records by the ranks of their nodes,
 * those of one node in the order that they have.
 *
 * Return: to be freed, or NULL when memory is short.
 */
uint32_t *preorder_records(const uint32_t *ranks,
			   const struct profile_record *records, uint32_t nr);

#endif /* FLAMECTL_PREORDER_H */
