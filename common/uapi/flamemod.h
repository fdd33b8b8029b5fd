/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Generated from common/flamemod.yaml by common/generate.py: do not edit. */
#ifndef _UAPI_LINUX_FLAMEMOD_H
#define _UAPI_LINUX_FLAMEMOD_H

#define FLAMEMOD_GENL_NAME	"flamemod"

/* the version that the family reports; another one speaks another protocol */
#define FLAMEMOD_GENL_VERSION	2

/* the highest sampling rate, in samples per second and CPU */
#define FLAMEMOD_HZ_MAX	20000

/* the most frames kept of one kernel stack, and of one user stack */
#define FLAMEMOD_MAX_DEPTH_MAX	127

/* the most processes or threads that a filter names */
#define FLAMEMOD_PIDS_MAX	16

/* the longest list of CPUs, in bytes, its NUL included */
#define FLAMEMOD_CPUS_BYTES_MAX	1024

/* the event number of a request's first source; the others follow it in their order */
#define FLAMEMOD_SOURCE_FIRST	8

/* the most sources that a request names */
#define FLAMEMOD_SOURCES_MAX	16

/* the most conditions of a source */
#define FLAMEMOD_CONDITIONS_MAX	8

/* the most arguments of a function that can be read, which are those in registers */
#define FLAMEMOD_ARGUMENTS_MAX	6

/* the longest name of an event, in bytes, its NUL included */
#define FLAMEMOD_EVENT_NAME_BYTES_MAX	192

/* the longest unit of an event, in bytes, its NUL included */
#define FLAMEMOD_UNIT_BYTES_MAX	32

/* the longest name of a function to attach to, in bytes, its NUL included */
#define FLAMEMOD_FUNCTION_BYTES_MAX	128

/* the largest record of a performance event that can be read, in bytes */
#define FLAMEMOD_RECORD_BYTES_MAX	4096

/* the most sockets that closed epochs are kept for */
#define FLAMEMOD_KEPT_READERS_MAX	8

/* the most sockets that have events attached at a time */
#define FLAMEMOD_EVENT_CLIENTS_MAX	4

/**
 * enum flamemod_context - what the timer interrupted
 * @FLAMEMOD_CONTEXT_USER: user mode
 * @FLAMEMOD_CONTEXT_TASK: the kernel, on behalf of a task (a system call, a
 *	fault, a kernel thread)
 * @FLAMEMOD_CONTEXT_SOFTIRQ: a softirq handler, whichever task it borrowed
 * @FLAMEMOD_CONTEXT_HARDIRQ: a hardware interrupt handler
 * @FLAMEMOD_CONTEXT_IDLE: the idle task, outside any interrupt
 * @__FLAMEMOD_CONTEXT_MAX: internal, one above the last
 * @FLAMEMOD_CONTEXT_MAX: internal, the last
 */
enum flamemod_context {
	FLAMEMOD_CONTEXT_USER,
	FLAMEMOD_CONTEXT_TASK,
	FLAMEMOD_CONTEXT_SOFTIRQ,
	FLAMEMOD_CONTEXT_HARDIRQ,
	FLAMEMOD_CONTEXT_IDLE,

	/* private: */
	__FLAMEMOD_CONTEXT_MAX,
	FLAMEMOD_CONTEXT_MAX = (__FLAMEMOD_CONTEXT_MAX - 1)
};

/**
 * enum flamemod_lost - why a period has no sample in the profile
 * @FLAMEMOD_LOST_TABLE_FULL: the CPU's hot table had no room until its next
 *	drain
 * @FLAMEMOD_LOST_AGGREGATE_FULL: the session's memory limit was reached
 * @FLAMEMOD_LOST_OVERLOAD: sampling had used up its share of the CPU
 * @FLAMEMOD_LOST_NO_REGS: the kernel did not say what was interrupted
 * @FLAMEMOD_LOST_STOPPED: the period had passed when the timer was stopped,
 *	before it could fire
 * @__FLAMEMOD_LOST_MAX: internal, one above the last
 * @FLAMEMOD_LOST_MAX: internal, the last
 */
enum flamemod_lost {
	FLAMEMOD_LOST_TABLE_FULL,
	FLAMEMOD_LOST_AGGREGATE_FULL,
	FLAMEMOD_LOST_OVERLOAD,
	FLAMEMOD_LOST_NO_REGS,
	FLAMEMOD_LOST_STOPPED,

	/* private: */
	__FLAMEMOD_LOST_MAX,
	FLAMEMOD_LOST_MAX = (__FLAMEMOD_LOST_MAX - 1)
};

/**
 * enum flamemod_user_side - what became of the user stack of a sample that
 * has one
 * @FLAMEMOD_USER_WHOLE: it is known down to where the program or the thread
 *	started
 * @FLAMEMOD_USER_BY_FP: the same, but some frames were found by frame
 *	pointers
 * @FLAMEMOD_USER_DEEP: it is deeper than max-depth-max
 * @FLAMEMOD_USER_UNVERIFIED: what is mapped at an address could not be
 *	looked up, and no page was there
 * @FLAMEMOD_USER_NO_MAPPING: it led to an address at which the process has
 *	no text
 * @FLAMEMOD_USER_NOT_LEARNED: the unwind table of some text was not read
 *	yet, and the stack could not be kept until it was
 * @FLAMEMOD_USER_FAULT: the stack could not be read without waiting
 * @FLAMEMOD_USER_NO_RULE: no rule says where a function's caller is
 * @FLAMEMOD_USER_EXEC: the program was being replaced by another one, and
 *	the old one's memory was gone
 * @FLAMEMOD_USER_COMPAT32: the program is a 32-bit one
 * @FLAMEMOD_USER_CROWDED: no room was left for another user stack
 * @FLAMEMOD_USER_COPY_SHORT: it was copied, to be followed later, and is
 *	longer than the copy
 * @FLAMEMOD_USER_AWAY: of events alone; the task was not on a CPU when it
 *	was time to read the stack
 * @__FLAMEMOD_USER_MAX: internal, one above the last
 * @FLAMEMOD_USER_MAX: internal, the last
 */
enum flamemod_user_side {
	FLAMEMOD_USER_WHOLE,
	FLAMEMOD_USER_BY_FP,
	FLAMEMOD_USER_DEEP,
	FLAMEMOD_USER_UNVERIFIED,
	FLAMEMOD_USER_NO_MAPPING,
	FLAMEMOD_USER_NOT_LEARNED,
	FLAMEMOD_USER_FAULT,
	FLAMEMOD_USER_NO_RULE,
	FLAMEMOD_USER_EXEC,
	FLAMEMOD_USER_COMPAT32,
	FLAMEMOD_USER_CROWDED,
	FLAMEMOD_USER_COPY_SHORT,
	FLAMEMOD_USER_AWAY,

	/* private: */
	__FLAMEMOD_USER_MAX,
	FLAMEMOD_USER_MAX = (__FLAMEMOD_USER_MAX - 1)
};

/**
 * enum flamemod_frame_kind - what a frame names
 * @FLAMEMOD_FRAME_KERNEL: a function of the core kernel
 * @FLAMEMOD_FRAME_MODULE: a function of a module; the name ends in "
 *	[module]"
 * @FLAMEMOD_FRAME_USER: a function of a program, named "PATH+0xOFFSET BUILD-
 *	ID"; code that a process made at run time, as JIT compilers do, named
 *	"[jit PID]+0xADDRESS" after the process, in the initial pid namespace, and
 *	the address in its memory; a mark in brackets; or "[user]", all of user
 *	mode, above a mark
 * @FLAMEMOD_FRAME_MARK: no function, a mark in brackets, such as
 *	"[truncated]" or "[unknown]"
 * @FLAMEMOD_FRAME_WAKER: no function, but the comm of a task that woke
 *	another one; "[hardirq]" or "[softirq]" if an interrupt did; or "[other]",
 *	as only so many comms are told apart. In the stacks of wakers, the callers
 *	of this frame are where the woken task was blocked, and what is above it
 *	is the waker's stack.
 * @__FLAMEMOD_FRAME_MAX: internal, one above the last
 * @FLAMEMOD_FRAME_MAX: internal, the last
 */
enum flamemod_frame_kind {
	FLAMEMOD_FRAME_KERNEL,
	FLAMEMOD_FRAME_MODULE,
	FLAMEMOD_FRAME_USER,
	FLAMEMOD_FRAME_MARK,
	FLAMEMOD_FRAME_WAKER,

	/* private: */
	__FLAMEMOD_FRAME_MAX,
	FLAMEMOD_FRAME_MAX = (__FLAMEMOD_FRAME_MAX - 1)
};

