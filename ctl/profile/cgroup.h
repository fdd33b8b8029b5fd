/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cgroups of tasks: a text for each task, in the default hierarchy (cgroup v2).
 *
 * The text is a path such as "/system.slice/ssh.service", "/" for the root, or says why it
 * is not known. The module sends numbers. Until flamectl finds the path of number 1234, the
 * cgroup is called "cgroup 1234".
 */
#ifndef FLAMECTL_CGROUP_H
#define FLAMECTL_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

/* The text of tasks whose cgroup had no room in the module's table. */
#define CGROUP_OTHER	"[other cgroups]"

/* Room for "cgroup 18446744073709551615 (not looked up)", and a NUL. */
#define CGROUP_TEXT	48

/**
 * cgroup_of_number() - write the text for a number of the module.
 *
 * Return: @text; "" for 0, as the cgroup is not known then.
 */
const char *cgroup_of_number(uint64_t number, char text[CGROUP_TEXT]);

/** cgroup_number() - return the number in a name such as "cgroup 1234"; 0: it is a path. */
uint64_t cgroup_number(const char *text);

/**
 * cgroup_short() - shorten the path of a container.
 * @text: room for the short form, @size bytes.
 *
 * "/system.slice/docker-HEX.scope/init" becomes "docker 0123456789ab/init": the runtime and
 * the first 12 digits of the container's id, as the runtime's own tools write it. A pod of
 * Kubernetes becomes "pod UID". The directories above it are left out.
 *
 * Return: @text, or @path itself if it is no container's or @text has too little room.
 */
const char *cgroup_short(const char *path, char *text, size_t size);

/**
 * cgroup_is_below() - report whether a cgroup is in a subtree.
 * @wanted: a path with or without the slash in front, or one below /sys/fs/cgroup; or the
 *	    first 12 or more hexadecimal digits of a container's id.
 */
bool cgroup_is_below(const char *path, const char *wanted);

/**
 * cgroup_subtree() - find the path in what a user wrote for a subtree.
 * @length: set to its length, without slashes at both ends; 0: all paths.
 *
 * Return: where it begins in @wanted.
 */
const char *cgroup_subtree(const char *wanted, size_t *length);

/**
 * cgroup_pattern() - write a regular expression for the directory of a container.
 *
 * For servers that match as cgroup_is_below() does. Return: whether @wanted can be the id
 * of one; if not, nothing is written.
 */
bool cgroup_pattern(const char *wanted, FILE *out);

/**
 * cgroup_doubt() - say why grouping by cgroups shows nothing, if it does not.
 *
 * Return: a text, or NULL if there is a cgroup below the root.
 */
const char *cgroup_doubt(const struct profile *profile);

/* Return: the path of a cgroup, or why it has none. It is copied. */
typedef const char *(*cgroup_name_fn)(void *context, uint64_t number);

/**
 * cgroup_name_all() - name the cgroups of all tasks that are numbers.
 *
 * A service that was started again has another number and the same path: what becomes
 * equal is summed.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW; on an error nothing has changed.
 */
int cgroup_name_all(struct profile *profile, cgroup_name_fn name, void *context);

#endif /* FLAMECTL_CGROUP_H */
