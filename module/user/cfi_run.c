// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the instructions of one function's call frame information: see cfi_run.h.
 *
 * Three columns matter: the return address, bp and, on x86, rbx (machine.h). All others
 * are decoded and ignored.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "cfi_run.h"

/* DWARF 4, 7.23 and 7.7.1; Linux Standard Base 5.0, 10.5 */
#define DW_CFA_advance_loc		0x40
#define DW_CFA_offset			0x80
#define DW_CFA_restore			0xc0
#define DW_CFA_nop			0x00
#define DW_CFA_set_loc			0x01
#define DW_CFA_advance_loc1		0x02
#define DW_CFA_advance_loc2		0x03
#define DW_CFA_advance_loc4		0x04
#define DW_CFA_offset_extended		0x05
#define DW_CFA_restore_extended		0x06
#define DW_CFA_undefined		0x07
#define DW_CFA_same_value		0x08
#define DW_CFA_register			0x09
#define DW_CFA_remember_state		0x0a
#define DW_CFA_restore_state		0x0b
#define DW_CFA_def_cfa			0x0c
#define DW_CFA_def_cfa_register		0x0d
#define DW_CFA_def_cfa_offset		0x0e
#define DW_CFA_def_cfa_expression	0x0f
#define DW_CFA_expression		0x10
#define DW_CFA_offset_extended_sf	0x11
#define DW_CFA_def_cfa_sf		0x12
#define DW_CFA_def_cfa_offset_sf	0x13
#define DW_CFA_val_offset		0x14
#define DW_CFA_val_offset_sf		0x15
#define DW_CFA_val_expression		0x16
#define DW_CFA_AARCH64_negate_ra_state_with_pc	0x2c
#define DW_CFA_AARCH64_negate_ra_state	0x2d
#define DW_CFA_GNU_args_size		0x2e
#define DW_CFA_GNU_negative_offset_extended	0x2f

#define DW_OP_deref		0x06
#define DW_OP_and		0x1a
#define DW_OP_plus		0x22
#define DW_OP_plus_uconst	0x23
#define DW_OP_shl		0x24
#define DW_OP_ge		0x2a
#define DW_OP_lit0		0x30
#define DW_OP_lit31		0x4f
#define DW_OP_breg0		0x70

struct fm_cfi_run {
	struct fm_cfi_state state;
	struct fm_cfi_state kept[FM_CFI_DEPTH];
	unsigned int depth;
	const struct fm_cie *cie;
	u64 at;			/* where the current rules start to apply */
	struct fm_row saved;	/* where they say that registers were saved */
	bool has_saved;		/* no rule has changed since @saved was set */
	bool is_saved;		/* the return address is where rows can express it */
};

/* Return: which of the rules is a column's; FM_NR_TRACKED if no row needs that column. */
static enum fm_tracked fm_tracked_of(const struct fm_machine *machine, u64 column)
{
	if (column == machine->ret)
		return FM_TRACKED_RETURN;
	if (column == machine->bp)
		return FM_TRACKED_BP;
	if (column == machine->bx && !machine->has_link)
		return FM_TRACKED_BX;
	return FM_NR_TRACKED;
}

static void fm_rule_set(struct fm_cfi_run *run, u64 column,
			enum fm_rule_kind kind, s64 offset)
{
	enum fm_tracked tracked = fm_tracked_of(run->cie->machine, column);

	if (tracked == FM_NR_TRACKED)
		return;
	run->state.rules[tracked] = (struct fm_rule){ .kind = kind, .offset = offset };
	run->has_saved = false;
}

static void fm_rule_restore(struct fm_cfi_run *run, u64 column)
{
	enum fm_tracked tracked = fm_tracked_of(run->cie->machine, column);

	if (tracked == FM_NR_TRACKED)
		return;
	run->state.rules[tracked] = run->cie->state.rules[tracked];
	run->has_saved = false;
}

/* Return: "register + offset" as a kind of CFA. */
static enum fm_cfa fm_cfa_of_column(const struct fm_machine *machine, u64 column)
{
	if (column == machine->sp)
		return FM_CFA_SP;
	if (column == machine->bp)
		return FM_CFA_BP;
	if (column == machine->bx && !machine->has_link)
		return FM_CFA_BX;
	return FM_CFA_NONE;
}

