/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the timer interrupted.
 */
#ifndef _FLAMEMOD_CONTEXT_H
#define _FLAMEMOD_CONTEXT_H

#include "../common/uapi/flamemod.h"

struct pt_regs;

enum flamemod_context fm_context_get(struct pt_regs *regs);
enum flamemod_context fm_context_of(unsigned long preempt, bool serving_softirq,
				    bool user, bool idle);

#endif /* _FLAMEMOD_CONTEXT_H */
