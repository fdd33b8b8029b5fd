/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Provides today's kernel API on older kernels.
 *
 * The code uses the newest API. What a kernel has is found by compiling a probe
 * (compat/probe.sh), not from its version, since distributions backport
 * changes.
 */
#ifndef _FLAMEMOD_COMPAT_H
#define _FLAMEMOD_COMPAT_H

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/blkdev.h>
#include <linux/irq_work.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "features.h"

/* "hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()", in v6.13 */
#ifndef FM_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* "genetlink: use attrs from struct genl_info", in v6.6 */
#ifdef FM_HAVE_GENL_INFO_DUMP
static inline struct nlattr **fm_compat_dump_attrs(struct netlink_callback *cb)
{
	return genl_info_dump(cb)->attrs;
}
#else
static inline struct nlattr **fm_compat_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->attrs;
}
#endif

/* "copy_process: pass clone_flags as u64 across calltree", in v6.18 */
#ifdef FM_HAVE_NEWTASK_U64
#define fm_compat_clone_flags	u64
#else
#define fm_compat_clone_flags	unsigned long
#endif

/* "sched/isolation: Use single feature type while referring to housekeeping cpumask", in v5.18 */
#ifndef FM_HAVE_HK_TYPE
#define HK_TYPE_DOMAIN		HK_FLAG_DOMAIN
#define HK_TYPE_TICK		HK_FLAG_TICK
#endif

/* "sched: Change task_struct::state", in v5.14 */
#ifdef FM_HAVE_TASK_STATE
#define fm_compat_task_state(task)	READ_ONCE((task)->__state)
#else
#define fm_compat_task_state(task)	((unsigned int)READ_ONCE((task)->state))
#endif

#ifdef CONFIG_SMP
#define fm_compat_on_cpu(task)		READ_ONCE((task)->on_cpu)
/* Pairs with the scheduler's release: what was written on that CPU before is seen. */
#define fm_compat_left_cpu(task)	(!smp_load_acquire(&(task)->on_cpu))
#else
#define fm_compat_on_cpu(task)		((task) == current)
#define fm_compat_left_cpu(task)	((task) != current)
#endif

/* "sched/fair: Implement delayed dequeue", in v6.12: on a queue, but blocked until woken */
#ifdef FM_HAVE_SCHED_DELAYED
#define fm_compat_is_delayed(task)	((task)->se.sched_delayed)
#else
#define fm_compat_is_delayed(task)	false
#endif

/* "sched/tracing: Append prev_state to tp args instead", in v5.19 */
#if defined(CONFIG_TRACEPOINTS) && defined(FM_HAVE_SWITCH_STATE)
#define FM_HAVE_SCHED_SWITCH	1
#define fm_compat_switched	struct task_struct *next, unsigned int prev_state
#define fm_compat_switched_state	prev_state
#elif defined(CONFIG_TRACEPOINTS) && defined(FM_HAVE_SWITCH_PLAIN)
#define FM_HAVE_SCHED_SWITCH	1
#define fm_compat_switched	struct task_struct *next
#define fm_compat_switched_state	fm_compat_task_state(prev)
#endif

/* The same since "sched: Introduce the 'trace_sched_waking' tracepoint", in v4.2 */
#if defined(CONFIG_TRACEPOINTS) && defined(FM_HAVE_WAKING)
#define FM_HAVE_SCHED_WAKING	1
#endif

/* "sched/wakeup: Introduce the TASK_RTLOCK_WAIT state bit", in v5.15 */
#ifdef TASK_RTLOCK_WAIT
#define FM_COMPAT_RTLOCK_WAIT	TASK_RTLOCK_WAIT
#else
#define FM_COMPAT_RTLOCK_WAIT	0
#endif

