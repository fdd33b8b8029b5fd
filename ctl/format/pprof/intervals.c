// SPDX-License-Identifier: GPL-2.0
/*
 * Write and read the number of an event's intervals: see intervals.h.
 */
#include "format/pprof/intervals.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "format/pprof/layout.h"
#include "format/pprof/reader.h"

#define LOST_PREFIX	"intervals-lost."
#define POWER_PREFIX	"power."

#define FIRST_LOST	6
#define FIRST_POWER	(FIRST_LOST + __FLAMEMOD_EVENT_LOST_MAX)
#define WORDS		(FIRST_POWER + INTERVALS_POWERS)

struct word {
	char key[40];
	uint64_t value;
};

/* The first is always written. */
static void words_of(const struct profile_intervals *intervals, struct word words[WORDS])
{
	const struct word first[FIRST_LOST] = {
		{ PPROF_INTERVALS_KEY, intervals->seen },
		{ "below", intervals->below }, { "below-ns", intervals->below_ns },
		{ "min-ns", intervals->min_ns }, { "no-waiting", intervals->no_waiting },
		{ "of-hits", intervals->of_hits },
	};

	for (unsigned int i = 0; i < FIRST_LOST; i++)
		words[i] = first[i];
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++) {
		snprintf(words[FIRST_LOST + i].key, sizeof(words[0].key), LOST_PREFIX "%s",
			 profile_event_lost_name(i));
		words[FIRST_LOST + i].value = intervals->lost[i];
	}
	for (unsigned int i = 0; i < INTERVALS_POWERS; i++) {
		snprintf(words[FIRST_POWER + i].key, sizeof(words[0].key), POWER_PREFIX "%u", i);
		words[FIRST_POWER + i].value = intervals->powers[i];
	}
}

const char *pprof_intervals_text(char text[PPROF_INTERVALS_TEXT],
				 const struct profile_intervals *intervals)
{
	struct word words[WORDS];
	size_t used = 0;

	*text = '\0';
	words_of(intervals, words);
	for (unsigned int i = 0; i < WORDS && intervals->known; i++)
		if (!i || words[i].value)
			used += (size_t)snprintf(text + used, PPROF_INTERVALS_TEXT - used,
						 "%s%s=%" PRIu64, i ? " " : "", words[i].key,
						 words[i].value);
	return text;
}

/* Return: where the number of "intervals-lost.REASON=N" is stored, or NULL. */
static uint64_t *lost_of(struct profile_intervals *intervals, const char *word,
			 const char **value)
{
	static const char prefix[] = LOST_PREFIX;

	if (strncmp(word, prefix, sizeof(prefix) - 1))
		return NULL;
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++) {
		*value = pprof_value_of(word + sizeof(prefix) - 1, profile_event_lost_name(i));
		if (*value)
			return &intervals->lost[i];
	}
	return NULL;
}

/* Return: where the number of "power.K=N" is stored, or NULL. */
static uint64_t *power_of(struct profile_intervals *intervals, const char *word,
			  const char **value)
{
	static const char prefix[] = POWER_PREFIX;
	char key[4];

	if (strncmp(word, prefix, sizeof(prefix) - 1))
		return NULL;
	for (unsigned int i = 0; i < INTERVALS_POWERS; i++) {
		snprintf(key, sizeof(key), "%u", i);
		*value = pprof_value_of(word + sizeof(prefix) - 1, key);
		if (*value)
			return &intervals->powers[i];
	}
	return NULL;
}

int pprof_intervals_word(struct profile_intervals *intervals, const char *word)
{
	uint64_t no_waiting = intervals->no_waiting, of_hits = intervals->of_hits;
	const struct { const char *key; uint64_t *number, most; } fields[] = {
		{ PPROF_INTERVALS_KEY, &intervals->seen, UINT64_MAX },
		{ "below", &intervals->below, UINT64_MAX },
		{ "below-ns", &intervals->below_ns, UINT64_MAX },
		{ "min-ns", &intervals->min_ns, UINT64_MAX },
		{ "no-waiting", &no_waiting, 1 }, { "of-hits", &of_hits, 1 },
	};
	uint64_t *number = NULL, most = UINT64_MAX;
	const char *value = NULL;
	int err;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && !value; i++) {
		value = pprof_value_of(word, fields[i].key);
		number = fields[i].number;
		most = fields[i].most;
	}
	if (!value) {
		most = UINT64_MAX;
		number = lost_of(intervals, word, &value) ?: power_of(intervals, word, &value);
	}
	if (!number)
		return 0;
	err = number_parse(value, 0, most, number, NULL);
	if (err)
		return err;
	intervals->known = true;
	intervals->no_waiting = no_waiting;
	intervals->of_hits = of_hits;
	return 1;
}
