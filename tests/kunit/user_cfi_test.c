// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind tables that are made here: an index for programs without one, and the rows of a
 * signal handler's return. tests/module/user compares real programs' with libdw's.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/user/cfi.h"
#include "suites.h"

#define FM_FRAME	0x10000ull	/* the address of .eh_frame */
#define FM_TEXT		0x40000ull
#define FM_PAIRS	8

/* .eh_frame, and where its next byte goes. */
struct fm_made {
	u8 bytes[2 * FM_CFI_BLOCK];
	u32 nr;
	u64 address;		/* of its first byte */
	u32 length;		/* where the length of the current entry is */
	u32 cie;		/* where the last CIE is */
};

static struct fm_made fm_made;
static struct fm_cfi fm_cfi;
static struct fm_cfi_pair fm_pairs[FM_PAIRS + 1];
static struct fm_row fm_rows[64];
static struct fm_cfi_buffer fm_buffer;

static int fm_read_made(void *arg, u64 address, void *to, size_t bytes)
{
	u64 offset = address - fm_made.address;

	if (address < fm_made.address || offset > fm_made.nr || bytes > fm_made.nr - offset)
		return -EFAULT;
	memcpy(to, fm_made.bytes + offset, bytes);
	return 0;
}

static struct fm_cfi_source fm_source = { .read = fm_read_made };

static void fm_put(u64 number, u32 bytes)
{
	memcpy(fm_made.bytes + fm_made.nr, &number, bytes);
	fm_made.nr += bytes;
}

static void fm_put_bytes(const void *bytes, u32 nr)
{
	if (!nr)
		return;
	memcpy(fm_made.bytes + fm_made.nr, bytes, nr);
	fm_made.nr += nr;
}

static void fm_entry_begin(void)
{
	fm_made.length = fm_made.nr;
	fm_put(0, 4);
}

static void fm_entry_end(void)
{
	u32 bytes = fm_made.nr - fm_made.length - 4;

	memcpy(fm_made.bytes + fm_made.length, &bytes, 4);
}

/* A CIE: its letters, and how its functions' addresses are encoded; CFA = sp + 8, or sp. */
static void fm_put_cie(const char *letters, u8 encoding)
{
	fm_made.cie = fm_made.nr;
	fm_entry_begin();
	fm_put(0, 4);
	fm_put(1, 1);			/* version */
	fm_put_bytes(letters, strlen(letters) + 1);
	fm_put(1, 1);			/* code alignment */
	fm_put(0x78, 1);		/* data alignment: -8 */
	fm_put(fm_source.machine->ret, 1);	/* the return address's column */
	fm_put(1, 1);
	fm_put(encoding, 1);
	if (fm_source.machine->has_link)
		fm_put_bytes("\x0c\x1f\x00", 3);
	else
		fm_put_bytes("\x0c\x07\x08\x90\x01", 5);
	fm_entry_end();
}

/* An FDE of the last CIE, with addresses of 4 bytes from the place where they stand. */
static void fm_put_fde(u64 text, u32 bytes, const void *instructions, u32 nr)
{
	fm_entry_begin();
	fm_put(fm_made.nr - fm_made.cie, 4);
	fm_put((u32)(text - (fm_made.address + fm_made.nr)), 4);
	fm_put(bytes, 4);
	fm_put(0, 1);
	fm_put_bytes(instructions, nr);
	fm_entry_end();
}

static int fm_user_cfi_begin(struct kunit *test)
{
	fm_made = (struct fm_made){ .address = FM_FRAME };
	memset(fm_pairs, 0x5a, sizeof(fm_pairs));
	fm_source.machine = &fm_machine_x86;
	return 0;
}

/* Two functions, the second one first, and what ends the section. */
static void fm_put_two(void)
{
	fm_put_cie("zR", 0x1b);
	fm_put_fde(FM_TEXT + 0x100, 0x20, "\x41\x0e\x10", 3);	/* advance 1; offset 16 */
	fm_put_fde(FM_TEXT, 0x80, NULL, 0);
	fm_put(0, 4);
}

static int fm_make_index(u32 max)
{
	int nr = fm_cfi_index_count(&fm_cfi, &fm_source, FM_FRAME, fm_made.nr, &fm_buffer);

	return nr < 0 ? nr : fm_cfi_index(&fm_cfi, fm_pairs, max);
}

