// SPDX-License-Identifier: GPL-2.0
/*
 * Writing books as Prometheus metrics: see metrics.h.
 *
 * Names are words of the books (docs/design.md) with Prometheus' endings. Each reason why
 * periods were lost is a label, because the sum over reasons is a figure of the books.
 * The ways in which a period passes and ends are families, because a sum over all of them
 * would count each period twice.
 */
#include "format/metrics.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "format/prometheus.h"

/* A figure of the books that each CPU has. */
static const struct figure {
	const char *name, *help;
	size_t at;		/* of the uint64_t in struct profile_books */
} figures[] = {
	{ "flamemod_expected_periods_total",
	  "Sampling periods that have passed by the clock while a CPU was sampled: fires + missed + overdue.",
	  offsetof(struct profile_books, expected) },
	{ "flamemod_fires_total",
	  "Sampling periods for which a CPU's timer fired.",
	  offsetof(struct profile_books, fires) },
	{ "flamemod_missed_periods_total",
	  "Sampling periods that passed without a fire and were counted afterwards.",
	  offsetof(struct profile_books, missed) },
	{ "flamemod_stored_periods_total",
	  "Sampling periods that are in the profile. fires + missed = stored + filtered + lost.",
	  offsetof(struct profile_books, stored) },
	{ "flamemod_filtered_periods_total",
	  "Sampling periods that the settings left out.",
	  offsetof(struct profile_books, filtered) },
	{ "flamemod_asleep_periods_total",
	  "Missed periods in which an idle CPU was left asleep.",
	  offsetof(struct profile_books, asleep) },
	{ "flamemod_late_periods_total",
	  "Missed periods that were counted by a fire that came late.",
	  offsetof(struct profile_books, late) },
	{ "flamemod_stolen_periods_total",
	  "Stored periods that a hypervisor took.",
	  offsetof(struct profile_books, stolen) },
	{ "flamemod_truncated_samples_total",
	  "Samples whose stack was deeper than max-depth.",
	  offsetof(struct profile_books, truncated) },
};

static void put_figure(struct prometheus *to, const struct profile *profile,
		       const struct figure *figure)
{
	uint64_t value;

	prometheus_family(to, figure->name, "counter", figure->help);
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		const struct profile_cpu *cpu = &profile->cpus[i];

		memcpy(&value, (const char *)&cpu->books + figure->at, sizeof(value));
		prometheus_label_number(to, "cpu", cpu->cpu);
		prometheus_count(to, value);
	}
}

static int put_lost(struct prometheus *to, const struct profile *profile)
{
	int err = 0;

	prometheus_family(to, "flamemod_lost_periods_total", "counter",
			  "Sampling periods that could not be stored, by reason.");
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		const struct profile_cpu *cpu = &profile->cpus[i];

		for (unsigned int reason = 0; reason < PROFILE_LOST_MAX && !err; reason++) {
			/* samples have no other reasons */
			if (reason == PROFILE_LOST_OTHER && !cpu->books.lost[reason])
				continue;
			prometheus_label_number(to, "cpu", cpu->cpu);
			err = prometheus_label(to, "reason",
					       profile_lost_name(reason));
			prometheus_count(to, cpu->books.lost[reason]);
		}
	}
	return err;
}

/* What each CPU has besides counts of periods. */
static void put_cpus(struct prometheus *to, const struct profile *profile)
{
	uint32_t i;

	prometheus_family(to, "flamemod_overdue_periods", "gauge",
			  "Sampling periods that are due and whose fire is still to come; of a window, those at its end less those at its start.");
	for (i = 0; i < profile->nr_cpus; i++) {
		prometheus_label_number(to, "cpu", profile->cpus[i].cpu);
		prometheus_signed(to, profile->cpus[i].books.overdue);
	}
	prometheus_family(to, "flamemod_sampled_seconds_total", "counter",
			  "Time in which a CPU was sampled.");
	for (i = 0; i < profile->nr_cpus; i++) {
		prometheus_label_number(to, "cpu", profile->cpus[i].cpu);
		prometheus_seconds(to, profile->cpus[i].sampled_ns);
	}
	prometheus_family(to, "flamemod_sampling", "gauge",
			  "Whether a CPU is being sampled: 1 or 0.");
	for (i = 0; i < profile->nr_cpus; i++) {
		prometheus_label_number(to, "cpu", profile->cpus[i].cpu);
		prometheus_count(to, profile->cpus[i].sampling);
	}
}

static void put_one(struct prometheus *to, const char *name, const char *type,
		    uint64_t value, const char *help)
{
	prometheus_family(to, name, type, help);
	prometheus_count(to, value);
}

static void put_seconds(struct prometheus *to, const char *name, const char *type,
			uint64_t ns, const char *help)
{
	prometheus_family(to, name, type, help);
	prometheus_seconds(to, ns);
}

static int put_info(struct prometheus *to, const struct profile_meta *meta)
{
	int err;

	prometheus_family(to, "flamemod_info", "gauge",
			  "Versions of flamemod and of the kernel, and the host's name; the value is 1.");
	err = prometheus_label(to, "version", meta->module_version) ?:
	      prometheus_label(to, "release", meta->release) ?:
	      prometheus_label(to, "host", meta->host);
	prometheus_count(to, 1);
	return err;
}

static int put_state(struct prometheus *to, const struct profile_meta *meta)
{
	int err = 0;

	prometheus_family(to, "flamemod_state", "gauge",
			  "The state of sampling: 1 for the one that it has, 0 for the others.");
	for (unsigned int i = 0; i < __FLAMEMOD_STATE_MAX && !err; i++) {
		err = prometheus_label(to, "state", profile_state_name(i));
		prometheus_count(to, meta->state == i);
	}
	return err;
}

