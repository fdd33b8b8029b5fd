// SPDX-License-Identifier: GPL-2.0
/*
 * Write and read the number of an event's intervals: see intervals.h.
 */
#include "format/pprof/intervals.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "base/number.h"
#include "format/pprof/layout.h"
#include "format/pprof/reader.h"

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
		snprintf(words[FIRST_LOST + i].key, sizeof(words[0].key), "intervals-lost.%s",
			 profile_event_lost_name(i));
		words[FIRST_LOST + i].value = intervals->lost[i];
	}
	for (unsigned int i = 0; i < INTERVALS_POWERS; i++) {
		snprintf(words[FIRST_POWER + i].key, sizeof(words[0].key), "power.%u", i);
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

int pprof_intervals_word(struct profile_intervals *intervals, const char *word)
{
	struct word words[WORDS];
	const char *value = NULL;
	unsigned int i;
	int err;

	words_of(intervals, words);
	for (i = 0; i < WORDS && !value; i++)
		value = pprof_value_of(word, words[i].key);
	if (!value)
		return 0;
	i--;
	/* two of them are yes or no */
	err = number_parse(value, 0, i == 4 || i == 5 ? 1 : UINT64_MAX, &words[i].value, NULL);
	if (err)
		return err;
	intervals->known = true;
	intervals->seen = words[0].value;
	intervals->below = words[1].value;
	intervals->below_ns = words[2].value;
	intervals->min_ns = words[3].value;
	intervals->no_waiting = words[4].value;
	intervals->of_hits = words[5].value;
	for (i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		intervals->lost[i] = words[FIRST_LOST + i].value;
	for (i = 0; i < INTERVALS_POWERS; i++)
		intervals->powers[i] = words[FIRST_POWER + i].value;
	return 1;
}
