/* SPDX-License-Identifier: GPL-2.0 */
/* Generated from common/flamemod.yaml by common/generate.py: do not edit. */
#ifndef _FLAMEMOD_POLICY_H
#define _FLAMEMOD_POLICY_H

#include <net/netlink.h>

#include "../common/uapi/flamemod.h"

extern const struct nla_policy fm_settings_policy[FLAMEMOD_A_SETTINGS_MAX + 1];
int fm_settings_check(struct nlattr *const *tb,
		      struct netlink_ext_ack *extack);
extern const struct nla_policy fm_operand_policy[FLAMEMOD_A_OPERAND_MAX + 1];
int fm_operand_check(struct nlattr *const *tb,
		     struct netlink_ext_ack *extack);
extern const struct nla_policy fm_condition_policy[FLAMEMOD_A_CONDITION_MAX + 1];
int fm_condition_check(struct nlattr *const *tb,
		       struct netlink_ext_ack *extack);
extern const struct nla_policy fm_source_policy[FLAMEMOD_A_SOURCE_MAX + 1];
int fm_source_check(struct nlattr *const *tb,
		    struct netlink_ext_ack *extack);
extern const struct nla_policy fm_attach_policy[FLAMEMOD_A_ATTACH_MAX + 1];
int fm_attach_check(struct nlattr *const *tb,
		    struct netlink_ext_ack *extack);
extern const struct nla_policy fm_status_do_policy[FLAMEMOD_A_EPOCH + 1];
#define FM_STATUS_DO_POLICY_MAX	FLAMEMOD_A_EPOCH
#define fm_status_dump_policy	fm_status_do_policy
#define FM_STATUS_DUMP_POLICY_MAX	FLAMEMOD_A_EPOCH
extern const struct nla_policy fm_set_do_policy[FLAMEMOD_A_OWNER + 1];
#define FM_SET_DO_POLICY_MAX	FLAMEMOD_A_OWNER
#define fm_start_do_policy	fm_set_do_policy
#define FM_START_DO_POLICY_MAX	FLAMEMOD_A_OWNER
extern const struct nla_policy fm_stop_do_policy[FLAMEMOD_A_OWNER + 1];
#define FM_STOP_DO_POLICY_MAX	FLAMEMOD_A_OWNER
extern const struct nla_policy fm_reset_do_policy[FLAMEMOD_A_SESSION + 1];
#define FM_RESET_DO_POLICY_MAX	FLAMEMOD_A_SESSION
extern const struct nla_policy fm_profile_dump_policy[FLAMEMOD_A_FRAMES_FROM + 1];
#define FM_PROFILE_DUMP_POLICY_MAX	FLAMEMOD_A_FRAMES_FROM
extern const struct nla_policy fm_follow_do_policy[FLAMEMOD_A_FOLLOW + 1];
#define FM_FOLLOW_DO_POLICY_MAX	FLAMEMOD_A_FOLLOW
extern const struct nla_policy fm_attach_do_policy[FLAMEMOD_A_ATTACH + 1];
#define FM_ATTACH_DO_POLICY_MAX	FLAMEMOD_A_ATTACH
#define fm_detach_do_policy	fm_reset_do_policy
#define FM_DETACH_DO_POLICY_MAX	FLAMEMOD_A_SESSION
int fm_request_check(struct nlattr *const *tb,
		     struct netlink_ext_ack *extack);

#endif /* _FLAMEMOD_POLICY_H */
