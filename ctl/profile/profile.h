/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile in memory: the module sends one, a saved file holds one, and every
 * view is made from one.
 *
 * Frames, nodes and tasks are interned: adding one that exists returns its
 * number. Records are keyed by (node, task, cpu, context, followed); adding to
 * an existing key sums the weights. Node 0 is the root.
 *
 * All weights are in sampling periods, as on the wire (common/flamemod.yaml).
 * In other programs' profiles they may be anything that profile_unit() names.
 */
#ifndef FLAMECTL_PROFILE_H
#define FLAMECTL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "flamemod.h"
#include "profile/intervals.h"

/*
 * Of events, what is lost for reasons that samples do not have: it is summed up under this
 * one. Its parts are in struct profile_intervals.
 */
#define PROFILE_LOST_OTHER	__FLAMEMOD_LOST_MAX
#define PROFILE_LOST_MAX	(__FLAMEMOD_LOST_MAX + 1)

/*
 * The books: the counts of what became of each timer period. They balance:
 * fires + missed = stored + filtered + sum(lost), and
 * expected = fires + missed + overdue.
 */
struct profile_books {
	uint64_t expected;
	uint64_t fires;
	uint64_t missed;
	uint64_t stored;
	uint64_t filtered;
	uint64_t lost[PROFILE_LOST_MAX];
	uint64_t truncated;		/* samples, not periods */
	uint64_t asleep;		/* missed because an idle CPU slept */
	uint64_t late;			/* missed before fires that came late */
	uint64_t stolen;		/* stored as "[steal]" */
	/* due and not yet counted at the end, minus the same at the start */
	int64_t overdue;
};

/*
 * The most nodes of a profile and of a call tree. A tree of this size takes a
 * little more than 1 GiB, far more than any real one. The limit is needed
 * because a small file can ask for more by naming deep stacks again and again.
 */
#define PROFILE_NODES_MAX	(1U << 24)

/* The longest name, as on the wire; longer names are cut at the end. */
#define PROFILE_NAME_MAX	4095

/* No Linux has more CPUs. Insertion is O(n), so this bounds it. */
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
	char cpus[1024];		/* cpulist; "all"; "": not the isolated */
	bool followed_only;		/* only a command and its descendants */
	bool user_stacks;		/* those of programs are taken as well */
	bool user_places;		/* places in their functions are kept apart */
};

/*
 * How kernel stacks were taken since the module was loaded; live profiles only.
 */
struct profile_stacks {
	bool known;
	uint64_t learned;		/* by learned steps */
	uint64_t unwound;		/* by the kernel's unwinder */
	uint64_t steps;			/* steps that were learned */
	uint64_t verified;		/* taken both ways to compare */
	uint64_t differences;
};

/* How user stacks were taken in this epoch; live profiles only. */
/* Samples of the timer have outcomes below it; events may have that one, too. */
#define PROFILE_SAMPLE_SIDES	FLAMEMOD_USER_AWAY

struct profile_user_stacks {
	bool known;			/* they are taken */
	uint64_t sides[__FLAMEMOD_USER_MAX];	/* periods, by what became of the stack */
	uint64_t files;			/* programs and libraries that were met */
	uint64_t rows_bytes;		/* memory for their unwind tables */
	uint64_t rows_limit_bytes;
};

/* Histogram by powers of two of nanoseconds: see the YAML's pauses. */
#define PROFILE_PAUSES_MAX	64

/* How long interrupts were kept off since the module was loaded; live only. */
struct profile_pauses {
	uint32_t nr_callbacks;		/* 0: not known */
	uint64_t callbacks[PROFILE_PAUSES_MAX];
	uint64_t callback_ns_max;
	uint64_t swap_ns_max;
	uint64_t forget_ns_max;
};

/* The most stalls that are kept of all CPUs together. */
#define PROFILE_STALLS_MAX	32

/* A time of a second or more in which a CPU did not run. */
struct profile_stall {
	uint32_t cpu;
	uint64_t from_ns;		/* CLOCK_MONOTONIC */
	uint64_t ns;
};

