// SPDX-License-Identifier: GPL-2.0
/*
 * What a question reads: see cover.h.
 */
#include "fleet/clickhouse/cover.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/clickhouse/where.h"

/*
 * Rows of stacks do not say of which host they are. Of a few hosts, windows are read
 * faster, because they are stored by host.
 */
static bool rollups_would_do(const struct choice *choice, enum cover_by by)
{
	bool names_host = false, has_pattern = false;

	/* rollups do not have them */
	if (choice_has_cgroups(choice) || *choice->event)
		return false;
	for (unsigned int i = 0; i < choice->nr; i++) {
		if (choice->terms[i].what != CHOICE_HOST)
			continue;
		names_host = true;
		has_pattern |= strchr(choice->terms[i].value, '*') != NULL;
	}
	return by == COVER_HOSTS ? !names_host || has_pattern :
	       by == COVER_STACKS && !names_host;
}

static bool is_whole(const struct choice *choice, uint32_t hour)
{
	int64_t start_s = (int64_t)hour * SECONDS_OF_HOUR;

	return choice->from_s <= start_s &&
	       (!choice->to_s || choice->to_s >= start_s + SECONDS_OF_HOUR);
}

/* Return: whether the hour is read from its rollup. */
static bool is_covered(const struct cover *cover, const struct hour *hour)
{
	const struct hour *rollup = hours_find(&cover->rollups, hour->hour);

	return rollup && !cover->hours.shared && is_whole(cover->choice, hour->hour) &&
	       rollup->windows == hour->windows && rollup->mark == hour->mark;
}

/*
 * Count the windows, and find out whether some are there several times. The other row of
 * a window may have other labels, which the choice does not match, so all rows of these
 * hosts are counted.
 */
static int look_at_windows(struct cover *cover, struct sender *sender,
			   const struct target *target, struct error *error)
{
	struct rowbinary_reader in;
	struct send_answer answer;
	struct query query;
	uint64_t rows;
	int err = query_open(&query, error);

	if (err)
		return err;
	fputs("SELECT sum(", query.out);
	where_terms(query.out, cover->choice);
	fputs("), count(), uniqExact(" SCHEMA_WINDOW ") FROM profiles WHERE ", query.out);
	where_event(query.out, cover->choice);
	fputs(" AND ", query.out);
	where_time(query.out, cover->choice);
	fputs(" AND ", query.out);
	where_hosts(query.out, cover->choice);
	err = query_ask(&query, sender, target, &answer, error);
	if (!err) {
		in = query_reader(&answer);
		cover->windows = rowbinary_take_number(&in, 8);
		rows = rowbinary_take_number(&in, 8);
		cover->final = rowbinary_take_number(&in, 8) == rows ? "" : " FINAL";
		cover->has_windows = cover->windows;
		err = in.failed ? query_malformed(target, error) : 0;
	}
	send_answer_deinit(&answer);
	return err;
}

static int look_at_hours(struct cover *cover, struct sender *sender,
			 const struct target *target, struct error *error)
{
	int err = hours_of_windows(sender, target, cover->choice, &cover->hours, error);

	cover->final = cover->hours.final;
	for (size_t i = 0; i < cover->hours.nr && !err; i++) {
		const struct hour *hour = &cover->hours.list[i];

		cover->windows += hour->chosen;
		if (is_covered(cover, hour))
			cover->has_rollups |= hour->chosen > 0;
		else
			cover->has_windows |= hour->chosen > 0;
	}
	return err;
}

int cover_look(struct cover *cover, struct sender *sender, const struct target *target,
	       const struct choice *choice, enum cover_by by, struct error *error)
{
	int err = 0;

	*cover = (struct cover){ .choice = choice, .by = by };
	if (rollups_would_do(choice, by))
		err = hours_of_rollups(sender, target, choice, &cover->rollups, error);
	if (err)
		return err;
	err = cover->rollups.nr ? look_at_hours(cover, sender, target, error) :
	      look_at_windows(cover, sender, target, error);
	if (!err && !cover->windows)
		err = error_set(error, -ENODATA, "no window of the store matches");
	return err;
}

void cover_put_windows(const struct cover *cover, FILE *out)
{
	const struct hours *hours = &cover->hours;
	const char *separator = " AND (";
	bool has_range = false;

	where_choice(out, cover->choice);
	if (!cover->has_rollups)
		return;
	/* ranges, because the server skips what is outside of all of them */
	for (size_t i = 0; i < hours->nr; i++) {
		size_t last = i;

		if (is_covered(cover, &hours->list[i]))
			continue;
		while (last + 1 < hours->nr && !is_covered(cover, &hours->list[last + 1]))
			last++;
		fprintf(out, "%stime >= toDateTime(%" PRIu64 ") AND time < toDateTime(%" PRIu64 ")",
			separator, (uint64_t)hours->list[i].hour * SECONDS_OF_HOUR,
			((uint64_t)hours->list[last].hour + 1) * SECONDS_OF_HOUR);
		separator = " OR ";
		has_range = true;
		i = last;
	}
	fputs(has_range ? ")" : " AND 0", out);
}

void cover_put_rollups(const struct cover *cover, FILE *out)
{
	const char *separator = "";

	fprintf(out, "kind = %d AND hour IN (",
		cover->by == COVER_STACKS ? ROLLUP_STACKS : ROLLUP_HOSTS);
	for (size_t i = 0; i < cover->hours.nr; i++) {
		if (!is_covered(cover, &cover->hours.list[i]))
			continue;
		fprintf(out, "%s%" PRIu32, separator, cover->hours.list[i].hour);
		separator = ", ";
	}
	fputs(") AND ", out);
	where_terms(out, cover->choice);
}

int cover_check(const struct cover *cover, struct sender *sender,
		const struct target *target, struct error *error)
{
	struct cover now;
	int err;

	if (!cover->has_rollups)
		return 0;
	err = cover_look(&now, sender, target, cover->choice, cover->by, error);
	if (!err && (!hours_equal(&cover->hours, &now.hours) ||
		     !hours_equal(&cover->rollups, &now.rollups)))
		err = error_set(error, -EBADMSG, "the store changed while it was read");
	cover_deinit(&now);
	return err;
}

void cover_deinit(struct cover *cover)
{
	hours_deinit(&cover->hours);
	hours_deinit(&cover->rollups);
}