/**
 * enum flamemod_event - what a record counts; numbers from source-first on
 * are those of a request's sources
 * @FLAMEMOD_EVENT_ON_CPU: time on a CPU, in sampling periods
 * @FLAMEMOD_EVENT_OFF_CPU: time in which a task was blocked, or preempted,
 *	in nanoseconds; the stack is where it was. Where waiting is not attached
 *	as well, this includes it.
 * @FLAMEMOD_EVENT_WAITING: time that a task waited for a CPU after it was
 *	woken up, in nanoseconds, with the stack and the state in which it was
 *	blocked before
 * @FLAMEMOD_EVENT_RAN: time on a CPU, exactly, in nanoseconds, by task and
 *	without stacks. What a task ran, was off and waited together is its
 *	lifetime.
 * @__FLAMEMOD_EVENT_MAX: internal, one above the last
 * @FLAMEMOD_EVENT_MAX: internal, the last
 */
enum flamemod_event {
	FLAMEMOD_EVENT_ON_CPU,
	FLAMEMOD_EVENT_OFF_CPU,
	FLAMEMOD_EVENT_WAITING,
	FLAMEMOD_EVENT_RAN,

	/* private: */
	__FLAMEMOD_EVENT_MAX,
	FLAMEMOD_EVENT_MAX = (__FLAMEMOD_EVENT_MAX - 1)
};

/**
 * enum flamemod_source_kind - where an event comes from
 * @FLAMEMOD_SOURCE_KIND_SWITCHES: the kernel's sched_switch; attached by
 *	events, not as a source
 * @FLAMEMOD_SOURCE_KIND_FUNC: calls of a function, each with its callers;
 *	the weight is an argument, or 1
 * @FLAMEMOD_SOURCE_KIND_LATENCY: calls of a function, when they return; the
 *	weight is how long they took, in nanoseconds
 * @FLAMEMOD_SOURCE_KIND_PERF: an event of the kernel's perf: a tracepoint, a
 *	page fault or a counter of the processor. The weight is a field of its
 *	record, or how often it happened; of a counter it is what the CPU counted
 *	since the hit before, at least perf-period.
 * @FLAMEMOD_SOURCE_KIND_WAKERS: wake-ups of tasks that were blocked, each
 *	with the stack of the waker on top of that of the woken task, which is the
 *	record's task; the weight is how long that one was blocked, in nanoseconds
 * @__FLAMEMOD_SOURCE_KIND_MAX: internal, one above the last
 * @FLAMEMOD_SOURCE_KIND_MAX: internal, the last
 */
enum flamemod_source_kind {
	FLAMEMOD_SOURCE_KIND_SWITCHES,
	FLAMEMOD_SOURCE_KIND_FUNC,
	FLAMEMOD_SOURCE_KIND_LATENCY,
	FLAMEMOD_SOURCE_KIND_PERF,
	FLAMEMOD_SOURCE_KIND_WAKERS,

	/* private: */
	__FLAMEMOD_SOURCE_KIND_MAX,
	FLAMEMOD_SOURCE_KIND_MAX = (__FLAMEMOD_SOURCE_KIND_MAX - 1)
};

/**
 * enum flamemod_compare - how a condition compares what was read with its
 * value
 * @FLAMEMOD_COMPARE_EQ: equal
 * @FLAMEMOD_COMPARE_NE: not equal
 * @FLAMEMOD_COMPARE_LT: less
 * @FLAMEMOD_COMPARE_LE: less or equal
 * @FLAMEMOD_COMPARE_GT: greater
 * @FLAMEMOD_COMPARE_GE: greater or equal
 * @FLAMEMOD_COMPARE_AND: has one of the value's bits, at least
 * @__FLAMEMOD_COMPARE_MAX: internal, one above the last
 * @FLAMEMOD_COMPARE_MAX: internal, the last
 */
enum flamemod_compare {
	FLAMEMOD_COMPARE_EQ,
	FLAMEMOD_COMPARE_NE,
	FLAMEMOD_COMPARE_LT,
	FLAMEMOD_COMPARE_LE,
	FLAMEMOD_COMPARE_GT,
	FLAMEMOD_COMPARE_GE,
	FLAMEMOD_COMPARE_AND,

	/* private: */
	__FLAMEMOD_COMPARE_MAX,
	FLAMEMOD_COMPARE_MAX = (__FLAMEMOD_COMPARE_MAX - 1)
};

/**
 * enum flamemod_task_state - why a task was off the CPU
 * @FLAMEMOD_TASK_STATE_PREEMPTED: it could have gone on (R)
 * @FLAMEMOD_TASK_STATE_SLEEPING: it slept until an event or a signal (S)
 * @FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE: it slept until an event alone, such
 *	as the end of a disk's transfer (D)
 * @FLAMEMOD_TASK_STATE_STOPPED: a signal had stopped it (T)
 * @FLAMEMOD_TASK_STATE_TRACED: a debugger had stopped it (t)
 * @FLAMEMOD_TASK_STATE_PARKED: a thread of the kernel was parked (P)
 * @FLAMEMOD_TASK_STATE_IDLE: a thread of the kernel had nothing to do (I)
 * @FLAMEMOD_TASK_STATE_OTHER: something else, such as frozen; or it was just
 *	created
 * @__FLAMEMOD_TASK_STATE_MAX: internal, one above the last
 * @FLAMEMOD_TASK_STATE_MAX: internal, the last
 */
enum flamemod_task_state {
	FLAMEMOD_TASK_STATE_PREEMPTED,
	FLAMEMOD_TASK_STATE_SLEEPING,
	FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE,
	FLAMEMOD_TASK_STATE_STOPPED,
	FLAMEMOD_TASK_STATE_TRACED,
	FLAMEMOD_TASK_STATE_PARKED,
	FLAMEMOD_TASK_STATE_IDLE,
	FLAMEMOD_TASK_STATE_OTHER,

	/* private: */
	__FLAMEMOD_TASK_STATE_MAX,
	FLAMEMOD_TASK_STATE_MAX = (__FLAMEMOD_TASK_STATE_MAX - 1)
};

/**
 * enum flamemod_event_lost - why a hit of an event, such as an interval of a
 * task, is not in the profile of events
 * @FLAMEMOD_EVENT_LOST_TABLE_FULL: the CPU's hot table had no room until its
 *	next drain
 * @FLAMEMOD_EVENT_LOST_AGGREGATE_FULL: the memory for events (events_kb) was
 *	used up
 * @FLAMEMOD_EVENT_LOST_OVERLOAD: taking stacks had used up its share of the
 *	CPU
 * @FLAMEMOD_EVENT_LOST_NO_SLOT: too many tasks were off the CPU or on it at
 *	a time to know since when; how long it lasted is not known either
 * @FLAMEMOD_EVENT_LOST_NESTED: the kernel was in code of ours already. Of a
 *	switch this is found later: the start of the interval was not seen, and
 *	how long it lasted is not known. Of a counter of the processor the weight
 *	is known.
 * @FLAMEMOD_EVENT_LOST_MISSED: the kernel could not report it: another probe
 *	was being handled, or more calls of the function lasted at a time than it
 *	has room for
 * @FLAMEMOD_EVENT_LOST_NMI: a probe or a tracepoint was in a non-maskable
 *	interrupt, where none of its hits is stored
 * @FLAMEMOD_EVENT_LOST_SUSPENDED: its source had been suspended, and was
 *	about to be detached
 * @FLAMEMOD_EVENT_LOST_TOO_LARGE: its weight was negative, or 2^47 or more;
 *	it is not counted as a weight
 * @FLAMEMOD_EVENT_LOST_MALFORMED: its record was shorter than the source's
 *	request says
 * @__FLAMEMOD_EVENT_LOST_MAX: internal, one above the last
 * @FLAMEMOD_EVENT_LOST_MAX: internal, the last
 */
enum flamemod_event_lost {
	FLAMEMOD_EVENT_LOST_TABLE_FULL,
	FLAMEMOD_EVENT_LOST_AGGREGATE_FULL,
	FLAMEMOD_EVENT_LOST_OVERLOAD,
	FLAMEMOD_EVENT_LOST_NO_SLOT,
	FLAMEMOD_EVENT_LOST_NESTED,
	FLAMEMOD_EVENT_LOST_MISSED,
	FLAMEMOD_EVENT_LOST_NMI,
	FLAMEMOD_EVENT_LOST_SUSPENDED,
	FLAMEMOD_EVENT_LOST_TOO_LARGE,
	FLAMEMOD_EVENT_LOST_MALFORMED,

	/* private: */
	__FLAMEMOD_EVENT_LOST_MAX,
	FLAMEMOD_EVENT_LOST_MAX = (__FLAMEMOD_EVENT_LOST_MAX - 1)
};

/**
 * enum flamemod_state - what the session is doing
 * @FLAMEMOD_STATE_STOPPED: no timer runs; what was sampled can be read
 * @FLAMEMOD_STATE_RUNNING: sampling
 * @FLAMEMOD_STATE_BROKEN: an invariant failed, so the sampler stopped
 *	itself; the kernel log says which
 * @__FLAMEMOD_STATE_MAX: internal, one above the last
 * @FLAMEMOD_STATE_MAX: internal, the last
 */
enum flamemod_state {
	FLAMEMOD_STATE_STOPPED,
	FLAMEMOD_STATE_RUNNING,
	FLAMEMOD_STATE_BROKEN,

