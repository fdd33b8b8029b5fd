// SPDX-License-Identifier: GPL-2.0
/*
 * Open libcurl at run time: see curl.h. Debian has it in two packages, which differ
 * in the library they use for TLS.
 */
#include "fleet/curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };

/* CURL_GLOBAL_ALL of <curl/curl.h>: SSL and what Windows needs */
#define GLOBAL_ALL	3L

/* Take a function; POSIX lets a data pointer hold it. */
static bool take(void *handle, const char *name, void *function)
{
	*(void **)function = dlsym(handle, name);
	return *(void **)function;
}

static bool take_all(void *handle, struct curl_library *library)
{
	int (*global_init)(long flags);

	return take(handle, "curl_global_init", &global_init) &&
	       take(handle, "curl_easy_init", &library->easy_init) &&
	       take(handle, "curl_easy_setopt", &library->easy_setopt) &&
	       take(handle, "curl_easy_perform", &library->easy_perform) &&
	       take(handle, "curl_easy_getinfo", &library->easy_getinfo) &&
	       take(handle, "curl_easy_reset", &library->easy_reset) &&
	       take(handle, "curl_easy_cleanup", &library->easy_cleanup) &&
	       take(handle, "curl_easy_strerror", &library->easy_strerror) &&
	       take(handle, "curl_slist_append", &library->slist_append) &&
	       take(handle, "curl_slist_free_all", &library->slist_free_all) &&
	       !global_init(GLOBAL_ALL);
}

int curl_library(const struct curl_library **library, struct error *error)
{
	static struct curl_library opened;
	static bool is_open;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !is_open; i++) {
		void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

		is_open = handle && take_all(handle, &opened);
	}
	if (!is_open)
		return error_set(error, -ENOSYS,
				 "cannot open libcurl.so.4, which is needed to talk to a server: install it (Debian: libcurl4, Fedora: libcurl)");
	*library = &opened;
	return 0;
}
