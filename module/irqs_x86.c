// SPDX-License-Identifier: GPL-2.0
/*
 * Recognises instructions that enable interrupts on x86: see irqs.h.
 *
 * popf enables them at once, sti only after the next instruction, so the length of
 * that instruction must be known. It is a nop if paravirt patched in the sti, else
 * any that the compiler chose. The formats are from the architecture's manual
 * (volume 2, chapter 2 and appendix A): prefixes, opcode, modrm, index,
 * displacement, immediate.
 */
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "irqs.h"

#define FM_X86_POPF	0x9d
#define FM_X86_STI	0xfb
#define FM_X86_CALL	0xe8
#define FM_X86_CALL_BYTES	5

/* What follows an opcode: the bytes of an immediate, plus a flag for a modrm. */
#define FM_X86_MODRM	0x10
#define FM_X86_UNKNOWN	0xff

static u8 fm_x86_operands(u8 opcode)
{
	static const u8 arithmetic[8] = {
		FM_X86_MODRM, FM_X86_MODRM, FM_X86_MODRM, FM_X86_MODRM,
		1, 4, FM_X86_UNKNOWN, FM_X86_UNKNOWN,
	};

	switch (opcode) {
	case 0x00 ... 0x3f:
		return arithmetic[opcode & 7];
	case 0x50 ... 0x5f:			/* push, pop */
	case 0x90 ... 0x99:			/* nop, pause, xchg, cltq, cqto */
		return 0;
	case 0x63:				/* movslq */
	case 0x84 ... 0x8b:			/* test, xchg, mov */
	case 0x8d:				/* lea */
	case 0xd0 ... 0xd3:			/* shifts */
	case 0xfe ... 0xff:			/* inc, dec */
		return FM_X86_MODRM;
	case 0x6b: case 0x80: case 0x83: case 0xc0: case 0xc1: case 0xc6:
		return FM_X86_MODRM | 1;
	case 0x69: case 0x81: case 0xc7:
		return FM_X86_MODRM | 4;
	case 0x70 ... 0x7f:			/* a branch that was not taken */
	case 0xa8: case 0xb0 ... 0xb7:
		return 1;
	case 0xa9: case 0xb8 ... 0xbf:
		return 4;
	default:
		return FM_X86_UNKNOWN;
	}
}

static u8 fm_x86_operands_0f(u8 opcode)
{
	switch (opcode) {
	case 0x0d: case 0x18 ... 0x1f:		/* prefetches, nops */
	case 0x40 ... 0x4f:			/* cmov */
	case 0x90 ... 0x9f:			/* set */
	case 0xa3: case 0xab: case 0xaf: case 0xb3: case 0xb6: case 0xb7:
	case 0xbe: case 0xbf:
		return FM_X86_MODRM;
	case 0x80 ... 0x8f:			/* a branch that was not taken */
		return 4;
	case 0xba:
		return FM_X86_MODRM | 1;
	default:
		return FM_X86_UNKNOWN;
	}
}

/* Return: the bytes of a modrm with its index and displacement. */
static u32 fm_x86_modrm_bytes(const u8 *modrm)
{
	u8 mod = modrm[0] >> 6, rm = modrm[0] & 7;
	bool index = mod != 3 && rm == 4;
	bool no_base = !mod && (index ? (modrm[1] & 7) == 5 : rm == 5);

	return 1 + index + (mod == 1 ? 1 : mod == 2 || no_base ? 4 : 0);
}

static bool fm_x86_is_prefix(u8 byte)
{
	return byte == 0x2e || byte == 0x3e || byte == 0x64 || byte == 0x65 ||
	       byte == 0x66 || byte == 0xf2 || byte == 0xf3;
}

/* Return: the length of an instruction of at most @room bytes, or 0 if unknown. */
static u32 fm_x86_length(const u8 *code, u32 room)
{
	u8 whole[FM_IRQS_BYTES + 8] = {};
	bool narrow = false, wide = false;
	u8 operands;
	u32 n = 0;

	/* Pad with zeros, so that decoding cannot read past the end. */
	memcpy(whole, code, room);
	while (n < 4 && fm_x86_is_prefix(whole[n]))
		narrow |= whole[n++] == 0x66;
	if ((whole[n] & 0xf0) == 0x40)
		wide = whole[n++] & 8;
	if (whole[n] == 0x0f)
		operands = fm_x86_operands_0f(whole[++n]);
	else
		operands = fm_x86_operands(whole[n]);
	if (operands == FM_X86_UNKNOWN ||
	    /* Immediates of two or eight bytes are not supported. */
	    ((operands & 4) && (narrow || (wide && operands == 4 &&
					   (whole[n] & 0xf8) == 0xb8))))
		return 0;
	n++;
	if (operands & FM_X86_MODRM)
		n += fm_x86_modrm_bytes(whole + n);
	return n + (operands & 7);
}

/**
 * fm_irqs_let_in() - check whether code enabled interrupts right here.
 * @end: the end of FM_IRQS_BYTES of code
 *
 * Context: Any; a pure function.
 * Return: true if the code ends in popf, or in sti and one instruction.
 */
bool fm_irqs_let_in(const u8 *end)
{
	u32 length;

	if (end[-1] == FM_X86_POPF)
		return true;
	for (length = 1; length < FM_IRQS_BYTES; length++)
		if (end[-(int)length - 1] == FM_X86_STI &&
		    fm_x86_length(end - length, length) == length)
			return true;
	return false;
}

/**
 * fm_irqs_in_caller() - check whether this function was called right after sti.
 * @regs: the interrupted registers, of kernel mode
 * @caller: set to the registers before the call, if the function was called so
 *
 * If the instruction after sti is a call, the interrupt hits the first instruction
 * of the called function. That function has not run yet, so the time was the
 * caller's.
 *
 * Context: Any.
 * Return: whether interrupts were off until that call.
 */
bool fm_irqs_in_caller(const struct pt_regs *regs, struct pt_regs *caller)
{
	unsigned long back;
	u8 code[8];
	s32 distance;

	/* The first function on a stack has no caller to read. */
	if (get_kernel_nofault(back, (unsigned long *)regs->sp))
		return false;
	distance = regs->ip - back;
	/* The word may not be a return address, so read what it points to with care. */
	if (back + (long)distance != regs->ip ||
	    copy_from_kernel_nofault(code, (void *)(back - sizeof(code)),
				     sizeof(code)))
		return false;
	if (code[2] != FM_X86_STI || code[3] != FM_X86_CALL ||
	    memcmp(code + 4, &distance, sizeof(distance)))
		return false;
	*caller = *regs;
	caller->ip = back - FM_X86_CALL_BYTES;
	caller->sp += sizeof(back);
	return true;
}
