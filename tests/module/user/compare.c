// SPDX-License-Identifier: GPL-2.0
/*
 * compare FILE... - compile each ELF file's .eh_frame, of x86-64 or arm64, with the module's own source
 * and with libdw, and compare what they say of every address.
 *
 * Prints a line for each file: its name, how many rows, bytes of text, and how
 * many ranges differ; then sums. Exit status 1 if any range differs.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../module/user/cfi.h"
#include "../../../module/user/elf.h"

#define MAX_ROWS	FM_CHUNK_BYTES
#define SHOWN		5

struct object {
	const char *path;
	const unsigned char *bytes;
	size_t nr;
	const struct fm_machine *machine;
	Dwarf_CFI *dw;
	unsigned long rows, text, differ;
	unsigned long indexes, bare;	/* an index was made and compared; or used */
	unsigned int most;	/* read for a chunk */
	unsigned long kinds[FM_CFA_END + 1];	/* bytes of text */
	unsigned long unruled;	/* bytes of text that have an entry, but no row */
	unsigned long in_link, by_base, lost_bp;	/* bytes of text, on arm64 */
};

static struct fm_row rows[MAX_ROWS];
static struct fm_cfi_buffer buffer;
static const char *const kinds[] = {
	"none", "gap", "sp", "bp", "bx", "bp-load", "sp-load", "plt", "signal", "end",
};

static int read_object(void *arg, u64 offset, void *to, size_t bytes)
{
	const struct object *object = arg;

	if (offset > object->nr || bytes > object->nr - offset)
		return -EFAULT;
	memcpy(to, object->bytes + offset, bytes);
	return 0;
}

/* Convert libdw's answer for a register to a part of a row. */
static s8 saved(Dwarf_Frame *frame, int column)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;
	long offset;

	if (dwarf_frame_register(frame, column, mem, &ops, &nr))
		return FM_SAVED_LOST;
	/*
	 * Undefined or unchanged. libdw's defaults for x86-64 call rbx undefined, which
	 * no compiler says of it.
	 */
	if (!nr)
		return ops && column != 3 ? FM_SAVED_LOST : 0;
	/* an expression too starts with the CFA, which "bp + offset" does not use */
	if (nr != 2 || ops[0].atom != DW_OP_call_frame_cfa)
		return FM_SAVED_LOST;
	offset = ops[1].number;
	if (ops[1].atom == DW_OP_plus_uconst && offset % 8 == 0 && offset < 0 &&
	    offset >= -1024)
		return offset / 8;
	if (ops[1].atom == DW_OP_breg6 && offset % 8 == 0 && offset <= 0 && offset > -8 * 126)
		return 1 - offset / 8;
	return FM_SAVED_LOST;
}

/* Return: whether libdw says that a register was saved at sp + @offset. */
static bool is_at_sp(Dwarf_Frame *frame, int column, long offset)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;

	return !dwarf_frame_register(frame, column, mem, &ops, &nr) && nr == 2 &&
	       ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_breg7 &&
	       (long)ops[1].number == offset;
}

/* Convert libdw's answer for a signal handler's return to a row. */
static struct fm_row signal_row_of(Dwarf_Frame *frame)
{
	struct fm_row row = { .kind = FM_CFA_NONE };
	Dwarf_Op *ops;
	size_t nr;
	long at;

	if (dwarf_frame_cfa(frame, &ops, &nr) || nr != 2 || ops[0].atom != DW_OP_breg7 ||
	    ops[1].atom != DW_OP_deref)
		return row;
	at = (long)ops[0].number - 160;		/* of the kernel's struct ucontext */
	if (at % 8 || at / 8 < INT16_MIN || at / 8 > INT16_MAX ||
	    !is_at_sp(frame, 16, at + 168) || !is_at_sp(frame, 6, at + 120) ||
	    !is_at_sp(frame, 3, at + 128))
		return row;
	return (struct fm_row){ .kind = FM_CFA_SIGNAL, .cfa = at / 8 };
}

