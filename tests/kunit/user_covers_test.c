// SPDX-License-Identifier: GPL-2.0
/*
 * Rows for code of arm64 that has no unwind table: the PLT, and the vdso.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/user/covers.h"
#include "suites.h"

#define FM_MAX		8

static struct fm_row fm_rows[FM_MAX];

/* Check one row: where it starts, and what it says. */
static void fm_expect_row(struct kunit *test, u32 i, u16 start, enum fm_cfa kind, s16 cfa, s8 lr)
{
	KUNIT_EXPECT_EQ(test, fm_rows[i].start, start);
	KUNIT_EXPECT_EQ(test, (int)fm_rows[i].kind, (int)kind);
	KUNIT_EXPECT_EQ(test, fm_rows[i].cfa, cfa);
	KUNIT_EXPECT_EQ(test, fm_rows[i].lr, lr);
}

/* A gap, and at 0x400 a function. */
static u32 fm_gap_and_function(void)
{
	memset(fm_rows, 0, sizeof(fm_rows));
	fm_rows[0].kind = FM_CFA_GAP;
	fm_rows[1] = (struct fm_row){
		.start = 0x400, .kind = FM_CFA_SP, .cfa = 2, .lr = -1, .is_first = 1,
	};
	return 2;
}

static struct fm_plt fm_plt_of(s64 start, s64 end, u32 first, u32 second)
{
	struct fm_plt plt = { .start = start, .end = end };

	memcpy(plt.head, &first, sizeof(first));
	memcpy(plt.head + 4, &second, sizeof(second));
	return plt;
}

#define FM_PUSH		0xa9bf7bf0	/* stp x16, x30, [sp, #-16]! */
#define FM_LANDING	0xd503245f	/* bti c */
#define FM_ENTRY	0x90000bd0	/* adrp x16, ... */

static void a_plt_has_its_callers_in_the_register(struct kunit *test)
{
	struct fm_plt plt = fm_plt_of(0x100, 0x200, FM_PUSH, FM_ENTRY);
	u32 nr = fm_cover_plt(fm_rows, fm_gap_and_function(), FM_MAX, &plt);

	KUNIT_ASSERT_EQ(test, nr, 6);
	fm_expect_row(test, 0, 0, FM_CFA_GAP, 0, 0);
	fm_expect_row(test, 1, 0x100, FM_CFA_SP, 0, 0);
	fm_expect_row(test, 2, 0x104, FM_CFA_SP, 2, -1);
	fm_expect_row(test, 3, 0x120, FM_CFA_SP, 0, 0);
	fm_expect_row(test, 4, 0x200, FM_CFA_GAP, 0, 0);
	fm_expect_row(test, 5, 0x400, FM_CFA_SP, 2, -1);
	KUNIT_EXPECT_TRUE(test, fm_rows[1].is_first);
	KUNIT_EXPECT_FALSE(test, fm_rows[4].is_first);
	KUNIT_EXPECT_TRUE(test, fm_rows[5].is_first);
	/* One that is a target of indirect jumps. */
	plt = fm_plt_of(0x100, 0x200, FM_LANDING, FM_PUSH);
	nr = fm_cover_plt(fm_rows, fm_gap_and_function(), FM_MAX, &plt);
	KUNIT_ASSERT_EQ(test, nr, 6);
	fm_expect_row(test, 2, 0x108, FM_CFA_SP, 2, -1);
	/* One without a head, up to the next function. */
	plt = fm_plt_of(0, 0x400, FM_ENTRY, FM_PUSH);
	nr = fm_cover_plt(fm_rows, fm_gap_and_function(), FM_MAX, &plt);
	KUNIT_ASSERT_EQ(test, nr, 2);
	fm_expect_row(test, 0, 0, FM_CFA_SP, 0, 0);
	/* One that began before the chunk, or ends after it. */
	plt = fm_plt_of(-0x10, 0x20, FM_PUSH, FM_ENTRY);
	nr = fm_cover_plt(fm_rows, fm_gap_and_function(), FM_MAX, &plt);
	KUNIT_ASSERT_EQ(test, nr, 4);
	fm_expect_row(test, 0, 0, FM_CFA_SP, 2, -1);
	fm_expect_row(test, 1, 0x10, FM_CFA_SP, 0, 0);
	fm_expect_row(test, 2, 0x20, FM_CFA_GAP, 0, 0);
	fm_rows[0] = (struct fm_row){ .kind = FM_CFA_GAP };
	plt = fm_plt_of(0xfff0, 0x10100, FM_ENTRY, FM_ENTRY);
	KUNIT_ASSERT_EQ(test, fm_cover_plt(fm_rows, 1, FM_MAX, &plt), 2);
	fm_expect_row(test, 1, 0xfff0, FM_CFA_SP, 0, 0);
}