/* "fork: Make IO worker options flag based", in v6.4: workers of vhost have the flag, too */
#ifdef PF_USER_WORKER
#define FM_COMPAT_NO_USER_MODE	(PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#else
#define FM_COMPAT_NO_USER_MODE	(PF_KTHREAD | PF_IO_WORKER)
#endif

/* "kprobes: Remove kretprobe hash", in v5.11 */
#ifdef FM_HAVE_GET_KRETPROBE
#define fm_compat_kretprobe(instance)	get_kretprobe(instance)
#else
#define fm_compat_kretprobe(instance)	((instance)->rp)
#endif

/* "kprobes: Add kretprobe_find_ret_addr() for searching return address", in v5.15 */
#ifdef FM_HAVE_KRETPROBE_FIND
#define fm_compat_return_address(instance, regs)	instruction_pointer(regs)
#else
#define fm_compat_return_address(instance, regs)	((unsigned long)(instance)->ret_addr)
#endif

/* "fs: add ctime accessors infrastructure", in v6.6 */
#ifdef FM_HAVE_INODE_CTIME
#define fm_compat_ctime(inode)	inode_get_ctime(inode)
#else
#define fm_compat_ctime(inode)	((inode)->i_ctime)
#endif

#ifdef FM_HAVE_IN_EXECVE
#define fm_compat_in_exec(task)	((task)->in_execve)
#else
#define fm_compat_in_exec(task)	false
#endif

/*
 * "IB/core: Fix a nested dead lock as part of ODP flow", in v6.0 and some stable kernels, lets
 * modules use mmput_async(). Without it the last one to use a process's memory frees it.
 */
#ifdef FM_HAVE_MMPUT_ASYNC
#define fm_compat_mmput(mm)	mmput_async(mm)
#else
#define fm_compat_mmput(mm)	mmput(mm)
#endif

/*
 * "tick/sched: Unify idle cputime accounting", in v7.2: idle time has the time of interrupts
 * in it unless the kernel measures that as well, and no exported symbol tells whether it
 * does. A CPU that stops being idle updates its account, too, not its tick alone.
 */
#ifdef FM_HAVE_IDLE_DYNTICK
#define FM_COMPAT_IDLE_DYNTICK	true
#else
#define FM_COMPAT_IDLE_DYNTICK	false
#endif

/*
 * Before "mm: remove rb tree", in v6.1, find_vma() also wrote a cache of the task's,
 * which an interrupt may not do: it may have interrupted code that is writing it.
 */
