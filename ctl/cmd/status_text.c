// SPDX-License-Identifier: GPL-2.0
/*
 * The status of a session as text: see status_text.h.
 */
#include "cmd/status_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/number.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "base/weight.h"
#include "profile/advice.h"
#include "profile/books.h"
#include "profile/inclusion.h"
#include "profile/intervals.h"
#include "profile/origin.h"
#include "profile/settings.h"
#include "profile/threshold.h"
#include "view/svg/text.h"

__attribute__((format(printf, 3, 4)))
static void line(FILE *out, const char *name, const char *format, ...)
{
	va_list args;

	fprintf(out, "%-10s ", name);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputc('\n', out);
}

/* Print a text from the kernel, cleaned for a terminal. */
static void text_line(FILE *out, const char *name, const char *text)
{
	if (!*text)
		return;
	fprintf(out, "%-10s ", name);
	utf8_print(text, out);
	fputc('\n', out);
}

/* Print which CPUs are isolated, and whether they are sampled. */
static void print_isolated(const struct profile_meta *meta, FILE *out)
{
	uint32_t nr = meta->nr_isolated;
	const char *is = nr == 1 ? "is" : "are";

	if (!nr)
		return;
	if (*meta->isolated)
		fprintf(out, "%-10s CPU%s %s %s", "isolated", nr == 1 ? "" : "s",
			meta->isolated, is);
	else
		fprintf(out, "%-10s %" PRIu32 " CPUs are", "isolated", nr);
	fprintf(out, " isolated (isolcpus=, nohz_full=) and %s\n",
		*meta->settings.cpus ? "sampled only if named by cpus" :
		"not sampled: flamectl start -C all samples all CPUs");
}

static void print_settings(const struct profile *profile, FILE *out)
{
	const struct profile_settings *settings = &profile->meta.settings;
	char pids[256];

	settings_value(settings, FLAMEMOD_A_SETTINGS_PIDS, pids, sizeof(pids));
	if (settings->max_depth)
		line(out, "max-depth", "%" PRIu32 " frames", settings->max_depth);
	if (settings->exclude_idle)
		line(out, "idle", "left out");
	if (settings->kernel_only)
		line(out, "user mode", "left out");
	if (*pids)
		line(out, "pids", "only %s", pids);
	text_line(out, "cpus", settings->cpus);
	print_isolated(&profile->meta, out);
	if (settings->followed_only)
		line(out, "followed", "only the command, its threads and all that they created");
	else if (profile->meta.followed)
		line(out, "followed", "process %" PRIu32 ", its threads and all that they create, in addition to all others",
		     profile->meta.followed);
}

/* Print what is kept of epochs that were reset, and what readers missed of such. */
static void print_kept(const struct profile_kept *kept, FILE *out)
{
	if (kept->epochs)
		line(out, "kept", "%" PRIu64 " closed epoch%s, for readers that follow them (%" PRIu64
		     "), in %.1f MiB", kept->epochs, kept->epochs == 1 ? "" : "s",
		     kept->readers, (double)kept->bytes / (1 << 20));
	if (kept->expired)
		line(out, "missed", "%" PRIu64 " times a reader did not get a closed epoch: it did not ask for 5 minutes",
		     kept->expired);
	if (kept->reclaimed)
		line(out, "missed", "%" PRIu64 " times a reader did not get a closed epoch: its memory was needed; load with a larger aggregate_kb",
		     kept->reclaimed);
}

static void print_stacks(const struct profile_stacks *stacks, FILE *out)
{
	uint64_t all = stacks->learned + stacks->unwound;
	char share[PERCENT_TEXT];

	if (stacks->differences)
		line(out, "stacks", "%" PRIu64
		     " by learned steps differed from the kernel's unwinder: learned steps are no longer used; please report this with the kernel's version",
		     stacks->differences);
	else if (stacks->known && all)
		line(out, "stacks", "%s %% by learned steps, %" PRIu64
		     " compared with the kernel's unwinder, none different",
		     percent_text(share, stacks->learned, all),
		     stacks->verified);
}

