/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What user stacks need of arm64: see arch.h.
 */
#ifndef _FLAMEMOD_USER_ARCH_ARM64_H
#define _FLAMEMOD_USER_ARCH_ARM64_H

#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>

#define FM_ARCH_USER_STACKS	1
#define FM_ARCH_COUNTS_FLUSHES	0
#define FM_ARCH_HAS_LINK	1
#define FM_ARCH_MACHINE		fm_machine_arm64

/* Where the kernel's struct rt_sigframe has what it interrupted; 312 is x0's place. */
#define FM_ARCH_SIGNAL_BP	(312 + 8 * 29)
#define FM_ARCH_SIGNAL_BX	(312 + 8 * 30)	/* of the link register */
#define FM_ARCH_SIGNAL_SP	(312 + 8 * 31)
#define FM_ARCH_SIGNAL_IP	(312 + 8 * 32)

/*
 * An address space identifier is given to one process at a time, and the bits above it
 * count how often all of them were taken back.
 */
static inline u64 fm_arch_space(const struct mm_struct *mm)
{
	return atomic64_read(&mm->context.id);
}

/* Nothing counts them. */
static inline u64 fm_arch_flushes(const struct mm_struct *mm)
{
	return 0;
}

/* What is in the register for the table of user memory, or will be while it is read. */
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
static inline u64 fm_arch_table(void)
{
	return system_uses_ttbr0_pan() ? READ_ONCE(current_thread_info()->ttbr0) :
					 read_sysreg(ttbr0_el1);
}
#else
static inline u64 fm_arch_table(void)
{
	return read_sysreg(ttbr0_el1);
}
#endif

static inline bool fm_arch_is_loaded(void)
{
	u64 table = phys_to_ttbr(virt_to_phys(current->mm->pgd));

	/* Besides the address it has the memory's identifier and a mark. */
	return !((fm_arch_table() ^ table) & ~(GENMASK_ULL(63, 48) | BIT_ULL(0)));
}

static inline bool fm_arch_is_compat(const struct pt_regs *regs)
{
	return compat_user_mode(regs);
}

/* Return: an address without its tag: the highest byte, which user memory ignores. */
static inline unsigned long fm_arch_untag(unsigned long address)
{
	return untagged_addr(address);
}

static inline unsigned long fm_arch_return(unsigned long address)
{
	return fm_without_signature(address, TASK_SIZE_MAX);
}

static inline struct fm_user_regs fm_arch_registers(const struct pt_regs *regs)
{
	return (struct fm_user_regs){
		.ip = regs->pc,
		.sp = fm_arch_untag(regs->sp),
		.bp = fm_arch_untag(regs->regs[29]),
		.lr = regs->regs[30],
	};
}

/* In arch_arm64.c. */
struct fm_vdso fm_arch_vdso(const struct vm_area_struct *vma);
struct fm_vdso fm_arch_vdso_page(const struct mm_struct *mm, unsigned long address,
				 unsigned long pfn);

/*
 * Return: whether an entry that is present leads to another table. Without "arm64: mm: fix
 * p?d_leaf()", in v5.19, a huge page with PROT_NONE is no leaf, though it is present.
 */
static inline bool fm_arch_pud_is_table(pud_t pud)
{
	return pud_table(pud);
}

static inline bool fm_arch_pmd_is_table(pmd_t pmd)
{
	return pmd_table(pmd);
}

static inline bool fm_arch_pte_is_text(pte_t pte)
{
	return !(pte_val(pte) & PTE_UXN);
}

static inline bool fm_arch_pmd_is_text(pmd_t pmd)
{
	return fm_arch_pte_is_text(pmd_pte(pmd));
}

static inline unsigned long fm_user_limit(void)
{
	return TASK_SIZE_MAX - sizeof(unsigned long);
}

/* The kernel's own loads of user memory need nothing before and after them. */
static inline bool fm_user_begin(void)
{
	return true;
}

static inline void fm_user_end(void)
{
}

static inline bool fm_user_word(unsigned long at, unsigned long mask, unsigned long *value)
{
	at &= mask;
	return !__get_user(*value, (const unsigned long __user *)at);
}

/*
 * In Go, a thread starts in "bl f", and "mov x0, #0; mov x8, #93" after that, which ends
 * the thread; its frame pointer is that of the thread that created it.
 */
#define FM_ARCH_CALL_BYTES	0	/* the code is looked at from the return address on */

static inline bool fm_arch_is_thread_start(unsigned long code)
{
	return code == 0xd2800ba8d2800000;
}

#endif /* _FLAMEMOD_USER_ARCH_ARM64_H */