	/* private: */
	__FLAMEMOD_STATE_MAX,
	FLAMEMOD_STATE_MAX = (__FLAMEMOD_STATE_MAX - 1)
};

/**
 * enum flamemod_attr - the top level of every message
 * @FLAMEMOD_A_SESSION: the session meant, 0 when absent; there is only
 *	session 0 so far (u32, 0..0)
 * @FLAMEMOD_A_SETTINGS: in a request what to set, in a reply what is in
 *	force (nest)
 * @FLAMEMOD_A_RESET: in a dump request, forget what this dump returns at the
 *	very instant it is taken (flag)
 * @FLAMEMOD_A_STATE: the session and its books, in the first message of a
 *	reply (nest)
 * @FLAMEMOD_A_CPU: one CPU and its books (nest, repeated)
 * @FLAMEMOD_A_FRAMES: a batch of frames (nest)
 * @FLAMEMOD_A_NODES: a batch of call tree nodes (nest)
 * @FLAMEMOD_A_TASKS: a batch of tasks (nest)
 * @FLAMEMOD_A_RECORDS: a batch of records (nest)
 * @FLAMEMOD_A_FOLLOW: in a request to follow, the process, by its id in the
 *	sender's pid namespace; 0 to follow nobody any more (u32, 0..4194304)
 * @FLAMEMOD_A_OWNER: what this request starts or changes ends with the
 *	socket that sent it: when that is closed, sampling stops, and settings are
 *	as before, the rate only where no samples are held; not so what others
 *	have started or set since. In a stop: only that is stopped. (flag)
 * @FLAMEMOD_A_EVENTS: in a dump request, dump the events that are attached
 *	instead of what the timer sampled: those that epoch names; without it
 *	those of this socket, or, if it has none, those of the only socket that
 *	has some. If several have some, that is refused with EINVAL. In the
 *	reply's state, the epoch, since-ns, instant-ns and the numbers of nodes,
 *	tasks and records are then those of the events: they are a profile of
 *	their own. No reset touches it. Each attach has another epoch. Frames are
 *	shared. Tasks that are off or on a CPU at that instant are counted up to
 *	it, unless ended is given. (flag)
 * @FLAMEMOD_A_ATTACH: in a request to attach, what to attach (nest)
 * @FLAMEMOD_A_KEEP: in a dump request, keep epochs for this socket from now
 *	on, until it is closed: an epoch that somebody closes by a reset can be
 *	read until this socket has had it, for 300 s, while there is memory. So a
 *	reader that takes differences misses nothing. For kept-readers-max sockets
 *	at a time; others are refused with EUSERS. It is not for events. (flag)
 * @FLAMEMOD_A_EPOCH: in a dump request with keep, the epoch wanted, of which
 *	this socket perhaps has a part; it has had all before. Dumped is the
 *	oldest epoch from this one on that was kept, with closed in its state: ask
 *	for the next one then. If there is none, the current epoch is dumped.
 *	reset is for that one alone. Absent for the current epoch; then this
 *	socket has had all that were closed. In a dump request with events, and in
 *	a request for the status, the epoch of the events to send, as client has
 *	it; refused with ENODATA if they are not attached. (u32, 0..4294967295)
 * @FLAMEMOD_A_ENDED: in a dump request with events, dump only what has
 *	ended: tasks that are off or on a CPU are not counted up to now. To count
 *	an interval in two parts costs the user stack of the first one, since its
 *	task does not run. (flag)
 * @FLAMEMOD_A_FRAMES_FROM: in a dump request, dump only frames, from this
 *	number on: all that the module has, of samples and of events, of this
 *	epoch and of earlier ones. So a reader can look for names of new functions
 *	at little cost: the next ones will begin at the reply's nr-frames. Not
 *	with reset, keep or events. (u32, 0..4294967295)
 * @__FLAMEMOD_A_MAX: internal, one above the last
 * @FLAMEMOD_A_MAX: internal, the last
 */
enum flamemod_attr {
	FLAMEMOD_A_SESSION = 1,
	FLAMEMOD_A_SETTINGS,
	FLAMEMOD_A_RESET,
	FLAMEMOD_A_STATE,
	FLAMEMOD_A_CPU,
	FLAMEMOD_A_FRAMES,
	FLAMEMOD_A_NODES,
	FLAMEMOD_A_TASKS,
	FLAMEMOD_A_RECORDS,
	FLAMEMOD_A_FOLLOW,
	FLAMEMOD_A_OWNER,
	FLAMEMOD_A_EVENTS,
	FLAMEMOD_A_ATTACH,
	FLAMEMOD_A_KEEP,
	FLAMEMOD_A_EPOCH,
	FLAMEMOD_A_ENDED,
	FLAMEMOD_A_FRAMES_FROM,

	/* private: */
	__FLAMEMOD_A_MAX,
	FLAMEMOD_A_MAX = (__FLAMEMOD_A_MAX - 1)
};

/**
 * enum flamemod_settings_attr - how to sample; changed only while stopped,
 * the rate only while nothing is held
 * @FLAMEMOD_A_SETTINGS_HZ: samples per second and CPU (u32, 1..20000)
 * @FLAMEMOD_A_SETTINGS_MAX_DEPTH: frames kept of a stack, counted from the
 *	leaf (u32, 1..127)
 * @FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE: 1 to filter out idle time (u8, 0..1)
 * @FLAMEMOD_A_SETTINGS_KERNEL_ONLY: 1 to filter out time in user mode (u8,
 *	0..1)
 * @FLAMEMOD_A_SETTINGS_PIDS: sample only these processes or threads, by
 *	their ids in the initial pid namespace; empty for all (binary of u32, at
 *	most 64 bytes)
 * @FLAMEMOD_A_SETTINGS_CPUS: sample only these CPUs, as a list such as
 *	"0-3,8"; empty for all that are not isolated. In a request, strides such
 *	as "0-63:1/2" are understood, and "all"; a reply has the CPUs one by one,
 *	and where that would be too long they are refused. (string, at most 1024
 *	bytes)
 * @FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY: 1 to filter out all but the process
 *	that is followed, its threads and descendants (u8, 0..1)
 * @FLAMEMOD_A_SETTINGS_USER_STACKS: 1 to take the stack of the program as
 *	well, and to put it below the kernel's. Refused with EOPNOTSUPP where the
 *	module cannot do so: on other architectures than x86-64 and arm64. (u8,
 *	0..1)
 * @FLAMEMOD_A_SETTINGS_USER_PLACES: 1 to keep the places in a function of a
 *	program apart, which inlined functions are looked up by; 0 to count them
 *	all as the function (u8, 0..1)
 * @__FLAMEMOD_A_SETTINGS_MAX: internal, one above the last
 * @FLAMEMOD_A_SETTINGS_MAX: internal, the last
 */
enum flamemod_settings_attr {
	FLAMEMOD_A_SETTINGS_HZ = 1,
	FLAMEMOD_A_SETTINGS_MAX_DEPTH,
	FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE,
	FLAMEMOD_A_SETTINGS_KERNEL_ONLY,
	FLAMEMOD_A_SETTINGS_PIDS,
	FLAMEMOD_A_SETTINGS_CPUS,
	FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY,
	FLAMEMOD_A_SETTINGS_USER_STACKS,
	FLAMEMOD_A_SETTINGS_USER_PLACES,

	/* private: */
	__FLAMEMOD_A_SETTINGS_MAX,
	FLAMEMOD_A_SETTINGS_MAX = (__FLAMEMOD_A_SETTINGS_MAX - 1)
};

/**
 * enum flamemod_attach_attr - events and sources to attach, one of either at
 * least, and of which tasks; without pids and followed, of all
 * @FLAMEMOD_A_ATTACH_EVENTS: which of enum event, a bit for each; the
 *	kernel's sched_switch has off-cpu, waiting and ran (u32, 2..14)
 * @FLAMEMOD_A_ATTACH_MIN_US: leave out, and count as below, what a task was
 *	off for less, in microseconds; absent for nothing (u32, 0..3600000000)
 * @FLAMEMOD_A_ATTACH_STATES: take only what began in one of these states, a
 *	bit for each of enum task-state; absent for all. It only applies to off-
 *	cpu, waiting and wakers. (u32, 1..255)
 * @FLAMEMOD_A_ATTACH_PIDS: only these processes or threads, by their ids in
 *	the initial pid namespace (binary of u32, at most 64 bytes)
 * @FLAMEMOD_A_ATTACH_FOLLOWED: 1 for only the process that is followed (see
 *	follow), its threads and descendants (u8, 0..1)
 * @FLAMEMOD_A_ATTACH_SOURCE: a source, whose event has the number source-
 *	first, that of the next one above it, and so on; at most sources-max
 *	(nest, repeated)
 * @FLAMEMOD_A_ATTACH_USER_STACKS: 1 to take user stacks as well, of hits in
 *	user mode and in system calls. They are read once the task may be
 *	interrupted; see away in enum user-side (u8, 0..1)
 * @__FLAMEMOD_A_ATTACH_MAX: internal, one above the last
 * @FLAMEMOD_A_ATTACH_MAX: internal, the last
 */
