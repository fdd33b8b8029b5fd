/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tell the service manager how this process does, as sd_notify(3) does: a datagram to the
 * socket that the environment names in NOTIFY_SOCKET.
 */
#ifndef FLAMECTL_NOTIFY_H
#define FLAMECTL_NOTIFY_H

#include <stdint.h>

/**
 * notify_send() - send a state: "READY=1", "WATCHDOG=1", "STOPPING=1", "STATUS=TEXT".
 *
 * Return: 0, also if nobody asked to be told, or -errno.
 */
int notify_send(const char *state);

/**
 * notify_watchdog_ns() - return how often the manager wants to hear "WATCHDOG=1" before
 * it ends this process; 0 for never.
 */
uint64_t notify_watchdog_ns(void);

#endif /* FLAMECTL_NOTIFY_H */
