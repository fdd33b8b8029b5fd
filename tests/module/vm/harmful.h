/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the image of a program with unwind tables, each part of which can be replaced or
 * damaged: for harmful.c.
 */
#ifndef _HARMFUL_H
#define _HARMFUL_H

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
#define TABLES		0x3000u		/* unless there is more text */
#define IMAGE_MAX	(4u << 20)
#define PAGE		4096u
#define TERABYTE	(1ull << 40)

#define PCREL_SDATA4	0x1b
#define FAR		(300ull << 20)	/* text beyond what has rows */

/* How the stack of a program must end. Whatever has no rule for SPIN shows SPIN alone. */
enum ends {
	WHOLE,		/* it is whole */
	NO_RULE,
	ALONE,		/* it has no tables, and no frame pointer: it has no caller */
	FAULT,
	DEEP,
	OWN,		/* it may be anything: it is the program's own business */
};

static const char *const end_names[] = {
	[WHOLE] = "whole", [NO_RULE] = "no-rule", [ALONE] = "alone", [FAULT] = "fault", [DEEP] = "deep",
	[OWN] = "own",
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
	bool is_signal;			/* a signal frame that leads to itself is at sp */
	uint64_t text_at;		/* the offset of its text, at least START */
	uint32_t text_bytes;
	struct bytes cie;		/* SPIN's, without its length */
	struct bytes fde;		/* SPIN's, without its length and the distance to the CIE */
	struct bytes notes;
	uint32_t entries;		/* of the table, beyond the three of its functions */
	/* how it is run */
	bool is_mapped;
	uint64_t size;			/* of the file, if it is larger than the image */
	void (*during)(int fd, const struct program *program);
	/* the image */
	uint8_t *image;
	uint32_t nr;
	Elf64_Ehdr *head;
	Elf64_Phdr *text, *tables, *hdr, *note, *more;	/* @more: three unused ones */
	uint32_t hdr_at, pairs_at, cie_at, fde_at, middle_fde_at;
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

/* The address of SPIN, when the text is where it is by default. */
#define SPIN_ADDRESS	(BASE + SPIN)

/* The CIE that compilers write. */
static const uint8_t usual_cie[] = {
	0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, PCREL_SDATA4,
	0x0c, 7, 8, 0x90, 1,			/* CFA: sp + 8; the return address there */
};

static void begin(struct program *p)
{
	uint8_t *image = p->image;

	*p = (struct program){ .image = image, .text_at = START, .text_bytes = PAGE };
	memset(image, 0, IMAGE_MAX);
	put(&p->cie, usual_cie, sizeof(usual_cie));
	/* start and size, filled by build() where they are zero; no augmentation */
	PUT(&p->fde, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	put32(&p->notes, 4);
	put32(&p->notes, 4);
	put32(&p->notes, NT_GNU_BUILD_ID);
	put(&p->notes, "GNU\0\xab\xcd\xef\x01", 8);
}

/* Use another CIE for SPIN: its first bytes, then @nr bytes. */
static void cie_is(struct program *p, uint32_t keep, const void *bytes, uint32_t nr)
{
	p->cie.nr = keep;
	put(&p->cie, bytes, nr);
}

#define CIE(p, keep, ...) cie_is(p, keep, (const uint8_t[]){ __VA_ARGS__ }, \
				 sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define FDE(p, ...) PUT(&(p)->fde, __VA_ARGS__)

static void set32(struct program *p, uint32_t at, uint32_t number)
{
	memcpy(p->image + at, &number, 4);
}

/* Append an entry of .eh_frame. Return: where it is. */
static uint32_t entry(struct program *p, const void *bytes, uint32_t nr)
{
	uint32_t at = p->nr;

	if (p->nr + 4 + nr > IMAGE_MAX)
		abort();
	set32(p, at, nr);
	memcpy(p->image + at + 4, bytes, nr);
	p->nr = at + 4 + ((nr + 3) & ~3u);
	return at;
}

static uint32_t entry_fde(struct program *p, uint32_t cie, uint64_t start, uint32_t bytes,
			  const uint8_t *rest, uint32_t nr)
{
	struct bytes fde = { .nr = 0 };
	uint32_t at = p->nr;

	put32(&fde, at + 4 - cie);
	put32(&fde, (uint32_t)(start - (at + 8)));
	put32(&fde, bytes);
	put(&fde, rest, nr);
	return entry(p, fde.at, fde.nr);
}

static void code(struct program *p, uint32_t at, const void *bytes, size_t nr)
{
	memcpy(p->image + at, bytes, nr);
}

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
	code(p, START, start, sizeof(start));
	code(p, MIDDLE, middle, sizeof(middle));
	if (p->is_signal)
		code(p, SPIN, signal, sizeof(signal));
	else
		code(p, SPIN, spin, sizeof(spin));
}

static void build_headers(struct program *p, uint32_t notes_at)
{
	Elf64_Phdr *headers = (void *)(p->image + sizeof(*p->head));

	p->head = (void *)p->image;
	*p->head = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_entry = BASE + START, .e_phoff = sizeof(*p->head),
		.e_ehsize = sizeof(*p->head), .e_phentsize = sizeof(*headers), .e_phnum = 8,
	};
	p->text = headers;
	p->tables = headers + 1;
	p->hdr = headers + 2;
	p->note = headers + 3;
	p->more = headers + 5;
	headers[4] = (Elf64_Phdr){ .p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W };
	*p->text = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE,
		.p_filesz = START + p->text_bytes, .p_memsz = START + p->text_bytes,
		.p_align = PAGE,
	};
	*p->tables = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R, .p_offset = START + p->text_bytes,
		.p_vaddr = BASE + START + p->text_bytes,
		.p_filesz = p->nr - START - p->text_bytes,
		.p_memsz = p->nr - START - p->text_bytes, .p_align = PAGE,
	};
	*p->hdr = (Elf64_Phdr){
		.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_offset = p->hdr_at,
		.p_vaddr = BASE + p->hdr_at, .p_filesz = 12 + 8 * (3 + p->entries),
		.p_memsz = 12 + 8 * (3 + p->entries), .p_align = 4,
	};
	*p->note = (Elf64_Phdr){
		.p_type = PT_NOTE, .p_flags = PF_R, .p_offset = notes_at,
		.p_vaddr = BASE + notes_at, .p_filesz = p->notes.nr, .p_memsz = p->notes.nr,
		.p_align = 4,
	};
}

