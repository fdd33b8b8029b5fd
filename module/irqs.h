/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time with interrupts off.
 *
 * A timer that comes due while interrupts are off comes as soon as they are on,
 * and hits the instruction behind the one that let it in. Nothing else hits
 * that one but by chance: a timer that a hypervisor or a deep sleep held up hits
 * any instruction.
 */
#ifndef _FLAMEMOD_IRQS_H
#define _FLAMEMOD_IRQS_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/types.h>

/* By less than that any timer is late: it is not looked at, and costs nothing. */
#define FM_IRQS_LATE_NS		2000

/* As much code before an instruction as may tell. */
#if defined(CONFIG_ARM64)
#define FM_IRQS_BYTES		4
#else
#define FM_IRQS_BYTES		16
#endif

struct pt_regs;

#if defined(CONFIG_X86_64)
bool fm_irqs_let_in(const u8 *end);
bool fm_irqs_in_caller(const struct pt_regs *regs, struct pt_regs *caller);
#elif defined(CONFIG_ARM64)
/* msr daifclr, #imm; msr daif, xN */
static inline bool fm_irqs_let_in(const u8 *end)
{
	u32 code = *((const u32 *)end - 1);

	return (code & 0xfffff0ff) == 0xd50340ff ||
	       (code & 0xffffffe0) == 0xd51b4220;
}
#else
static inline bool fm_irqs_let_in(const u8 *end)
{
	return false;
}
#endif

#if !defined(CONFIG_X86_64)
static inline bool fm_irqs_in_caller(const struct pt_regs *regs,
				     struct pt_regs *caller)
{
	return false;
}
#endif

#if defined(CONFIG_ARM64)
/*
 * One instruction, which is aligned. READ_ONCE() may be a load-acquire there, which
 * faults where it is not; and READ_ONCE_NOCHECK() reads longs only.
 */
static inline void fm_irqs_read(u8 *code, unsigned long from)
{
	*(u32 *)code = READ_ONCE(*(const u32 *)from);
}
#else
static inline void fm_irqs_read(u8 *code, unsigned long from)
{
	const unsigned long *before = (const unsigned long *)from;
	u32 i;

	for (i = 0; i < FM_IRQS_BYTES / sizeof(long); i++)
		((unsigned long *)code)[i] = READ_ONCE_NOCHECK(before[i]);
}
#endif

/**
 * fm_irqs_were_off() - did the kernel hold the timer up?
 * @address: the interrupted instruction, of kernel mode
 *
 * It is text that runs, so that what is before it in its page can be read.
 *
 * Context: Any.
 * Return: whether the instruction before it let interrupts in.
 */
static inline bool fm_irqs_were_off(unsigned long address)
{
	u8 code[FM_IRQS_BYTES] __aligned(sizeof(long));

	if (offset_in_page(address) < FM_IRQS_BYTES)
		return false;
	fm_irqs_read(code, address - FM_IRQS_BYTES);
	return fm_irqs_let_in(code + FM_IRQS_BYTES);
}

#endif /* _FLAMEMOD_IRQS_H */
