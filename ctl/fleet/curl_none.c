// SPDX-License-Identifier: GPL-2.0
/*
 * In place of curl.c, for the static flamectl: see curl.h. A static program can open
 * only libraries of the glibc that it was linked with.
 */
#include "fleet/curl.h"

#include <errno.h>

int curl_library(const struct curl_library **library, struct error *error)
{
	(void)library;
	return error_set(error, -ENOSYS,
			 "this is the static flamectl, which cannot talk to servers: use one that is linked with shared libraries");
}