/*
 * Convert libdw's answer for a register of arm64: saved at CFA + offset, or at base + offset,
 * if that is too far; the CFA is the base and @cfa, or it is not known from a base.
 */
static s8 saved_link(Dwarf_Frame *frame, int column, bool has_base, long cfa)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;
	long offset;

	if (dwarf_frame_register(frame, column, mem, &ops, &nr))
		return FM_SAVED_LOST;
	if (!nr)
		return ops ? FM_SAVED_LOST : 0;
	if (nr != 2 || ops[0].atom != DW_OP_call_frame_cfa || ops[1].atom != DW_OP_plus_uconst)
		return FM_SAVED_LOST;
	offset = ops[1].number;
	if (offset % 8)
		return FM_SAVED_LOST;
	if (offset < 0 && offset >= -1024)
		return offset / 8;
	offset += cfa;
	return has_base && offset >= 0 && offset % 8 == 0 && offset < 8 * 126 ? 1 + offset / 8 :
										FM_SAVED_LOST;
}

/* As row_of(), for arm64. */
static struct fm_row row_of_arm64(Dwarf_Frame *frame)
{
	const struct fm_row none = { .kind = FM_CFA_NONE };
	struct fm_row row = none;
	Dwarf_Op *ops, mem[3], *ret;
	size_t nr, nr_ret;
	bool is_signal;
	int column = dwarf_frame_info(frame, NULL, NULL, &is_signal);
	long offset;

	if (is_signal || column != 30 || dwarf_frame_register(frame, 30, mem, &ret, &nr_ret))
		return none;
	if (!nr_ret && ret)
		return (struct fm_row){ .kind = FM_CFA_END };
	if (dwarf_frame_cfa(frame, &ops, &nr) || nr != 1)
		return none;
	offset = ops[0].atom == DW_OP_bregx ? ops[0].number2 : ops[0].number;
	if (ops[0].atom == DW_OP_breg31 || (ops[0].atom == DW_OP_bregx && ops[0].number == 31))
		row.kind = FM_CFA_SP;
	else if (ops[0].atom == DW_OP_breg29 || (ops[0].atom == DW_OP_bregx && ops[0].number == 29))
		row.kind = FM_CFA_BP;
	if (row.kind == FM_CFA_NONE || offset % 8 || offset / 8 < INT16_MIN ||
	    offset / 8 > INT16_MAX)
		return none;
	row.cfa = offset / 8;
	row.bp = saved_link(frame, 29, true, offset);
	row.lr = saved_link(frame, 30, true, offset);
	return row.lr == FM_SAVED_LOST ? none : row;
}

static bool are_ops(const Dwarf_Op *ops, size_t nr, const u8 *atoms, size_t nr_atoms)
{
	for (size_t i = 0; i < nr && nr == nr_atoms; i++)
		if (ops[i].atom != atoms[i])
			return false;
	return nr == nr_atoms;
}

/* Convert libdw's answer for an address to a row. */
static struct fm_row row_of(Dwarf_Frame *frame)
{
	static const u8 plt[] = {
		DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0, DW_OP_ge,
		DW_OP_lit3, DW_OP_shl, DW_OP_plus,
	};
	struct fm_row row = { .kind = FM_CFA_NONE };
	Dwarf_Op *ops, mem[3], *ret;
	size_t nr, nr_ret;
	bool is_signal;
	int column = dwarf_frame_info(frame, NULL, NULL, &is_signal);
	long offset;

