// SPDX-License-Identifier: GPL-2.0
/*
 * Checks who may use the module: see permit.h.
 *
 * System-wide kernel stacks reveal something about every process, so the rule
 * is the same as perf's for them: CAP_PERFMON or CAP_SYS_ADMIN in the initial
 * user namespace. As with perf, a kernel locked down for confidentiality
 * refuses all.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/netlink.h>
#include <linux/security.h>

#include "permit.h"

/**
 * fm_permit_refuse() - report why a request is refused.
 * @extack: for the reason
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
 * fm_permit_message() - check whether the sender of a message may use the module.
 * @skb: the message
 * @extack: for the reason of a refusal
 *
 * Both the opener of the socket and the sender need the capability, so that
 * nobody can use the rights of a program by handing it a socket to write to.
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
 * fm_permit_current() - check whether the current task may use the module.
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