static void print_user_stacks(const struct profile_meta *meta, bool live, FILE *out)
{
	const struct profile_user_stacks *user = &meta->user_stacks;
	uint64_t all = 0;
	char share[PERCENT_TEXT];

	for (unsigned int i = 0; i < PROFILE_SAMPLE_SIDES && user->known; i++)
		all += user->sides[i];
	if (live && !meta->settings.user_stacks && !meta->settings.kernel_only)
		line(out, "user", all ? "user stacks are off now; the profile has some" :
		     "user stacks are off: what is sampled in user mode is [user]");
	if (!user->known)
		return;
	if (!all) {
		if (meta->settings.user_stacks)
			line(out, "user", "user stacks are on; the profile has none");
		return;
	}
	line(out, "user", "%s %% of %" PRIu64 " periods with a user stack have it whole",
	     percent_text(share, user->sides[FLAMEMOD_USER_WHOLE], all), all);
	for (unsigned int i = FLAMEMOD_USER_WHOLE + 1; i < PROFILE_SAMPLE_SIDES; i++)
		if (user->sides[i])
			line(out, "", "%s %% %s (%" PRIu64 ")",
			     percent_text(share, user->sides[i], all),
			     profile_user_side_name(i), user->sides[i]);
	line(out, "", "%" PRIu64 " programs and libraries, %.1f of %.1f MiB for their unwind tables",
	     user->files, (double)user->rows_bytes / (1 << 20),
	     (double)user->rows_limit_bytes / (1 << 20));
}

/*
 * Return: the time in microseconds that so many percent of callbacks stay
 * below.
 */
static double callbacks_below_us(const struct profile_pauses *pauses,
				 unsigned int percent)
{
	double all = 0, below = 0;
	uint32_t i;

	for (i = 0; i < pauses->nr_callbacks; i++)
		all += (double)pauses->callbacks[i];
	for (i = 0; i < pauses->nr_callbacks; i++) {
		below += (double)pauses->callbacks[i];
		if (below * 100 >= all * percent)
			break;
	}
	return ldexp(1, (int)i + 1) / 1e3;
}

static void print_pauses(const struct profile_pauses *pauses, FILE *out)
{
	if (!pauses->callback_ns_max)
		return;
	line(out, "pauses", "half of the callbacks below %.1f us, 99 %% below %.1f us, the longest %.1f us",
	     callbacks_below_us(pauses, 50), callbacks_below_us(pauses, 99),
	     (double)pauses->callback_ns_max / 1e3);
	line(out, "", "at most %.1f us for a swap of tables, %.1f us to forget a module's text",
	     (double)pauses->swap_ns_max / 1e3,
	     (double)pauses->forget_ns_max / 1e3);
}

/*
 * If not, the unit is printed on its own line: another program's may be any
 * text.
 */
static bool counts_periods(const struct profile *profile)
{
	return !strcmp(profile_unit(&profile->meta), "periods");
}

