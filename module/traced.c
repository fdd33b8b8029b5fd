// SPDX-License-Identifier: GPL-2.0
/*
 * Return addresses that the kernel has replaced: see traced.h.
 */
#include <linux/kernel.h>
#include <linux/llist.h>

#include "traced.h"

#ifdef CONFIG_RETHOOK
static unsigned long fm_traced_rethook(const struct task_struct *task, unsigned long place)
{
	const struct llist_node *link = READ_ONCE(task->rethooks.first);
	unsigned long address = 0;
	unsigned int i;

	/* Those of one place follow each other, the oldest last. */
	for (i = 0; link && i < FM_TRACED_CALLS; i++, link = READ_ONCE(link->next)) {
		const struct rethook_node *node =
			container_of(link, struct rethook_node, llist);

		if (node->frame == place)
			address = node->ret_addr;
		else if (address)
			break;
	}
	return address;
}
#else
static unsigned long fm_traced_rethook(const struct task_struct *task, unsigned long place)
{
	return 0;
}
#endif

#if FM_TRACED_KRETPROBES
/* The same, in the list of kretprobes. */
static unsigned long fm_traced_kretprobe(const struct task_struct *task, unsigned long place)
{
	const struct llist_node *link = READ_ONCE(task->kretprobe_instances.first);
	unsigned long address = 0;
	unsigned int i;

	for (i = 0; link && i < FM_TRACED_CALLS; i++, link = READ_ONCE(link->next)) {
		const struct kretprobe_instance *instance =
			container_of(link, struct kretprobe_instance, llist);

		if ((unsigned long)instance->fp == place)
			address = (unsigned long)instance->ret_addr;
		else if (address)
			break;
	}
	return address;
}
#else
static unsigned long fm_traced_kretprobe(const struct task_struct *task, unsigned long place)
{
	return 0;
}
#endif

#if defined(CONFIG_RETHOOK) || FM_TRACED_KRETPROBES
unsigned long fm_traced_search(const struct task_struct *task, unsigned long place)
{
	return fm_traced_rethook(task, place) ?: fm_traced_kretprobe(task, place);
}
#endif
