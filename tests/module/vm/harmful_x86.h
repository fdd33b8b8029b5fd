/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs of harmful.c on x86-64: their text, and what only these do.
 */
#ifndef _HARMFUL_X86_H
#define _HARMFUL_X86_H

#include "harmful_image.h"

#define MACHINE		EM_X86_64
#define OTHER_MACHINE	EM_AARCH64

/* Columns of unwind tables. */
#define SP		7
#define BP		6
#define BX		3
#define RET		16

#define CFA_AT		8	/* SPIN's CFA, from sp; its return address is at CFA - 8 */
#define MIDDLE_RULES	0, 0x44, 0x0e, 32	/* after 4 bytes, the CFA is sp + 32 */
/* The return address is at a place that is not a caller's. */
#define RETURN_ELSEWHERE OFFSET(RET), 2

#define USER_END	0x7ffffffff000ull	/* no address of a process is this or more */
#define KERNEL_TEXT	0xffffffff81000000ull
#define KERNEL_MAPPING	0xffff888000000000ull
#define HOLE		0x8000000000000000ull	/* neither a process's nor the kernel's */

#define PLT_ENDS	WHOLE	/* tables say in an expression how a PLT is */
#define SIGNED_ENDS	NO_RULE	/* return addresses have no signatures */

static void build_text(struct program *p)
{
	/* mov $bp, %rbp; call MIDDLE */
	uint8_t start[64] = { 0x48, 0xbd };
	const uint8_t call[] = { 0xe8, MIDDLE - START - 15, 0, 0, 0, 0x0f, 0x0b };
	/* sub $24, %rsp; call SPIN; ud2 */
	const uint8_t middle[] = { 0x48, 0x83, 0xec, 24, 0xe8, SPIN - MIDDLE - 9, 0, 0, 0,
				   0x0f, 0x0b };
	/* inc %rax; jmp -5 */
	const uint8_t spin[] = { 0x48, 0xff, 0xc0, 0xeb, 0xfb };
	/*
	 * sub $512, %rsp; lea 16(%rip), %rax; mov %rax, 168(%rsp); mov %rsp, 160(%rsp);
	 * then what rax points to: inc %rbx; jmp -5
	 */
	const uint8_t signal[] = {
		0x48, 0x81, 0xec, 0, 2, 0, 0,
		0x48, 0x8d, 0x05, 0x10, 0, 0, 0,
		0x48, 0x89, 0x84, 0x24, 0xa8, 0, 0, 0,
		0x48, 0x89, 0xa4, 0x24, 0xa0, 0, 0, 0,
		0x48, 0xff, 0xc3, 0xeb, 0xfb,
	};
	/* mov $sp, %rsp; jmp SPIN */
	uint8_t with_sp[15] = { 0x48, 0xbc };
	const uint32_t distance = SPIN - START - 25;

	memcpy(start + 2, &p->bp, 8);
	if (p->sp) {
		memcpy(with_sp + 2, &p->sp, 8);
		with_sp[10] = 0xe9;
		memcpy(with_sp + 11, &distance, 4);
		memcpy(start + 10, with_sp, sizeof(with_sp));
	} else {
		memcpy(start + 10, call, sizeof(call));
	}
	memcpy(p->image + START, start, sizeof(start));
	memcpy(p->image + MIDDLE, middle, sizeof(middle));
	if (p->is_signal)
		memcpy(p->image + SPIN, signal, sizeof(signal));
	else
		memcpy(p->image + SPIN, spin, sizeof(spin));
}

/* The rules of glibc's return from a signal handler, with the kernel's signal frame at sp. */
#define SIGNAL_RULES \
	0x0f, 4, BREG(SP), 0xa0, 1, 6, 0x10, RET, 3, BREG(SP), 0xa8, 1, \
	0x10, BP, 3, BREG(SP), 0xf8, 0, 0x10, BX, 3, BREG(SP), 0x80, 1

#define SIGNAL_CIE	'z', 'R', 'S', 0, 1, 0x78, RET, 1, PCREL_SDATA4

#define MACHINE_PROGRAMS \
	X(bx-low, NO_RULE, FDE(p, 0x0c, BX, 16); BUILD) \
	X(signal-deep, DEEP, p->is_signal = true; CIE(p, 5, SIGNAL_CIE, SIGNAL_RULES); BUILD) \
	X(signal-high, FAULT, p->sp = KERNEL_TEXT; CIE(p, 5, SIGNAL_CIE, SIGNAL_RULES); BUILD) \
	X(signal-part, NO_RULE, p->is_signal = true; CIE(p, 5, SIGNAL_CIE, SIGNAL_RULES, \
	  0x08, BX); BUILD)

#endif /* _HARMFUL_X86_H */
