// SPDX-License-Identifier: GPL-2.0
/*
 * Requests: how their settings are read, and what happens without memory.
 *
 * This file includes the unit. The test decides the sender's rights and receives
 * the replies. tests/module/vm tests who may send requests.
 */
#include <linux/netlink.h>
#include <linux/skbuff.h>
#include <kunit/test.h>

#include "redirect.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"
#include "../../module/compat/compat.h"
#include "../../module/permit.h"

static int fm_permission;
static struct nlattr **fm_dump_attrs;

static int fm_reply(struct sk_buff *skb)
{
	nlmsg_free(skb);
	return 0;
}

#define fm_permit_message(skb, extack)	fm_permission
#define genlmsg_reply(skb, info)	fm_reply(skb)
#define fm_compat_dump_attrs(cb)	fm_dump_attrs
#include "../../module/netlink.c"

static struct nlattr *fm_no_attrs[FLAMEMOD_A_MAX + 1];

static int fm_netlink_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_permission = 0;
	fm_dump_attrs = fm_no_attrs;
	fm_netlink_session = fm_held_create(4 << 20);
	return fm_netlink_session ? 0 : -ENOMEM;
}

static void fm_netlink_end(struct kunit *test)
{
	fm_held_destroy(fm_netlink_session);
	fm_netlink_session = NULL;
	fm_allocations_exit(test);
}

static const u32 fm_last_pid = PID_MAX_LIMIT, fm_no_pid = PID_MAX_LIMIT + 1;

/* A request with one attribute in its settings, and the reply. */
static const struct fm_text_case {
	const char *name;
	u16 type, bytes;
	const void *payload;
	int err;
	const char *message;
} fm_text_cases[] = {
#define FM_PIDS		FLAMEMOD_A_SETTINGS_PIDS
#define FM_CPUS		FLAMEMOD_A_SETTINGS_CPUS
#define FM_NOT_WHOLE	"pids: must be whole 32-bit numbers"
#define FM_NO_SUCH	"pids: there is no such process id"
#define FM_NO_LIST	"cpus: not a list of CPUs such as 0-3,8"
	{ "pids of 1 byte", FM_PIDS, 1, "\1", -EINVAL, FM_NOT_WHOLE },
	{ "pids of 7 bytes", FM_PIDS, 7, "\1\0\0\0\2\0\0", -EINVAL, FM_NOT_WHOLE },
	{ "pid 0", FM_PIDS, 4, "\0\0\0\0", -EINVAL, FM_NO_SUCH },
	{ "pid 0 behind others", FM_PIDS, 8, "\1\0\0\0\0\0\0\0", -EINVAL, FM_NO_SUCH },
	{ "the last pid", FM_PIDS, 4, &fm_last_pid, 0 },
	{ "a pid behind it", FM_PIDS, 4, &fm_no_pid, -EINVAL, FM_NO_SUCH },
	{ "pid -1", FM_PIDS, 4, "\377\377\377\377", -EINVAL, FM_NO_SUCH },
	{ "cpus x", FM_CPUS, 2, "x", -EINVAL, FM_NO_LIST },
	{ "cpus 1-", FM_CPUS, 3, "1-", -EINVAL, FM_NO_LIST },
	{ "cpus 3-1", FM_CPUS, 4, "3-1", -EINVAL, FM_NO_LIST },
	{ "cpus 99999", FM_CPUS, 6, "99999", -EINVAL, FM_NO_LIST },
	{ "cpus 0", FM_CPUS, 2, "0", 0 },
	{ "hz 0", FLAMEMOD_A_SETTINGS_HZ, 4, "\0\0\0\0", -ERANGE,
	  "hz: must be 1..20000" },
	{ "hz 1", FLAMEMOD_A_SETTINGS_HZ, 4, "\1\0\0\0", 0 },
};

FM_ARRAY_PARAM(text);

static struct nlattr *fm_begin_nest(void *buffer)
{
	struct nlattr *nest = buffer;

	nest->nla_type = FLAMEMOD_A_SETTINGS | NLA_F_NESTED;
	nest->nla_len = NLA_HDRLEN;
	return nest;
}

