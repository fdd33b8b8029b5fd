// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the made-up module: see fake.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/settings.h"
#include "profile/task_state.h"
#include "wire/nl.h"
#include "fake.h"

struct fake_events fake_events;

/* What else is attached, by this program; how often all were dumped. */
static struct probe probes[PROBES_MAX];
static unsigned int nr_probes;
static unsigned int event_dumps;

static const struct {
	const char *stack;
	enum flamemod_task_state state;	/* TASK_WAITING is an event of its own */
	uint64_t ns;
} intervals[] = {
	{ "asm_entry;do_syscall_64;futex_wait;schedule", FLAMEMOD_TASK_STATE_SLEEPING, 600000000 },
	{ "asm_entry;do_syscall_64;futex_wait;schedule", TASK_WAITING, 50000000 },
	{ "asm_entry;do_syscall_64;ksys_read;vfs_read;io_schedule", FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE, 250000000 },
	{ "asm_entry;irqentry_exit;schedule", FLAMEMOD_TASK_STATE_PREEMPTED, 20000 },
};

#define RAN_NS	99980000

static void tell_operand(const struct probe_operand *operand)
{
	fprintf(stderr, "%s@%u+%u%s", operand->name, operand->arg ?: operand->offset,
		operand->bytes, operand->is_signed ? "s" : "");
}

static void tell_probe(const struct probe *probe)
{
	if (!getenv("FAKE_TELLS"))
		return;
	fprintf(stderr, "probe %s kind %d target %s config %u unit %s min %lu", probe->name,
		probe->kind, probe->target, probe->config, probe->unit,
		(unsigned long)probe->min_ns);
	if (probe->has_weight) {
		fputs(" weight ", stderr);
		tell_operand(&probe->weight);
	}
	for (unsigned int i = 0; i < probe->nr_conditions; i++) {
		fputs(" if ", stderr);
		tell_operand(&probe->conditions[i].operand);
		fprintf(stderr, " %d %ld", probe->conditions[i].compare,
			(long)probe->conditions[i].value);
	}
	fputc('\n', stderr);
}

int nl_attach(struct nl *nl, const struct nl_source *source, struct error *error)
{
	(void)nl;
	if (fake_events.is_old)
		return error_set(error, -EPROTONOSUPPORT, "the loaded module is older than this flamectl and has no events");
	if (fake_events.is_others)
		return error_set(error, -EBUSY, "events: another socket has some attached");
	if (fake_events.has_no_waiting && source->events & 1U << FLAMEMOD_EVENT_WAITING)
		return error_set(error, -EOPNOTSUPP, "waiting: this kernel has no CONFIG_SCHED_INFO");
	must(!fake_events.attached && !nr_probes && (source->events || source->nr_probes));
	fake_events.attached = source->events;
	nr_probes = source->nr_probes;
	if (nr_probes)
		memcpy(probes, source->probes, nr_probes * sizeof(*probes));
	for (unsigned int i = 0; i < nr_probes; i++)
		tell_probe(&probes[i]);
	if (getenv("FAKE_TELLS") && (source->events || source->states))
		fprintf(stderr, "attach events %x min-us %u states %x pids %u followed %d\n",
			source->events, source->min_us, source->states, source->nr_pids,
			source->followed);
	return 0;
}

int nl_detach(struct nl *nl, struct error *error)
{
	(void)nl;
	(void)error;
	must(fake_events.attached || nr_probes);
	fake_events.attached = 0;
	nr_probes = 0;
	return 0;
}

static void add_interval(struct profile *profile, const char *stack, const char *leaf,
			 uint64_t count, uint64_t ns)
{
	struct profile_cpu cpu = { .books = { .expected = ns, .fires = ns, .stored = ns } };
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_TASK, .count = count, .periods = ns,
	};
	struct profile *sampled = total;
	uint32_t frame;

	if (!ns)
		return;
	/* add_stack_above() adds to the samples' profile */
	total = profile;
	record.node = *stack ? add_stack_above(0, stack) : 0;
	total = sampled;
	if (leaf)
		must(!profile_add_frame(profile, leaf, FLAMEMOD_FRAME_MARK, &frame) &&
		     !profile_add_node(profile, record.node, frame, &record.node));
	must(!profile_add_task(profile, 1, 1, "cat", &record.task) &&
	     !profile_add_record(profile, &record) && !profile_add_cpu(profile, &cpu));
	profile->meta.intervals.seen += count;
}

static struct profile *new_event(const char *name)
{
	struct profile *profile = profile_create();