/* Return: whether the next byte is @op; if so, go past it. */
static bool fm_is_next(struct fm_cursor *cursor, u8 op)
{
	if (cursor->at == cursor->end || *cursor->at != op)
		return false;
	cursor->at++;
	return true;
}

/*
 * PLT entries are 16 bytes long and, on x86, push one word in the middle:
 * sp + 8 + ((ip & 15) >= N) * 8. The caller has read "breg7 8" of it.
 */
static bool fm_is_plt(const struct fm_machine *machine, struct fm_cursor *ops,
		      s64 *from_byte)
{
	if (machine->has_link || !fm_is_next(ops, DW_OP_breg0 + machine->ret) ||
	    fm_cursor_sleb(ops) != 0 ||
	    !fm_is_next(ops, DW_OP_lit0 + 15) || !fm_is_next(ops, DW_OP_and))
		return false;
	*from_byte = (s64)fm_cursor_uint(ops, 1) - DW_OP_lit0;
	return *from_byte >= 0 && *from_byte <= 15 &&
	       fm_is_next(ops, DW_OP_ge) && fm_is_next(ops, DW_OP_lit0 + 3) &&
	       fm_is_next(ops, DW_OP_shl) && fm_is_next(ops, DW_OP_plus) &&
	       ops->at == ops->end;
}

/* Set a CFA from an expression, in the forms that compilers and linkers write. */
static void fm_cfa_expression(const struct fm_machine *machine, struct fm_cfi_state *state,
			      struct fm_cursor ops)
{
	u64 column = fm_cursor_uint(&ops, 1) - DW_OP_breg0;
	s64 offset = fm_cursor_sleb(&ops), from_byte;

	state->cfa = FM_CFA_NONE;
	state->is_expression = true;
	state->offset = offset;
	if (ops.bad)
		return;
	if (fm_is_next(&ops, DW_OP_deref)) {
		if (column == machine->bp && ops.at == ops.end)
			state->cfa = FM_CFA_BP_LOAD;
		else if (column == machine->sp && ops.at == ops.end)
			state->cfa = FM_CFA_SIGNAL;
		else if (column == machine->sp &&
			 fm_is_next(&ops, DW_OP_plus_uconst) &&
			 fm_cursor_uleb(&ops) == 8 && ops.at == ops.end)
			state->cfa = FM_CFA_SP_LOAD;
	} else if (column == machine->sp && offset == 8 &&
		   fm_is_plt(machine, &ops, &from_byte)) {
		state->cfa = FM_CFA_PLT;
		state->offset = from_byte;
	}
}

/* Set the rule of a column from an expression: "bp + offset", "sp + offset", or unknown. */
static void fm_rule_expression(struct fm_cfi_run *run, u64 column, struct fm_cursor ops)
{
	const struct fm_machine *machine = run->cie->machine;
	u64 base = fm_cursor_uint(&ops, 1) - DW_OP_breg0;
	s64 offset = fm_cursor_sleb(&ops);
	enum fm_rule_kind kind = FM_RULE_OTHER;

	if (!ops.bad && ops.at == ops.end && base == machine->bp)
		kind = FM_RULE_AT_BP;
	else if (!ops.bad && ops.at == ops.end && base == machine->sp)
		kind = FM_RULE_AT_SP;
	fm_rule_set(run, column, kind, offset);
}

/*
 * Return: the code of a register that was saved at CFA + offset, too far from it: from
 * the register that the CFA is counted from.
 */
static s8 fm_base_code(const struct fm_cfi_state *state, const struct fm_rule *rule)
{
	s64 offset = state->offset + rule->offset;

	if ((state->cfa != FM_CFA_SP && state->cfa != FM_CFA_BP) || offset % 8 ||
	    offset < 0 || offset >= 8 * (FM_SAVED_LOST - FM_SAVED_AT_BASE))
		return FM_SAVED_LOST;
	return FM_SAVED_AT_BASE + offset / 8;
}