enum flamemod_attach_attr {
	FLAMEMOD_A_ATTACH_EVENTS = 1,
	FLAMEMOD_A_ATTACH_MIN_US,
	FLAMEMOD_A_ATTACH_STATES,
	FLAMEMOD_A_ATTACH_PIDS,
	FLAMEMOD_A_ATTACH_FOLLOWED,
	FLAMEMOD_A_ATTACH_SOURCE,
	FLAMEMOD_A_ATTACH_USER_STACKS,

	/* private: */
	__FLAMEMOD_A_ATTACH_MAX,
	FLAMEMOD_A_ATTACH_MAX = (__FLAMEMOD_A_ATTACH_MAX - 1)
};

/**
 * enum flamemod_source_attr - a source of an event: each hit is stored with
 * its stack, its task and a weight. Hits of other tasks than those asked for
 * are not seen. An attribute that its kind does not have is refused.
 * @FLAMEMOD_A_SOURCE_KIND: where it comes from; the kernel's sched_switch is
 *	no source of a request (u32, 1..4)
 * @FLAMEMOD_A_SOURCE_NAME: what to call its event, such as "func:vfs_read";
 *	the module only reports it (string, at most 192 bytes)
 * @FLAMEMOD_A_SOURCE_UNIT: what its weights are, such as "bytes"; absent for
 *	"calls" of func, "ns" of latency and wakers, and "events" of perf (string,
 *	at most 32 bytes)
 * @FLAMEMOD_A_SOURCE_FUNCTION: of func and latency, the function's name, of
 *	a module as "module:function" (string, at most 128 bytes)
 * @FLAMEMOD_A_SOURCE_WEIGHT: of func and perf, what to read the weight from.
 *	If absent, it is 1 of func, perf-period of perf, and what was counted of a
 *	counter of the processor. (nest)
 * @FLAMEMOD_A_SOURCE_CONDITION: of func, latency and perf, a condition. If
 *	not all of them hold, the hit is filtered; of latency they are those of
 *	the call. At most conditions-max. (nest, repeated)
 * @FLAMEMOD_A_SOURCE_MIN_NS: of latency and wakers, count as below what took
 *	less, in nanoseconds (u64, 0..3600000000000)
 * @FLAMEMOD_A_SOURCE_PERF_TYPE: of perf, its type, as in struct
 *	perf_event_attr (u32, 0..65535)
 * @FLAMEMOD_A_SOURCE_PERF_CONFIG: of perf, its config, as in struct
 *	perf_event_attr; of a tracepoint its id (u64)
 * @FLAMEMOD_A_SOURCE_PERF_PERIOD: of perf, how many of it are one hit;
 *	absent for 1. Of a tracepoint it is 1, of a counter of the processor at
 *	least 1000. (u64, 1..1000000000000)
 * @FLAMEMOD_A_SOURCE_RECORD_BYTES: of perf, the size of what operands are
 *	read from, which a record has at least (u32, 0..4096)
 * @__FLAMEMOD_A_SOURCE_MAX: internal, one above the last
 * @FLAMEMOD_A_SOURCE_MAX: internal, the last
 */
enum flamemod_source_attr {
	FLAMEMOD_A_SOURCE_KIND = 1,
	FLAMEMOD_A_SOURCE_NAME,
	FLAMEMOD_A_SOURCE_UNIT,
	FLAMEMOD_A_SOURCE_FUNCTION,
	FLAMEMOD_A_SOURCE_WEIGHT,
	FLAMEMOD_A_SOURCE_CONDITION,
	FLAMEMOD_A_SOURCE_MIN_NS,
	FLAMEMOD_A_SOURCE_PERF_TYPE,
	FLAMEMOD_A_SOURCE_PERF_CONFIG,
	FLAMEMOD_A_SOURCE_PERF_PERIOD,
	FLAMEMOD_A_SOURCE_RECORD_BYTES,

	/* private: */
	__FLAMEMOD_A_SOURCE_MAX,
	FLAMEMOD_A_SOURCE_MAX = (__FLAMEMOD_A_SOURCE_MAX - 1)
};

/**
 * enum flamemod_operand_attr - a number that is read when a source hits
 * @FLAMEMOD_A_OPERAND_ARGUMENT: of func and latency, which argument of the
 *	function, from 1 on (u8, 1..6)
 * @FLAMEMOD_A_OPERAND_OFFSET: of perf, where it is in the record, in bytes
 *	(u32, 0..4088)
 * @FLAMEMOD_A_OPERAND_SIZE: its size in bytes, which is 1, 2, 4 or 8; absent
 *	for 8 (u8, 1..8)
 * @FLAMEMOD_A_OPERAND_SIGNED: 1 if it may be negative (u8, 0..1)
 * @__FLAMEMOD_A_OPERAND_MAX: internal, one above the last
 * @FLAMEMOD_A_OPERAND_MAX: internal, the last
 */
enum flamemod_operand_attr {
	FLAMEMOD_A_OPERAND_ARGUMENT = 1,
	FLAMEMOD_A_OPERAND_OFFSET,
	FLAMEMOD_A_OPERAND_SIZE,
	FLAMEMOD_A_OPERAND_SIGNED,

	/* private: */
	__FLAMEMOD_A_OPERAND_MAX,
	FLAMEMOD_A_OPERAND_MAX = (__FLAMEMOD_A_OPERAND_MAX - 1)
};

/**
 * enum flamemod_condition_attr - a condition on what is read when a source
 * hits
 * @FLAMEMOD_A_CONDITION_OPERAND: what is read (nest)
 * @FLAMEMOD_A_CONDITION_COMPARE: how it is compared (u32, 0..6)
 * @FLAMEMOD_A_CONDITION_VALUE: with what; in two's complement if the operand
 *	is signed (u64)
 * @__FLAMEMOD_A_CONDITION_MAX: internal, one above the last
 * @FLAMEMOD_A_CONDITION_MAX: internal, the last
 */
enum flamemod_condition_attr {
	FLAMEMOD_A_CONDITION_OPERAND = 1,
	FLAMEMOD_A_CONDITION_COMPARE,
	FLAMEMOD_A_CONDITION_VALUE,

	/* private: */
	__FLAMEMOD_A_CONDITION_MAX,
	FLAMEMOD_A_CONDITION_MAX = (__FLAMEMOD_A_CONDITION_MAX - 1)
};

/**
 * enum flamemod_state_attr - the session as a whole
 * @FLAMEMOD_A_STATE_VERSION: the module's version (string)
 * @FLAMEMOD_A_STATE_STATE: what the session is doing (u32)
 * @FLAMEMOD_A_STATE_EPOCH: grows with every reset; frames, nodes, tasks and
 *	records keep their numbers within an epoch (u32)
 * @FLAMEMOD_A_STATE_PERIOD_NS: the sampling period, in nanoseconds (uint)
 * @FLAMEMOD_A_STATE_RESOLUTION_NS: the resolution of the timers' clock, in
 *	nanoseconds; 1 where timers have high resolution (uint)
 * @FLAMEMOD_A_STATE_SINCE_NS: when the epoch began, in nanoseconds of
 *	CLOCK_MONOTONIC (uint)
 * @FLAMEMOD_A_STATE_INSTANT_NS: when this snapshot was taken, in nanoseconds
 *	of CLOCK_MONOTONIC (uint)
 * @FLAMEMOD_A_STATE_MEMORY_BYTES: memory held by the module's tables, in
 *	bytes (uint)
 * @FLAMEMOD_A_STATE_MEMORY_LIMIT_BYTES: the most it may hold, in bytes
 *	(uint)
 * @FLAMEMOD_A_STATE_NR_FRAMES: the highest frame number used, plus one (u32)
 * @FLAMEMOD_A_STATE_NR_NODES: nodes in the dump that this message begins,
 *	the root included (u32)
 * @FLAMEMOD_A_STATE_NR_TASKS: tasks in the dump (u32)
 * @FLAMEMOD_A_STATE_NR_RECORDS: records in the dump (u32)
 * @FLAMEMOD_A_STATE_BOOKS: the sum over all CPUs (nest)
 * @FLAMEMOD_A_STATE_STACKS: how kernel stacks were taken since the module
 *	was loaded (nest)
 * @FLAMEMOD_A_STATE_PAUSES: for how long interrupts were kept off since the
 *	module was loaded (nest)
 * @FLAMEMOD_A_STATE_FOLLOWED: the process that is followed, by its id in the
 *	initial pid namespace, or 0 (u32)
 * @FLAMEMOD_A_STATE_IRQS_OFF: 1 if time with interrupts off has a leaf of
 *	its own, "[irqs-off]"; 0 where it is not recognised, since the kernel
 *	turns interrupts off by other instructions than those that are known (u8)
 * @FLAMEMOD_A_STATE_STEAL_CLOCK: 1 once the kernel has accounted time that a
 *	hypervisor took from some CPU, as steal in /proc/stat. While it is 0 such
 *	time is not told from other delays. (u8)
 * @FLAMEMOD_A_STATE_ISOLATED: the CPUs online that are isolated (isolcpus=,
 *	nohz_full=), as a list: they are sampled only where the settings name
 *	them. It is absent where there are none, or too many to be told in cpus-
 *	bytes-max bytes. (string)
 * @FLAMEMOD_A_STATE_NR_ISOLATED: how many CPUs online are isolated; absent
 *	for none (u32)
 * @FLAMEMOD_A_STATE_USER_STACKS: how user stacks were taken in this epoch,
 *	if they are taken (nest)
 * @FLAMEMOD_A_STATE_EVENT: one event that is attached, and its books. In a
 *	dump of events, one of those; in a dump of samples, one of this socket; in
 *	a status, one of those that epoch names, else of this socket, else of
 *	those that have been attached for longest. (nest, repeated)
 * @FLAMEMOD_A_STATE_CLOSED: 1 if this is a closed epoch that was kept, as it
 *	was when it was closed, at instant-ns; its counts do not change any more.
 *	Absent for the current one. (u8)
 * @FLAMEMOD_A_STATE_KEPT: epochs that are kept for readers (nest)
 * @FLAMEMOD_A_STATE_EVENTS_EPOCH: the epoch, as in client, of the events
 *	that are listed; absent if none are (u32)
 * @FLAMEMOD_A_STATE_CLIENT: of a status, one socket that has events attached
 *	(nest, repeated)
 * @__FLAMEMOD_A_STATE_MAX: internal, one above the last
 * @FLAMEMOD_A_STATE_MAX: internal, the last
 */
