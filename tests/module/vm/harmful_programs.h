/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs that harmful.c runs.
 */
#ifndef _HARMFUL_PROGRAMS_H
#define _HARMFUL_PROGRAMS_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harmful.h"

/*
 * X(name, ends, statements): the statements set up the program @p, build its image by
 * BUILD, and then damage that. @ends is how its stack must end.
 */
#define BUILD	build(p)
/* As BUILD, with sections instead of a table that is sorted. */
#define BUILD_SECTIONS	p->pads = true; BUILD; sections(p); p->hdr->p_type = PT_NULL
#define PROGRAMS \
	X(good, WHOLE, BUILD) \
	X(good-mapped, WHOLE, BUILD; p->is_mapped = true) \
	X(tables-apart, WHOLE, p->text_bytes = 1 << 20; BUILD) \
	/* elf.c: the file's head */ \
	X(magic, ALONE, BUILD; p->head->e_ident[0] = '#'; p->is_mapped = true) \
	X(class-32, ALONE, BUILD; p->head->e_ident[EI_CLASS] = ELFCLASS32) \
	X(big-endian, ALONE, BUILD; p->head->e_ident[EI_DATA] = ELFDATA2MSB) \
	X(type-rel, ALONE, BUILD; p->head->e_type = ET_REL; p->is_mapped = true) \
	X(machine, ALONE, BUILD; p->head->e_machine = OTHER_MACHINE; p->is_mapped = true) \
	X(phentsize, ALONE, BUILD; p->head->e_phentsize = 32; p->is_mapped = true) \
	X(phoff-past, ALONE, BUILD; p->head->e_phoff = 1 << 30; p->is_mapped = true) \
	X(phoff-far, ALONE, BUILD; p->head->e_phoff = 1ull << 63; p->is_mapped = true) \
	X(phoff-wraps, ALONE, BUILD; p->head->e_phoff = -20ull; p->is_mapped = true) \
	X(phnum-65535, WHOLE, BUILD; p->head->e_phnum = 65535; p->is_mapped = true) \
	X(phnum-0, ALONE, BUILD; p->head->e_phnum = 0; p->is_mapped = true) \
	X(phnum-73, ALONE, BUILD; p->head->e_phnum = 73; p->text[72] = *p->text; \
	  p->text->p_type = PT_NULL) \
	X(entry-wraps, WHOLE, BUILD; p->head->e_entry = -1ull; p->is_mapped = true) \
	X(empty, ALONE, BUILD; memset(p->head, 0, START); p->is_mapped = true) \
	/* elf.c: segments */ \
	X(loads-9, ALONE, BUILD; nine_loads(p)) \
	X(load-wraps, NO_RULE, BUILD; p->text->p_offset = -PAGE; p->is_mapped = true) \
	X(load-huge, ALONE, BUILD; p->text->p_filesz = -1ull; p->text->p_offset = 1; \
	  p->is_mapped = true) \
	X(vaddr-wraps, NO_RULE, BUILD; p->text->p_vaddr = -PAGE; p->is_mapped = true) \
	X(load-empty, ALONE, BUILD; p->text->p_filesz = 0; p->is_mapped = true) \
	X(text-elsewhere, NO_RULE, BUILD; p->text->p_vaddr = 0; p->is_mapped = true) \
	X(loads-same, WHOLE, BUILD; p->more[0] = *p->text; p->more[0].p_vaddr = 0x10000000) \
	X(tables-past, NO_RULE, BUILD; p->tables->p_filesz = p->tables->p_memsz = 1 << 24; \
	  p->hdr->p_vaddr = p->tables->p_vaddr + (1 << 20)) \
	/* elf.c: where the index is */ \
	X(no-hdr, ALONE, BUILD; p->hdr->p_type = PT_NULL) \
	X(hdr-zero, ALONE, BUILD; p->hdr->p_vaddr = 0) \
	X(hdr-outside, NO_RULE, BUILD; p->hdr->p_vaddr = 0x10) \
	X(hdr-kernel, NO_RULE, BUILD; p->hdr->p_vaddr = KERNEL_TEXT) \
	X(hdr-tail, NO_RULE, BUILD; \
	  p->hdr->p_vaddr = p->tables->p_vaddr + p->tables->p_filesz - 8) \
	X(hdr-short, ALONE, BUILD; p->hdr->p_memsz = 11) \
	X(hdr-no-pair, NO_RULE, BUILD; p->hdr->p_memsz = 12) \
	X(hdr-twice, ALONE, BUILD; p->more[0] = *p->hdr; p->more[0].p_vaddr += 64) \
	/* elf.c: notes */ \
	X(note-past-end, ALONE, BUILD; p->note->p_offset = 1 << 30) \
	X(note-far, ALONE, BUILD; p->note->p_offset = -8ull) \
	X(note-huge, WHOLE, BUILD; p->note->p_filesz = -1ull) \
	X(note-name-huge, WHOLE, p->notes.nr = 0; put32(&p->notes, -1u); put32(&p->notes, 4); \
	  put32(&p->notes, NT_GNU_BUILD_ID); BUILD) \
	X(note-id-huge, WHOLE, p->notes.nr = 0; put32(&p->notes, 4); put32(&p->notes, -1u); \
	  put32(&p->notes, NT_GNU_BUILD_ID); put(&p->notes, "GNU", 4); BUILD) \
	X(note-id-long, WHOLE, p->notes.nr = 0; put32(&p->notes, 4); put32(&p->notes, 21); \
	  put32(&p->notes, NT_GNU_BUILD_ID); put(&p->notes, "GNU", 4); \
	  put_many(&p->notes, 0xee, 24); BUILD) \
	X(note-id-empty, WHOLE, p->notes.nr = 0; put32(&p->notes, 4); put32(&p->notes, 0); \
	  put32(&p->notes, NT_GNU_BUILD_ID); put(&p->notes, "GNU", 4); BUILD) \
	X(notes-many, WHOLE, p->notes.nr = 0; put_many(&p->notes, 0, 8192); BUILD) \
	/* cfi.c: the index */ \
	X(hdr-version, ALONE, BUILD; p->image[p->hdr_at] = 2) \
	X(hdr-enc-frame, ALONE, BUILD; p->image[p->hdr_at + 1] = 0) \
	X(hdr-enc-count, ALONE, BUILD; p->image[p->hdr_at + 2] = 0xff) \
	X(hdr-enc-table, ALONE, BUILD; p->image[p->hdr_at + 3] = 0x3c) \
	X(count-huge, WHOLE, BUILD; set32(p, p->hdr_at + 8, -1u)) \
	X(count-past, NO_RULE, BUILD; set32(p, p->hdr_at + 8, -1u); p->hdr->p_memsz = -1ull) \
	X(count-0, NO_RULE, BUILD; set32(p, p->hdr_at + 8, 0)) \
	X(table-down, OWN, BUILD; pair(p, 0, SPIN, p->fde_at); \
	  set32(p, p->pairs_at + 16, START - p->hdr_at)) \
	X(table-same, WHOLE, p->entries = 3000; BUILD; same_pairs(p)) \
	X(table-far, NO_RULE, BUILD; pair(p, 2, SPIN, 0x7fffffff)) \
	X(table-before, NO_RULE, BUILD; pair(p, 2, SPIN, 0x80000000u)) \
	/* cfi.c: entries */ \
	X(fde-elsewhere, NO_RULE, BUILD; pair(p, 2, SPIN + 4, p->fde_at)) \
	X(fde-length-0, NO_RULE, BUILD; set32(p, p->fde_at, 0)) \
	X(fde-length-3, NO_RULE, BUILD; set32(p, p->fde_at, 3)) \
	X(fde-length-4, NO_RULE, BUILD; set32(p, p->fde_at, 4)) \
	X(fde-long, NO_RULE, BUILD; set32(p, p->fde_at, 65537)) \
	X(fde-longest, NO_RULE, BUILD; set32(p, p->fde_at, 65536)) \
	X(fde-64-bit, NO_RULE, BUILD; set32(p, p->fde_at, -1u)) \
	X(fde-is-cie, NO_RULE, BUILD; set32(p, p->fde_at + 4, 0)) \
	X(cie-is-itself, NO_RULE, BUILD; set32(p, p->fde_at + 4, 4)) \
	X(cie-is-fde, NO_RULE, BUILD; set32(p, p->fde_at + 4, p->fde_at + 4 - p->middle_fde_at)) \
	X(cie-past, NO_RULE, BUILD; set32(p, p->fde_at + 4, 0x80000000u)) \
	X(cie-loop, NO_RULE, BUILD; set32(p, p->cie_at + 4, p->cie_at + 4 - p->fde_at)) \
	X(cie-in-fde, OWN, BUILD; set32(p, p->fde_at + 4, 1)) \
	X(cie-at-0, NO_RULE, p->cie.at[12] = 0; p->fde.nr = 0; put64(&p->fde, SPIN_ADDRESS); \
	  put64(&p->fde, SPIN_BYTES); put(&p->fde, "\x86\2", 2); BUILD; \
	  pair(p, 0, SPIN, p->fde_at); set32(p, p->hdr_at + 8, 1); \
	  set32(p, p->fde_at + 4, BASE + p->fde_at + 4)) \
	X(fde-empty, NO_RULE, BUILD; set32(p, p->fde_at + 12, 0)) \
	X(fde-huge, WHOLE, BUILD; set32(p, p->fde_at + 12, 0x7fffffff)) \
	X(fde-negative, NO_RULE, BUILD; set32(p, p->fde_at + 12, -8u)) \
	X(fde-augmented, NO_RULE, p->fde.nr = 8; FDE(p, 0x7f); BUILD) \
	X(fde-leb, NO_RULE, p->fde.nr = 8; put_many(&p->fde, 0x80, 512); BUILD; \
	  set32(p, p->fde_at, 4 + 8 + 512)) \
	X(fde-cut, NO_RULE, p->fde.nr = 8; BUILD) \
	X(fde-short, NO_RULE, p->fde.nr = 6; BUILD) \
	X(fdes-overlap, OWN, BUILD; pair(p, 0, START, p->fde_at); overlap(p)) \
	/* cfi.c: CIEs */ \
	X(cie-version-2, NO_RULE, BUILD; p->image[p->cie_at + 8] = 2) \
	X(cie-version-4, NO_RULE, BUILD; p->image[p->cie_at + 8] = 4) \
	X(cie-letters, NO_RULE, CIE(p, 5, 'z', 'R'); put_many(&p->cie, 'R', 3000); BUILD) \
	X(cie-unknown, NO_RULE, CIE(p, 5, 'z', 'X', 0, 1, 0x78, RET, 1, PCREL_SDATA4); BUILD) \
	X(cie-eh, NO_RULE, CIE(p, 5, 'e', 'h', 0, 1, 0x78, RET, 1, PCREL_SDATA4); BUILD) \
	X(cie-y, NO_RULE, CIE(p, 5, 'y', 'R', 0, 1, 0x78, RET, 1, PCREL_SDATA4, USUAL_RULES); BUILD) \
	X(cie-plain, NO_RULE, CIE(p, 5, 0, 1, 0x78, RET, USUAL_RULES); BUILD) \
	X(cie-length, NO_RULE, CIE(p, 5, 'z', 'R', 0, 1, 0x78, RET, 200, PCREL_SDATA4); BUILD) \
	X(cie-length-64, NO_RULE, CIE(p, 5, 'z', 'R', 0, 1, 0x78, RET, 0xff, 0xff, 0xff, 0xff, \
	  0xff, 0xff, 0xff, 0xff, 0xff, 1, PCREL_SDATA4); BUILD) \
	X(cie-data-short, NO_RULE, CIE(p, 5, 'z', 'P', 'L', 'R', 0, 1, 0x78, RET, 1, 0); BUILD) \
	X(cie-pointer, NO_RULE, CIE(p, 5, 'z', 'P', 'R', 0, 1, 0x78, RET, 6, 0x0d, 0, 0, 0, 0, \
	  PCREL_SDATA4); BUILD) \
	X(cie-align-leb, NO_RULE, CIE(p, 5, 'z', 'R', 0); put_many(&p->cie, 0xff, 4000); BUILD) \
	X(cie-column, NO_RULE, CIE(p, 5, 'z', 'R', 0, 1, 0x78, RET + 1, 1, PCREL_SDATA4, \
	  USUAL_RULES); BUILD) \
	X(cie-256, WHOLE, put_many(&p->cie, 0, 251); BUILD) \
	X(cie-257, NO_RULE, put_many(&p->cie, 0, 252); BUILD) \
	X(cie-60000, NO_RULE, put_many(&p->cie, 0, 60000); BUILD) \
	X(cie-signed, SIGNED_ENDS, CIE(p, 5, 'z', 'R', 'B', 'G', 0, 1, 0x78, RET, 1, \
	  PCREL_SDATA4, USUAL_RULES); BUILD) \
	X(enc-omitted, NO_RULE, p->cie.at[12] = 0xff; BUILD) \
	X(enc-aligned, NO_RULE, p->cie.at[12] = 0x50; BUILD) \
	X(enc-indirect, NO_RULE, p->cie.at[12] = 0x9b; BUILD) \
	X(enc-leb, NO_RULE, p->cie.at[12] = 0x11; BUILD) \
	X(enc-wraps, NO_RULE, p->cie.at[12] = 0; p->fde.nr = 0; put64(&p->fde, SPIN_ADDRESS); \
	  put64(&p->fde, -8ull); FDE(p, 0); BUILD) \
	X(enc-8, WHOLE, p->cie.at[12] = 0; p->fde.nr = 0; put64(&p->fde, SPIN_ADDRESS); \
	  put64(&p->fde, 64); FDE(p, 0); BUILD) \
	/* cfi_run.c */ \
	X(init-advances, NO_RULE, PUT(&p->cie, 0x41); BUILD) \
	X(init-cut, NO_RULE, PUT(&p->cie, 0x0c, SP); BUILD) \
	X(init-unknown, NO_RULE, PUT(&p->cie, 0x3f); BUILD) \
	X(op-unknown, NO_RULE, FDE(p, 0x3f); BUILD) \
	X(op-mips, NO_RULE, FDE(p, 0x1d, 0, 0, 0, 0, 0, 0, 0, 0); BUILD) \
	X(op-signed, SIGNED_ENDS, FDE(p, 0x2d); BUILD) \
	X(keep-8, WHOLE, put_many(&p->fde, 0x0a, 8); BUILD) \
	X(keep-9, NO_RULE, put_many(&p->fde, 0x0a, 9); BUILD) \
	X(keep-60000, NO_RULE, put_many(&p->fde, 0x0a, 60000); BUILD) \
	X(restore-none, NO_RULE, FDE(p, 0x0b); BUILD) \
	X(loc-back, NO_RULE, FDE(p, 0x01, 0, 0xe0, 0xff, 0xff); BUILD) \
	X(loc-cut, NO_RULE, FDE(p, 0x01, 0); BUILD; set32(p, p->fde_at, 4 + 9 + 2)) \
	X(advance-cut, NO_RULE, FDE(p, 0x04, 0xff, 0xff, 0xff); BUILD) \
	X(advance-wraps, NO_RULE, CIE(p, 5, 'z', 'R', 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
	  0xff, 0xff, 0xff, 1, 0x78, RET, 1, PCREL_SDATA4, USUAL_RULES); \
	  FDE(p, 0x42); BUILD) \
	X(cfa-leb-end, NO_RULE, FDE(p, 0x0c); put_many(&p->fde, 0xff, 30000); BUILD) \
	X(cfa-leb-long, WHOLE, FDE(p, 0x0e, 0x80 | CFA_AT); put_many(&p->fde, 0x80, 60000); FDE(p, 0); \
	  BUILD) \
	X(cfa-odd, NO_RULE, FDE(p, 0x0e, 9); BUILD) \
	X(cfa-huge, NO_RULE, FDE(p, 0x0e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40); \
	  BUILD) \
	X(cfa-low, NO_RULE, FDE(p, 0x13, 0xc0, 0xb8, 0x02); BUILD) \
	X(cfa-column, NO_RULE, FDE(p, 0x0d, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
	  0xff, 1); BUILD) \
	X(cfa-sf-min, NO_RULE, CIE(p, 5, 'z', 'R', 0, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, \
	  0x80, 0x80, 0x80, 0x7f, RET, 1, PCREL_SDATA4, 0x12, SP, 0x7f, OFFSET(RET), 1); BUILD) \
	X(expr-past, NO_RULE, FDE(p, 0x0f, 0x7f, BREG(SP), 8); BUILD) \
	X(expr-huge, NO_RULE, FDE(p, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
	  1, BREG(SP), 8); BUILD) \
	X(expr-empty, NO_RULE, FDE(p, 0x0f, 0); BUILD) \
	X(expr-long, NO_RULE, FDE(p, 0x0f, 0xe0, 0xd4, 0x03); put_many(&p->fde, 0x96, 60000); \
	  BUILD) \
	X(expr-leb, NO_RULE, FDE(p, 0x0f, 3, BREG(SP), 0x80, 0x80); BUILD) \
	X(expr-offset, NO_RULE, FDE(p, 0x0f, 3, BREG(BP), 0, 6, 0x0e, 8); BUILD) \
	X(expr-plt, PLT_ENDS, FDE(p, 0x0f, 11, BREG(SP), 8, BREG(RET), 0, 0x3f, 0x1a, 0x3f, 0x2a, 0x33, \
	  0x24, 0x22); BUILD) \
	X(expr-plt-cut, NO_RULE, FDE(p, 0x0f, 10, BREG(SP), 8, BREG(RET), 0, 0x3f, 0x1a, 0x3b, 0x2a, \
	  0x33, 0x24); BUILD) \
	X(expr-plt-more, NO_RULE, FDE(p, 0x0f, 12, BREG(SP), 8, BREG(RET), 0, 0x3f, 0x1a, 0x3f, 0x2a, \
	  0x33, 0x24, 0x22, 0x96); BUILD) \
	X(expr-load-more, NO_RULE, FDE(p, 0x0f, 4, BREG(BP), 0, 6, 0x96); BUILD) \
	X(expr-sp-more, NO_RULE, FDE(p, 0x0f, 6, BREG(SP), 0, 6, 0x23, 8, 0x96); BUILD) \
	X(rule-expr-past, NO_RULE, FDE(p, 0x10, BP, 0x40, BREG(BP)); BUILD) \
	X(rule-column, WHOLE, FDE(p, 0x05, 0xff, 0xff, 0xff, 0xff, 0x0f, 9); BUILD) \
	X(bp-far, WHOLE, FDE(p, OFFSET(BP), 0x82, 1); BUILD) \
	X(bp-huge, WHOLE, FDE(p, 0x2f, BP, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
	  1); BUILD) \
	X(bp-odd, WHOLE, CIE(p, 5, 'z', 'R', 0, 1, 0x7c, RET, 1, PCREL_SDATA4, 0x0c, SP, \
	  CFA_AT, OFFSET(RET), 2); FDE(p, OFFSET(BP), 3); BUILD) \
	X(return-by-bp, NO_RULE, FDE(p, 0x10, RET, 2, BREG(BP), 0x78); BUILD) \
	X(return-lost, NO_RULE, FDE(p, 0x09, RET, 3); BUILD) \
	X(return-other, NO_RULE, FDE(p, RETURN_ELSEWHERE); BUILD) \
	X(base-far, NO_RULE, FDE(p, 0x0e, 0x90, 0x50, OFFSET(RET), 0xc8, 1); BUILD) \
	X(rows-many, NO_RULE, many_rows(p); BUILD) \
	X(reads-many, NO_RULE, p->entries = 1000; BUILD; many_reads(p)) \
	/* elf.c: sections, of a program without an index */ \
	X(index-made, WHOLE, BUILD_SECTIONS) \
	X(index-not-data, ALONE, BUILD_SECTIONS; \
	  p->frame_section->sh_type = SHT_NOBITS) \
	X(names-past, ALONE, BUILD_SECTIONS; \
	  p->frame_section->sh_name = -8u) \
	X(sections-wrap, ALONE, BUILD_SECTIONS; \
	  p->head->e_shoff = -64ull) \
	X(sections-65535, ALONE, BUILD_SECTIONS; \
	  p->frame_section->sh_flags = 0; p->head->e_shnum = 65535) \
	X(sections-short, ALONE, BUILD_SECTIONS; \
	  p->head->e_shentsize = 32) \
	X(names-none, ALONE, BUILD_SECTIONS; \
	  p->head->e_shstrndx = 65535) \
	/* cfi_index.c */ \
	X(index-wraps, ALONE, BUILD_SECTIONS; \
	  p->frame_section->sh_size = -8ull) \
	X(index-past, ALONE, BUILD_SECTIONS; \
	  p->frame_section->sh_addr = 0x10) \
	X(index-long, ALONE, BUILD_SECTIONS; \
	  set32(p, p->fde_at, 0x7fffffff)) \
	X(index-64-bit, ALONE, BUILD_SECTIONS; \
	  set32(p, p->fde_at, -1u)) \
	X(index-empty, ALONE, BUILD_SECTIONS; \
	  p->frame_section->sh_size = 0) \
	X(index-far, NO_RULE, p->cie.at[12] = 0; p->fde.nr = 0; put64(&p->fde, TERABYTE); \
	  put64(&p->fde, 64); FDE(p, 0); BUILD_SECTIONS) \
	X(index-damaged, NO_RULE, BUILD_SECTIONS; \
	  p->image[p->cie_at + 8] = 2) \
	X(index-many, ALONE, p->times_as_long = 4; p->pads = true; BUILD; many_functions(p); \
	  sections(p); p->hdr->p_type = PT_NULL) \
	/* compile.c: what is too large */ \
	X(text-huge, WHOLE, BUILD; p->size = 2 * TERABYTE; \
	  p->text->p_filesz = p->text->p_memsz = TERABYTE; p->tables->p_type = PT_NULL) \
	X(text-far, NO_RULE, BUILD; far_text(p)) \
	X(hdr-huge, WHOLE, BUILD; p->size = TERABYTE; set32(p, p->hdr_at + 8, -1u); \
	  p->tables->p_filesz = p->tables->p_memsz = TERABYTE / 2; \
	  p->hdr->p_memsz = TERABYTE / 2) \
	X(holes, NO_RULE, p->entries = 40000; BUILD; holes(p)) \
	/* walk.c */ \
	X(cfa-same, NO_RULE, FDE(p, 0x0e, 0); BUILD) \
	X(cfa-below, NO_RULE, FDE(p, 0x13, 1); BUILD) \
	X(bp-kernel, FAULT, p->bp = KERNEL_TEXT; FDE(p, 0x0c, BP, 16); BUILD) \
	X(bp-mapping, FAULT, p->bp = KERNEL_MAPPING; FDE(p, 0x0c, BP, 16); BUILD) \
	X(bp-hole, FAULT, p->bp = HOLE; FDE(p, 0x0c, BP, 16); BUILD) \
	X(bp-edge, FAULT, p->bp = USER_END; FDE(p, 0x0c, BP, 8); BUILD) \
	X(bp-wraps, NO_RULE, p->bp = -8ull; FDE(p, 0x0c, BP, 16); BUILD) \
	X(bp-unmapped, FAULT, p->bp = USER_END - 0xff000; FDE(p, 0x0c, BP, 16); BUILD) \
	X(load-kernel, FAULT, p->bp = KERNEL_TEXT; FDE(p, 0x0f, 3, BREG(BP), 0, 6); BUILD) \
	X(load-hole, FAULT, p->bp = HOLE; FDE(p, 0x0f, 3, BREG(BP), 0, 6); BUILD) \
	X(load-text, NO_RULE, p->bp = BASE + SPIN + 64; FDE(p, 0x0f, 3, BREG(BP), 0, 6); BUILD) \
	X(sp-kernel, FAULT, p->sp = KERNEL_TEXT; BUILD) \
	X(sp-hole, FAULT, p->sp = HOLE; BUILD) \
	X(sp-low, FAULT, p->sp = 8; BUILD) \
	X(sp-wraps, NO_RULE, p->sp = -8ull; BUILD) \
	X(signal-loop, NO_RULE, p->is_signal = true; CIE(p, 5, 'z', 'R', 'S', 0, 1, 0x78, RET, 1, \
	  PCREL_SDATA4, USUAL_RULES); BUILD) \
	X(signal-kernel, NO_RULE, p->sp = KERNEL_TEXT; CIE(p, 5, 'z', 'R', 'S', 0, 1, \
	  0x78, RET, 1, PCREL_SDATA4, USUAL_RULES); BUILD) \
	/* caller.c: programs without a table */ \
	X(fp-odd, NO_RULE, p->bp = BASE + 1; BUILD; p->hdr->p_type = PT_NULL) \
	X(fp-kernel, FAULT, p->bp = KERNEL_TEXT; BUILD; p->hdr->p_type = PT_NULL) \
	X(fp-wraps, FAULT, p->bp = -8ull; BUILD; p->hdr->p_type = PT_NULL) \
	X(fp-loop, DEEP, p->bp = BASE + LOOP; BUILD; p->hdr->p_type = PT_NULL; loop(p)) \
	/* what only this machine has */ \
	MACHINE_PROGRAMS \
	/* what changes while it runs */ \
	X(cut-tables, OWN, BUILD; p->is_mapped = true; p->during = cut) \
	X(written, OWN, BUILD; p->is_mapped = true; p->during = write_it) \
	X(stored-to, OWN, BUILD; p->is_mapped = true; p->during = store_to) \
	X(deleted, WHOLE, BUILD; p->during = delete_it)