/* Stalls since the module was loaded; live profiles only. */
struct profile_stalls {
	uint64_t nr;			/* of which the list has the latest */
	struct profile_stall list[PROFILE_STALLS_MAX];
	unsigned int nr_listed;
};

/* Does the kernel account time that a hypervisor took? */
enum profile_steal {
	PROFILE_STEAL_UNKNOWN,
	PROFILE_STEAL_NONE,		/* it never did since it started */
	PROFILE_STEAL_CLOCK,
};

/* Room for the longest unit of weights, and a NUL. */
#define PROFILE_UNIT_MAX	64

/* Room for the longest name of an event, and a NUL. */
#define PROFILE_EVENT_MAX	256

/* Room for the longest command line that is kept, and a NUL. */
#define PROFILE_COMMAND_MAX	1024

/* Room for the text of a boot id, 36 characters, and a NUL. */
#define PROFILE_BOOT_ID		37

/*
 * How a profile was made and on what machine; "" and 0 if not known. Commands
 * are written as typed in a shell.
 */
struct profile_origin {
	char command[PROFILE_COMMAND_MAX];	/* what was run and recorded */
	char cmdline[PROFILE_COMMAND_MAX];	/* of the recording program */
	char cpu_model[128];
	char arch[32];			/* uname -m: "x86_64" */
	char build[66];			/* uname -v: "#1 SMP Debian 6.1.140-1 (2025-05-22)" */
	char boot_id[PROFILE_BOOT_ID];	/* of this run of the kernel, as Linux writes it */
	uint64_t nr_cpus;		/* CPUs that were online */
	uint64_t memory_bytes;		/* of the machine */
	uint64_t cpu_kb, aggregate_kb;	/* the module's parameters */
};

/* Whether time with interrupts off has a leaf of its own; live only. */
enum profile_irqs_off {
	PROFILE_IRQS_OFF_UNKNOWN,
	PROFILE_IRQS_OFF_MARKED,
	PROFILE_IRQS_OFF_UNMARKED,	/* this kernel's way is not recognised */
};

/* Epochs that others closed, and that the module keeps for readers; live only. */
struct profile_kept {
	bool known;
	uint64_t readers, epochs, bytes;
	uint64_t expired, reclaimed;	/* times that a reader missed an epoch */
};

/* A program that has events attached to the module. */
struct profile_client {
	uint32_t epoch;			/* of its events */
	uint32_t pid;
};

#define PROFILE_CLIENTS_MAX	16	/* a newer module may allow more of them */