enum flamemod_state_attr {
	FLAMEMOD_A_STATE_VERSION = 1,
	FLAMEMOD_A_STATE_STATE,
	FLAMEMOD_A_STATE_EPOCH,
	FLAMEMOD_A_STATE_PERIOD_NS,
	FLAMEMOD_A_STATE_RESOLUTION_NS,
	FLAMEMOD_A_STATE_SINCE_NS,
	FLAMEMOD_A_STATE_INSTANT_NS,
	FLAMEMOD_A_STATE_MEMORY_BYTES,
	FLAMEMOD_A_STATE_MEMORY_LIMIT_BYTES,
	FLAMEMOD_A_STATE_NR_FRAMES,
	FLAMEMOD_A_STATE_NR_NODES,
	FLAMEMOD_A_STATE_NR_TASKS,
	FLAMEMOD_A_STATE_NR_RECORDS,
	FLAMEMOD_A_STATE_BOOKS,
	FLAMEMOD_A_STATE_STACKS,
	FLAMEMOD_A_STATE_PAUSES,
	FLAMEMOD_A_STATE_FOLLOWED,
	FLAMEMOD_A_STATE_IRQS_OFF,
	FLAMEMOD_A_STATE_STEAL_CLOCK,
	FLAMEMOD_A_STATE_ISOLATED,
	FLAMEMOD_A_STATE_NR_ISOLATED,
	FLAMEMOD_A_STATE_USER_STACKS,
	FLAMEMOD_A_STATE_EVENT,
	FLAMEMOD_A_STATE_CLOSED,
	FLAMEMOD_A_STATE_KEPT,
	FLAMEMOD_A_STATE_EVENTS_EPOCH,
	FLAMEMOD_A_STATE_CLIENT,

	/* private: */
	__FLAMEMOD_A_STATE_MAX,
	FLAMEMOD_A_STATE_MAX = (__FLAMEMOD_A_STATE_MAX - 1)
};

/**
 * enum flamemod_kept_attr - epochs that are kept for readers after a reset
 * (see keep)
 * @FLAMEMOD_A_KEPT_READERS: sockets that epochs are kept for (u32)
 * @FLAMEMOD_A_KEPT_EPOCHS: epochs that are kept now, as not all of these
 *	have had them (u32)
 * @FLAMEMOD_A_KEPT_BYTES: the memory that they take, in bytes; it counts as
 *	free, and is if it is needed (uint)
 * @FLAMEMOD_A_KEPT_EXPIRED: how often a reader missed an epoch, as it did
 *	not ask for it within 300 s (uint)
 * @FLAMEMOD_A_KEPT_RECLAIMED: how often a reader missed an epoch, as the
 *	memory was needed (uint)
 * @__FLAMEMOD_A_KEPT_MAX: internal, one above the last
 * @FLAMEMOD_A_KEPT_MAX: internal, the last
 */
enum flamemod_kept_attr {
	FLAMEMOD_A_KEPT_READERS = 1,
	FLAMEMOD_A_KEPT_EPOCHS,
	FLAMEMOD_A_KEPT_BYTES,
	FLAMEMOD_A_KEPT_EXPIRED,
	FLAMEMOD_A_KEPT_RECLAIMED,

	/* private: */
	__FLAMEMOD_A_KEPT_MAX,
	FLAMEMOD_A_KEPT_MAX = (__FLAMEMOD_A_KEPT_MAX - 1)
};

/**
 * enum flamemod_pauses_attr - for how long sampling kept interrupts off on a
 * CPU, time included that a hypervisor took
 * @FLAMEMOD_A_PAUSES_CALLBACKS: how many of the timer's callbacks took how
 *	long: the first less than 2 ns, each other its number's power of 2 and
 *	less than twice that, the last all longer ones. Those without a new step
 *	or stack are timed one in 16, and count as 16. (binary of u64)
 * @FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX: the longest of those timed, in
 *	nanoseconds (uint)
 * @FLAMEMOD_A_PAUSES_SWAP_NS_MAX: the longest swap of tables, for a drain,
 *	in nanoseconds (uint)
 * @FLAMEMOD_A_PAUSES_FORGET_NS_MAX: the longest time it took to forget the
 *	steps of modules' text, in nanoseconds (uint)
 * @__FLAMEMOD_A_PAUSES_MAX: internal, one above the last
 * @FLAMEMOD_A_PAUSES_MAX: internal, the last
 */
enum flamemod_pauses_attr {
	FLAMEMOD_A_PAUSES_CALLBACKS = 1,
	FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX,
	FLAMEMOD_A_PAUSES_SWAP_NS_MAX,
	FLAMEMOD_A_PAUSES_FORGET_NS_MAX,

	/* private: */
	__FLAMEMOD_A_PAUSES_MAX,
	FLAMEMOD_A_PAUSES_MAX = (__FLAMEMOD_A_PAUSES_MAX - 1)
};

/**
 * enum flamemod_stacks_attr - how kernel stacks were taken, where steps of
 * the kernel's unwinder are learned
 * @FLAMEMOD_A_STACKS_LEARNED: stacks taken by learned steps alone (uint)
 * @FLAMEMOD_A_STACKS_UNWOUND: stacks left to the kernel's unwinder (uint)
 * @FLAMEMOD_A_STACKS_STEPS: steps learned (uint)
 * @FLAMEMOD_A_STACKS_VERIFIED: stacks taken both ways and compared (uint)
 * @FLAMEMOD_A_STACKS_DIFFERENCES: of these, not the same; learned steps are
 *	then no longer used (uint)
 * @__FLAMEMOD_A_STACKS_MAX: internal, one above the last
 * @FLAMEMOD_A_STACKS_MAX: internal, the last
 */
enum flamemod_stacks_attr {
	FLAMEMOD_A_STACKS_LEARNED = 1,
	FLAMEMOD_A_STACKS_UNWOUND,
	FLAMEMOD_A_STACKS_STEPS,
	FLAMEMOD_A_STACKS_VERIFIED,
	FLAMEMOD_A_STACKS_DIFFERENCES,

	/* private: */
	__FLAMEMOD_A_STACKS_MAX,
	FLAMEMOD_A_STACKS_MAX = (__FLAMEMOD_A_STACKS_MAX - 1)
};

