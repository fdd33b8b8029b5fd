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
 * Source of the format: System V ABI AMD64, section 3.7 and 4.2.4; DWARF for the Arm 64-bit
 * Architecture (AArch64), 4.4; Linux
 * Standard Base Core 5.0, chapter 10.6 (.eh_frame, .eh_frame_hdr); DWARF 4, 6.4.
 *
 * tests/module/user compares the rows with libdw's.
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_CFI_H
#define _FLAMEMOD_USER_CFI_H

#include <linux/types.h>

#include "machine.h"

#define FM_CHUNK_BYTES		65536u	/* of text, compiled at a time */
#define FM_CFI_ENTRY_MAX	65536u	/* the longest CIE or FDE that is read */
#define FM_CFI_BLOCK		1024u	/* bytes: a part of a page */
#define FM_CFI_NO_BLOCK		U64_MAX
#define FM_CIE_MAX		256	/* bytes: the most instructions of a CIE */
#define FM_CFI_DEPTH		8	/* of DW_CFA_remember_state */
#define FM_CFI_GAP		4096u	/* a gap this long may be code made at run time */

/*
 * The most bytes used for one chunk; each use counts FM_CFI_READ bytes more. Of 2 449
 * programs and libraries, the chunk that needs most takes 852 304. A file crafted to take
 * longer gets no rules. A use reads a block at most.
 */
#define FM_CFI_READS_MAX	(1024u * 1024)
#define FM_CFI_READ		64u

/*
 * The most functions of a program without .eh_frame_hdr, and the most bytes read to find
 * them, counted as above. Debian 12's busybox has 2 038, for which 661 040 are counted;
 * as many as there may be of that kind would need 10.6 million.
 */
#define FM_CFI_INDEX_MAX	32768u
#define FM_CFI_INDEX_READS_MAX	(16u << 20)

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
	FM_CFA_SIGNAL,		/* the kernel's signal frame is at sp + 8 * cfa */
	FM_CFA_END,		/* the outermost function: it has no caller */
};

/*
 * Where the kernel's signal frame has the registers of what it interrupted on x86: in its
 * struct ucontext, from sp in the handler's return (arch/x86/include/uapi/asm). On arm64
 * no table says so: see covers.h.
 */
#define FM_SIGNAL_BP	120
#define FM_SIGNAL_BX	128
#define FM_SIGNAL_SP	160
#define FM_SIGNAL_IP	168

/*
 * Where the caller's bp or rbx is: 0 if it is unchanged; -n if it was saved
 * at CFA - 8 * n; n if it was saved at bp - 8 * (n - 1).
 *
 * On a machine with a link register (machine.h), n is for base + 8 * (n - 1), where the
 * base is the register that the CFA is counted from, sp or bp: functions with large frames
 * save at their other end. The code of the link register is where the return address is; 0
 * if it is still in the register.
 */
#define FM_SAVED_AT_BP	1
#define FM_SAVED_AT_BASE	1
#define FM_SAVED_LOST	127	/* somewhere that rows cannot express */

struct fm_row {
	u16 start;	/* offset in the chunk; a row ends at the next one's start */
	s16 cfa;
	u8 kind;	/* enum fm_cfa */
	s8 bp;
	union {
		s8 bx;
		s8 lr;	/* on a machine with a link register */
	};
	u8 is_first;	/* a function starts here */
};

/* Reads an object's bytes by their addresses in the object. */
struct fm_cfi_source {
	int (*read)(void *arg, u64 address, void *to, size_t bytes);
	void *arg;
	const struct fm_machine *machine;	/* that the object is for */
};

/* How a column's value in the caller is found. */
enum fm_rule_kind {
	FM_RULE_SAME,
	FM_RULE_AT_CFA,		/* saved at CFA + offset */
	FM_RULE_AT_BP,		/* saved at bp + offset */
	FM_RULE_AT_SP,		/* saved at sp + offset: in signal frames */
	FM_RULE_UNDEFINED,
	FM_RULE_OTHER,
};

struct fm_rule {
	enum fm_rule_kind kind;
	s64 offset;
};

enum fm_tracked {
	FM_TRACKED_RETURN,
	FM_TRACKED_BP,
	FM_TRACKED_BX,
	FM_NR_TRACKED,
};

/* The rules at one place of a function. */
struct fm_cfi_state {
	enum fm_cfa cfa;
	bool is_expression;	/* then no instruction may change register or offset */
	s64 offset;
	struct fm_rule rules[FM_NR_TRACKED];
};

/* A common information entry: what its FDEs share. */
struct fm_cie {
	const struct fm_machine *machine;
	u64 address;		/* any, also 0: files say where it is */
	bool is_read;		/* without an error: what is here is that of @address */
	u64 code_align;
	u64 data_align;		/* often negative: multiplied as unsigned, so without overflow */
	u8 encoding;		/* of the FDEs' addresses: DW_EH_PE_* */
	bool has_sizes;		/* the FDEs' augmentation has a length */
	bool is_signal;
	bool is_other_return;	/* the return address is in another column */
	bool is_unknown;	/* its instructions are: its FDEs have no rules */
	struct fm_cfi_state state;	/* where its FDEs start, after its instructions */
};

/* A part of the object that was read at once, since what is next to it is needed, too. */
struct fm_cfi_block {
	u64 address;		/* a multiple of FM_CFI_BLOCK; or FM_CFI_NO_BLOCK */
	u8 bytes[FM_CFI_BLOCK];
};

/* The bytes that were read last. */
struct fm_cfi_buffer {
	struct fm_cfi_block pairs;
	struct fm_cfi_block entries;
	u8 entry[FM_CFI_ENTRY_MAX];	/* one that is not in one block */
};

/* Where a function and its entry are, from the base of the table. */
struct fm_cfi_pair {
	s32 text;
	s32 fde;
};

struct fm_cfi {
	struct fm_cfi_source source;
	u64 base;		/* .eh_frame_hdr; with an index .eh_frame */
	u64 table;		/* the address of the pairs in the object, if not in @pairs */
	const struct fm_cfi_pair *pairs;	/* the index; or NULL */
	u64 frame_end;		/* the end of .eh_frame, while an index is made */
	u32 nr;			/* pairs */
	u32 left;		/* of FM_CFI_READS_MAX or FM_CFI_INDEX_READS_MAX */
	struct fm_cie cie;	/* the last one that was read */
	struct fm_cfi_buffer *buffer;
};

int fm_cfi_open(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		u64 hdr, u64 bytes, struct fm_cfi_buffer *buffer);
void fm_cfi_open_index(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		       u64 frame, const struct fm_cfi_pair *pairs, u32 nr,
		       struct fm_cfi_buffer *buffer);
int fm_cfi_compile(struct fm_cfi *cfi, u64 from, u32 bytes,
		   struct fm_row *rows, u32 max, u64 *function);

/* In cfi_index.c. */
int fm_cfi_index_count(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		       u64 frame, u64 bytes, struct fm_cfi_buffer *buffer);
int fm_cfi_index(struct fm_cfi *cfi, struct fm_cfi_pair *pairs, u32 max);

#endif /* _FLAMEMOD_USER_CFI_H */
