// SPDX-License-Identifier: GPL-2.0
/*
 * Text and numbers: ctl/base/utf8.c, ctl/base/number.c and ctl/profile/settings.c, against
 * other ways to the same answer.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "profile/settings.h"

static void check_escapes(const char *text)
{
	char *escaped = utf8_escape(text);

	must(escaped && utf8_valid(escaped));
	must(strlen(escaped) <= 4 * strlen(text));
	must(!strpbrk(escaped, "\n\t"));
	fuzz_terminal(escaped, strlen(escaped));
	utf8_unescape(escaped);
	must(!strcmp(escaped, text));
	free(escaped);
}

static void check_clean(const char *text)
{
	char *clean = utf8_clean(text, false), *again;

	must(clean && utf8_valid(clean));
	must(!utf8_valid(text) || !strcmp(clean, text));
	free(clean);

	clean = utf8_clean(text, true);
	must(clean && !strchr(clean, '\n'));
	fuzz_terminal(clean, strlen(clean));
	again = utf8_clean(clean, true);
	must(again && !strcmp(clean, again));
	free(again);
	free(clean);
}

static void check_unescape(const char *text)
{
	char *copy = strdup(text);

	must(copy);
	utf8_unescape(copy);
	must(strlen(copy) <= strlen(text));
	free(copy);
}

static void check_number(const char *text)
{
	bool digits = *text && !text[strspn(text, "0123456789")];
	struct error error;
	uint64_t number;
	char *end;
	int err = number_parse(text, 0, UINT64_MAX, &number, &error);

	errno = 0;
	if (digits)
		strtoull(text, &end, 10);
	must(!err == (digits && !errno));
	if (!err)
		must(number == strtoull(text, NULL, 10));
	if (!number_parse(text, 7, 4711, &number, &error))
		must(number >= 7 && number <= 4711);
}

/* @ns is what @text says, to the millionth of a unit, rounded down. */
static void check_ns(const char *text, uint64_t ns)
{
	long double seconds, scale = 1;
	char *end;

	seconds = strtold(text, &end);
	if (!strcmp(end, "us"))
		scale = 0.000001L;
	else if (!strcmp(end, "ms"))
		scale = 0.001L;
	else if (!strcmp(end, "m"))
		scale = 60;
	else if (!strcmp(end, "h"))
		scale = 3600;
	else
		must(!*end || !strcmp(end, "s"));
	must((long double)ns <= seconds * scale * 1e9L + 1);
	must((long double)ns >= seconds * scale * 1e9L - scale * 2 - 1);
}

static void check_duration(const char *text)
{
	struct error error;
	uint64_t ns;

	if (!duration_parse(text, &ns, &error)) {
		must(ns >= 1000000 && ns <= DURATION_MAX_NS);
		check_ns(text, ns);
	}
	if (!interval_parse(text, &ns, &error)) {
		must(ns >= 1000 && ns <= INTERVAL_MAX_NS);
		check_ns(text, ns);
	}
}

/* "pids=1,2": what was assigned is, as text, assigned the same again. */
static void check_settings(const char *text)
{
	struct profile_settings settings = { 0 }, again = { 0 };
	unsigned int mask = 0, mask_again = 0, attribute;
	char value[1100], assignment[1200];
	struct error error = { "" };

	if (settings_assign(&settings, &mask, text, &error)) {
		must(*error.text && !mask);
		return;
	}
	must(mask && !(mask & (mask - 1)));
	attribute = (unsigned int)__builtin_ctz(mask) + 1;
	settings_value(&settings, attribute, value, sizeof(value));
	snprintf(assignment, sizeof(assignment), "%s=%s",
		 settings_name(attribute), value);
	must(!settings_assign(&again, &mask_again, assignment, &error));
	must(mask == mask_again && !memcmp(&settings, &again, sizeof(again)));
	/* what was typed is what was taken, but for zeros that lead */
	if (attribute == FLAMEMOD_A_SETTINGS_CPUS)
		must(!strcmp(value, strchr(text, '=') + 1));
	else
		for (const char *at = strchr(text, '=') + 1; *at; at++)
			must((*at >= '0' && *at <= '9') || *at == ',');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_escapes(text);
	check_clean(text);
	check_unescape(text);
	check_number(text);
	check_duration(text);
	check_settings(text);
	free(text);
	return 0;
}