static struct nlattr *fm_nest_put(struct nlattr *nest, u16 type,
				  const void *payload, u16 bytes)
{
	struct nlattr *nla = (void *)nest + NLA_ALIGN(nest->nla_len);

	nla->nla_type = type;
	nla->nla_len = nla_attr_size(bytes);
	memcpy(nla_data(nla), payload, bytes);
	nest->nla_len = NLA_ALIGN(nest->nla_len) + nla->nla_len;
	return nla;
}

static void wrong_settings_are_named(struct kunit *test)
{
	const struct fm_text_case *c = test->param_value;
	struct fm_settings *settings = kunit_kzalloc(test, sizeof(*settings),
						     GFP_KERNEL);
	struct fm_change change = { .settings = settings };
	struct netlink_ext_ack extack = {};
	struct nlattr *nest, *nla;
	u32 buffer[64];

	KUNIT_ASSERT_NOT_NULL(test, settings);
	nest = fm_begin_nest(buffer);
	nla = fm_nest_put(nest, c->type, c->payload, c->bytes);
	KUNIT_EXPECT_EQ(test, fm_netlink_parse(&change, nest, &extack), c->err);
	if (!c->err) {
		KUNIT_EXPECT_NULL(test, extack._msg);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_STREQ(test, extack._msg, c->message);
	KUNIT_EXPECT_PTR_EQ(test, extack.bad_attr, nla);
}

static void settings_are_as_requested(struct kunit *test)
{
	struct fm_settings *settings = kunit_kzalloc(test, sizeof(*settings),
						     GFP_KERNEL);
	struct fm_change change = { .settings = settings };
	const u32 hz = 4321, depth = 99, pids[] = { 17, 18, 19 };
	const u8 one = 1, zero = 0;
	struct nlattr *nest;
	u32 buffer[64];

	KUNIT_ASSERT_NOT_NULL(test, settings);
	nest = fm_begin_nest(buffer);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_HZ, &hz, 4);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_MAX_DEPTH, &depth, 4);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE, &one, 1);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_PIDS, pids, 12);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_CPUS, "0,1", 4);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_USER_STACKS, &one, 1);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_USER_PLACES, &one, 1);
	settings->usual_cpus = true;
	settings->filter.kernel_only = true;
	KUNIT_ASSERT_EQ(test, fm_netlink_parse(&change, nest, NULL), 0);
	KUNIT_EXPECT_EQ(test, change.named,
			BIT(FLAMEMOD_A_SETTINGS_HZ) |
			BIT(FLAMEMOD_A_SETTINGS_MAX_DEPTH) |
			BIT(FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE) |
			BIT(FLAMEMOD_A_SETTINGS_PIDS) |
			BIT(FLAMEMOD_A_SETTINGS_CPUS) |
			BIT(FLAMEMOD_A_SETTINGS_USER_STACKS) |
			BIT(FLAMEMOD_A_SETTINGS_USER_PLACES));
	KUNIT_EXPECT_EQ(test, settings->hz, 4321);
	KUNIT_EXPECT_EQ(test, settings->max_depth, 99);
	KUNIT_EXPECT_TRUE(test, settings->filter.exclude_idle);
	KUNIT_EXPECT_TRUE(test, settings->user_stacks);
	KUNIT_EXPECT_TRUE(test, settings->user_places);
	/* A setting that is not named stays as it is. */
	KUNIT_EXPECT_TRUE(test, settings->filter.kernel_only);
	KUNIT_EXPECT_EQ(test, settings->filter.nr_pids, 3);
	KUNIT_EXPECT_EQ(test, settings->filter.pids[0], 17);
	KUNIT_EXPECT_EQ(test, settings->filter.pids[2], 19);
	KUNIT_EXPECT_FALSE(test, settings->usual_cpus);
	KUNIT_EXPECT_TRUE(test, cpumask_test_cpu(0, &settings->cpus));
	KUNIT_EXPECT_EQ(test, cpumask_weight(&settings->cpus), 2);
	/* And back. */
	nest = fm_begin_nest(buffer);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE, &zero, 1);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_KERNEL_ONLY, &zero, 1);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_PIDS, pids, 0);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_CPUS, "", 1);
	KUNIT_ASSERT_EQ(test, fm_netlink_parse(&change, nest, NULL), 0);
	KUNIT_EXPECT_FALSE(test, settings->filter.exclude_idle);
	KUNIT_EXPECT_FALSE(test, settings->filter.kernel_only);
	KUNIT_EXPECT_EQ(test, settings->filter.nr_pids, 0);
	KUNIT_EXPECT_TRUE(test, settings->usual_cpus);
	KUNIT_EXPECT_EQ(test, settings->hz, 4321);
}

