// SPDX-License-Identifier: GPL-2.0
/*
 * Makes windows of many hosts:
 *
 *   windows PLACE HOSTS WINDOWS ROWS [START [SECONDS [INCLUSION [all]]]]
 *
 * PLACE is a directory, for files HOST-WINDOW.pb.gz, or the URL of a server. Each host
 * has WINDOWS windows of a minute, one after the other, with ROWS different stacks each.
 * START is when the first one starts, in seconds since 1970. SECONDS is how long each
 * is said to be; they start a minute apart all the same.
 *
 * With INCLUSION K, every second host is sampled in one window of K: of each K windows,
 * which have the same rows, only the first is made, with the inclusion 1/K. With "all" they
 * are all made, as of hosts that are always sampled: the truth, which the others estimate.
 *
 * Hosts share stacks as real ones do: the stacks come from a pool that all have, and are
 * chosen with probabilities that fall as 1/n (Zipf). Every second host runs release
 * 6.12.0, the others 6.1.0. On 6.12.0, slow_path takes three times as many periods. The
 * same arguments make the same windows.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/server.h"
#include "draw.h"
#include "format/pprof/pprof.h"
#include "must.h"
#include "profile/identity.h"

#define NSEC_PER_SEC	1000000000ULL
#define PERIOD_NS	10101010	/* 99 Hz */
#define CPUS		4
#define POOL		20000		/* stacks that all hosts together have */
#define FUNCTIONS	4000
#define DEPTH		24
#define BATCH		50

static uint64_t seconds = 60, inclusion = 1;
static bool has_all = true;

/* Add stack @number of the pool, always the same. Return: its node. */
static uint32_t add_stack(struct profile *profile, uint32_t number)
{
	uint64_t kept = draw_seed;
	uint32_t node = 0, frame, depth;
	char name[64];

	draw_seed = 0x9e3779b97f4a7c15ULL * (number + 1);
	draw();
	depth = 4 + (uint32_t)(draw() % (DEPTH - 4));
	for (uint32_t i = 0; i < depth; i++) {
		/* callers near the root have few different names, as in a kernel */
		uint32_t names = 4U << (i < 10 ? i : 10);

		snprintf(name, sizeof(name), "function_%u_%u", i,
			 (uint32_t)(draw() % (names < FUNCTIONS ? names : FUNCTIONS)));
		if (i == depth - 1 && number % 97 == 3)
			snprintf(name, sizeof(name), "slow_path");
		must(profile_add_frame(profile, name, i % 7 == 6 ? FLAMEMOD_FRAME_MODULE :
				       FLAMEMOD_FRAME_KERNEL, &frame), "a frame");
		must(profile_add_node(profile, node, frame, &node), "a stack");
	}
	draw_seed = kept;
	return node;
}

/* A command mostly runs in one service; every third one is a container. */
static void name_cgroup(char cgroup[128], uint32_t number)
{
	number %= 12;
	if (number % 3)
		snprintf(cgroup, 128, "/system.slice/service%u.service", number);
	else
		snprintf(cgroup, 128, "/system.slice/docker-%064x.scope", number * 0x01010101);
}

static void add_row(struct profile *profile, uint64_t cpus[CPUS], bool is_new)
{
	/* 1/n: the logarithm of the number is even */
	double place = (double)(draw() >> 11) / (double)(1ULL << 53);
	uint32_t number = (uint32_t)exp(place * log(POOL)) - 1, pid, task;
	struct profile_record record = { .context = FLAMEMOD_CONTEXT_TASK };
	char comm[16], cgroup[128];

	record.node = add_stack(profile, number);
	if (number % 8 == 7)
		record.context = FLAMEMOD_CONTEXT_SOFTIRQ;
	/* a stack is mostly of one command, and in one context */
	snprintf(comm, sizeof(comm), "comm%u", draw() % 16 ? number % 20 :
		 (uint32_t)(draw() % 20));
	pid = 100 + (uint32_t)(draw() % 50);
	name_cgroup(cgroup, pid % 16 ? number % 20 : pid);
	must(profile_intern_task(profile, &(struct profile_task){
			.pid = pid, .tid = pid, .comm = comm, .host = "", .cgroup = cgroup,
		}, &task), "a task");
	record.task = task;
	record.cpu = (uint32_t)(draw() % CPUS);
	record.periods = 1 + draw() % 20;
	if (is_new && number % 97 == 3)
		record.periods *= 3;
	record.count = record.periods - (record.periods > 10);
	record.late_us = record.periods * 3;
	must(profile_add_record(profile, &record), "a record");
	cpus[record.cpu] += record.periods;
}

/* Return: whether a host is not sampled in all windows. */
static bool is_sampled(uint32_t host)
{
	return inclusion > 1 && host % 2;
}