/* Return: struct fm_row's code for where a register was saved. */
static s8 fm_rule_code(const struct fm_cfi_run *run, enum fm_tracked tracked)
{
	const struct fm_rule *rule = &run->state.rules[tracked];
	bool has_link = run->cie->machine->has_link;
	s64 words = rule->offset / 8;

	if (rule->kind == FM_RULE_SAME)
		return 0;
	if (words * 8 != rule->offset)
		return FM_SAVED_LOST;
	if (rule->kind == FM_RULE_AT_CFA && words < 0 && words >= -128)
		return words;
	if (rule->kind == FM_RULE_AT_CFA && has_link)
		return fm_base_code(&run->state, rule);
	if (rule->kind == FM_RULE_AT_BP && !has_link && words <= 0 &&
	    words > FM_SAVED_AT_BP - FM_SAVED_LOST)
		return FM_SAVED_AT_BP - words;
	return FM_SAVED_LOST;
}

/* Return: whether a register was saved at sp + @offset. */
static bool fm_is_at_sp(const struct fm_cfi_state *state, enum fm_tracked tracked, s64 offset)
{
	const struct fm_rule *rule = &state->rules[tracked];

	return rule->kind == FM_RULE_AT_SP && rule->offset == offset;
}

/*
 * Return: the row of a signal handler's return: where the kernel's signal frame is, if all
 * that rows need is where the kernel has saved it; else one without a rule.
 */
static struct fm_row fm_signal_row(const struct fm_cfi_state *state)
{
	struct fm_row row = { .kind = FM_CFA_NONE };
	s64 frame = state->offset - FM_SIGNAL_SP;

	if (state->cfa != FM_CFA_SIGNAL || frame % 8 || frame / 8 < S16_MIN ||
	    frame / 8 > S16_MAX ||
	    !fm_is_at_sp(state, FM_TRACKED_RETURN, frame + FM_SIGNAL_IP) ||
	    !fm_is_at_sp(state, FM_TRACKED_BP, frame + FM_SIGNAL_BP) ||
	    !fm_is_at_sp(state, FM_TRACKED_BX, frame + FM_SIGNAL_BX))
		return row;
	row.kind = FM_CFA_SIGNAL;
	row.cfa = frame / 8;
	return row;
}

/*
 * Note where the return address and the registers were saved.
 * Return: false if the return address is somewhere that rows cannot express.
 */
static bool fm_row_saved(const struct fm_cfi_run *run, struct fm_row *row)
{
	const struct fm_rule *ret = &run->state.rules[FM_TRACKED_RETURN];

	*row = (struct fm_row){};
	row->bp = fm_rule_code(run, FM_TRACKED_BP);
	if (run->cie->machine->has_link) {
		row->lr = fm_rule_code(run, FM_TRACKED_RETURN);
		return row->lr != FM_SAVED_LOST;
	}
	row->bx = fm_rule_code(run, FM_TRACKED_BX);
	return ret->kind == FM_RULE_AT_CFA && ret->offset == -8;
}

/* Set a row for the current state. */
static void fm_state_row(struct fm_cfi_run *run, struct fm_row *row)
{
	const struct fm_cfi_state *state = &run->state;
	s64 words = state->offset / 8;

	if (run->cie->is_signal) {
		*row = fm_signal_row(state);
		return;
	}
	*row = (struct fm_row){ .kind = FM_CFA_NONE };
	if (state->rules[FM_TRACKED_RETURN].kind == FM_RULE_UNDEFINED) {
		row->kind = FM_CFA_END;
		return;
	}
	if (run->cie->is_other_return || state->cfa == FM_CFA_NONE ||
	    state->cfa == FM_CFA_SIGNAL)
		return;
	if (state->cfa == FM_CFA_PLT)
		words = state->offset;
	else if (words * 8 != state->offset || words != (s16)words)
		return;
	/* With a link register they depend on the offset, too: fm_base_code(). */
	if (!run->has_saved || run->cie->machine->has_link) {
		run->is_saved = fm_row_saved(run, &run->saved);
		run->has_saved = true;
	}
	if (!run->is_saved)
		return;
	*row = run->saved;
	row->kind = state->cfa;
	row->cfa = words;
}

/*
 * Decode the instructions that say where the CFA is.
 * Return: false for any other instruction, and for one that is not valid now.
 */
