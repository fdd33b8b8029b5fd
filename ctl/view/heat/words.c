// SPDX-License-Identifier: GPL-2.0
/*
 * The words of a heat map: see words.h.
 */
#include "view/heat/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/growing.h"
#include "base/percent.h"
#include "base/weight.h"
#include "profile/advice.h"
#include "view/svg/text.h"

/* Powers of two of nanoseconds as people call them: 2^10 is 1 us, 2^20 is 1 ms. */
static const char *power_label(char text[HEAT_TEXT], unsigned int power)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned int unit = power / 10 < 3 ? power / 10 : 3;

	snprintf(text, HEAT_TEXT, "%" PRIu64 " %s", UINT64_C(1) << (power - 10 * unit),
		 units[unit]);
	return text;
}

const char *heat_row_label(char text[HEAT_TEXT], const struct heat *heat, uint32_t row)
{
	switch (heat->rows) {
	case HEAT_CPUS:
		snprintf(text, HEAT_TEXT, "CPU %" PRIu32, heat->cpus[row]);
		return text;
	case HEAT_LOADS:
		snprintf(text, HEAT_TEXT, "%" PRIu32 " %%", (HEAT_BANDS - row) * 10);
		return text;
	case HEAT_LATENCIES:
		return power_label(text, heat->power - row);
	case HEAT_COMMS:
		break;
	}
	snprintf(text, HEAT_TEXT, "%s", heat->comms[row] ?: "all others");
	return text;
}

static const char *power_text(char text[HEAT_TEXT], unsigned int power)
{
	char from[WEIGHT_TEXT], to[WEIGHT_TEXT];

	snprintf(text, HEAT_TEXT, "%s to %s",
		 weight_text(from, power ? 1ULL << power : 0, "nanoseconds"),
		 weight_text(to, power < 63 ? 2ULL << power : UINT64_MAX, "nanoseconds"));
	return text;
}

const char *heat_row_text(char text[HEAT_TEXT], const struct heat *heat, uint32_t row)
{
	if (heat->rows == HEAT_LATENCIES)
		return power_text(text, heat->power - row);
	if (heat->rows != HEAT_LOADS)
		return heat_row_label(text, heat, row);
	snprintf(text, HEAT_TEXT, "load %u to %u %%", (HEAT_BANDS - 1 - row) * 10,
		 (HEAT_BANDS - row) * 10);
	return text;
}

bool heat_counts(const struct heat *heat)
{
	return heat->rows == HEAT_LATENCIES || heat->rows == HEAT_COMMS;
}

/* What the numbers of cells count: "periods", "calls"; "" for CPUs. */
static const char *unit_of(const struct heat *heat, const struct profile *profile)
{
	if (heat->rows == HEAT_LATENCIES)
		return "calls";
	return heat->rows == HEAT_LOADS ? "" : profile_unit(&profile->meta);
}

const char *heat_cell_text(char text[HEAT_TEXT], const struct heat *heat,
			   const struct heat_cell *cell, const struct profile *profile,
			   const char *what)
{
	const char *unit = unit_of(heat, profile);
	char share[PERCENT_TEXT], part[SVG_AMOUNT_MAX], whole[SVG_AMOUNT_MAX];

	percent_text(share, cell->part, cell->whole);
	if (heat_counts(heat))
		snprintf(text, HEAT_TEXT, "%s (%s %% of %s)",
			 svg_format_amount(part, cell->part, unit), share,
			 svg_format_weight(whole, cell->whole, unit));
	else
		snprintf(text, HEAT_TEXT, "%s %% %.640s (%s of %s)", share,
			 heat->rows == HEAT_CPUS ? what : "of the CPUs",
			 svg_format_weight(part, cell->part, unit),
			 svg_format_amount(whole, cell->whole, unit));
	return text;
}

const char *heat_most_text(char text[HEAT_TEXT], const struct heat *heat,
			   const struct profile *profile, const char *what)
{
	char most[SVG_AMOUNT_MAX];

	if (heat_counts(heat))
		snprintf(text, HEAT_TEXT, "%s in a cell%s",
			 svg_format_amount(most, heat->most, unit_of(heat, profile)),
			 heat->rows == HEAT_LATENCIES ? "; the scale is logarithmic" : "");
	else if (heat->rows == HEAT_CPUS)
		snprintf(text, HEAT_TEXT, "100 %% %.640s", what);
	else
		snprintf(text, HEAT_TEXT, "100 %% of the CPUs, by how much of their time is %.640s",
			 what);
	return text;
}

const char *heat_column_text(char text[HEAT_TEXT], const struct heat *heat)
{
	uint32_t nr = heat->nr_columns > 1 ? heat->nr_columns - 1 : 1;
	uint64_t all = 0, first = heat->end_ns[0] - heat->begin_ns[0];
	char length[WEIGHT_TEXT];
	bool differs = false;

	for (uint32_t i = 0; i < nr; i++) {
		uint64_t column = heat->end_ns[i] - heat->begin_ns[i];

		all += column;
		differs |= column != first;
	}
	snprintf(text, HEAT_TEXT, "each column is %s%s", differs ? "about " : "",
		 weight_text(length, all / nr, "nanoseconds"));
	return text;
}

