/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads from an ELF file what the walk needs: where its text is, its unwind tables,
 * its entry and its build-id.
 *
 * As in cfi.h, everything is copied once and checked, and the same source runs in
 * user space.
 *
 * Source of the format: System V ABI (gABI), chapters 4 and 5; Linux Standard Base
 * Core 5.0, 10.6.2 (PT_GNU_EH_FRAME); System V ABI AMD64, 4.2.2 (SHT_X86_64_UNWIND).
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_ELF_H
#define _FLAMEMOD_USER_ELF_H

#include <linux/types.h>

#include "machine.h"

#define FM_ELF_SEGMENTS		8	/* the most PT_LOAD segments kept */
#define FM_ELF_HEADERS		64	/* the most program headers read */
#define FM_ELF_NOTES		4096u	/* the most bytes of notes read */
#define FM_ELF_SECTIONS		256	/* the most section headers read */
#define FM_BUILD_ID_MAX		20

struct fm_elf_segment {
	u64 offset;		/* in the file */
	u64 address;		/* as linked */
	u64 bytes;		/* in the file */
	bool is_text;
};

struct fm_elf {
	/* Reads bytes by their offset in the file; returns 0 or -errno. */
	int (*read)(void *arg, u64 offset, void *to, size_t bytes);
	void *arg;
	const struct fm_machine *machine;	/* that the file must be for */
	struct fm_elf_segment segments[FM_ELF_SEGMENTS];
	u32 nr_segments;
	u64 entry;		/* as linked */
	u64 sections;		/* the offset of the section headers */
	u32 nr_sections;
	u32 names;		/* the number of the section that has the sections' names */
	u64 hdr;		/* .eh_frame_hdr, as linked; 0: none */
	u64 hdr_bytes;
	u8 build_id[FM_BUILD_ID_MAX];
	u8 build_id_bytes;
};

int fm_elf_open(struct fm_elf *elf);
int fm_elf_frame(const struct fm_elf *elf, u64 *address, u64 *bytes);
int fm_elf_plt(const struct fm_elf *elf, u64 *address, u64 *bytes);
int fm_elf_read(void *elf, u64 address, void *to, size_t bytes);
bool fm_elf_address(const struct fm_elf *elf, u64 offset, u64 *address);

#endif /* _FLAMEMOD_USER_ELF_H */