static void print_session(const struct profile *profile, bool live, FILE *out)
{
	const struct profile_meta *meta = &profile->meta;
	char sampled[DURATION_TEXT], machine[ORIGIN_TEXT], date[ORIGIN_DATE];
	char fact[THRESHOLD_FACT], hours[INCLUSION_FACT];

	/* another tool's profile has no session of the module */
	if (profile_is_imported(meta))
		line(out, "imported", "another tool's: nothing is known of its losses");
	else
		line(out, live ? "state" : "was", "%s",
		     profile_state_name(meta->state));
	if (counts_periods(profile))
		line(out, "rate", "%" PRIu32 " Hz, a period is %" PRIu64 " ns",
		     meta->settings.hz, meta->period_ns);
	else
		text_line(out, "weights", profile_unit(meta));
	text_line(out, "event", *meta->event ? meta->event : profile_event(meta));
	if (meta->resolution_ns > 1)
		line(out, "timers", "of low resolution, %" PRIu64
		     " ns: no rate above %" PRIu64 " Hz, and samples come late; boot with highres=on",
		     meta->resolution_ns, 1000000000 / meta->resolution_ns);
	if (meta->duration_ns || !profile_is_imported(meta))
		line(out, "sampled", "%s",
		     duration_text(sampled, meta->duration_ns));
	print_settings(profile, out);
	if (meta->memory_limit_bytes)
		line(out, "memory", "%.1f of at most %.1f MiB",
		     (double)meta->memory_bytes / (1 << 20),
		     (double)meta->memory_limit_bytes / (1 << 20));
	print_kept(&meta->kept, out);
	print_stacks(&meta->stacks, out);
	print_user_stacks(meta, live, out);
	if (meta->irqs_off == PROFILE_IRQS_OFF_UNMARKED)
		line(out, "irqs-off", "not recognised: what is late is [stalled] below its function; on arm64 boot with irqchip.gicv3_pseudo_nmi=0");
	print_pauses(&meta->pauses, out);
	text_line(out, "rows", threshold_fact(fact, meta));
	text_line(out, "hours", inclusion_fact(hours, meta));
	text_line(out, "module", meta->module_version);
	text_line(out, "kernel", meta->release);
	text_line(out, "machine", origin_machine(machine, &meta->origin));
	if (live)
		return;
	text_line(out, "host", meta->host);
	text_line(out, "date", origin_date(date, meta));
	text_line(out, "command", meta->origin.command);
	text_line(out, "by", meta->origin.cmdline);
}

/* Another tool's profile: print what is known of its samples. */
static void print_read(const struct profile *profile, FILE *out)
{
	char text[BOOKS_READ_MAX], name[24];

	fputc('\n', out);
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		snprintf(name, sizeof(name), "cpu %" PRIu32, profile->cpus[i].cpu);
		line(out, name, "%s", books_read(&profile->cpus[i].books, text));
	}
	line(out, "all", "%s", books_read(&profile->books, text));
}

static void print_row(const char *name, const struct profile_books *books,
		      FILE *out)
{
	fprintf(out, "%-10s %11" PRIu64 " %11" PRIu64 " %9" PRIu64 " %11" PRIu64
		" %11" PRIu64 " %9" PRIu64 "\n", name, books->expected,
		books->fires, books->missed, books->stored, books->filtered,
		profile_lost(books));
}

/* Print lost periods by reason, with what to do about each. */
static void print_lost(const struct profile *profile, FILE *out)
{
	char advice[ADVICE_MAX];

	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!profile->books.lost[i])
			continue;
		fprintf(out, "%*" PRIu64 " lost: %s", 62 + 6,
			profile->books.lost[i], profile_lost_name(i));
		if (advice_lost(&profile->meta, i, advice, sizeof(advice)))
			fprintf(out, ": %s", advice);
		fputc('\n', out);
	}
}

/*
 * Sum the CPUs overdue at the end and at the start apart: one may hide the
 * other.
 */
static void print_overdue(const struct profile *profile, FILE *out)
{
	uint64_t at_end = 0, at_begin = 0;
	uint32_t i;

	for (i = 0; i < profile->nr_cpus; i++) {
		int64_t overdue = profile->cpus[i].books.overdue;

		if (overdue > 0)
			at_end += (uint64_t)overdue;
		else
			at_begin -= (uint64_t)overdue;
	}
	if (at_end)
		fprintf(out, "%" PRIu64 " of the expected periods are overdue: they count when their fires come\n",
			at_end);
	if (at_begin)
		fprintf(out, "%" PRIu64 " periods were overdue at the start, and are counted here\n",
			at_begin);
}

