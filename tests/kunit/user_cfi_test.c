// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind tables that are made here: an index for programs without one, and the rows of a
 * signal handler's return. tests/module/user compares real programs' with libdw's.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "made.h"
#include "suites.h"

#define FM_PAIRS	8

static struct fm_cfi_pair fm_pairs[FM_PAIRS + 1];

static int fm_user_cfi_begin(struct kunit *test)
{
	fm_made_begin(FM_FRAME);
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
	nr = fm_cfi_compile(&fm_cfi, FM_TEXT, FM_CHUNK_BYTES, fm_rows, FM_MADE_ROWS, &function);
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

	fm_made_begin(FM_FRAME);
	fm_put_cie(letters, 0x1b);
	fm_put_fde(FM_TEXT - 1, 10, restorer, sizeof(*restorer));
	nr = fm_make_index(FM_PAIRS);
	KUNIT_EXPECT_EQ(test, nr, 1);
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, nr, &fm_buffer);
	nr = fm_cfi_compile(&fm_cfi, FM_TEXT - 1, 64, fm_rows, FM_MADE_ROWS, &function);
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

	fm_made_begin(FM_FRAME);
	fm_put_cie(letters, 0x1b);
	fm_put_fde(FM_TEXT, 64, instructions, nr);
	KUNIT_EXPECT_EQ(test, fm_make_index(FM_PAIRS), 1);
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, 1, &fm_buffer);
	KUNIT_EXPECT_GE(test, fm_cfi_compile(&fm_cfi, FM_TEXT, 64, fm_rows, FM_MADE_ROWS,
					     &function), 1);
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
	/* Where registers are from sp depends on the CFA: 16 bytes less, and they are below it. */
	fm_source.machine = &fm_machine_arm64;
	fm_function_row(test, "zR", "\x0e\xa0\x27\x9d\xf4\x04\x9e\xf3\x04\x41\x0e\x90\x27", 13);
	KUNIT_EXPECT_EQ(test, fm_rows[0].lr, 2);
	KUNIT_EXPECT_EQ(test, fm_rows[1].start, 1);
	KUNIT_EXPECT_EQ(test, fm_rows[1].kind, FM_CFA_NONE);
}

/* An offset cannot be changed where the CFA is an expression. */
static void an_expression_has_no_offset_to_change(struct kunit *test)
{
	static const u8 changes[] = { 0x0f, 3, 0x76, 0x78, 0x06, 0x41, 0x0e, 16 };

	KUNIT_EXPECT_EQ(test, fm_function_row(test, "zR", changes, sizeof(changes)).kind,
			FM_CFA_BP_LOAD);
	KUNIT_EXPECT_EQ(test, fm_rows[1].start, 1);
	KUNIT_EXPECT_EQ(test, fm_rows[1].kind, FM_CFA_NONE);
}

/* Return: the rule of a function whose CIE has @nr further instructions @op. */
static enum fm_cfa fm_rule_of_cie(u8 op, u32 nr)
{
	u64 function;

	fm_made_begin(FM_FRAME);
	fm_put_cie("zR", 0x1b);
	while (nr--)
		fm_put(op, 1);
	fm_entry_end();
	fm_put_fde(FM_TEXT, 64, "\x0e\x10", 2);
	/* An entry that cannot be read is not in an index. */
	if (fm_make_index(FM_PAIRS) != 1)
		return FM_CFA_NONE;
	fm_cfi_open_index(&fm_cfi, &fm_source, FM_FRAME, fm_pairs, 1, &fm_buffer);
	fm_cfi_compile(&fm_cfi, FM_TEXT, 64, fm_rows, FM_MADE_ROWS, &function);
	return fm_rows[0].kind;
}

/* The functions of a CIE with instructions that nobody knows, or too many, have no rules. */
static void a_cie_that_is_unknown_rules_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_rule_of_cie(0, 1), FM_CFA_SP);
	KUNIT_EXPECT_EQ(test, fm_rule_of_cie(0x3f, 1), FM_CFA_NONE);
	KUNIT_EXPECT_EQ(test, fm_rule_of_cie(0, FM_CIE_MAX - 5), FM_CFA_SP);
	KUNIT_EXPECT_EQ(test, fm_rule_of_cie(0, FM_CIE_MAX - 4), FM_CFA_NONE);
}

/* An entry whose CIE would be at 0, as if that had been read: what is there is none. */
static void a_cie_at_0_is_read(struct kunit *test)
{
	u64 function;

	fm_made_begin(0);
	fm_entry_begin();
	fm_put(5, 4);
	fm_entry_end();
	fm_pairs[0] = (struct fm_cfi_pair){ .text = FM_TEXT, .fde = fm_made.nr };
	fm_entry_begin();
	fm_put(fm_made.nr, 4);
	fm_put(FM_TEXT, 8);
	fm_put(64, 8);
	fm_put_bytes("\x86\x02", 2);	/* bp is at CFA - 16 */
	fm_entry_end();
	fm_cfi_open_index(&fm_cfi, &fm_source, 0, fm_pairs, 1, &fm_buffer);
	KUNIT_EXPECT_GE(test, fm_cfi_compile(&fm_cfi, FM_TEXT, 64, fm_rows, FM_MADE_ROWS,
					     &function), 1);
	/* It has no rule, and no function follows it. */
	KUNIT_EXPECT_EQ(test, fm_rows[0].kind, FM_CFA_GAP);
}

static struct kunit_case fm_user_cfi_cases[] = {
	KUNIT_CASE(an_index_is_sorted_and_used),
	KUNIT_CASE(a_damaged_section_has_no_index),
	KUNIT_CASE(an_index_leaves_out_what_is_damaged),
	KUNIT_CASE(an_index_is_bounded),
	KUNIT_CASE(a_signal_frame_is_the_kernels),
	KUNIT_CASE(rows_of_arm64_have_the_link_register),
	KUNIT_CASE(machines_are_not_mixed_up),
	KUNIT_CASE(each_rule_that_changes_is_noticed),
	KUNIT_CASE(an_expression_has_no_offset_to_change),
	KUNIT_CASE(a_cie_that_is_unknown_rules_nothing),
	KUNIT_CASE(a_cie_at_0_is_read),
	{}
};

struct kunit_suite fm_user_cfi_suite = {
	.name = "flamemod_user_cfi",
	.init = fm_user_cfi_begin,
	.test_cases = fm_user_cfi_cases,
};
