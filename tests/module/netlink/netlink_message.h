/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes datagrams for the module: valid, nearly valid and invalid.
 *
 * A datagram only depends on its seed, not on earlier answers, so each one of a run can
 * be made again.
 */
#ifndef NETLINK_MESSAGE_H
#define NETLINK_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#define DATAGRAM_BYTES	16384

struct random {
	uint64_t state;
};

/** random_seed() - start the random numbers of item @index of stream @stream. */
struct random random_seed(uint64_t seed, uint64_t stream, uint64_t index);

/** random_below() - return a number in 0..@limit-1; @limit is at least 1. */
uint32_t random_below(struct random *random, uint32_t limit);

struct datagram {
	size_t len;
	uint32_t nr_messages;	/* as intended; damaged lengths may make others */
	_Alignas(8) uint8_t bytes[DATAGRAM_BYTES];
};

/**
 * datagram_make() - make a datagram of one to eight messages.
 * @datagram: where to put them
 * @random: decides everything
 * @family: the number of the module's family
 * @seq: the first message's sequence number; they count upwards
 */
void datagram_make(struct datagram *datagram, struct random *random, uint16_t family,
		   uint32_t seq);

#endif /* NETLINK_MESSAGE_H */
