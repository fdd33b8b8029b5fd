// SPDX-License-Identifier: GPL-2.0
/*
 * Write the agent's spool, ledger and targets as Prometheus metrics: see agent.h.
 *
 * They are a file of their own, beside that of flamectl metrics: that one cannot be written
 * without the module, and then these say what the agent still does.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/disk.h"
#include "base/clock.h"
#include "base/vec.h"
#include "cmd/command.h"
#include "cmd/save.h"
#include "format/prometheus.h"

/* All that is written, read at one moment. */
struct figures {
	struct spool spool;
	struct spool_list list;
	struct cursor *cursors;
	size_t nr, room;
	int64_t now_ns;			/* CLOCK_REALTIME */
	bool runs, paused;
};

static int note_cursor(void *context, const char *name)
{
	struct figures *f = context;

	if (strncmp(name, CURSOR_PREFIX, strlen(CURSOR_PREFIX)))
		return 0;
	if (vec_reserve(f->cursors, f->room, f->nr + 1))
		return -ENOMEM;
	if (!cursor_read_file(f->spool.state, name, &f->cursors[f->nr], NULL))
		f->nr++;
	return 0;
}

static int compare_cursors(const void *left, const void *right)
{
	return strcmp(((const struct cursor *)left)->target,
		      ((const struct cursor *)right)->target);
}

static int read_figures(const struct agent *agent, struct figures *f, struct error *error)
{
	char boot[WINDOW_BOOT];
	struct pause_now now;
	struct pause pause;
	int err = agent_boot(boot, error) ?:
		  spool_open(&f->spool, agent->directory, false, error) ?:
		  spool_list(&f->spool, &f->list, error) ?:
		  spool_pause(&f->spool, &pause, error) ?:
		  disk_each(f->spool.state, note_cursor, f, error);

	if (err == -ENOMEM)
		error_set(error, err, "%s", strerror(-err));
	if (err)
		return err;
	if (f->nr)
		qsort(f->cursors, f->nr, sizeof(*f->cursors), compare_cursors);
	now = agent_pause_now(boot);
	f->paused = pause_is_held(&pause, &now);
	f->now_ns = agent_now(boot).real_ns;
	f->runs = spool_is_owned(&f->spool);
	return 0;
}

/* ---- families ---- */

static void put(struct prometheus *to, const char *name, const char *type, const char *help,
		uint64_t value)
{
	prometheus_family(to, name, type, help);
	prometheus_count(to, value);
}

static void put_ns(struct prometheus *to, const char *name, const char *type,
		   const char *help, uint64_t ns)
{
	prometheus_family(to, name, type, help);
	prometheus_seconds(to, ns);
}

/* How long ago a window was written, which is when it ended. */
static uint64_t age_ns(const struct figures *f, const struct spool_entry *entry)
{
	return f->now_ns > entry->time_ns ? (uint64_t)(f->now_ns - entry->time_ns) : 0;
}

static void put_spool(struct prometheus *to, const struct figures *f)
{
	put(to, "flamemod_agent_up", "gauge", "1 while an agent has the directory.", f->runs);
	put(to, "flamemod_agent_paused", "gauge",
	    "1 while the agent does not sample, because somebody asked it to pause.", f->paused);
	put(to, "flamemod_agent_off_duty", "gauge",
	    "1 in hours in which this host is not sampled.",
	    ledger_is_off_duty(&f->spool.ledger));
	put(to, "flamemod_agent_spool_bytes", "gauge", "Size of all windows on disk.",
	    f->list.bytes);
	put(to, "flamemod_agent_spool_files", "gauge", "Files of windows on disk.",
	    f->list.nr);
	put_ns(to, "flamemod_agent_spool_oldest_seconds", "gauge",
	       "Time since the oldest window on disk was written; 0 if there is none.",
	       f->list.nr ? age_ns(f, &f->list.entries[0]) : 0);
}

/* @name_of: the reasons, by their numbers */
static int put_reasons(struct prometheus *to, const char *name, const char *help,
		       const uint64_t *values, unsigned int nr,
		       const char *(*name_of)(unsigned int reason))
{
	int err = 0;

	prometheus_family(to, name, "counter", help);
	for (unsigned int i = 0; i < nr && !err; i++) {
		err = prometheus_label(to, "reason", name_of(i));
		prometheus_count(to, values[i]);
	}
	return err;
}

static const char *drop_name(unsigned int reason)
{
	return ledger_drop_name((enum ledger_drop)reason);
}

static const char *break_name(unsigned int reason)
{
	return ledger_break_name((enum ledger_break)reason);
}