	if (is_signal)
		return signal_row_of(frame);
	if (column != 16 || dwarf_frame_register(frame, 16, mem, &ret, &nr_ret))
		return row;
	if (!nr_ret && ret)
		return (struct fm_row){ .kind = FM_CFA_END };
	if (nr_ret != 2 || ret[0].atom != DW_OP_call_frame_cfa ||
	    ret[1].atom != DW_OP_plus_uconst || (long)ret[1].number != -8)
		return row;
	if (dwarf_frame_cfa(frame, &ops, &nr) || !nr)
		return row;
	if (ops[0].atom == DW_OP_bregx) {	/* a register and an offset */
		ops[0].atom = DW_OP_breg0 + ops[0].number;
		ops[0].number = ops[0].number2;
	}
	offset = ops[0].number;
	if (nr == 1 && ops[0].atom == DW_OP_breg7)
		row.kind = FM_CFA_SP;
	else if (nr == 1 && ops[0].atom == DW_OP_breg6)
		row.kind = FM_CFA_BP;
	else if (nr == 1 && ops[0].atom == DW_OP_breg3)
		row.kind = FM_CFA_BX;
	else if (nr == 2 && ops[0].atom == DW_OP_breg6 && ops[1].atom == DW_OP_deref)
		row.kind = FM_CFA_BP_LOAD;
	else if (nr == 3 && ops[0].atom == DW_OP_breg7 && ops[1].atom == DW_OP_deref &&
		 ops[2].atom == DW_OP_plus_uconst && ops[2].number == 8)
		row.kind = FM_CFA_SP_LOAD;
	else if (nr == 9 && offset == 8) {
		u8 atoms[9];

		memcpy(atoms, plt, sizeof(atoms));
		atoms[4] = ops[4].atom;
		if (!are_ops(ops, nr, atoms, 9) || ops[1].number ||
		    ops[4].atom < DW_OP_lit0 || ops[4].atom > DW_OP_lit15)
			return row;
		row.kind = FM_CFA_PLT;
		row.cfa = ops[4].atom - DW_OP_lit0;
	}
	if (row.kind == FM_CFA_NONE)
		return row;
	if (row.kind != FM_CFA_PLT) {
		if (offset % 8 || offset / 8 < INT16_MIN || offset / 8 > INT16_MAX)
			return (struct fm_row){ .kind = FM_CFA_NONE };
		row.cfa = offset / 8;
	}
	row.bp = saved(frame, 6);
	row.bx = saved(frame, 3);
	return row;
}

static void differ(struct object *object, u64 address, const struct fm_row *ours,
		   const struct fm_row *theirs)
{
	if (object->differ++ < SHOWN)
		printf("# %s: 0x%llx: %s %d bp %d bx %d, libdw: %s %d bp %d bx %d\n",
		       object->path, (unsigned long long)address,
		       kinds[ours->kind], ours->cfa, ours->bp, ours->bx,
		       kinds[theirs->kind], theirs->cfa, theirs->bp, theirs->bx);
}

/* Compare the rows of one chunk with libdw's, range by range. */
static void compare_chunk(struct object *object, u64 from, u64 to, u32 nr)
{
	u64 address = from;
	u32 i = 0;

	while (address < to) {
		struct fm_row theirs = { .kind = FM_CFA_NONE };
		Dwarf_Addr start, end;
		Dwarf_Frame *frame;
		bool is_signal, has_entry;
		u64 next;

		while (i + 1 < nr && from + rows[i + 1].start <= address)
			i++;
		next = i + 1 < nr ? from + rows[i + 1].start : to;
		has_entry = !dwarf_cfi_addrframe(object->dw, address, &frame);
		if (has_entry) {
			theirs = object->machine->has_link ? row_of_arm64(frame) : row_of(frame);
			dwarf_frame_info(frame, &start, &end, &is_signal);
			if (end > address && end < next)
				next = end;
			free(frame);
		}
		object->kinds[rows[i].kind] += next - address;
		if (has_entry && rows[i].kind == FM_CFA_NONE)
			object->unruled += next - address;
		if (object->machine->has_link && rows[i].kind >= FM_CFA_SP &&
		    rows[i].kind < FM_CFA_SIGNAL) {
			object->in_link += rows[i].lr ? 0 : next - address;
			object->by_base += rows[i].lr > 0 ? next - address : 0;
			object->lost_bp += rows[i].bp == FM_SAVED_LOST ? next - address : 0;
		}
		if (rows[i].kind == FM_CFA_GAP)
			rows[i].kind = FM_CFA_NONE;
		if (rows[i].kind != theirs.kind || rows[i].cfa != theirs.cfa ||
		    rows[i].bp != theirs.bp || rows[i].bx != theirs.bx)
			differ(object, address, &rows[i], &theirs);
		address = next;
	}
}