/* Make the image. */
static void build(struct program *p)
{
	static const uint8_t undefined_ip[] = { 0, 0x07, 16 };
	static const uint8_t moved_sp[] = { 0, 0x44, 0x0e, 32 };
	uint32_t usual, start_fde, notes_at, number;
	struct bytes fde = { .nr = 0 };

	build_text(p);
	p->nr = START + p->text_bytes;
	p->hdr_at = p->nr;
	p->pairs_at = p->hdr_at + 12;
	p->nr += 12 + 8 * (3 + p->entries);
	notes_at = p->nr;
	memcpy(p->image + notes_at, p->notes.at, p->notes.nr);
	p->nr += (p->notes.nr + 3) & ~3u;
	usual = entry(p, usual_cie, sizeof(usual_cie));
	start_fde = entry_fde(p, usual, START, MIDDLE - START, undefined_ip, sizeof(undefined_ip));
	p->middle_fde_at = entry_fde(p, usual, MIDDLE, SPIN - MIDDLE, moved_sp, sizeof(moved_sp));
	p->cie_at = entry(p, p->cie.at, p->cie.nr);
	put32(&fde, p->nr + 4 - p->cie_at);
	put(&fde, p->fde.at, p->fde.nr);
	if (p->fde.nr >= 8 && p->cie.at[12] != 0) {	/* 0: whole addresses, which are there */
		number = SPIN - (p->nr + 8);
		if (!memcmp(p->fde.at, "\0\0\0", 4))
			memcpy(fde.at + 4, &number, 4);
		number = p->text_bytes == PAGE ? SPIN_BYTES : START + p->text_bytes - SPIN;
		if (!memcmp(p->fde.at + 4, "\0\0\0", 4))
			memcpy(fde.at + 8, &number, 4);
	}
	p->fde_at = entry(p, fde.at, fde.nr);
	p->nr += 64;	/* after the last entry */
	build_headers(p, notes_at);
	memcpy(p->image + p->hdr_at, "\1\x1b\3\x3b", 4);
	set32(p, p->hdr_at + 4, usual - (p->hdr_at + 4));
	set32(p, p->hdr_at + 8, 3 + p->entries);
	set32(p, p->pairs_at, START - p->hdr_at);
	set32(p, p->pairs_at + 4, start_fde - p->hdr_at);
	set32(p, p->pairs_at + 8, MIDDLE - p->hdr_at);
	set32(p, p->pairs_at + 12, p->middle_fde_at - p->hdr_at);
	set32(p, p->pairs_at + 16, SPIN - p->hdr_at);
	set32(p, p->pairs_at + 20, p->fde_at - p->hdr_at);
}

/* Set a pair of the table. */
static void pair(struct program *p, uint32_t i, uint32_t text, uint32_t fde)
{
	set32(p, p->pairs_at + 8 * i, text - p->hdr_at);
	set32(p, p->pairs_at + 8 * i + 4, fde - p->hdr_at);
}

#endif /* _HARMFUL_H */
