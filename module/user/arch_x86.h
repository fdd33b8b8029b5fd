/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What user stacks need of x86-64: see arch.h.
 */
#ifndef _FLAMEMOD_USER_ARCH_X86_H
#define _FLAMEMOD_USER_ARCH_X86_H

#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/tlbflush.h>
#include <asm/vdso.h>

#define FM_ARCH_USER_STACKS	1
#define FM_ARCH_COUNTS_FLUSHES	1
#define FM_ARCH_HAS_LINK	0
#define FM_ARCH_MACHINE		fm_machine_x86

#define FM_ARCH_SIGNAL_BP	FM_SIGNAL_BP
#define FM_ARCH_SIGNAL_BX	FM_SIGNAL_BX
#define FM_ARCH_SIGNAL_SP	FM_SIGNAL_SP
#define FM_ARCH_SIGNAL_IP	FM_SIGNAL_IP

static inline u64 fm_arch_space(const struct mm_struct *mm)
{
	return mm->context.ctx_id;
}

static inline u64 fm_arch_flushes(const struct mm_struct *mm)
{
	return atomic64_read(&mm->context.tlb_gen);
}

static inline bool fm_arch_is_loaded(void)
{
	return __va(read_cr3_pa()) == current->mm->pgd;
}

static inline bool fm_arch_is_compat(const struct pt_regs *regs)
{
	return !user_64bit_mode((struct pt_regs *)regs);
}

static __always_inline unsigned long fm_arch_untag(unsigned long address)
{
	return address;
}

static __always_inline unsigned long fm_arch_return(unsigned long address)
{
	return address;
}

static __always_inline struct fm_user_regs fm_arch_registers(const struct pt_regs *regs)
{
	return (struct fm_user_regs){
		.ip = regs->ip,
		.sp = regs->sp,
		.bp = regs->bp,
		.bx = regs->bx,
	};
}

static inline struct fm_vdso fm_arch_vdso_of(const struct vdso_image *image)
{
	struct fm_vdso vdso = { };

	if (image) {
		vdso.image = image->data;
		vdso.bytes = image->size;
	}
	return vdso;
}

static inline struct fm_vdso fm_arch_vdso(const struct vm_area_struct *vma)
{
	const struct mm_struct *mm = vma->vm_mm;

	/* What a process has mapped there instead, without a file, has no operations. */
	return fm_arch_vdso_of(vma->vm_ops && vma->vm_start == (unsigned long)mm->context.vdso ?
			       mm->context.vdso_image : NULL);
}

static inline struct fm_vdso fm_arch_vdso_page(const struct mm_struct *mm,
					       unsigned long address, unsigned long pfn)
{
	const struct vdso_image *image = READ_ONCE(mm->context.vdso_image);
	unsigned long offset = address - (unsigned long)READ_ONCE(mm->context.vdso);

	return fm_arch_vdso_of(image && offset < image->size &&
			       PHYS_PFN(__pa(image->data + offset)) == pfn ? image : NULL);
}

/* Return: whether an entry that is present leads to another table. */
static inline bool fm_arch_pud_is_table(pud_t pud)
{
	return !pud_leaf(pud);
}

static inline bool fm_arch_pmd_is_table(pmd_t pmd)
{
	return !pmd_leaf(pmd);
}

static inline bool fm_arch_pte_is_text(pte_t pte)
{
	return pte_exec(pte);
}

static inline bool fm_arch_pmd_is_text(pmd_t pmd)
{
	return !(pmd_flags(pmd) & _PAGE_NX);
}

/*
 * Read a word of the current task's memory, between fm_user_begin() and its end, at
 * that part of the address which is in @mask: a mispredicted branch could load from any
 * address.
 * Return: false if that is not possible now.
 */
static __always_inline bool fm_user_word(unsigned long at, unsigned long mask,
					 unsigned long *value)
{
	at &= mask;
	unsafe_get_user(*value, (const unsigned long __user *)at, fault);
	return true;
fault:
	return false;
}

/* Return: the address at which no word of user memory can be any more. */
static __always_inline unsigned long fm_user_limit(void)
{
	unsigned long limit = TASK_SIZE_MAX - sizeof(unsigned long);

	/* Kernels up to 5.10 would compare with a 64-bit constant, which x86 cannot do. */
	OPTIMIZER_HIDE_VAR(limit);
	return limit;
}

/*
 * Allow words of user memory to be read; fm_user_word() checks each address.
 * Return: whether that is so.
 */
static __always_inline bool fm_user_begin(void)
{
	return user_access_begin((const void __user *)PAGE_SIZE, sizeof(unsigned long));
}

static __always_inline void fm_user_end(void)
{
	user_access_end();
}

/*
 * In Go, a thread starts in "call f; ret" and int3 after that; its frame pointer is that
 * of the thread that created it. No other function is like that, because a caller has to
 * align the stack.
 */
#define FM_ARCH_CALL_BYTES	5	/* the code is looked at so far before the return address */

static inline bool fm_arch_is_thread_start(unsigned long code)
{
	return (u8)code == 0xe8 && code >> 40 == 0xccccc3;
}

#endif /* _FLAMEMOD_USER_ARCH_X86_H */
