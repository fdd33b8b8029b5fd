// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an index of .eh_frame for programs that were linked without .eh_frame_hdr, as
 * gcc -static does: where each function and its entry are, sorted by address.
 *
 * The entries stand one after the other, so all of them are read: first to count the
 * functions, then to note them. An entry whose length is wrong hides what comes after
 * it, so there is no index then; a function whose entry is damaged otherwise is left out.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sort.h>

#include "cfi_entry.h"

/* Goes over the entries. */
struct fm_cfi_scan {
	u64 next;		/* the address of the next entry */
	u64 end;
	u64 entry;		/* the address of this one */
	bool is_function;	/* it is an FDE, not a CIE */
};

/* Go to the next entry. Return: 1; 0 at the end; or -errno. */
static int fm_cfi_scan_next(struct fm_cfi *cfi, struct fm_cfi_scan *scan)
{
	u64 left = scan->end - scan->next, bytes;
	struct fm_cursor at;
	u8 head[8];
	int err;

	/* Less than the shortest entry: the section ends in a length of 0, 4 bytes. */
	if (left < sizeof(head))
		return 0;
	err = fm_cfi_read(cfi, &cfi->buffer->entries, scan->next, head, sizeof(head));
	if (err)
		return err;
	at = (struct fm_cursor){ .at = head, .end = head + sizeof(head) };
	bytes = fm_cursor_uint(&at, 4);
	if (!bytes)
		return 0;
	if (bytes < 4 || bytes > left - 4)	/* also rejects 64-bit entries */
		return -EINVAL;
	scan->entry = scan->next;
	scan->next += 4 + bytes;
	scan->is_function = fm_cursor_uint(&at, 4) != 0;
	return 1;
}

/**
 * fm_cfi_index_count() - count the functions in .eh_frame.
 * @cfi: to set up, for fm_cfi_index()
 * @source: reads the object; kept
 * @frame: the address of .eh_frame
 * @bytes: its size
 * @buffer: what @cfi may use
 *
 * Context: Process context, since the source may sleep.
 * Return: how many there are; -EINVAL if the section is damaged; -E2BIG if there are more
 * than FM_CFI_INDEX_MAX, or this would read more than FM_CFI_INDEX_READS_MAX; or the
 * source's error.
 */
int fm_cfi_index_count(struct fm_cfi *cfi, const struct fm_cfi_source *source,
		       u64 frame, u64 bytes, struct fm_cfi_buffer *buffer)
{
	struct fm_cfi_scan scan = { .next = frame, .end = frame + bytes };
	int nr = 0, err;

	if (scan.end < frame)
		return -EINVAL;
	*cfi = (struct fm_cfi){
		.source = *source,
		.base = frame,
		.frame_end = scan.end,
		.left = FM_CFI_INDEX_READS_MAX,
		.buffer = buffer,
	};
	fm_cfi_forget(buffer);
	while ((err = fm_cfi_scan_next(cfi, &scan)) > 0) {
		nr += scan.is_function;
		if (nr > FM_CFI_INDEX_MAX)
			return -E2BIG;
	}
	return err ? err : nr;
}

static int fm_cfi_pair_compare(const void *a, const void *b)
{
	const struct fm_cfi_pair *first = a, *second = b;

	return first->text < second->text ? -1 : first->text > second->text;
}

/* Note where a function is. Return: false if that is too far from .eh_frame. */
static bool fm_cfi_pair_set(struct fm_cfi_pair *pair, u64 base, u64 text, u64 fde)
{
	s64 to_text = text - base, to_fde = fde - base;

	if (to_text < S32_MIN || to_text > S32_MAX || to_fde > S32_MAX)
		return false;
	*pair = (struct fm_cfi_pair){ .text = to_text, .fde = to_fde };
	return true;
}

/**
 * fm_cfi_index() - make an index of the functions in .eh_frame.
 * @cfi: set up by fm_cfi_index_count()
 * @pairs: gets the index, sorted
 * @max: the most pairs; further functions, of a file that has changed, are left out
 *
 * Context: Process context, since the source may sleep.
 * Return: how many pairs there are; -EINVAL if the section is damaged; -E2BIG if both
 * functions together would read more than FM_CFI_INDEX_READS_MAX; or the source's error.
 */
int fm_cfi_index(struct fm_cfi *cfi, struct fm_cfi_pair *pairs, u32 max)
{
	struct fm_cfi_scan scan = { .next = cfi->base, .end = cfi->frame_end };
	bool is_sorted = true;
	struct fm_fde fde;
	int err = 0;
	u32 nr = 0;

	while (nr < max && (err = fm_cfi_scan_next(cfi, &scan)) > 0) {
		if (!scan.is_function)
			continue;
		err = fm_cfi_fde(cfi, scan.entry, &fde);
		if (err == -EINVAL)
			continue;
		if (err)
			return err;
		if (!fm_cfi_pair_set(&pairs[nr], cfi->base, fde.start, scan.entry))
			continue;
		is_sorted &= !nr || pairs[nr - 1].text <= pairs[nr].text;
		nr++;
	}
	if (err < 0)
		return err;
	if (!is_sorted)
		sort(pairs, nr, sizeof(*pairs), fm_cfi_pair_compare, NULL);
	return nr;
}
