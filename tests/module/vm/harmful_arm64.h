/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs of harmful.c on arm64: their text, and what only these do.
 */
#ifndef _HARMFUL_ARM64_H
#define _HARMFUL_ARM64_H

#include "harmful_image.h"

#define MACHINE		EM_AARCH64
#define OTHER_MACHINE	EM_X86_64

/* Columns of unwind tables. */
#define SP		31
#define BP		29
#define RET		30

#define CFA_AT		16	/* SPIN's CFA, from sp; its return address is at CFA - 8 */
/*
 * MIDDLE's return address is in the register first; after 4 bytes the CFA is sp + 32, and
 * what it saves is at sp. There is room for another rule.
 */
#define MIDDLE_RULES	0, 0x0e, 0, 0x08, RET, 0x44, 0x0e, 32, OFFSET(RET), 3, OFFSET(BP), 4, 0, 0
#define MIDDLE_RETURN	8	/* where these have the return address's rule */
#define MIDDLE_MORE	12	/* and where that room is */
/* The return address is too far away for a row. */
#define RETURN_ELSEWHERE OFFSET(RET), 0x82, 1

#define USER_END	0x1000000000000ull	/* no address of a process is this or more */
#define KERNEL_TEXT	0xffff800008000000ull
#define KERNEL_MAPPING	0xffff000000000000ull
#define HOLE		0x0080000000000000ull	/* neither a process's nor the kernel's */

#define PLT_ENDS	NO_RULE	/* no table says how a PLT is */
#define SIGNED_ENDS	WHOLE	/* return addresses may have signatures */

#define MOV_X9_SP	0x910003e9u
#define MOV_SP_X9	0x9100013fu
#define ORR_X9_X9_X10	0xaa0a0129u
#define SUB_X29_SP_32	0xd10083fdu
#define STP_32		0xa9be7bfdu	/* stp x29, x30, [sp, #-32]! */
#define STP_16		0xa9bf7bfdu	/* stp x29, x30, [sp, #-16]! */
#define ADD_X0		0x91000400u	/* add x0, x0, #1 */
#define BL		0x94000000u
#define B		0x14000000u

/* Append an instruction to text. */
static void instruction(struct program *p, uint32_t *at, uint32_t code)
{
	set32(p, *at, code);
	*at += 4;
}

static void branch(struct program *p, uint32_t *at, uint32_t code, uint32_t to)
{
	instruction(p, at, code | ((to - *at) / 4 & 0x3ffffff));
}

/* movz and movk: set register @x to a number. */
static void set_register(struct program *p, uint32_t *at, uint32_t x, uint64_t number)
{
	for (uint32_t part = 0; part < 4; part++)
		instruction(p, at, (part ? 0xf2800000u : 0xd2800000u) | part << 21 |
			    (uint32_t)(number >> 16 * part & 0xffff) << 5 | x);
}

static void build_start(struct program *p)
{
	uint32_t at = START;

	set_register(p, &at, 29, p->bp);
	if (p->sp) {
		set_register(p, &at, 9, p->sp);
		instruction(p, &at, MOV_SP_X9);
		branch(p, &at, B, SPIN + 4);
		return;
	}
	if (p->tag) {		/* x29 is where MIDDLE saves it */
		set_register(p, &at, 10, (uint64_t)p->tag << 56);
		instruction(p, &at, MOV_X9_SP);
		instruction(p, &at, ORR_X9_X9_X10);
		instruction(p, &at, MOV_SP_X9);
		instruction(p, &at, SUB_X29_SP_32);
	}
	branch(p, &at, BL, MIDDLE);
}

static void build_text(struct program *p)
{
	uint32_t at;

	build_start(p);
	at = MIDDLE;
	instruction(p, &at, STP_32);
	branch(p, &at, BL, SPIN);
	at = SPIN;
	instruction(p, &at, STP_16);
	instruction(p, &at, ADD_X0);
	branch(p, &at, B, SPIN + 4);
}

/* Say that a PLT is in the text from @at on. */
static void plt(struct program *p, uint64_t at, uint64_t bytes)
{
	p->plt_section->sh_addr = BASE + at;
	p->plt_section->sh_size = bytes;
}

/* Where MIDDLE's rules are: after the entry's length, CIE, start and size. */
#define MIDDLE_RULE(p, i) ((p)->image + (p)->middle_fde_at + 16 + (i))

#define MACHINE_PROGRAMS \
	X(sp-tagged, WHOLE, p->tag = 0x5a; FDE(p, OFFSET(BP), 2); BUILD; \
	  memcpy(MIDDLE_RULE(p, MIDDLE_MORE), "\x0d\x1d", 2)) \
	X(link-live, WHOLE, FDE(p, 0x08, RET); BUILD) \
	X(link-called, NO_RULE_ABOVE, BUILD; memset(MIDDLE_RULE(p, MIDDLE_RETURN), 0, 2)) \
	X(link-no-frame, NO_RULE, FDE(p, 0x08, RET, 0x13, 1); BUILD) \
	X(plt-spin, OWN, BUILD; set32(p, p->fde_at, 0); sections(p); plt(p, SPIN, SPIN_BYTES)) \
	X(plt-covered, WHOLE, BUILD; sections(p); plt(p, SPIN, SPIN_BYTES)) \
	X(plt-long, WHOLE, BUILD; sections(p); plt(p, SPIN, 1ull << 40)) \
	X(plt-wraps, WHOLE, BUILD; sections(p); plt(p, SPIN, -8ull)) \
	X(plt-elsewhere, WHOLE, BUILD; sections(p); plt(p, -BASE, 64)) \
	X(plt-no-head, WHOLE, BUILD; sections(p); plt(p, START + PAGE - 16, 16))

#endif /* _HARMFUL_ARM64_H */
