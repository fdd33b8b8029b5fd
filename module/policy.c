// SPDX-License-Identifier: GPL-2.0
/* Generated from common/flamemod.yaml by common/generate.py: do not edit. */
#include "policy.h"

static int fm_settings_hz_check(const struct nlattr *attr,
				struct netlink_ext_ack *extack)
{
	if (!(nla_get_u32(attr) < 1 || nla_get_u32(attr) > 20000))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "hz: must be 1..20000");
	return -ERANGE;
}

static int fm_settings_max_depth_check(const struct nlattr *attr,
				       struct netlink_ext_ack *extack)
{
	if (!(nla_get_u32(attr) < 1 || nla_get_u32(attr) > 127))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "max-depth: must be 1..127");
	return -ERANGE;
}

static int fm_settings_exclude_idle_check(const struct nlattr *attr,
					  struct netlink_ext_ack *extack)
{
	if (!(nla_get_u8(attr) > 1))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "exclude-idle: must be 0..1");
	return -ERANGE;
}

static int fm_settings_kernel_only_check(const struct nlattr *attr,
					 struct netlink_ext_ack *extack)
{
	if (!(nla_get_u8(attr) > 1))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "kernel-only: must be 0..1");
	return -ERANGE;
}

static int fm_settings_pids_check(const struct nlattr *attr,
				  struct netlink_ext_ack *extack)
{
	if (!(nla_len(attr) > 64))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "pids: must be at most 64 bytes");
	return -ERANGE;
}

static int fm_settings_cpus_check(const struct nlattr *attr,
				  struct netlink_ext_ack *extack)
{
	if (!(nla_len(attr) > 1024))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "cpus: must be at most 1024 bytes");
	return -ERANGE;
}

const struct nla_policy fm_settings_policy[FLAMEMOD_A_SETTINGS_MAX + 1] = {
	[FLAMEMOD_A_SETTINGS_HZ] =
		NLA_POLICY_VALIDATE_FN(NLA_U32, fm_settings_hz_check),
	[FLAMEMOD_A_SETTINGS_MAX_DEPTH] =
		NLA_POLICY_VALIDATE_FN(NLA_U32, fm_settings_max_depth_check),
	[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE] =
		NLA_POLICY_VALIDATE_FN(NLA_U8, fm_settings_exclude_idle_check),
	[FLAMEMOD_A_SETTINGS_KERNEL_ONLY] =
		NLA_POLICY_VALIDATE_FN(NLA_U8, fm_settings_kernel_only_check),
	[FLAMEMOD_A_SETTINGS_PIDS] =
		NLA_POLICY_VALIDATE_FN(NLA_BINARY, fm_settings_pids_check),
	[FLAMEMOD_A_SETTINGS_CPUS] =
		NLA_POLICY_VALIDATE_FN(NLA_NUL_STRING, fm_settings_cpus_check),
};

static int fm_flamemod_session_check(const struct nlattr *attr,
				     struct netlink_ext_ack *extack)
{
	if (!(nla_get_u32(attr)))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "session: must be 0");
	return -ERANGE;
}

const struct nla_policy fm_status_do_policy[FLAMEMOD_A_SESSION + 1] = {
	[FLAMEMOD_A_SESSION] =
		NLA_POLICY_VALIDATE_FN(NLA_U32, fm_flamemod_session_check),
};

const struct nla_policy fm_set_do_policy[FLAMEMOD_A_SETTINGS + 1] = {
	[FLAMEMOD_A_SESSION] =
		NLA_POLICY_VALIDATE_FN(NLA_U32, fm_flamemod_session_check),
	[FLAMEMOD_A_SETTINGS] = NLA_POLICY_NESTED(fm_settings_policy),
};

const struct nla_policy fm_dump_dump_policy[FLAMEMOD_A_RESET + 1] = {
	[FLAMEMOD_A_SESSION] =
		NLA_POLICY_VALIDATE_FN(NLA_U32, fm_flamemod_session_check),
	[FLAMEMOD_A_RESET] = { .type = NLA_FLAG },
};
