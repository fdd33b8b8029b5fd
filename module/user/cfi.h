/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles a program's call frame information (.eh_frame) to rows.
 *
 * A row holds for a range of text. It says where the caller's frame is, in few
 * enough bits that the timer can follow it with one load from the user's stack.
 * Programs are compiled in chunks of text of 64 kB, when a sample first needs one.
 *
 * Everything read here is input that anyone may have made. Each byte is copied
 * once and checked afterwards, so a file that changes meanwhile can only give
 * wrong rows for itself. Nothing here knows of files or of the kernel: the same
 * source is fuzzed in user space.
 *
 * Source of the format: System V ABI AMD64, section 3.7 and 4.2.4; Linux
 * Standard Base Core 5.0, chapter 10.6 (.eh_frame, .eh_frame_hdr); DWARF 4, 6.4.
 *
 * tests/module/user compares the rows with libdw's.
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_CFI_H
#define _FLAMEMOD_USER_CFI_H

#include <linux/types.h>

#define FM_CHUNK_BYTES		65536u	/* of text, compiled at a time */
#define FM_CFI_ENTRY_MAX	65536u	/* the longest CIE or FDE that is read */
#define FM_CFI_DEPTH		8	/* of DW_CFA_remember_state */
#define FM_CFI_GAP		4096u	/* text without rules that may be made at run time */

/*
 * The most that is read for one chunk, in bytes; each read counts as FM_CFI_READ more.
 * The largest chunk of Debian 12's programs needs 169 120 (libLLVM). A file that was made to
 * take long has no rules.
 */
#define FM_CFI_READS_MAX	(4u << 20)
#define FM_CFI_READ		64u

/* What the canonical frame address (CFA) is; @cfa is in units of 8 bytes. */
enum fm_cfa {
	FM_CFA_NONE,		/* no rule that rows can express */
	FM_CFA_GAP,		/* no rule, within FM_CFI_GAP bytes or more that have none */
	FM_CFA_SP,		/* sp + 8 * cfa */
	FM_CFA_BP,		/* bp + 8 * cfa */
	FM_CFA_BX,		/* rbx + 8 * cfa: the dynamic linker's trampolines */
	FM_CFA_BP_LOAD,		/* *(bp + 8 * cfa): functions that realign their stack */
	FM_CFA_SP_LOAD,		/* *(sp + 8 * cfa) + 8: the same in assembly */
	FM_CFA_PLT,		/* sp + 8, and 8 more from byte cfa of 16 on */
	FM_CFA_SIGNAL,		/* the kernel's signal frame is at sp */
	FM_CFA_END,		/* the outermost function: it has no caller */
};

/*
 * Where a row's caller finds bp or rbx: 0 if it is unchanged; -n if it was saved
 * at CFA - 8 * n; n if it was saved at bp - 8 * (n - 1).
 */
#define FM_SAVED_AT_BP	1
#define FM_SAVED_LOST	127	/* no row can say where */

struct fm_row {
	u16 start;	/* from the chunk's first byte; up to the next row's start */
	s16 cfa;
	u8 kind;	/* enum fm_cfa */
	s8 bp;
	s8 bx;
	u8 is_first;	/* a function starts here */
};

/* Reads an object's bytes by their addresses in the object. */
struct fm_cfi_source {
	int (*read)(void *arg, u64 address, void *to, size_t bytes);
	void *arg;
};

/* A common information entry: what its FDEs share. */
struct fm_cie {
	u64 address;
	u64 code_align;
	u64 data_align;		/* often negative: multiplied as unsigned, so without overflow */
	u32 instructions;	/* where they are in @bytes, and how many bytes */
	u32 nr_instructions;
	u8 encoding;		/* of the FDEs' addresses: DW_EH_PE_* */
	bool has_sizes;		/* the FDEs' augmentation has a length */
	bool is_signal;
	bool is_other_return;	/* the return address is in another column */
	u8 bytes[256];		/* its initial instructions */
};

struct fm_cfi {
	struct fm_cfi_source source;
	u64 hdr;
	u64 table;		/* pairs of s32, both from @hdr: text, FDE */
	u32 nr;			/* pairs */
	u32 left;		/* of FM_CFI_READS_MAX */
	struct fm_cie cie;	/* the last one that was read */
	u8 *entry;		/* FM_CFI_ENTRY_MAX bytes */
};

int fm_cfi_open(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		u64 hdr, u64 bytes, u8 *entry);
int fm_cfi_compile(struct fm_cfi *cfi, u64 from, u32 bytes,
		   struct fm_row *rows, u32 max, u64 *function);

#endif /* _FLAMEMOD_USER_CFI_H */
