// SPDX-License-Identifier: GPL-2.0
/*
 * Time with interrupts off: recognised from code, and as a real timer finds it.
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/ptrace.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/irqs.h"
#include "chain.h"
#include "suites.h"
#include "timer.h"

/* As assembled by GNU as. The last byte is just before the interrupted instruction. */
static const struct fm_code_case {
	const char *name;
	u8 nr;
	u8 code[FM_IRQS_BYTES];
	bool let_in;
} fm_code_cases[] = {
#if defined(CONFIG_X86_64)
	{ "popf", 1, { 0x9d }, true },
	{ "popf, nop", 2, { 0x9d, 0x90 }, false },
	{ "sti", 1, { 0xfb }, false },
	{ "sti, nop", 2, { 0xfb, 0x90 }, true },
	{ "sti, nop, nop", 3, { 0xfb, 0x90, 0x90 }, false },
	{ "sti, nopw", 3, { 0xfb, 0x66, 0x90 }, true },
	{ "sti, nopl", 4, { 0xfb, 0x0f, 0x1f, 0x00 }, true },
	{ "sti, nopw of 6", 7, { 0xfb, 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 }, true },
	{ "sti, nopl of 8", 9, { 0xfb, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 }, true },
	{ "sti, cs nopw of 10", 11,
	  { 0xfb, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 }, true },
	{ "sti, decl %gs:off(%rip)", 8,
	  { 0xfb, 0x65, 0xff, 0x0d, 0x10, 0x20, 0x30, 0x40 }, true },
	{ "sti, half of it", 5, { 0xfb, 0x65, 0xff, 0x0d, 0x10 }, false },
	{ "sti, pop %rbx", 2, { 0xfb, 0x5b }, true },
	{ "sti, pop %r12", 3, { 0xfb, 0x41, 0x5c }, true },
	{ "sti, xor %eax,%eax", 3, { 0xfb, 0x31, 0xc0 }, true },
	{ "sti, mov %rsp,%rbp", 4, { 0xfb, 0x48, 0x89, 0xe5 }, true },
	{ "sti, mov 8(%rdi),%rax", 5, { 0xfb, 0x48, 0x8b, 0x47, 0x08 }, true },
	{ "sti, mov 0x100(%rsp),%rax", 9,
	  { 0xfb, 0x48, 0x8b, 0x84, 0x24, 0x00, 0x01, 0x00, 0x00 }, true },
	{ "sti, movl $1,4(%rdi)", 8, { 0xfb, 0xc7, 0x47, 4, 1, 0, 0, 0 }, true },
	{ "sti, movw $1,4(%rdi)", 7, { 0xfb, 0x66, 0xc7, 0x47, 4, 1, 0 }, false },
	{ "sti, movw $1,4(%rdi), add %al,(%rax)", 9,
	  { 0xfb, 0x66, 0xc7, 0x47, 4, 1, 0, 0, 0 }, false },
	{ "sti, movabs", 11, { 0xfb, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, false },
	{ "sti, testb $1,%al", 3, { 0xfb, 0xa8, 0x01 }, true },
	{ "sti, cmpb $0,off(%rip)", 8, { 0xfb, 0x80, 0x3d, 1, 2, 3, 4, 0 }, true },
	{ "sti, jne", 3, { 0xfb, 0x75, 0x10 }, true },
	{ "sti, bt %rax,(%rdx)", 5, { 0xfb, 0x48, 0x0f, 0xa3, 0x02 }, true },
	/* An offset that contains the byte of sti or popf. */
	{ "mov -5(%rbp),%eax, as far as that", 3, { 0x8b, 0x45, 0xfb }, false },
	{ "mov 0x9d(%rbx),%al; nop", 7, { 0x8a, 0x83, 0x9d, 0, 0, 0, 0x90 }, false },
	{ "nothing of it", 3, { 0x48, 0x89, 0xe5 }, false },
	{ "what is no instruction", 4, { 0xfb, 0x06, 0x07, 0x0e }, false },
#elif defined(CONFIG_ARM64)
	{ "msr daifclr, #2", 4, { 0xff, 0x42, 0x03, 0xd5 }, true },
	{ "msr daifclr, #3", 4, { 0xff, 0x43, 0x03, 0xd5 }, true },
	{ "msr daifset, #2", 4, { 0xdf, 0x42, 0x03, 0xd5 }, false },
	{ "msr daif, x0", 4, { 0x20, 0x42, 0x1b, 0xd5 }, true },
	{ "mrs x0, daif", 4, { 0x20, 0x42, 0x3b, 0xd5 }, false },
	{ "nop", 4, { 0x1f, 0x20, 0x03, 0xd5 }, false },
#else
	{ "not known here", 0, {}, false },
#endif
};

FM_ARRAY_PARAM(code);

static void code_shows_it(struct kunit *test)
{
	const struct fm_code_case *c = test->param_value;
	u8 code[2 * FM_IRQS_BYTES] __aligned(2 * FM_IRQS_BYTES);

	/* Between functions there are int3. */
	memset(code, 0xcc, sizeof(code));
	memcpy(code + sizeof(code) - c->nr, c->code, c->nr);
	KUNIT_EXPECT_EQ(test, fm_irqs_let_in(code + sizeof(code)), c->let_in);
}

/* With any bytes the search ends, and reads none outside (KASAN sees that). */
static void any_bytes_do_no_harm(struct kunit *test)
{
	u8 *code = kunit_kzalloc(test, FM_IRQS_BYTES, GFP_KERNEL);
	u32 random = 1, i, j, let_in = 0;

	KUNIT_ASSERT_NOT_NULL(test, code);
	for (i = 0; i < 100000; i++) {
		for (j = 0; j < FM_IRQS_BYTES; j++) {
			random = random * 1664525 + 1013904223;
			code[j] = random >> 24;
		}
		let_in += fm_irqs_let_in(code + FM_IRQS_BYTES);
	}
	/* Expected by chance: popf 1 in 256, sti and one instruction about 1 in 60. */
	KUNIT_EXPECT_LT(test, let_in, 3000);
}

/* Code that firmware runs below the kernel's half: nothing is mapped there now. */
static void code_at_a_low_address_is_not_read(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, fm_irqs_were_off(0x1230));
	KUNIT_EXPECT_FALSE(test, fm_irqs_were_off(0x7ffff0001230));
	KUNIT_EXPECT_FALSE(test, fm_irqs_were_off(LONG_MAX - 15));
}

