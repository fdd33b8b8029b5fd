/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long to wait before a request is sent again.
 */
#ifndef FLAMECTL_BACKOFF_H
#define FLAMECTL_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

/**
 * backoff_ms() - choose how long to wait: a random time of 0 to @first_ms, doubled
 * with each attempt up to @most_ms ("full jitter"). Many hosts that were refused at
 * the same moment do not come back at the same moment.
 * @attempt: 0 after the first attempt.
 */
uint64_t backoff_ms(unsigned int attempt, uint64_t first_ms, uint64_t most_ms);

/**
 * backoff_retry_after() - parse the value of a Retry-After header: seconds, or a date
 * as "Fri, 27 Nov 2026 08:49:37 GMT" (RFC 9110, 10.2.3 and 5.6.7, with its two
 * obsolete forms).
 * @now: CLOCK_REALTIME in seconds, to which a date is compared.
 * @ms: set to how long to wait; 0 for a date that has passed.
 *
 * Return: whether @text is one of them.
 */
bool backoff_retry_after(const char *text, int64_t now, uint64_t *ms);

#endif /* FLAMECTL_BACKOFF_H */