/* The session at the instant of the profile; zero for what is not known. */
struct profile_meta {
	struct profile_settings settings;
	enum flamemod_state state;
	uint32_t followed;		/* followed process or 0. Not saved. */
	enum profile_irqs_off irqs_off;	/* Not saved. */
	char isolated[1024];		/* cpulist; "": see nr_isolated. Not saved. */
	uint32_t nr_isolated;		/* isolated CPUs that are online. Not saved. */
	uint32_t epoch;
	bool is_closed;			/* the epoch: its counts are final. Not saved. */
	struct profile_kept kept;	/* Not saved. */
	uint32_t next_frame;		/* the number of the module's next new frame. Not saved. */
	uint32_t nr_summed_cpus;	/* whose books CPU 0 has, see coarse.h; 0: its own */
	uint64_t threshold;		/* rows of fewer periods were drawn by lot; 0: none */
	uint64_t inclusion;		/* sampled in 1 of so many hours; 0: all. See inclusion.h */
	uint64_t weighted;		/* of a sum: the largest inclusion in it; 0: none */
	uint64_t period_ns;		/* 0: not known, or not time */
	/*
	 * name of weights, a pprof sample type: other programs' "inuse_space", or
	 * the event of intervals: "off-cpu"
	 */
	char weight_type[PROFILE_UNIT_MAX];
	char weight_unit[PROFILE_UNIT_MAX];	/* "bytes"; "": see profile_unit() */
	/* the event perf sampled by, "cache-misses:u"; "": not known */
	char event[PROFILE_EVENT_MAX];
	uint64_t resolution_ns;
	uint64_t since_ns;		/* CLOCK_MONOTONIC */
	uint64_t begin_ns;		/* the same, of the window; 0: not known */
	uint64_t instant_ns;		/* CLOCK_MONOTONIC: where the window ends */
	uint64_t duration_ns;		/* of the window; if merged, the sum */
	int64_t time_ns;		/* CLOCK_REALTIME at its start */
	/* the part of a recording, from its start; both 0: all. Not saved. */
	uint64_t range_begin_ns, range_end_ns;
	uint64_t memory_bytes;
	uint64_t memory_limit_bytes;
	struct profile_stacks stacks;
	struct profile_user_stacks user_stacks;
	struct profile_pauses pauses;
	struct profile_stalls stalls;
	struct profile_attached attached[ATTACHED_MAX];	/* now, by one client; live only */
	uint32_t events_epoch;		/* of those; 0: none, or not known. Not saved. */
	struct profile_client clients[PROFILE_CLIENTS_MAX];	/* Not saved. */
	unsigned int nr_clients;	/* Not saved. */
	struct profile_intervals intervals;	/* of an event of tasks */
	enum profile_steal steal;
	char module_version[32];
	char release[128];		/* uname -r of the profiled kernel */
	char host[128];			/* its nodename; "" if several hosts */
	struct profile_origin origin;
};

/* A program or a library that frames of kind FLAMEMOD_FRAME_USER are in. */
struct profile_object {
	const char *path;		/* as the process saw it, or "[vdso]" */
	const char *build_id;		/* hexadecimal; "": not known */
};

/*
 * Offsets in files are below it: no file is larger. So are addresses of programs, which
 * stand for offsets in code that was made at run time; arm64 has such of 48 bits.
 */
#define PROFILE_OFFSET_MAX	(1ULL << 48)

struct profile_frame {
	const char *name;		/* as sent: any bytes but NUL */
	enum flamemod_frame_kind kind;
	uint32_t object;		/* its number plus one; 0: not known */
	uint64_t offset;		/* in the object's file; 0: not known */
};

struct profile_node {
	uint32_t parent;		/* less than this node's own number */
	uint32_t frame;
};

struct profile_task {
	uint32_t pid;
	uint32_t tid;
	const char *comm;		/* as sent: any bytes but NUL */
	const char *host;		/* "": as meta.host */
	const char *cgroup;		/* see cgroup.h; "": not known, or idle */
};

struct profile_record {
	uint32_t node;			/* 0: no kernel stack */
	uint32_t task;
	uint32_t cpu;
	enum flamemod_context context : 8;
	bool followed;			/* task was followed; live only */
	uint64_t count;			/* may be 0 */
	uint64_t periods;
	uint64_t late_us;
};

struct slices;				/* see slices.h */
struct profile_index;			/* hash indexes, private to profile.c */

struct profile {
	struct profile_meta meta;
	struct profile_books books;	/* sum over cpus */
	struct profile_cpu *cpus;	/* in rising order of cpu */
	struct profile_object *objects;
	struct profile_frame *frames;
	struct profile_node *nodes;	/* [0] is the root: parent 0, frame 0 */
	struct profile_task *tasks;
	struct profile_record *records;
	uint32_t nr_cpus, nr_objects, nr_frames, nr_nodes, nr_tasks, nr_records;
	struct slices *slices;		/* the records by time, or NULL */
	struct profile_index *index;
};

/**
 * profile_create() - create an empty profile.
 *
 * Return: NULL when memory is short.
 */
struct profile *profile_create(void);

/** profile_destroy() - free @profile and all it holds; NULL is fine. */
void profile_destroy(struct profile *profile);

/*
 * The functions below that add something copy what they are given.
 * Return: 0, -ENOMEM, -EOVERFLOW (2^32 of a kind, or a sum above 2^64), or
 * -EINVAL for a number that refers to nothing. On an error nothing has changed.
 * @id, if not NULL, is set to the number.
 */
