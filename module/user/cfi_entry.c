// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the entries of .eh_frame: see cfi_entry.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "cfi_entry.h"

/**
 * fm_cfi_read() - read bytes of the object.
 * @cfi: the object's tables
 * @address: the address, as linked
 * @to: where to copy them
 * @bytes: how many
 *
 * Context: Process context, since the source may sleep.
 * Return: 0; -E2BIG if that is more than @cfi has left; or the source's error.
 */
int fm_cfi_read(struct fm_cfi *cfi, u64 address, void *to, size_t bytes)
{
	if (bytes + FM_CFI_READ > cfi->left)
		return -E2BIG;
	cfi->left -= bytes + FM_CFI_READ;
	return cfi->source.read(cfi->source.arg, address, to, bytes);
}

/*
 * Copy one entry of .eh_frame, a CIE or an FDE, without its length.
 * Return: 0, -EINVAL, or what fm_cfi_read() returned.
 */
static int fm_cfi_entry(struct fm_cfi *cfi, u64 address, struct fm_cursor *entry)
{
	struct fm_cursor at;
	u8 head[4];
	u64 bytes;
	int err;

	err = fm_cfi_read(cfi, address, head, sizeof(head));
	if (err)
		return err;
	at = (struct fm_cursor){ .at = head, .end = head + sizeof(head) };
	bytes = fm_cursor_uint(&at, 4);
	if (bytes < 4 || bytes > FM_CFI_ENTRY_MAX)	/* also rejects 64-bit entries */
		return -EINVAL;
	err = fm_cfi_read(cfi, address + 4, cfi->entry, bytes);
	if (err)
		return err;
	*entry = (struct fm_cursor){ .at = cfi->entry, .end = cfi->entry + bytes };
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

	if (cie->address == address)
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
	if (at.bad || !fm_cie_augmentation(cie, letters, &at))
		return -EINVAL;
	cie->nr_instructions = at.end - at.at;
	if (cie->nr_instructions > sizeof(cie->bytes))
		return -EINVAL;
	memcpy(cie->bytes, at.at, cie->nr_instructions);
	cie->address = address;
	return 0;
}

/**
 * fm_cfi_fde() - read a function's entry.
 * @cfi: the object's tables
 * @address: of the entry
 * @fde: set; its instructions are in @cfi until the next entry is read
 *
 * Context: Process context, since the source may sleep.
 * Return: 0; -EINVAL if it is damaged or cannot be understood; or what fm_cfi_read()
 * returned.
 */
int fm_cfi_fde(struct fm_cfi *cfi, u64 address, struct fm_fde *fde)
{
	struct fm_cursor at;
	u64 back, bytes;
	int err;

	err = fm_cfi_entry(cfi, address, &at);
	if (err)
		return err;
	back = fm_cursor_uint(&at, 4);	/* distance from this field back to the CIE */
	if (at.bad || !back)
		return -EINVAL;
	/* they share one buffer, so a new CIE overwrites the FDE: read it again */
	if (cfi->cie.address != address + 4 - back) {
		err = fm_cfi_cie(cfi, address + 4 - back);
		if (!err)
			err = fm_cfi_entry(cfi, address, &at);
		if (err)
			return err;
		if (fm_cursor_uint(&at, 4) != back)
			return -EINVAL;
	}
	fde->start = fm_cursor_encoded(&at, cfi->cie.encoding,
				       address + 4 + (at.at - cfi->entry));
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
	fde->address_of_end = address + 4 + (at.end - cfi->entry);
	return 0;
}