/**
 * enum flamemod_user_stacks_attr - how user stacks were taken. First one
 * attribute per outcome but away, its number one above that of the outcome
 * in enum user-side; together these are the periods that were stored with a
 * user stack.
 * @FLAMEMOD_A_USER_STACKS_WHOLE: periods stored, of enum user-side's whole
 *	(uint)
 * @FLAMEMOD_A_USER_STACKS_BY_FP: periods stored, of enum user-side's by-fp
 *	(uint)
 * @FLAMEMOD_A_USER_STACKS_DEEP: periods stored, of enum user-side's deep
 *	(uint)
 * @FLAMEMOD_A_USER_STACKS_UNVERIFIED: periods stored, of enum user-side's
 *	unverified (uint)
 * @FLAMEMOD_A_USER_STACKS_NO_MAPPING: periods stored, of enum user-side's
 *	no-mapping (uint)
 * @FLAMEMOD_A_USER_STACKS_NOT_LEARNED: periods stored, of enum user-side's
 *	not-learned (uint)
 * @FLAMEMOD_A_USER_STACKS_FAULT: periods stored, of enum user-side's fault
 *	(uint)
 * @FLAMEMOD_A_USER_STACKS_NO_RULE: periods stored, of enum user-side's no-
 *	rule (uint)
 * @FLAMEMOD_A_USER_STACKS_EXEC: periods stored, of enum user-side's exec
 *	(uint)
 * @FLAMEMOD_A_USER_STACKS_COMPAT32: periods stored, of enum user-side's
 *	compat32 (uint)
 * @FLAMEMOD_A_USER_STACKS_CROWDED: periods stored, of enum user-side's
 *	crowded (uint)
 * @FLAMEMOD_A_USER_STACKS_COPY_SHORT: periods stored, of enum user-side's
 *	copy-short (uint)
 * @FLAMEMOD_A_USER_STACKS_FILES: programs and libraries that were met (uint)
 * @FLAMEMOD_A_USER_STACKS_ROWS_BYTES: memory in use for their unwind tables
 *	and names (uint)
 * @FLAMEMOD_A_USER_STACKS_ROWS_LIMIT_BYTES: the most memory that these may
 *	use (uint)
 * @__FLAMEMOD_A_USER_STACKS_MAX: internal, one above the last
 * @FLAMEMOD_A_USER_STACKS_MAX: internal, the last
 */
enum flamemod_user_stacks_attr {
	FLAMEMOD_A_USER_STACKS_WHOLE = 1,
	FLAMEMOD_A_USER_STACKS_BY_FP,
	FLAMEMOD_A_USER_STACKS_DEEP,
	FLAMEMOD_A_USER_STACKS_UNVERIFIED,
	FLAMEMOD_A_USER_STACKS_NO_MAPPING,
	FLAMEMOD_A_USER_STACKS_NOT_LEARNED,
	FLAMEMOD_A_USER_STACKS_FAULT,
	FLAMEMOD_A_USER_STACKS_NO_RULE,
	FLAMEMOD_A_USER_STACKS_EXEC,
	FLAMEMOD_A_USER_STACKS_COMPAT32,
	FLAMEMOD_A_USER_STACKS_CROWDED,
	FLAMEMOD_A_USER_STACKS_COPY_SHORT,
	FLAMEMOD_A_USER_STACKS_FILES,
	FLAMEMOD_A_USER_STACKS_ROWS_BYTES,
	FLAMEMOD_A_USER_STACKS_ROWS_LIMIT_BYTES,

	/* private: */
	__FLAMEMOD_A_USER_STACKS_MAX,
	FLAMEMOD_A_USER_STACKS_MAX = (__FLAMEMOD_A_USER_STACKS_MAX - 1)
};

/**
 * enum flamemod_cpu_attr - one CPU that is or was sampled in this epoch
 * @FLAMEMOD_A_CPU_CPU: the CPU's number (u32)
 * @FLAMEMOD_A_CPU_SAMPLING: 1 while its timer is armed (u8)
 * @FLAMEMOD_A_CPU_SAMPLED_NS: how long the CPU was being sampled, in
 *	nanoseconds (uint)
 * @FLAMEMOD_A_CPU_BOOKS: its books (nest)
 * @FLAMEMOD_A_CPU_NR_STALLS: fires that were late by a second or more since
 *	the module was loaded, though interrupts were not off (uint)
 * @FLAMEMOD_A_CPU_STALL: the latest of them, oldest first; not more than 7
 *	(nest, repeated)
 * @__FLAMEMOD_A_CPU_MAX: internal, one above the last
 * @FLAMEMOD_A_CPU_MAX: internal, the last
 */
enum flamemod_cpu_attr {
	FLAMEMOD_A_CPU_CPU = 1,
	FLAMEMOD_A_CPU_SAMPLING,
	FLAMEMOD_A_CPU_SAMPLED_NS,
	FLAMEMOD_A_CPU_BOOKS,
	FLAMEMOD_A_CPU_NR_STALLS,
	FLAMEMOD_A_CPU_STALL,

	/* private: */
	__FLAMEMOD_A_CPU_MAX,
	FLAMEMOD_A_CPU_MAX = (__FLAMEMOD_A_CPU_MAX - 1)
};

/**
 * enum flamemod_stall_attr - a time in which a CPU did not run
 * @FLAMEMOD_A_STALL_FROM_NS: when the fire was due that came late, in
 *	nanoseconds of CLOCK_MONOTONIC (uint)
 * @FLAMEMOD_A_STALL_NS: by how much it was late, in nanoseconds (uint)
 * @__FLAMEMOD_A_STALL_MAX: internal, one above the last
 * @FLAMEMOD_A_STALL_MAX: internal, the last
 */
enum flamemod_stall_attr {
	FLAMEMOD_A_STALL_FROM_NS = 1,
	FLAMEMOD_A_STALL_NS,

	/* private: */
	__FLAMEMOD_A_STALL_MAX,
	FLAMEMOD_A_STALL_MAX = (__FLAMEMOD_A_STALL_MAX - 1)
};

/**
 * enum flamemod_books_attr - where every period went
 * @FLAMEMOD_A_BOOKS_EXPECTED: sampled time divided by the period, from the
 *	clock alone (uint)
 * @FLAMEMOD_A_BOOKS_FIRES: how often the timer fired (uint)
 * @FLAMEMOD_A_BOOKS_MISSED: periods that passed without a fire of their own
 *	(uint)
 * @FLAMEMOD_A_BOOKS_STORED: periods in the profile (uint)
 * @FLAMEMOD_A_BOOKS_FILTERED: periods left out by the settings (uint)
 * @FLAMEMOD_A_BOOKS_LOST: periods lost, by reason (nest)
 * @FLAMEMOD_A_BOOKS_TRUNCATED: samples, not periods, whose stack was deeper
 *	than max-depth; they are stored (uint)
 * @FLAMEMOD_A_BOOKS_ASLEEP: those of the missed periods for which an idle
 *	CPU was left without a timer (uint)
 * @FLAMEMOD_A_BOOKS_OVERDUE: periods that are due at this instant and not
 *	yet counted, as their fire is late, less those that were so when the epoch
 *	began; so expected = fires + missed + overdue. It is 0 where it is absent.
 *	(sint)
 * @FLAMEMOD_A_BOOKS_LATE: those of the missed periods that a late fire was
 *	counted for (uint)
 * @FLAMEMOD_A_BOOKS_STOLEN: those of the stored periods that a hypervisor
 *	took, with the mark "[steal]" (uint)
 * @__FLAMEMOD_A_BOOKS_MAX: internal, one above the last
 * @FLAMEMOD_A_BOOKS_MAX: internal, the last
 */
enum flamemod_books_attr {
	FLAMEMOD_A_BOOKS_EXPECTED = 1,
	FLAMEMOD_A_BOOKS_FIRES,
	FLAMEMOD_A_BOOKS_MISSED,
	FLAMEMOD_A_BOOKS_STORED,
	FLAMEMOD_A_BOOKS_FILTERED,
	FLAMEMOD_A_BOOKS_LOST,
	FLAMEMOD_A_BOOKS_TRUNCATED,
	FLAMEMOD_A_BOOKS_ASLEEP,
	FLAMEMOD_A_BOOKS_OVERDUE,
	FLAMEMOD_A_BOOKS_LATE,
	FLAMEMOD_A_BOOKS_STOLEN,

	/* private: */
	__FLAMEMOD_A_BOOKS_MAX,
	FLAMEMOD_A_BOOKS_MAX = (__FLAMEMOD_A_BOOKS_MAX - 1)
};

/**
 * enum flamemod_lost_attr - one attribute per reason, its number one above
 * that of the reason in enum lost
 * @FLAMEMOD_A_LOST_TABLE_FULL: periods lost for enum lost's table-full
 *	(uint)
 * @FLAMEMOD_A_LOST_AGGREGATE_FULL: periods lost for enum lost's aggregate-
 *	full (uint)
 * @FLAMEMOD_A_LOST_OVERLOAD: periods lost for enum lost's overload (uint)
 * @FLAMEMOD_A_LOST_NO_REGS: periods lost for enum lost's no-regs (uint)
 * @FLAMEMOD_A_LOST_STOPPED: periods lost for enum lost's stopped (uint)
 * @__FLAMEMOD_A_LOST_MAX: internal, one above the last
 * @FLAMEMOD_A_LOST_MAX: internal, the last
 */
enum flamemod_lost_attr {
	FLAMEMOD_A_LOST_TABLE_FULL = 1,
	FLAMEMOD_A_LOST_AGGREGATE_FULL,
	FLAMEMOD_A_LOST_OVERLOAD,
	FLAMEMOD_A_LOST_NO_REGS,
	FLAMEMOD_A_LOST_STOPPED,

	/* private: */
	__FLAMEMOD_A_LOST_MAX,
	FLAMEMOD_A_LOST_MAX = (__FLAMEMOD_A_LOST_MAX - 1)
};

