// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions on what a source reads: see condition.h.
 */
#include "condition.h"

static bool fm_condition_compare_signed(u8 compare, s64 number, s64 value)
{
	switch (compare) {
	case FLAMEMOD_COMPARE_LT:
		return number < value;
	case FLAMEMOD_COMPARE_LE:
		return number <= value;
	case FLAMEMOD_COMPARE_GT:
		return number > value;
	default:
		return number >= value;
	}
}

static bool fm_condition_compare_unsigned(u8 compare, u64 number, u64 value)
{
	switch (compare) {
	case FLAMEMOD_COMPARE_LT:
		return number < value;
	case FLAMEMOD_COMPARE_LE:
		return number <= value;
	case FLAMEMOD_COMPARE_GT:
		return number > value;
	default:
		return number >= value;
	}
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
	switch (condition->compare) {
	case FLAMEMOD_COMPARE_EQ:
		return number == condition->value;
	case FLAMEMOD_COMPARE_NE:
		return number != condition->value;
	case FLAMEMOD_COMPARE_AND:
		return number & condition->value;
	}
	if (condition->operand.is_signed)
		return fm_condition_compare_signed(condition->compare, number,
						   condition->value);
	return fm_condition_compare_unsigned(condition->compare, number,
					     condition->value);
}
