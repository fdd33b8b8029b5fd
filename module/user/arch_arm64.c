// SPDX-License-Identifier: GPL-2.0
/*
 * The vdso of arm64: see arch.h.
 *
 * The kernel exports nothing about its vdso, but a process's mapping of it has its pages,
 * which are a part of the kernel. They are the same for all processes, and stay.
 *
 * Locking: the image is published with release semantics; it only grows.
 */
#include <linux/mm.h>
#include <linux/string.h>

#include "arch.h"

/* The largest that was seen: a process can unmap the end of its own. */
static const void *fm_vdso_image;
static size_t fm_vdso_bytes;

/* Return: the kernel's description of a mapping that it has made itself; or NULL. */
static const struct vm_special_mapping *fm_special_mapping(const struct vm_area_struct *vma)
{
	/* Other mappings without a file have no operations. */
	return vma->vm_file || !vma->vm_ops ? NULL : vma->vm_private_data;
}

/**
 * fm_arch_vdso() - find the vdso that a mapping has.
 * @vma: a mapping without a file
 *
 * Context: Any; the list of mappings is locked.
 * Return: the vdso, or none.
 */
struct fm_vdso fm_arch_vdso(const struct vm_area_struct *vma)
{
	const struct vm_special_mapping *mapping = fm_special_mapping(vma);
	struct fm_vdso vdso = { };

	if (vma->vm_start != (unsigned long)vma->vm_mm->context.vdso || !mapping ||
	    !mapping->pages || !mapping->name || strcmp(mapping->name, "[vdso]"))
		return vdso;
	vdso.image = page_address(mapping->pages[0]);
	vdso.bytes = vma->vm_end - vma->vm_start;
	if (READ_ONCE(fm_vdso_bytes) < vdso.bytes) {
		WRITE_ONCE(fm_vdso_bytes, vdso.bytes);
		/* Pairs with fm_arch_vdso_page(). */
		smp_store_release(&fm_vdso_image, vdso.image);
	}
	return vdso;
}

/**
 * fm_arch_vdso_page() - find the vdso that a page of the kernel's belongs to.
 * @mm: the memory in which it is mapped
 * @address: where
 * @pfn: the page's number
 *
 * Context: Any.
 * Return: the vdso; none if it is another page, or if no vdso was met so far.
 */
struct fm_vdso fm_arch_vdso_page(const struct mm_struct *mm, unsigned long address,
				 unsigned long pfn)
{
	unsigned long offset = address - (unsigned long)READ_ONCE(mm->context.vdso);
	struct fm_vdso vdso = { };
	/* Pairs with fm_arch_vdso(). */
	const void *image = smp_load_acquire(&fm_vdso_image);

	if (image && offset < READ_ONCE(fm_vdso_bytes) &&
	    PHYS_PFN(__pa(image + offset)) == pfn) {
		vdso.image = image;
		vdso.bytes = READ_ONCE(fm_vdso_bytes);
	}
	return vdso;
}