#ifdef CONFIG_X86_64
/* A call after sti: recognised by the call's target, among other words on a stack. */
static const struct fm_call_case {
	const char *name;
	u8 before[2];
	s32 off;		/* distance from the interrupted address to the call's target */
	unsigned long back;	/* return address on the stack; 0: the end of the call */
	bool by_call;
} fm_call_cases[] = {
	{ "sti, call", { 0xfb, 0xe8 }, 0, 0, true },
	{ "nop, call", { 0x90, 0xe8 }, 0, 0, false },
	{ "sti, jmp", { 0xfb, 0xe9 }, 0, 0, false },
	{ "sti, call of another", { 0xfb, 0xe8 }, 16, 0, false },
	{ "far from what is called", { 0xfb, 0xe8 }, 0, 4096, false },
	{ "no address", { 0xfb, 0xe8 }, 0, 0x1234567812345678, false },
	{ "nobody's address", { 0xfb, 0xe8 }, 0, -4096ul, false },
};

FM_ARRAY_PARAM(call);

static void a_call_after_sti_is_recognised(struct kunit *test)
{
	const struct fm_call_case *c = test->param_value;
	u8 code[16] __aligned(16) = {};
	unsigned long back = c->back ?: (unsigned long)code + 8;
	unsigned long stack[2] = { back, 2 };
	struct pt_regs regs = { .ip = back + 0x1234, .bp = 3,
				.sp = (unsigned long)stack }, caller = {};
	s32 distance = 0x1234 + c->off;

	memcpy(code + 2, c->before, 2);
	memcpy(code + 4, &distance, sizeof(distance));
	KUNIT_ASSERT_EQ(test, fm_irqs_in_caller(&regs, &caller), c->by_call);
	KUNIT_EXPECT_EQ(test, caller.ip, c->by_call ? back - 5 : 0);
	KUNIT_EXPECT_EQ(test, caller.sp,
			c->by_call ? (unsigned long)(stack + 1) : 0);
	KUNIT_EXPECT_EQ(test, caller.bp, c->by_call ? 3ul : 0);
}

static void without_a_stack_there_is_no_caller(struct kunit *test)
{
	struct pt_regs regs = { .ip = (unsigned long)fm_irqs_let_in }, caller;

	KUNIT_EXPECT_FALSE(test, fm_irqs_in_caller(&regs, &caller));
	regs.sp = -4096ul;
	KUNIT_EXPECT_FALSE(test, fm_irqs_in_caller(&regs, &caller));
}
#endif

static unsigned long fm_irqs_hit_ip;
static bool fm_irqs_hit_off;

static void fm_irqs_hit(struct pt_regs *regs)
{
	struct pt_regs caller;

	fm_irqs_hit_ip = instruction_pointer(regs);
	fm_irqs_hit_off = fm_irqs_were_off(instruction_pointer(regs));
	if (fm_irqs_in_caller(regs, &caller)) {
		fm_irqs_hit_off = true;
		fm_irqs_hit_ip = instruction_pointer(&caller);
	}
}

/* Much longer than the timer takes. A busy host may be late with it: see FM_IRQS_TRIES. */
#define FM_IRQS_OFF_MS_MIN	15u
#define FM_IRQS_OFF_MS_MAX	120u
/* After so many tries that showed nothing, interrupts are off for twice as long. */
#define FM_IRQS_TRIES		50
#define FM_IRQS_TRIES_MAX	200

static unsigned int fm_irqs_off_ms;

