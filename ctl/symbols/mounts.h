/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mounted file systems, as the kernel lists them: which of them answer by themselves,
 * and which need a server or a program to answer, which may never do so.
 */
#ifndef FLAMECTL_SYMBOLS_MOUNTS_H
#define FLAMECTL_SYMBOLS_MOUNTS_H

#include <stdbool.h>

struct mounts;

/**
 * mounts_read() - read the list of mounts that a process sees.
 * @mountinfo: the path of the list, such as /proc/self/mountinfo.
 *
 * Return: the list, to be freed by mounts_free(), or NULL with errno set.
 */
struct mounts *mounts_read(const char *mountinfo);

/** mounts_free() - free @mounts; NULL is fine. */
void mounts_free(struct mounts *mounts);

/**
 * mounts_local_at() - report whether what is mounted at @path, if anything is, answers by
 * itself. It is not touched.
 */
bool mounts_local_at(const struct mounts *mounts, const char *path);

/**
 * mounts_local() - report whether the mount of an open file answers by itself. Its file
 * system is not asked. A mount that is not in the list does not.
 */
bool mounts_local(const struct mounts *mounts, int fd);

/**
 * mounts_trust() - let the mount of an open file be one that answers by itself, also if it
 * is not in the list: in a chroot that is no mount point, that of / is not. Only the last
 * one counts.
 */
void mounts_trust(struct mounts *mounts, int fd);

#endif /* FLAMECTL_SYMBOLS_MOUNTS_H */
