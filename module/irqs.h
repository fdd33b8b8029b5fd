/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Detects time with interrupts off.
 *
 * A timer that becomes due while interrupts are off fires as soon as they are on, at
 * the instruction after the one that enabled them. Other late timers hit that
 * instruction only by chance: one that a hypervisor or a deep sleep delayed hits
 * any instruction.
 */
#ifndef _FLAMEMOD_IRQS_H
#define _FLAMEMOD_IRQS_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/types.h>
#if defined(CONFIG_ARM64)
#include <asm/cpufeature.h>
#endif

/* Any timer may be late by less than this: no check is made, at no cost. */
#define FM_IRQS_LATE_NS		2000

/*
 * How many bytes of code before the interrupted instruction are looked at, and
 * whether such code shows on this machine that interrupts were off.
 */
#if defined(CONFIG_ARM64)
#define FM_IRQS_BYTES		4
#define FM_IRQS_ARE_RECOGNISED	(!system_uses_irq_prio_masking())
#else
#define FM_IRQS_BYTES		16
#define FM_IRQS_ARE_RECOGNISED	IS_ENABLED(CONFIG_X86_64)
#endif

struct pt_regs;

#if defined(CONFIG_X86_64)
bool fm_irqs_let_in(const u8 *end);
bool fm_irqs_in_caller(const struct pt_regs *regs, struct pt_regs *caller);
#elif defined(CONFIG_ARM64)
/* Matches msr daifclr, #imm and msr daif, xN. */
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

/**
 * fm_irqs_are_recognised() - check whether time with interrupts off can be detected here.
 *
 * With pseudo-NMIs (irqchip.gicv3_pseudo_nmi=1) arm64 does not mask interrupts, but
 * lowers the priority up to which they are let in, in the interrupt controller. The
 * instruction that does so is patched in at boot, and is not looked for.
 *
 * Context: Any.
 * Return: false if fm_irqs_were_off() is never true on this machine.
 */
static inline bool fm_irqs_are_recognised(void)
{
	return FM_IRQS_ARE_RECOGNISED;
}

#if !defined(CONFIG_X86_64)
static inline bool fm_irqs_in_caller(const struct pt_regs *regs,
				     struct pt_regs *caller)
{
	return false;
}
#endif

#if defined(CONFIG_ARM64)
/*
 * Read one instruction, which is aligned. READ_ONCE() may be a load-acquire here,
 * which faults if unaligned, and READ_ONCE_NOCHECK() only reads longs.
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
 * fm_irqs_were_off() - check whether interrupts were off until an instruction.
 * @address: the interrupted instruction, of kernel mode
 *
 * The text was running, so the code before it in the same page can be read.
 *
 * Context: Any.
 * Return: whether the instruction before it enabled interrupts.
 */
static inline bool fm_irqs_were_off(unsigned long address)
{
	u8 code[FM_IRQS_BYTES] __aligned(sizeof(long));

	/*
	 * EFI runtime code of arm64 runs at low addresses, through the page tables of
	 * user mode. Kernel mode may be unable to read these here.
	 */
	if ((long)address >= 0 || offset_in_page(address) < FM_IRQS_BYTES)
		return false;
	fm_irqs_read(code, address - FM_IRQS_BYTES);
	return fm_irqs_let_in(code + FM_IRQS_BYTES);
}

#endif /* _FLAMEMOD_IRQS_H */