/**
 * enum flamemod_event_attr - an event that is attached; its books count
 * since then, over all CPUs
 * @FLAMEMOD_A_EVENT_EVENT: of enum event, or a source's number, from source-
 *	first on (u32)
 * @FLAMEMOD_A_EVENT_UNIT: what its weights are, such as "ns" (string)
 * @FLAMEMOD_A_EVENT_SINCE_NS: when it was attached, in nanoseconds of
 *	CLOCK_MONOTONIC (uint)
 * @FLAMEMOD_A_EVENT_MIN_NS: what is shorter is below, in nanoseconds (uint)
 * @FLAMEMOD_A_EVENT_STATES: the states that are taken, a bit for each of
 *	enum task-state (u32)
 * @FLAMEMOD_A_EVENT_PIDS: the processes or threads that it is attached to;
 *	empty for others (binary of u32)
 * @FLAMEMOD_A_EVENT_FOLLOWED: 1 if it is attached to the process that is
 *	followed (u8)
 * @FLAMEMOD_A_EVENT_HITS: how many hits; intervals and calls that have not
 *	ended are not counted yet (nest)
 * @FLAMEMOD_A_EVENT_WEIGHT: their weight, in the unit, up to the last dump
 *	or, of tasks that were switched since, up to that (nest)
 * @FLAMEMOD_A_EVENT_BROKEN: 1 if an invariant failed, so that it takes no
 *	more; the kernel log says which (u8)
 * @FLAMEMOD_A_EVENT_NAME: what it is called; of a source as the request says
 *	(string)
 * @FLAMEMOD_A_EVENT_KIND: where it comes from; absent for switches (u32)
 * @FLAMEMOD_A_EVENT_SUSPENDED_NS: when its source was suspended, as its hits
 *	took more than a quarter of a CPU, in nanoseconds of CLOCK_MONOTONIC;
 *	absent if it was not (uint)
 * @FLAMEMOD_A_EVENT_USER_SIDES: the weight that was stored with a user
 *	stack, by what became of it, in the order of enum user-side; absent if
 *	user stacks are not taken (binary of u64)
 * @__FLAMEMOD_A_EVENT_MAX: internal, one above the last
 * @FLAMEMOD_A_EVENT_MAX: internal, the last
 */
enum flamemod_event_attr {
	FLAMEMOD_A_EVENT_EVENT = 1,
	FLAMEMOD_A_EVENT_UNIT,
	FLAMEMOD_A_EVENT_SINCE_NS,
	FLAMEMOD_A_EVENT_MIN_NS,
	FLAMEMOD_A_EVENT_STATES,
	FLAMEMOD_A_EVENT_PIDS,
	FLAMEMOD_A_EVENT_FOLLOWED,
	FLAMEMOD_A_EVENT_HITS,
	FLAMEMOD_A_EVENT_WEIGHT,
	FLAMEMOD_A_EVENT_BROKEN,
	FLAMEMOD_A_EVENT_NAME,
	FLAMEMOD_A_EVENT_KIND,
	FLAMEMOD_A_EVENT_SUSPENDED_NS,
	FLAMEMOD_A_EVENT_USER_SIDES,

	/* private: */
	__FLAMEMOD_A_EVENT_MAX,
	FLAMEMOD_A_EVENT_MAX = (__FLAMEMOD_A_EVENT_MAX - 1)
};

/**
 * enum flamemod_client_attr - a socket that has events attached
 * @FLAMEMOD_A_CLIENT_EPOCH: the number of its attach, to be sent as epoch to
 *	get these events (u32)
 * @FLAMEMOD_A_CLIENT_PID: the process that attached them, by its id in the
 *	initial pid namespace (u32)
 * @__FLAMEMOD_A_CLIENT_MAX: internal, one above the last
 * @FLAMEMOD_A_CLIENT_MAX: internal, the last
 */
enum flamemod_client_attr {
	FLAMEMOD_A_CLIENT_EPOCH = 1,
	FLAMEMOD_A_CLIENT_PID,

	/* private: */
	__FLAMEMOD_A_CLIENT_MAX,
	FLAMEMOD_A_CLIENT_MAX = (__FLAMEMOD_A_CLIENT_MAX - 1)
};

/**
 * enum flamemod_event_books_attr - what became of an event's hits, as their
 * number or as their weight: seen = stored + filtered + below + the sum of
 * lost
 * @FLAMEMOD_A_EVENT_BOOKS_SEEN: of the tasks that it is attached to (uint)
 * @FLAMEMOD_A_EVENT_BOOKS_STORED: in the profile (uint)
 * @FLAMEMOD_A_EVENT_BOOKS_FILTERED: left out for their state, or by a
 *	condition (uint)
 * @FLAMEMOD_A_EVENT_BOOKS_BELOW: left out as shorter than the minimum (uint)
 * @FLAMEMOD_A_EVENT_BOOKS_LOST: lost, by reason (nest)
 * @__FLAMEMOD_A_EVENT_BOOKS_MAX: internal, one above the last
 * @FLAMEMOD_A_EVENT_BOOKS_MAX: internal, the last
 */
enum flamemod_event_books_attr {
	FLAMEMOD_A_EVENT_BOOKS_SEEN = 1,
	FLAMEMOD_A_EVENT_BOOKS_STORED,
	FLAMEMOD_A_EVENT_BOOKS_FILTERED,
	FLAMEMOD_A_EVENT_BOOKS_BELOW,
	FLAMEMOD_A_EVENT_BOOKS_LOST,

	/* private: */
	__FLAMEMOD_A_EVENT_BOOKS_MAX,
	FLAMEMOD_A_EVENT_BOOKS_MAX = (__FLAMEMOD_A_EVENT_BOOKS_MAX - 1)
};

/**
 * enum flamemod_event_lost_attr - one attribute per reason, its number one
 * above that of the reason in enum event-lost
 * @FLAMEMOD_A_EVENT_LOST_TABLE_FULL: intervals or weight lost for enum
 *	event-lost's table-full (uint)
 * @FLAMEMOD_A_EVENT_LOST_AGGREGATE_FULL: intervals or weight lost for enum
 *	event-lost's aggregate-full (uint)
 * @FLAMEMOD_A_EVENT_LOST_OVERLOAD: intervals or weight lost for enum event-
 *	lost's overload (uint)
 * @FLAMEMOD_A_EVENT_LOST_NO_SLOT: intervals lost for enum event-lost's no-
 *	slot (uint)
 * @FLAMEMOD_A_EVENT_LOST_NESTED: hits lost for enum event-lost's nested
 *	(uint)
 * @FLAMEMOD_A_EVENT_LOST_MISSED: hits or weight lost for enum event-lost's
 *	missed; absent for 0 (uint)
 * @FLAMEMOD_A_EVENT_LOST_NMI: hits or weight lost for enum event-lost's nmi;
 *	absent for 0 (uint)
 * @FLAMEMOD_A_EVENT_LOST_SUSPENDED: hits or weight lost for enum event-
 *	lost's suspended; absent for 0 (uint)
 * @FLAMEMOD_A_EVENT_LOST_TOO_LARGE: hits or weight lost for enum event-
 *	lost's too-large; absent for 0 (uint)
 * @FLAMEMOD_A_EVENT_LOST_MALFORMED: hits or weight lost for enum event-
 *	lost's malformed; absent for 0 (uint)
 * @__FLAMEMOD_A_EVENT_LOST_MAX: internal, one above the last
 * @FLAMEMOD_A_EVENT_LOST_MAX: internal, the last
 */
enum flamemod_event_lost_attr {
	FLAMEMOD_A_EVENT_LOST_TABLE_FULL = 1,
	FLAMEMOD_A_EVENT_LOST_AGGREGATE_FULL,
	FLAMEMOD_A_EVENT_LOST_OVERLOAD,
	FLAMEMOD_A_EVENT_LOST_NO_SLOT,
	FLAMEMOD_A_EVENT_LOST_NESTED,
	FLAMEMOD_A_EVENT_LOST_MISSED,
	FLAMEMOD_A_EVENT_LOST_NMI,
	FLAMEMOD_A_EVENT_LOST_SUSPENDED,
	FLAMEMOD_A_EVENT_LOST_TOO_LARGE,
	FLAMEMOD_A_EVENT_LOST_MALFORMED,

	/* private: */
	__FLAMEMOD_A_EVENT_LOST_MAX,
	FLAMEMOD_A_EVENT_LOST_MAX = (__FLAMEMOD_A_EVENT_LOST_MAX - 1)
};

/**
 * enum flamemod_frames_attr - frames that the dump's nodes use, in rising
 * order of their number
 * @FLAMEMOD_A_FRAMES_ID: frame numbers, as differences (binary of u8)
 * @FLAMEMOD_A_FRAMES_KIND: their kinds, of enum frame-kind (binary of u8)
 * @FLAMEMOD_A_FRAMES_NAME: their names, one attribute each, in the order of
 *	id (string, repeated)
 * @__FLAMEMOD_A_FRAMES_MAX: internal, one above the last
 * @FLAMEMOD_A_FRAMES_MAX: internal, the last
 */
