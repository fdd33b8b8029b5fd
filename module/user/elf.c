// SPDX-License-Identifier: GPL-2.0
/*
 * Reads from an ELF file what the walk needs: see elf.h.
 */
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "elf.h"

#ifndef NT_GNU_BUILD_ID
#define NT_GNU_BUILD_ID	3
#endif

/* Some linkers give .eh_frame a type of its own. */
#ifndef SHT_X86_64_UNWIND
#define SHT_X86_64_UNWIND	0x70000001
#endif

/* Note where a PT_LOAD segment is. Segments beyond the limit are ignored. */
static void fm_elf_segment(struct fm_elf *elf, const struct elf64_phdr *header)
{
	if (elf->nr_segments == FM_ELF_SEGMENTS ||
	    header->p_offset + header->p_filesz < header->p_offset ||
	    header->p_vaddr + header->p_filesz < header->p_vaddr)
		return;
	elf->segments[elf->nr_segments++] = (struct fm_elf_segment){
		.offset = header->p_offset,
		.address = header->p_vaddr,
		.bytes = header->p_filesz,
		.is_text = header->p_flags & PF_X,
	};
}

/* Look for the build-id in a PT_NOTE. Return: 0 or the reader's error. */
static int fm_elf_notes(struct fm_elf *elf, const struct elf64_phdr *header)
{
	u64 at = header->p_offset, left = min_t(u64, header->p_filesz, FM_ELF_NOTES);
	struct elf64_note note;
	char name[4];
	int err;

	while (left >= sizeof(note)) {
		u64 name_bytes, bytes;

		err = elf->read(elf->arg, at, &note, sizeof(note));
		if (err)
			return err;
		name_bytes = ((u64)note.n_namesz + 3) & ~3ull;
		bytes = sizeof(note) + name_bytes + (((u64)note.n_descsz + 3) & ~3ull);
		if (bytes > left)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(name) &&
		    note.n_descsz && note.n_descsz <= FM_BUILD_ID_MAX) {
			err = elf->read(elf->arg, at + sizeof(note), name, sizeof(name));
			if (!err && !memcmp(name, "GNU", sizeof(name))) {
				err = elf->read(elf->arg, at + sizeof(note) + name_bytes,
						elf->build_id, note.n_descsz);
				elf->build_id_bytes = err ? 0 : note.n_descsz;
				return err;
			}
			if (err)
				return err;
		}
		at += bytes;
		left -= bytes;
	}
	return 0;
}

static int fm_elf_header(struct fm_elf *elf, const struct elf64_phdr *header)
{
	switch (header->p_type) {
	case PT_LOAD:
		fm_elf_segment(elf, header);
		break;
	case PT_GNU_EH_FRAME:
		elf->hdr = header->p_vaddr;
		elf->hdr_bytes = header->p_memsz;
		break;
	case PT_NOTE:
		if (!elf->build_id_bytes)
			return fm_elf_notes(elf, header);
		break;
	}
	return 0;
}

/**
 * fm_elf_open() - read an ELF file's headers.
 * @elf: @read, @arg and @machine are set, all else is zero
 *
 * Context: Process context, since the reader may sleep.
 * Return: 0; -ENOEXEC if it is not a 64-bit program or library for this machine;
 * or the reader's error.
 */
int fm_elf_open(struct fm_elf *elf)
{
	struct elf64_hdr head;
	struct elf64_phdr header;
	u32 i, nr;
	int err;

	err = elf->read(elf->arg, 0, &head, sizeof(head));
	if (err)
		return err;
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_ident[EI_DATA] != ELFDATA2LSB ||
	    (head.e_type != ET_EXEC && head.e_type != ET_DYN) ||
	    head.e_machine != elf->machine->elf || head.e_phentsize != sizeof(header))
		return -ENOEXEC;
	elf->entry = head.e_entry;
	if (head.e_shentsize == sizeof(struct elf64_shdr)) {
		elf->sections = head.e_shoff;
		elf->nr_sections = min_t(u32, head.e_shnum, FM_ELF_SECTIONS);
		elf->names = head.e_shstrndx;
	}
	nr = min_t(u32, head.e_phnum, FM_ELF_HEADERS);
	for (i = 0; i < nr; i++) {
		if (head.e_phoff + i * sizeof(header) < head.e_phoff)
			return -ENOEXEC;
		err = elf->read(elf->arg, head.e_phoff + i * sizeof(header), &header,
				sizeof(header));
		if (!err)
			err = fm_elf_header(elf, &header);
		if (err)
			return err;
	}
	return 0;
}

