// SPDX-License-Identifier: GPL-2.0
/*
 * Learning a step: which step results from what an unwinder did on the fake stack, and
 * when nothing is learned.
 *
 * The test provides the unwinder. learned_test.c compares the kernel's own unwinder
 * with the steps that were learned from it.
 */
#include <linux/ptrace.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/step.h"
#include "suites.h"
#include "text.h"
#include "unwinder.h"

#if FM_STACK_HAS_STEPS
#define FM_ADDRESS	(FM_TEST_TEXT + 0x1000)

/* What an unwinder does in one step; offsets are in bytes. */
struct fm_does {
	enum { FM_ENDS, FM_FAILS, FM_CALL, FM_ERRS, FM_INTERRUPTED } what;
	enum { FM_BY_SP, FM_BY_BP, FM_BY_WORD } from;
	int cfa;
	int bp;			/* where bp was saved, from the CFA; 0: not saved */
	int ip;			/* where the return address was, beside its usual place */
	bool partial;		/* not all registers are there */
	bool own_bp;		/* bp is made up */
};

static const struct fm_does *fm_does;
static u32 fm_nr_probes;

/* Returns NULL for a place beyond the fake stack. */
static unsigned long fm_word_at(const struct unwind_state *state, unsigned long address)
{
	if (address < (unsigned long)state->stack_info.begin ||
	    address >= (unsigned long)state->stack_info.end)
		return 0;
	return *(unsigned long *)address;
}

/* Take the step that the case says; the second probe uses the second element. */
static bool fm_unwind_by_case(struct unwind_state *state)
{
	const struct fm_does *does = &fm_does[fm_nr_probes++ != 0];
	unsigned long from = does->from == FM_BY_SP ? state->sp :
			     does->from == FM_BY_BP ? state->bp :
			     fm_word_at(state, state->sp);
	unsigned long cfa = from + does->cfa;

	if (does->what == FM_ENDS || does->what == FM_FAILS) {
		state->error = does->what == FM_FAILS;
		return false;
	}
	state->error = does->what == FM_ERRS;
	if (does->what == FM_INTERRUPTED) {
		struct pt_regs *regs = (void *)cfa;

		state->regs = regs;
		state->full_regs = !does->partial;
		state->ip = regs->ip;
		state->sp = regs->sp;
		state->bp = does->own_bp ? 4711 : regs->bp;
		return true;
	}
	state->regs = NULL;
	state->ip = fm_word_at(state, cfa - sizeof(long) + does->ip);
	if (does->bp)
		state->bp = fm_word_at(state, cfa + does->bp);
	if (does->own_bp)
		state->bp = 4711;
	state->sp = cfa;
	return true;
}

