// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink requests: what the policies and their limits accept, and the messages for
 * what they refuse.
 */
#include <linux/netlink.h>
#include <linux/string.h>
#include <net/netlink.h>
#include <kunit/test.h>

#include "../../module/policy.h"
#include "allocations.h"
#include "suites.h"

/* Validate like a family without special flags. */
#define FM_VALIDATE	NL_VALIDATE_STRICT

/* An attribute: its type and payload; a number of some width, or filler. */
struct fm_attr {
	u16 type;
	u16 bytes;
	u64 value;
	const char *text;		/* the payload, where it is a string */
};

static struct nlattr *fm_put_attr(void *at, const struct fm_attr *attr)
{
	struct nlattr *nla = at;

	nla->nla_type = attr->type;
	nla->nla_len = nla_attr_size(attr->bytes);
	memset(nla_data(nla), 0x41, NLA_ALIGN(attr->bytes));
	if (attr->text)
		memcpy(nla_data(nla), attr->text, attr->bytes);
	else
		memcpy(nla_data(nla), &attr->value,
		       min_t(size_t, attr->bytes, sizeof(attr->value)));
	return nla;
}

static int fm_parse_settings(const struct nlattr *head, int bytes,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FLAMEMOD_A_SETTINGS_MAX + 1];

	return __nla_parse(tb, FLAMEMOD_A_SETTINGS_MAX, head, bytes,
			   fm_settings_policy, FM_VALIDATE, extack) ?:
	       fm_settings_check(tb, extack);
}

#define FM_HZ		FLAMEMOD_A_SETTINGS_HZ
#define FM_DEPTH	FLAMEMOD_A_SETTINGS_MAX_DEPTH
#define FM_IDLE		FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE
#define FM_KERNEL	FLAMEMOD_A_SETTINGS_KERNEL_ONLY
#define FM_PIDS		FLAMEMOD_A_SETTINGS_PIDS
#define FM_CPUS		FLAMEMOD_A_SETTINGS_CPUS

static const struct fm_setting_case {
	const char *name;
	struct fm_attr attr;
	int err;
	const char *message;		/* its beginning, if it is our own message */
} fm_setting_cases[] = {
	{ "hz 0", { FM_HZ, 4, 0 }, -ERANGE, "hz: must be 1..20000" },
	{ "hz 1", { FM_HZ, 4, 1 }, 0 },
	{ "hz 997", { FM_HZ, 4, 997 }, 0 },
	{ "hz 20000", { FM_HZ, 4, 20000 }, 0 },
	{ "hz 20001", { FM_HZ, 4, 20001 }, -ERANGE, "hz: must be 1..20000" },
	{ "hz 2^32 - 1", { FM_HZ, 4, U32_MAX }, -ERANGE, "hz: must be 1..20000" },
	{ "hz of no bytes", { FM_HZ, 0 }, -ERANGE },
	{ "hz of 1 byte", { FM_HZ, 1, 97 }, -ERANGE },
	{ "hz of 3 bytes", { FM_HZ, 3, 997 }, -ERANGE },
	{ "hz of 8 bytes", { FM_HZ, 8, 997 }, -EINVAL },
	{ "max-depth 0", { FM_DEPTH, 4, 0 }, -ERANGE, "max-depth: must be 1..127" },
	{ "max-depth 1", { FM_DEPTH, 4, 1 }, 0 },
	{ "max-depth 127", { FM_DEPTH, 4, 127 }, 0 },
	{ "max-depth 128", { FM_DEPTH, 4, 128 }, -ERANGE,
	  "max-depth: must be 1..127" },
	{ "max-depth 2^32 - 1", { FM_DEPTH, 4, U32_MAX }, -ERANGE,
	  "max-depth: must be 1..127" },
	{ "max-depth of 2 bytes", { FM_DEPTH, 2, 100 }, -ERANGE },
	{ "exclude-idle 0", { FM_IDLE, 1, 0 }, 0 },
	{ "exclude-idle 1", { FM_IDLE, 1, 1 }, 0 },
	{ "exclude-idle 2", { FM_IDLE, 1, 2 }, -ERANGE,
	  "exclude-idle: must be 0..1" },
	{ "exclude-idle 255", { FM_IDLE, 1, 255 }, -ERANGE,
	  "exclude-idle: must be 0..1" },
	{ "exclude-idle of 4 bytes", { FM_IDLE, 4, 1 }, -EINVAL },
	{ "kernel-only 0", { FM_KERNEL, 1, 0 }, 0 },
	{ "kernel-only 1", { FM_KERNEL, 1, 1 }, 0 },
	{ "kernel-only 2", { FM_KERNEL, 1, 2 }, -ERANGE,
	  "kernel-only: must be 0..1" },
	{ "kernel-only of no bytes", { FM_KERNEL, 0 }, -ERANGE },
	{ "no pids", { FM_PIDS, 0 }, 0 },
	{ "one pid", { FM_PIDS, 4, 1 }, 0 },
	{ "16 pids", { FM_PIDS, 64, 1 }, 0 },
	{ "pids of 65 bytes", { FM_PIDS, 65, 1 }, -ERANGE,
	  "pids: must be at most 64 bytes" },
	{ "17 pids", { FM_PIDS, 68, 1 }, -ERANGE, "pids: must be at most 64 bytes" },
	{ "cpus with no bytes", { FM_CPUS, 0 }, -EINVAL },
	{ "all cpus", { FM_CPUS, 1, .text = "" }, 0 },
	{ "some cpus", { FM_CPUS, 4, .text = "0-3" }, 0 },
	{ "cpus without an end", { FM_CPUS, 3, .text = "0-3" }, -EINVAL },
	{ "an attribute of type 0", { 0, 4, 1 }, -EINVAL },
	{ "an unknown attribute", { FLAMEMOD_A_SETTINGS_MAX + 1, 4, 1 }, -EINVAL },
	{ "hz as a nest", { FM_HZ | NLA_F_NESTED, 4, 997 }, -EINVAL },
};