static void an_index_is_sorted_and_used(struct kunit *test)
{
	u64 function;
	int nr;

	fm_put_two();
	KUNIT_ASSERT_EQ(test, fm_cfi_index_count(&fm_cfi, &fm_source, FM_FRAME, fm_made.nr,
						 &fm_buffer), 2);
	KUNIT_ASSERT_EQ(test, fm_cfi_index(&fm_cfi, fm_pairs, 2), 2);
	KUNIT_EXPECT_EQ(test, fm_pairs[0].text, FM_TEXT - FM_FRAME);
	KUNIT_EXPECT_EQ(test, fm_pairs[1].text, FM_TEXT + 0x100 - FM_FRAME);
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, 2, &fm_buffer);
	nr = fm_cfi_compile(&fm_cfi, FM_TEXT, FM_CHUNK_BYTES, fm_rows, 64, &function);
	KUNIT_ASSERT_EQ(test, nr, 5);
	KUNIT_EXPECT_EQ(test, fm_rows[0].kind, FM_CFA_SP);
	KUNIT_EXPECT_EQ(test, fm_rows[0].cfa, 1);
	KUNIT_EXPECT_EQ(test, fm_rows[1].kind, FM_CFA_NONE);
	KUNIT_EXPECT_EQ(test, fm_rows[1].start, 0x80);
	KUNIT_EXPECT_EQ(test, fm_rows[3].cfa, 2);
	KUNIT_EXPECT_EQ(test, fm_rows[3].start, 0x101);
	KUNIT_EXPECT_EQ(test, fm_rows[4].kind, FM_CFA_GAP);
}

static void a_damaged_section_has_no_index(struct kunit *test)
{
	u32 last;

	fm_put_two();
	last = fm_made.length;
	/* Longer than the section. */
	fm_made.bytes[last + 1] = 1;
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), -EINVAL);
	/* It is damaged between the two passes. */
	fm_made.bytes[last + 1] = 0;
	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &fm_source, FM_FRAME, fm_made.nr,
						 &fm_buffer), 2);
	fm_made.bytes[last + 1] = 1;
	KUNIT_EXPECT_EQ(test, fm_cfi_index(&fm_cfi, fm_pairs, FM_PAIRS), -EINVAL);
	/* Shorter than any entry, even if the section then ends. */
	fm_made.bytes[last + 1] = 0;
	fm_made.bytes[last] = 3;
	memset(fm_made.bytes + last + 7, 0, 8);
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), -EINVAL);
	/* It ends early. */
	fm_made.bytes[last] = 0;
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), 1);
	/* It goes round the end of all addresses. */
	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &fm_source, FM_FRAME, -FM_FRAME + 1,
						 &fm_buffer), -EINVAL);
	/* It ends in part of an entry's head, or is not there. */
	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &fm_source, FM_FRAME, 7, &fm_buffer),
			0);
	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &fm_source, FM_TEXT, 64, &fm_buffer),
			-EFAULT);
}

/* A function that cannot be read, or is too far away, is left out. */
static void an_index_leaves_out_what_is_damaged(struct kunit *test)
{
	const u64 far = FM_FRAME + (1ull << 31);
	u32 other, fde;

	fm_put_two();
	fm_made.nr -= 4;
	other = fm_made.length;
	fde = fm_made.nr;
	fm_put_fde(FM_TEXT + 0x200, 0x10, NULL, 0);
	fm_made.bytes[fde + 4] = fde + 4 - other;	/* no CIE is there */
	/* Encoded as 8 bytes. */
	fm_put_cie("zR", 0);
	fm_entry_begin();
	fm_put(fm_made.nr - fm_made.cie, 4);
	fde = fm_made.nr;
	fm_put(far, 8);
	fm_put(16, 8);
	fm_put(0, 1);
	fm_entry_end();
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), 2);
	memset(fm_made.bytes + fde, 0, 8);
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), 3);
	KUNIT_EXPECT_EQ(test, fm_pairs[0].text, -(s32)FM_FRAME);
	/* A file that grows meanwhile has no more functions than there is room for. */
	memset(fm_pairs, 0x5a, sizeof(fm_pairs));
	KUNIT_EXPECT_EQ(test, fm_make_index(1), 1);
	KUNIT_EXPECT_EQ(test, fm_pairs[1].text, 0x5a5a5a5a);
}

static u32 fm_nr_reads;

/* @arg is the id of each entry: 0 is a CIE. */
static int fm_read_many(void *arg, u64 address, void *to, size_t bytes)
{
	const u32 entry[2] = { 4, *(u32 *)arg };
	size_t at;

	fm_nr_reads++;
	for (at = 0; at < bytes; at += sizeof(entry))
		memcpy(to + at, entry, min(bytes - at, sizeof(entry)));
	return 0;
}

