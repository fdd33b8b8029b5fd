/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of libcurl that flamectl uses, opened when it is first needed.
 *
 * flamectl is not linked with libcurl. That library brings some twenty others
 * along (LDAP, Kerberos, SSH), which would have to be on each machine that records a
 * profile, and would be loaded by each command. Opened at run time, it is needed
 * only by commands that talk to a server, and no build needs its headers.
 *
 * The numbers below are libcurl's binary interface, which has not changed since its
 * soname became libcurl.so.4 in 2006; a unit test compares them with <curl/curl.h>.
 *
 * curl_library() has two implementations: curl.c, and curl_none.c for the static
 * flamectl, which cannot open libraries.
 */
#ifndef FLAMECTL_CURL_H
#define FLAMECTL_CURL_H

#include "base/error.h"

enum {
	CURL_OPT_POST = 47,
	CURL_OPT_FOLLOWLOCATION = 52,
	CURL_OPT_HTTPGET = 80,
	CURL_OPT_HTTP_VERSION = 84,
	CURL_OPT_TIMEOUT_MS = 155,
	CURL_OPT_CONNECTTIMEOUT_MS = 156,
	CURL_OPT_PROTOCOLS = 181,
	CURL_OPT_WRITEDATA = 10001,
	CURL_OPT_URL = 10002,
	CURL_OPT_ERRORBUFFER = 10010,
	CURL_OPT_POSTFIELDS = 10015,
	CURL_OPT_USERAGENT = 10018,
	CURL_OPT_HTTPHEADER = 10023,
	CURL_OPT_SSLCERT = 10025,
	CURL_OPT_HEADERDATA = 10029,
	CURL_OPT_CAINFO = 10065,
	CURL_OPT_SSLKEY = 10087,
	CURL_OPT_NOPROXY = 10177,
	CURL_OPT_WRITEFUNCTION = 20011,
	CURL_OPT_HEADERFUNCTION = 20079,
	CURL_OPT_POSTFIELDSIZE_LARGE = 30120,
};

enum {
	CURL_INFO_RESPONSE_CODE = 0x200002,	/* long */
	CURL_INFO_REQUEST_SIZE = 0x20000c,	/* long */
};

enum {
	CURL_RESULT_OK = 0,
	CURL_RESULT_COULDNT_RESOLVE_PROXY = 5,
	CURL_RESULT_COULDNT_RESOLVE_HOST = 6,
	CURL_RESULT_COULDNT_CONNECT = 7,
	CURL_RESULT_WRITE_ERROR = 23,
	CURL_RESULT_OUT_OF_MEMORY = 27,
	CURL_RESULT_SSL_CONNECT_ERROR = 35,
	CURL_RESULT_SSL_CERTPROBLEM = 58,
	CURL_RESULT_PEER_FAILED_VERIFICATION = 60,
	CURL_RESULT_SSL_CACERT_BADFILE = 77,
};

enum {
	CURL_HTTP_2_PRIOR_KNOWLEDGE = 5,
};

enum {
	CURL_PROTOCOL_HTTP = 1 << 0,
	CURL_PROTOCOL_HTTPS = 1 << 1,
};

/* CURL_ERROR_SIZE of <curl/curl.h> */
#define CURL_ERROR_TEXT	256

struct curl_slist;

struct curl_library {
	void *(*easy_init)(void);
	int (*easy_setopt)(void *curl, int option, ...);
	int (*easy_perform)(void *curl);
	int (*easy_getinfo)(void *curl, int info, ...);
	void (*easy_reset)(void *curl);
	void (*easy_cleanup)(void *curl);
	const char *(*easy_strerror)(int result);
	struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
	void (*slist_free_all)(struct curl_slist *list);
};

/**
 * curl_library() - open libcurl, once; it stays open.
 *
 * Return: 0 with @library set, or -ENOSYS with @error saying what to install.
 */
int curl_library(const struct curl_library **library, struct error *error);

#endif /* FLAMECTL_CURL_H */
