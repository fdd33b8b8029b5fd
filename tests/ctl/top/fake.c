// SPDX-License-Identifier: GPL-2.0
/*
 * Commands of flamectl that use the module, with a made-up module:
 *
 *   fake LOOKS COMMAND [OPTION...]
 *
 * Each look finds the same stacks again, some more often than the time before,
 * as if 4 CPUs had been sampled 1000 times each. After LOOKS looks the module
 * is gone; 0 is never, and "stopped" is a module that does not sample until it
 * is started, on a machine without user stacks. "reset" is one that somebody resets
 * before the third look. "kept" is one that somebody resets before the second look, and
 * that keeps what it had for it. "unmarked" is one that does not recognise time with
 * interrupts off. Whatever command is followed, iperf3 is taken for it.
 *
 * "user=PATH,BUILD-ID,OFFSET,..." is one that takes user stacks: a process "program" is
 * in these places of a file, hexadecimal, for 100 periods in user mode, for 50 below
 * do_syscall_64, and for 20 in a function so deep that max-depth cut the kernel half of
 * its stack. There is no such process, unless "user@PID=PATH,..." gives one. The BUILD-ID
 * - is none. "places=PATH,..." is the same, with user-places=1.
 *
 * If events of tasks are attached, each dump finds that "sleepy" slept, waited for a disk
 * and for a CPU once more; with FAKE_TELLS in the environment, what was asked for is
 * printed. "no-waiting" is a kernel that does not tell the latter,
 * "attached" a module to which somebody else has attached events, "old" one without any.
 * If probes are, each dump finds that "cat" hit each 10 times more; "suspended" is a module
 * that suspended them after 250 ms. "losing" is one whose events lose some in each dump: their
 * tables, their memory and their slots are full, and they had no time for some.
 *
 * FAKE_HOUR=N in the environment lets the agent start 3 s before hour N + 1 since 1970, and
 * FAKE_SINCE=N says that the module's profile starts N seconds after 1970.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/agent.h"
#include "cmd/command.h"
#include "profile/join.h"
#include "profile/profile.h"
#include "profile/settings.h"
#include "profile/task_state.h"
#include "wire/nl.h"
#include "fake.h"

#define NR_CPUS		4
#define PERIODS		1000

static const struct load {
	const char *stack, *comm;
	uint32_t cpu, periods;
	enum flamemod_context context;
} loads[] = {
	{ "asm_entry;do_syscall_64;ksys_read;vfs_read;copy_page_to_iter", "cat", 0, 310, FLAMEMOD_CONTEXT_TASK },
	{ "asm_entry;do_syscall_64;ksys_read;vfs_read;filemap_get_pages", "cat", 0, 120, FLAMEMOD_CONTEXT_TASK },
	{ "asm_entry;do_syscall_64;ksys_write;vfs_write;tun_chr_write [tun]", "iperf3", 1, 240, FLAMEMOD_CONTEXT_TASK },
	{ "asm_entry;do_syscall_64;__x64_sys_futex;futex_wait", "worker", 1, 60, FLAMEMOD_CONTEXT_TASK },
	{ "asm_entry;do_syscall_64;__x64_sys_mmap;a_function_with_a_name_that_is_longer_than_what_a_narrow_terminal_has_room_for", "worker", 2, 90, FLAMEMOD_CONTEXT_TASK },
	{ "irq_exit;net_rx_action;tcp_v4_rcv", "iperf3", 1, 150, FLAMEMOD_CONTEXT_SOFTIRQ },
	{ "asm_sysvec_apic;hrtimer_interrupt", "swapper", 2, 25, FLAMEMOD_CONTEXT_HARDIRQ },
	{ "[user]", "\033[31mred\033]0;owned\007", 2, 200, FLAMEMOD_CONTEXT_USER },
	{ "evil\033[2J\302\233;\xff\xfe\033c", "\xe2\x80\xaegpj", 2, 40, FLAMEMOD_CONTEXT_TASK },
	{ "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e_e\xcc\x81", "\xf0\x9f\x94\xa5", 3, 35, FLAMEMOD_CONTEXT_TASK },
};

#define NR_LOADS	(sizeof(loads) / sizeof(loads[0]))

struct profile *total;
static unsigned int looks, looks_max;
static uint32_t hz = 1000;
static bool is_reset, is_kept;
static pid_t followed;
static enum flamemod_state state = FLAMEMOD_STATE_RUNNING;
static enum profile_irqs_off irqs_off = PROFILE_IRQS_OFF_MARKED;
static const char *user;			/* NULL: no user stacks are taken */
static bool user_places;
/* More than any kernel gives (PID_MAX_LIMIT). */
static uint32_t user_pid = 1 << 23;
static const char *isolated = "";	/* one CPU */