	must(profile);
	profile->meta = total->meta;
	profile->meta.period_ns = 1;
	profile->meta.epoch = 7;
	profile->meta.settings.hz = 0;
	profile->meta.begin_ns = profile->meta.since_ns;
	profile->meta.instant_ns = now_ns();
	profile->meta.duration_ns = event_dumps * UINT64_C(1000000000);
	profile->meta.intervals.known = true;
	strcpy(profile->meta.weight_type, name);
	return profile;
}

/* Lose a weight of 1000 for each reason that the books have, and one hit without a weight. */
static void lose(struct profile *profile)
{
	uint64_t weight = event_dumps * UINT64_C(1000), nr = 0;
	struct profile_cpu cpu = { .books = { .expected = 3 * weight, .fires = 3 * weight } };

	if (!fake_events.loses)
		return;
	for (unsigned int i = 0; i <= FLAMEMOD_EVENT_LOST_NO_SLOT; i++)
		nr += profile->meta.intervals.lost[i] = event_dumps;
	for (unsigned int i = 0; i < FLAMEMOD_EVENT_LOST_NO_SLOT; i++)
		cpu.books.lost[i] = weight;
	must(!profile_add_cpu(profile, &cpu));
	profile->meta.intervals.seen += nr;
}

/* Each dump finds that "cat" caused each event 10 times more, with a weight of 40960. */
static int add_probes(struct events *events)
{
	int err = 0;

	for (unsigned int i = 0; i < nr_probes && !err; i++) {
		const struct probe *probe = &probes[i];
		struct profile *profile = new_event(probe->name);
		struct profile_attached *now = &profile->meta.attached[FLAMEMOD_SOURCE_FIRST + i];
		uint64_t weight = probe->has_weight || probe->kind == PROBE_LATENCY ? 4096 : 1;

		profile->meta.intervals.of_hits = true;
		profile->meta.period_ns = !strcmp(probe->unit, "nanoseconds");
		if (!profile->meta.period_ns)
			strcpy(profile->meta.weight_unit, probe->unit);
		now->known = true;
		now->since_ns = 1000000000;
		now->suspended_ns = fake_events.is_suspended ? 1250000000 : 0;
		strcpy(now->name, probe->name);
		add_interval(profile, "asm_entry;do_syscall_64;ksys_read;vfs_read", NULL,
			     event_dumps * UINT64_C(9), event_dumps * UINT64_C(9) * weight);
		add_interval(profile, "asm_entry;do_syscall_64;ksys_pread64;vfs_read", NULL,
			     event_dumps, event_dumps * weight);
		if (probe->kind == PROBE_LATENCY)
			profile->meta.intervals.powers[12] = event_dumps * UINT64_C(10);
		lose(profile);
		err = events_add(events, probe->name, profile);
	}
	return err;
}

int nl_dump_events(struct nl *nl, struct events *events, struct error *error)
{
	struct profile *off, *ran;

	(void)nl;
	(void)error;
	events->nr = 0;
	if (!fake_events.attached && !nr_probes)
		return 0;
	event_dumps++;
	if (!fake_events.attached)
		return add_probes(events);
	off = new_event("off-cpu");
	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++)
		if (intervals[i].state != TASK_WAITING ||
		    fake_events.attached & 1U << FLAMEMOD_EVENT_WAITING)
			add_interval(off, intervals[i].stack,
				     task_state_leaf(intervals[i].state),
				     event_dumps * (i + 1), event_dumps * intervals[i].ns);
	lose(off);
	off->meta.intervals.no_waiting = !(fake_events.attached & 1U << FLAMEMOD_EVENT_WAITING);
	must(!events_add(events, "off-cpu", off));
	if (!(fake_events.attached & 1U << FLAMEMOD_EVENT_RAN))
		return add_probes(events);
	ran = new_event("ran");
	add_interval(ran, "", NULL, event_dumps, (uint64_t)event_dumps * RAN_NS);
	return events_add(events, "ran", ran) ?: add_probes(events);
}

int nl_dump_ended(struct nl *nl, struct events *events, struct error *error)
{
	return nl_dump_events(nl, events, error);
}

int nl_dump_events_of(struct nl *nl, uint32_t epoch, struct events *events,
		      struct error *error)
{
	must(!epoch);
	return nl_dump_events(nl, events, error);
}

bool nl_attached(const struct nl *nl)
{
	(void)nl;
	return !fake_events.is_others && (fake_events.attached || nr_probes);
}

/* There are no other clients. */
int nl_status_of(struct nl *nl, uint32_t epoch, struct profile **profile,
		 struct error *error)
{
	(void)nl;
	(void)epoch;
	(void)profile;
	return error_set(error, -ENODATA, "epoch: not attached");
}
