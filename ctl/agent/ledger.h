/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the agent has counted since its directory was made: windows that were made, those
 * that were dropped, by reason, and interruptions. It is the file "ledger" there.
 */
#ifndef FLAMECTL_AGENT_LEDGER_H
#define FLAMECTL_AGENT_LEDGER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "agent/window.h"
#include "base/error.h"

#define LEDGER_FILE	"ledger"

/* Why a window was dropped before all targets had it. */
enum ledger_drop {
	LEDGER_DROP_FULL,		/* the spool had its most bytes */
	LEDGER_DROP_AGE,
	LEDGER_DROP_DAMAGED,		/* its file could not be read; it was set aside */
	LEDGER_DROPS,
};

/* Why a window did not begin where the one before ended. */
enum ledger_break {
	LEDGER_BREAK_FIRST,		/* there was none before */
	LEDGER_BREAK_BOOT,		/* the machine started anew */
	LEDGER_BREAK_MODULE,		/* it was loaded again; or reset by others, and not kept */
	LEDGER_BREAK_STATE,		/* the agent's own file was damaged */
	LEDGER_BREAKS,
};

struct ledger {
	uint64_t made, made_periods;	/* windows; the number of the last one is made */
	uint64_t merged;		/* times that two windows became one */
	uint64_t dropped[LEDGER_DROPS], dropped_periods[LEDGER_DROPS];
	uint64_t breaks[LEDGER_BREAKS];
	uint64_t gap_ns;		/* time between windows at such breaks, in one boot */
	uint64_t resets;		/* of the module, by the agent */
	uint64_t pauses, paused_ns;	/* that began; time of those that are over */
	/* times that hours began in which this host takes no part, or takes part again */
	uint64_t off_duty, on_duty;
	uint64_t off_duty_ns;		/* time between the two */
	uint64_t clock_steps;		/* CLOCK_REALTIME was set */
	uint64_t lost_cursors;		/* damaged: the target got what is there once more */
	/* a file that is counted as dropped, but perhaps still there; "": none */
	char removing[WINDOW_NAME];
};

/** ledger_drop_name() - return "full" and so on. */
const char *ledger_drop_name(enum ledger_drop reason);

/** ledger_break_name() - return "boot" and so on. */
const char *ledger_break_name(enum ledger_break reason);

/**
 * ledger_read() - read the ledger; all zero if there is none yet.
 *
 * Return: 0, -EBADMSG for a damaged file, or another -errno; @error is set.
 */
int ledger_read(int directory, struct ledger *ledger, struct error *error);

/** ledger_write() - replace the file; it is on disk then. */
int ledger_write(int directory, const struct ledger *ledger, struct error *error);

/** ledger_is_off_duty() - report whether this host is in hours in which it takes no part. */
bool ledger_is_off_duty(const struct ledger *ledger);

/** ledger_sum() - add all numbers of @counts; ->removing stays. */
void ledger_sum(struct ledger *ledger, const struct ledger *counts);

/** ledger_print() - write the file's content; a disk_write_fn. */
int ledger_print(const void *ledger, FILE *out, struct error *error);

#endif /* FLAMECTL_AGENT_LEDGER_H */