static bool fm_run_cfa(struct fm_cfi_run *run, u8 op, struct fm_cursor *in)
{
	const struct fm_machine *machine = run->cie->machine;
	struct fm_cfi_state *state = &run->state;

	if (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_sf)
		state->is_expression = false;
	else if (state->is_expression && op != DW_CFA_def_cfa_expression)
		return false;
	switch (op) {
	case DW_CFA_def_cfa:
		state->cfa = fm_cfa_of_column(machine, fm_cursor_uleb(in));
		state->offset = fm_cursor_uleb(in);
		return true;
	case DW_CFA_def_cfa_sf:
		state->cfa = fm_cfa_of_column(machine, fm_cursor_uleb(in));
		state->offset = fm_cursor_sleb(in) * run->cie->data_align;
		return true;
	case DW_CFA_def_cfa_register:
		state->cfa = fm_cfa_of_column(machine, fm_cursor_uleb(in));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		state->offset = fm_cursor_sleb(in) * run->cie->data_align;
		return true;
	case DW_CFA_def_cfa_expression:
		fm_cfa_expression(machine, state, fm_cursor_part(in, fm_cursor_uleb(in)));
		return true;
	}
	return false;
}

/*
 * Decode the instructions that say where a register was saved.
 * Return: false for any other instruction.
 */
static bool fm_run_rule(struct fm_cfi_run *run, u8 op, struct fm_cursor *in)
{
	u64 align = run->cie->data_align;
	u64 column;

	switch (op) {
	case DW_CFA_offset_extended:
		column = fm_cursor_uleb(in);
		fm_rule_set(run, column, FM_RULE_AT_CFA, fm_cursor_uleb(in) * align);
		return true;
	case DW_CFA_offset_extended_sf:
		column = fm_cursor_uleb(in);
		fm_rule_set(run, column, FM_RULE_AT_CFA, fm_cursor_sleb(in) * align);
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		column = fm_cursor_uleb(in);
		fm_rule_set(run, column, FM_RULE_AT_CFA, -fm_cursor_uleb(in) * align);
		return true;
	case DW_CFA_restore_extended:
		fm_rule_restore(run, fm_cursor_uleb(in));
		return true;
	case DW_CFA_undefined:
		fm_rule_set(run, fm_cursor_uleb(in), FM_RULE_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		fm_rule_set(run, fm_cursor_uleb(in), FM_RULE_SAME, 0);
		return true;
	case DW_CFA_register:
	case DW_CFA_val_offset:
		fm_rule_set(run, fm_cursor_uleb(in), FM_RULE_OTHER, 0);
		fm_cursor_uleb(in);
		return true;
	case DW_CFA_val_offset_sf:
		fm_rule_set(run, fm_cursor_uleb(in), FM_RULE_OTHER, 0);
		fm_cursor_sleb(in);
		return true;
	case DW_CFA_expression:
		column = fm_cursor_uleb(in);
		fm_rule_expression(run, column, fm_cursor_part(in, fm_cursor_uleb(in)));
		return true;
	case DW_CFA_val_expression:
		fm_rule_set(run, fm_cursor_uleb(in), FM_RULE_OTHER, 0);
		fm_cursor_part(in, fm_cursor_uleb(in));
		return true;
	}
	return false;
}

/* Save the state, or restore the one saved last. Return: 0, or -EINVAL. */
static int fm_run_keep(struct fm_cfi_run *run, bool keep)
{
	if (keep) {
		if (run->depth == FM_CFI_DEPTH)
			return -EINVAL;
		run->kept[run->depth++] = run->state;
		return 0;
	}
	if (!run->depth)
		return -EINVAL;
	run->state = run->kept[--run->depth];
	run->has_saved = false;
	return 0;
}

/*
 * Decode an instruction of any length, after its first byte. Return: as fm_run_one().
 */
static int fm_run_long(struct fm_cfi_run *run, u8 op, struct fm_cursor *in,
		       u64 address_of_end, u64 *to)
{
	u64 align = run->cie->code_align;

	switch (op) {
	case DW_CFA_advance_loc1:
		*to += fm_cursor_uint(in, 1) * align;
		return 1;
	case DW_CFA_advance_loc2:
		*to += fm_cursor_uint(in, 2) * align;
		return 1;
	case DW_CFA_advance_loc4:
		*to += fm_cursor_uint(in, 4) * align;
		return 1;
	case DW_CFA_set_loc:
		*to = fm_cursor_encoded(in, run->cie->encoding,
					address_of_end - (in->end - in->at));
		return 1;
	case DW_CFA_remember_state:
	case DW_CFA_restore_state:
		return fm_run_keep(run, op == DW_CFA_remember_state);
	case DW_CFA_GNU_args_size:
		fm_cursor_uleb(in);
		return 0;
	case DW_CFA_AARCH64_negate_ra_state:
	case DW_CFA_AARCH64_negate_ra_state_with_pc:
		/* The walk takes the signature from every return address. */
		return run->cie->machine->has_link ? 0 : -EINVAL;
	}
	return fm_run_cfa(run, op, in) || fm_run_rule(run, op, in) ? 0 : -EINVAL;
}

/*
 * Decode one instruction. Return: 0; 1 if it advances the address to @to; or
 * -EINVAL if it is unknown, since its length is unknown then, too.
 *
 * Nearly all of a program's are of these few kinds.
 */
static __always_inline int fm_run_one(struct fm_cfi_run *run, struct fm_cursor *in,
				      u64 address_of_end, u64 *to)
{
	u8 op = fm_cursor_byte(in), low = op & 0x3f;

	*to = run->at;
	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		*to += low * run->cie->code_align;
		return 1;
	case DW_CFA_offset:
		fm_rule_set(run, low, FM_RULE_AT_CFA,
			    fm_cursor_uleb(in) * run->cie->data_align);
		return 0;
	case DW_CFA_restore:
		fm_rule_restore(run, low);
		return 0;
	}
	if (op == DW_CFA_nop)
		return 0;
	if (op == DW_CFA_def_cfa_offset && !run->state.is_expression) {
		run->state.offset = fm_cursor_uleb(in);
		return 0;
	}
	return fm_run_long(run, op, in, address_of_end, to);
}