#ifdef FM_HAVE_VMA_RB
static inline struct vm_area_struct *fm_compat_find_vma(struct mm_struct *mm,
							unsigned long address)
{
	struct rb_node *node = mm->mm_rb.rb_node;
	struct vm_area_struct *vma, *found = NULL;

	while (node) {
		vma = rb_entry(node, struct vm_area_struct, vm_rb);
		if (vma->vm_end > address) {
			found = vma;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}
#else
#define fm_compat_find_vma	find_vma
#endif

/*
 * Initialise a work that runs in hard interrupt context on PREEMPT_RT, too.
 * "irq_work: Optimize irq_work_single()", in v5.11; Debian's 5.10 has no PREEMPT_RT here.
 */
#ifdef IRQ_WORK_INIT_HARD
#define fm_compat_init_hard_irq_work(work, func) \
	(*(work) = IRQ_WORK_INIT_HARD(func))
#else
#define fm_compat_init_hard_irq_work	init_irq_work
#endif

/*
 * fm_compat_alloc_bytes() - the memory that kmalloc() takes for so many bytes, and kvmalloc()
 * at most. "slab: Introduce kmalloc_size_roundup()", in v6.1 and v6.2
 */
#ifdef FM_HAVE_KMALLOC_ROUNDUP
#define fm_compat_alloc_bytes(bytes)	kmalloc_size_roundup(bytes)
#else
static inline size_t fm_compat_alloc_bytes(size_t bytes)
{
	/* 96 and 192 bytes take no more than that. */
	return bytes ? max_t(size_t, roundup_pow_of_two(bytes), KMALLOC_MIN_SIZE) : 0;
}
#endif

/* "fs: Add read_folio", in v5.19 */
#ifdef FM_HAVE_READ_FOLIO
#define fm_compat_reads_pages(mapping)	((mapping)->a_ops->read_folio)
#else
#define fm_compat_reads_pages(mapping)	((mapping)->a_ops->readpage)
#endif

/*
 * fm_compat_page_of() - find what a page is a part of. @index is set to its place in
 * that, in pages. "mm: Introduce struct folio", in v5.16
 */
#ifdef FM_HAVE_FOLIO
static inline struct address_space *fm_compat_page_of(struct page *page, u64 *index)
{
	struct folio *folio = page_folio(page);

	*index = folio->index + (page_to_pfn(page) - page_to_pfn(&folio->page));
	return READ_ONCE(folio->mapping);
}
#else
static inline struct address_space *fm_compat_page_of(struct page *page, u64 *index)
{
	struct page *head = compound_head(page);

	*index = head->index + (page_to_pfn(page) - page_to_pfn(head));
	return READ_ONCE(head->mapping);
}
#endif

/*
 * Keep the blocks of a file from being given back while a page of it is read. "mm: Protect
 * operations adding pages to page cache with invalidate_lock", in v5.15. Before that no lock
 * of all file systems did so, and read() did not take any either.
 */
#ifdef FM_HAVE_INVALIDATE_LOCK
#define fm_compat_lock_pages	filemap_invalidate_lock_shared
#define fm_compat_trylock_pages	filemap_invalidate_trylock_shared
#define fm_compat_unlock_pages	filemap_invalidate_unlock_shared
#else
static inline void fm_compat_lock_pages(struct address_space *mapping)
{
}

static inline bool fm_compat_trylock_pages(struct address_space *mapping)
{
	return true;
}

static inline void fm_compat_unlock_pages(struct address_space *mapping)
{
}
#endif

/*
 * fm_compat_disk() - tell the disk of a file system from those that had its number before.
 * "block: add disk sequence number", in v5.15. Return: 0 if it has none.
 */
#ifdef FM_HAVE_DISKSEQ
static inline u32 fm_compat_disk(const struct super_block *sb)
{
	return sb->s_bdev ? lower_32_bits(sb->s_bdev->bd_disk->diskseq) : 0;
}
#else
static inline u32 fm_compat_disk(const struct super_block *sb)
{
	return 0;
}
#endif

/*
 * fm_compat_user_path() - get the path that a process has opened. Of a mapping of a file on
 * overlayfs, f_path is that in a layer since "fs: store real path instead of fake path in backing
 * file f_path", in v6.7.
 */
#ifdef FM_HAVE_FILE_USER_PATH
#define fm_compat_user_path	file_user_path
#else
static inline const struct path *fm_compat_user_path(const struct file *file)
{
	return &file->f_path;
}
#endif

/*
 * fm_compat_cached_page() - get a page of a file, with a reference, if it is in memory.
 * "mm/filemap: Add filemap_get_folio", in v5.16; NULL or an error without one since v6.4
 */
#ifdef FM_HAVE_FOLIO
static inline struct page *fm_compat_cached_page(struct address_space *mapping,
						 pgoff_t index)
{
	struct folio *folio = filemap_get_folio(mapping, index);

	if (IS_ERR_OR_NULL(folio))
		return NULL;
	if (folio_test_uptodate(folio))
		return folio_file_page(folio, index);
	folio_put(folio);
	return NULL;
}
#else
static inline struct page *fm_compat_cached_page(struct address_space *mapping,
						 pgoff_t index)
{
	struct page *page = find_get_page(mapping, index);

	if (!page || PageUptodate(page))
		return page;
	put_page(page);
	return NULL;
}
#endif

#endif /* _FLAMEMOD_COMPAT_H */