static void an_index_is_bounded(struct kunit *test)
{
	u32 id = 4;
	const struct fm_cfi_source many = {
		.read = fm_read_many, .arg = &id, .machine = &fm_machine_x86,
	};

	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &many, FM_FRAME,
						 8ull * FM_CFI_INDEX_MAX, &fm_buffer),
			FM_CFI_INDEX_MAX);
	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &many, FM_FRAME,
						 8ull * FM_CFI_INDEX_MAX + 8, &fm_buffer),
			-E2BIG);
	id = 0;
	fm_nr_reads = 0;
	KUNIT_EXPECT_EQ(test, fm_cfi_index_count(&fm_cfi, &many, FM_FRAME, 1ull << 40,
						 &fm_buffer), -E2BIG);
	KUNIT_EXPECT_EQ(test, fm_nr_reads,
			DIV_ROUND_UP(FM_CFI_INDEX_READS_MAX / (FM_CFI_READ + 8),
				     FM_CFI_BLOCK / 8));
}

/* As glibc's: where the CFA is, and bp, bx and the return address, from sp. */
struct fm_restorer {
	u8 cfa[6];
	u8 bp[6];
	u8 bx[6];
	u8 ip[6];
};

static const struct fm_restorer fm_glibc = {
	.cfa = { 0x0f, 4, 0x77, 0xa0, 1, 0x06 },
	.bp = { 0x10, 6, 3, 0x77, 0xf8, 0 },
	.bx = { 0x10, 3, 3, 0x77, 0x80, 1 },
	.ip = { 0x10, 16, 3, 0x77, 0xa8, 1 },
};

static struct fm_row fm_restorer_row(struct kunit *test, const char *letters,
				     const struct fm_restorer *restorer)
{
	u64 function;
	int nr;

	fm_made = (struct fm_made){ .address = FM_FRAME };
	fm_put_cie(letters, 0x1b);
	fm_put_fde(FM_TEXT - 1, 10, restorer, sizeof(*restorer));
	nr = fm_make_index(FM_PAIRS);
	KUNIT_EXPECT_EQ(test, nr, 1);
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, nr, &fm_buffer);
	nr = fm_cfi_compile(&fm_cfi, FM_TEXT - 1, 64, fm_rows, 64, &function);
	KUNIT_EXPECT_GE(test, nr, 1);
	return fm_rows[0];
}

/* Only if all is where the kernel saves it. */
static void a_signal_frame_is_the_kernels(struct kunit *test)
{
	/* What comes one word after each of them, and the same place from bp. */
	static const u8 further[][2] = { { 0xa8, 1 }, { 0x80, 1 }, { 0x88, 1 }, { 0xb0, 1 } };
	struct fm_restorer other;
	struct fm_row row;
	u8 *part;
	u32 i;

	row = fm_restorer_row(test, "zRS", &fm_glibc);
	KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_SIGNAL);
	KUNIT_EXPECT_EQ(test, row.cfa, 0);
	KUNIT_EXPECT_EQ(test, row.is_first, 1);
	row = fm_restorer_row(test, "zR", &fm_glibc);
	KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_NONE);
	/* As other functions have it: the return address is below the CFA. */
	other = fm_glibc;
	memset(other.ip, 0, sizeof(other.ip));
	row = fm_restorer_row(test, "zR", &other);
	KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_NONE);
	row = fm_restorer_row(test, "zRS", &other);
	KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_NONE);
	for (i = 0; i < 4; i++) {
		part = (u8 *)&other + 6 * i + (i ? 3 : 2);
		other = fm_glibc;
		memcpy(part + 1, further[i], 2);
		row = fm_restorer_row(test, "zRS", &other);
		KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_NONE);
		other = fm_glibc;
		*part = 0x76;
		row = fm_restorer_row(test, "zRS", &other);
		KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_NONE);
	}
	/* After two words were pushed, all are two words further. */
	other = (struct fm_restorer){
		.cfa = { 0x0f, 4, 0x77, 0xb0, 1, 0x06 },
		.bp = { 0x10, 6, 3, 0x77, 0x88, 1 },
		.bx = { 0x10, 3, 3, 0x77, 0x90, 1 },
		.ip = { 0x10, 16, 3, 0x77, 0xb8, 1 },
	};
	row = fm_restorer_row(test, "zRS", &other);
	KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_SIGNAL);
	KUNIT_EXPECT_EQ(test, row.cfa, 2);
	/* Half a word is nowhere. */
	other.cfa[3] += 4;
	other.bp[4] += 4;
	other.bx[4] += 4;
	other.ip[4] += 4;
	row = fm_restorer_row(test, "zRS", &other);
	KUNIT_EXPECT_EQ(test, row.kind, FM_CFA_NONE);
}