/* Operations; in each, every allocation fails once. */
static const struct fm_operation_case {
	const char *name;
	int (*doit)(struct sk_buff *skb, struct genl_info *info);
	bool settings;
	u32 nr_allocations;
} fm_operation_cases[] = {
	{ "status", fm_netlink_status, false, 3 + 1 },	/* and the reply */
	{ "set", fm_netlink_set, true, 1 },
	{ "start with settings", fm_netlink_start, true, 1 },
	{ "start", fm_netlink_start, false, 1 },
	{ "reset", fm_netlink_reset, false, 11 },	/* an aggregate */
};

FM_ARRAY_PARAM(operation);

static int fm_ask(const struct fm_operation_case *c)
{
	struct nlattr *attrs[FLAMEMOD_A_MAX + 1] = {};
	struct netlink_ext_ack extack = {};
	struct genl_info info = { .attrs = attrs, .extack = &extack };
	const u32 depth = 55;
	struct nlattr *nest;
	u32 buffer[64];

	nest = fm_begin_nest(buffer);
	fm_nest_put(nest, FLAMEMOD_A_SETTINGS_MAX_DEPTH, &depth, 4);
	if (c->settings)
		attrs[FLAMEMOD_A_SETTINGS] = nest;
	return c->doit(NULL, &info);
}

static int fm_attempt_operation(struct kunit *test, void *data)
{
	return fm_ask(data);
}

static void fm_cleanup_operation(struct kunit *test, void *data)
{
	fm_session_stop(fm_netlink_session, NULL);
}

static void operations_fail_cleanly(struct kunit *test)
{
	const struct fm_operation_case *c = test->param_value;

	if (c->doit == fm_netlink_reset)
		fm_held_drop_spare(fm_netlink_session);
	fm_allocations_fail_each(test, c->nr_allocations, -ENOMEM,
				 fm_attempt_operation, fm_cleanup_operation,
				 (void *)c);
	if (c->settings)
		KUNIT_EXPECT_EQ(test, fm_netlink_session->settings->max_depth, 55);
}

/* Without permission a request is not even parsed. */
static void operations_ask_for_permission(struct kunit *test)
{
	const struct fm_operation_case *c = test->param_value;

	fm_permission = -EPERM;
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, fm_ask(c), -EPERM);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->epoch, 1);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->settings->max_depth, 127);
}

/* Only the close of the owner's socket ends sampling. */
static void only_the_owners_socket_ends_it(struct kunit *test)
{
	struct nlattr owner = { .nla_len = NLA_HDRLEN, .nla_type = FLAMEMOD_A_OWNER };
	struct nlattr *attrs[FLAMEMOD_A_MAX + 1] = { [FLAMEMOD_A_OWNER] = &owner };
	struct genl_info info = { .attrs = attrs, .snd_portid = 4711 };
	struct net *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct netlink_notify notify = {
		.net = &init_net, .portid = 4711, .protocol = NETLINK_GENERIC,
	};
	struct netlink_notify no_match[] = { notify, notify, notify };
	struct work_struct *undo = &fm_netlink_session->undo_work;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, other);
	no_match[0].net = other;
	no_match[1].portid = 4712;
	no_match[2].protocol = NETLINK_ROUTE;
	KUNIT_ASSERT_EQ(test, fm_netlink_start(NULL, &info), 0);
	for (i = 0; i < ARRAY_SIZE(no_match); i++)
		fm_netlink_released(NULL, NETLINK_URELEASE, &no_match[i]);
	fm_netlink_released(NULL, NETLINK_URELEASE + 1, &notify);
	flush_work(undo);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_RUNNING);
	fm_netlink_released(NULL, NETLINK_URELEASE, &notify);
	flush_work(undo);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_STOPPED);
	/* Without the flag, sampling continues. */
	attrs[FLAMEMOD_A_OWNER] = NULL;
	KUNIT_ASSERT_EQ(test, fm_netlink_start(NULL, &info), 0);
	fm_netlink_released(NULL, NETLINK_URELEASE, &notify);
	flush_work(undo);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_RUNNING);
}

