// SPDX-License-Identifier: GPL-2.0
/*
 * switches: measure what a switch of tasks takes, with events attached and without.
 *
 *   switches [-m] ROUNDS
 *
 *   -m   measure only: another tool has its probes in place
 *
 * Two processes pass a byte back and forth through pipes, below some frames of the kernel. Each
 * line is "WHAT NS": the time of a switch, from the clock. In a guest whose clock counts
 * instructions (QEMU's -icount shift=0), with one CPU, these are instructions. Each way is
 * measured after a tenth of the rounds, so that stacks were met before.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

static const struct way {
	const char *what;
	uint32_t events;		/* 0: none of tasks */
	uint32_t min_us;
	uint32_t pid;			/* another process alone */
	uint8_t user_stacks;
	bool wakers;
} ways[] = {
	{ .what = "none" },
	{ .what = "off-cpu", .events = 2 },
	{ .what = "off-cpu+waiting", .events = 6 },
	{ .what = "wall", .events = 14 },
	{ .what = "ran", .events = 8 },
	{ .what = "below", .events = 2, .min_us = 1000000 },
	{ .what = "others", .events = 14, .pid = 1 },
	{ .what = "off-cpu+user", .events = 2, .user_stacks = 1 },
	{ .what = "wall+user", .events = 14, .user_stacks = 1 },
	{ .what = "wakers", .wakers = true },
	{ .what = "wakers+user", .wakers = true, .user_stacks = 1 },
	{ .what = "detached" },
};

static int there[2], back[2];

/* Nobody preempts who wakes it up, so each byte is one wake-up and one switch. */
static void be_patient(void)
{
	const struct sched_param param = { 0 };

	if (sched_setscheduler(0, SCHED_BATCH, &param))
		die("SCHED_BATCH");
}

static void echo(void)
{
	char byte;

	close(there[1]);
	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void pass(unsigned long rounds)
{
	char byte = 0;

	while (rounds--)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			die("pass a byte");
}

static void put_wakers(struct nlmsghdr *header)
{
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_ATTACH_SOURCE);

	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_KIND, FLAMEMOD_SOURCE_KIND_WAKERS);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_NAME, "wakers");
	mnl_attr_nest_end(header, nest);
}

static void attach(struct asker *asker, const struct way *way)
{
	static char buffer[REQUEST_SIZE];
	struct request request;
	struct nlattr *source;

	request = request_begin(buffer, "attach", asker->family, FLAMEMOD_CMD_ATTACH, 0);
	source = mnl_attr_nest_start(request.header, FLAMEMOD_A_ATTACH);
	if (way->events)
		mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_EVENTS, way->events);
	if (way->wakers)
		put_wakers(request.header);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_MIN_US, way->min_us);
	if (way->pid)
		mnl_attr_put(request.header, FLAMEMOD_A_ATTACH_PIDS, sizeof(way->pid),
			     &way->pid);
	if (way->user_stacks)
		mnl_attr_put_u8(request.header, FLAMEMOD_A_ATTACH_USER_STACKS, 1);
	mnl_attr_nest_end(request.header, source);
	asker_must(asker, &request);
}

static void measure(const char *what, unsigned long rounds)
{
	uint64_t began_ns;

	pass(rounds / 10);
	began_ns = now_ns();
	pass(rounds);
	printf("%s %.1f\n", what, (double)(now_ns() - began_ns) / (double)rounds / 2);
	fflush(stdout);
}

static void measure_ours(unsigned long rounds)
{
	struct asker asker;
	unsigned int i;

	asker_init(&asker, socket_open());
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		bool attaches = ways[i].events || ways[i].wakers;

		if (attaches)
			attach(&asker, &ways[i]);
		measure(ways[i].what, rounds);
		if (attaches)
			asker_detach(&asker);
	}
}

int main(int argc, char **argv)
{
	bool alone = argc == 3 && !strcmp(argv[1], "-m");
	unsigned long rounds;

	if (argc != 2 && !alone)
		return 2;
	rounds = strtoul(argv[argc - 1], NULL, 0);
	if (pipe(there) || pipe(back))
		die("make pipes");
	be_patient();
	if (!fork())
		echo();
	if (alone)
		measure("with", rounds);
	else
		measure_ours(rounds);
	close(there[1]);
	wait(NULL);
	return 0;
}