static struct profile *make_window(uint32_t host, uint32_t window, uint32_t rows,
				   uint64_t start_s)
{
	struct profile *profile = profile_create();
	struct profile_meta *meta;
	uint64_t stored[CPUS] = { 0 };

	if (!profile)
		fail("a profile", strerror(ENOMEM));
	meta = &profile->meta;
	draw_seed = 0xd1342543de82ef95ULL *
		    (host * 1000003ULL + (is_sampled(host) ? window - window % inclusion : window) + 1);
	if (is_sampled(host) && !has_all)
		meta->inclusion = inclusion;
	meta->settings.hz = 99;
	meta->settings.max_depth = 127;
	meta->state = FLAMEMOD_STATE_RUNNING;
	meta->epoch = 1;
	meta->period_ns = PERIOD_NS;
	meta->resolution_ns = 1;
	meta->since_ns = 5 * NSEC_PER_SEC;
	meta->begin_ns = (1000 + 60ULL * window) * NSEC_PER_SEC + host;
	meta->instant_ns = meta->begin_ns + seconds * NSEC_PER_SEC;
	meta->time_ns = (int64_t)((start_s + 60ULL * window) * NSEC_PER_SEC + host);
	snprintf(meta->host, sizeof(meta->host), "host%u", host);
	snprintf(meta->release, sizeof(meta->release), "%s", host % 2 ? "6.12.0" : "6.1.0");
	snprintf(meta->module_version, sizeof(meta->module_version), "0.1.0");
	snprintf(meta->origin.arch, sizeof(meta->origin.arch), "x86_64");
	snprintf(meta->origin.boot_id, sizeof(meta->origin.boot_id),
		 "%08x-0000-4000-8000-000000000000", host);
	for (uint32_t i = 0; i < rows; i++)
		add_row(profile, stored, host % 2);
	for (uint32_t i = 0; i < CPUS; i++) {
		struct profile_cpu cpu = { .cpu = i, .sampled_ns = 60 * NSEC_PER_SEC };

		cpu.books.stored = stored[i];
		cpu.books.filtered = 10 + i;
		cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = host % 3;
		cpu.books.missed = 5;
		cpu.books.fires = stored[i] + 10 + i + host % 3 - 5;
		cpu.books.expected = cpu.books.fires + cpu.books.missed;
		if (stored[i])
			must(profile_add_cpu(profile, &cpu), "a CPU");
	}
	meta->duration_ns = profile_sampled_ns(profile);
	return profile;
}

static void save(const char *directory, const struct profile *profile, uint32_t window)
{
	struct error error = { "" };
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s-%u.pb.gz", directory, profile->meta.host,
		 window);
	out = fopen(path, "w");
	if (!out)
		fail(path, strerror(errno));
	if (pprof_write(profile, out, &error) || fclose(out))
		fail(path, error.text);
}

/* ---- to a server ---- */

struct batch {
	struct target_window windows[BATCH];
	struct profile_identity identities[BATCH];
	size_t nr;
};

static void push(struct server *server, struct batch *batch)
{
	struct target_requests requests = { 0 };
	struct error error;

	if (server->target.kind->encode(&server->target, batch->windows, batch->nr,
					&requests, &error))
		fail("encode", error.text);
	for (size_t i = 0; i < requests.nr; i++) {
		struct send_answer answer;

		if (send_request(server->sender, &requests.list[i], &answer, &error))
			fail("push", error.text);
		send_answer_deinit(&answer);
	}
	target_requests_deinit(&requests);
	for (size_t i = 0; i < batch->nr; i++)
		profile_destroy((struct profile *)batch->windows[i].profile);
	batch->nr = 0;
}

static void add(struct server *server, struct batch *batch, struct profile *profile)
{
	static const struct labels none;
	struct profile_identity *identity = &batch->identities[batch->nr];
	struct error error;

	if (profile_identify(profile, identity, &error))
		fail("identity", error.text);
	batch->windows[batch->nr++] = (struct target_window){ profile, identity, &none };
	if (batch->nr == BATCH)
		push(server, batch);
}

int main(int argc, char **argv)
{
	const struct send_policy policy = SEND_POLICY_DEFAULT;
	const struct server_request request = { { NULL } };
	bool to_server = argc > 1 && strstr(argv[1], "://");
	static struct batch batch;
	static struct server server;
	uint64_t start_s = argc > 5 ? strtoull(argv[5], NULL, 10) : 1795773600;
	uint32_t numbers[3];
	struct error error;

	if (argc < 5)
		fail("usage", "windows PLACE HOSTS WINDOWS ROWS [START [SECONDS [INCLUSION [all]]]]");
	if (argc > 6)
		seconds = strtoull(argv[6], NULL, 10);
	if (argc > 7)
		inclusion = strtoull(argv[7], NULL, 10) ?: 1;
	has_all = argc > 8;
	for (int i = 0; i < 3; i++)
		numbers[i] = (uint32_t)strtoul(argv[2 + i], NULL, 10);
	if (to_server && server_open(&server, argv[1], &request, policy, &error))
		fail(argv[1], error.text);
	for (uint32_t window = 0; window < numbers[1]; window++)
		for (uint32_t host = 0; host < numbers[0]; host++) {
			struct profile *profile;

			if (is_sampled(host) && window % inclusion && !has_all)
				continue;
			profile = make_window(host, window, numbers[2], start_s);
			if (to_server) {
				add(&server, &batch, profile);
				continue;
			}
			save(argv[1], profile, window);
			profile_destroy(profile);
		}
	if (batch.nr)
		push(&server, &batch);
	if (to_server)
		server_close(&server);
	return 0;
}
