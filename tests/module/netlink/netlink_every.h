/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests every operation of the protocol once.
 */
#ifndef NETLINK_EVERY_H
#define NETLINK_EVERY_H

#include <stdint.h>

/**
 * netlink_every() - request each operation, as "do" and as "dump".
 * @socket: a netlink socket that caps acknowledgements and explains refusals
 * @family: the number of the module's family
 *
 * Prints a line for each: its name ("status", "status-dump"), the errno's name
 * or "done", how many bytes of data came, and the text of a refusal or "-",
 * with tabs between.
 */
void netlink_every(int socket, uint16_t family);

#endif /* NETLINK_EVERY_H */