/* Print how much passed before late fires, and what is known about it. */
static void print_late(const struct profile *profile, FILE *out)
{
	const struct profile_books *books = &profile->books;

	if (books->late)
		fprintf(out, "%" PRIu64 " of the missed periods are late: their fire came after them; --drop-late leaves them out of a view\n",
			books->late);
	if (books->late && profile->meta.steal == PROFILE_STEAL_NONE)
		fputs("this machine has no steal clock: [stalled] is what a hypervisor may have taken\n",
		      out);
	if (books->stolen)
		fprintf(out, "%" PRIu64 " of the stored periods were stolen by a hypervisor\n",
			books->stolen);
}

/* Print when and for how long CPUs did not run; @now_ns: of CLOCK_REALTIME. */
static void print_stalls(const struct profile_meta *meta, int64_t now_ns, FILE *out)
{
	const struct profile_stalls *stalls = &meta->stalls;
	char date[ORIGIN_DATE];

	for (unsigned int i = 0; i < stalls->nr_listed; i++) {
		const struct profile_stall *stall = &stalls->list[i];

		fprintf(out, "cpu %" PRIu32 " stood still for %.3f s from %s\n",
			stall->cpu, (double)stall->ns / 1e9,
			origin_time(date, now_ns - (int64_t)(meta->instant_ns -
							      stall->from_ns)));
	}
	if (stalls->nr > stalls->nr_listed)
		fprintf(out, "%" PRIu64 " earlier times of a second or more are not listed\n",
			stalls->nr - stalls->nr_listed);
}

/* Print to which tasks an event is attached. */
static void print_tasks(const struct profile_attached *attached, FILE *out)
{
	if (attached->followed)
		fputs("the process that is followed", out);
	else if (!attached->nr_pids)
		fputs("all tasks", out);
	for (uint32_t i = 0; i < attached->nr_pids && !attached->followed; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : attached->nr_pids > 1 ? "processes " :
			"process ", attached->pids[i]);
}

/* Print what is wrong with an event that is attached. */
static void print_ended(const struct profile_attached *attached, FILE *out)
{
	char after[DURATION_TEXT];

	if (attached->broken)
		fputs("; it found an inconsistency and stopped: see the kernel log", out);
	if (attached->suspended_ns)
		fprintf(out, "; suspended after %s, as it took more than a quarter of a CPU",
			duration_text(after, attached->suspended_ns > attached->since_ns ?
				      attached->suspended_ns - attached->since_ns : 0));
}

/* Print what part of an event's weight with a user stack has what outcome. */
static void print_sides(const struct profile_attached *attached, FILE *out)
{
	char share[PERCENT_TEXT];
	uint64_t all = 0;

	for (unsigned int i = 0; i < __FLAMEMOD_USER_MAX; i++)
		all += attached->sides[i];
	if (!all)
		return;
	fputs("; user stacks:", out);
	for (unsigned int i = 0, nr = 0; i < __FLAMEMOD_USER_MAX; i++)
		if (attached->sides[i])
			fprintf(out, "%s %s %% %s", nr++ ? "," : "",
				percent_text(share, attached->sides[i], all),
				profile_user_side_name(i));
}