void must(bool done)
{
	if (!done)
		abort();
}

static enum flamemod_frame_kind kind_of(const char *name)
{
	if (*name == '[')
		return FLAMEMOD_FRAME_MARK;
	return strchr(name, '[') ? FLAMEMOD_FRAME_MODULE : FLAMEMOD_FRAME_KERNEL;
}

uint32_t add_stack_above(uint32_t node, const char *stack)
{
	char *copy = strdup(stack), *next = NULL, *name;
	uint32_t frame;

	for (name = strtok_r(copy, ";", &next); name;
	     name = strtok_r(NULL, ";", &next))
		must(!profile_add_frame(total, name, kind_of(name), &frame) &&
		     !profile_add_node(total, node, frame, &node));
	free(copy);
	return node;
}

/* Split "PATH,BUILD-ID,OFFSET,...", and add the places from the root to the leaf. */
static uint32_t add_user_stack(void)
{
	char *copy = strdup(user), *next = NULL;
	const char *path = strtok_r(copy, ",", &next);
	const char *build_id = strtok_r(NULL, ",", &next), *offset;
	uint32_t object, frame, node = 0;

	must(!profile_add_object(total, path, strcmp(build_id, "-") ? build_id : "",
				 &object));
	while ((offset = strtok_r(NULL, ",", &next)))
		must(!profile_add_frame_at(total, NULL, object,
					   strtoull(offset, NULL, 16), &frame) &&
		     !profile_add_node(total, node, frame, &node));
	free(copy);
	return node;
}

/* @stack: of the kernel half; NULL: the program ran in user mode. */
static uint32_t sample_user(const char *stack, uint32_t periods)
{
	struct profile_record record = {
		.cpu = 0, .count = periods, .periods = periods,
		.context = stack ? FLAMEMOD_CONTEXT_TASK : FLAMEMOD_CONTEXT_USER,
		.node = add_user_stack(),
	};

	if (stack)
		record.node = add_stack_above(record.node, stack);
	must(!profile_add_task(total, user_pid, user_pid, "program", &record.task) &&
	     !profile_add_record(total, &record));
	return periods;
}

static uint32_t sample(const struct load *load, uint32_t periods)
{
	struct profile_record record = {
		.cpu = load->cpu, .context = load->context,
		.count = periods, .periods = periods,
		.followed = followed && !strcmp(load->comm, "iperf3"),
	};

	if (strcmp(load->stack, "[user]"))
		record.node = add_stack_above(0, load->stack);
	must(!profile_add_task(total, load->cpu + 1, load->cpu + 1, load->comm,
			       &record.task) &&
	     !profile_add_record(total, &record));
	return periods;
}

/* The rest of each CPU's time was idle, except the periods that CPU 3 lost. */
static void sample_all(void)
{
	uint32_t spent[NR_CPUS] = { 0 };

	for (size_t i = 0; i < NR_LOADS; i++)
		spent[loads[i].cpu] +=
			sample(&loads[i], loads[i].periods *
			       (4 + (looks * (i + 3)) % 5) / 8);
	if (user)
		spent[0] += sample_user(NULL, 100) + sample_user("do_syscall_64", 50) +
			    sample_user("[truncated];find_extent", 20);
	for (uint32_t i = 0; i < NR_CPUS; i++) {
		struct load idle = {
			"cpu_startup_entry;do_idle", "swapper", i, 0,
			FLAMEMOD_CONTEXT_IDLE,
		};
		struct profile_cpu cpu = {
			.cpu = i, .sampling = true, .sampled_ns = 1000000000,
			.books = { .expected = PERIODS, .fires = PERIODS },
		};

		cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = i == 3 ? 5 : 0;
		cpu.books.stored = PERIODS - cpu.books.lost[FLAMEMOD_LOST_OVERLOAD];
		sample(&idle, (uint32_t)cpu.books.stored - spent[i]);
		must(!profile_add_cpu(total, &cpu));
	}
}