FM_ARRAY_PARAM(setting);

static void fm_expect_refusal(struct kunit *test, int got, int expected,
			      const struct netlink_ext_ack *extack,
			      const char *message, const struct nlattr *attr)
{
	KUNIT_EXPECT_EQ(test, got, expected);
	if (!expected) {
		KUNIT_EXPECT_NULL(test, extack->_msg);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, extack->_msg);
	if (!message)
		return;
	KUNIT_EXPECT_STREQ(test, extack->_msg, message);
	KUNIT_EXPECT_PTR_EQ(test, extack->bad_attr, attr);
}

static void settings_are_held_to_their_limits(struct kunit *test)
{
	const struct fm_setting_case *c = test->param_value;
	void *buffer = kunit_kzalloc(test, 256, GFP_KERNEL);
	struct netlink_ext_ack extack = {};
	struct nlattr *nla;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	nla = fm_put_attr(buffer, &c->attr);
	err = fm_parse_settings(nla, NLA_ALIGN(nla->nla_len), &extack);
	/* The kernel's message for a wrong length differs between versions. */
	if (!c->message && err && c->err)
		err = c->err;
	fm_expect_refusal(test, err, c->err, &extack, c->message, nla);
}

/* A list of CPUs may have 1024 bytes, including its NUL. */
static void cpus_end_at_1024_bytes(struct kunit *test)
{
	struct nlattr *nla = kunit_kzalloc(test, 2048, GFP_KERNEL);
	struct netlink_ext_ack extack;
	u32 bytes;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, nla);
	for (bytes = 1020; bytes < 1030; bytes++) {
		memset(&extack, 0, sizeof(extack));
		nla->nla_type = FM_CPUS;
		nla->nla_len = nla_attr_size(bytes);
		memset(nla_data(nla), '1', bytes);
		((char *)nla_data(nla))[bytes - 1] = 0;
		err = fm_parse_settings(nla, NLA_ALIGN(nla->nla_len), &extack);
		fm_expect_refusal(test, err, bytes > 1024 ? -ERANGE : 0, &extack,
				  "cpus: must be at most 1024 bytes", nla);
	}
}

