// SPDX-License-Identifier: GPL-2.0
/*
 * Loading: parameters are checked, and a load that fails undoes what it had set up, in
 * the reverse order.
 *
 * This file includes main.c. The functions of other units that main.c calls are
 * replaced by ones that only note the call.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "redirect.h"
#include "../../module/debugfs.h"
#include "../../module/events.h"
#include "../../module/follow.h"
#include "../../module/hotplug.h"
#include "../../module/idle.h"
#include "../../module/modules.h"
#include "../../module/netlink.h"
#include "../../module/session.h"
#include "../../module/step.h"
#include "suites.h"

static char fm_notes[256];
static const char *fm_fails;		/* the call that fails */
static struct fm_session *fm_made;	/* the session that a load creates, or NULL */
static int fm_cpus_err;			/* what parsing the parameter cpus returns */
static unsigned int fm_nr_sampled;	/* CPUs that are online and selected */
static const char *fm_cpus;		/* the text that was parsed */
static struct fm_limits fm_limits;
static u32 fm_hz, fm_max_depth;
static bool fm_has_user_stacks;		/* what this machine is taken for */
static unsigned long fm_ram_mb;
static unsigned int fm_nr_possible;

/* Note a call. Return: 0, or err if this call is to fail. */
static int fm_note(const char *call, int err)
{
	strlcat(fm_notes, call, sizeof(fm_notes));
	strlcat(fm_notes, " ", sizeof(fm_notes));
	return fm_fails && !strcmp(call, fm_fails) ? err : 0;
}

static struct fm_session *fm_make(const struct fm_limits *limits, u32 hz, u32 max_depth)
{
	fm_limits = *limits;
	fm_hz = hz;
	fm_max_depth = max_depth;
	return fm_note("create", 1) ? NULL : fm_made;
}

static int fm_parse_cpus(const char *list)
{
	fm_cpus = list;
	return fm_cpus_err;
}

static u32 fm_nr_infos;

#define fm_settings_parse_cpus(settings, list)	((void)(settings), fm_parse_cpus(list))
#define fm_session_nr_sampled(session)	fm_nr_sampled
#define fm_session_memory_limit(session)	((size_t)0)
#undef num_possible_cpus
#define num_possible_cpus()		fm_nr_possible
#define fm_user_stacks_exist()		fm_has_user_stacks
#define totalram_pages()		((fm_ram_mb << 20) / PAGE_SIZE)
#define fm_session_lock(session)	do { } while (0)
#define fm_session_unlock(session)	do { } while (0)
#define fm_step_init()			fm_note("steps", 0)
#define fm_session_create(limits, hz, max_depth)	fm_make(limits, hz, max_depth)
#define fm_session_destroy(session)	fm_note("destroy", 0)
#define fm_session_start(session, change, extack)	fm_note("start", -ENOMEM)
#define fm_session_stop(session, extack)	fm_note("stop", 0)
#define fm_hotplug_init(session)	fm_note("hotplug", -ENOSPC)
#define fm_hotplug_deinit(session)	fm_note("no-hotplug", 0)
#define fm_idle_init(session)		fm_note("idle", 0)
#define fm_idle_deinit(session)		fm_note("no-idle", 0)
#define fm_follow_init(session)		fm_note("follow", 0)
#define fm_follow_deinit(session)	fm_note("no-follow", 0)
#define fm_modules_init(session)	fm_note("modules", -EEXIST)
#define fm_modules_deinit()		fm_note("no-modules", 0)
#define fm_netlink_init(session)	fm_note("netlink", -EBUSY)
#define fm_netlink_deinit()		fm_note("no-netlink", 0)
#define fm_events_end(session)		fm_note("no-events", 0)
#define fm_debugfs_init(session)	fm_note("debugfs", 0)
#define fm_debugfs_deinit()		fm_note("no-debugfs", 0)

#undef __init
#define __init
#undef __exit
#define __exit
#undef late_initcall
#define late_initcall(function)		static_assert(1)
#undef module_exit
#define module_exit(function)		static_assert(1)
#undef module_param
#define module_param(name, type, mode)	static_assert(1)
#undef module_param_cb
#define module_param_cb(name, ops, arg, mode)	static_assert(1)
#undef __MODULE_PARM_TYPE
#define __MODULE_PARM_TYPE(name, type)	static_assert(1)
#undef MODULE_PARM_DESC
#define MODULE_PARM_DESC(name, text)	static_assert(1)
#undef MODULE_LICENSE
#define MODULE_LICENSE(text)		static_assert(1)
#undef MODULE_VERSION
#define MODULE_VERSION(text)		static_assert(1)
#undef MODULE_DESCRIPTION
#define MODULE_DESCRIPTION(text)	static_assert(1)
#undef pr_fmt
#undef pr_info
#define pr_info(format, ...) ({						\
	no_printk(KERN_INFO format, ##__VA_ARGS__);			\
	fm_nr_infos++;							\
})
#include "../../module/main.c"

