// SPDX-License-Identifier: GPL-2.0
/*
 * In which hours a host is sampled: see duty.h.
 */
#include "agent/duty.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HOUR_NS		(3600 * INT64_C(1000000000))

void duty_init(struct duty *duty, uint64_t inclusion, const char *secret,
	       const char *host)
{
	struct sha256 sha;

	duty->inclusion = inclusion;
	snprintf(duty->host, sizeof(duty->host), "%s", host);
	sha256_init(&sha);
	sha256_add(&sha, secret, strlen(secret));
	sha256_end(&sha, duty->key);
}

bool duty_takes_part(const struct duty *duty, uint64_t hour)
{
	uint8_t hash[SHA256_BYTES];
	uint64_t number = 0;
	struct sha256 sha;
	char text[24];

	if (duty->inclusion <= 1)
		return true;
	snprintf(text, sizeof(text), "\n%" PRIu64, hour);
	sha256_init(&sha);
	sha256_add(&sha, duty->key, sizeof(duty->key));
	sha256_add(&sha, duty->host, strlen(duty->host));
	sha256_add(&sha, text, strlen(text));
	sha256_end(&sha, hash);
	for (int i = 0; i < 8; i++)
		number = number << 8 | hash[i];
	/* 2^64 is large against K: no remainder is favoured by more than 1 in 10^15 */
	return number % duty->inclusion == 0;
}

uint64_t duty_hour(int64_t real_ns)
{
	return real_ns > 0 ? (uint64_t)(real_ns / HOUR_NS) : 0;
}

uint64_t duty_left_ns(int64_t real_ns)
{
	return real_ns > 0 ? (uint64_t)(HOUR_NS - real_ns % HOUR_NS) : (uint64_t)HOUR_NS;
}