/* With the flag, a stop ends what the same socket started, without it, all. */
static void only_the_owner_stops_it_as_such(struct kunit *test)
{
	struct nlattr owner = { .nla_len = NLA_HDRLEN, .nla_type = FLAMEMOD_A_OWNER };
	struct nlattr *attrs[FLAMEMOD_A_MAX + 1] = { [FLAMEMOD_A_OWNER] = &owner };
	struct netlink_ext_ack extack = {};
	struct genl_info info = { .attrs = attrs, .snd_portid = 4711, .extack = &extack };
	struct genl_info other = { .attrs = attrs, .snd_portid = 4712, .extack = &extack };

	KUNIT_ASSERT_EQ(test, fm_netlink_start(NULL, &info), 0);
	KUNIT_EXPECT_EQ(test, fm_netlink_stop(NULL, &other), -EBUSY);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_RUNNING);
	KUNIT_EXPECT_EQ(test, fm_netlink_stop(NULL, &info), 0);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_ASSERT_EQ(test, fm_netlink_start(NULL, &info), 0);
	attrs[FLAMEMOD_A_OWNER] = NULL;
	KUNIT_EXPECT_EQ(test, fm_netlink_stop(NULL, &other), 0);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->state, FLAMEMOD_STATE_STOPPED);
}

static void set_without_settings_is_refused(struct kunit *test)
{
	const struct fm_operation_case c = { .doit = fm_netlink_set };

	KUNIT_EXPECT_EQ(test, fm_ask(&c), -EINVAL);
}

#define FM_DUMP_PORT	4713u

/* Run a dump: request messages of this size until none is left. */
struct fm_dump_fixture {
	struct netlink_callback cb;
	struct netlink_ext_ack extack;
	struct nlmsghdr header;
	struct sk_buff *request;
	u32 nr_messages, bytes;
};

static int fm_dump_some(struct fm_dump_fixture *f, u32 room,
			int (*dumpit)(struct sk_buff *, struct netlink_callback *))
{
	struct sk_buff *skb = alloc_skb(room, GFP_KERNEL);
	int bytes;

	if (!skb)
		return -ENOMEM;
	skb_reserve(skb, skb_tailroom(skb) - room);
	bytes = dumpit(skb, &f->cb);
	f->nr_messages += bytes > 0;
	f->bytes += max(bytes, 0);
	kfree_skb(skb);
	return bytes;
}

static int fm_dump_all(struct kunit *test, struct fm_dump_fixture *f, u32 room,
		       int (*dumpit)(struct sk_buff *, struct netlink_callback *))
{
	int more;

	memset(f, 0, sizeof(*f));
	f->request = alloc_skb(64, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f->request);
	NETLINK_CB(f->request).portid = FM_DUMP_PORT;
	f->cb.skb = f->request;
	f->cb.nlh = &f->header;
	f->cb.extack = &f->extack;
	more = fm_netlink_dump_begin(&f->cb);
	if (more)
		return more;
	do {
		more = fm_dump_some(f, room, dumpit);
	} while (more > 0 && f->nr_messages < 1000);
	return more;
}

static void fm_dump_end(struct fm_dump_fixture *f)
{
	fm_netlink_dump_end(&f->cb);
	kfree_skb(f->request);
}

static void a_dump_ends_and_leaves_nothing(struct kunit *test)
{
	unsigned int live = fm_allocations_live();
	struct fm_dump_fixture f;
	u32 room;

	KUNIT_ASSERT_EQ(test, fm_session_start(fm_netlink_session, NULL, NULL), 0);
	fm_held_sample(fm_netlink_session, 20, 9, 0x1000);
	fm_session_stop(fm_netlink_session, NULL);
	live = fm_allocations_live();
	for (room = 1200; room < 20000; room += 3700) {
		KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, room,
						  fm_netlink_profile_dump), 0);
		KUNIT_EXPECT_GT(test, f.bytes, 4000);
		fm_dump_end(&f);
		KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
	}
	/* A reader stops before the end. */
	KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 64, fm_netlink_profile_dump),
			-EMSGSIZE);
	fm_dump_end(&f);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
}

