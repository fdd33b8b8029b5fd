// SPDX-License-Identifier: GPL-2.0
/*
 * Who may see where the kernel's time goes: see permit.h.
 *
 * System-wide kernel stacks tell about every process, so the rule is perf's
 * for them: CAP_PERFMON, or CAP_SYS_ADMIN, in the initial user namespace. A
 * kernel locked down for confidentiality has none of it, as for perf.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/netlink.h>
#include <linux/security.h>

#include "permit.h"

/**
 * fm_permit_refuse() - say why not.
 * @extack: where
 *
 * Context: Process context.
 * Return: -EPERM.
 */
int fm_permit_refuse(struct netlink_ext_ack *extack)
{
	if (security_locked_down(LOCKDOWN_PERF))
		NL_SET_ERR_MSG(extack,
			       "the kernel is locked down for confidentiality");
	else
		NL_SET_ERR_MSG(extack,
			       "needs CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace");
	return -EPERM;
}

/**
 * fm_permit_message() - may the sender of a netlink message use us?
 * @skb: the message
 * @extack: for the reason of a refusal
 *
 * Asked of the socket's opener and of the sender, so that a program which
 * writes to a socket that it was handed lends its rights to nobody.
 *
 * Context: Process context, of the sender.
 * Return: 0 or -EPERM.
 */
int fm_permit_message(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (!netlink_capable(skb, CAP_PERFMON) &&
	    !netlink_capable(skb, CAP_SYS_ADMIN))
		return fm_permit_refuse(extack);
	if (security_locked_down(LOCKDOWN_PERF))
		return fm_permit_refuse(extack);
	return 0;
}

/**
 * fm_permit_current() - may the current task use us?
 *
 * Context: Process context.
 * Return: 0 or -EPERM.
 */
int fm_permit_current(void)
{
	if (!capable(CAP_PERFMON) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_PERF);
}
