/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looks for kernel addresses in what the kernel sends.
 */
#ifndef NETLINK_ADDRESSES_H
#define NETLINK_ADDRESSES_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** is_address() - return whether a number is a kernel address. */
bool is_address(uint64_t value);

/**
 * addresses_count() - count what looks like a kernel address in a message.
 * @message: the message
 *
 * Its header, our own text that a refusal sends back, and columns are left out. Columns are
 * searched when they are decoded: netlink_columns.h.
 */
size_t addresses_count(const struct nlmsghdr *message);

#endif /* NETLINK_ADDRESSES_H */
