// SPDX-License-Identifier: GPL-2.0
/*
 * Compiles a program's call frame information to rows: see cfi.h.
 *
 * .eh_frame_hdr has a table, sorted by address, that says where each function's
 * entry in .eh_frame (its FDE) is. So compiling a chunk of text takes a binary
 * search and the entries of the functions in it, however large the program is. For a
 * program without that table, cfi_index.c has made one.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "cfi.h"
#include "cfi_entry.h"
#include "cfi_run.h"

#define FM_HDR_BYTES	12	/* before the table */
#define FM_PAIR_BYTES	8
#define FM_SDATA4_PCREL	0x1b	/* DW_EH_PE_sdata4 | DW_EH_PE_pcrel */
#define FM_UDATA4	0x03
#define FM_SDATA4_HDR	0x3b	/* DW_EH_PE_sdata4 | DW_EH_PE_datarel */

/* The rows of one chunk, while they are made. */
struct fm_rows {
	struct fm_row *rows;
	u32 nr;
	u32 max;
	u64 from;		/* the chunk's text */
	u64 to;
	u64 function;		/* the address of the function that is being compiled */
	u64 end;		/* the highest end of a function so far */
};

/**
 * fm_cfi_open() - read the head of an object's .eh_frame_hdr.
 * @cfi: to set up
 * @source: reads the object; kept
 * @hdr: the header's address: p_vaddr of PT_GNU_EH_FRAME
 * @bytes: its size: p_memsz
 * @buffer: what @cfi may use
 *
 * Context: Process context, since @source may sleep.
 * Return: 0; -EOPNOTSUPP if it has no table, or one in an encoding that no known
 * linker uses; or @source's error.
 */
int fm_cfi_open(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		u64 hdr, u64 bytes, struct fm_cfi_buffer *buffer)
{
	u8 head[FM_HDR_BYTES];
	struct fm_cursor at = { .at = head + 8, .end = head + sizeof(head) };
	u64 nr;
	int err;

	if (bytes < FM_HDR_BYTES)
		return -EOPNOTSUPP;
	err = source->read(source->arg, hdr, head, sizeof(head));
	if (err)
		return err;
	/* version; encodings of the pointer to .eh_frame, the count and the table */
	if (head[0] != 1 || head[1] != FM_SDATA4_PCREL || head[2] != FM_UDATA4 ||
	    head[3] != FM_SDATA4_HDR)
		return -EOPNOTSUPP;
	nr = fm_cursor_uint(&at, 4);
	nr = min_t(u64, nr, (bytes - FM_HDR_BYTES) / FM_PAIR_BYTES);
	*cfi = (struct fm_cfi){
		.source = *source,
		.base = hdr,
		.table = hdr + FM_HDR_BYTES,
		.nr = nr,
		.buffer = buffer,
	};
	fm_cfi_forget(buffer);
	return 0;
}

/**
 * fm_cfi_open_index() - use an index of .eh_frame instead of an .eh_frame_hdr.
 * @cfi: to set up
 * @source: reads the object; kept
 * @frame: the address of .eh_frame
 * @pairs: the index, sorted, from fm_cfi_index(); kept
 * @nr: how many pairs it has
 * @buffer: what @cfi may use
 *
 * Context: Any.
 */
void fm_cfi_open_index(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		       u64 frame, const struct fm_cfi_pair *pairs, u32 nr,
		       struct fm_cfi_buffer *buffer)
{
	*cfi = (struct fm_cfi){
		.source = *source,
		.base = frame,
		.pairs = pairs,
		.nr = nr,
		.buffer = buffer,
	};
	fm_cfi_forget(buffer);
}

/* Read one pair of the table. @block: as for fm_cfi_read(), whose error is returned. */
static int fm_cfi_pair(struct fm_cfi *cfi, struct fm_cfi_block *block, u32 i, u64 *text,
		       u64 *fde)
{
	u8 bytes[FM_PAIR_BYTES];
	struct fm_cursor at = { .at = bytes, .end = bytes + sizeof(bytes) };
	int err;

	if (cfi->pairs) {
		*text = cfi->base + cfi->pairs[i].text;
		*fde = cfi->base + cfi->pairs[i].fde;
		return 0;
	}
	err = fm_cfi_read(cfi, block, cfi->table + (u64)FM_PAIR_BYTES * i, bytes,
			  sizeof(bytes));
	if (err)
		return err;
	*text = cfi->base + (s32)fm_cursor_uint(&at, 4);
	*fde = cfi->base + (s32)fm_cursor_uint(&at, 4);
	return 0;
}

/*
 * Find the first pair whose function starts after an address.
 * Return: 0 or what fm_cfi_read() returned.
 */