static int put_session(struct prometheus *to, const struct profile_meta *meta)
{
	int err = put_info(to, meta) ?: put_state(to, meta);

	put_one(to, "flamemod_epoch", "gauge", meta->epoch,
		"Number of the profile that the books are of; a reset starts the next one.");
	if (meta->time_ns > 0)
		put_seconds(to, "flamemod_start_time_seconds", "gauge",
			    (uint64_t)meta->time_ns,
			    "When the books start, in seconds since 1970.");
	put_seconds(to, "flamemod_period_seconds", "gauge", meta->period_ns,
		    "Length of a sampling period.");
	if (meta->memory_limit_bytes) {
		put_one(to, "flamemod_memory_bytes", "gauge", meta->memory_bytes,
			"Memory that the module uses.");
		put_one(to, "flamemod_memory_limit_bytes", "gauge",
			meta->memory_limit_bytes,
			"The most memory that the module uses.");
	}
	return err;
}

static int put_stacks(struct prometheus *to, const struct profile_stacks *stacks)
{
	int err;

	if (!stacks->known)
		return 0;
	prometheus_family(to, "flamemod_stacks_total", "counter",
			  "Kernel stacks that were taken since the module was loaded, by way.");
	err = prometheus_label(to, "way", "learned");
	prometheus_count(to, stacks->learned);
	err = err ?: prometheus_label(to, "way", "unwound");
	prometheus_count(to, stacks->unwound);
	put_one(to, "flamemod_verified_stacks_total", "counter", stacks->verified,
		"Kernel stacks that were taken both ways to compare them.");
	put_one(to, "flamemod_different_stacks_total", "counter",
		stacks->differences,
		"Kernel stacks that differed between the two ways: 0 unless there is a bug.");
	return err;
}

static int put_kept(struct prometheus *to, const struct profile_kept *kept)
{
	int err;

	if (!kept->known)
		return 0;
	put_one(to, "flamemod_kept_epochs", "gauge", kept->epochs,
		"Epochs that were closed by a reset, and that not all readers have had.");
	put_one(to, "flamemod_kept_epochs_bytes", "gauge", kept->bytes,
		"Memory for such epochs; it is free when it is needed.");
	prometheus_family(to, "flamemod_missed_epochs_total", "counter",
			  "Times that a reader did not get a closed epoch, by reason.");
	err = prometheus_label(to, "reason", "expired");
	prometheus_count(to, kept->expired);
	err = err ?: prometheus_label(to, "reason", "reclaimed");
	prometheus_count(to, kept->reclaimed);
	return err;
}

static int put_user_stacks(struct prometheus *to,
			   const struct profile_user_stacks *user)
{
	int err = 0;

	if (!user->known)
		return 0;
	prometheus_family(to, "flamemod_user_stack_periods_total", "counter",
			  "Sampling periods with a user stack, by what became of the stack.");
	for (unsigned int i = 0; i < PROFILE_SAMPLE_SIDES && !err; i++) {
		err = prometheus_label(to, "result", profile_user_side_name(i));
		prometheus_count(to, user->sides[i]);
	}
	put_one(to, "flamemod_user_files", "gauge", user->files,
		"Programs and libraries that user stacks have met.");
	put_one(to, "flamemod_unwind_tables_bytes", "gauge", user->rows_bytes,
		"Memory for the unwind tables of programs and libraries.");
	put_one(to, "flamemod_unwind_tables_limit_bytes", "gauge",
		user->rows_limit_bytes,
		"The most memory for the unwind tables of programs and libraries.");
	return err;
}

static void put_pauses(struct prometheus *to, const struct profile_meta *meta)
{
	const struct profile_pauses *pauses = &meta->pauses;

	if (!pauses->nr_callbacks)
		return;
	put_seconds(to, "flamemod_longest_callback_seconds", "gauge",
		    pauses->callback_ns_max,
		    "Longest callback of the timer since the module was loaded.");
	put_seconds(to, "flamemod_longest_swap_seconds", "gauge",
		    pauses->swap_ns_max,
		    "Longest time with interrupts off for a swap of tables since the module was loaded.");
	put_seconds(to, "flamemod_longest_forget_seconds", "gauge",
		    pauses->forget_ns_max,
		    "Longest time with interrupts off to forget a kernel module's text since the module was loaded.");
	put_one(to, "flamemod_stalls_total", "counter", meta->stalls.nr,
		"Times of a second or more in which a CPU did not run, since the module was loaded.");
}

int metrics_write(const struct profile *profile, FILE *out, struct error *error)
{
	struct prometheus to = { .out = out };
	int err;

	if (profile_is_imported(&profile->meta))
		return error_set(error, -EINVAL, "it is another tool's profile, in which periods of a timer were not counted");
	if (profile->meta.intervals.known)
		return error_set(error, -EINVAL, "it is the event %.100s, which is not counted in periods of a timer: only samples have metrics",
				 profile_event(&profile->meta));
	err = put_session(&to, &profile->meta);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		put_figure(&to, profile, &figures[i]);
	err = err ?: put_lost(&to, profile);
	put_cpus(&to, profile);
	err = err ?: put_kept(&to, &profile->meta.kept) ?:
	      put_stacks(&to, &profile->meta.stacks) ?:
	      put_user_stacks(&to, &profile->meta.user_stacks);
	put_pauses(&to, &profile->meta);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
