// SPDX-License-Identifier: GPL-2.0
/*
 * Print what is in the agent's spool: see agent.h.
 */
#include "cmd/agent.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/disk.h"
#include "base/number.h"
#include "base/utf8.h"
#include "cmd/command.h"
#include "profile/origin.h"

__attribute__((format(printf, 2, 3)))
static void line(const char *name, const char *format, ...)
{
	va_list args;

	printf("%-10s ", name);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void print_windows(const struct spool_list *list)
{
	char from[ORIGIN_DATE], to[ORIGIN_DATE];
	const struct window *first;
	int64_t from_ns;

	line("spool", "%zu file%s, %" PRIu64 " kB", list->nr, list->nr == 1 ? "" : "s",
	     (list->bytes + 1023) / 1024);
	if (!list->nr)
		return;
	/* a file is written when its window ends */
	first = &list->entries[0].window;
	from_ns = list->entries[0].time_ns - (int64_t)(first->end_ns - first->begin_ns);
	line("time", "%s to %s", origin_time(from, from_ns),
	     origin_time(to, list->entries[list->nr - 1].time_ns));
}

static void print_pause(struct spool *spool, struct error *error)
{
	char left[DURATION_TEXT], boot[WINDOW_BOOT];
	struct pause pause;
	struct pause_now now;
	uint64_t ns;

	if (agent_boot(boot, error) || spool_pause(spool, &pause, error))
		return;
	now = agent_pause_now(boot);
	ns = pause_left_ns(&pause, &now);
	if (ns)
		line("pause", "%s for %s more%s", pause.begun ? "it does not sample" :
		     "asked for", duration_text(left, ns),
		     pause.shared ? "; others do" : "");
	else if (pause_is_held(&pause, &now))
		line("pause", "over, but the agent has not gone on yet");
}

static void print_duty(const struct ledger *ledger)
{
	char time[DURATION_TEXT];

	if (!ledger->off_duty)
		return;
	line("duty", "%s; off %" PRIu64 " time%s, in which %s were not sampled",
	     ledger_is_off_duty(ledger) ? "it does not sample in this hour" :
					  "it samples in this hour", ledger->off_duty,
	     ledger->off_duty == 1 ? "" : "s", duration_text(time, ledger->off_duty_ns));
}

static void print_ledger(const struct ledger *ledger)
{
	char gap[DURATION_TEXT];
	uint64_t dropped = 0;

	line("windows", "%" PRIu64 " made, with %" PRIu64 " periods; merged %" PRIu64 " time%s",
	     ledger->made, ledger->made_periods, ledger->merged,
	     ledger->merged == 1 ? "" : "s");
	for (size_t i = 0; i < LEDGER_DROPS; i++)
		dropped += ledger->dropped[i];
	line("dropped", "%" PRIu64 " window%s", dropped, dropped == 1 ? "" : "s");
	for (enum ledger_drop i = 0; i < LEDGER_DROPS; i++)
		if (ledger->dropped[i])
			line("", "%s: %" PRIu64 ", with %" PRIu64 " periods",
			     ledger_drop_name(i), ledger->dropped[i],
			     ledger->dropped_periods[i]);
	line("resets", "%" PRIu64 " of the module by the agent", ledger->resets);
	for (enum ledger_break i = LEDGER_BREAK_BOOT; i < LEDGER_BREAKS; i++)
		if (ledger->breaks[i])
			line("breaks", "%s: %" PRIu64, ledger_break_name(i), ledger->breaks[i]);
	if (ledger->gap_ns)
		line("gaps", "%s between windows, of which nothing is known",
		     duration_text(gap, ledger->gap_ns));
	if (ledger->pauses)
		line("pauses", "%" PRIu64 ", in which %s were not sampled", ledger->pauses,
		     duration_text(gap, ledger->paused_ns));
	if (ledger->clock_steps)
		line("clock", "set %" PRIu64 " time%s", ledger->clock_steps,
		     ledger->clock_steps == 1 ? "" : "s");
}

struct cursors {
	const struct spool *spool;
	const struct spool_list *list;
};

static void print_cursor(const struct cursor *cursor, const struct spool_list *list)
{
	char date[ORIGIN_DATE];
	size_t waits = 0;

	for (size_t i = 0; i < list->nr; i++)
		waits += list->entries[i].window.last > cursor->done;
	printf("%-10s ", "target");
	utf8_print(cursor->target, stdout);
	putchar('\n');
	line("", "has %" PRIu64 " windows, with %" PRIu64 " periods; %zu file%s wait%s",
	     cursor->taken, cursor->taken_periods, waits, waits == 1 ? "" : "s",
	     waits == 1 ? "s" : "");
	if (cursor->success)
		line("", "last success at %s",
		     origin_time(date, (int64_t)cursor->success * 1000000000));
	if (cursor->refused)
		line("", "refused %" PRIu64 ", with %" PRIu64 " periods", cursor->refused,
		     cursor->refused_periods);
	if (cursor->too_old)
		line("", "too old for it %" PRIu64 ", with %" PRIu64 " periods",
		     cursor->too_old, cursor->too_old_periods);
	if (cursor->doubtful)
		line("", "may have %" PRIu64 " more, with %" PRIu64 " periods",
		     cursor->doubtful, cursor->doubtful_periods);
	if (cursor->missed)
		line("", "did not get %" PRIu64 ", which were dropped", cursor->missed);
	if (!cursor->failures)
		return;
	printf("%-10s %" PRIu64 " attempt%s failed since then: ", "", cursor->failures,
	       cursor->failures == 1 ? "" : "s");
	utf8_print(cursor->error, stdout);
	putchar('\n');
}

static int print_target(void *context, const char *name)
{
	const struct cursors *cursors = context;
	struct cursor cursor;

	if (!strncmp(name, CURSOR_PREFIX, strlen(CURSOR_PREFIX)) &&
	    !cursor_read_file(cursors->spool->state, name, &cursor, NULL))
		print_cursor(&cursor, cursors->list);
	return 0;
}

static void print_agent(const struct agent *agent, const struct spool *spool)
{
	printf("%-10s ", "directory");
	utf8_print(agent->directory, stdout);
	putchar('\n');
	line("agent", "%s", spool_is_owned(spool) ? "runs" : "does not run");
}

int agent_status(const struct agent *agent)
{
	struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
	struct spool_list list = { .nr = 0 };
	struct error error;
	int err = spool_open(&spool, agent->directory, false, &error) ?:
		  spool_list(&spool, &list, &error);

	if (!err) {
		print_agent(agent, &spool);
		print_pause(&spool, &error);
		print_duty(&spool.ledger);
		print_windows(&list);
		print_ledger(&spool.ledger);
		err = disk_each(spool.state, print_target,
				&(struct cursors){ &spool, &list }, &error);
	}
	free(list.entries);
	spool_close(&spool);
	return err ? command_fail(EXIT_FAILED, "cannot read the agent's directory %.200s: %s",
				  agent->directory, error.text) : command_printed(EXIT_DONE);
}
