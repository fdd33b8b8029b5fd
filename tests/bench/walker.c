// SPDX-License-Identifier: GPL-2.0
/*
 * Lets the module walks (tests/bench/modules/truth/walk.c) burn time in STACKS stacks.
 *
 *   walker STACKS SECONDS BURST_NS
 *
 * Each of 40 processes has its own comm and its part of the stacks. Its bursts take
 * BURST_NS on average. Every other burst is in the next of its stacks in turn, so that
 * none is left out; the others are mostly in a few of them. The processes share all
 * CPUs, until the time is over.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES	40

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static double random_part(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / (1ull << 53);
}

static int walk(unsigned long process, unsigned long stacks, uint64_t end_ns, double burst_ns)
{
	uint64_t state = 88172645463325252ull + process;
	unsigned long mine = stacks / PROCESSES, turn, number;
	char text[48];
	double part;
	int fd = open("/sys/kernel/debug/walks/burn", O_WRONLY);

	for (turn = 0; now_ns() < end_ns; turn++) {
		part = random_part(&state);
		number = turn % 2 ? turn / 2 % mine : (unsigned long)(part * part * part * part * mine);
		snprintf(text, sizeof(text), "%lu %.0f", process + number * PROCESSES,
			 burst_ns * (0.5 + random_part(&state)));
		if (write(fd, text, strlen(text)) < 0)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long stacks, i;
	uint64_t end_ns;
	char comm[16];
	int status, failed = 0;

	if (argc != 4 || (stacks = strtoul(argv[1], NULL, 10)) < PROCESSES)
		return 2;
	end_ns = now_ns() + strtoull(argv[2], NULL, 10) * 1000000000ull;
	for (i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid)
			continue;
		snprintf(comm, sizeof(comm), "walker-%lu", i);
		prctl(PR_SET_NAME, comm);
		_exit(walk(i, stacks, end_ns, strtod(argv[3], NULL)));
	}
	while (wait(&status) > 0)
		failed |= status;
	return !!failed;
}
