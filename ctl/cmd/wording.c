// SPDX-License-Identifier: GPL-2.0
/*
 * The options that messages of other rooms name: see base/wording.h.
 */
#include "base/wording.h"

const char *const wordings[WORDINGS] = {
	[WORDING_ATTACH_EVENT] = "flamectl record --off-cpu, or -e EVENT, attaches some while it runs; leave out --event for what the timer samples",
	[WORDING_CHOOSE_EVENT] = "choose one with --event NAME",
	[WORDING_CHOOSE_SAMPLES] = "choose the samples with --event on-cpu",
	[WORDING_COMMON_EVENT] = "name files with the same event, or choose one that all have with --event NAME",
	[WORDING_COUNT_LESS] = "count fewer hits, by if= in -e, or with -p or --only",
	[WORDING_COUNT_LONGER] = "count fewer calls, by min= or if= in -e, or with -p or --only",
	[WORDING_IMPORT_EVENT] = "flamectl import --event NAME -o one.pb.gz",
	[WORDING_IMPORT_RATE] = "import it with -F HZ",
	[WORDING_LOWER_RATE] = "lower the rate (-F)",
	[WORDING_LOWER_RATE_TO] = "lower the rate, -F",
	[WORDING_NO_COUNT] = "leave out --weight count",
	[WORDING_NO_EVENT] = "leave out --event",
	[WORDING_NO_FORMAT] = "leave out --from",
	[WORDING_RAISE_MIN_BLOCK] = "leave out short intervals with --min-block",
	[WORDING_RAISE_PERIOD] = "name a larger period, as in -e cycles:10000000",
	[WORDING_RAISE_WIDTH] = "raise --min-width",
	[WORDING_RECORD_FEWER] = "record fewer processes with -p or --only",
	[WORDING_RECORD_LATENCY] = "flamectl record -e latency:FUNCTION has",
	[WORDING_RECORD_SLICES] = "record with --slices 1s",
	[WORDING_ONLY_RECORD_SLICES] = "only flamectl record --slices does",
	[WORDING_RESET] = "reset more often (flamectl dump --reset)",
	[WORDING_ROWS_COMM] = "--rows comm draws which commands it is of",
	[WORDING_ROWS_OF_SAMPLES] = "draw it with --rows comm, or the samples with --event on-cpu",
	[WORDING_SUM_EVENT] = "--event NAME sums one that all have",
	[WORDING_TYPE_WEIGHT] = "name the size and sign of the argument, as in weight=arg2:u32",
	[WORDING_BY_CPU] = "--by cpu",
	[WORDING_BY_PERIOD] = "--weight period",
	[WORDING_CPU] = "--cpu",
	[WORDING_DROP_LATE] = "--drop-late",
	[WORDING_EVENT] = "--event",
	[WORDING_IN_NS] = "--ns",
	[WORDING_PROBE] = "-e",
	[WORDING_RATE] = "-F",
};
