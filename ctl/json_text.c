// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a string of JSON: see json_text.h.
 */
#include "json_text.h"

#include <stdlib.h>

#include <jansson.h>

#include "utf8.h"

char *json_text(const char *text)
{
	char *clean = utf8_clean(text, false);
	json_t *json = clean ? json_string(clean) : NULL;
	char *quoted = NULL;

	if (json)
		quoted = json_dumps(json, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	json_decref(json);
	free(clean);
	return quoted;
}
