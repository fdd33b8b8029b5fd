// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: see netlink.h.
 *
 * Locking: operations run in parallel, without generic netlink's own mutex,
 * since a drain would block every other family. The session's lock serialises
 * what must be serialised.
 */
#include <linux/slab.h>
#include <net/genetlink.h>

#include "compat/compat.h"
#include "events.h"
#include "netlink.h"
#include "permit.h"
#include "policy.h"
#include "requested.h"
#include "session.h"
#include "snapshot.h"
#include "wire.h"

/* The limit in common/flamemod.yaml; only checks of settings are generated. */
#define FM_NETLINK_FOLLOW_MAX	4194304

static struct fm_session *fm_netlink_session;
static struct genl_family fm_netlink_family;

/* The state of a dump, in cb->ctx. */
struct fm_netlink_dump {
	struct fm_snapshot *snapshot;
	struct fm_wire_cursor cursor;
	bool permitted;
};

/* Check the rights of the sender, and the limits of its request. */
static int fm_netlink_admit(struct sk_buff *skb, struct genl_info *info)
{
	return fm_permit_message(skb, info->extack) ?:
	       fm_request_check(info->attrs, info->extack);
}

static int fm_netlink_cpus(struct fm_settings *settings,
			   const struct nlattr *attr,
			   struct netlink_ext_ack *extack)
{
	int err = fm_settings_parse_cpus(settings, nla_data(attr));

	if (err == -ERANGE)
		NL_SET_ERR_MSG_ATTR(extack, attr, "cpus: must be at most 1024 bytes, one by one");
	else if (err)
		NL_SET_ERR_MSG_ATTR(extack, attr, "cpus: not a list of CPUs such as 0-3,8");
	return err;
}

/* Fill in the settings that the request names. */
static int fm_netlink_parse(struct fm_change *change, const struct nlattr *nest,
			    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FLAMEMOD_A_SETTINGS_MAX + 1], *attr;
	struct fm_settings *settings = change->settings;
	int err, i;

	err = nla_parse_nested(tb, FLAMEMOD_A_SETTINGS_MAX, nest,
			       fm_settings_policy, extack) ?:
	      fm_settings_check(tb, extack);
	if (err)
		return err;
	for (i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++)
		if (tb[i])
			change->named |= BIT(i);
	attr = tb[FLAMEMOD_A_SETTINGS_HZ];
	if (attr)
		settings->hz = nla_get_u32(attr);
	attr = tb[FLAMEMOD_A_SETTINGS_MAX_DEPTH];
	if (attr)
		settings->max_depth = nla_get_u32(attr);
	attr = tb[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE];
	if (attr)
		settings->filter.exclude_idle = nla_get_u8(attr);
	attr = tb[FLAMEMOD_A_SETTINGS_KERNEL_ONLY];
	if (attr)
		settings->filter.kernel_only = nla_get_u8(attr);
	attr = tb[FLAMEMOD_A_SETTINGS_PIDS];
	if (attr)
		err = fm_requested_pids(settings->filter.pids, &settings->filter.nr_pids,
					attr, extack);
	attr = tb[FLAMEMOD_A_SETTINGS_CPUS];
	if (attr && !err)
		err = fm_netlink_cpus(settings, attr, extack);
	attr = tb[FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY];
	if (attr)
		settings->filter.followed_only = nla_get_u8(attr);
	attr = tb[FLAMEMOD_A_SETTINGS_USER_STACKS];
	if (attr)
		settings->user_stacks = nla_get_u8(attr);
	attr = tb[FLAMEMOD_A_SETTINGS_USER_PLACES];
	if (attr)
		settings->user_places = nla_get_u8(attr);
	return err;
}

/* Return: the port of the socket that owns what a request is about, or 0. */
static u32 fm_netlink_owner(const struct genl_info *info)
{
	return info->attrs[FLAMEMOD_A_OWNER] ? info->snd_portid : 0;
}

/* Parse the settings of a request, if it has any, and call @apply with them. */
static int fm_netlink_change(struct genl_info *info,
			     int (*apply)(struct fm_session *session,
					  struct fm_change *change,
					  struct netlink_ext_ack *extack))
{
	const struct nlattr *settings = info->attrs[FLAMEMOD_A_SETTINGS];
	struct fm_change change = {
		.owner = fm_netlink_owner(info),
	};
	int err = 0;

	change.settings = kzalloc(sizeof(*change.settings), GFP_KERNEL);
	if (!change.settings) {
		NL_SET_ERR_MSG(info->extack, "settings: no memory");
		return -ENOMEM;
	}
	if (settings)
		err = fm_netlink_parse(&change, settings, info->extack);
	err = err ?: apply(fm_netlink_session, &change, info->extack);
	kfree(change.settings);
	return err;
}

