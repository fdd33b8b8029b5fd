// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at the page that is mapped at an address: see page.h.
 */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pgtable.h>

#include "../compat/compat.h"
#include "page.h"

/* The low bits of a page's mapping: it is anonymous, or movable. */
#define FM_MAPPING_ANONYMOUS	1ul
#define FM_MAPPING_MARKS	3ul

/* The entry of a page table that maps an address, and its value when it was read. */
struct fm_page_entry {
	pmd_t *pmd;
	pmd_t pmd_was;
	pte_t *pte;		/* NULL: the pmd maps a huge page */
	pte_t pte_was;
};

/* Find the entry of an address. Return: false if no page is mapped there, or one of 1 GB. */
static bool fm_page_find(struct mm_struct *mm, unsigned long address,
			 struct fm_page_entry *entry)
{
	pgd_t *pgd_at, pgd;
	p4d_t *p4d_at, p4d;
	pud_t *pud_at, pud;

	pgd_at = pgd_offset(mm, address);
	pgd = READ_ONCE(*pgd_at);
	if (pgd_none(pgd))
		return false;
	p4d_at = p4d_offset_lockless(pgd_at, pgd, address);
	p4d = READ_ONCE(*p4d_at);
	if (!p4d_present(p4d))
		return false;
	pud_at = pud_offset_lockless(p4d_at, p4d, address);
	pud = READ_ONCE(*pud_at);
	if (!pud_present(pud) || !fm_arch_pud_is_table(pud))
		return false;
	/* With two levels that would be the address of the variable. */
	entry->pmd = __is_defined(__PAGETABLE_PMD_FOLDED) ? (pmd_t *)pud_at :
		     pmd_offset_lockless(pud_at, pud, address);
	entry->pmd_was = READ_ONCE(*entry->pmd);
	entry->pte = NULL;
	if (!pmd_present(entry->pmd_was))
		return false;
	/* Not whatever is no huge page: that would take user memory for a table. */
	if (!fm_arch_pmd_is_table(entry->pmd_was))
		return pmd_leaf(entry->pmd_was);
	entry->pte = pte_offset_kernel(&entry->pmd_was, address);
	entry->pte_was = READ_ONCE(*entry->pte);
	return pte_present(entry->pte_was) && !pte_special(entry->pte_was);
}

/* Return: whether an entry is what it was. */
static bool fm_page_holds(const struct fm_page_entry *entry)
{
	/* What was read of the page was read before this. */
	smp_rmb();
	if (pmd_val(READ_ONCE(*entry->pmd)) != pmd_val(entry->pmd_was))
		return false;
	return !entry->pte || pte_val(READ_ONCE(*entry->pte)) == pte_val(entry->pte_was);
}

/**
 * fm_page_look() - look at the page that is mapped at an address.
 * @mm: the current process's memory
 * @address: an address of user space
 * @found: set to what is there
 *
 * Context: Hard interrupt. Takes no lock and no reference: see page.h.
 */
void fm_page_look(struct mm_struct *mm, unsigned long address, struct fm_page *found)
{
	const struct address_space *mapping;
	struct fm_page_entry entry;
	unsigned long marks;
	bool is_text;

	found->kind = FM_PAGE_ABSENT;
	if (!fm_page_find(mm, address, &entry))
		return;
	if (entry.pte) {
		is_text = fm_arch_pte_is_text(entry.pte_was);
		found->pfn = pte_pfn(entry.pte_was);
	} else {
		is_text = fm_arch_pmd_is_text(entry.pmd_was);
		found->pfn = pmd_pfn(entry.pmd_was) + pte_index(address);
	}
	if (!pfn_valid(found->pfn))
		return;
	mapping = fm_compat_page_of(pfn_to_page(found->pfn), &found->index);
	if (!fm_page_holds(&entry))
		return;
	marks = (unsigned long)mapping & FM_MAPPING_MARKS;
	if (!is_text) {
		found->kind = FM_PAGE_DATA;
	} else if (marks == FM_MAPPING_ANONYMOUS && found->index == address >> PAGE_SHIFT) {
		/* One that was copied from a file has its place in the file. */
		found->kind = FM_PAGE_ANONYMOUS;
	} else if (!marks && mapping && mapping->host &&
		   /* These count in huge pages. */
		   mapping->host->i_sb->s_magic != HUGETLBFS_MAGIC) {
		found->kind = FM_PAGE_FILE;
		found->inode = mapping->host;
	} else {
		found->kind = FM_PAGE_OTHER;
	}
}
