// SPDX-License-Identifier: GPL-2.0
/* Generated from common/flamemod.yaml by common/generate.py: do not edit. */
#include "policy.h"

const struct nla_policy fm_settings_policy[FLAMEMOD_A_SETTINGS_MAX + 1] = {
	[FLAMEMOD_A_SETTINGS_HZ] = { .type = NLA_U32 },
	[FLAMEMOD_A_SETTINGS_MAX_DEPTH] = { .type = NLA_U32 },
	[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE] = { .type = NLA_U8 },
	[FLAMEMOD_A_SETTINGS_KERNEL_ONLY] = { .type = NLA_U8 },
	[FLAMEMOD_A_SETTINGS_PIDS] = { .type = NLA_BINARY },
	[FLAMEMOD_A_SETTINGS_CPUS] = { .type = NLA_NUL_STRING },
	[FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY] = { .type = NLA_U8 },
	[FLAMEMOD_A_SETTINGS_USER_STACKS] = { .type = NLA_U8 },
	[FLAMEMOD_A_SETTINGS_USER_PLACES] = { .type = NLA_U8 },
};

/**
 * fm_settings_check() - check that the settings are within their limits.
 * @tb: the parsed attributes
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -ERANGE.
 */
int fm_settings_check(struct nlattr *const *tb,
		      struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_SETTINGS_HZ];
	if (attr && (nla_get_u32(attr) < 1 || nla_get_u32(attr) > 20000)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "hz: must be 1..20000");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_MAX_DEPTH];
	if (attr && (nla_get_u32(attr) < 1 || nla_get_u32(attr) > 127)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "max-depth: must be 1..127");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "exclude-idle: must be 0..1");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_KERNEL_ONLY];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "kernel-only: must be 0..1");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_PIDS];
	if (attr && nla_len(attr) > 64) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "pids: must be at most 64 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_CPUS];
	if (attr && nla_len(attr) > 1024) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "cpus: must be at most 1024 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "followed-only: must be 0..1");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_USER_STACKS];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "user-stacks: must be 0..1");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SETTINGS_USER_PLACES];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "user-places: must be 0..1");
		return -ERANGE;
	}
	return 0;
}

const struct nla_policy fm_source_policy[FLAMEMOD_A_SOURCE_MAX + 1] = {
	[FLAMEMOD_A_SOURCE_EVENTS] = { .type = NLA_U32 },
	[FLAMEMOD_A_SOURCE_MIN_US] = { .type = NLA_U32 },
	[FLAMEMOD_A_SOURCE_STATES] = { .type = NLA_U32 },
	[FLAMEMOD_A_SOURCE_PIDS] = { .type = NLA_BINARY },
	[FLAMEMOD_A_SOURCE_FOLLOWED] = { .type = NLA_U8 },
};

/**
 * fm_source_check() - check that the source are within their limits.
 * @tb: the parsed attributes
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -ERANGE.
 */
int fm_source_check(struct nlattr *const *tb,
		    struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_SOURCE_EVENTS];
	if (attr && (nla_get_u32(attr) < 2 || nla_get_u32(attr) > 14)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "events: must be 2..14");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_MIN_US];
	if (attr && nla_get_u32(attr) > 3600000000) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "min-us: must be 0..3600000000");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_STATES];
	if (attr && (nla_get_u32(attr) < 1 || nla_get_u32(attr) > 255)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "states: must be 1..255");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_PIDS];
	if (attr && nla_len(attr) > 64) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "pids: must be at most 64 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_FOLLOWED];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "followed: must be 0..1");
		return -ERANGE;
	}
	return 0;
}

const struct nla_policy fm_status_do_policy[FLAMEMOD_A_SESSION + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
};

const struct nla_policy fm_set_do_policy[FLAMEMOD_A_OWNER + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_SETTINGS] = NLA_POLICY_NESTED(fm_settings_policy),
	[FLAMEMOD_A_OWNER] = { .type = NLA_FLAG },
};

const struct nla_policy fm_profile_dump_policy[FLAMEMOD_A_EVENTS + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_RESET] = { .type = NLA_FLAG },
	[FLAMEMOD_A_EVENTS] = { .type = NLA_FLAG },
};

const struct nla_policy fm_follow_do_policy[FLAMEMOD_A_FOLLOW + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_FOLLOW] = { .type = NLA_U32 },
};

const struct nla_policy fm_attach_do_policy[FLAMEMOD_A_SOURCE + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_SOURCE] = NLA_POLICY_NESTED(fm_source_policy),
};

/**
 * fm_request_check() - check the attributes that every request has.
 * @tb: the parsed attributes
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -ERANGE.
 */
int fm_request_check(struct nlattr *const *tb,
		     struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_SESSION];
	if (attr && nla_get_u32(attr)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "session: must be 0");
		return -ERANGE;
	}
	return 0;
}
