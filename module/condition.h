/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions on what a source reads when it hits, and the numbers that it reads.
 *
 * flamectl parses what a user types, and the module gets numbers only. An operand is an
 * argument of a function, or a field of a record. It is read as it was declared there:
 * the rest of an argument's register means nothing if the argument is smaller.
 */
#ifndef _FLAMEMOD_CONDITION_H
#define _FLAMEMOD_CONDITION_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/types.h>

#include "../common/uapi/flamemod.h"

/* Where the arguments of a function are is known of these. */
#if defined(CONFIG_X86_64) || defined(CONFIG_ARM64)
#define FM_OPERAND_HAS_ARGUMENTS	1
#else
#define FM_OPERAND_HAS_ARGUMENTS	0
#endif

struct fm_operand {
	u32 offset;		/* in a record, in bytes */
	u8 argument;		/* of a function, from 1 on; 0: in a record */
	u8 size;		/* 1, 2, 4 or 8 bytes */
	bool is_signed;
};

struct fm_condition {
	struct fm_operand operand;
	u8 compare;		/* enum flamemod_compare */
	u64 value;		/* in two's complement if the operand is signed */
};

/* All of them must hold. */
struct fm_conditions {
	u32 nr;
	struct fm_condition all[FLAMEMOD_CONDITIONS_MAX];
};

/**
 * fm_operand_narrow() - take a number of its size out of a larger one.
 * @operand: the operand
 * @raw: what was read, whose lowest bytes it is
 *
 * Context: Any; a pure function.
 * Return: the number, in two's complement if it is signed.
 */
static inline u64 fm_operand_narrow(const struct fm_operand *operand, u64 raw)
{
	u32 shift = 64 - 8 * operand->size;

	if (operand->is_signed)
		return (s64)(raw << shift) >> shift;
	return raw << shift >> shift;
}

/**
 * fm_operand_argument() - read an argument of a function.
 * @operand: the operand, an argument
 * @regs: the registers at the function's first instruction
 *
 * Context: Any.
 * Return: the number; 0 where the calling convention is not known.
 */
static inline u64 fm_operand_argument(const struct fm_operand *operand,
				      struct pt_regs *regs)
{
#if FM_OPERAND_HAS_ARGUMENTS
	return fm_operand_narrow(operand,
				 regs_get_kernel_argument(regs, operand->argument - 1));
#else
	return 0;
#endif
}

/**
 * fm_operand_field() - read a field of a record.
 * @operand: the operand, whose end is in the record
 * @record: the record
 *
 * Context: Any.
 * Return: the number.
 */
static inline u64 fm_operand_field(const struct fm_operand *operand,
				   const void *record)
{
	u64 raw = 0;

	memcpy((u8 *)&raw + (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? 8 - operand->size : 0),
	       (const u8 *)record + operand->offset, operand->size);
	return fm_operand_narrow(operand, raw);
}

bool fm_condition_holds(const struct fm_condition *condition, u64 number);

/**
 * fm_conditions_hold_call() - check the conditions of a call.
 * @conditions: on arguments
 * @regs: the registers at the function's first instruction
 *
 * Context: Any.
 * Return: true if all hold.
 */
static inline bool fm_conditions_hold_call(const struct fm_conditions *conditions,
					   struct pt_regs *regs)
{
	u32 i;

	for (i = 0; i < conditions->nr; i++)
		if (!fm_condition_holds(&conditions->all[i],
					fm_operand_argument(&conditions->all[i].operand,
							    regs)))
			return false;
	return true;
}

/**
 * fm_conditions_hold_record() - check the conditions of a record.
 * @conditions: on fields
 * @record: the record, which is long enough for them
 *
 * Context: Any.
 * Return: true if all hold.
 */
static inline bool fm_conditions_hold_record(const struct fm_conditions *conditions,
					     const void *record)
{
	u32 i;

	for (i = 0; i < conditions->nr; i++)
		if (!fm_condition_holds(&conditions->all[i],
					fm_operand_field(&conditions->all[i].operand,
							 record)))
			return false;
	return true;
}

#endif /* _FLAMEMOD_CONDITION_H */