/* In place of that of ctl/cmd/agent_clock.c. */
int64_t agent_real_ns(void)
{
	const char *hour = getenv("FAKE_HOUR");
	static uint64_t first_ns;
	struct timespec now;

	if (!hour) {
		clock_gettime(CLOCK_REALTIME, &now);
		return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
	}
	first_ns = first_ns ?: now_ns();
	return (atoll(hour) * 3600 + 3597) * INT64_C(1000000000) +
	       (int64_t)(now_ns() - first_ns);
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void begin(uint32_t epoch)
{
	profile_destroy(total);
	total = profile_create();
	must(total);
	total->meta.epoch = epoch;
	total->meta.settings.hz = hz;
	total->meta.period_ns = 1000000;
	total->meta.resolution_ns = 1;
	total->meta.since_ns = now_ns();
	total->meta.time_ns = atoll(getenv("FAKE_SINCE") ?: "0") * INT64_C(1000000000);
	strcpy(total->meta.host, "box\033[31m");
	strcpy(total->meta.release, "6.1.0-42-amd64");
	total->meta.irqs_off = irqs_off;
	snprintf(total->meta.isolated, sizeof(total->meta.isolated), "%s", isolated);
	total->meta.nr_isolated = *isolated != '\0';
	total->meta.pauses = (struct profile_pauses) {
		.nr_callbacks = 13,
		.callbacks = { [9] = 50, [10] = 49, [12] = 1 },
		.callback_ns_max = 4321, .swap_ns_max = 1234, .forget_ns_max = 98765,
	};
}

/* Return a copy as of now. */
static struct profile *copy(void)
{
	struct profile *profile = profile_create();

	must(profile && !profile_join(profile, total, NULL));
	total->meta.instant_ns = now_ns();
	total->meta.state = state;
	total->meta.user_stacks.known = user != NULL;
	total->meta.user_stacks.files = user != NULL;
	total->meta.settings.user_places = user_places;
	profile->meta = total->meta;
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_MAX; i++)
		profile->meta.attached[i].known = fake_events.attached & 1U << i;
	return profile;
}

static unsigned int nr_open;

int nl_open(struct nl **nl, struct error *error)
{
	(void)error;
	*nl = (struct nl *)&total;
	if (nr_open++)
		return 0;
	begin(1);
	if (state == FLAMEMOD_STATE_RUNNING)
		sample_all();
	return 0;
}

void nl_close(struct nl *nl)
{
	if (!nl || --nr_open)
		return;
	profile_destroy(total);
	total = NULL;
}

void nl_own(struct nl *nl)
{
	(void)nl;
}

void nl_interrupt(struct nl *nl, const volatile sig_atomic_t *flag)
{
	(void)nl;
	(void)flag;
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile,
	    struct error *error)
{
	(void)nl;
	if (looks_max && looks == looks_max)
		return error_set(error, -ENODEV, "the module is not loaded any more");
	looks++;
	if (is_reset && looks == 3)
		begin(2);
	if (state == FLAMEMOD_STATE_RUNNING)
		sample_all();
	*profile = copy();
	if (reset && getenv("FAKE_TELLS"))
		fputs("reset\n", stderr);
	if (reset)
		begin(total->meta.epoch + 1);
	return 0;
}