/* A row that a function of arm64 must have: see struct fm_row. */
struct fm_arm64 {
	const char *name;
	const char *instructions;
	u32 nr;
	enum fm_cfa kind;
	s16 cfa;
	s8 bp;
	s8 lr;
};

static const struct fm_arm64 fm_arm64[] = {
	{ "leaf", "", 0, FM_CFA_SP, 0, 0, 0 },
	{ "signed leaf", "\x2d", 1, FM_CFA_SP, 0, 0, 0 },
	{ "frame record", "\x0e\x20\x9d\x04\x9e\x03", 6, FM_CFA_SP, 4, -4, -3 },
	{ "by the frame pointer", "\x0c\x1d\x10\x9d\x02\x9e\x01", 7, FM_CFA_BP, 2, -2, -1 },
	/* CFA = sp + 5024; x29 and x30 at CFA - 8 * 628 and 627 */
	{ "large frame", "\x0e\xa0\x27\x9d\xf4\x04\x9e\xf3\x04", 9, FM_CFA_SP, 628, 1, 2 },
	{ "large frame by the frame pointer", "\x0c\x1d\xa0\x27\x9d\xf4\x04\x9e\xf3\x04", 10,
	  FM_CFA_BP, 628, 1, 2 },
	/* in the middle of 5024 bytes: neither end is near enough */
	{ "saved in the middle", "\x0e\xa0\x27\x9e\xba\x02", 6, FM_CFA_NONE, 0, 0, 0 },
	{ "frame pointer in the middle", "\x0e\xa0\x27\x9d\xba\x02\x9e\x01", 8, FM_CFA_SP, 628,
	  FM_SAVED_LOST, -1 },
	{ "below the stack", "\x0e\xa0\x27\x9e\xf5\x04", 6, FM_CFA_NONE, 0, 0, 0 },
	{ "half a word", "\x11\x1e\x01\x0e\x14", 5, FM_CFA_NONE, 0, 0, 0 },
	{ "restored", "\x0e\x20\x9d\x04\x9e\x03\xdd\xde\x0e\x00", 10, FM_CFA_SP, 0, 0, 0 },
	{ "outermost", "\x07\x1e", 2, FM_CFA_END, 0, 0, 0 },
	{ "in another register", "\x09\x1e\x0f", 3, FM_CFA_NONE, 0, 0, 0 },
	{ "by another register", "\x0c\x13\x10", 3, FM_CFA_NONE, 0, 0, 0 },
	{ "by rbx", "\x0c\xff\x01\x10", 4, FM_CFA_NONE, 0, 0, 0 },
};

/* Compile a function. Return: its first row. */
static struct fm_row fm_function_row(struct kunit *test, const char *letters,
				     const void *instructions, u32 nr)
{
	u64 function;

	fm_made = (struct fm_made){ .address = FM_FRAME };
	fm_put_cie(letters, 0x1b);
	fm_put_fde(FM_TEXT, 64, instructions, nr);
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), 1);
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, 1, &fm_buffer);
	KUNIT_EXPECT_GE(test, fm_cfi_compile(&fm_cfi, FM_TEXT, 64, fm_rows, 64, &function), 1);
	return fm_rows[0];
}

static void rows_of_arm64_have_the_link_register(struct kunit *test)
{
	struct fm_row row;
	u32 i;

	fm_source.machine = &fm_machine_arm64;
	for (i = 0; i < ARRAY_SIZE(fm_arm64); i++) {
		const struct fm_arm64 *c = &fm_arm64[i];

		row = fm_function_row(test, "zR", c->instructions, c->nr);
		KUNIT_EXPECT_EQ_MSG(test, (int)row.kind, (int)c->kind, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, row.cfa, c->cfa, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, row.bp, c->bp, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, row.lr, c->lr, "%s", c->name);
	}
}

