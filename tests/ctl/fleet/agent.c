// SPDX-License-Identifier: GPL-2.0
/*
 * Measures what windows cost the agent of an idle host:
 *
 *   agent DIRECTORY RECORDS WINDOWS GROWS
 *
 * A made-up module holds RECORDS records; in each window GROWS of them get more periods.
 * WINDOWS windows are made in DIRECTORY as the agent makes them, and named. Then as many
 * as the agent sends together are read, as by the process that sends them.
 *
 * Printed is the CPU time of one window, user and system, and how much memory the process
 * took at most, without what the made-up module takes. A dump is a copy of a profile here:
 * what the module and netlink take for one is not in it (tests/bench/dump measures that).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/spool.h"
#include "base/clock.h"
#include "cmd/agent.h"
#include "draw.h"
#include "must.h"
#include "profile/join.h"

#define DEPTH		24
#define FUNCTIONS	4000
#define USER_DEPTH	8
#define OBJECTS		40
#define CPUS		4
#define PROCESSES	200
#define COMMS		60
#define MEGABYTE	1048576.0
/* as in ctl/cmd/agent_send.c */
#define BATCH		50
#define BATCH_BYTES	(512 << 10)

static const char target[] = "clickhouse://nowhere/";
static struct profile *module;
static uint32_t nr_records, nr_grow;
static uint64_t module_bytes, instant_ns = NSEC_PER_SEC;

/* ---- the made-up module ---- */

/* Callers near the root have few different names. */
static uint32_t add_frame(uint32_t depth)
{
	uint32_t names = 4U << (depth < 10 ? depth : 10);
	uint32_t number = (uint32_t)(draw() % (depth < 10 ? names : FUNCTIONS)), frame, object;
	char name[64], build_id[41];

	if (depth >= USER_DEPTH) {
		snprintf(name, sizeof(name), "function_%u", number);
		must(profile_add_frame(module, name, FLAMEMOD_FRAME_KERNEL, &frame), "a frame");
		return frame;
	}
	snprintf(name, sizeof(name), "/nowhere/library%u.so", number % OBJECTS);
	snprintf(build_id, sizeof(build_id), "%040x", number % OBJECTS);
	must(profile_add_object(module, name, build_id, &object), "an object");
	must(profile_add_frame_at(module, NULL, object, 4096 + 64ULL * number, &frame),
	     "a frame");
	return frame;
}

static void sample(uint32_t number, uint64_t periods)
{
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_TASK, .cpu = number % CPUS,
		.periods = periods, .count = periods,
	};
	struct profile_cpu cpu = {
		.cpu = record.cpu,
		.books = { .expected = periods, .fires = periods, .stored = periods },
	};
	uint32_t depth, pid = 100 + number % PROCESSES;
	char comm[16];

	draw_seed = 0x9e3779b97f4a7c15ULL * (number + 1);
	depth = 4 + (uint32_t)(draw() % (DEPTH - 4));
	for (uint32_t i = 0; i < depth; i++)
		must(profile_add_node(module, record.node, add_frame(i), &record.node),
		     "a stack");
	snprintf(comm, sizeof(comm), "comm%u", number % COMMS);
	must(profile_add_task(module, pid, pid, comm, &record.task), "a task");
	must(profile_add_record(module, &record), "a record");
	must(profile_add_cpu(module, &cpu), "a CPU");
}

static int dump(void *context, uint32_t epoch, bool reset, struct profile **profile,
		struct error *error)
{
	static uint32_t next;
	struct agent *agent = context;

	(void)epoch;
	if (reset)
		fail("dump", "no reset is expected");
	for (uint32_t i = 0; i < nr_grow; i++)
		sample(next++ % nr_records, 60);
	instant_ns += 60 * NSEC_PER_SEC;
	*profile = profile_create();
	must(*profile ? profile_join(*profile, module, NULL) : -ENOMEM, "a copy");
	(*profile)->meta = module->meta;
	(*profile)->meta.instant_ns = instant_ns;
	agent_names_allow(agent);
	return agent_names_learn(agent, *profile, error);
}

static int name(void *context, struct profile *profile, struct error *error)
{
	return agent_names_give(context, profile, error);
}

static void clocks(void *context, struct chain_clocks *now)
{
	(void)context;
	now->monotonic_ns = now->boot_ns = instant_ns;
	now->real_ns = (int64_t)instant_ns;
}

static void make_module(void)
{
	struct profile_meta *meta;

	module = profile_create();
	must(module ? 0 : -ENOMEM, "a profile");
	meta = &module->meta;
	meta->period_ns = 1003009;
	meta->settings.hz = 997;
	meta->epoch = 1;
	meta->since_ns = NSEC_PER_SEC;
	meta->memory_limit_bytes = UINT64_C(1) << 30;
	strcpy(meta->host, "idle");
	strcpy(meta->release, "6.1.0");
	strcpy(meta->origin.boot_id, "00112233-4455-6677-8899-aabbccddeeff");
	for (uint32_t i = 0; i < nr_records; i++)
		sample(i, 1 + i % 20);
}

