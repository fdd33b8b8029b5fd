// SPDX-License-Identifier: GPL-2.0
/*
 * Wait before another attempt: see backoff.h.
 */
#include "fleet/backoff.h"

#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/number.h"

uint64_t backoff_ms(unsigned int attempt, uint64_t first_ms, uint64_t most_ms)
{
	uint64_t most = first_ms;

	while (attempt-- && most < most_ms)
		most *= 2;
	if (most > most_ms)
		most = most_ms;
	return hash_random() % (most + 1);
}

static bool parse_date(const char *text, int64_t *seconds)
{
	static const char *const formats[] = {
		"%a, %d %b %Y %H:%M:%S GMT",	/* as it is to be sent */
		"%A, %d-%b-%y %H:%M:%S GMT",	/* RFC 850 */
		"%a %b %e %H:%M:%S %Y",		/* asctime() */
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct tm tm = { 0 };
		const char *end = strptime(text, formats[i], &tm);

		if (!end || *end)
			continue;
		*seconds = timegm(&tm);
		return true;
	}
	return false;
}

/* More seconds than a server can mean; their milliseconds fit 64 bits. */
#define SECONDS_MAX	UINT32_MAX

bool backoff_retry_after(const char *text, int64_t now, uint64_t *ms)
{
	uint64_t delay;
	int64_t date;

	if (!number_parse(text, 0, SECONDS_MAX, &delay, NULL)) {
		*ms = delay * 1000;
		return true;
	}
	if (!parse_date(text, &date))
		return false;
	*ms = date > now ? (uint64_t)(date - now) * 1000 : 0;
	return true;
}
