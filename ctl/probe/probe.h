/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A probe: what one word of the command line asks the module to count, such as
 *
 *   func:vfs_statx                  calls of a function
 *   func:vfs_read,weight=arg3       the sum of an argument; arg3:u32 is one of that type
 *   latency:vfs_read,min=1ms        time from a function's entry to its return
 *   tracepoint:kmem:kmalloc,weight=bytes_alloc,if=bytes_alloc>4096
 *   page-faults, major-faults, minor-faults, contention
 *   cycles, cache-misses:20011      a counter of the processor, and how much is one hit
 *   wakers,min=1ms                  what wakes tasks, by how long they were blocked
 *
 * Options follow after commas: weight=, if= (up to four, all must hold), min=, unit=, name=.
 *
 * The text says names; the module gets numbers. probe_parse() checks the text alone.
 * probe_resolve() looks up tracepoints and their fields in tracefs. Addresses of the
 * kernel are no weights, and are not compared: pointers are refused here, and values of
 * 2^47 and more by the module.
 */
#ifndef FLAMECTL_PROBE_H
#define FLAMECTL_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The most probes at a time, as on the wire. */
#define PROBES_MAX		8

/* Room for the name of an event, and a NUL: a sample type of pprof files. */
#define PROBE_NAME		64

/* Room for the name of a function or of a tracepoint, "kmem:kmalloc", and a NUL. */
#define PROBE_TARGET		128

/* Room for the name of a field or an argument, and a NUL. */
#define PROBE_FIELD		32

/* Room for the unit of weights, and a NUL. */
#define PROBE_UNIT		PROBE_FIELD

#define PROBE_CONDITIONS_MAX	4

/* The least and the most that a counter of the processor counts until a hit. */
#define PROBE_PERIOD_MIN	1000ULL
#define PROBE_PERIOD_MAX	1000000000000ULL

/* Arguments that are passed in registers. */
#define PROBE_ARGS_MAX		6

/* What a value is compared with; addresses of the kernel are outside. */
#define PROBE_VALUE_MIN		(-4095LL)
#define PROBE_VALUE_MAX		((1LL << 47) - 1)

enum probe_kind {
	PROBE_FUNC,
	PROBE_LATENCY,
	PROBE_TRACEPOINT,
	PROBE_FAULTS,			/* a software event of perf */
	PROBE_WAKERS,			/* wake-ups of tasks */
	PROBE_COUNTER,			/* a counter of the processor */
};

/* In the order of enum compare in common/flamemod.yaml. */
enum probe_compare {
	PROBE_EQUAL, PROBE_UNEQUAL, PROBE_LESS, PROBE_AT_MOST, PROBE_MORE, PROBE_AT_LEAST,
	PROBE_ANY_BIT,
};

/* A number that is known when an event happens. */
struct probe_operand {
	char name[PROBE_FIELD];		/* "arg3", or of a field */
	uint32_t arg;			/* 1..PROBE_ARGS_MAX; 0: a field */
	/* of a field, by probe_resolve(): where it is in the tracepoint's record */
	uint32_t offset, bytes;
	bool is_signed;
};

struct probe_condition {
	struct probe_operand operand;
	enum probe_compare compare;
	int64_t value;
};

struct probe {
	enum probe_kind kind;
	char name[PROBE_NAME];		/* of the event */
	char target[PROBE_TARGET];	/* function, "kmem:kmalloc"; "" if there is none */
	char unit[PROBE_UNIT];		/* of weights: "count", "nanoseconds", "bytes", a field */
	uint64_t min_ns;		/* of latency and wakers: what is shorter is left out */
	bool has_weight;		/* else each hit has the weight 1, or its time */
	struct probe_operand weight;
	struct probe_condition conditions[PROBE_CONDITIONS_MAX];
	unsigned int nr_conditions;
	/* of PROBE_FAULTS and PROBE_COUNTER; by probe_resolve() the tracepoint's id */
	uint32_t config;
	uint64_t period;		/* of PROBE_COUNTER: how much it counts until a hit */
};

struct probes {
	struct probe list[PROBES_MAX];
	unsigned int nr;
};

/**
 * probe_parse() - parse one probe.
 *
 * Return: 0, or -EINVAL with @error naming the value, what is possible, what to do.
 */
int probe_parse(const char *text, struct probe *probe, struct error *error);

/**
 * probes_add() - parse one probe and append it.
 *
 * Return: 0, or -EINVAL as probe_parse(), also if there are PROBES_MAX already, or one of
 * that name.
 */
int probes_add(struct probes *probes, const char *text, struct error *error);

/** probe_reads_record() - report whether probe_resolve() needs tracefs for it. */
bool probe_reads_record(const struct probe *probe);

/**
 * probe_resolve() - set the numbers of a tracepoint and its fields.
 * @root: "" or a directory in which /sys is looked for.
 *
 * Return: 0; -EINVAL if a field does not exist, or is no number; -EOPNOTSUPP if this kernel
 * does not have the tracepoint, or tracefs is not mounted; or another -errno; with @error.
 */
int probe_resolve(struct probe *probe, const char *root, struct error *error);

#endif /* FLAMECTL_PROBE_H */