static void compare_segment(struct object *object, struct fm_cfi *cfi,
			    const struct fm_elf_segment *segment)
{
	u64 end = segment->address + segment->bytes;

	for (u64 from = segment->address; from < end; from += FM_CHUNK_BYTES) {
		u64 to = from + FM_CHUNK_BYTES < end ? from + FM_CHUNK_BYTES : end;
		u64 function;
		int nr = fm_cfi_compile(cfi, from, to - from, rows, MAX_ROWS, &function);

		if (nr <= 0 || rows[0].start != 0) {
			printf("# %s: 0x%llx: %d rows\n", object->path,
			       (unsigned long long)from, nr);
			object->differ++;
			continue;
		}
		object->rows += nr;
		object->text += to - from;
		if (FM_CFI_READS_MAX - cfi->left > object->most)
			object->most = FM_CFI_READS_MAX - cfi->left;
		compare_chunk(object, from, to, nr);
	}
}

/* Read the build-id by elfutils. */
static void compare_build_id(struct object *object, const struct fm_elf *ours, Elf *elf)
{
	const void *bytes = NULL;
	ssize_t nr = dwelf_elf_gnu_build_id(elf, &bytes);

	if (nr > FM_BUILD_ID_MAX || (nr < 0 ? 0 : nr) != ours->build_id_bytes ||
	    (nr > 0 && memcmp(bytes, ours->build_id, nr))) {
		printf("# %s: another build-id of %d bytes\n", object->path,
		       ours->build_id_bytes);
		object->differ++;
	}
}

/* Make an index as for a program without one. Return: its pairs, or NULL. */
static struct fm_cfi_pair *make_index(struct fm_cfi *cfi, const struct fm_elf *ours,
				      u64 *frame, int *nr)
{
	const struct fm_cfi_source source = {
		.read = fm_elf_read, .arg = (void *)ours, .machine = ours->machine,
	};
	struct fm_cfi_pair *pairs;
	u64 bytes;

	if (fm_elf_frame(ours, frame, &bytes))
		return NULL;
	*nr = fm_cfi_index_count(cfi, &source, *frame, bytes, &buffer);
	if (*nr <= 0)
		return NULL;
	pairs = calloc(*nr, sizeof(*pairs));
	*nr = fm_cfi_index(cfi, pairs, *nr);
	return pairs;
}

static s64 index_at(const struct fm_elf *ours, u64 address)
{
	s32 number = 0;

	if (fm_elf_read((void *)ours, address, &number, sizeof(number)))
		return INT64_MIN;
	return number;
}

/* Compare an index that is made with the one that the linker made. */
static void compare_index(struct object *object, const struct fm_elf *ours)
{
	struct fm_cfi_pair *pairs;
	struct fm_cfi cfi;
	u64 frame;
	int nr;

	pairs = make_index(&cfi, ours, &frame, &nr);
	if (!pairs)
		return;
	object->indexes++;
	if (nr != index_at(ours, ours->hdr + 8))
		goto differs;
	for (int i = 0; i < nr; i++) {
		u64 at = ours->hdr + 12 + 8ull * i;

		if (frame + pairs[i].text != ours->hdr + index_at(ours, at) ||
		    frame + pairs[i].fde != ours->hdr + index_at(ours, at + 4))
			goto differs;
	}
	free(pairs);
	return;
differs:
	printf("# %s: another index of %d functions\n", object->path, nr);
	object->differ++;
	free(pairs);
}

