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
 * fm_settings_check() - check the limits of a nest of set settings.
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

const struct nla_policy fm_operand_policy[FLAMEMOD_A_OPERAND_MAX + 1] = {
	[FLAMEMOD_A_OPERAND_ARGUMENT] = { .type = NLA_U8 },
	[FLAMEMOD_A_OPERAND_OFFSET] = { .type = NLA_U32 },
	[FLAMEMOD_A_OPERAND_SIZE] = { .type = NLA_U8 },
	[FLAMEMOD_A_OPERAND_SIGNED] = { .type = NLA_U8 },
};

/**
 * fm_operand_check() - check the limits of a nest of set operand.
 * @tb: the parsed attributes
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -ERANGE.
 */
int fm_operand_check(struct nlattr *const *tb,
		     struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_OPERAND_ARGUMENT];
	if (attr && (nla_get_u8(attr) < 1 || nla_get_u8(attr) > 6)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "argument: must be 1..6");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_OPERAND_OFFSET];
	if (attr && nla_get_u32(attr) > 4088) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "offset: must be 0..4088");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_OPERAND_SIZE];
	if (attr && (nla_get_u8(attr) < 1 || nla_get_u8(attr) > 8)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "size: must be 1..8");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_OPERAND_SIGNED];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "signed: must be 0..1");
		return -ERANGE;
	}
	return 0;
}

const struct nla_policy fm_condition_policy[FLAMEMOD_A_CONDITION_MAX + 1] = {
	[FLAMEMOD_A_CONDITION_OPERAND] = NLA_POLICY_NESTED(fm_operand_policy),
	[FLAMEMOD_A_CONDITION_COMPARE] = { .type = NLA_U32 },
	[FLAMEMOD_A_CONDITION_VALUE] = { .type = NLA_U64 },
};

/**
 * fm_condition_check() - check the limits of a nest of set condition.
 * @tb: the parsed attributes
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -ERANGE.
 */
int fm_condition_check(struct nlattr *const *tb,
		       struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_CONDITION_COMPARE];
	if (attr && nla_get_u32(attr) > 6) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "compare: must be 0..6");
		return -ERANGE;
	}
	return 0;
}

const struct nla_policy fm_source_policy[FLAMEMOD_A_SOURCE_MAX + 1] = {
	[FLAMEMOD_A_SOURCE_KIND] = { .type = NLA_U32 },
	[FLAMEMOD_A_SOURCE_NAME] = { .type = NLA_NUL_STRING },
	[FLAMEMOD_A_SOURCE_UNIT] = { .type = NLA_NUL_STRING },
	[FLAMEMOD_A_SOURCE_FUNCTION] = { .type = NLA_NUL_STRING },
	[FLAMEMOD_A_SOURCE_WEIGHT] = NLA_POLICY_NESTED(fm_operand_policy),
	[FLAMEMOD_A_SOURCE_CONDITION] = NLA_POLICY_NESTED(fm_condition_policy),
	[FLAMEMOD_A_SOURCE_MIN_NS] = { .type = NLA_U64 },
	[FLAMEMOD_A_SOURCE_PERF_TYPE] = { .type = NLA_U32 },
	[FLAMEMOD_A_SOURCE_PERF_CONFIG] = { .type = NLA_U64 },
	[FLAMEMOD_A_SOURCE_PERF_PERIOD] = { .type = NLA_U64 },
	[FLAMEMOD_A_SOURCE_RECORD_BYTES] = { .type = NLA_U32 },
};

