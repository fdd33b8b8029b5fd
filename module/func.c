// SPDX-License-Identifier: GPL-2.0
/*
 * The source func: calls of a function of the kernel, each with its callers. The weight
 * is one of its arguments, or 1.
 *
 * A kprobe reports each call, before the function's first instruction, so the stack
 * starts there, and nothing of the probe is on it. If the handler itself calls the
 * function, the kernel only counts that, as missed.
 */
#include <linux/irqflags.h>
#include <linux/kprobes.h>

#include "call.h"
#include "hit.h"
#include "source.h"

#ifdef CONFIG_KPROBES

struct fm_func {
	struct fm_source source;
	struct kprobe probe;
	bool reads;		/* arguments, for a weight or conditions */
};

static struct fm_func *fm_func_of(const struct fm_source *source)
{
	return container_of(source, struct fm_func, source);
}

/* Count a call. */
static void fm_func_count(struct fm_turn *turn, struct fm_func *func,
			  struct pt_regs *regs, unsigned long preempt)
{
	const struct fm_source_request *request = &func->source.request;
	const struct fm_spot spot = {
		.regs = regs,
		.leaf = (unsigned long)func->probe.addr,
	};
	bool holds = true;
	u64 weight = 1;

	if (func->reads) {
		if (request->weight.size)
			weight = fm_operand_argument(&request->weight, regs);
		holds = !request->conditions.nr ||
			fm_conditions_hold_call(&request->conditions, regs);
	}
	if (likely(holds))
		fm_hit(turn, &func->source, &spot, preempt, weight, 0);
	else
		fm_hit_filter(turn, &func->source, weight);
}

/* Take a hit's turn, if it may have one. */
static void fm_func_take(struct fm_func *func, struct pt_regs *regs,
			 const struct fm_call_level *level)
{
	struct fm_turn turn = fm_hit_begin_untimed(&func->source, level->nmi);

	if (!turn.c)
		return;
	fm_func_count(&turn, func, regs, level->preempt);
	fm_hit_end(&turn, &func->source);
}

static int fm_func_hit(struct kprobe *probe, struct pt_regs *regs)
{
	struct fm_func *func = container_of(probe, struct fm_func, probe);
	struct fm_call_level level = fm_call_level(probe);
	unsigned long flags;

	raw_local_irq_save(flags);
	fm_func_take(func, regs, &level);
	raw_local_irq_restore(flags);
	return 0;
}

NOKPROBE_SYMBOL(fm_func_hit);

static int fm_func_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	const struct fm_source_request *request = &source->request;
	struct kprobe *probe = &fm_func_of(source)->probe;
	int err;

	fm_func_of(source)->reads = request->weight.size || request->conditions.nr;
	probe->symbol_name = source->request.function;
	probe->pre_handler = fm_func_hit;
	err = register_kprobe(probe);
	return err ? fm_call_refuse(&source->request, err, extack) : 0;
}

static void fm_func_detach(struct fm_source *source)
{
	/* This waits until no CPU is in the handler. */
	unregister_kprobe(&fm_func_of(source)->probe);
}

static u64 fm_func_missed(const struct fm_source *source)
{
	return READ_ONCE(fm_func_of(source)->probe.nmissed);
}
#else
struct fm_func {
	struct fm_source source;
};

static int fm_func_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	return fm_call_refuse(&source->request, -EOPNOTSUPP, extack);
}

static void fm_func_detach(struct fm_source *source)
{
}

static u64 fm_func_missed(const struct fm_source *source)
{
	return 0;
}
#endif

const struct fm_source_ops fm_func_ops = {
	.kind = FLAMEMOD_SOURCE_KIND_FUNC,
	.bytes = sizeof(struct fm_func),
	.unit = "calls",
	.check = fm_call_check,
	.attach = fm_func_attach,
	.detach = fm_func_detach,
	.missed = fm_func_missed,
};
