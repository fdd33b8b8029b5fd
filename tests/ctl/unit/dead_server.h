/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File systems of FUSE whose servers do not answer, or no longer. A process that asks one
 * waits until it is killed. Only processes with mount namespaces of their own use them.
 */
#ifndef DEAD_SERVER_H
#define DEAD_SERVER_H

#include <sys/types.h>

/**
 * dead_server_mount() - mount one.
 *
 * Return: the server's end, which must stay open, or -1 if that is not possible here.
 */
int dead_server_mount(const char *path);

/**
 * dead_server_wake() - let a process answer for a server: every name that is looked up is a
 * directory. The server is dead again when that process is killed.
 */
pid_t dead_server_wake(int server);

#endif /* DEAD_SERVER_H */