/* Print the events that one program has attached now. */
static void print_attached(const struct profile_meta *meta, FILE *out)
{
	char seen[WEIGHT_TEXT], stored[WEIGHT_TEXT], lasted[DURATION_TEXT];
	uint32_t pid = clients_pid(meta);

	for (unsigned int i = 0; i < ATTACHED_MAX; i++) {
		const struct profile_attached *attached = &meta->attached[i];
		const char *what = i < FLAMEMOD_SOURCE_FIRST ? "intervals" : "hits";
		const char *unit = intervals_unit(attached);
		uint64_t lost = 0;

		if (!attached->known)
			continue;
		for (unsigned int j = 0; j < __FLAMEMOD_EVENT_LOST_MAX; j++)
			lost += attached->hits.lost[j];
		utf8_print(attached->name, out);
		fprintf(out, "%*s attached",
			strlen(attached->name) < 10 ? 10 - (int)strlen(attached->name) : 0, "");
		if (pid)
			fprintf(out, " by process %" PRIu32, pid);
		fprintf(out, " for %s to ", duration_text(lasted, meta->instant_ns > attached->since_ns ?
				      meta->instant_ns - attached->since_ns : 0));
		print_tasks(attached, out);
		fputs(": seen ", out);
		/* without weights, hits are all that is counted */
		if (strcmp(unit, "count"))
			fputs(weight_text(seen, attached->weight.seen, unit), out);
		if (strcmp(unit, "count") && !weight_is_time(unit)) {
			fputc(' ', out);
			utf8_print(unit, out);
		}
		fprintf(out, "%s%" PRIu64 " %s, stored %s, lost %" PRIu64 " %s",
			strcmp(unit, "count") ? " in " : "", attached->hits.seen, what,
			weight_text(stored, attached->weight.stored, unit), lost, what);
		print_sides(attached, out);
		print_ended(attached, out);
		fputc('\n', out);
	}
}

/* An event: its books are of weights. Print what to do about what was lost, too. */
static void print_intervals(const struct profile *profile, FILE *out)
{
	char text[INTERVALS_TEXT], advice[ADVICE_ALL_MAX];

	fprintf(out, "\n%s\n", intervals_books(text, profile));
	fprintf(out, "%s\n", intervals_fact(text, profile));
	if (advice_all(profile, advice))
		fprintf(out, "%s\n", advice);
}

static void print_books(const struct profile *profile, FILE *out)
{
	char name[24];
	uint32_t i;

	if (profile->meta.intervals.known) {
		print_intervals(profile, out);
		return;
	}
	if (profile_is_imported(&profile->meta)) {
		print_read(profile, out);
		return;
	}
	fprintf(out, "\n%-10s %11s %11s %9s %11s %11s %9s\n",
		counts_periods(profile) ? "periods" : "",
		"expected", "fires", "missed", "stored", "filtered", "lost");
	for (i = 0; i < profile->nr_cpus; i++) {
		snprintf(name, sizeof(name), "cpu %" PRIu32 "%s",
			 profile->cpus[i].cpu,
			 profile->cpus[i].sampling ||
			 profile->meta.state != FLAMEMOD_STATE_RUNNING ?
			 "" : " off");
		print_row(name, &profile->cpus[i].books, out);
	}
	print_row("all", &profile->books, out);
	print_lost(profile, out);
	if (profile->books.asleep)
		fprintf(out, "%" PRIu64 " of the missed periods: an idle CPU was left asleep\n",
			profile->books.asleep);
	print_late(profile, out);
	print_overdue(profile, out);
	if (profile->books.truncated)
		fprintf(out, "%" PRIu64 " samples had stacks deeper than max-depth\n",
			profile->books.truncated);
}

/* Print the other events of a file, which are not shown. */
static void print_events(const struct events *events, FILE *out)
{
	char amount[SVG_AMOUNT_MAX];

	if (events->nr < 2)
		return;
	for (unsigned int i = 0; i < events->nr; i++) {
		const struct event *event = &events->list[i];
		const struct profile *profile = event->profile;

		fprintf(out, "%-10s ", i ? "" : "events");
		utf8_print(event->name, out);
		fputs(": ", out);
		utf8_print(svg_format_amount(amount, profile->books.stored,
					     profile_unit(&profile->meta)), out);
		fprintf(out, "%s\n", i ? "" : ", shown here; the others by --event NAME");
	}
}

void status_text_write(const struct events *events, const struct clients *others,
		       int64_t now_ns, FILE *out)
{
	const struct profile *profile = events->list[0].profile;

	print_session(profile, others != NULL, out);
	print_events(events, out);
	print_books(profile, out);
	if (others)
		print_attached(&profile->meta, out);
	for (unsigned int i = 0; others && i < others->nr; i++)
		print_attached(&others->list[i]->meta, out);
	print_stalls(&profile->meta, now_ns, out);
}