/* Start to run instructions. What @run keeps for later is not cleared: it is long. */
static void fm_run_begin(struct fm_cfi_run *run, const struct fm_cie *cie, u64 start)
{
	run->state = cie->state;
	run->depth = 0;
	run->cie = cie;
	run->at = start;
	run->has_saved = false;
}

/**
 * fm_cie_run() - run the instructions of a CIE.
 * @cie: the CIE, with a state without rules; its state is set
 * @in: its instructions, which must not advance
 *
 * Context: Any; uses 700 bytes of stack.
 */
void fm_cie_run(struct fm_cie *cie, struct fm_cursor in)
{
	struct fm_cfi_run run;
	u64 to;

	fm_run_begin(&run, cie, 0);
	while (in.at < in.end && !cie->is_unknown)
		cie->is_unknown = fm_run_one(&run, &in, 0, &to) || in.bad;
	cie->state = run.state;
}

/**
 * fm_cfi_run() - turn one function's instructions into rows.
 * @cie: the entry that the function's FDE refers to
 * @start: where the function starts
 * @end: where it ends
 * @in: the FDE's instructions
 * @address_of_end: the address of the byte after them
 * @sink: gets a row for each change; the first one is at @start
 *
 * After an unknown instruction, the rest of the function has no rule.
 *
 * Context: Process context; uses 800 bytes of stack.
 * Return: 0, or what @sink returned.
 */
int fm_cfi_run(const struct fm_cie *cie, u64 start, u64 end,
	       struct fm_cursor *in, u64 address_of_end,
	       const struct fm_cfi_sink *sink)
{
	static const struct fm_row unknown = { .kind = FM_CFA_NONE };
	struct fm_cfi_run run;
	struct fm_row row;
	u64 to;
	int err;

	if (cie->is_unknown)
		return sink->put(sink->arg, start, &unknown);
	fm_run_begin(&run, cie, start);
	while (in->at < in->end) {
		int moved = fm_run_one(&run, in, address_of_end, &to);

		if (moved < 0 || in->bad || to < run.at)
			return sink->put(sink->arg, run.at, &unknown);
		if (!moved || to == run.at)
			continue;
		fm_state_row(&run, &row);
		err = sink->put(sink->arg, run.at, &row);
		if (err)
			return err;
		if (to >= end)
			return 0;
		run.at = to;
	}
	fm_state_row(&run, &row);
	return sink->put(sink->arg, run.at, &row);
}