int profile_add_frame(struct profile *profile, const char *name,
		      enum flamemod_frame_kind kind, uint32_t *id);
int profile_add_node(struct profile *profile, uint32_t parent, uint32_t frame,
		     uint32_t *id);
int profile_add_task(struct profile *profile, uint32_t pid, uint32_t tid,
		     const char *comm, uint32_t *id);
int profile_add_record(struct profile *profile,
		       const struct profile_record *record);

/**
 * profile_intern_task() - add a task with all that is known of it.
 * @task: its texts are copied; none is NULL.
 */
int profile_intern_task(struct profile *profile, const struct profile_task *task,
			uint32_t *id);

/**
 * profile_add_object() - add a program or a library.
 * @build_id: "" if it is not known.
 */
int profile_add_object(struct profile *profile, const char *path,
		       const char *build_id, uint32_t *id);

/**
 * profile_add_frame_at() - add a function of an object.
 * @name: NULL for a frame without a name, which is called "FILE+0x1234" then,
 *	  after the object's file and the offset.
 * @object: the object's number.
 * @offset: where the function starts in the file, or its instruction if that is
 *	    not known; 0 if neither is; below PROFILE_OFFSET_MAX.
 */
int profile_add_frame_at(struct profile *profile, const char *name,
			 uint32_t object, uint64_t offset, uint32_t *id);

/**
 * profile_add_frame_of() - add a frame of another profile, with its object.
 */
int profile_add_frame_of(struct profile *profile, const struct profile *from,
			 uint32_t frame, uint32_t *id);

/**
 * profile_name_frame() - name a frame that has no name but its place.
 * @name: cut to PROFILE_NAME_MAX bytes.
 */
int profile_name_frame(struct profile *profile, uint32_t frame, const char *name);

/** profile_frame_unnamed() - report whether a frame has no name but its place. */
bool profile_frame_unnamed(const struct profile *profile, uint32_t frame);

/** profile_object_file() - return the last part of an object's path. */
const char *profile_object_file(const struct profile_object *object);

/**
 * profile_add_task_of() - add a task of a host other than the profile's own.
 */
int profile_add_task_of(struct profile *profile, const char *host, uint32_t pid,
			uint32_t tid, const char *comm, uint32_t *id);

/** profile_host() - return the host on which a task ran; "" if not known. */
const char *profile_host(const struct profile *profile,
			 const struct profile_task *task);

/**
 * profile_add_cpu() - add books to those of a CPU and of the whole profile.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW for a sum above 2^64, or -E2BIG for more than
 * PROFILE_CPUS_MAX CPUs.
 */
int profile_add_cpu(struct profile *profile, const struct profile_cpu *cpu);

/**
 * profile_subtract() - compute what happened between two instants of one epoch.
 * @later: changed in place to later - @earlier; records that become empty are
 *         removed, meta.duration_ns and time_ns cover the window.
 * @earlier: not changed.
 *
 * Return: 0, -ENOMEM, or -ERANGE if @earlier is not an earlier instant of the
 * same epoch (@later is then unchanged).
 */
int profile_subtract(struct profile *later, const struct profile *earlier,
		     struct error *error);

/**
 * profile_difference() - make a profile of the same, with only the names, stacks and tasks
 * that its records have; it costs less if that is little.
 * @later: gets names that only @earlier has, if there are some.
 *
 * Return: as profile_subtract(); 0 with @difference set, to be freed by profile_destroy().
 */
int profile_difference(struct profile *later, const struct profile *earlier,
		       struct profile **difference, struct error *error);

/**
 * profile_keep_pids() - keep only some processes or threads.
 * @pids: a record stays if its pid or its tid is one of them.
 *
 * The periods of the others move from stored to filtered, so that the books
 * still balance. Truncated samples, found by their frame "[truncated]", are
 * subtracted too.
 *
 * Return: 0, -ENOMEM, or -EBADMSG if the books hold less than the records.
 */