/* What is arm64's alone is unknown elsewhere, and x86's there. */
static void machines_are_not_mixed_up(struct kunit *test)
{
	fm_source.machine = &fm_machine_arm64;
	KUNIT_EXPECT_EQ(test, fm_function_row(test, "zRS", "", 0).kind, FM_CFA_NONE);
	fm_source.machine = &fm_machine_x86;
	KUNIT_EXPECT_EQ(test, fm_function_row(test, "zR", "", 0).kind, FM_CFA_SP);
	KUNIT_EXPECT_EQ(test, fm_function_row(test, "zR", "\x2d", 1).kind, FM_CFA_NONE);
}

/* The section, with an .eh_frame_hdr after it, in whole blocks. */
static struct fm_near {
	u64 hdr;
	u32 nr_reads;
	u64 broken;		/* the block at this address cannot be read */
	int err;		/* and why */
} fm_near;

static int fm_read_near(void *arg, u64 address, void *to, size_t bytes)
{
	u64 start = round_down(fm_made.address, FM_CFI_BLOCK);

	fm_near.nr_reads++;
	if (bytes == FM_CFI_BLOCK && address == fm_near.broken) {
		memset(to, 0xff, bytes);
		return fm_near.err;
	}
	if (address >= fm_made.address)
		return fm_read_made(arg, address, to, bytes);
	memset(to, 0, bytes);
	return address < start ? -EFAULT :
	       fm_read_made(arg, fm_made.address, to + (fm_made.address - address),
			    bytes - (fm_made.address - address));
}

/* Put an .eh_frame_hdr for functions of 16 bytes, of which the entries are at @fdes. */
static void fm_put_hdr(const u32 *fdes, u32 nr)
{
	u32 i;

	fm_near.hdr = fm_made.address + fm_made.nr;
	fm_put(0x3b031b01, 4);
	fm_put(0, 4);
	fm_put(nr, 4);
	for (i = 0; i < nr; i++) {
		fm_put((u32)(FM_TEXT + 16 * i - fm_near.hdr), 4);
		fm_put((u32)(fm_made.address + fdes[i] - fm_near.hdr), 4);
	}
	/* Let the last block be a whole one. */
	fm_made.nr = round_up(fm_made.address + fm_made.nr, FM_CFI_BLOCK) - fm_made.address;
}

/*
 * Put functions whose frames are of 2, 3, ... words.
 * @before: so many bytes are before them in the first block
 * @last: this entry is the last one; the others stand in the order of their functions
 */
static void fm_put_near(u32 before, u32 nr, u32 last)
{
	u8 frame[3] = { 0x0e, 0, 0 };
	u32 fdes[32], i;

	fm_near = (struct fm_near){ .broken = FM_CFI_NO_BLOCK };
	fm_made = (struct fm_made){ .address = FM_FRAME + before };
	fm_put_cie("zR", 0x1b);
	for (i = 0; i < nr; i++) {
		u32 n = i < last ? i : i == nr - 1 ? last : i + 1;

		fdes[n] = fm_made.nr;
		frame[1] = 8 * (n + 2);
		fm_put_fde(FM_TEXT + 16 * n, 16, frame, sizeof(frame));
	}
	fm_put_hdr(fdes, nr);
}

/* Compile them. Return: what fm_cfi_compile() returned. */
static int fm_compile_near(void)
{
	const struct fm_cfi_source source = {
		.read = fm_read_near, .machine = &fm_machine_x86,
	};
	u64 function;
	int err;

	err = fm_cfi_open(&fm_cfi, &source, fm_near.hdr, fm_made.address + fm_made.nr -
			  fm_near.hdr, &fm_buffer);
	fm_near.nr_reads = 0;
	return err ?: fm_cfi_compile(&fm_cfi, FM_TEXT, FM_CHUNK_BYTES, fm_rows, 64, &function);
}

static void fm_expect_near(struct kunit *test, u32 nr)
{
	u32 i;

	KUNIT_ASSERT_EQ(test, fm_compile_near(), nr + 1);
	for (i = 0; i < nr; i++) {
		KUNIT_EXPECT_EQ(test, fm_rows[i].start, 16 * i);
		KUNIT_EXPECT_EQ(test, fm_rows[i].kind, FM_CFA_SP);
		KUNIT_EXPECT_EQ(test, fm_rows[i].cfa, i + 2);
	}
	KUNIT_EXPECT_EQ(test, fm_rows[nr].kind, FM_CFA_GAP);
}