/* Read a section header. Return: 0; -ENOENT if there is none; or the reader's error. */
static int fm_elf_section(const struct fm_elf *elf, u32 i, struct elf64_shdr *section)
{
	if (i >= elf->nr_sections)
		return -ENOENT;
	return elf->read(elf->arg, elf->sections + i * sizeof(*section), section,
			 sizeof(*section));
}

#define FM_ELF_NAME	10	/* bytes of the longest name of a section that is looked for */

/*
 * Return: 1 if a section is in memory and has a name, of @bytes with the NUL; 0 if not; or
 * the reader's error.
 */
static int fm_elf_is_named(const struct fm_elf *elf, const struct elf64_shdr *section,
			   const struct elf64_shdr *names, const char *wanted, size_t bytes)
{
	char name[FM_ELF_NAME];
	int err;

	if (!(section->sh_flags & SHF_ALLOC) ||
	    (section->sh_type != SHT_PROGBITS && section->sh_type != SHT_X86_64_UNWIND))
		return 0;
	if (section->sh_name > names->sh_size ||
	    bytes > names->sh_size - section->sh_name)
		return 0;
	err = elf->read(elf->arg, names->sh_offset + section->sh_name, name, bytes);
	return err ? err : !memcmp(name, wanted, bytes);
}

/* Find a section in memory by its name. Return: 0, -ENOENT or the reader's error. */
static int fm_elf_find(const struct fm_elf *elf, const char *wanted, size_t wanted_bytes,
		       u64 *address, u64 *bytes)
{
	struct elf64_shdr names, section;
	int err = fm_elf_section(elf, elf->names, &names);
	u32 i;

	for (i = 0; !err && i < elf->nr_sections; i++) {
		err = fm_elf_section(elf, i, &section);
		if (!err)
			err = fm_elf_is_named(elf, &section, &names, wanted, wanted_bytes);
		if (err > 0) {
			*address = section.sh_addr;
			*bytes = section.sh_size;
			return 0;
		}
	}
	return err ? err : -ENOENT;
}

/**
 * fm_elf_frame() - find .eh_frame by its section header.
 * @elf: opened
 * @address: set to its address, as linked
 * @bytes: set to its size
 *
 * A program that can run needs no section headers, so this is for programs that have no
 * PT_GNU_EH_FRAME.
 *
 * Context: Process context, since the reader may sleep.
 * Return: 0; -ENOENT if there is none; or the reader's error.
 */
int fm_elf_frame(const struct fm_elf *elf, u64 *address, u64 *bytes)
{
	static const char name[FM_ELF_NAME] = ".eh_frame";

	return fm_elf_find(elf, name, sizeof(name), address, bytes);
}

/**
 * fm_elf_plt() - find the PLT by its section header.
 * @elf: opened
 * @address: set to its address, as linked
 * @bytes: set to its size
 *
 * Context: Process context, since the reader may sleep.
 * Return: 0; -ENOENT if there is none; or the reader's error.
 */
int fm_elf_plt(const struct fm_elf *elf, u64 *address, u64 *bytes)
{
	static const char name[] = ".plt";

	return fm_elf_find(elf, name, sizeof(name), address, bytes);
}

/**
 * fm_elf_read() - read bytes by their address, as linked.
 * @arg: a struct fm_elf, opened
 * @address: the address
 * @to: where to copy them
 * @bytes: how many
 *
 * Context: Process context, since the reader may sleep.
 * Return: 0; -EFAULT if they are not all in one segment of the file; or the
 * reader's error.
 */
int fm_elf_read(void *arg, u64 address, void *to, size_t bytes)
{
	const struct fm_elf *elf = arg;
	u32 i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf->segments[i];
		u64 within = address - segment->address;

		if (address >= segment->address && within <= segment->bytes &&
		    bytes <= segment->bytes - within)
			return elf->read(elf->arg, segment->offset + within, to, bytes);
	}
	return -EFAULT;
}

/**
 * fm_elf_address() - turn an offset in the file into an address, as linked.
 * @elf: opened
 * @offset: of an instruction
 * @address: set if it is in text
 *
 * Context: Any.
 * Return: whether it is in text.
 */
bool fm_elf_address(const struct fm_elf *elf, u64 offset, u64 *address)
{
	u32 i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf->segments[i];

		if (segment->is_text && offset >= segment->offset &&
		    offset - segment->offset < segment->bytes) {
			*address = segment->address + (offset - segment->offset);
			return true;
		}
	}
	return false;
}
