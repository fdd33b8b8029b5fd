/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers that perf gives with a hit of a tracepoint.
 *
 * They are few: where the function goes on that hit the tracepoint, and the frame of the
 * function of perf that it called (perf_fetch_caller_regs()). Other sources of hits, such
 * as a fault or a probe, give all that the CPU had.
 */
#ifndef _FLAMEMOD_CALLER_REGS_H
#define _FLAMEMOD_CALLER_REGS_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/types.h>

/*
 * Set the registers that the caller of a function has when that one returns to @ip, by the
 * function's frame: the caller's frame pointer, then, on x86, the return address. Others
 * stay as they are.
 */
static inline void fm_caller_regs_of(struct pt_regs *caller, const unsigned long *frame,
				     unsigned long ip)
{
#if defined(CONFIG_X86_64)
	caller->ip = ip;
	caller->cs = __KERNEL_CS;
	caller->sp = (unsigned long)(frame + 2);
	caller->bp = READ_ONCE_NOCHECK(frame[0]);
#elif defined(CONFIG_ARM64)
	caller->pc = ip;
	caller->pstate = PSR_MODE_EL1h;
	caller->sp = (unsigned long)frame;
	caller->regs[29] = READ_ONCE_NOCHECK(frame[0]);
#endif
}

/*
 * The registers of who called the function that this is in, which is not inlined. Asking for
 * the frame's address makes the compiler set up a frame pointer, and thus such a frame.
 */
#define fm_caller_regs_here(caller) \
	fm_caller_regs_of(caller, __builtin_frame_address(0), _RET_IP_)

/**
 * fm_caller_regs() - make the caller's registers out of those of perf.
 * @caller: set to the registers at the place to which the tracepoint returns
 * @regs: what perf gives with a hit of a tracepoint, of kernel mode
 *
 * On x86 perf's function begins with "push %rbp; mov %rsp,%rbp", as it asks for its
 * frame's address, and sp is that address: the caller's bp is there, then the return
 * address, and the caller's stack above both. Its flags are 0, which no CPU's are.
 *
 * On arm64 x29 is the record of perf's function, and the caller's is what it points to.
 * Its pstate has the mode alone. A CPU's may be the same, so do not pass registers of other
 * sources.
 *
 * Context: Any, with the stack that @regs are on in use.
 * Return: false if @regs are those of a CPU, so that they are to be used as they are.
 */
static inline bool fm_caller_regs(struct pt_regs *caller, const struct pt_regs *regs)
{
#if defined(CONFIG_X86_64)
	if (regs->flags)
		return false;
	fm_caller_regs_of(caller, (const unsigned long *)regs->sp, regs->ip);
	return true;
#elif defined(CONFIG_ARM64)
	if (regs->pstate != PSR_MODE_EL1h)
		return false;
	fm_caller_regs_of(caller, (const unsigned long *)regs->regs[29], regs->pc);
	caller->sp = regs->sp;
	return true;
#else
	*caller = *regs;
	return true;
#endif
}

#endif /* _FLAMEMOD_CALLER_REGS_H */