#define FM_DOES(...)		{ { __VA_ARGS__ }, { __VA_ARGS__ } }
#define FM_CALL_BY(...)		FM_DOES(FM_CALL, __VA_ARGS__)
#define FM_LEARNS(step_kind, step_cfa, step_bp) \
	{ .kind = FM_STEP_##step_kind, .cfa = step_cfa, .bp = step_bp }
#define FM_LEARNS_NOTHING	{ .kind = FM_STEP_HARD }

static const struct fm_step_case {
	const char *name;
	struct fm_does does[2];
	struct fm_move move;
} fm_step_cases[] = {
	{ "sp", FM_CALL_BY(FM_BY_SP, 8), FM_LEARNS(SP, 8, 0) },
	{ "sp, a large frame", FM_CALL_BY(FM_BY_SP, 8192), FM_LEARNS(SP, 8192, 0) },
	{ "sp, too large a frame", FM_CALL_BY(FM_BY_SP, 8200), FM_LEARNS_NOTHING },
	{ "sp in place", FM_CALL_BY(FM_BY_SP, 0), FM_LEARNS_NOTHING },
	{ "sp back", FM_CALL_BY(FM_BY_SP, -8), FM_LEARNS_NOTHING },
	{ "sp, bp saved", FM_CALL_BY(FM_BY_SP, 24, -16), FM_LEARNS(SP, 24, -2) },
	{ "sp, bp saved at sp", FM_CALL_BY(FM_BY_SP, 32, -32), FM_LEARNS(SP, 32, -4) },
	{ "sp, bp saved below sp", FM_CALL_BY(FM_BY_SP, 32, -40), FM_LEARNS_NOTHING },
	{ "sp, bp is the return address", FM_CALL_BY(FM_BY_SP, 24, -8), FM_LEARNS_NOTHING },
	{ "sp, bp saved above", FM_CALL_BY(FM_BY_SP, 24, 8), FM_LEARNS_NOTHING },
	{ "sp, bp saved far away", FM_CALL_BY(FM_BY_SP, 1104, -1024), FM_LEARNS(SP, 1104, -128) },
	{ "sp, bp saved too far away", FM_CALL_BY(FM_BY_SP, 1104, -1032), FM_LEARNS_NOTHING },
	{ "sp, bp from nowhere", FM_CALL_BY(FM_BY_SP, 24, .own_bp = true), FM_LEARNS_NOTHING },
	{ "sp, another return address", FM_CALL_BY(FM_BY_SP, 24, 0, -8), FM_LEARNS_NOTHING },
	{ "bp", FM_CALL_BY(FM_BY_BP, 16, -16), FM_LEARNS(BP, 16, -2) },
	{ "bp to the end", FM_CALL_BY(FM_BY_BP, 512, -16), FM_LEARNS(BP, 512, -2) },
	{ "bp beyond the end", FM_CALL_BY(FM_BY_BP, 520, -16), FM_LEARNS_NOTHING },
	{ "bp in place", FM_CALL_BY(FM_BY_BP, 0, -16), FM_LEARNS_NOTHING },
	{ "a word", FM_CALL_BY(FM_BY_WORD, 8), FM_LEARNS(INDIRECT, 8, 0) },
	{ "a word, bp saved", FM_CALL_BY(FM_BY_WORD, 8, -24), FM_LEARNS(INDIRECT, 8, -3) },
	{ "registers", FM_DOES(FM_INTERRUPTED, FM_BY_SP, 0), FM_LEARNS(REGS, 0, 0) },
	{ "registers above", FM_DOES(FM_INTERRUPTED, FM_BY_SP, 8), FM_LEARNS(REGS, 8, 0) },
	{ "registers below", FM_DOES(FM_INTERRUPTED, FM_BY_SP, -8), FM_LEARNS_NOTHING },
	{ "registers elsewhere", FM_DOES(FM_INTERRUPTED, FM_BY_WORD, 0), FM_LEARNS_NOTHING },
	{ "registers too far away", FM_DOES(FM_INTERRUPTED, FM_BY_SP, 8192), FM_LEARNS_NOTHING },
	{ "half the registers", FM_DOES(FM_INTERRUPTED, FM_BY_SP, 0, .partial = true),
	  FM_LEARNS_NOTHING },
	{ "registers, another bp", FM_DOES(FM_INTERRUPTED, FM_BY_SP, 0, .own_bp = true),
	  FM_LEARNS_NOTHING },
	{ "the end", FM_DOES(FM_ENDS), FM_LEARNS(END, 0, 0) },
	{ "a failure", FM_DOES(FM_FAILS), FM_LEARNS_NOTHING },
	{ "a guess", FM_DOES(FM_ERRS, FM_BY_SP, 8), FM_LEARNS_NOTHING },
	/* The second probe detects a step that depends on more than the address. */
	{ "a word, then another distance",
	  { { FM_CALL, FM_BY_WORD, 8 }, { FM_CALL, FM_BY_WORD, 16 } }, FM_LEARNS_NOTHING },
	{ "a word, then sp",
	  { { FM_CALL, FM_BY_WORD, 8 }, { FM_CALL, FM_BY_SP, 8 } }, FM_LEARNS_NOTHING },
	{ "registers, then higher",
	  { { FM_INTERRUPTED, FM_BY_SP, 0 }, { FM_INTERRUPTED, FM_BY_SP, 8 } },
	  FM_LEARNS_NOTHING },
	{ "registers, then a failure",
	  { { FM_INTERRUPTED, FM_BY_SP, 0 }, { FM_FAILS } }, FM_LEARNS_NOTHING },
	{ "the end, then none", { { FM_ENDS }, { FM_CALL, FM_BY_SP, 8 } }, FM_LEARNS_NOTHING },
};

FM_ARRAY_PARAM(step);

static void a_step_is_learned_or_left_alone(struct kunit *test)
{
	const struct fm_step_case *c = test->param_value;
	bool plain = c->move.kind == FM_STEP_SP || c->move.kind == FM_STEP_BP;
	struct fm_step step;
	u32 i;

	for (i = 0; i < 2; i++) {
		memset(&step, 0x7e, sizeof(step));
		fm_does = c->does;
		fm_nr_probes = 0;
		fm_unwind_next = fm_unwind_by_case;
		fm_step_learn(&step, FM_ADDRESS, i);
		fm_unwinder_reset();
		KUNIT_EXPECT_EQ(test, step.move.kind, c->move.kind);
		KUNIT_EXPECT_EQ(test, step.move.cfa, c->move.cfa);
		KUNIT_EXPECT_EQ(test, step.move.bp, c->move.bp);
		KUNIT_EXPECT_EQ(test, step.key, fm_step_key(FM_ADDRESS, i));
		KUNIT_EXPECT_EQ(test, step.path, 0);
		KUNIT_EXPECT_EQ(test, step.entry, 0);
		KUNIT_EXPECT_EQ(test, fm_nr_probes, plain ? 1 : 2);
	}
}

static int fm_step_begin(struct kunit *test)
{
	fm_step_init();
	return 0;
}

static struct kunit_case fm_step_suite_cases[] = {
	KUNIT_CASE_PARAM(a_step_is_learned_or_left_alone, fm_step_gen_params),
	{}
};
#else
static int fm_step_begin(struct kunit *test)
{
	return 0;
}

static struct kunit_case fm_step_suite_cases[] = { {} };
#endif

struct kunit_suite fm_step_suite = {
	.name = "flamemod_step",
	.init = fm_step_begin,
	.test_cases = fm_step_suite_cases,
};
