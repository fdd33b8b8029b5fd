// SPDX-License-Identifier: GPL-2.0
/*
 * Operands and conditions: what is read, and how it compares.
 */
#include <linux/ptrace.h>
#include <kunit/test.h>

#include "../../module/condition.h"
#include "suites.h"

static const struct fm_operand_case {
	const char *name;
	u8 size;
	bool is_signed;
	u64 raw, number;
} fm_operand_cases[] = {
	{ "one byte", 1, false, 0xdeadbeefffULL, 0xff },
	{ "one byte, negative", 1, true, 0x80, (u64)-128 },
	{ "one byte, positive", 1, true, 0x17f, 127 },
	{ "two bytes", 2, false, 0xabcd1234, 0x1234 },
	{ "two bytes, negative", 2, true, 0xffff, (u64)-1 },
	{ "four bytes", 4, false, 0x1ffffffffULL, 0xffffffff },
	{ "four bytes, negative", 4, true, 0x1ffffffffULL, (u64)-1 },
	{ "eight bytes", 8, false, ~0ULL, ~0ULL },
	{ "eight bytes, negative", 8, true, (u64)-5, (u64)-5 },
};

FM_ARRAY_PARAM(operand);

static void an_operand_has_its_size(struct kunit *test)
{
	const struct fm_operand_case *c = test->param_value;
	const struct fm_operand operand = { .size = c->size, .is_signed = c->is_signed };

	KUNIT_EXPECT_EQ(test, fm_operand_narrow(&operand, c->raw), c->number);
}

static void a_field_is_read_where_it_is(struct kunit *test)
{
	struct fm_operand operand = { .offset = 3, .size = 4 };
	u8 record[8] = {};
	const u32 number = 0x01020304;

	memcpy(record + 3, &number, sizeof(number));
	KUNIT_EXPECT_EQ(test, fm_operand_field(&operand, record), number);
	operand.offset = 7;
	operand.size = 1;
	record[7] = 0x84;
	operand.is_signed = true;
	KUNIT_EXPECT_EQ(test, fm_operand_field(&operand, record), (u64)(s8)0x84);
}

#if FM_OPERAND_HAS_ARGUMENTS
/* The first six; call_test.c reads them of a call. */
static void arguments_are_in_their_registers(struct kunit *test)
{
	struct fm_operand operand = { .size = 8 };
	struct pt_regs regs = {};
	unsigned int i;

#ifdef CONFIG_X86_64
	regs.di = 1;
	regs.si = 2;
	regs.dx = 3;
	regs.cx = 4;
	regs.r8 = 5;
	regs.r9 = 6;
#else
	for (i = 0; i < 8; i++)
		regs.regs[i] = i + 1;
#endif
	for (i = 1; i <= FLAMEMOD_ARGUMENTS_MAX; i++) {
		operand.argument = i;
		KUNIT_EXPECT_EQ(test, fm_operand_argument(&operand, &regs), i);
	}
}
#endif

static const struct fm_compare_case {
	const char *name;
	u8 compare;
	bool is_signed;
	u64 number, value;
	bool holds;
} fm_compare_cases[] = {
	{ "equal", FLAMEMOD_COMPARE_EQ, false, 5, 5, true },
	{ "not equal", FLAMEMOD_COMPARE_EQ, false, 5, 6, false },
	{ "differs", FLAMEMOD_COMPARE_NE, false, 5, 6, true },
	{ "does not differ", FLAMEMOD_COMPARE_NE, false, 5, 5, false },
	{ "less", FLAMEMOD_COMPARE_LT, false, 4, 5, true },
	{ "not less", FLAMEMOD_COMPARE_LT, false, 5, 5, false },
	{ "less, unsigned", FLAMEMOD_COMPARE_LT, false, (u64)-1, 5, false },
	{ "less, signed", FLAMEMOD_COMPARE_LT, true, (u64)-1, 5, true },
	{ "less or equal", FLAMEMOD_COMPARE_LE, false, 5, 5, true },
	{ "not less or equal", FLAMEMOD_COMPARE_LE, false, 6, 5, false },
	{ "less or equal, signed", FLAMEMOD_COMPARE_LE, true, (u64)-7, (u64)-7, true },
	{ "greater", FLAMEMOD_COMPARE_GT, false, 6, 5, true },
	{ "not greater", FLAMEMOD_COMPARE_GT, false, 5, 5, false },
	{ "greater, unsigned", FLAMEMOD_COMPARE_GT, false, (u64)-1, 5, true },
	{ "greater, signed", FLAMEMOD_COMPARE_GT, true, (u64)-1, 5, false },
	{ "greater or equal", FLAMEMOD_COMPARE_GE, false, 5, 5, true },
	{ "not greater or equal", FLAMEMOD_COMPARE_GE, false, 4, 5, false },
	{ "greater or equal, signed", FLAMEMOD_COMPARE_GE, true, 0, (u64)-1, true },
	{ "has a bit", FLAMEMOD_COMPARE_AND, false, 6, 12, true },
	{ "has none", FLAMEMOD_COMPARE_AND, false, 3, 12, false },
};

FM_ARRAY_PARAM(compare);

static void a_condition_compares(struct kunit *test)
{
	const struct fm_compare_case *c = test->param_value;
	const struct fm_condition condition = {
		.operand = { .size = 8, .is_signed = c->is_signed },
		.compare = c->compare,
		.value = c->value,
	};

	KUNIT_EXPECT_EQ(test, fm_condition_holds(&condition, c->number), c->holds);
}

static void all_conditions_must_hold(struct kunit *test)
{
	struct fm_conditions conditions = {
		.nr = 2,
		.all = { { { .offset = 0, .size = 1 }, FLAMEMOD_COMPARE_GT, 3 },
			 { { .offset = 1, .size = 1 }, FLAMEMOD_COMPARE_EQ, 9 } },
	};
	u8 record[2] = { 4, 9 };

	KUNIT_EXPECT_TRUE(test, fm_conditions_hold_record(&conditions, record));
	record[0] = 3;
	KUNIT_EXPECT_FALSE(test, fm_conditions_hold_record(&conditions, record));
	record[0] = 4;
	record[1] = 8;
	KUNIT_EXPECT_FALSE(test, fm_conditions_hold_record(&conditions, record));
	conditions.nr = 1;
	KUNIT_EXPECT_TRUE(test, fm_conditions_hold_record(&conditions, record));
}

static struct kunit_case fm_condition_tests[] = {
	KUNIT_CASE_PARAM(an_operand_has_its_size, fm_operand_gen_params),
	KUNIT_CASE(a_field_is_read_where_it_is),
#if FM_OPERAND_HAS_ARGUMENTS
	KUNIT_CASE(arguments_are_in_their_registers),
#endif
	KUNIT_CASE_PARAM(a_condition_compares, fm_compare_gen_params),
	KUNIT_CASE(all_conditions_must_hold),
	{}
};

struct kunit_suite fm_condition_suite = {
	.name = "flamemod_condition",
	.test_cases = fm_condition_tests,
};
