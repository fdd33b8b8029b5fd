// SPDX-License-Identifier: GPL-2.0
/*
 * events: measure what a hit of a source takes.
 *
 *   events [-m] ROUNDS
 *
 *   -m   measure only: another tool has its probe in place
 *
 * It calls stat() again and again, each of which calls vfs_statx() once, and computes for
 * a while between, so that no source takes a quarter of the CPU. Each line is "WHAT NS": the
 * time of a round, from the clock. In a guest whose clock counts instructions (QEMU's
 * -icount shift=0), with one CPU, these are instructions. Each way is measured after a
 * tenth of the rounds, so that the stack was met before. Each stat() allocates one object,
 * for the file's name, which is the hit of the tracepoint kmem_cache_alloc.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

#define FUNCTION	"vfs_statx"
#define TRACEPOINT	"/sys/kernel/tracing/events/kmem/kmem_cache_alloc/format"
#define SPINS		6000

static const struct way {
	const char *what;
	uint32_t kind;		/* 0: nothing is attached */
	uint8_t weight;		/* an argument, or of perf a field; 0: none */
	uint8_t condition;	/* an argument that must be 0; 0: none */
	uint64_t min_ns;
	uint32_t pid;		/* another process alone */
} ways[] = {
	{ "none", 0, 0, 0, 0, 0 },
	{ "func", FLAMEMOD_SOURCE_KIND_FUNC, 0, 0, 0, 0 },
	{ "func+weight", FLAMEMOD_SOURCE_KIND_FUNC, 5, 0, 0, 0 },
	{ "func+filtered", FLAMEMOD_SOURCE_KIND_FUNC, 0, 2, 0, 0 },
	{ "func+others", FLAMEMOD_SOURCE_KIND_FUNC, 0, 0, 0, 1 },
	{ "latency", FLAMEMOD_SOURCE_KIND_LATENCY, 0, 0, 0, 0 },
	{ "latency+below", FLAMEMOD_SOURCE_KIND_LATENCY, 0, 0, 1000000000, 0 },
	{ "tracepoint", FLAMEMOD_SOURCE_KIND_PERF, 0, 0, 0, 0 },
	{ "tracepoint+weight", FLAMEMOD_SOURCE_KIND_PERF, 1, 0, 0, 0 },
	{ "tracepoint+filtered", FLAMEMOD_SOURCE_KIND_PERF, 1, 1, 0, 0 },
	{ "detached", 0, 0, 0, 0, 0 },
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void call(unsigned long rounds)
{
	struct stat status;
	unsigned int i;

	while (rounds--) {
		if (stat("/", &status))
			die("stat");
		for (i = 0; i < SPINS; i++)
			__asm__ volatile("");
	}
}

static void measure(const char *what, unsigned long rounds)
{
	uint64_t began_ns;

	call(rounds / 10);
	began_ns = now_ns();
	call(rounds);
	printf("%s %.1f\n", what, (double)(now_ns() - began_ns) / (double)rounds);
	fflush(stdout);
}

/* A tracepoint's id, and where its field bytes_alloc is; id 0: this kernel lacks it. */
static struct { uint32_t id, offset; } tracepoint;

static void read_tracepoint(void)
{
	FILE *in = fopen(TRACEPOINT, "r");
	char line[512];
	const char *at;

	while (in && fgets(line, sizeof(line), in)) {
		sscanf(line, "ID: %" SCNu32, &tracepoint.id);
		at = strstr(line, " bytes_alloc;");
		if (at)
			sscanf(strstr(at, "offset:"), "offset:%" SCNu32, &tracepoint.offset);
	}
	if (in)
		fclose(in);
}

static void put_field(struct nlmsghdr *header, uint16_t type)
{
	struct nlattr *nest = mnl_attr_nest_start(header, type);

	mnl_attr_put_u32(header, FLAMEMOD_A_OPERAND_OFFSET, tracepoint.offset);
	mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_SIZE, 8);
	mnl_attr_nest_end(header, nest);
}

