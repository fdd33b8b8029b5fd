// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind tables are read in blocks: what is next to a part that is needed is read with it.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "made.h"
#include "suites.h"

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
	fm_made_begin(FM_FRAME + before);
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
	return err ?: fm_cfi_compile(&fm_cfi, FM_TEXT, FM_CHUNK_BYTES, fm_rows, FM_MADE_ROWS,
				     &function);
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

static int fm_user_block_begin(struct kunit *test)
{
	fm_source.machine = &fm_machine_x86;
	return 0;
}

static struct kunit_case fm_user_block_cases[] = {
	KUNIT_CASE(what_is_near_is_read_at_once),
	KUNIT_CASE(a_block_that_cannot_be_read_is_not_used),
	KUNIT_CASE(an_error_that_passes_is_returned),
	{}
};

struct kunit_suite fm_user_block_suite = {
	.name = "flamemod_user_block",
	.init = fm_user_block_begin,
	.test_cases = fm_user_block_cases,
};
