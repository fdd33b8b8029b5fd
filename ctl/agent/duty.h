/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The duty cycle of a host: in which hours it is sampled, if only 1 of K is.
 *
 * An hour is a number: hours since 1970, UTC. The host takes part if
 *
 *   SHA-256(SHA-256(secret) host "\n" hour), its first 8 bytes as a big-endian number
 *
 * is a multiple of K. So each host takes part in about 1/K of the hours, and in each hour
 * about 1/K of the hosts do. Nobody has to agree on anything: a host that starts anew
 * knows its hours. Who does not know the secret does not know them.
 */
#ifndef FLAMECTL_AGENT_DUTY_H
#define FLAMECTL_AGENT_DUTY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sha256.h"

struct duty {
	uint64_t inclusion;		/* K; 1: it takes part in all hours */
	uint8_t key[SHA256_BYTES];	/* of the secret */
	char host[128];
};

/**
 * duty_init() - set whose duty it is.
 * @inclusion: from 1 on
 * @secret: not kept
 */
void duty_init(struct duty *duty, uint64_t inclusion, const char *secret,
	       const char *host);

/** duty_takes_part() - report whether the host is sampled in an hour. */
bool duty_takes_part(const struct duty *duty, uint64_t hour);

/** duty_hour() - return the hour of CLOCK_REALTIME; before 1970 it is the first one. */
uint64_t duty_hour(int64_t real_ns);

/** duty_left_ns() - return how long that hour lasts from then on, at least 1. */
uint64_t duty_left_ns(int64_t real_ns);

#endif /* FLAMECTL_AGENT_DUTY_H */
