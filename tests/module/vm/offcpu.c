// SPDX-License-Identifier: GPL-2.0
/*
 * offcpu: attach events to threads of its own that know what they do, and print both.
 *
 *   offcpu [-e EVENTS] [-m MIN_US] [-s STATES] [-t TENTHS] [-a] [-f]
 *
 *   -e EVENTS   bits of enum flamemod_event (default 14: off-cpu, waiting, ran)
 *   -m MIN_US   the minimum
 *   -s STATES   bits of enum flamemod_task_state
 *   -t TENTHS   for how many tenths of a second the threads work (default 20)
 *   -a          all tasks, not only this process
 *   -f          the process that is followed, which this program is then
 *
 * The threads: one sleeps from before the events are attached until after the dump;
 * two sleep again and again; two want a lock that each holds while it sleeps; one waits
 * for children that vfork() made, in state D; three use the CPUs; one is created after
 * the events were attached. When they have worked, all of them sleep, and then the
 * profile is dumped, so that no thread is switched while that lasts.
 *
 * Prints the profile as "stack EVENT STATE COMM;FRAME;... WEIGHT"; the books as
 * "books EVENT hits|weight SEEN STORED FILTERED BELOW LOST..."; and for each thread
 * "thread KIND TID LIFE OFF WAITING RAN PREEMPTED D CPU DELAY SLEPT BEGAN", in ns: how
 * long it lived since the events were attached, what was counted, by the kernel's
 * clocks what it used and how long it waited, how long it meant to sleep, and how long it
 * lived before its first instruction at most.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/genetlink.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

#define NS		1000000000ULL
#define THREADS		10
#define FRAMES		65536
#define NODES		65536
#define TASKS		4096

struct thread {
	const char *kind;
	void (*work)(struct thread *thread);
	bool late;			/* created after the events were attached */
	pthread_t id;
	pid_t tid;
	uint64_t created_ns, began_ns, cpu_ns, slept_ns;
	uint64_t delay_ns;		/* until the events were attached */
	uint64_t counted[__FLAMEMOD_EVENT_MAX], preempted, uninterruptible;
};

struct profile {
	char *frames[FRAMES];
	uint32_t parent[NODES], frame[NODES], tid[TASKS];
	char comm[TASKS][16];
	uint64_t since_ns, instant_ns;
	struct thread *threads;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t created, works;
static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t end_ns;
static struct profile profile;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

static void rest(struct thread *thread, uint64_t ns)
{
	struct timespec t = { (time_t)(ns / NS), (long)(ns % NS) };

	while (nanosleep(&t, &t))
		;
	thread->slept_ns += ns;
}

static bool goes_on(void)
{
	return clock_ns(CLOCK_MONOTONIC) < end_ns;
}

static void sleep_often(struct thread *thread)
{
	while (goes_on())
		rest(thread, 20 * NS / 1000);
}

static void want_lock(struct thread *thread)
{
	while (goes_on()) {
		pthread_mutex_lock(&lock);
		rest(thread, 30 * NS / 1000);
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
}

static void wait_for_children(struct thread *thread)
{
	while (goes_on()) {
		pid_t pid = vfork();

		if (!pid) {
			usleep(50000);
			_exit(0);
		}
		if (pid < 0)
			die("vfork");
		thread->slept_ns += 50 * NS / 1000;
	}
}

static void use_cpu(struct thread *thread)
{
	(void)thread;
	while (goes_on())
		;
}

static void do_nothing(struct thread *thread)
{
	(void)thread;
}

static void *run(void *arg)
{
	struct thread *thread = arg;
	uint64_t cpu_ns = 0;

	thread->began_ns = clock_ns(CLOCK_MONOTONIC);
	thread->tid = (pid_t)syscall(SYS_gettid);
	prctl(PR_SET_NAME, thread->kind);
	if (!thread->late)
		pthread_barrier_wait(&created);
	if (thread->work != do_nothing && !thread->late) {
		cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		pthread_barrier_wait(&works);
	}
	thread->work(thread);
	thread->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	pthread_mutex_lock(&end_lock);	/* it is held to the end */
	return NULL;
}

/* What the scheduler says that a thread has waited for CPUs. */
static uint64_t delay_of(pid_t tid)
{
	uint64_t ran, delay = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &delay) != 2)
		delay = 0;
	if (file)
		fclose(file);
	return delay;
}