/* Put a tracepoint; its condition never holds. */
static void put_tracepoint(struct nlmsghdr *header, const struct way *way)
{
	struct nlattr *nest;

	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_PERF_TYPE, 2);
	mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_PERF_CONFIG, tracepoint.id);
	if (!way->weight)
		return;
	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_RECORD_BYTES, tracepoint.offset + 8);
	put_field(header, FLAMEMOD_A_SOURCE_WEIGHT);
	if (!way->condition)
		return;
	nest = mnl_attr_nest_start(header, FLAMEMOD_A_SOURCE_CONDITION);
	put_field(header, FLAMEMOD_A_CONDITION_OPERAND);
	mnl_attr_put_u32(header, FLAMEMOD_A_CONDITION_COMPARE, FLAMEMOD_COMPARE_EQ);
	mnl_attr_put_u64(header, FLAMEMOD_A_CONDITION_VALUE, 0);
	mnl_attr_nest_end(header, nest);
}

static void put_argument(struct nlmsghdr *header, uint16_t type, uint8_t argument)
{
	struct nlattr *nest = mnl_attr_nest_start(header, type);

	mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_ARGUMENT, argument);
	mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_SIZE, 4);
	mnl_attr_nest_end(header, nest);
}

static void put_source(struct nlmsghdr *header, const struct way *way)
{
	struct nlattr *source = mnl_attr_nest_start(header, FLAMEMOD_A_ATTACH_SOURCE), *nest;

	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_KIND, way->kind);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_NAME, way->what);
	if (way->kind == FLAMEMOD_SOURCE_KIND_PERF) {
		put_tracepoint(header, way);
		mnl_attr_nest_end(header, source);
		return;
	}
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_FUNCTION, FUNCTION);
	if (way->min_ns)
		mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_MIN_NS, way->min_ns);
	if (way->weight)
		put_argument(header, FLAMEMOD_A_SOURCE_WEIGHT, way->weight);
	if (way->condition) {
		nest = mnl_attr_nest_start(header, FLAMEMOD_A_SOURCE_CONDITION);
		put_argument(header, FLAMEMOD_A_CONDITION_OPERAND, way->condition);
		mnl_attr_put_u32(header, FLAMEMOD_A_CONDITION_COMPARE, FLAMEMOD_COMPARE_EQ);
		mnl_attr_put_u64(header, FLAMEMOD_A_CONDITION_VALUE, 0);
		mnl_attr_nest_end(header, nest);
	}
	mnl_attr_nest_end(header, source);
}

static void attach(struct asker *asker, const struct way *way)
{
	static char buffer[REQUEST_SIZE];
	struct request request;
	struct nlattr *nest;

	request = request_begin(buffer, way->what, asker->family, FLAMEMOD_CMD_ATTACH, 0);
	nest = mnl_attr_nest_start(request.header, FLAMEMOD_A_ATTACH);
	if (way->pid)
		mnl_attr_put(request.header, FLAMEMOD_A_ATTACH_PIDS, sizeof(way->pid),
			     &way->pid);
	put_source(request.header, way);
	mnl_attr_nest_end(request.header, nest);
	asker_must(asker, &request);
}

int main(int argc, char **argv)
{
	struct asker asker;
	unsigned int i;

	if (argc == 3 && !strcmp(argv[1], "-m")) {
		measure("with", strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (argc != 2)
		return 2;
	asker_init(&asker, socket_open());
	read_tracepoint();
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (ways[i].kind == FLAMEMOD_SOURCE_KIND_PERF && !tracepoint.id)
			continue;
		if (ways[i].kind)
			attach(&asker, &ways[i]);
		measure(ways[i].what, strtoul(argv[1], NULL, 0));
		if (ways[i].kind)
			asker_detach(&asker);
	}
	return 0;
}
