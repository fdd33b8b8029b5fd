// SPDX-License-Identifier: GPL-2.0
/*
 * Labels of profiles: see labels.h.
 */
#include "fleet/labels.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static bool is_name(const char *text, size_t length)
{
	if (!length || length > LABEL_NAME_MAX || isdigit((unsigned char)*text))
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] != '_' && (!isascii(text[i]) || !isalnum((unsigned char)text[i])))
			return false;
	return true;
}

static bool is_value(const char *text)
{
	if (!*text || strlen(text) > LABEL_VALUE_MAX || !utf8_valid(text))
		return false;
	while (*text)
		if (utf8_steers(utf8_next(&text)))
			return false;
	return true;
}

/* Return: where @name is, or where it is to be inserted. */
static unsigned int place(const struct labels *labels, const char *name, bool *found)
{
	unsigned int i = 0;
	int order = 1;

	while (i < labels->nr && (order = strcmp(labels->list[i].name, name)) < 0)
		i++;
	*found = i < labels->nr && !order;
	return i;
}

int labels_add(struct labels *labels, const char *assignment, struct error *error)
{
	const char *equals = strchr(assignment, '=');
	size_t length = equals ? (size_t)(equals - assignment) : 0;
	struct label label = { 0 };
	unsigned int at;
	bool found;

	if (!equals)
		return error_set(error, -EINVAL, "%.100s: write a label as NAME=VALUE",
				 assignment);
	if (!is_name(assignment, length))
		return error_set(error, -EINVAL,
				 "%.100s: a label's name has 1 to %d letters, digits and underscores, and does not start with a digit",
				 assignment, LABEL_NAME_MAX);
	if (!is_value(equals + 1))
		return error_set(error, -EINVAL,
				 "%.100s: a label's value has 1 to %d bytes of UTF-8 without control characters",
				 assignment, LABEL_VALUE_MAX);
	memcpy(label.name, assignment, length);
	strcpy(label.value, equals + 1);
	at = place(labels, label.name, &found);
	if (!found && labels->nr == LABELS_MAX)
		return error_set(error, -EINVAL, "%.100s: a profile has at most %d labels",
				 assignment, LABELS_MAX);
	if (!found) {
		memmove(&labels->list[at + 1], &labels->list[at],
			(labels->nr - at) * sizeof(label));
		labels->nr++;
	}
	labels->list[at] = label;
	return 0;
}

const char *labels_get(const struct labels *labels, const char *name)
{
	bool found;
	unsigned int at = place(labels, name, &found);

	return found ? labels->list[at].value : NULL;
}