static void what_has_a_table_is_not_covered(struct kunit *test)
{
	struct fm_plt plt = fm_plt_of(0x400, 0x500, FM_ENTRY, FM_ENTRY);

	KUNIT_EXPECT_EQ(test, fm_cover_plt(fm_rows, fm_gap_and_function(), FM_MAX, &plt), 2);
	/* Half of it has one, so the section is not what it seems. */
	plt = fm_plt_of(0x300, 0x500, FM_ENTRY, FM_ENTRY);
	KUNIT_EXPECT_EQ(test, fm_cover_plt(fm_rows, fm_gap_and_function(), FM_MAX, &plt), 2);
	fm_expect_row(test, 0, 0, FM_CFA_GAP, 0, 0);
	/* There is no room. */
	plt = fm_plt_of(0x100, 0x200, FM_ENTRY, FM_ENTRY);
	KUNIT_EXPECT_EQ(test, fm_cover_plt(fm_rows, fm_gap_and_function(), 3, &plt), 2);
	KUNIT_EXPECT_EQ(test, fm_cover_plt(fm_rows, fm_gap_and_function(), 4, &plt), 4);
}

/* A vdso: nop; ret; nop; mov x8, #139; svc #0; nop, and room for one more. */
static const u32 fm_vdso[] = {
	0xd503201f, 0xd65f03c0, 0xd503201f, 0xd2801168, 0xd4000001, 0xd503201f, 0xd503201f,
};

static void a_handler_returns_to_the_vdso(struct kunit *test)
{
	memset(fm_rows, 0, sizeof(fm_rows));
	KUNIT_ASSERT_EQ(test, fm_cover_vdso(fm_rows, 1, FM_MAX, (const u8 *)fm_vdso,
					    sizeof(fm_vdso)), 3);
	fm_expect_row(test, 0, 0, FM_CFA_SP, 0, 0);
	/* A return address is looked up minus 1. */
	fm_expect_row(test, 1, 0xb, FM_CFA_SIGNAL, 0, 0);
	KUNIT_EXPECT_TRUE(test, fm_rows[1].is_first);
	fm_expect_row(test, 2, 0x14, FM_CFA_SP, 0, 0);
	/* Half of the return is none. */
	memset(fm_rows, 0, sizeof(fm_rows));
	KUNIT_EXPECT_EQ(test, fm_cover_vdso(fm_rows, 1, FM_MAX, (const u8 *)fm_vdso, 16), 1);
	fm_expect_row(test, 0, 0, FM_CFA_SP, 0, 0);
	/* Where there is a table, the rest is as it says. */
	KUNIT_ASSERT_EQ(test, fm_cover_vdso(fm_rows, fm_gap_and_function(), FM_MAX,
					    (const u8 *)fm_vdso, sizeof(fm_vdso)), 4);
	fm_expect_row(test, 0, 0, FM_CFA_GAP, 0, 0);
	fm_expect_row(test, 1, 0xb, FM_CFA_SIGNAL, 0, 0);
	fm_expect_row(test, 2, 0x14, FM_CFA_GAP, 0, 0);
	fm_expect_row(test, 3, 0x400, FM_CFA_SP, 2, -1);
}

/* If it uses the stack, its functions are not all leaves. */
static void a_vdso_that_pushes_has_frame_pointers(struct kunit *test)
{
	static const u32 pushes[] = {
		0xd10083ff,	/* sub sp, sp, #32 */
		0xa9be7bfd,	/* stp x29, x30, [sp, #-32]! */
		0x6dbf27e8,	/* stp d8, d9, [sp, #-16]! */
		0xf81f0ffe,	/* str x30, [sp, #-16]! */
	};
	u32 code[ARRAY_SIZE(fm_vdso)], i;

	for (i = 0; i < ARRAY_SIZE(pushes); i++) {
		memcpy(code, fm_vdso, sizeof(code));
		code[6] = pushes[i];
		memset(fm_rows, 0, sizeof(fm_rows));
		KUNIT_ASSERT_EQ(test, fm_cover_vdso(fm_rows, 1, FM_MAX, (const u8 *)code,
						    sizeof(code)), 3);
		fm_expect_row(test, 0, 0, FM_CFA_GAP, 0, 0);
		fm_expect_row(test, 1, 0xb, FM_CFA_SIGNAL, 0, 0);
	}
}

static struct kunit_case fm_user_covers_cases[] = {
	KUNIT_CASE(a_plt_has_its_callers_in_the_register),
	KUNIT_CASE(what_has_a_table_is_not_covered),
	KUNIT_CASE(a_handler_returns_to_the_vdso),
	KUNIT_CASE(a_vdso_that_pushes_has_frame_pointers),
	{}
};

struct kunit_suite fm_user_covers_suite = {
	.name = "flamemod_user_covers",
	.test_cases = fm_user_covers_cases,
};