/* Is a thread asleep in the lock that ends all? */
static bool has_ended(const struct thread *thread)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread->tid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return thread->cpu_ns && state == 'S';
}

static uint64_t attr_number(const struct nlattr *attr)
{
	return mnl_attr_get_payload_len(attr) == 8 ? mnl_attr_get_u64(attr) :
						     mnl_attr_get_u32(attr);
}

struct column {
	const uint8_t *at, *end;
	uint64_t last;
};

static struct column column_of(const struct nlattr *attr)
{
	struct column column = { 0 };

	if (attr) {
		column.at = mnl_attr_get_payload(attr);
		column.end = column.at + mnl_attr_get_payload_len(attr);
	}
	return column;
}

static uint64_t column_next(struct column *column)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	if (column->at == column->end)
		return 0;
	do
		value |= (uint64_t)(*column->at & 0x7f) << shift;
	while (shift += 7, *column->at++ & 0x80);
	return value;
}

static uint64_t column_difference(struct column *column)
{
	uint64_t value = column_next(column);

	column->last += value & 1 ? ~(value >> 1) : value >> 1;
	return column->last;
}

static void take_frames(const struct nlattr *nest)
{
	const struct nlattr *attr;
	struct column ids = { 0 };

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_FRAMES_ID)
			ids = column_of(attr);
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_FRAMES_NAME)
			profile.frames[column_difference(&ids) % FRAMES] =
				strdup(mnl_attr_get_str(attr));
	}
}

static void table_of(const struct nlattr *nest, const struct nlattr **table, int max)
{
	const struct nlattr *attr;

	memset(table, 0, sizeof(*table) * (size_t)(max + 1));
	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) <= max)
			table[mnl_attr_get_type(attr)] = attr;
}

static void take_nodes(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_NODES_MAX + 1];
	struct column parent, frame;
	uint32_t node;

	table_of(nest, table, FLAMEMOD_A_NODES_MAX);
	parent = column_of(table[FLAMEMOD_A_NODES_PARENT]);
	frame = column_of(table[FLAMEMOD_A_NODES_FRAME]);
	for (node = mnl_attr_get_u32(table[FLAMEMOD_A_NODES_FIRST]);
	     parent.at != parent.end && node < NODES; node++) {
		profile.parent[node] = (uint32_t)column_difference(&parent);
		profile.frame[node] = (uint32_t)column_difference(&frame);
	}
}

static void take_tasks(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_TASKS_MAX + 1], *attr;
	uint32_t first, task;
	struct column tid;

	table_of(nest, table, FLAMEMOD_A_TASKS_MAX);
	first = task = mnl_attr_get_u32(table[FLAMEMOD_A_TASKS_FIRST]);
	tid = column_of(table[FLAMEMOD_A_TASKS_TID]);
	for (; tid.at != tid.end && task < TASKS; task++)
		profile.tid[task] = (uint32_t)column_difference(&tid);
	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_TASKS_COMM && first < TASKS)
			snprintf(profile.comm[first++], 16, "%s", mnl_attr_get_str(attr));
}

static void print_stack(uint32_t node)
{
	if (!node)
		return;
	print_stack(profile.parent[node]);
	printf(";%s", profile.frames[profile.frame[node]]);
}

static void count(uint32_t tid, uint64_t event, uint64_t state, uint64_t weight)
{
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		struct thread *thread = &profile.threads[i];

		if ((uint32_t)thread->tid != tid)
			continue;
		thread->counted[event] += weight;
		if (event == FLAMEMOD_EVENT_OFF_CPU &&
		    state == FLAMEMOD_TASK_STATE_PREEMPTED)
			thread->preempted += weight;
		if (event == FLAMEMOD_EVENT_OFF_CPU &&
		    state == FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE)
			thread->uninterruptible += weight;
	}
}