/* As a load without parameters. */
static int fm_load_begin(struct kunit *test)
{
	fm_made = kunit_kzalloc(test, sizeof(*fm_made), GFP_KERNEL);
	hz = 997;
	autostart = true;
	max_depth = FLAMEMOD_MAX_DEPTH_MAX;
	cpu_kb = 1024;
	aggregate_kb = 0;
	events_kb = 8192;
	fm_ram_mb = 1024;
	fm_nr_possible = 2;
	unwinder = "auto";
	verify = 1000;
	user_stacks = true;
	fm_user_stacks_given = false;
	fm_has_user_stacks = true;
	cpus = "";
	fm_cpus_err = 0;
	fm_nr_sampled = 1;
	fm_cpus = NULL;
	fm_notes[0] = 0;
	fm_fails = NULL;
	fm_nr_errors = 0;
	fm_nr_infos = 0;
	fm_resolution = 1;
	if (!fm_made)
		return -ENOMEM;
	fm_made->settings = kunit_kzalloc(test, sizeof(*fm_made->settings), GFP_KERNEL);
	return fm_made->settings ? 0 : -ENOMEM;
}

static void fm_load_end(struct kunit *test)
{
	fm_resolution = 0;
}

#define FM_READY	"steps create hotplug idle follow modules "

static const struct fm_load_case {
	const char *name;		/* the call that fails */
	bool waits;			/* for a start: autostart=0 */
	int err;
	const char *notes;
} fm_load_cases[] = {
	{ "none", false, 0, FM_READY "start netlink debugfs " },
	{ "none, not started", true, 0, FM_READY "netlink debugfs " },
	{ "create", false, -ENOMEM, "steps create " },
	{ "hotplug", false, -ENOSPC, "steps create hotplug destroy " },
	{ "modules", false, -EEXIST, FM_READY "no-follow no-idle no-hotplug destroy " },
	{ "start", false, -ENOMEM,
	  FM_READY "start no-modules no-follow no-idle no-hotplug destroy " },
	{ "netlink", false, -EBUSY,
	  FM_READY "start netlink stop no-modules no-follow no-idle no-hotplug destroy " },
};

FM_ARRAY_PARAM(load);

static void a_failed_load_is_undone(struct kunit *test)
{
	const struct fm_load_case *load = test->param_value;

	fm_fails = load->name;
	autostart = !load->waits;
	KUNIT_EXPECT_EQ(test, fm_init(), load->err);
	KUNIT_EXPECT_STREQ(test, fm_notes, load->notes);
	KUNIT_EXPECT_EQ(test, fm_nr_infos, !load->err);
	/* Without memory for tables an error is logged, as other parameters may help. */
	KUNIT_EXPECT_EQ(test, fm_nr_errors, !strcmp(load->name, "start"));
}

static void an_unload_is_a_load_backwards(struct kunit *test)
{
	fm_exit();
	KUNIT_EXPECT_STREQ(test, fm_notes,
			   "no-debugfs no-netlink no-events stop no-modules no-follow no-idle no-hotplug destroy ");
}

static const struct fm_check_case {
	const char *name;
	unsigned int *parameter, value;
	unsigned int resolution_ns;
	int err;
} fm_check_cases[] = {
	{ "hz=0", &hz, 0, 1, -EINVAL },
	{ "hz=1", &hz, 1, 1, 0 },
	{ "hz=20000", &hz, 20000, 1, 0 },
	{ "hz=20001", &hz, 20001, 1, -EINVAL },
	{ "max_depth=0", &max_depth, 0, 1, -EINVAL },
	{ "max_depth=1", &max_depth, 1, 1, 0 },
	{ "max_depth=127", &max_depth, 127, 1, 0 },
	{ "max_depth=128", &max_depth, 128, 1, -EINVAL },
	{ "cpu_kb=31", &cpu_kb, 31, 1, -EINVAL },
	{ "cpu_kb=32", &cpu_kb, 32, 1, 0 },
	{ "cpu_kb=65536", &cpu_kb, 65536, 1, 0 },
	{ "cpu_kb=65537", &cpu_kb, 65537, 1, -EINVAL },
	{ "aggregate_kb=255", &aggregate_kb, 255, 1, -EINVAL },
	{ "aggregate_kb=256", &aggregate_kb, 256, 1, 0 },
	{ "aggregate_kb=1048576", &aggregate_kb, 1048576, 1, 0 },
	{ "aggregate_kb=1048577", &aggregate_kb, 1048577, 1, -EINVAL },
	{ "events_kb=255", &events_kb, 255, 1, -EINVAL },
	{ "events_kb=256", &events_kb, 256, 1, 0 },
	{ "events_kb=1048576", &events_kb, 1048576, 1, 0 },
	{ "events_kb=1048577", &events_kb, 1048577, 1, -EINVAL },
	{ "verify=0", &verify, 0, 1, 0 },
	/* Ticks of 4 ms: 250 a second and no more. */
	{ "hz=250, ticks", &hz, 250, 4000000, 0 },
	{ "hz=251, ticks", &hz, 251, 4000000, -ERANGE },
};