/* Of several attributes the wrong one is named, wherever it is. */
static void the_wrong_one_of_several_is_named(struct kunit *test)
{
	static const struct fm_attr good[] = {
		{ FM_HZ, 4, 100 }, { FM_DEPTH, 4, 10 }, { FM_IDLE, 1, 1 },
		{ FM_KERNEL, 1, 1 }, { FM_PIDS, 8, 1 }, { FM_CPUS, 2, .text = "0" },
	};
	static const struct fm_attr bad[] = {
		{ FM_HZ, 4, 0 }, { FM_DEPTH, 4, 128 }, { FM_IDLE, 1, 2 },
		{ FM_KERNEL, 1, 2 }, { FM_PIDS, 65, 1 },
	};
	static const char * const messages[] = {
		"hz: must be 1..20000", "max-depth: must be 1..127",
		"exclude-idle: must be 0..1", "kernel-only: must be 0..1",
		"pids: must be at most 64 bytes",
	};
	void *buffer = kunit_kzalloc(test, 1024, GFP_KERNEL), *at;
	struct netlink_ext_ack extack;
	struct nlattr *wrong;
	u32 i, which;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	for (which = 0; which <= ARRAY_SIZE(bad); which++) {
		memset(&extack, 0, sizeof(extack));
		at = buffer;
		wrong = NULL;
		for (i = 0; i < ARRAY_SIZE(good); i++) {
			struct nlattr *nla = fm_put_attr(at, i == which ?
							 &bad[i] : &good[i]);

			if (i == which && which < ARRAY_SIZE(bad))
				wrong = nla;
			at += NLA_ALIGN(nla->nla_len);
			if (i == ARRAY_SIZE(bad) - 1 && which == ARRAY_SIZE(bad))
				break;
		}
		err = fm_parse_settings(buffer, at - buffer, &extack);
		fm_expect_refusal(test, err, wrong ? -ERANGE : 0, &extack,
				  wrong ? messages[which] : NULL, wrong);
	}
}

/* The attributes that each request accepts at its top level. */
#define FM_TAKES(attr)	BIT(FLAMEMOD_A_##attr)

static const struct fm_request_case {
	const char *name;
	const struct nla_policy *policy;
	u32 max;
	u32 takes;
} fm_request_cases[] = {
	{ "status", fm_status_do_policy, FM_STATUS_DO_POLICY_MAX,
	  FM_TAKES(SESSION) | FM_TAKES(EPOCH) },
	{ "status dump", fm_status_dump_policy, FM_STATUS_DUMP_POLICY_MAX,
	  FM_TAKES(SESSION) | FM_TAKES(EPOCH) },
	{ "set", fm_set_do_policy, FM_SET_DO_POLICY_MAX,
	  FM_TAKES(SESSION) | FM_TAKES(SETTINGS) | FM_TAKES(OWNER) },
	{ "start", fm_start_do_policy, FM_START_DO_POLICY_MAX,
	  FM_TAKES(SESSION) | FM_TAKES(SETTINGS) | FM_TAKES(OWNER) },
	{ "stop", fm_stop_do_policy, FM_STOP_DO_POLICY_MAX, FM_TAKES(SESSION) | FM_TAKES(OWNER) },
	{ "reset", fm_reset_do_policy, FM_RESET_DO_POLICY_MAX, FM_TAKES(SESSION) },
	{ "dump", fm_profile_dump_policy, FM_PROFILE_DUMP_POLICY_MAX,
	  FM_TAKES(SESSION) | FM_TAKES(RESET) | FM_TAKES(EVENTS) | FM_TAKES(KEEP) |
	  FM_TAKES(EPOCH) | FM_TAKES(ENDED) | FM_TAKES(FRAMES_FROM) },
};

FM_ARRAY_PARAM(request);

/* A well-formed attribute of each type. */
static struct fm_attr fm_good_attr(u32 type)
{
	if (type == FLAMEMOD_A_RESET || type == FLAMEMOD_A_OWNER ||
	    type == FLAMEMOD_A_EVENTS || type == FLAMEMOD_A_KEEP ||
	    type == FLAMEMOD_A_ENDED)
		return (struct fm_attr) { .type = type };
	if (type == FLAMEMOD_A_SETTINGS)
		return (struct fm_attr) { .type = type | NLA_F_NESTED };
	return (struct fm_attr) { .type = type, .bytes = 4, .value = 0 };
}

