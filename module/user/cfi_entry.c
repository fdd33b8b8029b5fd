// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the entries of .eh_frame: see cfi_entry.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "cfi_entry.h"
#include "cfi_run.h"

/**
 * fm_cfi_forget() - note that a buffer has nothing of an object.
 * @buffer: the buffer
 *
 * Context: Any.
 */
void fm_cfi_forget(struct fm_cfi_buffer *buffer)
{
	buffer->pairs.address = FM_CFI_NO_BLOCK;
	buffer->entries.address = FM_CFI_NO_BLOCK;
}

/* Read the block at an address. Return: 0 or the source's error. */
static int fm_cfi_fill(struct fm_cfi *cfi, struct fm_cfi_block *block, u64 address)
{
	int err;

	if (block->address == address)
		return 0;
	block->address = FM_CFI_NO_BLOCK;
	err = cfi->source.read(cfi->source.arg, address, block->bytes, FM_CFI_BLOCK);
	if (!err)
		block->address = address;
	return err;
}

/*
 * Find bytes of the object, or read them. A block that is not all in one segment cannot be
 * read; then only the bytes are.
 * @block: they are looked for there, and the block is read if they are not; or NULL
 * @to: where to copy them if they are not in one block
 * @at: set to where they are
 *
 * Return: 0; -E2BIG if that is more than @cfi has left; or the source's error.
 */
static int fm_cfi_find(struct fm_cfi *cfi, struct fm_cfi_block *block, u64 address, void *to,
		       size_t bytes, const u8 **at)
{
	u64 within = address % FM_CFI_BLOCK;
	int err;

	if (bytes + FM_CFI_READ > cfi->left)
		return -E2BIG;
	cfi->left -= bytes + FM_CFI_READ;
	if (block && within + bytes <= FM_CFI_BLOCK) {
		*at = block->bytes + within;
		err = fm_cfi_fill(cfi, block, address - within);
		/* A part of the file must be fetched: it is a part of these bytes' page. */
		if (!err || err == -EAGAIN)
			return err;
	}
	*at = to;
	return cfi->source.read(cfi->source.arg, address, to, bytes);
}

/**
 * fm_cfi_read() - read bytes of the object.
 * @cfi: the object's tables
 * @block: where what is next to them is kept, for the reads after this one; or NULL
 * @address: the address, as linked
 * @to: where to copy them
 * @bytes: how many
 *
 * Context: Process context, since the source may sleep.
 * Return: 0; -E2BIG if that is more than @cfi has left; or the source's error.
 */
int fm_cfi_read(struct fm_cfi *cfi, struct fm_cfi_block *block, u64 address, void *to,
		size_t bytes)
{
	const u8 *at;
	int err = fm_cfi_find(cfi, block, address, to, bytes, &at);

	if (!err && at != to)
		memcpy(to, at, bytes);
	return err;
}

/*
 * Read one entry of .eh_frame, a CIE or an FDE, without its length. It is there until the
 * next one is read.
 * Return: 0, -EINVAL, or what fm_cfi_find() returned.
 */
static int fm_cfi_entry(struct fm_cfi *cfi, u64 address, struct fm_cursor *entry)
{
	struct fm_cfi_block *block = &cfi->buffer->entries;
	struct fm_cursor at;
	const u8 *found;
	u8 head[4];
	u64 bytes;
	int err;

	err = fm_cfi_read(cfi, block, address, head, sizeof(head));
	if (err)
		return err;
	at = (struct fm_cursor){ .at = head, .end = head + sizeof(head) };
	bytes = fm_cursor_uint(&at, 4);
	if (bytes < 4 || bytes > FM_CFI_ENTRY_MAX)	/* also rejects 64-bit entries */
		return -EINVAL;
	err = fm_cfi_find(cfi, block, address + 4, cfi->buffer->entry, bytes, &found);
	if (err)
		return err;
	*entry = (struct fm_cursor){ .at = found, .end = found + bytes };
	return 0;
}

/* Read a CIE's augmentation. Return: false if any part of it is unknown. */
static bool fm_cie_augmentation(struct fm_cie *cie, const u8 *letters,
				struct fm_cursor *at)
{
	struct fm_cursor data;
	u64 bytes;