/* This module has all its frames from the start. */
int nl_dump_frames(struct nl *nl, uint32_t first, struct profile **profile,
		   struct error *error)
{
	(void)nl;
	(void)error;
	must((*profile = profile_create()));
	for (uint32_t i = first; i < total->nr_frames; i++)
		must(!profile_add_frame_of(*profile, total, i, NULL));
	(*profile)->meta.next_frame = total->nr_frames;
	return 0;
}

int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error)
{
	must(!epoch || epoch == total->meta.epoch);
	if (!is_kept || looks != 1 || total->meta.epoch != 1)
		return nl_dump(nl, reset, profile, error);
	sample_all();
	*profile = copy();
	(*profile)->meta.is_closed = true;
	begin(2);
	return 0;
}

int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	(void)nl;
	(void)error;
	*profile = copy();
	return 0;
}

int nl_start(struct nl *nl, const struct profile_settings *settings,
	     unsigned int mask, struct error *error)
{
	(void)nl;
	if (mask & SETTING(USER_STACKS) && settings->user_stacks)
		return error_set(error, -EOPNOTSUPP, "user-stacks: not on this machine");
	if (mask & SETTING(HZ))
		hz = settings->hz;
	total->meta.settings.hz = hz;
	state = FLAMEMOD_STATE_RUNNING;
	return 0;
}

/* Add the samples of one more dump. */
int nl_follow(struct nl *nl, pid_t pid, struct error *error)
{
	(void)nl;
	(void)error;
	/* a process that waits for its release; once, none */
	must(pid ? !followed && !kill(pid, 0) : followed);
	followed = pid;
	return 0;
}

int nl_end(struct nl *nl, struct error *error)
{
	(void)nl;
	(void)error;
	return 0;
}

int nl_stop(struct nl *nl, struct error *error)
{
	(void)nl;
	(void)error;
	sample_all();
	state = FLAMEMOD_STATE_STOPPED;
	return 0;
}

/* No command here uses it. */
int nl_set(struct nl *nl, const struct profile_settings *settings,
	   unsigned int mask, struct error *error)
{
	(void)nl;
	(void)settings;
	(void)mask;
	(void)error;
	abort();
}

int nl_reset(struct nl *nl, struct error *error)
{
	return nl_set(nl, NULL, 0, error);
}

int main(int argc, char **argv)
{
	static const struct command *const asking[] = {
		&cmd_top, &cmd_record, &cmd_svg, &cmd_html, &cmd_report, &cmd_diff,
		&cmd_export, &cmd_heat, &cmd_status, &cmd_browse,
		&cmd_dump, &cmd_metrics, &cmd_agent, &cmd_events, &cmd_import, &cmd_push,
	};

	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "stopped"))
		state = FLAMEMOD_STATE_STOPPED;
	if (!strcmp(argv[1], "unmarked"))
		irqs_off = PROFILE_IRQS_OFF_UNMARKED;
	if (!strncmp(argv[1], "isolated=", 9))
		isolated = argv[1] + 9;
	if (!strncmp(argv[1], "user=", 5))
		user = argv[1] + 5;
	if (!strncmp(argv[1], "places=", 7)) {
		user = argv[1] + 7;
		user_places = true;
	}
	if (sscanf(argv[1], "user@%u=", &user_pid) == 1)
		user = strchr(argv[1], '=') + 1;
	is_reset = !strcmp(argv[1], "reset");
	is_kept = !strcmp(argv[1], "kept");
	fake_events.has_no_waiting = !strcmp(argv[1], "no-waiting");
	fake_events.is_old = !strcmp(argv[1], "old");
	fake_events.is_suspended = !strcmp(argv[1], "suspended");
	fake_events.loses = !strcmp(argv[1], "losing");
	fake_events.is_others = !strcmp(argv[1], "attached");
	if (fake_events.is_others)
		fake_events.attached = 1U << FLAMEMOD_EVENT_OFF_CPU |
				       1U << FLAMEMOD_EVENT_WAITING;
	looks_max = (unsigned int)atoi(argv[1]);
	for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++)
		if (!strcmp(argv[2], asking[i]->name))
			return asking[i]->run(asking[i], argc - 2, argv + 2);
	return 2;
}
