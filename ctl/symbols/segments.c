// SPDX-License-Identifier: GPL-2.0
/*
 * Read or restore the segments of a program: see segments.h.
 *
 * A debug file has the program headers of its program, but not always the offsets in
 * them: eu-strip keeps them; objcopy --only-keep-debug replaces them by offsets in the
 * debug file, where the text takes no room. The addresses, the sizes in memory and the
 * alignment stay. Linkers put segments into a file in the order of their addresses, so
 * - a segment does not begin before the end of the one before it;
 * - its offset is at most its distance from the first segment, which begins at 0;
 * - its offset equals its address, modulo its alignment.
 * In most programs only one offset meets this. If several do, none is taken: names at a
 * wrong offset would be wrong.
 */
#include "symbols/segments.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>

#include "base/vec.h"

static int add(struct segments *segments, const struct segment *segment)
{
	if (vec_reserve(segments->list, segments->room, segments->nr + 1))
		return -ENOMEM;
	segments->list[segments->nr++] = *segment;
	return 0;
}

/* Call @visit for each segment that is loaded, until it returns an error. */
static int each_loaded(Elf *elf, int (*visit)(void *context, const GElf_Phdr *header),
		       void *context)
{
	GElf_Phdr header;
	size_t nr;
	int err = 0;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	for (size_t i = 0; i < nr && !err; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD)
			err = visit(context, &header);
	return err;
}

static int read_one(void *context, const GElf_Phdr *header)
{
	const struct segment segment = {
		.offset = header->p_offset, .size = header->p_filesz,
		.address = header->p_vaddr,
	};

	return add(context, &segment);
}

int segments_read(struct segments *segments, Elf *elf)
{
	return each_loaded(elf, read_one, segments);
}

/* What is known of the program's file while its segments are visited in order. */
struct restoring {
	struct segments *segments;
	Elf *elf;
	bool has_first;
	uint64_t first;			/* address of the first segment */
	uint64_t address;		/* the end of the segment before, */
	uint64_t offset;		/* and the least that its end in the file is */
};

/*
 * Report whether the first segment begins with the headers, and so at offset 0: these
 * are in no section, so there is room for them before the first one.
 */
static bool begins_with_headers(Elf *elf, uint64_t address)
{
	uint64_t lowest = UINT64_MAX;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t nr;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
		    header.sh_addr >= address && header.sh_addr < lowest)
			lowest = header.sh_addr;
	return !elf_getphdrnum(elf, &nr) &&
	       lowest - address >= gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT) +
				   gelf_fsize(elf, ELF_T_PHDR, nr, EV_CURRENT);
}

/* Where a segment may begin in the program's file. */
struct bounds {
	uint64_t least, most;
	uint64_t alignment;		/* a power of two */
};

/* Return: 0, or -ENOTSUP if it can begin nowhere. */
static int find_bounds(const struct restoring *restoring, const GElf_Phdr *header,
		       struct bounds *bounds)
{
	uint64_t mask;

	if (header->p_vaddr < restoring->address ||
	    header->p_memsz > UINT64_MAX - header->p_vaddr)
		return -ENOTSUP;
	bounds->alignment = header->p_align ?: 1;
	mask = bounds->alignment - 1;
	bounds->most = header->p_vaddr - restoring->first;
	bounds->least = restoring->offset + ((header->p_vaddr - restoring->offset) & mask);
	return bounds->alignment & mask || bounds->least < restoring->offset ||
	       bounds->least > bounds->most ? -ENOTSUP : 0;
}

/* A header whose size in the file is that in memory has been kept as it was. */
static bool is_kept(const GElf_Phdr *header)
{
	return header->p_filesz == header->p_memsz;
}

/*
 * Find the offset of a segment, or else the least one that it may have. Return: whether
 * it is certain.
 */
static bool find_offset(const struct bounds *bounds, const GElf_Phdr *header,
			uint64_t *offset)
{
	*offset = bounds->least;
	if (!is_kept(header))
		return bounds->most - bounds->least < bounds->alignment;
	if (header->p_offset < bounds->least || header->p_offset > bounds->most ||
	    (header->p_offset - bounds->least) & (bounds->alignment - 1))
		return false;
	*offset = header->p_offset;
	return true;
}

static int begin(struct restoring *restoring, const GElf_Phdr *header)
{
	if (!begins_with_headers(restoring->elf, header->p_vaddr))
		return -ENOTSUP;
	restoring->has_first = true;
	restoring->first = header->p_vaddr;
	restoring->address = header->p_vaddr;
	return 0;
}

/*
 * A segment that is not writable is whole in the file: only variables that are zero at
 * first are left out.
 */
static int restore_one(void *context, const GElf_Phdr *header)
{
	struct restoring *restoring = context;
	bool is_whole = is_kept(header) || !(header->p_flags & PF_W);
	struct segment segment = { .size = header->p_memsz, .address = header->p_vaddr };
	struct bounds bounds;
	bool is_certain;
	int err;

	if (!segment.size)
		return 0;
	err = restoring->has_first ? 0 : begin(restoring, header);
	err = err ?: find_bounds(restoring, header, &bounds);
	if (err)
		return err;
	is_certain = find_offset(&bounds, header, &segment.offset);
	restoring->address = segment.address + segment.size;
	restoring->offset = segment.offset + (is_whole ? segment.size : 0);
	if (!(header->p_flags & PF_X))
		return 0;
	return is_certain && is_whole ? add(restoring->segments, &segment) : -ENOTSUP;
}

/* Without a table, libdwfl would look for dynamic symbols where the program has them. */
static bool has_symbol_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

int segments_restore(struct segments *segments, Elf *elf)
{
	struct restoring restoring = { .segments = segments, .elf = elf };
	int err = has_symbol_table(elf) ? each_loaded(elf, restore_one, &restoring) :
					  -ENOTSUP;

	return err ?: segments->nr ? 0 : -ENOTSUP;
}

void segments_deinit(struct segments *segments)
{
	free(segments->list);
}

bool segments_address(const struct segments *segments, uint64_t offset,
		      uint64_t *address)
{
	for (size_t i = 0; i < segments->nr; i++) {
		const struct segment *segment = &segments->list[i];

		if (offset < segment->offset || offset - segment->offset >= segment->size)
			continue;
		*address = offset - segment->offset + segment->address;
		return true;
	}
	return false;
}
