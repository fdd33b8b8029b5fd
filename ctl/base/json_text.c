// SPDX-License-Identifier: GPL-2.0
/*
 * Write JSON in plain ASCII: see json_text.h.
 */
#include "base/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define DELETE		'\x7f'
#define DELETE_ESCAPED	"\\u007f"

/* Escape DEL: the only control character that jansson leaves as it is. */
static char *escape_deletes(char *text)
{
	size_t nr = 0;
	char *escaped, *to;
	const char *at;

	for (at = text; *at; at++)
		nr += *at == DELETE;
	if (!nr)
		return text;
	escaped = malloc(strlen(text) + nr * strlen(DELETE_ESCAPED) + 1);
	for (at = text, to = escaped; to && *at; at++) {
		if (*at == DELETE)
			to = stpcpy(to, DELETE_ESCAPED);
		else
			*to++ = *at;
	}
	if (to)
		*to = '\0';
	free(text);
	return escaped;
}

char *json_ascii(const json_t *json, size_t flags)
{
	char *text = json_dumps(json, flags | JSON_ENSURE_ASCII);

	return text ? escape_deletes(text) : NULL;
}

char *json_text(const char *text)
{
	char *clean = utf8_clean(text, false);
	json_t *json = clean ? json_string(clean) : NULL;
	char *quoted = json ? json_ascii(json, JSON_ENCODE_ANY) : NULL;

	json_decref(json);
	free(clean);
	return quoted;
}