static void take_records(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_RECORDS_MAX + 1];
	struct column node, task, weight, event, state, number;

	table_of(nest, table, FLAMEMOD_A_RECORDS_MAX);
	node = column_of(table[FLAMEMOD_A_RECORDS_NODE]);
	task = column_of(table[FLAMEMOD_A_RECORDS_TASK]);
	weight = column_of(table[FLAMEMOD_A_RECORDS_PERIODS]);
	number = column_of(table[FLAMEMOD_A_RECORDS_COUNT]);
	event = column_of(table[FLAMEMOD_A_RECORDS_EVENT]);
	state = column_of(table[FLAMEMOD_A_RECORDS_STATE]);
	while (node.at != node.end) {
		uint32_t leaf = (uint32_t)column_difference(&node);
		uint32_t t = (uint32_t)column_difference(&task);
		uint64_t e = column_next(&event), s = column_next(&state);
		uint64_t w = column_next(&weight), n = column_next(&number);

		printf("stack %" PRIu64 " %" PRIu64 " %s-%u", e, s, profile.comm[t],
		       profile.tid[t]);
		print_stack(leaf);
		printf(" %" PRIu64 " %" PRIu64 "\n", n, w);
		if (e < __FLAMEMOD_EVENT_MAX)
			count(profile.tid[t], e, s, w);
	}
}

static void print_sums(uint32_t event, const char *what, const struct nlattr *nest)
{
	const struct nlattr *attr, *lost;

	printf("books %u %s", event, what);
	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) != FLAMEMOD_A_EVENT_BOOKS_LOST) {
			printf(" %" PRIu64, attr_number(attr));
			continue;
		}
		mnl_attr_for_each_nested(lost, attr)
			printf(" %" PRIu64, attr_number(lost));
	}
	printf("\n");
}

static void take_event(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_EVENT_MAX + 1];
	uint32_t event;

	table_of(nest, table, FLAMEMOD_A_EVENT_MAX);
	event = mnl_attr_get_u32(table[FLAMEMOD_A_EVENT_EVENT]);
	print_sums(event, "hits", table[FLAMEMOD_A_EVENT_HITS]);
	print_sums(event, "weight", table[FLAMEMOD_A_EVENT_WEIGHT]);
	printf("broken %u\n", mnl_attr_get_u8(table[FLAMEMOD_A_EVENT_BROKEN]));
}

static void take_state(const struct nlattr *nest)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case FLAMEMOD_A_STATE_SINCE_NS:
			profile.since_ns = attr_number(attr);
			break;
		case FLAMEMOD_A_STATE_INSTANT_NS:
			profile.instant_ns = attr_number(attr);
			break;
		case FLAMEMOD_A_STATE_EVENT:
			take_event(attr);
			break;
		default:
			break;
		}
	}
}

static int take_message(const struct nlmsghdr *reply, void *data)
{
	const struct nlattr *attr;

	(void)data;
	mnl_attr_for_each(attr, reply, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case FLAMEMOD_A_STATE:
			take_state(attr);
			break;
		case FLAMEMOD_A_FRAMES:
			take_frames(attr);
			break;
		case FLAMEMOD_A_NODES:
			take_nodes(attr);
			break;
		case FLAMEMOD_A_TASKS:
			take_tasks(attr);
			break;
		case FLAMEMOD_A_RECORDS:
			take_records(attr);
			break;
		default:
			break;
		}
	}
	return MNL_CB_OK;
}

static void ask(struct asker *asker, struct request *request)
{
	struct answer answer = asker_ask(asker, request->header);

	if (!answer.error)
		return;
	answer_tell(request->name, &answer);
	exit(1);
}