static void nine_loads(struct program *p)
{
	p->head->e_phnum = 16;
	for (unsigned int i = 0; i < 8; i++) {
		p->note[1 + i] = *p->tables;
		p->note[1 + i].p_vaddr = 0x10000000 + 0x100000 * i;
	}
	p->note[9] = *p->text;
	p->text->p_type = PT_NULL;
}

/* Many pairs for the same place; the last one is SPIN's own. */
static void same_pairs(struct program *p)
{
	for (uint32_t i = 2; i < 3 + p->entries; i++)
		pair(p, i, SPIN, p->fde_at);
}

/* START's pair has SPIN's entry, which says that it begins at START and is all text. */
static void overlap(struct program *p)
{
	set32(p, p->fde_at + 8, START - (p->fde_at + 8));
	set32(p, p->fde_at + 12, PAGE);
}

/* A row for each byte of the chunk. */
static void many_rows(struct program *p)
{
	p->text_bytes = 0x10000;
	for (unsigned int i = 0; i < 10000; i++)
		FDE(p, 0x0e, 2 * CFA_AT, 0x41, 0x0e, CFA_AT, 0x41);
}

/* Pairs for functions that all have the same entry, of 65536 bytes. */
static void many_reads(struct program *p)
{
	for (uint32_t i = 0; i < p->entries; i++)
		pair(p, 3 + i, SPIN + SPIN_BYTES + i, p->nr);
	set32(p, p->nr, 65536);
	p->nr += 4;
	p->size = p->nr + 65536 + PAGE;
	p->tables->p_filesz = p->tables->p_memsz = p->size - p->tables->p_offset;
}

