// SPDX-License-Identifier: GPL-2.0
/*
 * offcpu: attach events to threads of its own that know what they do, and print both.
 *
 *   offcpu [-e EVENTS] [-m MIN_US] [-s STATES] [-t TENTHS] [-a] [-f]
 *   offcpu -n [-t TENTHS]
 *
 *   -e EVENTS   bits of enum flamemod_event (default 14: off-cpu, waiting, ran)
 *   -m MIN_US   the minimum
 *   -s STATES   bits of enum flamemod_task_state
 *   -t TENTHS   for how many tenths of a second the threads work (default 20)
 *   -a          all tasks, not only this process
 *   -f          the process that is followed, which this program is then
 *   -n          attach nothing, only work: a thread's life is from its creation to its end
 *
 * The threads: one sleeps from before the events are attached until after the dump;
 * two sleep again and again; two want a lock that each holds while it sleeps; one waits
 * for children that vfork() made, in state D; three use the CPUs; one is created after
 * the events were attached. When they have worked, all of them sleep, and then the
 * profile is dumped, so that no thread is switched while that lasts.
 *
 * Prints the profile and the books as nlprofile.h says, and for each thread
 * "thread KIND TID LIFE OFF WAITING RAN PREEMPTED D CPU DELAY SLEPT BEGAN", in ns: how
 * long it lived since the events were attached, what was counted, by the kernel's
 * clocks what it used and how long it waited, how long it meant to sleep, and how long it
 * lived before its first instruction at most.
 */
#include <errno.h>
#include <inttypes.h>
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
#include "nlprofile.h"

#define NS		1000000000ULL
#define THREADS		10

/* What is asked for. */
struct wanted {
	uint32_t events, min_us, states;
	bool all, followed, nothing;
};

struct thread {
	const char *kind;
	void (*work)(struct thread *thread);
	bool late;			/* created after the events were attached */
	pthread_t id;
	pid_t tid;
	uint64_t created_ns, began_ns, ended_ns, cpu_ns, slept_ns;
	uint64_t delay_ns;		/* until the events were attached */
	uint64_t counted[__FLAMEMOD_EVENT_MAX], preempted, uninterruptible;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t created, works;
static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t end_ns;
static struct thread *all_threads;

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
			prctl(PR_SET_NAME, "child");
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
	pthread_mutex_lock(&end_lock);	/* held to the end, but with -n */
	pthread_mutex_unlock(&end_lock);
	thread->ended_ns = clock_ns(CLOCK_MONOTONIC);
	thread->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void create(struct thread *thread)
{
	thread->created_ns = clock_ns(CLOCK_MONOTONIC);
	if (pthread_create(&thread->id, NULL, run, thread))
		die("create a thread");
}

/* Let all threads end. */
static void end(const struct thread *threads)
{
	unsigned int i;

	pthread_mutex_unlock(&end_lock);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
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

/* Attach events to this process, to one that is followed or to all tasks. */
static void attach(struct asker *asker, const struct wanted *wanted)
{
	static char buffer[REQUEST_SIZE];
	uint32_t pid = (uint32_t)getpid();
	struct request request;
	struct nlattr *source;

	if (wanted->followed) {
		request = request_begin(buffer, "follow", asker->family,
					FLAMEMOD_CMD_FOLLOW, 0);
		mnl_attr_put_u32(request.header, FLAMEMOD_A_FOLLOW, pid);
		asker_must(asker, &request);
	}
	request = request_begin(buffer, "attach", asker->family, FLAMEMOD_CMD_ATTACH, 0);
	source = mnl_attr_nest_start(request.header, FLAMEMOD_A_ATTACH);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_EVENTS, wanted->events);
	if (wanted->min_us)
		mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_MIN_US, wanted->min_us);
	if (wanted->states)
		mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_STATES, wanted->states);
	if (wanted->followed)
		mnl_attr_put_u8(request.header, FLAMEMOD_A_ATTACH_FOLLOWED, 1);
	else if (!wanted->all)
		mnl_attr_put(request.header, FLAMEMOD_A_ATTACH_PIDS, sizeof(pid), &pid);
	mnl_attr_nest_end(request.header, source);
	asker_must(asker, &request);
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

static void count(const struct profile_record *record)
{
	unsigned int i;

	for (i = 0; i < THREADS && record->event < __FLAMEMOD_EVENT_MAX; i++) {
		struct thread *thread = &all_threads[i];

		if ((uint32_t)thread->tid != record->tid)
			continue;
		thread->counted[record->event] += record->weight;
		if (record->event == FLAMEMOD_EVENT_OFF_CPU &&
		    record->state == FLAMEMOD_TASK_STATE_PREEMPTED)
			thread->preempted += record->weight;
		if (record->event == FLAMEMOD_EVENT_OFF_CPU &&
		    record->state == FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE)
			thread->uninterruptible += record->weight;
	}
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
	struct wanted wanted = { .events = 14 };
	struct profile_times times = {};
	uint64_t tenths = 20;
	struct asker asker;
	unsigned int i;
	int option;

	while ((option = getopt(argc, argv, "e:m:s:t:afn")) != -1) {
		switch (option) {
		case 'e':
			wanted.events = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'm':
			wanted.min_us = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 's':
			wanted.states = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 't':
			tenths = strtoul(optarg, NULL, 0);
			break;
		case 'a':
			wanted.all = true;
			break;
		case 'f':
			wanted.followed = true;
			break;
		case 'n':
			wanted.nothing = true;
			break;
		default:
			return 2;
		}
	}
	all_threads = threads;
	if (!wanted.nothing)
		asker_init(&asker, socket_open());
	pthread_mutex_lock(&end_lock);
	pthread_barrier_init(&created, NULL, THREADS);
	pthread_barrier_init(&works, NULL, THREADS - 1);
	for (i = 0; i < THREADS - 1; i++)
		create(&threads[i]);
	pthread_barrier_wait(&created);
	/* Let them all sleep: one until the end, the others until they may work. */
	usleep(100000);
	for (i = 0; i < THREADS - 1; i++)
		threads[i].delay_ns = delay_of(threads[i].tid);
	if (!wanted.nothing)
		attach(&asker, &wanted);
	for (i = 0; i < THREADS - 1; i++)
		threads[i].cpu_ns = 0;
	end_ns = clock_ns(CLOCK_MONOTONIC) + tenths * NS / 10;
	pthread_barrier_wait(&works);
	create(&threads[THREADS - 1]);
	for (i = 0; i < THREADS; i++)
		while (!threads[i].tid || (threads[i].work != do_nothing &&
					   !has_ended(&threads[i])))
			usleep(20000);
	usleep(50000);
	if (wanted.nothing)
		end(threads);
	else
		times = profile_print(&asker, count);
	for (i = 0; i < THREADS; i++) {
		struct thread *t = &threads[i];
		uint64_t from = t->late ? t->began_ns : times.since_ns;
		uint64_t life = wanted.nothing ? t->ended_ns - t->created_ns :
						 times.instant_ns - from;

		printf("thread %s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       t->kind, t->tid, life,
		       t->counted[FLAMEMOD_EVENT_OFF_CPU], t->counted[FLAMEMOD_EVENT_WAITING],
		       t->counted[FLAMEMOD_EVENT_RAN], t->preempted, t->uninterruptible,
		       t->cpu_ns, wanted.nothing ? 0 : delay_of(t->tid) - t->delay_ns,
		       t->slept_ns,
		       t->late ? t->began_ns - t->created_ns : 0);
	}
	if (!wanted.nothing)
		asker_detach(&asker);
	return 0;
}