/* ---- what it costs ---- */

static double cpu_ms(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

/* A figure of this process, in bytes. */
static uint64_t status_bytes(const char *what)
{
	FILE *in = fopen("/proc/self/status", "r");
	uint64_t kb = 0;
	char line[128];

	while (in && fgets(line, sizeof(line), in))
		if (!strncmp(line, what, strlen(what)))
			kb = strtoull(line + strlen(what) + 1, NULL, 10);
	if (!kb)
		fail("/proc/self/status", what);
	fclose(in);
	return kb * 1024;
}

/* Let the peak begin anew: proc(5), clear_refs. */
static void forget_peak(void)
{
	FILE *out = fopen("/proc/self/clear_refs", "w");

	if (!out || fputs("5", out) < 0 || fclose(out))
		fail("/proc/self/clear_refs", strerror(errno));
}

static double own_mb(const char *what)
{
	return (double)(status_bytes(what) - module_bytes) / MEGABYTE;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

static void make_windows(struct agent *agent, uint32_t nr)
{
	double *ms = calloc(nr, sizeof(*ms)), before;
	struct error error = { "" };

	must(ms ? 0 : -ENOMEM, "memory");
	for (uint32_t i = 0; i < nr; i++) {
		before = cpu_ms();
		if (chain_step(&agent->chain, &error))
			fail("a window", error.text);
		ms[i] = cpu_ms() - before;
	}
	printf("%u records, %u nodes, %u functions\n", module->nr_records,
	       module->nr_nodes - 1, module->nr_frames);
	printf("first window: %.1f ms\n", ms[0]);
	/* the first one has all that the module held */
	qsort(ms + 1, nr - 1, sizeof(*ms), compare);
	printf("window: %.1f ms, the lowest %.1f: %.3f %% of a minute\n", ms[1 + (nr - 1) / 2],
	       ms[1], ms[1 + (nr - 1) / 2] / 600);
	printf("memory: %.1f MB at most, %.1f MB between windows\n", own_mb("VmHWM:"),
	       own_mb("VmRSS:"));
	free(ms);
}

/* What the process that sends has in memory. */
static void read_batch(struct agent *agent)
{
	const struct spool_batch batch = { BATCH, BATCH_BYTES };
	struct spool_sending sending[BATCH];
	struct spool_list list = { .nr = 0 };
	uint64_t bytes = 0, before;
	struct error error = { "" };
	int nr;

	if (spool_list(&agent->spool, &list, &error))
		fail("the list", error.text);
	before = status_bytes("VmRSS:");
	nr = spool_next_batch(&agent->spool, target, &batch, sending, &error);
	if (nr <= 0)
		fail("a batch", nr ? error.text : "none");
	for (int i = 0; i < nr; i++)
		bytes += list.entries[i].bytes;
	printf("batch: %d windows, %.0f kB of files, %.1f times that in memory\n", nr,
	       (double)bytes / 1024,
	       (double)(status_bytes("VmRSS:") - before) / (double)bytes);
	for (int i = 0; i < nr; i++)
		profile_destroy(sending[i].profile);
	free(list.entries);
}

int main(int argc, char **argv)
{
	static struct agent agent = {
		.settings.user_stacks = true, .spool.limits = SPOOL_LIMITS_DEFAULT,
	};
	struct error error = { "" };
	uint64_t before;

	if (argc != 5)
		fail("usage", "agent DIRECTORY RECORDS WINDOWS GROWS");
	nr_records = (uint32_t)strtoul(argv[2], NULL, 10);
	nr_grow = (uint32_t)strtoul(argv[4], NULL, 10);
	agent_memory_init();
	if (!nr_records || strtoul(argv[3], NULL, 10) < 3)
		fail("usage", "at least a record and three windows");
	before = status_bytes("VmRSS:");
	make_module();
	module_bytes = status_bytes("VmRSS:") - before;
	forget_peak();
	if (spool_open(&agent.spool, argv[1], true, &error) || spool_own(&agent.spool, &error))
		fail(argv[1], error.text);
	agent.chain = (struct chain){
		.spool = &agent.spool,
		.source = { .dump = dump, .name = name, .clocks = clocks, .context = &agent },
		.boot = "00112233445566778899aabbccddeeff",
	};
	agent_names_begin(&agent);
	make_windows(&agent, (uint32_t)strtoul(argv[3], NULL, 10));
	read_batch(&agent);
	agent_names_end(&agent);
	chain_deinit(&agent.chain);
	spool_close(&agent.spool);
	profile_destroy(module);
	return 0;
}