/* ---- what is drawn ---- */

static void add_periods(struct growing *to, const struct profile *profile)
{
	const struct profile_books *books = &profile->books;
	const struct {
		const char *name;
		uint64_t count;
	} figures[] = {
		{ "fires", books->fires }, { "missed", books->missed },
		{ "stored", books->stored }, { "filtered", books->filtered },
		{ "lost", profile_lost(books) },
	};
	const char *unit = profile_unit(&profile->meta);
	char count[SVG_COUNT_MAX];

	growing_add(to, "all of it, in %s%s:", strcmp(unit, "periods") ? "" : "timer ", unit);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		growing_add(to, " %s %s", figures[i].name,
			    svg_format_count(count, figures[i].count));
}

/* Write "; not drawn: 12 below 1.00 us, 3 lost (missed 3)". */
static void add_not_drawn(struct growing *to, const struct profile_intervals *drawn,
			  uint64_t nr)
{
	const char *before = "; not drawn:", *first = " (";
	char weight[WEIGHT_TEXT], count[SVG_COUNT_MAX];
	uint64_t lost = 0, rest;

	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		lost += drawn->lost[i];
	rest = drawn->seen - nr - drawn->below - lost;
	if (drawn->below) {
		growing_add(to, "%s %s below %s", before, svg_format_count(count, drawn->below),
			    weight_text(weight, drawn->min_ns, "nanoseconds"));
		before = ",";
	}
	if (rest) {
		growing_add(to, "%s %s that conditions, processes or a selection left out",
			    before, svg_format_count(count, rest));
		before = ",";
	}
	if (!lost)
		return;
	growing_add(to, "%s %s lost", before, svg_format_count(count, lost));
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++) {
		if (!drawn->lost[i])
			continue;
		growing_add(to, "%s%s %s", first, profile_event_lost_name(i),
			    svg_format_count(count, drawn->lost[i]));
		first = ", ";
	}
	growing_add(to, ")");
}

static void add_calls(struct growing *to, const struct heat *heat, const struct profile *profile)
{
	char count[SVG_COUNT_MAX], all[SVG_AMOUNT_MAX];
	uint64_t nr = 0;

	for (uint32_t i = 0; i < heat->nr_columns; i++)
		nr += heat->cells[(size_t)i * heat->nr_rows].whole;
	growing_add(to, "%s, in powers of two of nanoseconds: %s drawn of %s seen",
		    profile_event(&profile->meta), svg_format_amount(all, nr, "calls"),
		    svg_format_count(count, heat->drawn.seen));
	add_not_drawn(to, &heat->drawn, nr);
}

const char *heat_facts(char text[HEAT_TEXT], const struct heat *heat,
		       const struct profile *profile)
{
	struct growing to = { .text = text, .room = HEAT_TEXT };
	char fact[INTERVALS_TEXT], advice[ADVICE_ALL_MAX];

	*text = '\0';
	if (heat->rows == HEAT_LATENCIES) {
		add_calls(&to, heat, profile);
	} else if (profile->meta.intervals.known) {
		growing_add(&to, "all of it: %s", intervals_books(fact, profile));
		growing_add(&to, "; %s", intervals_fact(fact, profile));
	} else {
		add_periods(&to, profile);
	}
	if (advice_all(profile, advice))
		growing_add(&to, "; %s", advice);
	return text;
}

/* ---- colours ---- */

#define LOG_ONE		256	/* of a binary logarithm: its fixed point */

/* Return: the binary logarithm of @number, above 0, in fixed point: the same everywhere. */
static uint32_t log_of(uint64_t number)
{
	unsigned int whole = 63 - (unsigned int)__builtin_clzll(number);
	/* from 1 to 2, with 31 bits after the point */
	uint64_t rest = whole > 31 ? number >> (whole - 31) : number << (31 - whole);
	uint32_t log = whole * LOG_ONE;

	for (uint32_t bit = LOG_ONE / 2; bit; bit /= 2) {
		rest = rest * rest >> 31;
		if (rest >> 32) {
			log += bit;
			rest >>= 1;
		}
	}
	return log;
}

unsigned int heat_step(const struct heat *heat, const struct heat_cell *cell)
{
	uint32_t hundredths, log;

	if (heat->rows != HEAT_LATENCIES) {
		hundredths = percent_hundredths(cell->part, heat_counts(heat) ? heat->most :
						cell->whole);
		/* 0 % has its own step */
		return hundredths >= 10000 ? HEAT_STEPS - 1 :
		       hundredths ? (hundredths + 999) / 1000 : 0;
	}
	if (!cell->part)
		return 0;
	log = log_of(heat->most);
	if (!log || cell->part == heat->most)
		return HEAT_STEPS - 1;
	return 1 + log_of(cell->part) * (HEAT_STEPS - 1) / (log + 1);
}
