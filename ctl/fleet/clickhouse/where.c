// SPDX-License-Identifier: GPL-2.0
/*
 * Choices and texts as SQL: see where.h.
 */
#include "fleet/clickhouse/where.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/cgroup.h"

static void put_escaped(FILE *out, char c)
{
	if (c == '\'' || c == '\\')
		putc('\\', out);
	putc(c, out);
}

void where_text(FILE *out, const char *text)
{
	putc('\'', out);
	for (; *text; text++)
		put_escaped(out, *text);
	putc('\'', out);
}

/* Write part of a LIKE pattern, in which "*" of @text matches any text. */
static void put_pattern(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '*') {
			putc('%', out);
			continue;
		}
		/* a backslash of the pattern is two in the quotes */
		if (*text == '%' || *text == '_' || *text == '\\')
			fputs("\\\\", out);
		put_escaped(out, *text);
	}
}

/* Write that @what is as the term says: exactly, or by its stars. */
static void put_match(FILE *out, const char *what, const char *prefix, const char *value)
{
	if (!strchr(value, '*')) {
		fprintf(out, "%s = '", what);
		for (const char *text = prefix; *text; text++)
			put_escaped(out, *text);
		for (; *value; value++)
			put_escaped(out, *value);
	} else {
		fprintf(out, "%s LIKE '", what);
		put_pattern(out, prefix);
		put_pattern(out, value);
	}
	putc('\'', out);
}

/* 6.12 is also 6.12.3-amd64 and 6.12-rc1, but not 6.120. */
static void put_release(FILE *out, const char *value)
{
	static const char *const ends[] = { ".%", "-%", "+%" };

	put_match(out, "release", "", value);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		fputs(" OR release LIKE '", out);
		put_pattern(out, value);
		fprintf(out, "%s'", ends[i]);
	}
}

static void put_term(FILE *out, const struct choice_term *term)
{
	char prefix[LABEL_NAME_MAX + 2];

	switch (term->what) {
	case CHOICE_HOST:
		put_match(out, "host", "", term->value);
		break;
	case CHOICE_RELEASE:
		put_release(out, term->value);
		break;
	case CHOICE_MACHINE:
		put_match(out, "machine", "", term->value);
		break;
	case CHOICE_LABEL:
		snprintf(prefix, sizeof(prefix), "%s=", term->name);
		fputs("arrayExists(l -> ", out);
		put_match(out, "l", prefix, term->value);
		fputs(", labels)", out);
		break;
	case CHOICE_CGROUP:
		/* not of windows: see where_cgroups() */
		break;
	}
}

static bool is_first_of_name(const struct choice *choice, unsigned int at)
{
	for (unsigned int i = 0; i < at; i++)
		if (!strcmp(choice->terms[i].name, choice->terms[at].name))
			return false;
	return true;
}

void where_time(FILE *out, const struct choice *choice)
{
	fprintf(out, "time >= toDateTime(%" PRId64 ")", choice->from_s);
	if (choice->to_s)
		fprintf(out, " AND time < toDateTime(%" PRId64 ")", choice->to_s);
}

/* Write " AND (...)" for each name, or only for that of hosts. */
static void put_terms(FILE *out, const struct choice *choice, bool hosts_only)
{
	for (unsigned int i = 0; i < choice->nr; i++) {
		if (!is_first_of_name(choice, i) || choice->terms[i].what == CHOICE_CGROUP ||
		    (hosts_only && choice->terms[i].what != CHOICE_HOST))
			continue;
		fputs(" AND (0", out);
		for (unsigned int j = i; j < choice->nr; j++) {
			if (strcmp(choice->terms[j].name, choice->terms[i].name))
				continue;
			fputs(" OR ", out);
			put_term(out, &choice->terms[j]);
		}
		putc(')', out);
	}
}

void where_terms(FILE *out, const struct choice *choice)
{
	putc('1', out);
	put_terms(out, choice, false);
}

void where_hosts(FILE *out, const struct choice *choice)
{
	putc('1', out);
	put_terms(out, choice, true);
}

void where_event(FILE *out, const struct choice *choice)
{
	fputs("event = ", out);
	where_text(out, choice->event);
}

void where_choice(FILE *out, const struct choice *choice)
{
	where_event(out, choice);
	fputs(" AND ", out);
	where_time(out, choice);
	put_terms(out, choice, false);
}

/* A container may be named by its id. */
static void put_container(FILE *out, const char *wanted)
{
	char *pattern = NULL;
	size_t size;
	FILE *to = open_memstream(&pattern, &size);
	bool is_id = to && cgroup_pattern(wanted, to);

	if (to)
		fclose(to);
	if (is_id)
		fprintf(out, " OR match(" WHERE_CGROUP ", '/(%s)(/|$)')", pattern);
	free(pattern);
}

/* As cgroup_is_below(). */
static void put_cgroup(FILE *out, const char *wanted)
{
	size_t length;
	const char *path = cgroup_subtree(wanted, &length);

	fputs("if(substring(" WHERE_CGROUP ", 1, 1) = '/', ", out);
	if (length) {
		fputs("startsWith(concat(" WHERE_CGROUP ", '/'), '/", out);
		for (size_t i = 0; i < length; i++)
			put_escaped(out, path[i]);
		fputs("/')", out);
	} else {
		putc('1', out);
	}
	fputs(", " WHERE_CGROUP " = ", out);
	where_text(out, wanted);
	putc(')', out);
	put_container(out, wanted);
}

void where_cgroups(FILE *out, const struct choice *choice)
{
	if (!choice_has_cgroups(choice)) {
		putc('1', out);
		return;
	}
	fputs("(0", out);
	for (unsigned int i = 0; i < choice->nr; i++) {
		if (choice->terms[i].what != CHOICE_CGROUP)
			continue;
		fputs(" OR ", out);
		put_cgroup(out, choice->terms[i].value);
	}
	putc(')', out);
}
