// SPDX-License-Identifier: GPL-2.0
/*
 * The summary that is printed after a recording: see summary.h.
 */
#include "view/summary.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "profile/advice.h"
#include "profile/settings.h"

static const struct {
	unsigned int attribute;
	const char *off;	/* the value that leaves nothing out */
} filters[] = {
	{ FLAMEMOD_A_SETTINGS_PIDS, "" },
	{ FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE, "0" },
	{ FLAMEMOD_A_SETTINGS_KERNEL_ONLY, "0" },
	{ FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY, "0" },
};

void summary_filter(const struct profile_settings *settings, char *text,
		    size_t size)
{
	char value[SUMMARY_FILTER_MAX];
	size_t used = 0, i;

	*text = '\0';
	for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		settings_value(settings, filters[i].attribute, value,
			       sizeof(value));
		if (strcmp(value, filters[i].off) && used < size)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s=%s", used ? " " : "",
						 settings_name(filters[i].attribute),
						 value);
	}
}

static void write_advice(const struct profile *profile, FILE *out)
{
	char text[ADVICE_MAX];

	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		if (profile->books.lost[i] &&
		    advice_lost(&profile->meta, i, text, sizeof(text)))
			fprintf(out, "%" PRIu64 " lost: %s: %s\n", profile->books.lost[i],
				profile_lost_name(i), text);
}

void summary_write(const struct profile *profile, uint64_t before_command, const char *path,
		   FILE *out)
{
	const struct profile_books *books = &profile->books;
	uint64_t filtered = books->filtered - before_command;
	char filter[SUMMARY_FILTER_MAX];

	fprintf(out, "%.1f s at %" PRIu32 " Hz, %" PRIu64 " periods, ",
		(double)profile->meta.duration_ns / 1e9,
		profile->meta.settings.hz, books->fires + books->missed);
	summary_filter(&profile->meta.settings, filter, sizeof(filter));
	if (filtered)
		fprintf(out, "%" PRIu64 " filtered by %s, ", filtered,
			*filter ? filter : "a filter that is not set any more");
	if (before_command)
		fprintf(out, "%" PRIu64 " before the command began, ", before_command);
	fprintf(out, "%" PRIu64 " lost: saved ", profile_lost(books));
	utf8_print(strcmp(path, "-") ? path : "to stdout", out);
	fputc('\n', out);
	write_advice(profile, out);
}

void summary_event(const struct profile *profile, FILE *out)
{
	char text[INTERVALS_TEXT], advice[ADVICE_ALL_MAX];

	fprintf(out, "%s; ", intervals_books(text, profile));
	fprintf(out, "%s\n", intervals_fact(text, profile));
	if (advice_all(profile, advice))
		fprintf(out, "%s: %s\n", profile_event(&profile->meta), advice);
}