/**
 * fm_source_check() - check the limits of a nest of set source.
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

	attr = tb[FLAMEMOD_A_SOURCE_KIND];
	if (attr && (nla_get_u32(attr) < 1 || nla_get_u32(attr) > 4)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "kind: must be 1..4");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_NAME];
	if (attr && nla_len(attr) > 192) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "name: must be at most 192 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_UNIT];
	if (attr && nla_len(attr) > 32) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "unit: must be at most 32 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_FUNCTION];
	if (attr && nla_len(attr) > 128) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "function: must be at most 128 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_MIN_NS];
	if (attr && nla_get_u64(attr) > 3600000000000) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "min-ns: must be 0..3600000000000");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_PERF_TYPE];
	if (attr && nla_get_u32(attr) > 65535) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "perf-type: must be 0..65535");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_PERF_PERIOD];
	if (attr && (nla_get_u64(attr) < 1 || nla_get_u64(attr) > 1000000000000)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "perf-period: must be 1..1000000000000");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_SOURCE_RECORD_BYTES];
	if (attr && nla_get_u32(attr) > 4096) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "record-bytes: must be 0..4096");
		return -ERANGE;
	}
	return 0;
}

const struct nla_policy fm_attach_policy[FLAMEMOD_A_ATTACH_MAX + 1] = {
	[FLAMEMOD_A_ATTACH_EVENTS] = { .type = NLA_U32 },
	[FLAMEMOD_A_ATTACH_MIN_US] = { .type = NLA_U32 },
	[FLAMEMOD_A_ATTACH_STATES] = { .type = NLA_U32 },
	[FLAMEMOD_A_ATTACH_PIDS] = { .type = NLA_BINARY },
	[FLAMEMOD_A_ATTACH_FOLLOWED] = { .type = NLA_U8 },
	[FLAMEMOD_A_ATTACH_SOURCE] = NLA_POLICY_NESTED(fm_source_policy),
	[FLAMEMOD_A_ATTACH_USER_STACKS] = { .type = NLA_U8 },
};

/**
 * fm_attach_check() - check the limits of a nest of set attach.
 * @tb: the parsed attributes
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -ERANGE.
 */
int fm_attach_check(struct nlattr *const *tb,
		    struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_ATTACH_EVENTS];
	if (attr && (nla_get_u32(attr) < 2 || nla_get_u32(attr) > 14)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "events: must be 2..14");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_ATTACH_MIN_US];
	if (attr && nla_get_u32(attr) > 3600000000) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "min-us: must be 0..3600000000");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_ATTACH_STATES];
	if (attr && (nla_get_u32(attr) < 1 || nla_get_u32(attr) > 255)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "states: must be 1..255");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_ATTACH_PIDS];
	if (attr && nla_len(attr) > 64) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "pids: must be at most 64 bytes");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_ATTACH_FOLLOWED];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "followed: must be 0..1");
		return -ERANGE;
	}
	attr = tb[FLAMEMOD_A_ATTACH_USER_STACKS];
	if (attr && nla_get_u8(attr) > 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "user-stacks: must be 0..1");
		return -ERANGE;
	}
	return 0;
}

const struct nla_policy fm_status_do_policy[FLAMEMOD_A_EPOCH + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_EPOCH] = { .type = NLA_U32 },
};

const struct nla_policy fm_set_do_policy[FLAMEMOD_A_OWNER + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_SETTINGS] = NLA_POLICY_NESTED(fm_settings_policy),
	[FLAMEMOD_A_OWNER] = { .type = NLA_FLAG },
};

const struct nla_policy fm_stop_do_policy[FLAMEMOD_A_OWNER + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_OWNER] = { .type = NLA_FLAG },
};

const struct nla_policy fm_reset_do_policy[FLAMEMOD_A_SESSION + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
};

const struct nla_policy fm_profile_dump_policy[FLAMEMOD_A_FRAMES_FROM + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_RESET] = { .type = NLA_FLAG },
	[FLAMEMOD_A_EVENTS] = { .type = NLA_FLAG },
	[FLAMEMOD_A_KEEP] = { .type = NLA_FLAG },
	[FLAMEMOD_A_EPOCH] = { .type = NLA_U32 },
	[FLAMEMOD_A_ENDED] = { .type = NLA_FLAG },
	[FLAMEMOD_A_FRAMES_FROM] = { .type = NLA_U32 },
};

const struct nla_policy fm_follow_do_policy[FLAMEMOD_A_FOLLOW + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_FOLLOW] = { .type = NLA_U32 },
};

const struct nla_policy fm_attach_do_policy[FLAMEMOD_A_ATTACH + 1] = {
	[FLAMEMOD_A_SESSION] = { .type = NLA_U32 },
	[FLAMEMOD_A_ATTACH] = NLA_POLICY_NESTED(fm_attach_policy),
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
