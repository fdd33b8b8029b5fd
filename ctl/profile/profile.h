/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile in memory: what the module sends, what a saved file holds, and
 * what every view is made from.
 *
 * Frames, nodes and tasks are interned: adding one that is there returns the
 * number it has. Records are keyed by (node, task, cpu, context, followed); adding to a
 * key that is there adds up. Node 0 is the root.
 *
 * All weights are in sampling periods, as on the wire (common/flamemod.yaml); of
 * other programs' profiles they may be anything that profile_unit() names.
 */
#ifndef FLAMECTL_PROFILE_H
#define FLAMECTL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "flamemod.h"

/*
 * Where every period went: fires + missed = stored + filtered + sum(lost), and
 * expected = fires + missed + overdue.
 */
struct profile_books {
	uint64_t expected;
	uint64_t fires;
	uint64_t missed;
	uint64_t stored;
	uint64_t filtered;
	uint64_t lost[__FLAMEMOD_LOST_MAX];
	uint64_t truncated;		/* samples, not periods */
	uint64_t asleep;		/* of the missed: an idle CPU was let sleep */
	/* due at the end and not yet counted, less those that were so at the start */
	int64_t overdue;
};

/*
 * The most nodes of a profile and of a call tree. A tree of them takes a good
 * GiB: far above any real one, and what a small file can ask for by naming deep
 * stacks again and again.
 */
#define PROFILE_NODES_MAX	(1U << 24)

/* The longest name, as on the wire; of longer ones the beginning is kept. */
#define PROFILE_NAME_MAX	4095

/* No Linux has more. Inserting a CPU is O(n), which this bounds. */
#define PROFILE_CPUS_MAX	8192

struct profile_cpu {
	uint32_t cpu;
	bool sampling;
	uint64_t sampled_ns;
	struct profile_books books;
};

struct profile_settings {
	uint32_t hz;
	uint32_t max_depth;
	bool exclude_idle;
	bool kernel_only;
	uint32_t pids[FLAMEMOD_PIDS_MAX];
	unsigned int nr_pids;		/* 0: all */
	char cpus[1024];		/* cpulist; "": all */
	bool followed_only;		/* a command and its descendants */
};

/* How kernel stacks were taken since the module was loaded; only of a live one. */
struct profile_stacks {
	bool known;
	uint64_t learned;		/* by learned steps */
	uint64_t unwound;		/* by the kernel's unwinder */
	uint64_t steps;			/* that were learned */
	uint64_t verified;		/* both ways */
	uint64_t differences;
};

/* By powers of two of nanoseconds: see the YAML's pauses. */
#define PROFILE_PAUSES_MAX	64

/* For how long interrupts were kept off since the module was loaded; likewise. */
struct profile_pauses {
	uint32_t nr_callbacks;		/* 0: not known */
	uint64_t callbacks[PROFILE_PAUSES_MAX];
	uint64_t callback_ns_max;
	uint64_t swap_ns_max;
	uint64_t forget_ns_max;
};

/* The longest word for what weights count, and a NUL. */
#define PROFILE_UNIT_MAX	64

/* The longest command line that is kept, and a NUL. */
#define PROFILE_COMMAND_MAX	1024

/*
 * How a profile was made and on what machine; "" and 0 where a source is
 * silent. Commands are as one types them to a shell.
 */
struct profile_origin {
	char command[PROFILE_COMMAND_MAX];	/* what was run and recorded */
	char cmdline[PROFILE_COMMAND_MAX];	/* of the program that recorded it */
	char cpu_model[128];
	char arch[32];			/* uname -m: "x86_64" */
	uint64_t nr_cpus;		/* that were online */
	uint64_t memory_bytes;		/* of the machine */
	uint64_t cpu_kb, aggregate_kb;	/* the module's parameters */
};

/* The session at the instant of the profile; zero where a source is silent. */
struct profile_meta {
	struct profile_settings settings;
	enum flamemod_state state;
	uint32_t followed;		/* the process that is, by its id; 0: none. Not saved. */
	uint32_t epoch;
	uint64_t period_ns;		/* 0: not known, or weights are no time */
	/* what other programs weigh by, as pprof's sample types: "inuse_space" */
	char weight_type[PROFILE_UNIT_MAX];
	char weight_unit[PROFILE_UNIT_MAX];	/* "bytes"; "": see profile_unit() */
	uint64_t resolution_ns;
	uint64_t since_ns;		/* CLOCK_MONOTONIC */
	uint64_t instant_ns;		/* CLOCK_MONOTONIC */
	uint64_t duration_ns;		/* of the window the profile covers, or all of several */
	int64_t time_ns;		/* CLOCK_REALTIME at the window's begin */
	/* which part of a recording it is, from its begin; both 0: all. Not saved. */
	uint64_t range_begin_ns, range_end_ns;
	uint64_t memory_bytes;
	uint64_t memory_limit_bytes;
	struct profile_stacks stacks;
	struct profile_pauses pauses;
	char module_version[32];
	char release[128];		/* uname -r of the profiled kernel */
	char host[128];			/* its nodename; "" of several */
	struct profile_origin origin;
};