static void requests_take_their_attributes_alone(struct kunit *test)
{
	const struct fm_request_case *c = test->param_value;
	struct nlattr *tb[FLAMEMOD_A_MAX + 2];
	struct netlink_ext_ack extack;
	struct fm_attr attr;
	struct nlattr *nla;
	u32 type, buffer[8];
	bool takes;

	KUNIT_ASSERT_LE(test, c->max, FLAMEMOD_A_MAX);
	for (type = 0; type <= FLAMEMOD_A_MAX + 1; type++) {
		memset(&extack, 0, sizeof(extack));
		attr = fm_good_attr(type);
		nla = fm_put_attr(buffer, &attr);
		takes = !__nla_parse(tb, c->max, nla, NLA_ALIGN(nla->nla_len),
				     c->policy, FM_VALIDATE, &extack);
		KUNIT_EXPECT_EQ_MSG(test, takes, !!(c->takes & BIT(type)),
				    "attribute %u", type);
	}
}

static const struct fm_session_case {
	const char *name;
	bool present;
	u32 session;
	int err;
} fm_session_cases[] = {
	{ "absent", false, 0, 0 },
	{ "0", true, 0, 0 },
	{ "1", true, 1, -ERANGE },
	{ "2^24", true, 1 << 24, -ERANGE },
	{ "2^32 - 1", true, U32_MAX, -ERANGE },
};

FM_ARRAY_PARAM(session);

static void there_is_session_0_alone(struct kunit *test)
{
	const struct fm_session_case *c = test->param_value;
	struct fm_attr attr = { FLAMEMOD_A_SESSION, 4, c->session };
	struct nlattr *tb[FLAMEMOD_A_MAX + 1] = {};
	struct netlink_ext_ack extack = {};
	struct nlattr *nla;
	u32 buffer[4];

	nla = fm_put_attr(buffer, &attr);
	if (c->present)
		tb[FLAMEMOD_A_SESSION] = nla;
	fm_expect_refusal(test, fm_request_check(tb, &extack), c->err, &extack,
			  "session: must be 0", nla);
}

/* Settings inside a request: the nest says that it is one. */
static const struct fm_nest_case {
	const char *name;
	u16 flags;
	struct fm_attr inner;
	bool good;
} fm_nest_cases[] = {
	{ "a setting", NLA_F_NESTED, { FM_HZ, 4, 100 }, true },
	{ "a setting, without the flag", 0, { FM_HZ, 4, 100 }, false },
	{ "an unknown setting", NLA_F_NESTED, { FLAMEMOD_A_SETTINGS_MAX + 1, 4, 1 },
	  false },
	{ "a setting of a wrong size", NLA_F_NESTED, { FM_HZ, 2, 100 }, false },
	{ "a list without an end", NLA_F_NESTED, { FM_CPUS, 3, .text = "0-3" },
	  false },
};

FM_ARRAY_PARAM(nest);

static void settings_are_a_nest(struct kunit *test)
{
	const struct fm_nest_case *c = test->param_value;
	struct nlattr *tb[FM_SET_DO_POLICY_MAX + 1], *nla;
	struct netlink_ext_ack extack = {};
	u32 buffer[16];
	int err;

	nla = (void *)buffer;
	fm_put_attr(nla_data(nla), &c->inner);
	nla->nla_type = FLAMEMOD_A_SETTINGS | c->flags;
	nla->nla_len = nla_attr_size(nla_total_size(c->inner.bytes));
	err = __nla_parse(tb, FM_SET_DO_POLICY_MAX, nla, nla->nla_len,
			  fm_set_do_policy, FM_VALIDATE, &extack);
	KUNIT_EXPECT_EQ(test, !err, c->good);
	KUNIT_EXPECT_EQ(test, !extack._msg, c->good);
}

static struct kunit_case fm_policy_cases[] = {
	KUNIT_CASE_PARAM(settings_are_held_to_their_limits,
			 fm_setting_gen_params),
	KUNIT_CASE(cpus_end_at_1024_bytes),
	KUNIT_CASE(the_wrong_one_of_several_is_named),
	KUNIT_CASE_PARAM(requests_take_their_attributes_alone,
			 fm_request_gen_params),
	KUNIT_CASE_PARAM(there_is_session_0_alone, fm_session_gen_params),
	KUNIT_CASE_PARAM(settings_are_a_nest, fm_nest_gen_params),
	{}
};

struct kunit_suite fm_policy_suite = {
	.name = "flamemod_policy",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_policy_cases,
};