/* Besides the search: a block of the table, those of the entries, and what is in two blocks. */
static void what_is_near_is_read_at_once(struct kunit *test)
{
	fm_put_near(0, 12, 11);
	fm_expect_near(test, 12);
	KUNIT_EXPECT_EQ(test, fm_near.nr_reads, 4 + 2);
	/* The second entry starts in one block, and ends two bytes after the next one's start. */
	fm_put_near(FM_CFI_BLOCK - 60, 4, 3);
	fm_expect_near(test, 4);
	KUNIT_EXPECT_EQ(test, fm_near.nr_reads, 3 + 1 + 3);
	/* The same with an entry that ends where the block does. */
	fm_put_near(FM_CFI_BLOCK - 62, 4, 3);
	fm_expect_near(test, 4);
	KUNIT_EXPECT_EQ(test, fm_near.nr_reads, 3 + 1 + 2);
}

/* Where a block is not all of one segment, the bytes are read alone. */
static void a_block_that_cannot_be_read_is_not_used(struct kunit *test)
{
	/* The last entry is that of the first function; the others are before it. */
	fm_put_near(FM_CFI_BLOCK - 22 - 3 * 20, 4, 0);
	fm_near.broken = FM_FRAME + FM_CFI_BLOCK;
	fm_near.err = -EFAULT;
	fm_expect_near(test, 4);
}

/* A part that must be fetched is not asked for twice. */
static void an_error_that_passes_is_returned(struct kunit *test)
{
	fm_put_near(0, 4, 3);
	fm_near.broken = FM_FRAME;
	fm_near.err = -EAGAIN;
	KUNIT_EXPECT_EQ(test, fm_compile_near(), -EAGAIN);
	/* The search, and the block of the table, which is the same. */
	KUNIT_EXPECT_EQ(test, fm_near.nr_reads, 3 + 1);
}

/* The codes of registers are kept until a rule changes. */
static void each_rule_that_changes_is_noticed(struct kunit *test)
{
	/*
	 * bp saved; advance 1; bp restored; advance 1; state kept, bp saved; advance 1; state
	 * restored; advance 1; the return address lost
	 */
	static const u8 changes[] = {
		0x86, 2, 0x41, 0xc6, 0x41, 0x0a, 0x86, 3, 0x41, 0x0b, 0x41, 0x09, 16, 0,
	};
	static const s8 bp[] = { -2, 0, -3, 0 };
	u32 i;

	fm_function_row(test, "zR", changes, sizeof(changes));
	for (i = 0; i < ARRAY_SIZE(bp); i++) {
		KUNIT_EXPECT_EQ(test, fm_rows[i].start, i);
		KUNIT_EXPECT_EQ(test, fm_rows[i].bp, bp[i]);
		KUNIT_EXPECT_EQ(test, fm_rows[i].kind, FM_CFA_SP);
	}
	KUNIT_EXPECT_EQ(test, fm_rows[i].kind, FM_CFA_NONE);
}

/* The functions of a CIE with instructions that nobody knows have no rules. */
static void a_cie_that_is_unknown_rules_nothing(struct kunit *test)
{
	u64 function;

	fm_put_cie("zR", 0x1b);
	fm_made.bytes[fm_made.nr - 1] = 0x3f;
	fm_put_fde(FM_TEXT, 64, "\x0e\x10", 2);
	KUNIT_ASSERT_EQ(test, fm_make_index(FM_PAIRS), 1);
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, 1, &fm_buffer);
	KUNIT_EXPECT_EQ(test, fm_cfi_compile(&fm_cfi, FM_TEXT, 64, fm_rows, 64, &function), 1);
	KUNIT_EXPECT_EQ(test, fm_rows[0].kind, FM_CFA_NONE);
}

static struct kunit_case fm_user_cfi_cases[] = {
	KUNIT_CASE(an_index_is_sorted_and_used),
	KUNIT_CASE(a_damaged_section_has_no_index),
	KUNIT_CASE(an_index_leaves_out_what_is_damaged),
	KUNIT_CASE(an_index_is_bounded),
	KUNIT_CASE(a_signal_frame_is_the_kernels),
	KUNIT_CASE(rows_of_arm64_have_the_link_register),
	KUNIT_CASE(machines_are_not_mixed_up),
	KUNIT_CASE(what_is_near_is_read_at_once),
	KUNIT_CASE(a_block_that_cannot_be_read_is_not_used),
	KUNIT_CASE(an_error_that_passes_is_returned),
	KUNIT_CASE(each_rule_that_changes_is_noticed),
	KUNIT_CASE(a_cie_that_is_unknown_rules_nothing),
	{}
};

struct kunit_suite fm_user_cfi_suite = {
	.name = "flamemod_user_cfi",
	.init = fm_user_cfi_begin,
	.test_cases = fm_user_cfi_cases,
};
