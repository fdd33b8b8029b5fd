// SPDX-License-Identifier: GPL-2.0
/*
 * Windows for views: see view_window.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "made_profile.h"
#include "view_window.h"

const struct target_kind *const view_kinds[] = {
	&view_pyroscope, &view_parca, &view_otlp, NULL,
};

struct error view_error;

int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

struct profile_identity last_minute(void)
{
	struct profile_identity identity = {
		.host = "h\xc3\xb6st\n\xff", .boot_id = "4ac7ba3c-5f1f-4f35-8ac6-6d8f6c2d2f6a",
		.epoch = 7, .begin_ns = 5 * SEC + 1, .end_ns = 65 * SEC + 2,
		.time_ns = now_ns() - (int64_t)(61 * SEC),
	};

	return identity;
}

struct target target_of(const char *format, ...)
{
	struct target target;
	char url[256];
	va_list args;

	va_start(args, format);
	vsnprintf(url, sizeof(url), format, args);
	va_end(args);
	*view_error.text = '\0';
	if (target_parse(&target, url, view_kinds, &view_error))
		fail_msg("%s", view_error.text);
	return target;
}

int encode_window(const struct target *target, const struct profile *profile,
		  const struct profile_identity *identity, const struct labels *labels,
		  struct target_requests *requests)
{
	const struct target_window window = { profile, identity, labels };

	*view_error.text = '\0';
	return target->kind->encode(target, &window, 1, requests, &view_error);
}
