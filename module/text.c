// SPDX-License-Identifier: GPL-2.0
/*
 * Knows which addresses are text that stays: see text.h.
 */
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/string.h>

#include "text.h"

/* No more pages are added beyond this, to keep searches short. */
#define FM_TEXT_PAGES_MAX	(FM_TEXT_PAGES * 3 / 4)

/**
 * fm_text_is_module() - check whether an address is in the area of modules.
 * @address: the address
 *
 * Context: Any.
 * Return: true in the area of modules, trampolines and BPF programs.
 */
bool fm_text_is_module(unsigned long address)
{
	return address >= MODULES_VADDR && address < MODULES_END;
}

static u32 fm_text_page(unsigned long address)
{
	return ((address - MODULES_VADDR) >> PAGE_SHIFT) + 1;
}

static u32 fm_text_slot(const struct fm_text *text, u32 page)
{
	u32 slot = hash_32(page, ilog2(FM_TEXT_PAGES)), known;

	while ((known = READ_ONCE(text->pages[slot])) && known != page)
		slot = (slot + 1) % FM_TEXT_PAGES;
	return slot;
}

/**
 * fm_text_stays() - check whether an address is text that stays.
 * @text: the modules' pages
 * @address: the address
 *
 * Context: Any, the timer callback above all.
 * Return: true for the kernel's text, and for known pages of modules.
 */
bool fm_text_stays(const struct fm_text *text, unsigned long address)
{
	u32 page, slot;

	if (address >= __START_KERNEL_map && address < MODULES_VADDR)
		return true;
	if (!fm_text_is_module(address))
		return false;
	page = fm_text_page(address);
	slot = fm_text_slot(text, page);
	/* A place that was free may have got another page meanwhile. */
	return READ_ONCE(text->pages[slot]) == page;
}

/**
 * fm_text_add() - note the page of an address that has a module's symbol.
 * @text: the modules' pages
 * @address: the address
 *
 * Context: Process context, under the session's lock.
 */
void fm_text_add(struct fm_text *text, unsigned long address)
{
	u32 page, slot;

	if (!fm_text_is_module(address) || text->nr == FM_TEXT_PAGES_MAX)
		return;
	page = fm_text_page(address);
	slot = fm_text_slot(text, page);
	if (text->pages[slot])
		return;
	WRITE_ONCE(text->pages[slot], page);
	text->nr++;
}

/**
 * fm_text_empty() - forget all pages, when a module comes or goes.
 * @text: the modules' pages
 *
 * Context: Process context, under the session's lock.
 */
void fm_text_empty(struct fm_text *text)
{
	u32 i;

	for (i = 0; i < FM_TEXT_PAGES; i++)
		WRITE_ONCE(text->pages[i], 0);
	text->nr = 0;
}
