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
#define FM_IRQS_BYTES		16

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
	unsigned long code[FM_IRQS_BYTES / sizeof(long)];
	const unsigned long *before = (void *)(address - FM_IRQS_BYTES);
	u32 i;

	if (offset_in_page(address) < FM_IRQS_BYTES)
		return false;
	for (i = 0; i < ARRAY_SIZE(code); i++)
		code[i] = READ_ONCE_NOCHECK(before[i]);
	return fm_irqs_let_in((u8 *)code + FM_IRQS_BYTES);
}

#endif /* _FLAMEMOD_IRQS_H */