struct profile_frame {
	char *name;			/* as sent: any bytes but NUL */
	enum flamemod_frame_kind kind;
};

struct profile_node {
	uint32_t parent;		/* below this node's own number */
	uint32_t frame;
};

struct profile_task {
	uint32_t pid;
	uint32_t tid;
	char *comm;			/* as sent: any bytes but NUL */
	char *host;			/* "": of the profile's own, meta.host */
};

struct profile_record {
	uint32_t node;			/* 0: no kernel stack */
	uint32_t task;
	uint32_t cpu;
	enum flamemod_context context : 8;
	bool followed;			/* its task was; of a live profile only */
	uint64_t count;
	uint64_t periods;
	uint64_t late_us;
};

struct slices;				/* see slices.h */
struct profile_index;			/* hash indexes, private to profile.c */

struct profile {
	struct profile_meta meta;
	struct profile_books books;	/* sum over cpus */
	struct profile_cpu *cpus;	/* in rising order of cpu */
	struct profile_frame *frames;
	struct profile_node *nodes;	/* [0] is the root: parent 0, frame 0 */
	struct profile_task *tasks;
	struct profile_record *records;
	uint32_t nr_cpus, nr_frames, nr_nodes, nr_tasks, nr_records;
	struct slices *slices;		/* the records by time, or NULL */
	struct profile_index *index;
};

/** profile_create() - an empty profile, or NULL when memory is short. */
struct profile *profile_create(void);

/** profile_destroy() - free @profile and all it holds; NULL is fine. */
void profile_destroy(struct profile *profile);

/*
 * The adders below copy what they are given.
 * Return: 0, -ENOMEM, -EOVERFLOW (2^32 of a kind, or a sum past 2^64), or
 * -EINVAL for a number that names nothing. On an error nothing has changed.
 * @id, where not NULL, is set to the number.
 */
int profile_add_frame(struct profile *profile, const char *name,
		      enum flamemod_frame_kind kind, uint32_t *id);
int profile_add_node(struct profile *profile, uint32_t parent, uint32_t frame,
		     uint32_t *id);
int profile_add_task(struct profile *profile, uint32_t pid, uint32_t tid,
		     const char *comm, uint32_t *id);
int profile_add_record(struct profile *profile,
		       const struct profile_record *record);

/** profile_add_task_of() - a task of another host than the profile's own. */
int profile_add_task_of(struct profile *profile, const char *host, uint32_t pid,
			uint32_t tid, const char *comm, uint32_t *id);

/** profile_host() - where a task ran; "" where that is not known. */
const char *profile_host(const struct profile *profile,
			 const struct profile_task *task);

/**
 * profile_add_cpu() - add @cpu's books to its own and to the profile's.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW for a sum past 2^64, or -E2BIG for a CPU more
 * than PROFILE_CPUS_MAX.
 */
int profile_add_cpu(struct profile *profile, const struct profile_cpu *cpu);

/**
 * profile_subtract() - what happened between two instants of one epoch.
 * @later: changed in place to later - @earlier; records that come to nothing
 *         are dropped, meta.duration_ns and time_ns cover the window.
 * @earlier: untouched.
 *
 * Return: 0, -ENOMEM, or -ERANGE when @earlier is no earlier instant of the
 * same epoch (@later is then unchanged).
 */
int profile_subtract(struct profile *later, const struct profile *earlier,
		     struct error *error);

/**
 * profile_keep_pids() - leave out all but some processes or threads.
 * @pids: a record stays when its pid or its tid is one of them.
 *
 * The periods of the others move from stored to filtered, so that the books
 * still balance; so do truncated samples, found by their "[truncated]" root.
 *
 * Return: 0, -ENOMEM, or -EBADMSG where the books hold less than the records.
 */
int profile_keep_pids(struct profile *profile, const uint32_t *pids,
		      unsigned int nr_pids, struct error *error);

/**
 * profile_keep_followed() - leave out all but what was marked as followed, and
 * take the mark off that; else as profile_keep_pids().
 */
int profile_keep_followed(struct profile *profile, struct error *error);

/** profile_lost() - the sum of @books->lost, in periods. */
uint64_t profile_lost(const struct profile_books *books);

/**
 * profile_check() - do the books balance, and do the records sum to them?
 *
 * Return: 0 or -EBADMSG with @error naming the CPU and the figures.
 */
int profile_check(const struct profile *profile, struct error *error);

/** profile_lost_name() - "table-full" and so on, as in the YAML. */
const char *profile_lost_name(enum flamemod_lost reason);

/** profile_context_name() - "user", "task", "softirq", "hardirq", "idle". */
const char *profile_context_name(enum flamemod_context context);

/** profile_state_name() - "stopped", "running", "broken". */
const char *profile_state_name(enum flamemod_state state);

/**
 * profile_unit() - what weights count, in the plural: "periods"; "nanoseconds"
 * where that is a period's length; "samples" where nobody knows how long it was;
 * or what another program counted, such as "bytes".
 */
const char *profile_unit(const struct profile_meta *meta);

/** profile_sampled_ns() - how long the CPU sampled longest was, in ns. */
uint64_t profile_sampled_ns(const struct profile *profile);

#endif /* FLAMECTL_PROFILE_H */
