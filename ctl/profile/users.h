/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes that use a program or library: those whose samples have a frame in it.
 */
#ifndef FLAMECTL_USERS_H
#define FLAMECTL_USERS_H

#include <stddef.h>

#include "profile/profile.h"

/* So many of an object's processes are listed: those that were met last. */
#define USERS_MAX	8

struct users;

/**
 * users_create() - look for the processes of all objects.
 * @profile: it must outlive the result, and not change.
 *
 * Return: the processes, to be freed by users_destroy(), or NULL when memory is short.
 */
struct users *users_create(const struct profile *profile);

/** users_destroy() - free @users; NULL is fine. */
void users_destroy(struct users *users);

/**
 * users_list() - list processes that use an object, the one that was met last first.
 * @object: its number.
 * @nr: set to how many there are.
 */
const uint32_t *users_list(const struct users *users, uint32_t object, size_t *nr);

#endif /* FLAMECTL_USERS_H */
