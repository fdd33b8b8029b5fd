/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before each unit under test. Replaces functions of the kernel by ones
 * that a test can control. They do the usual until a test changes them.
 */
#ifndef _FM_REDIRECT_H
#define _FM_REDIRECT_H

/* What units define, before a header of the kernel does it. */
#ifndef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#endif

#include <linux/bug.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/hrtimer.h>
#include <linux/jhash.h>
#include <linux/kallsyms.h>
#include <linux/kmemleak.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/sched/isolation.h>
#include <linux/sched/mm.h>
#include <linux/security.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>

#include "allocations.h"
#include "unwinder.h"

/* References to a struct mm_struct: the kernel's own count has those of idle CPUs, too. */
extern int fm_nr_mms;
#define mmgrab(mm)			(fm_nr_mms++, mmgrab(mm))
#define mmdrop(mm)			(fm_nr_mms--, mmdrop(mm))

/* Allocations. */
#undef kzalloc
#undef kzalloc_node
#undef kcalloc
#undef kmalloc
#undef kmemdup
#undef vzalloc_node
#undef kvzalloc
#undef kvcalloc
#undef kvmalloc
#undef kasprintf
#define kvzalloc(bytes, flags)		fm_allocations_zeroed(bytes)
#define kvcalloc(nr, bytes, flags)	fm_allocations_zeroed((nr) * (bytes))
#define kvmalloc(bytes, flags)		fm_allocations_dirty(bytes)
#define kzalloc(bytes, flags)		((void)(flags), fm_allocations_zeroed(bytes))
#define kzalloc_node(bytes, flags, node)	fm_allocations_zeroed(bytes)
#define kcalloc(nr, bytes, flags)	fm_allocations_zeroed((nr) * (bytes))
#define kmalloc(bytes, flags)		fm_allocations_dirty(bytes)
#define kmemdup(from, bytes, flags)	fm_allocations_copy(from, bytes)
#define vzalloc_node(bytes, node)	fm_allocations_zeroed(bytes)
#define kasprintf(flags, ...)		fm_allocations_printf(__VA_ARGS__)
#undef alloc_pages_exact
#undef free_pages_exact
#define alloc_pages_exact(bytes, flags)	fm_allocations_pages(bytes, flags)
#define free_pages_exact(p, bytes)	fm_allocations_free_pages(p, bytes)
#undef kfree
#undef kvfree
#undef vfree
#define kfree(p)			fm_allocations_free(p)
#define kvfree(p)			fm_allocations_free(p)
#define vfree(p)			fm_allocations_free(p)
#ifndef alloc_workqueue
#define alloc_workqueue(...) \
	(fm_allocations_refuse() ? NULL : (alloc_workqueue)(__VA_ARGS__))
#endif
#define genlmsg_new(bytes, flags) \
	(fm_allocations_refuse() ? NULL : (genlmsg_new)(bytes, flags))

/* Pages that kmemleak was told of, which it knows of no others. */
extern int fm_nr_leaks_known;
#define kmemleak_alloc(p, bytes, min_count, flags)	((void)(p), fm_nr_leaks_known++)
#define kmemleak_free(p)		((void)(p), fm_nr_leaks_known--)

/* Make all hashes the same, to see whether whole keys are compared. */
extern bool fm_hashes_collide;

static inline u32 fm_hash(u32 hash)
{
	return fm_hashes_collide ? 0 : hash;
}

/* The last slot, so that searches continue at the first. */
static inline u32 fm_hash_32(u32 value, unsigned int bits)
{
	return fm_hashes_collide ? BIT(bits) - 1 : hash_32(value, bits);
}

#undef hash_32
#define hash_32(value, bits)		fm_hash_32(value, bits)
#define jhash(key, bytes, seed)		fm_hash((jhash)(key, bytes, seed))
#define jhash2(key, nr, seed)		fm_hash((jhash2)(key, nr, seed))
#define jhash_2words(a, b, seed)	fm_hash((jhash_2words)(a, b, seed))
#define hsiphash(data, bytes, key)	fm_hash((hsiphash)(data, bytes, key))
#define jhash_3words(a, b, c, seed)	fm_hash((jhash_3words)(a, b, c, seed))
#define hsiphash_3u32(a, b, c, key)	fm_hash((hsiphash_3u32)(a, b, c, key))

/* The clock. */
extern u64 (*fm_clock)(void);
u64 fm_real_clock(void);
#define ktime_get_ns()			fm_clock()
#define ktime_get_mono_fast_ns()	fm_clock()
#define local_clock()			fm_clock()

/* The resolution of the timers' clock, if a test sets one. */
extern unsigned int fm_resolution;
#define hrtimer_resolution		(fm_resolution ?: hrtimer_resolution)

/* The CPUs that are online, if a test sets them. */
extern const struct cpumask *fm_online;
#undef for_each_online_cpu
#define for_each_online_cpu(cpu)	for_each_cpu(cpu, fm_online ?: cpu_online_mask)

/* This CPU goes offline, if a test says so. */
extern bool fm_goes_offline;
#undef cpu_active
#define cpu_active(cpu)	(!fm_goes_offline && cpumask_test_cpu(cpu, cpu_active_mask))

/* The CPUs that do the kernel's work, if a test sets them. */
extern const struct cpumask *fm_housekeeping;
#define housekeeping_cpumask(type) \
	(fm_housekeeping ?: (housekeeping_cpumask)(type))

/* Tests give a sampler the numbers of CPUs that cannot exist: these use CPU 0's data. */
static inline unsigned int fm_possible_cpu(unsigned int cpu)
{
	return cpu < nr_cpu_ids && cpu_possible(cpu) ? cpu : 0;
}

#undef per_cpu
#define per_cpu(var, cpu)		(*per_cpu_ptr(&(var), fm_possible_cpu(cpu)))

/* A broken invariant, which would be an error in the kernel's log. */
extern unsigned int fm_nr_errors;
#undef pr_err
#define pr_err(format, ...) ({						\
	no_printk(KERN_ERR format, ##__VA_ARGS__);			\
	fm_nr_errors++;							\
})

/* Waits end at once. */
extern unsigned int fm_nr_waits;
extern void (*fm_at_sleep)(void);	/* called then; or NULL */
#define msleep(ms)	((void)(ms), fm_at_sleep ? fm_at_sleep() : (void)0, fm_nr_waits++)
#define usleep_range(min_us, max_us)	(fm_nr_waits++)

/* Places where another task may run. */
extern unsigned int fm_nr_resched;
void fm_resched(void);
#undef cond_resched
#define cond_resched()			fm_resched()

/* What others do between two loads whose order matters; or NULL. */
extern void (*fm_at_rmb)(void);

static inline void fm_smp_rmb(void)
{
	/* Of whichever unit it is. */
	smp_rmb();
	if (fm_at_rmb)
		fm_at_rmb();
}

#undef smp_rmb
/* The barrier is in there. */
#define smp_rmb()	fm_smp_rmb()

/* Names of addresses. */
extern int (*fm_symbol_printer)(char *buffer, unsigned long address);
int fm_real_symbol(char *buffer, unsigned long address);
#define sprint_symbol(buffer, address) \
	fm_symbol_printer(buffer, address)

/* The unwinder. */
#if FM_STACK_HAS_REGS
#define unwind_start(state, task, regs, first_frame) \
	fm_unwind_start(state, task, regs, first_frame)
#define unwind_next_frame(state)	fm_unwind_next(state)
#endif

#endif /* _FM_REDIRECT_H */
