// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions on what a source reads: see condition.h.
 */
#include <linux/bits.h>

#include "condition.h"

/*
 * Return: a number whose order among others of the operand is that of unsigned numbers. Of
 * two's complement that is so if the sign is inverted: negative numbers come first then.
 */
static u64 fm_condition_rank(const struct fm_operand *operand, u64 number)
{
	return operand->is_signed ? number ^ BIT_ULL(63) : number;
}

/**
 * fm_condition_holds() - check a condition.
 * @condition: the condition
 * @number: what was read
 *
 * Context: Any; a pure function.
 * Return: true if it holds.
 */
bool fm_condition_holds(const struct fm_condition *condition, u64 number)
{
	u64 rank = fm_condition_rank(&condition->operand, number);
	u64 value = fm_condition_rank(&condition->operand, condition->value);

	switch (condition->compare) {
	case FLAMEMOD_COMPARE_EQ:
		return rank == value;
	case FLAMEMOD_COMPARE_NE:
		return rank != value;
	case FLAMEMOD_COMPARE_LT:
		return rank < value;
	case FLAMEMOD_COMPARE_LE:
		return rank <= value;
	case FLAMEMOD_COMPARE_GT:
		return rank > value;
	case FLAMEMOD_COMPARE_AND:
		return number & condition->value;
	default:
		return rank >= value;
	}
}