	if (!*letters)
		return true;
	if (*letters != 'z')
		return false;
	bytes = fm_cursor_uleb(at);
	if (at->bad || bytes > (u64)(at->end - at->at))
		return false;
	data = (struct fm_cursor){ .at = at->at, .end = at->at + bytes };
	at->at = data.end;
	cie->has_sizes = true;
	while (*++letters) {
		switch (*letters) {
		case 'R':
			cie->encoding = fm_cursor_uint(&data, 1);
			break;
		case 'P':	/* an encoding, then a pointer in that encoding: skip both */
			fm_cursor_encoded(&data, fm_cursor_uint(&data, 1) & 0x0f, 0);
			break;
		case 'L':
			fm_cursor_uint(&data, 1);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B':	/* which key return addresses are signed with */
		case 'G':	/* the frame's memory has tags */
			if (!cie->machine->has_link)
				return false;
			break;
		default:
			return false;
		}
	}
	return !data.bad;
}

/* Read a CIE, unless it is the one read last. Return: 0 or -errno. */
static int fm_cfi_cie(struct fm_cfi *cfi, u64 address)
{
	struct fm_cie *cie = &cfi->cie;
	struct fm_cursor at;
	const u8 *letters;
	u64 version, column;
	int err;

	if (cie->is_read && cie->address == address)
		return 0;
	*cie = (struct fm_cie){ .machine = cfi->source.machine };
	err = fm_cfi_entry(cfi, address, &at);
	if (err)
		return err;
	if (fm_cursor_uint(&at, 4) != 0)	/* the id of a CIE */
		return -EINVAL;
	version = fm_cursor_uint(&at, 1);
	letters = at.at;
	while (fm_cursor_uint(&at, 1))
		;
	if (at.bad || (version != 1 && version != 3))
		return -EINVAL;
	cie->code_align = fm_cursor_uleb(&at);
	cie->data_align = fm_cursor_sleb(&at);
	column = version == 1 ? fm_cursor_uint(&at, 1) : fm_cursor_uleb(&at);
	cie->is_other_return = column != cie->machine->ret;
	if (at.bad || !fm_cie_augmentation(cie, letters, &at) || at.end - at.at > FM_CIE_MAX)
		return -EINVAL;
	fm_cie_run(cie, at);
	cie->address = address;
	cie->is_read = true;
	return 0;
}

/**
 * fm_cfi_fde() - read a function's entry.
 * @cfi: the object's tables
 * @address: of the entry
 * @fde: set; its instructions are in the buffer until the next entry is read
 *
 * Context: Process context, since the source may sleep.
 * Return: 0; -EINVAL if it is damaged or cannot be understood; or what fm_cfi_read()
 * returned.
 */
int fm_cfi_fde(struct fm_cfi *cfi, u64 address, struct fm_fde *fde)
{
	struct fm_cursor at;
	const u8 *first;
	u64 back, bytes;
	int err;

	err = fm_cfi_entry(cfi, address, &at);
	if (err)
		return err;
	first = at.at;
	back = fm_cursor_uint(&at, 4);	/* distance from this field back to the CIE */
	if (at.bad || !back)
		return -EINVAL;
	/* they share one buffer, so a new CIE overwrites the FDE: read it again */
	if (!cfi->cie.is_read || cfi->cie.address != address + 4 - back) {
		err = fm_cfi_cie(cfi, address + 4 - back);
		if (!err)
			err = fm_cfi_entry(cfi, address, &at);
		if (err)
			return err;
		first = at.at;
		if (fm_cursor_uint(&at, 4) != back)
			return -EINVAL;
	}
	fde->start = fm_cursor_encoded(&at, cfi->cie.encoding,
				       address + 4 + (at.at - first));
	bytes = fm_cursor_encoded(&at, cfi->cie.encoding & 0x0f, 0);
	fde->end = fde->start + bytes;
	if (cfi->cie.has_sizes) {
		bytes = fm_cursor_uleb(&at);
		if (bytes > (u64)(at.end - at.at))
			return -EINVAL;
		at.at += bytes;
	}
	if (at.bad || fde->end < fde->start)
		return -EINVAL;
	fde->instructions = at;
	fde->address_of_end = address + 4 + (at.end - first);
	return 0;
}