/* Sources may be attached after the size of the first message was chosen. */
static void a_status_dump_has_room_for_all_sources(struct kunit *test)
{
	struct fm_dump_fixture f = { .cb.nlh = &f.header };
	u32 i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(fm_netlink_ops); i++) {
		if (fm_netlink_ops[i].cmd != FLAMEMOD_CMD_STATUS)
			continue;
		KUNIT_EXPECT_EQ(test, fm_netlink_ops[i].start(&f.cb), 0);
		KUNIT_EXPECT_EQ(test, f.cb.min_dump_alloc,
				FM_WIRE_HEAD_BYTES(FLAMEMOD_SOURCES_MAX));
		nr++;
	}
	KUNIT_EXPECT_EQ(test, nr, 1);
}

static int fm_attempt_dump(struct kunit *test, void *data)
{
	struct fm_dump_fixture *f = data;
	int err;

	err = fm_dump_all(test, f, 8192, fm_netlink_profile_dump);
	KUNIT_EXPECT_EQ(test, !!f->extack._msg, !!err);
	KUNIT_EXPECT_EQ(test, fm_netlink_session->epoch, err ? 1 : 2);
	return err;
}

static void fm_cleanup_dump(struct kunit *test, void *data)
{
	fm_dump_end(data);
	fm_held_drop_spare(fm_netlink_session);
}

static void a_dump_with_reset_fails_cleanly(struct kunit *test)
{
	struct nlattr *attrs[FLAMEMOD_A_MAX + 1] = {}, reset = {
		.nla_len = NLA_HDRLEN, .nla_type = FLAMEMOD_A_RESET,
	};
	struct fm_dump_fixture f;

	attrs[FLAMEMOD_A_RESET] = &reset;
	fm_dump_attrs = attrs;
	fm_held_drop_spare(fm_netlink_session);
	/* A new aggregate; a snapshot, and its CPUs with their directory. */
	fm_allocations_fail_each(test, 11 + 3, -ENOMEM, fm_attempt_dump,
				 fm_cleanup_dump, &f);
}

#define FM_WITH(name)	BIT(FLAMEMOD_A_##name)

/* Dumps with these attributes. */
static const struct fm_keep_case {
	const char *name;
	u32 with;
	int err;
	const char *message;
} fm_keep_cases[] = {
	{ "neither", 0, 0 },
	{ "keep", FM_WITH(KEEP), 0 },
	{ "keep and epoch", FM_WITH(KEEP) | FM_WITH(EPOCH), 0 },
	{ "epoch alone", FM_WITH(EPOCH), -EINVAL, "epoch: only with keep or events" },
	{ "ended alone", FM_WITH(ENDED), -EINVAL, "ended: only with events" },
	{ "keep of events", FM_WITH(KEEP) | FM_WITH(EVENTS), -EINVAL,
	  "keep: not of events: no reset ends theirs" },
	{ "frames alone", FM_WITH(FRAMES_FROM), 0 },
#define FM_NOT_FRAMES	"frames-from: not with reset, keep or events"
	{ "frames and keep", FM_WITH(FRAMES_FROM) | FM_WITH(KEEP), -EINVAL, FM_NOT_FRAMES },
	{ "frames and reset", FM_WITH(FRAMES_FROM) | FM_WITH(RESET), -EINVAL, FM_NOT_FRAMES },
	{ "frames of events", FM_WITH(FRAMES_FROM) | FM_WITH(EVENTS), -EINVAL,
	  FM_NOT_FRAMES },
};

FM_ARRAY_PARAM(keep);

