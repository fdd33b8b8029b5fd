/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What harmful.c knows of a program, and where things are in its file.
 */
#ifndef _HARMFUL_IMAGE_H
#define _HARMFUL_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BASE		0x400000ull	/* the address of the file's start */
#define START		0x2000u		/* offsets in the file */
#define MIDDLE		0x2040u
#define SPIN		0x2080u
#define SPIN_BYTES	0x40u
#define LOOP		0x2800u	/* of a frame that is in text */
#define TABLES		0x3000u		/* unless there is more text */
#define IMAGE_MAX	(4u << 20)
#define PAGE		4096u
#define TERABYTE	(1ull << 40)

#define PCREL_SDATA4	0x1b
#define OFFSET(column)	(0x80 | (column))	/* DW_CFA_offset */
#define BREG(column)	(0x70 + (column))	/* DW_OP_breg0 and later ones */
/* A CFA and a return address as SPIN has them. */
#define USUAL_RULES	0x0c, SP, CFA_AT, OFFSET(RET), 1
#define FAR		(300ull << 20)	/* text beyond what has rows */

/* How the stack of a program must end. Whatever has no rule for SPIN shows SPIN alone. */
enum ends {
	WHOLE,		/* it is whole */
	NO_RULE,
	NO_RULE_ABOVE,	/* MIDDLE has none */
	ALONE,		/* it has no tables, and no frame pointer: it has no caller */
	FAULT,
	DEEP,
	OWN,		/* it may be anything: it is the program's own business */
};

static const char *const end_names[] = {
	[WHOLE] = "whole", [NO_RULE] = "no-rule", [NO_RULE_ABOVE] = "no-rule-above",
	[ALONE] = "alone", [FAULT] = "fault", [DEEP] = "deep", [OWN] = "own",
};

struct bytes {
	uint8_t at[70000];
	uint32_t nr;
};

/* The current program's file. */
static char path[4096];

/* A program, before build() makes its image, and after that. */
struct program {
	/* what build() puts into it */
	uint64_t bp;			/* in bp while it spins */
	uint64_t sp;			/* 0: as it is */
	bool is_signal;			/* a signal frame that leads to itself is at sp: x86 */
	uint8_t tag;			/* of its stack's addresses: arm64 */
	uint64_t text_at;		/* the offset of its text, at least START */
	uint32_t text_bytes;
	struct bytes cie;		/* SPIN's, without its length */
	struct bytes fde;		/* SPIN's, without its length and the distance to the CIE */
	struct bytes notes;
	bool pads;			/* entries end where the next one begins */
	uint32_t entries;		/* of the table, beyond the three of its functions */
	/* how it is run */
	bool is_mapped;
	uint64_t size;			/* of the file, if it is larger than the image */
	uint32_t times_as_long;		/* it runs, if not 0, as the module reads much of it */
	void (*during)(int fd, const struct program *program);
	/* the image */
	uint8_t *image;
	uint32_t nr;
	Elf64_Ehdr *head;
	Elf64_Phdr *text, *tables, *hdr, *note, *more;	/* @more: three unused ones */
	Elf64_Shdr *frame_section, *plt_section;	/* of sections() */
	uint32_t hdr_at, pairs_at, frame_at, cie_at, fde_at, middle_fde_at;
};

static void put(struct bytes *to, const void *bytes, uint32_t nr)
{
	if (nr > sizeof(to->at) - to->nr)
		abort();
	memcpy(to->at + to->nr, bytes, nr);
	to->nr += nr;
}

#define PUT(to, ...) put(to, (const uint8_t[]){ __VA_ARGS__ }, \
			 sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void put_many(struct bytes *to, uint8_t byte, uint32_t nr)
{
	while (nr--)
		put(to, &byte, 1);
}

static void put32(struct bytes *to, uint32_t number) { put(to, &number, 4); }
static void put64(struct bytes *to, uint64_t number) { put(to, &number, 8); }

static void set32(struct program *p, uint32_t at, uint32_t number)
{
	memcpy(p->image + at, &number, 4);
}

#endif /* _HARMFUL_IMAGE_H */