/* Keeps a jump from following sti: code at a jump's target shows nothing. */
static __always_inline void fm_irqs_nop(void)
{
	asm volatile("nop" ::: "memory");
}

/*
 * Each function has less than 256 bytes and starts at a multiple of 256 in a section
 * of its own, so that none crosses a page: at a page's start nothing is recognised.
 */
static noinline __section(".text.fm_irqs_flag") __aligned(256)
void fm_irqs_by_flag(void)
{
	local_irq_disable();
	fm_timer_start();
	mdelay(fm_irqs_off_ms);
	local_irq_enable();
	fm_irqs_nop();
	fm_timer_await();
}

static noinline __section(".text.fm_irqs_lock") __aligned(256)
void fm_irqs_by_lock(void)
{
	static DEFINE_RAW_SPINLOCK(lock);

	raw_spin_lock_irq(&lock);
	fm_timer_start();
	mdelay(fm_irqs_off_ms);
	raw_spin_unlock_irq(&lock);
	fm_timer_await();
}

static noinline __section(".text.fm_irqs_saved") __aligned(256)
void fm_irqs_by_lock_and_saved_flags(void)
{
	static DEFINE_RAW_SPINLOCK(lock);
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	fm_timer_start();
	mdelay(fm_irqs_off_ms);
	raw_spin_unlock_irqrestore(&lock, flags);
	fm_timer_await();
}

#ifdef CONFIG_X86_64
noinline void fm_irqs_callee(void);
noinline void fm_irqs_callee(void)
{
	fm_irqs_nop();
}

/* As in kernels without paravirt, where a call may follow sti directly. */
static noinline __section(".text.fm_irqs_call") __aligned(256)
void fm_irqs_by_call(void)
{
	local_irq_disable();
	fm_timer_start();
	mdelay(fm_irqs_off_ms);
	asm volatile("sti; call fm_irqs_callee"
		     : ASM_CALL_CONSTRAINT
		     : : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi",
			 "r8", "r9", "r10", "r11");
	/* For tracers of interrupt state, which did not see that sti. */
	local_irq_disable();
	local_irq_enable();
	fm_timer_await();
}
#endif

static noinline void fm_irqs_on(void)
{
	fm_timer_start();
	fm_timer_await();
}

/* Ways to enable interrupts, and code that never disables them. */
static const struct fm_way_case {
	const char *name;
	void (*way)(void);
	bool off;
} fm_way_cases[] = {
	{ "local_irq_enable", fm_irqs_by_flag, true },
	{ "raw_spin_unlock_irq", fm_irqs_by_lock, true },
	{ "raw_spin_unlock_irqrestore", fm_irqs_by_lock_and_saved_flags, true },
#ifdef CONFIG_X86_64
	{ "sti, call", fm_irqs_by_call, true },
#endif
	{ "interrupts on", fm_irqs_on, false },
};

FM_ARRAY_PARAM(way);

static void a_real_timer_finds_it(struct kunit *test)
{
	const struct fm_way_case *way = test->param_value;
	bool known = IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64);
	const u32 *wanted;
	u32 i, nr_off = 0, nr_on = 0;

	wanted = way->off ? &nr_off : &nr_on;
	fm_irqs_off_ms = FM_IRQS_OFF_MS_MIN;
	/* On a busy host most timers may fire after all of this: try until one did not. */
	for (i = 0; i < 20 || (known && !*wanted && i < FM_IRQS_TRIES_MAX); i++) {
		if (i && i % FM_IRQS_TRIES == 0)
			fm_irqs_off_ms = min(2u * fm_irqs_off_ms, FM_IRQS_OFF_MS_MAX);
		fm_timer_set(fm_irqs_hit);
		way->way();
		KUNIT_ASSERT_TRUE(test, fm_timer_cancel());
		/* Another interrupt may delay the timer. */
		if (!way->off && !fm_chain_is_in(fm_irqs_hit_ip, "fm_irqs_on"))
			continue;
		nr_off += fm_irqs_hit_off;
		nr_on += !fm_irqs_hit_off;
	}
	if (way->off && known)
		KUNIT_EXPECT_GT(test, nr_off, 0);
	else
		KUNIT_EXPECT_EQ(test, nr_off, 0);
	if (!way->off)
		KUNIT_EXPECT_GT(test, nr_on, 0);
}

static struct kunit_case fm_irqs_cases[] = {
	KUNIT_CASE_PARAM(code_shows_it, fm_code_gen_params),
	KUNIT_CASE(any_bytes_do_no_harm),
	KUNIT_CASE(code_at_a_low_address_is_not_read),
#ifdef CONFIG_X86_64
	KUNIT_CASE_PARAM(a_call_after_sti_is_recognised, fm_call_gen_params),
	KUNIT_CASE(without_a_stack_there_is_no_caller),
#endif
	KUNIT_CASE_PARAM(a_real_timer_finds_it, fm_way_gen_params),
	{}
};

struct kunit_suite fm_irqs_suite = {
	.name = "flamemod_irqs",
	.test_cases = fm_irqs_cases,
};