static int fm_cfi_search(struct fm_cfi *cfi, u64 address, u32 *after)
{
	u32 low = 0, high = cfi->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		u64 text, fde;
		/* The next one may be far away. */
		int err = fm_cfi_pair(cfi, NULL, middle, &text, &fde);

		if (err)
			return err;
		if (text <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*after = low;
	return 0;
}

static bool fm_row_is_same(const struct fm_row *a, const struct fm_row *b)
{
	return a->kind == b->kind && a->cfa == b->cfa && a->bp == b->bp &&
	       a->bx == b->bx;
}

/* Add a row that holds from an address on. Return: 0 or -ENOSPC. */
static int fm_rows_add(struct fm_rows *rows, u64 address, const struct fm_row *row,
		       bool is_first)
{
	u16 start = max(address, rows->from) - rows->from;
	struct fm_row *last = rows->nr ? &rows->rows[rows->nr - 1] : NULL;

	if (address >= rows->to)
		return 0;
	if (last && last->start == start) {	/* the last row is empty: replace it */
		is_first |= last->is_first;
		rows->nr--;
	} else if (last && !is_first && fm_row_is_same(last, row)) {
		return 0;
	}
	if (rows->nr == rows->max)
		return -ENOSPC;
	rows->rows[rows->nr] = *row;
	rows->rows[rows->nr].start = start;
	rows->rows[rows->nr].is_first = is_first;
	rows->nr++;
	return 0;
}

/* A sink: adds a row of the function that is being compiled. */
static int fm_rows_put(void *arg, u64 address, const struct fm_row *row)
{
	struct fm_rows *rows = arg;

	return fm_rows_add(rows, address, row,
			   address == rows->function && address >= rows->from);
}

/*
 * Add a row without a rule for a gap between the last function and the next one.
 * Return: 0 or -ENOSPC.
 */
static int fm_rows_gap(struct fm_rows *rows, u64 next)
{
	const struct fm_row gap = {
		.kind = next - rows->end >= FM_CFI_GAP ? FM_CFA_GAP : FM_CFA_NONE,
	};

	if (next <= rows->end || next <= rows->from)
		return 0;
	return fm_rows_add(rows, rows->end, &gap, false);
}

/* Compile one function of the chunk. Return: 0 or -errno. */
static int fm_rows_function(struct fm_cfi *cfi, struct fm_rows *rows, u64 text,
			    u64 address)
{
	const struct fm_cfi_sink sink = { .put = fm_rows_put, .arg = rows };
	struct fm_fde fde;
	int err;

	err = fm_cfi_fde(cfi, address, &fde);
	if (err == -EINVAL || (!err && fde.start != text))
		return 0;	/* this one has no rule; others may have one */
	if (err)
		return err;
	if (fde.end <= rows->from)
		goto out;
	err = fm_rows_gap(rows, text);
	if (err)
		return err;
	rows->function = text;
	err = fm_cfi_run(&cfi->cie, fde.start, fde.end, &fde.instructions,
			 fde.address_of_end, &sink);
out:
	rows->end = max(rows->end, fde.end);
	return err;
}

/**
 * fm_cfi_compile() - compile a chunk of an object's text.
 * @cfi: the object's tables
 * @from: the chunk's address
 * @bytes: its size, at most FM_CHUNK_BYTES
 * @rows: gets the rows, sorted by @start; the first one starts at 0
 * @max: the most rows, at least 1
 * @function: set to the start of the function that @from is in, or to 0
 *
 * A function has no rule if its entry is damaged, or if it starts before the end
 * of an earlier function.
 *
 * Context: Process context, since the source may sleep.
 * Return: the number of rows; -ENOSPC if there are more than @max; -E2BIG if it
 * would read more than FM_CFI_READS_MAX; or the source's error.
 */
int fm_cfi_compile(struct fm_cfi *cfi, u64 from, u32 bytes,
		   struct fm_row *rows, u32 max, u64 *function)
{
	struct fm_rows made = {
		.rows = rows, .max = max, .from = from, .to = from + bytes,
	};
	u64 text, fde;
	int err;
	u32 i;

	*function = 0;
	cfi->left = FM_CFI_READS_MAX;
	err = fm_cfi_search(cfi, from, &i);
	if (err)
		return err;
	for (i = i ? i - 1 : 0; i < cfi->nr; i++) {
		err = fm_cfi_pair(cfi, &cfi->buffer->pairs, i, &text, &fde);
		if (err)
			return err;
		if (text >= made.to)
			break;
		if (text < made.end)
			continue;
		err = fm_rows_function(cfi, &made, text, fde);
		if (err)
			return err;
		if (text < from && made.end > from)
			*function = text;
	}
	err = fm_rows_gap(&made, i < cfi->nr ? max(text, made.to) : U64_MAX);
	return err ? err : made.nr;
}
