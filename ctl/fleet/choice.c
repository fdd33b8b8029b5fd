// SPDX-License-Identifier: GPL-2.0
/*
 * Which windows of a fleet a question is about: see choice.h.
 */
#include "fleet/choice.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"

#define HOUR_S	3600
#define DAY_S	86400

/* Parse "2026-11-27", "2026-11-27T14" or "2026-11-27T14:05", in UTC. */
static bool parse_time(const char *text, int64_t *seconds, int64_t *length_s)
{
	static const struct {
		const char *format;
		int64_t length_s;
	} forms[] = {
		{ "%Y-%m-%d", DAY_S }, { "%Y-%m-%dT%H", HOUR_S }, { "%Y-%m-%dT%H:%M", 60 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tm tm = { 0 };
		const char *end = strptime(text, forms[i].format, &tm);

		if (!end || *end)
			continue;
		*seconds = timegm(&tm);
		*length_s = forms[i].length_s;
		return true;
	}
	return false;
}

/* Narrow the time. Return: whether any is left. */
static bool narrow(struct choice *choice, int64_t from_s, int64_t to_s)
{
	if (from_s > choice->from_s)
		choice->from_s = from_s;
	if (to_s && (!choice->to_s || to_s < choice->to_s))
		choice->to_s = to_s;
	return !choice->to_s || choice->from_s < choice->to_s;
}

/* "14" is the last hour 14 that has started, today's or yesterday's. */
static bool parse_hour(const char *value, int64_t now_s, int64_t *from_s)
{
	int64_t length_s;
	uint64_t hour;

	if (!number_parse(value, 0, 23, &hour, NULL)) {
		*from_s = now_s - now_s % DAY_S + (int64_t)hour * HOUR_S;
		*from_s -= *from_s > now_s ? DAY_S : 0;
		return true;
	}
	return parse_time(value, from_s, &length_s) && length_s == HOUR_S;
}

/* Return: what is wrong with a term about time, NULL if nothing is; @is_time: it is one. */
static const char *add_time(struct choice *choice, const char *name, const char *value,
			    int64_t now_s, bool *is_time)
{
	int64_t from_s = 0, to_s = 0, length_s;
	uint64_t ns;

	*is_time = true;
	if (!strcmp(name, "last")) {
		if (duration_parse(value, &ns, NULL))
			return "a duration, such as 30m or 2h";
		from_s = now_s - (int64_t)(ns / 1000000000);
	} else if (!strcmp(name, "hour")) {
		if (!parse_hour(value, now_s, &from_s))
			return "an hour from 0 to 23, or one such as 2026-11-27T14, in UTC";
		to_s = from_s + HOUR_S;
	} else if (!strcmp(name, "day")) {
		if (!parse_time(value, &from_s, &length_s) || length_s != DAY_S)
			return "a day such as 2026-11-27, in UTC";
		to_s = from_s + DAY_S;
	} else if (!strcmp(name, "from")) {
		if (!parse_time(value, &from_s, &length_s))
			return "a time such as 2026-11-27T14:05, in UTC";
	} else if (!strcmp(name, "to")) {
		if (!parse_time(value, &to_s, &length_s))
			return "a time such as 2026-11-27T14:05, in UTC";
	} else {
		*is_time = false;
		return NULL;
	}
	return narrow(choice, from_s, to_s) ? NULL : "a time that the terms before it leave";
}

/* In a file with other events, samples are called "on-cpu". */
static const char *event_of(const char *name)
{
	return strcmp(name, "on-cpu") ? name : "";
}

static const char *set_event(struct choice *choice, const char *value)
{
	value = event_of(value);
	if (*choice->event || strchr(value, '*') || strlen(value) >= sizeof(choice->event))
		return "one event, such as event=off-cpu";
	memcpy(choice->event, value, strlen(value) + 1);
	return NULL;
}

static const char *add_term(struct choice *choice, const char *term, const char *name,
			    const char *value, struct error *error)
{
	struct choice_term *added = &choice->terms[choice->nr];
	struct labels labels = { .nr = 0 };

	if (choice->nr == CHOICE_TERMS_MAX)
		return "one of at most 32 terms";
	/* hosts and releases obey the rules of labels, too */
	if (labels_add(&labels, term, error))
		return "";
	if (!strcmp(name, "event"))
		return set_event(choice, value);
	memcpy(added->name, labels.list[0].name, sizeof(added->name));
	memcpy(added->value, value, strlen(value) + 1);
	added->what = !strcmp(name, "host") ? CHOICE_HOST :
		      !strcmp(name, "release") ? CHOICE_RELEASE :
		      !strcmp(name, "machine") ? CHOICE_MACHINE :
		      !strcmp(name, "cgroup") ? CHOICE_CGROUP : CHOICE_LABEL;
	choice->nr++;
	return NULL;
}

static int add(struct choice *choice, const char *term, int64_t now_s, struct error *error)
{
	const char *equals = strchr(term, '='), *wrong;
	char name[LABEL_NAME_MAX + 1];
	struct error why = { "" };
	bool is_time;

	if (!equals || (size_t)(equals - term) >= sizeof(name))
		return error_set(error, -EINVAL, "%.100s: choose windows by NAME=VALUE, such as release=6.12, hour=14, host=web1 or a label",
				 term);
	snprintf(name, sizeof(name), "%.*s", (int)(equals - term), term);
	wrong = add_time(choice, name, equals + 1, now_s, &is_time);
	if (!is_time)
		wrong = add_term(choice, term, name, equals + 1, &why);
	if (!wrong)
		return 0;
	if (*why.text)
		return error_set(error, -EINVAL, "%.400s", why.text);
	return error_set(error, -EINVAL, "%.100s: give %s", term, wrong);
}

int choice_parse(struct choice *choice, const char *text, int64_t now_s,
		 struct error *error)
{
	char term[LABEL_NAME_MAX + LABEL_VALUE_MAX + 16];
	int err = 0;

	memset(choice, 0, sizeof(*choice));
	while (*text && !err) {
		size_t length = strcspn(text, ",");

		if (length >= sizeof(term))
			return error_set(error, -EINVAL, "%.100s...: a term has at most %zu bytes",
					 text, sizeof(term) - 1);
		snprintf(term, sizeof(term), "%.*s", (int)length, text);
		err = add(choice, term, now_s, error);
		text += length + (text[length] == ',');
	}
	return err;
}

int choice_set_event(struct choice *choice, const char *name, struct error *error)
{
	if (*choice->event && !strcmp(choice->event, event_of(name)))
		return 0;
	if (!set_event(choice, name))
		return 0;
	if (*choice->event)
		return error_set(error, -EINVAL, "%.80s: the choice names event=%s: name only one event",
				 name, choice->event);
	return error_set(error, -EINVAL, "%.80s: name one event, such as off-cpu", name);
}

bool choice_has_cgroups(const struct choice *choice)
{
	for (unsigned int i = 0; i < choice->nr; i++)
		if (choice->terms[i].what == CHOICE_CGROUP)
			return true;
	return false;
}