static void epochs_are_kept_for_the_sender(struct kunit *test)
{
	const struct fm_keep_case *c = test->param_value;
	const struct fm_kept *kept = &fm_netlink_session->kept;
	struct nlattr *attrs[FLAMEMOD_A_MAX + 1] = {}, flag = { .nla_len = NLA_HDRLEN };
	bool keeps = c->with & FM_WITH(KEEP) && !c->err;
	unsigned long with = c->with;
	struct {
		struct nlattr header;
		u32 epoch;
	} epoch = { { .nla_len = NLA_HDRLEN + sizeof(u32) }, 1 };
	struct fm_dump_fixture f;
	unsigned int type;

	for_each_set_bit(type, &with, FLAMEMOD_A_MAX + 1)
		attrs[type] = type == FLAMEMOD_A_EPOCH || type == FLAMEMOD_A_FRAMES_FROM ?
			      &epoch.header : &flag;
	fm_dump_attrs = attrs;
	KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 8192, fm_netlink_profile_dump), c->err);
	KUNIT_EXPECT_EQ(test, kept->counts.nr_readers, keeps);
	KUNIT_EXPECT_EQ(test, fm_claim_is(&kept->readers[0], FM_DUMP_PORT), keeps);
	if (c->err)
		KUNIT_EXPECT_STREQ(test, f.extack._msg, c->message);
	fm_dump_end(&f);
	fm_session_reset(fm_netlink_session, NULL);
	KUNIT_EXPECT_EQ(test, kept->counts.nr_epochs, keeps);
	if (c->with & FM_WITH(EPOCH) && !c->err) {
		/* This is the first epoch again, and that it has had it. */
		KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 8192, fm_netlink_profile_dump),
				0);
		fm_dump_end(&f);
		KUNIT_EXPECT_EQ(test, kept->counts.nr_epochs, 1);
		epoch.epoch = 2;
		KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 8192, fm_netlink_profile_dump),
				0);
		fm_dump_end(&f);
		KUNIT_EXPECT_EQ(test, kept->counts.nr_epochs, 0);
	}
}

static u32 fm_dumped_bytes(struct kunit *test)
{
	struct fm_dump_fixture f;

	KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 8192, fm_netlink_profile_dump), 0);
	fm_dump_end(&f);
	return f.bytes;
}

/* It begins with the frame that is asked for: the last one, and then the next one to come. */
static void a_dump_of_frames_has_no_samples(struct kunit *test)
{
	struct nlattr *attrs[FLAMEMOD_A_MAX + 1] = {};
	struct {
		struct nlattr header;
		u32 from;
	} from = { { .nla_len = NLA_HDRLEN + sizeof(u32) }, 20 * 9 - 1 };
	u32 whole, last, head;

	KUNIT_ASSERT_EQ(test, fm_session_start(fm_netlink_session, NULL, NULL), 0);
	fm_held_sample(fm_netlink_session, 20, 9, 0x1000);
	fm_session_stop(fm_netlink_session, NULL);
	whole = fm_dumped_bytes(test);
	attrs[FLAMEMOD_A_FRAMES_FROM] = &from.header;
	fm_dump_attrs = attrs;
	last = fm_dumped_bytes(test);
	from.from++;
	head = fm_dumped_bytes(test);
	KUNIT_EXPECT_GT(test, last, head);
	KUNIT_EXPECT_LT(test, last, head + 100);
	KUNIT_EXPECT_GT(test, whole, last + 1000);
}

static void a_dump_checks_permission_when_it_starts(struct kunit *test)
{
	struct fm_dump_fixture f;

	fm_permission = -EPERM;
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 8192,
					  fm_netlink_profile_dump), -EPERM);
	KUNIT_EXPECT_NOT_NULL(test, f.extack._msg);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	fm_dump_end(&f);
	KUNIT_EXPECT_EQ(test, fm_dump_all(test, &f, 8192,
					  fm_netlink_status_dump), -EPERM);
	fm_dump_end(&f);
}

static struct kunit_case fm_netlink_cases[] = {
	KUNIT_CASE_PARAM(wrong_settings_are_named, fm_text_gen_params),
	KUNIT_CASE(settings_are_as_requested),
	KUNIT_CASE_PARAM(operations_fail_cleanly, fm_operation_gen_params),
	KUNIT_CASE_PARAM(operations_ask_for_permission,
			 fm_operation_gen_params),
	KUNIT_CASE(only_the_owners_socket_ends_it),
	KUNIT_CASE(only_the_owner_stops_it_as_such),
	KUNIT_CASE(set_without_settings_is_refused),
	KUNIT_CASE(a_dump_ends_and_leaves_nothing),
	KUNIT_CASE(a_status_dump_has_room_for_all_sources),
	KUNIT_CASE(a_dump_with_reset_fails_cleanly),
	KUNIT_CASE_PARAM(epochs_are_kept_for_the_sender, fm_keep_gen_params),
	KUNIT_CASE(a_dump_of_frames_has_no_samples),
	KUNIT_CASE(a_dump_checks_permission_when_it_starts),
	{}
};

struct kunit_suite fm_netlink_suite = {
	.name = "flamemod_netlink",
	.init = fm_netlink_begin,
	.exit = fm_netlink_end,
	.test_cases = fm_netlink_cases,
};