FM_ARRAY_PARAM(check);

static void parameters_have_limits(struct kunit *test)
{
	const struct fm_check_case *check = test->param_value;

	hz = check->resolution_ns > 1 ? 250 : hz;
	fm_resolution = check->resolution_ns;
	*check->parameter = check->value;
	KUNIT_EXPECT_EQ(test, fm_init(), check->err);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, !!check->err);
	/* Nothing was started, or it has the given parameters. */
	KUNIT_EXPECT_EQ(test, !fm_notes[0], !!check->err);
	if (check->err)
		return;
	KUNIT_EXPECT_EQ(test, fm_hz, hz);
	KUNIT_EXPECT_EQ(test, fm_max_depth, max_depth);
	KUNIT_EXPECT_EQ(test, fm_limits.cpu_bytes, 1024ul * cpu_kb);
	KUNIT_EXPECT_EQ(test, fm_limits.aggregate_bytes, 1024ul * aggregate_kb);
	KUNIT_EXPECT_EQ(test, fm_limits.events_bytes, 1024ul * events_kb);
	KUNIT_EXPECT_EQ(test, fm_limits.verify, verify);
	KUNIT_EXPECT_TRUE(test, fm_limits.take_stack == fm_stack_find("auto"));
}

static void only_unwinders_that_exist_are_taken(struct kunit *test)
{
	unwinder = "portable";
	KUNIT_EXPECT_EQ(test, fm_init(), 0);
	KUNIT_EXPECT_TRUE(test, fm_limits.take_stack == fm_stack_portable);
	fm_notes[0] = 0;
	unwinder = "orc";
	KUNIT_EXPECT_EQ(test, fm_init(), -EINVAL);
	KUNIT_EXPECT_STREQ(test, fm_notes, "");
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
}

static const struct fm_choice_case {
	const char *name;		/* the parameter cpus */
	int parse_err;
	unsigned int nr_sampled;
	int err;
} fm_choice_cases[] = {
	{ "", 0, 1, 0 },
	{ "2-3", 0, 2, 0 },
	{ "x", -EINVAL, 1, -EINVAL },
	{ "0,2,4", -ERANGE, 1, -ERANGE },
	/* None of them is online, or all that are online are isolated. */
	{ "5", 0, 0, -EINVAL },
	{ "", 0, 0, -EINVAL },
};

FM_ARRAY_PARAM(choice);

static void cpus_are_chosen_before_anything_starts(struct kunit *test)
{
	const struct fm_choice_case *choice = test->param_value;

	cpus = (char *)choice->name;
	fm_cpus_err = choice->parse_err;
	fm_nr_sampled = choice->nr_sampled;
	KUNIT_EXPECT_EQ(test, fm_init(), choice->err);
	KUNIT_EXPECT_PTR_EQ(test, fm_cpus, choice->name);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, !!choice->err);
	KUNIT_EXPECT_STREQ(test, fm_notes, choice->err ? "steps create destroy " :
			   FM_READY "start netlink debugfs ");
}

static const struct fm_user_case {
	const char *name;
	const char *value;		/* of the parameter, or NULL if it is not given */
	bool exist;			/* on this machine */
	int err;
	bool taken;
} fm_user_cases[] = {
	{ "not given", NULL, true, 0, true },
	{ "not given, and there are none", NULL, false, 0, false },
	{ "1", "1", true, 0, true },
	{ "1, and there are none", "1", false, -EOPNOTSUPP, true },
	{ "0", "0", true, 0, false },
	{ "0, and there are none", "0", false, 0, false },
};

FM_ARRAY_PARAM(user);

static void user_stacks_are_taken_where_they_exist(struct kunit *test)
{
	const struct fm_user_case *user = test->param_value;
	struct kernel_param param = { .name = "user_stacks", .arg = &user_stacks };

	fm_has_user_stacks = user->exist;
	if (user->value)
		KUNIT_EXPECT_EQ(test, fm_user_stacks_ops.set(user->value, &param), 0);
	KUNIT_EXPECT_EQ(test, fm_init(), user->err);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, !!user->err);
	/* what /sys shows */
	KUNIT_EXPECT_EQ(test, user_stacks, user->taken);
	if (!user->err)
		KUNIT_EXPECT_EQ(test, fm_made->settings->user_stacks, user->taken);
}

