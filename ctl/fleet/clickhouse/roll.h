/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make rollups: the sums of an hour, so that questions about it need not read all of its
 * windows.
 *
 * An hour's rollup is put together in a table of its own, a stage, and replaces the
 * previous one in one step. It says of which windows it was made (see hours.h), and is
 * not used once there are others. So a roll may be killed at any moment, and any number
 * of them may run at once: answers stay the same, only slower.
 */
#ifndef FLAMECTL_CLICKHOUSE_ROLL_H
#define FLAMECTL_CLICKHOUSE_ROLL_H

#include <stdint.h>

#include "base/error.h"
#include "fleet/choice.h"
#include "fleet/send.h"
#include "fleet/target.h"

/* What was done, in hours. */
struct roll_tally {
	unsigned int rolled, current, removed;
	unsigned int busy;		/* got windows all the time, and stay as they are */
	unsigned int wrong;		/* have other sums than their books, and stay so, too */
};

/**
 * roll_hours() - roll up each hour that is over and whose rollup is missing or of other
 * windows; remove rollups of hours without windows, and stages that were left behind.
 * @choice: of time alone: only hours that it wholly has are looked at.
 *
 * Return: 0; -EBADMSG with @error for the first hour that is wrong, all others were rolled
 * up; or -errno with @error. What is in @tally was done.
 */
int roll_hours(struct sender *sender, const struct target *target,
	       const struct choice *choice, struct roll_tally *tally, struct error *error);

#endif /* FLAMECTL_CLICKHOUSE_ROLL_H */