int profile_keep_pids(struct profile *profile, const uint32_t *pids,
		      unsigned int nr_pids, struct error *error);

/**
 * profile_keep_followed() - keep only records marked as followed, and clear the
 * mark; otherwise like profile_keep_pids().
 */
int profile_keep_followed(struct profile *profile, struct error *error);

/**
 * profile_leave_out_task() - remove the records of a thread while it had this comm; otherwise
 * like profile_keep_pids().
 * @tid: 0: of any thread
 */
int profile_leave_out_task(struct profile *profile, uint32_t tid, const char *comm,
			   struct error *error);

/**
 * profile_keep_states() - keep only time off the CPU in some states.
 * @states: as task_states_parse() makes them, not 0. Otherwise like profile_keep_pids().
 */
int profile_keep_states(struct profile *profile, uint32_t states, struct error *error);

/** profile_lost() - return the sum of @books->lost, in periods. */
uint64_t profile_lost(const struct profile_books *books);

/**
 * profile_check() - check that the books balance and the records sum to them.
 *
 * Return: 0 or -EBADMSG with @error naming the CPU and the figures.
 */
int profile_check(const struct profile *profile, struct error *error);

/** profile_lost_name() - return "table-full" and so on, as in the YAML, or "other". */
const char *profile_lost_name(enum flamemod_lost reason);

/** profile_user_side_name() - return "whole", "by-fp" and so on, as in the YAML. */
const char *profile_user_side_name(enum flamemod_user_side side);

/**
 * profile_context_name() - return "user", "task", "softirq", "hardirq" or
 * "idle".
 */
const char *profile_context_name(enum flamemod_context context);

/** profile_state_name() - return "stopped", "running" or "broken". */
const char *profile_state_name(enum flamemod_state state);

/**
 * profile_unit() - return what weights count, in the plural: "periods";
 * "nanoseconds" if a period is 1 ns long; "samples" if its length is not known;
 * or what another program counted, such as "bytes".
 */
const char *profile_unit(const struct profile_meta *meta);

/**
 * profile_event() - the event that weights are numbers of, or the time of, as views name
 * it: "cycles", "off-cpu"; "" where nobody tells, and where weights are sampled time: it
 * does not matter what ticked.
 */
const char *profile_event(const struct profile_meta *meta);

/** profile_is_imported() - is it another program's, and no recording of the module? */
bool profile_is_imported(const struct profile_meta *meta);

/**
 * profile_late() - return the periods of a record that late fires were counted for
 * beyond their first ones, and those that a hypervisor took: views can leave them
 * out. Idle time without a timer is not late, and neither is anything in another
 * program's profile.
 */
uint64_t profile_late(const struct profile *profile,
		      const struct profile_record *record);

/** profile_late_all() - return the sum of profile_late() over all records. */
uint64_t profile_late_all(const struct profile *profile);

/* Room for the longest text of profile_late_fact(), and a NUL. */
#define PROFILE_LATE_FACT	64

/**
 * profile_late_fact() - write how much of a profile is late, as captions say it.
 *
 * Return: @text, "late 1.20 %, no steal clock"; or NULL if nothing is late.
 */
const char *profile_late_fact(const struct profile *profile,
			      char text[PROFILE_LATE_FACT]);

/* Room for the longest text of profile_user_fact(), and a NUL. */
#define PROFILE_USER_FACT	64

/**
 * profile_user_fact() - write how much of what has a user stack ends it with a reason,
 * such as "[user: fault]", as captions say it. The shares are of the profile's weight.
 *
 * Return: @text, "3.20 % of user stacks are not whole"; or NULL if all are, if there are
 * none, or when memory is short.
 */
const char *profile_user_fact(const struct profile *profile,
			      char text[PROFILE_USER_FACT]);

/**
 * profile_sampled_ns() - return the longest time any CPU was sampled, in ns.
 */
uint64_t profile_sampled_ns(const struct profile *profile);

#endif /* FLAMECTL_PROFILE_H */