/* More functions than an index may have (FM_CFI_INDEX_MAX), each with the shortest entry that there is. */
static void many_functions(struct program *p)
{
	p->nr -= 64;		/* after the last entry */
	for (unsigned int i = 0; i < 33000; i++)
		entry(p, "\x04\0\0\0", 4);
	p->tables->p_filesz = p->tables->p_memsz = p->nr - p->tables->p_offset;
}

/* A frame at LOOP that is its own caller's. */
static void loop(struct program *p)
{
	const uint64_t frame[] = { BASE + LOOP, SPIN_ADDRESS + 8 };

	memcpy(p->image + LOOP, frame, sizeof(frame));
}

/* The text is once more at FAR, where the program spins. */
static void far_text(struct program *p)
{
	p->text_at = FAR;
	p->size = FAR + 2 * PAGE;
	p->more[0] = *p->text;
	p->more[0].p_offset = FAR;
	p->more[0].p_vaddr = BASE + FAR;
	p->more[0].p_filesz = p->more[0].p_memsz = PAGE;
	p->head->e_entry = BASE + FAR;
}

/* Pairs whose entries are each in another page, where nothing was written. */
static void holes(struct program *p)
{
	for (uint32_t i = 0; i < p->entries; i++)
		pair(p, 3 + i, SPIN + SPIN_BYTES + i % 32, (1 << 20) + PAGE * i);
	p->size = (1 << 20) + (uint64_t)PAGE * (p->entries + 1);
	p->tables->p_filesz = p->tables->p_memsz = p->size - p->tables->p_offset;
}