static const struct fm_room_case {
	const char *name;
	unsigned int given, ram_mb;
	bool user_stacks;
	unsigned int taken;
} fm_room_cases[] = {
	{ "without user stacks", 0, 1024, false, 16384 },
	{ "a small machine", 0, 256, true, 16384 },
	{ "1 GiB", 0, 1024, true, 32768 },
	{ "a large machine", 0, 1 << 20, true, 65536 },
	{ "given", 16385, 1024, true, 16385 },
};

FM_ARRAY_PARAM(room);

static void a_profile_gets_room_for_user_stacks(struct kunit *test)
{
	const struct fm_room_case *room = test->param_value;

	aggregate_kb = room->given;
	fm_ram_mb = room->ram_mb;
	user_stacks = room->user_stacks;
	KUNIT_EXPECT_EQ(test, fm_init(), 0);
	KUNIT_EXPECT_EQ(test, fm_limits.aggregate_bytes, 1024ul * room->taken);
	/* what /sys shows */
	KUNIT_EXPECT_EQ(test, aggregate_kb, room->taken);
}

static const struct fm_many_case {
	const char *name;
	unsigned int nr_cpus, given;
	bool is_least;			/* what is given, or else taken, is the least */
	int err;
} fm_many_cases[] = {
	{ "16 CPUs, 256", 16, 256, false, 0 },
	{ "1024 CPUs, 256", 1024, 256, false, -EINVAL },
	{ "1024 CPUs, the least", 1024, 0, true, 0 },
	{ "1024 CPUs, less", 1024, 1, true, -EINVAL },
	{ "1024 CPUs, not given", 1024, 0, false, 0 },
};

FM_ARRAY_PARAM(many);

static void many_cpus_need_a_larger_profile(struct kunit *test)
{
	const struct fm_many_case *many = test->param_value;

	fm_nr_possible = many->nr_cpus;
	aggregate_kb = many->given;
	if (many->is_least)
		aggregate_kb = fm_least_aggregate_kb() - many->given;
	KUNIT_EXPECT_EQ(test, fm_init(), many->err);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, !!many->err);
	KUNIT_EXPECT_EQ(test, !fm_notes[0], !!many->err);
	KUNIT_EXPECT_GT(test, aggregate_kb, 0);
}

/* Without a parameter, what is usual is enough for any number of CPUs. */
static void the_usual_profile_can_be_read(struct kunit *test)
{
	for (fm_nr_possible = 1; fm_nr_possible <= 65536; fm_nr_possible *= 2) {
		aggregate_kb = 0;
		KUNIT_EXPECT_EQ(test, fm_init(), 0);
		KUNIT_EXPECT_GE(test, aggregate_kb, fm_least_aggregate_kb());
		KUNIT_EXPECT_GE(test, aggregate_kb, 16384);
	}
}

/* A load logs that isolated CPUs are not sampled, unless CPUs were named. */
static void isolated_cpus_are_reported(struct kunit *test)
{
	cpumask_set_cpu(1, &fm_made->isolated);
	KUNIT_EXPECT_EQ(test, fm_init(), 0);
	KUNIT_EXPECT_EQ(test, fm_nr_infos, 2);
	cpus = "all";
	fm_nr_infos = 0;
	KUNIT_EXPECT_EQ(test, fm_init(), 0);
	KUNIT_EXPECT_EQ(test, fm_nr_infos, 1);
}

static struct kunit_case fm_load_suite_cases[] = {
	KUNIT_CASE_PARAM(a_failed_load_is_undone, fm_load_gen_params),
	KUNIT_CASE(an_unload_is_a_load_backwards),
	KUNIT_CASE_PARAM(parameters_have_limits, fm_check_gen_params),
	KUNIT_CASE(only_unwinders_that_exist_are_taken),
	KUNIT_CASE_PARAM(cpus_are_chosen_before_anything_starts, fm_choice_gen_params),
	KUNIT_CASE_PARAM(user_stacks_are_taken_where_they_exist, fm_user_gen_params),
	KUNIT_CASE_PARAM(a_profile_gets_room_for_user_stacks, fm_room_gen_params),
	KUNIT_CASE_PARAM(many_cpus_need_a_larger_profile, fm_many_gen_params),
	KUNIT_CASE(the_usual_profile_can_be_read),
	KUNIT_CASE(isolated_cpus_are_reported),
	{}
};

struct kunit_suite fm_load_suite = {
	.name = "flamemod_load",
	.init = fm_load_begin,
	.exit = fm_load_end,
	.test_cases = fm_load_suite_cases,
};
