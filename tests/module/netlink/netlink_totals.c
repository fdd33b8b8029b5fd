// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the outcomes of a run: see netlink_totals.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "netlink_protocol.h"
#include "netlink_totals.h"
#include "netlink_verdict.h"

void totals_count(struct totals *totals, const struct judgement *j, const struct answer *answer)
{
	const struct attr_set *set;
	uint16_t i;
	int which;

	totals->verdicts[j->verdict]++;
	totals->dropped += reason_is_dropped(answer);
	if (answer->error > 0 && answer->error < ERRNO_MAX)
		totals->errors[answer->error]++;
	if (j->op) {
		if (answer->error)
			totals->refused[j->op->command][j->dump]++;
		else
			totals->done[j->op->command][j->dump]++;
	}
	if (j->verdict != VERDICT_OUT_OF_LIMITS)
		return;
	/* the sets that requests have: the top, and the settings in it */
	for (which = 0; which < 2; which++) {
		set = set_at(which);
		for (i = 1; i <= set->max; i++) {
			size_t len = strlen(set->rules[i].name);

			if (!strncmp(answer->text, set->rules[i].name, len) &&
			    answer->text[len] == ':')
				totals->named[which][i]++;
		}
	}
}

void totals_add(struct totals *to, const struct totals *from)
{
	const uint64_t *source = (const void *)from;
	uint64_t *target = (void *)to;
	size_t i;

	for (i = 0; i < sizeof(*to) / sizeof(uint64_t); i++)
		target[i] += source[i];
}

static void print(const char *what, const char *which, const char *how, uint64_t number)
{
	if (number)
		printf("%s %s%s %" PRIu64 "\n", what, which, how, number);
}

void totals_print(const struct totals *totals)
{
	static const char *const verdicts[NR_VERDICTS] = {
		[VERDICT_PASSED_OVER] = "passed-over",
		[VERDICT_VALID] = "valid",
		[VERDICT_NOT_OURS] = "not-ours",
		[VERDICT_MALFORMED] = "malformed",
		[VERDICT_OUT_OF_LIMITS] = "out-of-limits",
	};
	static const char *const hows[] = { "", "-dump" };
	size_t i, which;

	print("sent", "messages", "", totals->messages);
	print("sent", "datagrams", "", totals->datagrams);
	print("received", "bytes", "", totals->bytes);
	print("dumps", "whole", "", totals->whole);
	print("dumps", "abandoned", "", totals->abandoned);
	print("answers", "overrun", "", totals->overruns);
	print("reasons", "dropped", "", totals->dropped);
	for (i = 0; i < NR_VERDICTS; i++)
		print("judged", verdicts[i], "", totals->verdicts[i]);
	for (i = 0; i < nr_operations; i++) {
		const struct operation *op = operation_at(i);

		for (which = 0; which < 2; which++) {
			print("done", op->name, hows[which], totals->done[op->command][which]);
			print("refused", op->name, hows[which],
			      totals->refused[op->command][which]);
		}
	}
	for (i = 1; i < ERRNO_MAX; i++)
		print("error", strerrorname_np(i) ?: "?", "", totals->errors[i]);
	for (which = 0; which < 2; which++)
		for (i = 1; i <= set_at(which)->max; i++)
			print("named", set_at(which)->rules[i].name, "",
			      totals->named[which][i]);
}
