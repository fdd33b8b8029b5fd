// SPDX-License-Identifier: GPL-2.0
/*
 * Does little more than wait, on the first CPU.
 *
 *   sleeper TIMES
 *
 * Waits TIMES times for 4 to 8 microseconds, pseudo-randomly and the same in every
 * run. Before that it waits so for 4 seconds, in which a sampler can adapt. Prints how
 * long the TIMES waits took, in nanoseconds, and by the module halted
 * (tests/bench/modules/truth/halted.c) how often and how long the CPU was halted
 * meanwhile.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

struct halts {
	unsigned long long nr;
	unsigned long long ns;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static struct halts halts(void)
{
	FILE *file = fopen("/sys/kernel/debug/halted", "r");
	struct halts halts;

	if (!file || fscanf(file, "%llu %llu", &halts.nr, &halts.ns) != 2)
		exit(1);
	fclose(file);
	return halts;
}

static void wait_a_little(void)
{
	static uint32_t state = 2463534242u;
	struct timespec time = { 0 };

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	time.tv_nsec = 4000 + (state & 4095);
	nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
	unsigned long times = argc == 2 ? strtoul(argv[1], NULL, 10) : 0, i;
	struct halts before, after;
	uint64_t began_ns;
	cpu_set_t first;

	if (!times)
		return 2;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	/* with the default slack each wait would take 50 us */
	if (sched_setaffinity(0, sizeof(first), &first) || prctl(PR_SET_TIMERSLACK, 1))
		return 1;
	for (began_ns = now_ns(); now_ns() - began_ns < 4000000000ull;)
		wait_a_little();
	before = halts();
	began_ns = now_ns();
	for (i = 0; i < times; i++)
		wait_a_little();
	began_ns = now_ns() - began_ns;
	after = halts();
	printf("%llu %llu %llu\n", (unsigned long long)began_ns, after.nr - before.nr,
	       after.ns - before.ns);
	return 0;
}
