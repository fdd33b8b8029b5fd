// SPDX-License-Identifier: GPL-2.0
/*
 * The source latency: calls of a function of the kernel, when they return. The weight is
 * how long they took, in nanoseconds.
 *
 * A kretprobe reports each call and its return. The time of the call is kept in the
 * kernel's record of it, so it is found on whatever CPU the function returns. The stack
 * is taken at the return, when it is known how long the call took: what is shorter than
 * the minimum costs no stack. The function has left its frame by then; its callers are
 * all there.
 *
 * While a call lasts, its return address is that of the kernel's trampoline. Learned
 * steps lead nowhere from there, so such stacks, those of the timer too, are left to the
 * kernel's unwinder.
 */
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/log2.h>

#include "compat/compat.h"
#include "call.h"
#include "hit.h"
#include "source.h"

#ifdef CONFIG_KRETPROBES

/* Calls that may last at a time; others are missed. The kernel allocates some 64 bytes each. */
#define FM_LATENCY_CALLS	1024

struct fm_latency {
	struct fm_source source;
	struct kretprobe probe;
};

/* What is kept of a call until it returns. */
struct fm_latency_call {
	u64 since_ns;
};

static struct fm_latency *fm_latency_of(const struct fm_source *source)
{
	return container_of(source, struct fm_latency, source);
}

/* Begin a call. Return: true if its return is to be reported. */
static bool fm_latency_begin(struct fm_latency *latency, struct fm_latency_call *call,
			     struct pt_regs *regs, bool nmi)
{
	const struct fm_conditions *conditions = &latency->source.request.conditions;
	struct fm_turn turn = fm_hit_begin(&latency->source, nmi);
	bool holds;

	if (!turn.c)
		return false;
	call->since_ns = turn.now_ns;
	holds = likely(!conditions->nr) || fm_conditions_hold_call(conditions, regs);
	if (!holds)
		fm_hit_filter(&turn, &latency->source, 0);
	fm_hit_end(&turn, &latency->source);
	return holds;
}

/*
 * Return: true if a call can begin without a turn. All that is done for it then is to note
 * the time. Its return counts it, once, whatever becomes of it.
 */
static bool fm_latency_begins_simply(const struct fm_latency *latency, bool nmi)
{
	return !nmi && !latency->source.request.conditions.nr &&
	       fm_hit_is_plain(&latency->source);
}

/* It is apart, so that the usual way saves no registers for it. */
static noinline int fm_latency_enter_in_turn(struct fm_latency *latency,
					     struct fm_latency_call *call,
					     struct pt_regs *regs, bool nmi)
{
	unsigned long flags;
	bool reports;

	raw_local_irq_save(flags);
	reports = fm_latency_begin(latency, call, regs, nmi);
	raw_local_irq_restore(flags);
	return !reports;
}

NOKPROBE_SYMBOL(fm_latency_enter_in_turn);

static int fm_latency_enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = fm_compat_kretprobe(instance);
	struct fm_latency_call *call = (void *)instance->data;
	struct fm_latency *latency;
	bool nmi;

	if (unlikely(!probe))
		return 1;
	latency = container_of(probe, struct fm_latency, probe);
	nmi = fm_call_level(&probe->kp).nmi;
	if (unlikely(!fm_latency_begins_simply(latency, nmi)))
		return fm_latency_enter_in_turn(latency, call, regs, nmi);
	call->since_ns = ktime_get_mono_fast_ns();
	return 0;
}

NOKPROBE_SYMBOL(fm_latency_enter);

static void fm_latency_end(struct fm_latency *latency, const struct fm_latency_call *call,
			   struct pt_regs *regs)
{
	const struct fm_spot spot = {
		.regs = regs,
		.leaf = (unsigned long)latency->probe.kp.addr,
		.returned = true,
	};
	struct fm_turn turn = fm_hit_begin(&latency->source, false);
	u64 ns;

	if (!turn.c)
		return;
	/* Clocks of CPUs may differ a little. */
	ns = turn.now_ns > call->since_ns ? turn.now_ns - call->since_ns : 0;
	if (ns < latency->source.request.min_ns)
		fm_hit_below(&turn, &latency->source, ns);
	else
		fm_hit(&turn, &latency->source, &spot, preempt_count(), ns, ns ? ilog2(ns) : 0);
	fm_hit_end(&turn, &latency->source);
}

static int fm_latency_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = fm_compat_kretprobe(instance);
	unsigned long flags, ip = instruction_pointer(regs);

	if (unlikely(!probe))
		return 0;
	raw_local_irq_save(flags);
	instruction_pointer_set(regs, fm_compat_return_address(instance, regs));
	fm_latency_end(container_of(probe, struct fm_latency, probe),
		       (void *)instance->data, regs);
	instruction_pointer_set(regs, ip);
	raw_local_irq_restore(flags);
	return 0;
}

NOKPROBE_SYMBOL(fm_latency_return);

static int fm_latency_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	struct kretprobe *probe = &fm_latency_of(source)->probe;
	int err;

	probe->kp.symbol_name = source->request.function;
	probe->entry_handler = fm_latency_enter;
	probe->handler = fm_latency_return;
	probe->data_size = sizeof(struct fm_latency_call);
	probe->maxactive = FM_LATENCY_CALLS;
	err = register_kretprobe(probe);
	return err ? fm_call_refuse(&source->request, err, extack) : 0;
}

static void fm_latency_detach(struct fm_source *source)
{
	/* This waits until no CPU is in a handler; calls that last return unreported. */
	unregister_kretprobe(&fm_latency_of(source)->probe);
}

static u64 fm_latency_missed(const struct fm_source *source)
{
	const struct kretprobe *probe = &fm_latency_of(source)->probe;

	return (u64)(u32)READ_ONCE(probe->nmissed) + READ_ONCE(probe->kp.nmissed);
}
#else
struct fm_latency {
	struct fm_source source;
};

static int fm_latency_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	return fm_call_refuse(&source->request, -EOPNOTSUPP, extack);
}

static void fm_latency_detach(struct fm_source *source)
{
}

static u64 fm_latency_missed(const struct fm_source *source)
{
	return 0;
}
#endif

const struct fm_source_ops fm_latency_ops = {
	.kind = FLAMEMOD_SOURCE_KIND_LATENCY,
	.bytes = sizeof(struct fm_latency),
	.unit = "ns",
	.check = fm_call_check,
	.attach = fm_latency_attach,
	.detach = fm_latency_detach,
	.missed = fm_latency_missed,
};
