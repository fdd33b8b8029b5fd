// SPDX-License-Identifier: GPL-2.0
/*
 * Return addresses that the kernel has replaced: see traced.h.
 */
#include <linux/kernel.h>
#include <linux/llist.h>

#include "traced.h"

#if defined(CONFIG_RETHOOK) || FM_TRACED_KRETPROBES
/* What the kernel has kept of a call. */
struct fm_replaced {
	unsigned long place;
	unsigned long address;
};

/* Search a list. Return: as fm_traced_return(). */
static __always_inline unsigned long
fm_traced_list(const struct llist_node *link, unsigned long place,
	       struct fm_replaced (*read)(const struct llist_node *link))
{
	unsigned long address = 0;
	unsigned int i;

	/* Those of one place follow each other, the oldest last. */
	for (i = 0; link && i < FM_TRACED_CALLS; i++, link = READ_ONCE(link->next)) {
		const struct fm_replaced replaced = read(link);

		if (replaced.place == place)
			address = replaced.address;
		else if (address)
			break;
	}
	return address;
}
#endif

#ifdef CONFIG_RETHOOK
static __always_inline struct fm_replaced fm_traced_rethook(const struct llist_node *link)
{
	const struct rethook_node *node = container_of(link, struct rethook_node, llist);

	return (struct fm_replaced){ node->frame, node->ret_addr };
}
#endif

#if FM_TRACED_KRETPROBES
static __always_inline struct fm_replaced fm_traced_kretprobe(const struct llist_node *link)
{
	const struct kretprobe_instance *instance =
		container_of(link, struct kretprobe_instance, llist);

	return (struct fm_replaced){
		(unsigned long)instance->fp, (unsigned long)instance->ret_addr
	};
}
#endif

#if defined(CONFIG_RETHOOK) || FM_TRACED_KRETPROBES
unsigned long fm_traced_search(const struct task_struct *task, unsigned long place)
{
	unsigned long address = 0;

#ifdef CONFIG_RETHOOK
	address = fm_traced_list(READ_ONCE(task->rethooks.first), place, fm_traced_rethook);
#endif
#if FM_TRACED_KRETPROBES
	if (!address)
		address = fm_traced_list(READ_ONCE(task->kretprobe_instances.first), place,
					 fm_traced_kretprobe);
#endif
	return address;
}
#endif
