/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of messages that name options of the command line.
 *
 * Only the command layer knows the options, so it defines the words, in
 * cmd/wording.c. Other rooms put them into messages by these names, for example
 * error_set(error, err, "no such event: %s", WORDING(NO_EVENT)).
 */
#ifndef FLAMECTL_WORDING_H
#define FLAMECTL_WORDING_H

enum wording {
	/* what the user can do */
	WORDING_ATTACH_EVENT,
	WORDING_CHOOSE_EVENT,		/* of several in a file */
	WORDING_CHOOSE_SAMPLES,		/* of a recording with other events */
	WORDING_COMMON_EVENT,		/* of files with different events */
	WORDING_COUNT_LESS,		/* hits of an event, when recording */
	WORDING_COUNT_LONGER,		/* calls of a latency */
	WORDING_IMPORT_EVENT,		/* the command that makes a file of one */
	WORDING_IMPORT_RATE,		/* for a file whose rate is unknown */
	WORDING_LOWER_RATE,
	WORDING_LOWER_RATE_TO,		/* followed by the rate */
	WORDING_NO_COUNT,
	WORDING_NO_EVENT,
	WORDING_NO_FORMAT,
	WORDING_RAISE_MIN_BLOCK,
	WORDING_RAISE_PERIOD,		/* of a counter of the processor */
	WORDING_RAISE_WIDTH,
	WORDING_RECORD_FEWER,
	WORDING_RECORD_LATENCY,		/* after "which" */
	WORDING_RECORD_SLICES,
	WORDING_ONLY_RECORD_SLICES,	/* after "import keeps no times" */
	WORDING_RESET,
	WORDING_ROWS_COMM,		/* of a heat map */
	WORDING_ROWS_OF_SAMPLES,	/* of a heat map of an event */
	WORDING_SUM_EVENT,		/* one that several files have */
	WORDING_TYPE_WEIGHT,		/* of a function's argument */
	/* what the user asked for */
	WORDING_BY_CPU,
	WORDING_BY_PERIOD,
	WORDING_CPU,
	WORDING_DROP_LATE,
	WORDING_EVENT,
	WORDING_IN_NS,
	WORDING_PROBE,			/* what else to record */
	WORDING_RATE,
	WORDINGS,
};

/* By enum wording; none is NULL. */
extern const char *const wordings[WORDINGS];

#define WORDING(name)	wordings[WORDING_##name]

#endif /* FLAMECTL_WORDING_H */
