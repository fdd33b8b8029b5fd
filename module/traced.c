// SPDX-License-Identifier: GPL-2.0
/*
 * Return addresses that the kernel has replaced: see traced.h.
 */
#include <linux/kernel.h>
#include <linux/llist.h>

#include "traced.h"

#ifdef CONFIG_RETHOOK
unsigned long fm_traced_search(const struct task_struct *task, unsigned long place)
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
#endif
