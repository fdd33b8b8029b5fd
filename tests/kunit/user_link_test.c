// SPDX-License-Identifier: GPL-2.0
/*
 * Steps to a caller where calls leave the return address in a register, as on arm64. This
 * file includes the unit, and compiles it for such a machine; the stack is a copy.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <kunit/test.h>

#define fm_caller_by_row	fm_link_by_row
#define fm_caller_by_signal	fm_link_by_signal
#define fm_caller_by_fp		fm_link_by_fp
#define fm_caller_without_rows	fm_link_without_rows
#include "../../module/user/caller.h"
#include "suites.h"

#if FM_ARCH_USER_STACKS
#undef FM_ARCH_HAS_LINK
#define FM_ARCH_HAS_LINK	1
/* User memory ignores the highest byte of an address there. */
#define fm_arch_untag(address)	((address) & ~GENMASK_ULL(63, 56))
#include "../../module/user/caller.c"

#define FM_STACK	0x7ff000001000ul
#define FM_CALLER	0x401234ul

static struct fm_copy *fm_copy;
static struct fm_frame_state fm_state;

static int fm_user_link_begin(struct kunit *test)
{
	fm_copy = kunit_kzalloc(test, sizeof(*fm_copy), GFP_KERNEL);
	if (!fm_copy)
		return -ENOMEM;
	fm_copy->regs.sp = FM_STACK;
	fm_copy->bytes = FM_COPY_BYTES;
	fm_state = (struct fm_frame_state){
		.copy = fm_copy,
		.sp = FM_STACK,
		.bp.value = FM_STACK + 64,
		.lr.value = FM_CALLER,
		.is_exact = true,
	};
	return 0;
}

static void fm_push(u32 n, unsigned long word)
{
	memcpy(fm_copy->stack + 8 * n, &word, sizeof(word));
}

static enum flamemod_user_side fm_step(struct fm_row row)
{
	return fm_caller_by_row(&row, &fm_state);
}

#define fm_step_by(...)	((int)fm_step((struct fm_row){ __VA_ARGS__ }))

/* Only an interrupted function has its return address there. */
static void a_leaf_has_its_caller_in_the_register(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP), (int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER);
	KUNIT_EXPECT_EQ(test, fm_state.sp, FM_STACK);
	KUNIT_EXPECT_FALSE(test, fm_state.is_exact);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP), (int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = 2), (int)FLAMEMOD_USER_NO_RULE);
	/* After a signal, it may be where the kernel has saved it. */
	fm_push(3, FM_CALLER + 4);
	fm_state.is_exact = true;
	fm_state.lr.at = FM_STACK + 24;
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = 2), (int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 4);
	KUNIT_EXPECT_EQ(test, fm_state.sp, FM_STACK + 16);
	KUNIT_EXPECT_EQ(test, fm_state.lr.at, FM_LOST);
	/* What the call has overwritten is not used. */
	fm_state.is_exact = true;
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP), (int)FLAMEMOD_USER_FAULT);
}

static void a_return_address_is_where_it_was_saved(struct kunit *test)
{
	fm_push(1, FM_CALLER + 8);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = 4, .bp = -4, .lr = -3),
			(int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 8);
	KUNIT_EXPECT_EQ(test, fm_state.sp, FM_STACK + 32);
	KUNIT_EXPECT_EQ(test, fm_state.bp.at, FM_STACK);
	/* A frame record there leads on. */
	fm_push(0, FM_STACK + 80);
	fm_push(11, FM_CALLER + 12);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_BP, .cfa = 2, .bp = -2, .lr = -1),
			(int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 12);
	KUNIT_EXPECT_EQ(test, fm_state.sp, FM_STACK + 96);
	KUNIT_EXPECT_EQ(test, fm_state.bp.at, FM_STACK + 80);
}

/* Large frames are saved at the end that is far from the CFA. */
static void a_large_frame_is_saved_at_its_base(struct kunit *test)
{
	fm_push(1, FM_CALLER + 16);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = 600, .bp = 1, .lr = 2),
			(int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 16);
	KUNIT_EXPECT_EQ(test, fm_state.sp, FM_STACK + 4800);
	KUNIT_EXPECT_EQ(test, fm_state.bp.at, FM_STACK);
	/* From the frame pointer, which is not that of this frame's callees. */
	fm_push(0, FM_STACK + 5000);
	fm_push(627, FM_CALLER + 20);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_BP, .cfa = 300, .bp = 2, .lr = 3),
			(int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 20);
	KUNIT_EXPECT_EQ(test, fm_state.sp, FM_STACK + 7400);
	KUNIT_EXPECT_EQ(test, fm_state.bp.at, FM_STACK + 5008);
}

static void a_step_leads_up(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = -1), (int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = 0, .lr = -1),
			(int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, 0);
	fm_state.bp.at = FM_LOST;
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_BP, .cfa = 2, .lr = 1),
			(int)FLAMEMOD_USER_FAULT);
	/* A register that is not where rows can say is lost. */
	fm_push(1, FM_CALLER);
	fm_state.bp.at = 0;
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_SP, .cfa = 2, .lr = -1,
					 .bp = FM_SAVED_LOST), (int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.bp.at, FM_LOST);
}

/* A stack in tagged memory: the pointers to it that were saved on it have tags. */
static void a_copy_is_read_without_tags(struct kunit *test)
{
	const unsigned long tag = 0x5aul << 56;

	fm_push(8, (FM_STACK + 96) | tag);
	fm_push(9, FM_CALLER);
	fm_push(12, (FM_STACK + 160) | tag);
	fm_push(13, FM_CALLER + 4);
	fm_push(20, 0);
	fm_push(21, FM_CALLER + 8);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_BP, .cfa = 2, .bp = -2, .lr = -1),
			(int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER);
	KUNIT_EXPECT_EQ(test, fm_step_by(.kind = FM_CFA_BP, .cfa = 2, .bp = -2, .lr = -1),
			(int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 4);
	/* by the frame pointer alone */
	KUNIT_EXPECT_EQ(test, (int)fm_caller_by_fp(&fm_state), (int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_state.ip, FM_CALLER + 8);
	KUNIT_EXPECT_EQ(test, fm_state.bp.value, 0);
}

/* Only the bits of a signature go: a kernel's address stays one, and so does a tag. */
static void a_signature_is_removed(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_without_signature(0x0065aaaabbbbcccc, BIT_ULL(48)),
			0x0000aaaabbbbcccc);
	KUNIT_EXPECT_EQ(test, fm_without_signature(0xff80aaaabbbbcccc, BIT_ULL(48)),
			0xff80aaaabbbbcccc);
	KUNIT_EXPECT_EQ(test, fm_without_signature(0x0078aaaabbbbcccc, BIT_ULL(52)),
			0x0008aaaabbbbcccc);
}

static struct kunit_case fm_user_link_cases[] = {
	KUNIT_CASE(a_leaf_has_its_caller_in_the_register),
	KUNIT_CASE(a_return_address_is_where_it_was_saved),
	KUNIT_CASE(a_large_frame_is_saved_at_its_base),
	KUNIT_CASE(a_step_leads_up),
	KUNIT_CASE(a_copy_is_read_without_tags),
	KUNIT_CASE(a_signature_is_removed),
	{}
};
#else
/* There are no user stacks. */
static struct kunit_case fm_user_link_cases[] = {
	{}
};

#define fm_user_link_begin	NULL
#endif

struct kunit_suite fm_user_link_suite = {
	.name = "flamemod_user_link",
	.init = fm_user_link_begin,
	.test_cases = fm_user_link_cases,
};