static int put_ledger(struct prometheus *to, const struct ledger *ledger)
{
	put(to, "flamemod_agent_windows_made_total", "counter", "Windows that were made.",
	    ledger->made);
	put(to, "flamemod_agent_periods_made_total", "counter",
	    "Sampling periods in these windows.", ledger->made_periods);
	put(to, "flamemod_agent_merges_total", "counter",
	    "Times that two windows became one, to keep the size.", ledger->merged);
	put(to, "flamemod_agent_resets_total", "counter",
	    "Times that the agent reset the module.", ledger->resets);
	put(to, "flamemod_agent_pauses_total", "counter", "Pauses that began.",
	    ledger->pauses);
	put_ns(to, "flamemod_agent_paused_seconds_total", "counter",
	       "Time of pauses that are over.", ledger->paused_ns);
	put(to, "flamemod_agent_off_duty_total", "counter",
	    "Times that hours began in which this host is not sampled.", ledger->off_duty);
	put_ns(to, "flamemod_agent_off_duty_seconds_total", "counter",
	       "Time of those hours, as far as they are over.", ledger->off_duty_ns);
	put_ns(to, "flamemod_agent_gap_seconds_total", "counter",
	       "Time between windows of which nothing is known.", ledger->gap_ns);
	put(to, "flamemod_agent_clock_steps_total", "counter",
	    "Times that somebody set the clock.", ledger->clock_steps);
	put(to, "flamemod_agent_lost_cursors_total", "counter",
	    "Cursors that were damaged: their targets got windows once more.",
	    ledger->lost_cursors);
	return put_reasons(to, "flamemod_agent_windows_dropped_total",
			   "Windows that were dropped before all targets had them.",
			   ledger->dropped, LEDGER_DROPS, drop_name) ?:
	       put_reasons(to, "flamemod_agent_periods_dropped_total",
			   "Sampling periods in these windows.",
			   ledger->dropped_periods, LEDGER_DROPS, drop_name) ?:
	       put_reasons(to, "flamemod_agent_breaks_total",
			   "Windows that did not begin where the one before ended.",
			   ledger->breaks, LEDGER_BREAKS, break_name);
}

/* ---- targets ---- */

static uint64_t lag_windows(const struct figures *f, const struct cursor *cursor)
{
	uint64_t lag = 0;

	for (size_t i = 0; i < f->list.nr; i++) {
		const struct window *window = &f->list.entries[i].window;

		if (window->last > cursor->done)
			lag += window->last - window->first + 1;
	}
	return lag;
}

static uint64_t lag_ns(const struct figures *f, const struct cursor *cursor)
{
	for (size_t i = 0; i < f->list.nr; i++)
		if (f->list.entries[i].window.last > cursor->done)
			return age_ns(f, &f->list.entries[i]);
	return 0;
}

static uint64_t success_ns(const struct figures *f, const struct cursor *cursor)
{
	(void)f;
	return cursor->success * NSEC_PER_SEC;
}

static uint64_t failures(const struct figures *f, const struct cursor *cursor)
{
	(void)f;
	return cursor->failures;
}

static int put_gauges(struct prometheus *to, const struct figures *f)
{
	static const struct {
		const char *name, *help;
		uint64_t (*get)(const struct figures *f, const struct cursor *cursor);
		bool is_time;
	} gauges[] = {
		{ "flamemod_agent_target_lag_windows",
		  "Windows on disk that the target does not have.", lag_windows, false },
		{ "flamemod_agent_target_lag_seconds",
		  "Time since the oldest window that the target does not have was written.",
		  lag_ns, true },
		{ "flamemod_agent_target_last_success_timestamp_seconds",
		  "When the target took a window last; 0 for never.", success_ns, true },
		{ "flamemod_agent_target_failures",
		  "Attempts that failed since the target took a window last.", failures, false },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(gauges) / sizeof(gauges[0]); i++) {
		prometheus_family(to, gauges[i].name, "gauge", gauges[i].help);
		for (size_t j = 0; j < f->nr && !err; j++) {
			uint64_t value = gauges[i].get(f, &f->cursors[j]);

			err = prometheus_label(to, "target", f->cursors[j].target);
			if (gauges[i].is_time)
				prometheus_seconds(to, value);
			else
				prometheus_count(to, value);
		}
	}
	return err;
}

/* What became of windows at a target, or of their periods. */
static int put_outcomes(struct prometheus *to, const struct figures *f, bool periods)
{
	int err = 0;

	prometheus_family(to, periods ? "flamemod_agent_target_periods_total" :
					"flamemod_agent_target_windows_total", "counter",
			  periods ? "Sampling periods in windows, by what became of them at the target." :
				    "Windows, by what became of them at the target.");
	for (size_t i = 0; i < f->nr && !err; i++) {
		const struct cursor *c = &f->cursors[i];
		const struct { const char *name; uint64_t windows, periods; } outcomes[] = {
			{ "taken", c->taken, c->taken_periods },
			{ "refused", c->refused, c->refused_periods },
			{ "too-old", c->too_old, c->too_old_periods },
			{ "doubtful", c->doubtful, c->doubtful_periods },
			/* their periods are those that were dropped */
			{ "dropped", c->missed, 0 },
		};
		size_t nr = sizeof(outcomes) / sizeof(outcomes[0]) - periods;

		for (size_t j = 0; j < nr && !err; j++) {
			err = prometheus_label(to, "target", c->target) ?:
			      prometheus_label(to, "outcome", outcomes[j].name);
			prometheus_count(to, periods ? outcomes[j].periods :
						       outcomes[j].windows);
		}
	}
	return err;
}

static int write_metrics(const void *what, FILE *out, struct error *error)
{
	const struct figures *f = what;
	struct prometheus to = { .out = out };
	int err;

	put_spool(&to, f);
	err = put_ledger(&to, &f->spool.ledger);
	/* a family without a series is none */
	if (!err && f->nr)
		err = put_gauges(&to, f) ?: put_outcomes(&to, f, false) ?:
		      put_outcomes(&to, f, true);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

int agent_metrics(const struct agent *agent)
{
	struct figures f = { .spool.limits = SPOOL_LIMITS_DEFAULT };
	struct error error = { "" };
	int err = read_figures(agent, &f, &error);
	int code = err ? command_fail(EXIT_FAILED, "cannot read the agent's directory %.200s: %s",
				      agent->directory, error.text) :
			 save(agent->output, write_metrics, &f);

	free(f.list.entries);
	free(f.cursors);
	spool_close(&f.spool);
	return code;
}