int main(int argc, char **argv)
{
	struct thread threads[THREADS] = {
		{ .kind = "old", .work = do_nothing },
		{ .kind = "sleeper", .work = sleep_often },
		{ .kind = "sleeper", .work = sleep_often },
		{ .kind = "locker", .work = want_lock },
		{ .kind = "locker", .work = want_lock },
		{ .kind = "vforker", .work = wait_for_children },
		{ .kind = "spinner", .work = use_cpu },
		{ .kind = "spinner", .work = use_cpu },
		{ .kind = "spinner", .work = use_cpu },
		{ .kind = "late", .work = sleep_often, .late = true },
	};
	uint32_t events = 14, min_us = 0, states = 0, pid = (uint32_t)getpid();
	bool all = false, followed = false;
	static char buffer[REQUEST_SIZE];
	struct request request;
	struct nlattr *source;
	uint64_t tenths = 20;
	struct asker asker;
	unsigned int i;
	int option;

	while ((option = getopt(argc, argv, "e:m:s:t:af")) != -1) {
		switch (option) {
		case 'e':
			events = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'm':
			min_us = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 's':
			states = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 't':
			tenths = strtoul(optarg, NULL, 0);
			break;
		case 'a':
			all = true;
			break;
		case 'f':
			followed = true;
			break;
		default:
			return 2;
		}
	}
	profile.threads = threads;
	asker_init(&asker, socket_open());
	pthread_mutex_lock(&end_lock);
	pthread_barrier_init(&created, NULL, THREADS);
	pthread_barrier_init(&works, NULL, THREADS - 1);
	for (i = 0; i < THREADS - 1; i++)
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			die("create a thread");
	pthread_barrier_wait(&created);
	/* Let them all sleep: one until the end, the others until they may work. */
	usleep(100000);
	if (followed) {
		request = request_begin(buffer, "follow", asker.family,
					FLAMEMOD_CMD_FOLLOW, 0);
		mnl_attr_put_u32(request.header, FLAMEMOD_A_FOLLOW, pid);
		ask(&asker, &request);
	}
	for (i = 0; i < THREADS - 1; i++)
		threads[i].delay_ns = delay_of(threads[i].tid);
	request = request_begin(buffer, "attach", asker.family, FLAMEMOD_CMD_ATTACH, 0);
	source = mnl_attr_nest_start(request.header, FLAMEMOD_A_SOURCE);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SOURCE_EVENTS, events);
	if (min_us)
		mnl_attr_put_u32(request.header, FLAMEMOD_A_SOURCE_MIN_US, min_us);
	if (states)
		mnl_attr_put_u32(request.header, FLAMEMOD_A_SOURCE_STATES, states);
	if (followed)
		mnl_attr_put_u8(request.header, FLAMEMOD_A_SOURCE_FOLLOWED, 1);
	else if (!all)
		mnl_attr_put(request.header, FLAMEMOD_A_SOURCE_PIDS, sizeof(pid), &pid);
	mnl_attr_nest_end(request.header, source);
	ask(&asker, &request);
	for (i = 0; i < THREADS - 1; i++)
		threads[i].cpu_ns = 0;
	end_ns = clock_ns(CLOCK_MONOTONIC) + tenths * NS / 10;
	pthread_barrier_wait(&works);
	threads[THREADS - 1].created_ns = clock_ns(CLOCK_MONOTONIC);
	if (pthread_create(&threads[THREADS - 1].id, NULL, run, &threads[THREADS - 1]))
		die("create a thread");
	for (i = 0; i < THREADS; i++)
		while (!threads[i].tid || (threads[i].work != do_nothing &&
					   !has_ended(&threads[i])))
			usleep(20000);
	usleep(50000);
	request = request_begin(buffer, "dump", asker.family, FLAMEMOD_CMD_PROFILE,
				NLM_F_DUMP);
	mnl_attr_put(request.header, FLAMEMOD_A_EVENTS, 0, NULL);
	asker_run(&asker, request.header, take_message, NULL);
	for (i = 0; i < THREADS; i++) {
		struct thread *t = &threads[i];
		uint64_t from = t->late ? t->began_ns : profile.since_ns;

		printf("thread %s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       t->kind, t->tid, profile.instant_ns - from,
		       t->counted[FLAMEMOD_EVENT_OFF_CPU], t->counted[FLAMEMOD_EVENT_WAITING],
		       t->counted[FLAMEMOD_EVENT_RAN], t->preempted, t->uninterruptible,
		       t->cpu_ns, delay_of(t->tid) - t->delay_ns, t->slept_ns,
		       t->late ? t->began_ns - t->created_ns : 0);
	}
	request = request_begin(buffer, "detach", asker.family, FLAMEMOD_CMD_DETACH, 0);
	ask(&asker, &request);
	return 0;
}
