/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles a program's call frame information (.eh_frame) to rows.
 *
 * A row applies to a range of text. It says in a few bits where the caller's frame
 * is, so the timer can reach the caller with one load from the user's stack.
 * A program is compiled in chunks of 64 kB of text, each when a sample first needs
 * it.
 *
 * All input is untrusted: anyone may have made the file. Each byte is copied once
 * and then checked, so a file that changes meanwhile only gets wrong rows for
 * itself. This code does not depend on files or on the kernel, so the same source
 * is fuzzed in user space.
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
#define FM_CFI_GAP		4096u	/* a gap this long may be code made at run time */

/*
 * The most bytes read for one chunk; each read counts FM_CFI_READ bytes more. Of
 * Debian 12's programs, the chunk that needs most takes 177 048 (libLLVM). A file
 * crafted to take longer gets no rules.
 */
#define FM_CFI_READS_MAX	(1024u * 1024)
#define FM_CFI_READ		64u

/* What the canonical frame address (CFA) is; @cfa is in units of 8 bytes. */
enum fm_cfa {
	FM_CFA_NONE,		/* no rule that rows can express */
	FM_CFA_GAP,		/* no rule, in a gap of FM_CFI_GAP bytes or more */
	FM_CFA_SP,		/* sp + 8 * cfa */
	FM_CFA_BP,		/* bp + 8 * cfa */
	FM_CFA_BX,		/* rbx + 8 * cfa: the dynamic linker's trampolines */
	FM_CFA_BP_LOAD,		/* *(bp + 8 * cfa): functions that realign their stack */
	FM_CFA_SP_LOAD,		/* *(sp + 8 * cfa) + 8: the same in assembly */
	FM_CFA_PLT,		/* sp + 8; 8 more if (ip & 15) >= cfa */
	FM_CFA_SIGNAL,		/* the kernel's signal frame is at sp */
	FM_CFA_END,		/* the outermost function: it has no caller */
};

/*
 * Where the caller's bp or rbx is: 0 if it is unchanged; -n if it was saved
 * at CFA - 8 * n; n if it was saved at bp - 8 * (n - 1).
 */
#define FM_SAVED_AT_BP	1
#define FM_SAVED_LOST	127	/* somewhere that rows cannot express */

struct fm_row {
	u16 start;	/* offset in the chunk; a row ends at the next one's start */
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
