// SPDX-License-Identifier: GPL-2.0
/*
 * Shortening of function names: see tidy.h.
 */
#include "format/tidy.h"

#include <stdbool.h>
#include <string.h>

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool ends_before(const char *name, const char *at, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(at - name) >= length &&
	       !strncmp(at - length, word, length);
}

/* Return the bracket that closes the one at @open, or NULL. */
static char *find_close(char *open)
{
	int depth = 0;

	for (; *open; open++) {
		depth += (*open == '(') - (*open == ')');
		if (!depth)
			return open;
	}
	return NULL;
}

/* Report whether the brackets at @open are part of the name. */
static bool is_name(const char *name, const char *open)
{
	return starts_with(open, "(anonymous namespace)") ||
	       starts_with(open, "(*") ||
	       (ends_before(name, open, "operator") && open[1] == ')');
}

/* Java: drop the marks of a class descriptor: "Lorg/x/Y;::get" */
static void tidy_class(char *name)
{
	char *end = strchr(name, ';');

	if (*name != 'L' || !end || (end[1] != '.' && end[1] != ':') ||
	    memchr(name, '(', (size_t)(end - name)))
		return;
	memmove(end, end + 1, strlen(end));
	memmove(name, name + 1, strlen(name));
}

/* Cut what follows the arguments: " const", or "V" of a Java signature. */
static void cut_qualifiers(char *close, bool is_java)
{
	static const char *const qualifiers[] = {
		" const", " volatile", " &", " &&", " const &", " const&",
	};

	if (is_java) {
		*close = '\0';
		return;
	}
	for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++)
		if (!strcmp(close, qualifiers[i]))
			*close = '\0';
}

void tidy_name(char *name)
{
	bool is_java = *name == 'L' && strchr(name, '/') && strchr(name, ';');
	char *open = name, *close;

	tidy_class(name);
	while ((open = strchr(open, '('))) {
		close = find_close(open);
		if (!close)
			return;
		if (is_name(name, open)) {
			open = close + 1;
			continue;
		}
		/* the whole name would be cut */
		if (open == name)
			return;
		memmove(open, close + 1, strlen(close + 1) + 1);
		cut_qualifiers(open, is_java);
	}
}