static int fm_netlink_set(struct sk_buff *skb, struct genl_info *info)
{
	int err = fm_netlink_admit(skb, info);

	if (err)
		return err;
	if (!info->attrs[FLAMEMOD_A_SETTINGS]) {
		NL_SET_ERR_MSG(info->extack, "settings: missing");
		return -EINVAL;
	}
	return fm_netlink_change(info, fm_session_set);
}

static int fm_netlink_start(struct sk_buff *skb, struct genl_info *info)
{
	int err = fm_netlink_admit(skb, info);

	return err ?: fm_netlink_change(info, fm_session_start);
}

static int fm_netlink_stop(struct sk_buff *skb, struct genl_info *info)
{
	int err = fm_netlink_admit(skb, info);

	return err ?: fm_session_stop_by(fm_netlink_session, fm_netlink_owner(info),
					 info->extack);
}

static int fm_netlink_reset(struct sk_buff *skb, struct genl_info *info)
{
	int err = fm_netlink_admit(skb, info);

	return err ?: fm_session_reset(fm_netlink_session, info->extack);
}

/* This runs in the sender's context, so its pid namespace is used. */
static int fm_netlink_follow(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[FLAMEMOD_A_FOLLOW];
	int err = fm_netlink_admit(skb, info);
	u32 vpid;

	if (err)
		return err;
	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "follow: missing");
		return -EINVAL;
	}
	vpid = nla_get_u32(attr);
	/* The limit is the same on all kernels: PID_MAX_LIMIT may be less. */
	if (vpid > FM_NETLINK_FOLLOW_MAX) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "follow: must be 0..4194304");
		return -ERANGE;
	}
	if (vpid)
		return fm_session_follow(fm_netlink_session, vpid,
					 info->snd_portid, info->extack);
	fm_session_unfollow(fm_netlink_session);
	return 0;
}

static int fm_netlink_attach(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *nest = info->attrs[FLAMEMOD_A_ATTACH];
	int err = fm_netlink_admit(skb, info);
	struct fm_attach request = {};

	if (err)
		return err;
	if (!nest) {
		NL_SET_ERR_MSG(info->extack, "attach: missing");
		return -EINVAL;
	}
	err = fm_requested_parse(&request, nest, info->extack) ?:
	      fm_events_attach(fm_netlink_session, &request, info->snd_portid,
			       info->extack);
	fm_requested_free(&request);
	return err;
}

static int fm_netlink_detach(struct sk_buff *skb, struct genl_info *info)
{
	int err = fm_netlink_admit(skb, info);

	return err ?: fm_events_detach(fm_netlink_session, info->snd_portid,
				       info->extack);
}

/* The epoch of the events that a request names, or 0. */
static u32 fm_netlink_events_epoch(struct nlattr **attrs)
{
	return attrs[FLAMEMOD_A_EPOCH] ? nla_get_u32(attrs[FLAMEMOD_A_EPOCH]) : 0;
}

static int fm_netlink_status(struct sk_buff *skb, struct genl_info *info)
{
	const struct fm_wanted wanted = {
		.asker = info->snd_portid,
		.events_epoch = fm_netlink_events_epoch(info->attrs),
	};
	struct fm_snapshot *snapshot;
	struct sk_buff *reply;
	void *header;
	int err;

	err = fm_netlink_admit(skb, info) ?:
	      fm_snapshot_answer(fm_netlink_session, &wanted, &snapshot,
				 info->extack);
	if (err)
		return err;
	reply = genlmsg_new(FM_WIRE_HEAD_BYTES(FLAMEMOD_SOURCES_MAX), GFP_KERNEL);
	if (!reply) {
		err = -ENOMEM;
		goto destroy;
	}
	header = genlmsg_put_reply(reply, info, &fm_netlink_family, 0,
				   FLAMEMOD_CMD_STATUS);
	if (!header || fm_wire_put_head(reply, snapshot)) {
		nlmsg_free(reply);
		err = -EMSGSIZE;
		goto destroy;
	}
	genlmsg_end(reply, header);
	err = genlmsg_reply(reply, info);
destroy:
	fm_snapshot_put(snapshot);
	return err;
}

static struct fm_netlink_dump *fm_netlink_dump_of(struct netlink_callback *cb)
{
	static_assert(sizeof(struct fm_netlink_dump) <= sizeof(cb->ctx));
	return (void *)cb->ctx;
}

/* Return: the most sources that a client has attached. */
static u32 fm_netlink_nr_sources(void)
{
	struct fm_events *events = NULL;
	u32 nr = 0;

	while ((events = fm_events_next(fm_netlink_session, events)))
		nr = max(nr, READ_ONCE(events->nr_sources));
	return nr;
}

/*
 * Check the sender's rights now, in its own context: later calls run in the
 * context of the reader, which may be another process. The refusal is only sent
 * with the first message, because kernels up to 6.1 pass no extack to this
 * function.
 */
