/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of functions of the kernel, which kprobes report: what func.c and latency.c
 * have in common.
 */
#ifndef _FLAMEMOD_CALL_H
#define _FLAMEMOD_CALL_H

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/types.h>

struct fm_source_request;
struct netlink_ext_ack;

int fm_call_check(const struct fm_source_request *request, struct netlink_ext_ack *extack);
int fm_call_refuse(const struct fm_source_request *request, int err,
		   struct netlink_ext_ack *extack);

/* Where a probe's handler was called from. */
struct fm_call_level {
	unsigned long preempt;	/* preempt_count() of the function */
	bool nmi;		/* it was called in a non-maskable interrupt */
};

/**
 * fm_call_level_of() - tell the levels of the probe's trap from those of the function.
 * @preempt: preempt_count() in the handler
 * @traps: the kernel may count a trap of the probe as a non-maskable interrupt
 *
 * x86 does so for int3. If the trap was replaced by a jump, there is no such level; then
 * the one of a true non-maskable interrupt is taken for it, and the guard is what keeps
 * the tables whole.
 *
 * Context: Any; a pure function.
 * Return: the level.
 */
static inline struct fm_call_level fm_call_level_of(unsigned long preempt, bool traps)
{
	if (traps && preempt & NMI_MASK)
		preempt -= NMI_OFFSET + HARDIRQ_OFFSET;
	return (struct fm_call_level){ preempt, preempt & NMI_MASK };
}

#ifdef CONFIG_KPROBES
/**
 * fm_call_level() - find out where a probe's handler was called from.
 * @probe: the probe
 *
 * Context: The probe's handler.
 * Return: the level.
 */
static inline struct fm_call_level fm_call_level(const struct kprobe *probe)
{
	bool traps = IS_ENABLED(CONFIG_X86) && !(probe->flags & KPROBE_FLAG_FTRACE);

	return fm_call_level_of(preempt_count(), traps);
}
#endif

#endif /* _FLAMEMOD_CALL_H */