/* Return: the machine that a file is for. */
static const struct fm_machine *machine_of(const struct object *object)
{
	const Elf64_Ehdr *head = (const void *)object->bytes;

	return object->nr >= sizeof(*head) && head->e_machine == EM_AARCH64 ?
	       &fm_machine_arm64 : &fm_machine_x86;
}

/* Return: whether a file was compared: it is one of these machines, with tables. */
static bool compare_object(struct object *object, Elf *elf)
{
	struct fm_elf ours = {
		.read = read_object, .arg = object, .machine = machine_of(object),
	};
	const struct fm_cfi_source source = {
		.read = fm_elf_read, .arg = &ours, .machine = ours.machine,
	};
	struct fm_cfi_pair *pairs = NULL;
	struct fm_cfi cfi;
	u64 frame;
	int nr;

	object->machine = ours.machine;
	if (fm_elf_open(&ours))
		return false;
	object->dw = dwarf_getcfi_elf(elf);
	if (!object->dw)
		return false;
	if (!ours.hdr) {
		pairs = make_index(&cfi, &ours, &frame, &nr);
		if (!pairs || nr <= 0)
			return false;
		fm_cfi_open_index(&cfi, &source, frame, pairs, nr, &buffer);
		object->bare = 1;
	} else {
		compare_index(object, &ours);
		if (fm_cfi_open(&cfi, &source, ours.hdr, ours.hdr_bytes, &buffer))
			return false;
	}
	compare_build_id(object, &ours, elf);
	for (u32 i = 0; i < ours.nr_segments; i++)
		if (ours.segments[i].is_text)
			compare_segment(object, &cfi, &ours.segments[i]);
	free(pairs);
	return true;
}

int main(int argc, char **argv)
{
	struct object sum = { 0 };
	unsigned long files = 0;

	elf_version(EV_CURRENT);
	for (int i = 1; i < argc; i++) {
		struct object object = { .path = argv[i] };
		int fd = open(argv[i], O_RDONLY);
		struct stat st;
		Elf *elf;

		if (fd < 0 || fstat(fd, &st) || !st.st_size) {
			close(fd);
			continue;
		}
		object.nr = st.st_size;
		object.bytes = mmap(NULL, object.nr, PROT_READ, MAP_PRIVATE, fd, 0);
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		if (object.bytes != MAP_FAILED && elf && compare_object(&object, elf)) {
			printf("%s\t%lu\t%lu\t%lu\n", object.path, object.rows, object.text,
			       object.differ);
			files++;
			sum.rows += object.rows;
			sum.text += object.text;
			sum.differ += object.differ;
			sum.indexes += object.indexes;
			sum.bare += object.bare;
			sum.unruled += object.unruled;
			sum.in_link += object.in_link;
			sum.by_base += object.by_base;
			sum.lost_bp += object.lost_bp;
			if (object.most > sum.most)
				sum.most = object.most;
			for (size_t k = 0; k <= FM_CFA_END; k++)
				sum.kinds[k] += object.kinds[k];
		}
		elf_end(elf);
		munmap((void *)object.bytes, object.nr);
		close(fd);
	}
	printf("%lu files\t%lu rows\t%lu bytes of text\t%lu differ\n", files, sum.rows,
	       sum.text, sum.differ);
	printf("at most %u of %u were read for a chunk\n", sum.most, FM_CFI_READS_MAX);
	printf("%lu indexes were made and compared\n", sum.indexes);
	printf("%lu without an index were compared\n", sum.bare);
	printf("%lu bytes have an entry that rows cannot express\n", sum.unruled);
	printf("in the text of arm64 the return address is in the register in %lu bytes, "
	       "far from the CFA in %lu; x29 is lost in %lu\n", sum.in_link, sum.by_base,
	       sum.lost_bp);
	for (size_t k = 0; k <= FM_CFA_END; k++)
		printf("%s\t%lu bytes\n", kinds[k], sum.kinds[k]);
	return sum.differ || !files;
}
