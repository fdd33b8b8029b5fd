/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the image of a program with unwind tables, each part of which can be replaced or
 * damaged: for harmful.c. Its text is in harmful_x86.h and harmful_arm64.h.
 */
#ifndef _HARMFUL_H
#define _HARMFUL_H

#ifdef __aarch64__
#include "harmful_arm64.h"
#else
#include "harmful_x86.h"
#endif

/* The address of SPIN, when the text is where it is by default. */
#define SPIN_ADDRESS	(BASE + SPIN)

/* The CIE that compilers write. */
static const uint8_t usual_cie[] = {
	0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, RET, 1, PCREL_SDATA4, USUAL_RULES,
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

/* Append an entry of .eh_frame. Return: where it is. */
static uint32_t entry(struct program *p, const void *bytes, uint32_t nr)
{
	uint32_t at = p->nr;

	if (p->nr + 4 + nr > IMAGE_MAX)
		abort();
	memcpy(p->image + at + 4, bytes, nr);
	p->nr = at + 4 + ((nr + 3) & ~3u);
	set32(p, at, p->pads ? p->nr - at - 4 : nr);
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

static void build_headers(struct program *p, uint32_t notes_at)
{
	Elf64_Phdr *headers = (void *)(p->image + sizeof(*p->head));

	p->head = (void *)p->image;
	*p->head = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = MACHINE, .e_version = EV_CURRENT,
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
	static const uint8_t undefined_ip[] = { 0, 0x07, RET };
	static const uint8_t middle[] = { MIDDLE_RULES };
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
	p->frame_at = usual;
	start_fde = entry_fde(p, usual, START, MIDDLE - START, undefined_ip, sizeof(undefined_ip));
	p->middle_fde_at = entry_fde(p, usual, MIDDLE, SPIN - MIDDLE, middle, sizeof(middle));
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

/* Append section headers: of .eh_frame, and of a PLT of no length. */
static void sections(struct program *p)
{
	static const char names[] = "\0.eh_frame\0.plt\0.shstrtab";
	Elf64_Shdr *all;

	p->nr = (p->nr + 7) & ~7u;
	memcpy(p->image + p->nr, names, sizeof(names));
	all = (void *)(p->image + p->nr + 64);
	p->head->e_shoff = p->nr + 64;
	p->head->e_shentsize = sizeof(*all);
	p->head->e_shnum = 4;
	p->head->e_shstrndx = 3;
	p->frame_section = all + 1;
	p->plt_section = all + 2;
	all[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
		.sh_addr = BASE + p->frame_at, .sh_offset = p->frame_at,
		.sh_size = p->nr - 64 - p->frame_at,
	};
	all[2] = (Elf64_Shdr){
		.sh_name = 11, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
	};
	all[3] = (Elf64_Shdr){
		.sh_name = 16, .sh_type = SHT_STRTAB, .sh_offset = p->nr,
		.sh_size = sizeof(names),
	};
	p->nr += 64 + 4 * sizeof(*all);
}

#endif /* _HARMFUL_H */
