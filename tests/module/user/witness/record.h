/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the witness saw of one sample: what the walk could read, and what it found.
 */
#ifndef _WITNESS_RECORD_H
#define _WITNESS_RECORD_H

#include <linux/types.h>

#define WITNESS_STACK	65536
#define WITNESS_BELOW	256	/* bytes below sp that are copied, too: the red zone */
#define WITNESS_FRAMES	128

/* Registers, by their DWARF numbers; ip, and pc on arm64, has the one after them. */
#define WITNESS_REGS_X86	16
#define WITNESS_REGS_ARM64	32
#define WITNESS_SP_X86		7
#define WITNESS_SP_ARM64	31

struct witness_frame {
	__u64 ino;		/* 0: the vdso, or a mark */
	__u64 offset;
	__u32 dev;		/* as in struct stat */
	__u32 is_vdso;
};

struct witness_record {
	__u32 pid;
	__u32 side;		/* enum flamemod_user_side */
	__u32 is_copy;		/* the worker has walked it */
	__u32 from_user;
	__u32 nr_frames;	/* the leaf first; without the frame that has a reason */
	__u32 nr_stack;		/* bytes from sp - WITNESS_BELOW on */
	__u32 is_arm64;
	__u32 reserved;
	__u64 regs[WITNESS_REGS_ARM64 + 1];
	struct witness_frame frames[WITNESS_FRAMES];
	__u8 stack[WITNESS_STACK];
};

#endif /* _WITNESS_RECORD_H */