static int fm_netlink_dump_begin(struct netlink_callback *cb)
{
	struct fm_netlink_dump *dump = fm_netlink_dump_of(cb);

	memset(dump, 0, sizeof(*dump));
	cb->min_dump_alloc = FM_WIRE_HEAD_BYTES(fm_netlink_nr_sources());
	dump->permitted = !fm_permit_message(cb->skb, NULL);
	return 0;
}

/* A status lists the sources of all clients, of which more may attach some until then. */
static int fm_netlink_status_begin(struct netlink_callback *cb)
{
	int err = fm_netlink_dump_begin(cb);

	cb->min_dump_alloc = FM_WIRE_HEAD_BYTES(FLAMEMOD_SOURCES_MAX);
	return err;
}

/* Events are a profile of their own, which has no epochs that end by a reset. */
static int fm_netlink_check_wanted(struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	if (attrs[FLAMEMOD_A_EPOCH] && !attrs[FLAMEMOD_A_KEEP] &&
	    !attrs[FLAMEMOD_A_EVENTS]) {
		NL_SET_ERR_MSG(extack, "epoch: only with keep or events");
		return -EINVAL;
	}
	if (attrs[FLAMEMOD_A_ENDED] && !attrs[FLAMEMOD_A_EVENTS]) {
		NL_SET_ERR_MSG(extack, "ended: only with events");
		return -EINVAL;
	}
	if (attrs[FLAMEMOD_A_FRAMES_FROM] && (attrs[FLAMEMOD_A_RESET] ||
					      attrs[FLAMEMOD_A_KEEP] ||
					      attrs[FLAMEMOD_A_EVENTS])) {
		NL_SET_ERR_MSG(extack, "frames-from: not with reset, keep or events");
		return -EINVAL;
	}
	if (!attrs[FLAMEMOD_A_EVENTS])
		return 0;
	if (attrs[FLAMEMOD_A_RESET]) {
		NL_SET_ERR_MSG(extack,
			       "reset: not of events: detach them, and attach them again");
		return -EINVAL;
	}
	if (attrs[FLAMEMOD_A_KEEP]) {
		NL_SET_ERR_MSG(extack, "keep: not of events: no reset ends theirs");
		return -EINVAL;
	}
	return 0;
}

static int fm_netlink_dump_snapshot(struct netlink_callback *cb,
				    const struct fm_wanted *wanted)
{
	struct fm_netlink_dump *dump = fm_netlink_dump_of(cb);
	struct nlattr **attrs = fm_compat_dump_attrs(cb);
	int err;

	if (!dump->permitted)
		return fm_permit_refuse(cb->extack);
	err = fm_request_check(attrs, cb->extack);
	/* The array of a status request is too short to have these attributes. */
	if (!err && wanted->flags & FM_SNAPSHOT_PROFILE)
		err = fm_netlink_check_wanted(attrs, cb->extack);
	return err ?: fm_snapshot_answer(fm_netlink_session, wanted,
					 &dump->snapshot, cb->extack);
}

static int fm_netlink_dump(struct sk_buff *skb, struct netlink_callback *cb,
			   u8 cmd, const struct fm_wanted *wanted)
{
	struct fm_netlink_dump *dump = fm_netlink_dump_of(cb);
	void *header;
	int err;

	if (!dump->snapshot) {
		err = fm_netlink_dump_snapshot(cb, wanted);
		if (err)
			return err;
	}
	while (!fm_wire_done(&dump->cursor)) {
		header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				     cb->nlh->nlmsg_seq, &fm_netlink_family,
				     NLM_F_MULTI, cmd);
		if (!header)
			break;
		if (fm_wire_put_batch(skb, dump->snapshot, &dump->cursor)) {
			genlmsg_cancel(skb, header);
			break;
		}
		genlmsg_end(skb, header);
	}
	if (!skb->len && !fm_wire_done(&dump->cursor))
		return -EMSGSIZE;
	return skb->len;
}

static int fm_netlink_status_dump(struct sk_buff *skb,
				  struct netlink_callback *cb)
{
	const struct fm_wanted wanted = {
		.asker = NETLINK_CB(cb->skb).portid,
		.events_epoch = fm_netlink_events_epoch(fm_compat_dump_attrs(cb)),
	};

	return fm_netlink_dump(skb, cb, FLAMEMOD_CMD_STATUS, &wanted);
}

static int fm_netlink_profile_dump(struct sk_buff *skb,
				   struct netlink_callback *cb)
{
	struct nlattr **attrs = fm_compat_dump_attrs(cb);
	struct fm_wanted wanted = {
		.flags = FM_SNAPSHOT_PROFILE, .asker = NETLINK_CB(cb->skb).portid,
	};