/* Cut the file after its text, and write its tables again. */
static void cut(int fd, const struct program *p)
{
	if (ftruncate(fd, TABLES) || pwrite(fd, p->image, p->nr, 0) != p->nr)
		perror("cut");
}

/* Write other bytes to the tables. */
static void write_it(int fd, const struct program *p)
{
	uint32_t number = (uint32_t)random();

	if (pwrite(fd, &number, 4, TABLES + random() % (p->nr - TABLES)) != 4)
		perror("write");
}

/* Store other bytes to the tables, which changes no time of the file for long. */
static void store_to(int fd, const struct program *p)
{
	uint8_t *at = mmap(NULL, p->nr, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED) {
		perror("map");
		return;
	}
	for (unsigned int i = 0; i < 20000; i++)
		at[TABLES + random() % (p->nr - TABLES)] ^= 1 << random() % 8;
	munmap(at, p->nr);
}

static void delete_it(int fd, const struct program *p)
{
	(void)fd;
	(void)p;
	unlink(path);
}

/* A task's command has no more room. */
#define X(name, ...) _Static_assert(sizeof(#name) <= 16, #name " is too long a name");
PROGRAMS
#undef X

#define X(name, ends, ...) { #name, ends },
static const struct { const char *name; enum ends ends; } programs[] = { PROGRAMS };
#undef X
#define NR_PROGRAMS (sizeof(programs) / sizeof(programs[0]))

static void make(struct program *p, unsigned int which)
{
	unsigned int i = 0;

	begin(p);
#define X(name, ends, ...) if (which == i++) { __VA_ARGS__; }
	PROGRAMS
#undef X
}

#endif /* _HARMFUL_PROGRAMS_H */