enum flamemod_frames_attr {
	FLAMEMOD_A_FRAMES_ID = 1,
	FLAMEMOD_A_FRAMES_KIND,
	FLAMEMOD_A_FRAMES_NAME,

	/* private: */
	__FLAMEMOD_A_FRAMES_MAX,
	FLAMEMOD_A_FRAMES_MAX = (__FLAMEMOD_A_FRAMES_MAX - 1)
};

/**
 * enum flamemod_nodes_attr - call tree nodes with consecutive numbers; node
 * 0 is the root, which has neither parent nor frame and is not sent; a
 * parent's number is below its children's
 * @FLAMEMOD_A_NODES_FIRST: the number of the first node of this batch (u32)
 * @FLAMEMOD_A_NODES_PARENT: the parents' numbers, as differences (binary of
 *	u8)
 * @FLAMEMOD_A_NODES_FRAME: the frames' numbers, as differences (binary of
 *	u8)
 * @__FLAMEMOD_A_NODES_MAX: internal, one above the last
 * @FLAMEMOD_A_NODES_MAX: internal, the last
 */
enum flamemod_nodes_attr {
	FLAMEMOD_A_NODES_FIRST = 1,
	FLAMEMOD_A_NODES_PARENT,
	FLAMEMOD_A_NODES_FRAME,

	/* private: */
	__FLAMEMOD_A_NODES_MAX,
	FLAMEMOD_A_NODES_MAX = (__FLAMEMOD_A_NODES_MAX - 1)
};

/**
 * enum flamemod_tasks_attr - tasks with consecutive numbers; a task that
 * changed its comm, or was moved to another cgroup, has several
 * @FLAMEMOD_A_TASKS_FIRST: the number of the first task of this batch (u32)
 * @FLAMEMOD_A_TASKS_PID: process ids, in the initial pid namespace, as
 *	differences; 0 for idle (binary of u8)
 * @FLAMEMOD_A_TASKS_TID: thread ids, in the initial pid namespace, as
 *	differences (binary of u8)
 * @FLAMEMOD_A_TASKS_COMM: comms, one attribute each; any bytes but NUL
 *	(string, repeated)
 * @FLAMEMOD_A_TASKS_CGROUP: the cgroup that the task was in, in the default
 *	hierarchy (cgroup v2), as differences, modulo 2^64: the inode number of
 *	its directory; 0 where it is not known, and of idle; 2^64 - 1 where the
 *	table of cgroups had no room. Absent while all of the batch are 0. (binary
 *	of u8)
 * @__FLAMEMOD_A_TASKS_MAX: internal, one above the last
 * @FLAMEMOD_A_TASKS_MAX: internal, the last
 */
enum flamemod_tasks_attr {
	FLAMEMOD_A_TASKS_FIRST = 1,
	FLAMEMOD_A_TASKS_PID,
	FLAMEMOD_A_TASKS_TID,
	FLAMEMOD_A_TASKS_COMM,
	FLAMEMOD_A_TASKS_CGROUP,

	/* private: */
	__FLAMEMOD_A_TASKS_MAX,
	FLAMEMOD_A_TASKS_MAX = (__FLAMEMOD_A_TASKS_MAX - 1)
};

/**
 * enum flamemod_records_attr - records with consecutive numbers, one per
 * distinct stack, task, CPU and context
 * @FLAMEMOD_A_RECORDS_FIRST: the number of the first record of this batch
 *	(u32)
 * @FLAMEMOD_A_RECORDS_NODE: the leaf's node, as differences; 0 where no
 *	kernel stack was taken (user mode) and there is no mark (binary of u8)
 * @FLAMEMOD_A_RECORDS_TASK: the task, as differences (binary of u8)
 * @FLAMEMOD_A_RECORDS_CPU: the CPU (binary of u8)
 * @FLAMEMOD_A_RECORDS_CONTEXT: what was interrupted, of enum context (binary
 *	of u8)
 * @FLAMEMOD_A_RECORDS_COUNT: how often the timer found it; 0 is possible,
 *	where all was late. Of other events how many intervals ended; 0 is
 *	possible, where none did yet. (binary of u8)
 * @FLAMEMOD_A_RECORDS_PERIODS: the periods it stands for, count plus those
 *	that passed without a fire; of an event other than on-cpu its weight, in
 *	the unit of the event (binary of u8)
 * @FLAMEMOD_A_RECORDS_LATE_US: by how much its samples were late, summed, in
 *	microseconds (binary of u8)
 * @FLAMEMOD_A_RECORDS_EVENT: of enum event, or a source's number; absent
 *	while all records of the batch are on-cpu (binary of u8)
 * @FLAMEMOD_A_RECORDS_USER_NODE: the user stack's leaf, as differences, 0
 *	for none; absent while no record of the batch has one (binary of u8)
 * @FLAMEMOD_A_RECORDS_FOLLOWED: 1 where the task was followed; absent while
 *	none of the batch was (binary of u8)
 * @FLAMEMOD_A_RECORDS_STATE: of off-cpu, waiting and wakers why the task was
 *	off, of enum task-state; of the source latency the power of two of its
 *	nanoseconds; else 0. Absent while all of the batch are 0. (binary of u8)
 * @__FLAMEMOD_A_RECORDS_MAX: internal, one above the last
 * @FLAMEMOD_A_RECORDS_MAX: internal, the last
 */
enum flamemod_records_attr {
	FLAMEMOD_A_RECORDS_FIRST = 1,
	FLAMEMOD_A_RECORDS_NODE,
	FLAMEMOD_A_RECORDS_TASK,
	FLAMEMOD_A_RECORDS_CPU,
	FLAMEMOD_A_RECORDS_CONTEXT,
	FLAMEMOD_A_RECORDS_COUNT,
	FLAMEMOD_A_RECORDS_PERIODS,
	FLAMEMOD_A_RECORDS_LATE_US,
	FLAMEMOD_A_RECORDS_EVENT,
	FLAMEMOD_A_RECORDS_USER_NODE,
	FLAMEMOD_A_RECORDS_FOLLOWED,
	FLAMEMOD_A_RECORDS_STATE,

	/* private: */
	__FLAMEMOD_A_RECORDS_MAX,
	FLAMEMOD_A_RECORDS_MAX = (__FLAMEMOD_A_RECORDS_MAX - 1)
};

/**
 * enum flamemod_cmd - the operations
 * @FLAMEMOD_CMD_STATUS: the session, its settings and its books; as a dump
 *	also every CPU's
 * @FLAMEMOD_CMD_SET: change settings while stopped; all of them or, on an
 *	error, none
 * @FLAMEMOD_CMD_START: start sampling, with settings changed first when
 *	given; all or nothing
 * @FLAMEMOD_CMD_STOP: stop sampling; what was sampled stays. With owner,
 *	stop only what this socket has started with owner, and refuse to stop what
 *	others have.
 * @FLAMEMOD_CMD_RESET: forget what was sampled and begin a new epoch;
 *	sampling goes on if it was. What others still want of the old one is kept
 *	for them: see keep.
 * @FLAMEMOD_CMD_PROFILE: the whole profile as of one instant: state and
 *	settings, CPUs, frames, nodes, tasks, records, in this order
 * @FLAMEMOD_CMD_FOLLOW: follow a process, its threads and all that they
 *	create from now on, whether sampling runs or not: its records are marked.
 *	One at a time. The end of it ends followed-only as well. It ends when the
 *	socket that asked for it is closed, too.
 * @FLAMEMOD_CMD_ATTACH: count events from now on, whether sampling runs or
 *	not, until detach, or until the socket that asked for it is closed. event-
 *	clients-max sockets at a time have events attached, each by one attach; a
 *	second attach of a socket, and one socket more, are refused with EBUSY and
 *	a message that says why. Refused with EOPNOTSUPP where the kernel does not
 *	have one of them: ask for the others then. If a source is refused, nothing
 *	is attached, and the message names it.
 * @FLAMEMOD_CMD_DETACH: detach what this socket has attached, and forget its
 *	profile: dump it before
 * @__FLAMEMOD_CMD_MAX: internal, one above the last
 * @FLAMEMOD_CMD_MAX: internal, the last
 */
enum flamemod_cmd {
	FLAMEMOD_CMD_STATUS = 1,
	FLAMEMOD_CMD_SET,
	FLAMEMOD_CMD_START,
	FLAMEMOD_CMD_STOP,
	FLAMEMOD_CMD_RESET,
	FLAMEMOD_CMD_PROFILE,
	FLAMEMOD_CMD_FOLLOW,
	FLAMEMOD_CMD_ATTACH,
	FLAMEMOD_CMD_DETACH,

	/* private: */
	__FLAMEMOD_CMD_MAX,
	FLAMEMOD_CMD_MAX = (__FLAMEMOD_CMD_MAX - 1)
};

#endif /* _UAPI_LINUX_FLAMEMOD_H */