	if (attrs[FLAMEMOD_A_RESET])
		wanted.flags |= FM_SNAPSHOT_RESET;
	if (attrs[FLAMEMOD_A_EVENTS]) {
		wanted.flags |= FM_SNAPSHOT_EVENTS;
		if (attrs[FLAMEMOD_A_ENDED])
			wanted.flags |= FM_SNAPSHOT_ENDED;
		wanted.events_epoch = fm_netlink_events_epoch(attrs);
	} else if (attrs[FLAMEMOD_A_EPOCH]) {
		wanted.epoch = nla_get_u32(attrs[FLAMEMOD_A_EPOCH]);
	}
	if (attrs[FLAMEMOD_A_KEEP])
		wanted.port = NETLINK_CB(cb->skb).portid;
	if (attrs[FLAMEMOD_A_FRAMES_FROM]) {
		wanted.flags |= FM_SNAPSHOT_FRAMES;
		wanted.first_frame = nla_get_u32(attrs[FLAMEMOD_A_FRAMES_FROM]);
	}
	return fm_netlink_dump(skb, cb, FLAMEMOD_CMD_PROFILE, &wanted);
}

static int fm_netlink_dump_end(struct netlink_callback *cb)
{
	struct fm_netlink_dump *dump = fm_netlink_dump_of(cb);

	if (dump->snapshot)
		fm_snapshot_put(dump->snapshot);
	return 0;
}

static const struct genl_ops fm_netlink_ops[] = {
	{
		.cmd = FLAMEMOD_CMD_STATUS,
		.doit = fm_netlink_status,
		.start = fm_netlink_status_begin,
		.dumpit = fm_netlink_status_dump,
		.done = fm_netlink_dump_end,
		.policy = fm_status_do_policy,
		.maxattr = FM_STATUS_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_SET,
		.doit = fm_netlink_set,
		.policy = fm_set_do_policy,
		.maxattr = FM_SET_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_START,
		.doit = fm_netlink_start,
		.policy = fm_start_do_policy,
		.maxattr = FM_START_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_STOP,
		.doit = fm_netlink_stop,
		.policy = fm_stop_do_policy,
		.maxattr = FM_STOP_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_RESET,
		.doit = fm_netlink_reset,
		.policy = fm_reset_do_policy,
		.maxattr = FM_RESET_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_PROFILE,
		.start = fm_netlink_dump_begin,
		.dumpit = fm_netlink_profile_dump,
		.done = fm_netlink_dump_end,
		.policy = fm_profile_dump_policy,
		.maxattr = FM_PROFILE_DUMP_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_FOLLOW,
		.doit = fm_netlink_follow,
		.policy = fm_follow_do_policy,
		.maxattr = FM_FOLLOW_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_ATTACH,
		.doit = fm_netlink_attach,
		.policy = fm_attach_do_policy,
		.maxattr = FM_ATTACH_DO_POLICY_MAX,
	}, {
		.cmd = FLAMEMOD_CMD_DETACH,
		.doit = fm_netlink_detach,
		.policy = fm_detach_do_policy,
		.maxattr = FM_DETACH_DO_POLICY_MAX,
	},
};

static struct genl_family fm_netlink_family __ro_after_init = {
	.name = FLAMEMOD_GENL_NAME,
	.version = FLAMEMOD_GENL_VERSION,
	.module = THIS_MODULE,
	.parallel_ops = true,
	.ops = fm_netlink_ops,
	.n_ops = ARRAY_SIZE(fm_netlink_ops),
};

/*
 * Called when a socket of any protocol and network namespace is closed,
 * possibly with an RCU lock held. Ports are only unique within one protocol and
 * namespace.
 */
static int fm_netlink_released(struct notifier_block *nb, unsigned long event,
			       void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC &&
	    net_eq(notify->net, &init_net))
		fm_session_close(fm_netlink_session, notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block fm_netlink_notifier = {
	.notifier_call = fm_netlink_released,
};

/**
 * fm_netlink_init() - register the family.
 * @session: the only session
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno.
 */
int fm_netlink_init(struct fm_session *session)
{
	int err;

	fm_netlink_session = session;
	err = netlink_register_notifier(&fm_netlink_notifier);
	if (err)
		return err;
	err = genl_register_family(&fm_netlink_family);
	if (err)
		netlink_unregister_notifier(&fm_netlink_notifier);
	return err;
}

/**
 * fm_netlink_deinit() - unregister the family.
 *
 * No dump is running any more, since each holds the module. What is left to
 * undo for the last owner is done by now, or is cancelled with the session.
 *
 * Context: Process context, may sleep.
 */
void fm_netlink_deinit(void)
{
	genl_unregister_family(&fm_netlink_family);
	netlink_unregister_notifier(&fm_netlink_notifier);
}
