// SPDX-License-Identifier: GPL-2.0
/*
 * Rows for code that has no unwind table: see covers.h.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "covers.h"

#define FM_INSTRUCTION	4

/* A function that uses no stack: its caller is in the link register. */
static const struct fm_row fm_row_leaf = { .kind = FM_CFA_SP };

static u32 fm_instruction(const u8 *code)
{
	u32 instruction;

	memcpy(&instruction, code, sizeof(instruction));
	return instruction;
}

/* Return: the number of the row that applies at @at. */
static u32 fm_rows_find(const struct fm_row *rows, u32 nr, u32 at)
{
	u32 i = nr - 1;

	while (i && rows[i].start > at)
		i--;
	return i;
}

/*
 * Let a row apply from @from up to @to, if one row applies to all of that now.
 * Return: how many rows there are then.
 */
static u32 fm_rows_insert(struct fm_row *rows, u32 nr, u32 max, u32 from, u32 to,
			  const struct fm_row *row)
{
	u32 i = fm_rows_find(rows, nr, from), end = i + 1 < nr ? rows[i + 1].start : FM_CHUNK_BYTES;
	const struct fm_row old = rows[i];
	u32 before = from > old.start, after = to < end;

	if (from >= to || to > end || nr + before + after > max)
		return nr;
	memmove(&rows[i + before + 1 + after], &rows[i + 1], (nr - i - 1) * sizeof(*rows));
	i += before;
	rows[i] = *row;
	rows[i].start = from;
	if (after) {
		rows[i + 1] = old;
		rows[i + 1].start = to;
		rows[i + 1].is_first = 0;
	}
	return nr + before + after;
}

static bool fm_row_has_rule(const struct fm_row *row)
{
	return row->kind != FM_CFA_NONE && row->kind != FM_CFA_GAP;
}

/* As fm_rows_insert(), for what is of the range in the chunk, if no rule applies to it. */
static u32 fm_rows_cover(struct fm_row *rows, u32 nr, u32 max, s64 from, s64 to,
			 const struct fm_row *row)
{
	from = max_t(s64, from, 0);
	to = min_t(s64, to, FM_CHUNK_BYTES);
	if (from >= to || fm_row_has_rule(&rows[fm_rows_find(rows, nr, from)]))
		return nr;
	return fm_rows_insert(rows, nr, max, from, to, row);
}

/* Return: how many bytes after the start of a PLT its head has pushed; 0: it has no head. */
static u32 fm_plt_pushes(const u8 *head)
{
	const u32 push = 0xa9bf7bf0;	/* stp x16, x30, [sp, #-16]! */
	const u32 landing = 0xd503245f;	/* bti c */

	if (fm_instruction(head) == push)
		return FM_INSTRUCTION;
	if (fm_instruction(head) == landing && fm_instruction(head + FM_INSTRUCTION) == push)
		return 2 * FM_INSTRUCTION;
	return 0;
}

/**
 * fm_cover_plt() - add the rows of a PLT to those of a chunk.
 * @rows: the chunk's rows, at least one
 * @nr: how many
 * @max: how many there is room for
 * @plt: the PLT
 *
 * Its entries jump, so that the function's caller is in the link register. Its head, of 32
 * bytes, pushes that and jumps to the dynamic linker. Programs whose functions are all bound
 * have no head.
 *
 * Context: Process context.
 * Return: how many rows there are then; the same if a table covers the PLT, or there is no
 * room.
 */
u32 fm_cover_plt(struct fm_row *rows, u32 nr, u32 max, const struct fm_plt *plt)
{
	const struct fm_row first = { .kind = FM_CFA_SP, .is_first = plt->start >= 0 };
	const struct fm_row pushed = { .kind = FM_CFA_SP, .cfa = 2, .lr = -1 };
	u32 pushes = fm_plt_pushes(plt->head);
	s64 entries = plt->start + 32;

	if (!pushes)
		return fm_rows_cover(rows, nr, max, plt->start, plt->end, &first);
	nr = fm_rows_cover(rows, nr, max, plt->start, plt->start + pushes, &first);
	nr = fm_rows_cover(rows, nr, max, plt->start + pushes, entries, &pushed);
	return fm_rows_cover(rows, nr, max, entries, plt->end, &fm_row_leaf);
}

/* Return: whether an instruction makes room on the stack. */
static bool fm_instruction_pushes(u32 instruction)
{
	return (instruction & 0xff80001f) == 0xd100001f ||	/* sub sp, xN, #n */
	       (instruction & 0xffc003e0) == 0xa98003e0 ||	/* stp xN, xM, [sp, #n]! */
	       (instruction & 0xffc003e0) == 0x6d8003e0 ||	/* stp dN, dM, [sp, #n]! */
	       (instruction & 0xffe00fe0) == 0xf8000fe0;	/* str xN, [sp, #n]! */
}

static bool fm_code_pushes(const u8 *code, u32 bytes)
{
	u32 at;

	for (at = 0; at + FM_INSTRUCTION <= bytes; at += FM_INSTRUCTION)
		if (fm_instruction_pushes(fm_instruction(code + at)))
			return true;
	return false;
}

/* Return: where "mov x8, #139; svc #0" is, which is how a handler returns; or 0. */
static u32 fm_code_restores(const u8 *code, u32 bytes)
{
	u32 at;

	for (at = FM_INSTRUCTION; at + 2 * FM_INSTRUCTION <= bytes; at += FM_INSTRUCTION)
		if (fm_instruction(code + at) == 0xd2801168 &&
		    fm_instruction(code + at + FM_INSTRUCTION) == 0xd4000001)
			return at;
	return 0;
}

/**
 * fm_cover_vdso() - add the rows of arm64's vdso to those of its only chunk.
 * @rows: the chunk's rows, at least one
 * @nr: how many
 * @max: how many there is room for
 * @code: the vdso
 * @bytes: how long it is, at most FM_CHUNK_BYTES
 *
 * The return of a signal handler gets a row for the kernel's signal frame. If the vdso has
 * no table, and none of its functions uses the stack, the others are leaves; else they
 * are followed by frame pointers.
 *
 * Context: Process context.
 * Return: how many rows there are then; the same if there is no room.
 */
u32 fm_cover_vdso(struct fm_row *rows, u32 nr, u32 max, const u8 *code, u32 bytes)
{
	const struct fm_row signal = { .kind = FM_CFA_SIGNAL, .is_first = 1 };
	u32 at = fm_code_restores(code, bytes);

	if (nr == 1 && !fm_row_has_rule(&rows[0])) {
		rows[0] = fm_row_leaf;
		if (fm_code_pushes(code, bytes))
			rows[0].kind = FM_CFA_GAP;
	}
	/* Return addresses are looked up minus 1, and handlers return to its first byte. */
	return at ? fm_rows_insert(rows, nr, max, at - 1, at + 2 * FM_INSTRUCTION, &signal) : nr;
}
