// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols: the names of addresses, which of them are kept, and which are forgotten
 * when a module goes.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/memory.h"
#include "../../module/symbols.h"
#include "redirect.h"
#include "suites.h"

#define FM_LIMIT	(4 * 1024 * 1024)

static struct fm_memory fm_memory;
static struct fm_symbols fm_symbols;

/* What the kernel would print for an address. */
static unsigned int fm_nr_asked;
static const char *fm_suffix = "";
static char fm_one_name[KSYM_SYMBOL_LEN];

static int fm_print_one(char *buffer, unsigned long address)
{
	fm_nr_asked++;
	return strlen(strcpy(buffer, fm_one_name));
}

/* Every 16 addresses are a function. */
static int fm_print_many(char *buffer, unsigned long address)
{
	fm_nr_asked++;
	return sprintf(buffer, "function_%lu%s+%#lx/0x10", address / 16,
		       fm_suffix, address % 16);
}

static int fm_symbols_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_hashes_collide = false;
	fm_nr_asked = 0;
	fm_suffix = "";
	fm_memory_init(&fm_memory, FM_LIMIT);
	return fm_symbols_init(&fm_symbols, &fm_memory);
}

static void fm_symbols_end(struct kunit *test)
{
	fm_symbols_deinit(&fm_symbols);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_memory), 0);
	fm_symbol_printer = fm_real_symbol;
	fm_hashes_collide = false;
	fm_allocations_exit(test);
}

static const struct fm_frame *fm_frame_at(u32 i)
{
	return fm_set_at(&fm_symbols.frames, i);
}

/* What sprint_symbol() may print, and the resulting name and kind. */
static const struct fm_kind_case {
	const char *printed;
	const char *name;
	enum flamemod_frame_kind kind;
} fm_kind_cases[] = {
	{ "schedule", "schedule", FLAMEMOD_FRAME_KERNEL },
	{ "schedule+0x12/0x340", "schedule", FLAMEMOD_FRAME_KERNEL },
	{ "ext4_sync_file+0x0/0x340 [ext4]", "ext4_sync_file [ext4]",
	  FLAMEMOD_FRAME_MODULE },
	/* Not an extent, so it is part of the name. */
	{ "operator+0x", "operator+0x", FLAMEMOD_FRAME_KERNEL },
	{ "a+0x12/0x340b+0x", "a+0x12/0x340b+0x", FLAMEMOD_FRAME_KERNEL },
	{ "x", "x", FLAMEMOD_FRAME_KERNEL },
	{ "do_one.isra.0", "do_one.isra.0", FLAMEMOD_FRAME_KERNEL },
	{ "0x", "[unknown]", FLAMEMOD_FRAME_MARK },
	{ "0xffffffff81000000", "[unknown]", FLAMEMOD_FRAME_MARK },
	{ "0xdead [ext4]", "[unknown]", FLAMEMOD_FRAME_MARK },
	{ "", "[unknown]", FLAMEMOD_FRAME_MARK },
	{ "ext4_sync_file [ext4]", "ext4_sync_file [ext4]", FLAMEMOD_FRAME_MODULE },
	{ "f [m]", "f [m]", FLAMEMOD_FRAME_MODULE },
	{ "odd[name", "odd[name", FLAMEMOD_FRAME_KERNEL },
	/* Like an address except for the first letter. */
	{ "x0xffffffff81000000", "x0xffffffff81000000", FLAMEMOD_FRAME_KERNEL },
	{ "a;b", "a;b", FLAMEMOD_FRAME_KERNEL },
};

static void fm_kind_name(const struct fm_kind_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "\"%s\"", c->printed);
}

KUNIT_ARRAY_PARAM(fm_kind, fm_kind_cases, fm_kind_name);

static void names_and_kinds_are_parsed(struct kunit *test)
{
	const struct fm_kind_case *c = test->param_value;
	u32 frame = ~0;

	strcpy(fm_one_name, c->printed);
	fm_symbol_printer = fm_print_one;
	KUNIT_EXPECT_GE(test, fm_symbols_resolve(&fm_symbols, 1, &frame), 0);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_symbols.frames), 1);
	KUNIT_EXPECT_EQ(test, frame, 0);
	KUNIT_EXPECT_STREQ(test, fm_frame_at(0)->name, c->name);
	KUNIT_EXPECT_EQ(test, fm_frame_at(0)->kind, c->kind);
	KUNIT_EXPECT_EQ(test, fm_frame_at(0)->name_bytes, strlen(c->name) + 1);
}

static void the_longest_name_is_whole(struct kunit *test)
{
	u32 frame;

	memset(fm_one_name, 'n', KSYM_SYMBOL_LEN - 1);
	fm_one_name[KSYM_SYMBOL_LEN - 1] = 0;
	fm_symbol_printer = fm_print_one;
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 1, &frame), 0);
	KUNIT_EXPECT_STREQ(test, fm_frame_at(frame)->name, fm_one_name);
	KUNIT_EXPECT_EQ(test, fm_frame_at(frame)->name_bytes, KSYM_SYMBOL_LEN);
}

static noinline void fm_some_function(void)
{
	barrier();
}

/* This test uses the kernel's own sprint_symbol(). */
static void the_kernel_names_its_functions(struct kunit *test)
{
	unsigned long here = (unsigned long)fm_some_function;
	u32 kernel, ours, nothing;

	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols,
						 (unsigned long)sprint_symbol + 1,
						 &kernel), 0);
	KUNIT_EXPECT_STREQ(test, fm_frame_at(kernel)->name, "sprint_symbol");
	KUNIT_EXPECT_EQ(test, fm_frame_at(kernel)->kind, FLAMEMOD_FRAME_KERNEL);
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, here + 1, &ours), 0);
#ifdef MODULE
	KUNIT_EXPECT_STREQ(test, fm_frame_at(ours)->name,
			   "fm_some_function [flamemod_kunit]");
	KUNIT_EXPECT_EQ(test, fm_frame_at(ours)->kind, FLAMEMOD_FRAME_MODULE);
#else
	KUNIT_EXPECT_STREQ(test, fm_frame_at(ours)->name,
			   "fm_some_function");
#endif
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 0x1234, &nothing),
			FM_SYMBOLS_PASSES);
	KUNIT_EXPECT_STREQ(test, fm_frame_at(nothing)->name, "[unknown]");
	KUNIT_EXPECT_EQ(test, fm_frame_at(nothing)->kind, FLAMEMOD_FRAME_MARK);
}

static void fm_expect_many(struct kunit *test)
{
	u32 frame, address;

	fm_symbol_printer = fm_print_many;
	for (address = 0; address < 1600; address++) {
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address,
							 &frame), 0);
		KUNIT_EXPECT_EQ(test, frame, address / 16);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_asked, 100);
	/* Known by now. */
	for (address = 1600; address--; ) {
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address,
							 &frame), 0);
		KUNIT_EXPECT_EQ(test, frame, address / 16);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_asked, 100);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_symbols.frames), 100);
}

static void a_function_is_looked_up_once(struct kunit *test)
{
	fm_expect_many(test);
}

/* Nobody can choose names that share a bucket: each profile has a key of its own. */
static void hashes_have_a_key(struct kunit *test)
{
	static const hsiphash_key_t none;
	const hsiphash_key_t key = fm_symbols.key;

	KUNIT_EXPECT_NE(test, memcmp(&key, &none, sizeof(none)), 0);
	fm_symbols_deinit(&fm_symbols);
	KUNIT_ASSERT_EQ(test, fm_symbols_init(&fm_symbols, &fm_memory), 0);
	KUNIT_EXPECT_NE(test, memcmp(&key, &fm_symbols.key, sizeof(key)), 0);
}

static void names_that_only_share_a_hash(struct kunit *test)
{
	fm_hashes_collide = true;
	fm_expect_many(test);
}

/* The part of a module: the addresses that go. */
static unsigned long fm_from, fm_to;

static bool fm_within(unsigned long address, const struct module *mod)
{
	return address >= fm_from && address < fm_to;
}

/* What is printed for 0x2010, and the addresses around it that get the same name. */
static const struct fm_extent_case {
	const char *printed;
	unsigned long first, last;
} fm_extent_cases[] = {
	{ "f+0x10/0x40", 0x2000, 0x203f },
	{ "f+0x0/0x1", 0x2010, 0x2010 },
	{ "f+0x0/0x20 [m]", 0x2010, 0x202f },
	{ "f+0xf/0x10", 0x2001, 0x2010 },
	/* Without a valid extent only the address itself gets the name. */
	{ "f+0x10/0x10", 0x2010, 0x2010 },
	{ "f+0x0/0x0", 0x2010, 0x2010 },
	{ "f+0x10/0x100000000", 0x2010, 0x2010 },
	{ "f", 0x2010, 0x2010 },
	/* Other functions are at 0x1ff0 to 0x1fff and from 0x2050 on. */
	{ "f+0x30/0x80", 0x2000, 0x204f },
	{ "f+0x30/0x40", 0x2000, 0x201f },
	{ "f+0x0/0x80", 0x2010, 0x204f },
};

static void fm_extent_name(const struct fm_extent_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "\"%s\"", c->printed);
}

KUNIT_ARRAY_PARAM(fm_extent, fm_extent_cases, fm_extent_name);

static const char *fm_extent_printed;

static int fm_print_around(char *buffer, unsigned long address)
{
	fm_nr_asked++;
	if (address == 0x2010)
		return strlen(strcpy(buffer, fm_extent_printed));
	if (address < 0x2000)
		return sprintf(buffer, "before+%#lx/0x10", address - 0x1ff0);
	return sprintf(buffer, "behind+%#lx/0x10", address - 0x2050);
}

static void a_name_covers_its_extent(struct kunit *test)
{
	const struct fm_extent_case *c = test->param_value;
	u32 before, behind, frame, at;
	unsigned long address;

	fm_extent_printed = c->printed;
	fm_symbol_printer = fm_print_around;
	KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, 0x2055, &behind), 0);
	KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, 0x1ff5, &before), 0);
	KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, 0x2010, &frame), 0);
	KUNIT_ASSERT_EQ(test, fm_nr_asked, 3);
	for (address = c->first; address <= c->last; address++) {
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address, &at), 0);
		KUNIT_EXPECT_EQ(test, at, frame);
	}
	for (address = 0x1ff0; address < 0x2000; address++) {
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address, &at), 0);
		KUNIT_EXPECT_EQ(test, at, before);
	}
	for (address = 0x2050; address < 0x2060; address++) {
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address, &at), 0);
		KUNIT_EXPECT_EQ(test, at, behind);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_asked, 3);
	/* the addresses beside it are unknown, unless they are in another function */
	KUNIT_EXPECT_EQ(test, !fm_extents_find(&fm_symbols.extents, c->first - 1),
			c->first != 0x2000);
	KUNIT_EXPECT_EQ(test, !fm_extents_find(&fm_symbols.extents, c->last + 1),
			c->last != 0x204f);
	/* when a neighbour goes, its addresses do not become this function's */
	fm_from = 0x2050;
	fm_to = 0x2060;
	KUNIT_EXPECT_TRUE(test, fm_symbols_forget(&fm_symbols, NULL, fm_within));
	KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, 0x2055, &at), 0);
	KUNIT_EXPECT_EQ(test, at, behind);
	KUNIT_EXPECT_EQ(test, fm_nr_asked, 4);
}

/* Code that may go without a notification is looked up each time. */
static const struct fm_last_case {
	const char *printed;
	bool lasts;
} fm_last_cases[] = {
	{ "schedule", true },
	{ "ext4_sync_file [ext4]", true },
	{ "bpf_prog_run", false },
	{ "bpf_prog_6deef7357e7b4530_one [bpf]", false },
	{ "do_bpf_one", true },
	{ "bpfilter", true },
	{ "ftrace_trampoline+0x10/0x1000 [__builtin__ftrace]", false },
	{ "kprobe_insn_page+0x10/0x1000 [__builtin__kprobes]", false },
	{ "0xffffffffa0000000", false },
	{ "", false },
};

static void fm_last_name(const struct fm_last_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "\"%s\"", c->printed);
}

KUNIT_ARRAY_PARAM(fm_last, fm_last_cases, fm_last_name);

static void what_does_not_last_is_not_kept(struct kunit *test)
{
	const struct fm_last_case *c = test->param_value;
	int expected = c->lasts ? 0 : FM_SYMBOLS_PASSES;
	u32 first, second, third;

	strcpy(fm_one_name, c->printed);
	fm_symbol_printer = fm_print_one;
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 1, &first), expected);
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 1, &second), expected);
	KUNIT_EXPECT_EQ(test, first, second);
	KUNIT_EXPECT_EQ(test, fm_nr_asked, c->lasts ? 1 : 2);
	/* Now another function is there. */
	strcpy(fm_one_name, "another");
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 1, &third), 0);
	KUNIT_EXPECT_EQ(test, first == third, c->lasts);
}

/* All 64 bits count. */
static void addresses_that_differ_in_one_bit(struct kunit *test)
{
	const unsigned long base = 0x5555555555555550ul;
	u32 bit, i, frame;

	fm_symbol_printer = fm_print_many;
	for (i = 0; i < 2; i++) {
		for (bit = 4; bit < BITS_PER_LONG; bit++) {
			KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols,
								 base ^ BIT(bit),
								 &frame), 0);
			KUNIT_EXPECT_EQ(test, frame, bit - 4);
		}
	}
	KUNIT_EXPECT_EQ(test, fm_nr_asked, BITS_PER_LONG - 4);
}

static void fm_expect_marks(struct kunit *test)
{
	u32 first, second, again, function;

	strcpy(fm_one_name, "truncated");
	fm_symbol_printer = fm_print_one;
	KUNIT_EXPECT_EQ(test, fm_symbols_mark(&fm_symbols, "truncated", &first), 0);
	KUNIT_EXPECT_EQ(test, fm_symbols_mark(&fm_symbols, "incomplete", &second), 0);
	KUNIT_EXPECT_EQ(test, fm_symbols_mark(&fm_symbols, "truncated", &again), 0);
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 1, &function), 0);
	KUNIT_EXPECT_EQ(test, first, again);
	KUNIT_EXPECT_NE(test, first, second);
	/* A function with the same name is another frame. */
	KUNIT_EXPECT_NE(test, first, function);
	KUNIT_EXPECT_EQ(test, fm_frame_at(first)->kind, FLAMEMOD_FRAME_MARK);
	KUNIT_EXPECT_EQ(test, fm_frame_at(function)->kind, FLAMEMOD_FRAME_KERNEL);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_symbols.frames), 3);
}

static void marks_are_frames_of_their_own(struct kunit *test)
{
	fm_expect_marks(test);
}

static void marks_that_only_share_a_hash(struct kunit *test)
{
	fm_hashes_collide = true;
	fm_expect_marks(test);
}

#define FM_ADDRESSES	2000

static const struct fm_forget_case {
	const char *name;
	unsigned long from, to;		/* addresses that go */
	u32 asked;			/* how many functions are looked up again */
} fm_forget_cases[] = {
	{ "none", 5008, 6000, 0 },
	{ "the first", 0, 16, 1 },
	{ "the last", FM_ADDRESSES - 16, FM_ADDRESSES, 1 },
	{ "some", 320, 480, 10 },
	{ "all but one", 16, FM_ADDRESSES, FM_ADDRESSES / 16 - 1 },
	{ "all", 0, FM_ADDRESSES, FM_ADDRESSES / 16 },
};

FM_ARRAY_PARAM(forget);

static void forget_forgets_a_module(struct kunit *test)
{
	const struct fm_forget_case *c = test->param_value;
	const u32 nr_functions = FM_ADDRESSES / 16;
	u32 address, frame, expected;
	bool within;

	fm_symbol_printer = fm_print_many;
	for (address = 0; address < FM_ADDRESSES; address++)
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address,
							 &frame), 0);
	fm_nr_asked = 0;
	fm_from = c->from;
	fm_to = c->to;
	/* It needs no memory. */
	fm_allocations_fail(1);
	KUNIT_EXPECT_EQ(test, fm_symbols_forget(&fm_symbols, NULL, fm_within),
			!!c->asked);
	KUNIT_EXPECT_EQ(test, fm_allocations_failed(), 0);
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, fm_nr_asked, 0);
	/* The next module at these addresses has other names. */
	for (address = 0; address < FM_ADDRESSES; address++) {
		within = fm_within(address, NULL);
		fm_suffix = within ? "_new" : "";
		KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, address,
							 &frame), 0);
		KUNIT_EXPECT_EQ(test, frame >= nr_functions, within);
		if (within)
			continue;
		expected = address / 16;
		KUNIT_EXPECT_EQ(test, frame, expected);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_asked, c->asked);
	/* The old names stay. */
	KUNIT_EXPECT_STREQ(test, fm_frame_at(nr_functions - 1)->name,
			   "function_124");
}

#if FM_STACK_HAS_STEPS
/* Pages of modules with a name are text that stays, until a module goes. */
static void pages_with_names_stay_until_a_module_goes(struct kunit *test)
{
	unsigned long page = MODULES_VADDR + 5 * PAGE_SIZE, address;
	u32 frame;

	fm_symbol_printer = fm_print_many;
	KUNIT_ASSERT_EQ(test, fm_symbols_resolve(&fm_symbols, page + 16, &frame), 0);
	KUNIT_EXPECT_TRUE(test, fm_text_stays(&fm_symbols.text, page));
	KUNIT_EXPECT_FALSE(test, fm_text_stays(&fm_symbols.text, page + PAGE_SIZE));
	/* Another module that goes does not change them. */
	fm_from = page + PAGE_SIZE;
	fm_to = page + 2 * PAGE_SIZE;
	KUNIT_EXPECT_FALSE(test, fm_symbols_forget(&fm_symbols, NULL, fm_within));
	KUNIT_EXPECT_TRUE(test, fm_text_stays(&fm_symbols.text, page));
	fm_from = page;
	KUNIT_EXPECT_TRUE(test, fm_symbols_forget(&fm_symbols, NULL, fm_within));
	KUNIT_EXPECT_FALSE(test, fm_text_stays(&fm_symbols.text, page));
	/* A name that does not last does not mark its page as text that stays. */
	address = page + 2 * PAGE_SIZE;
	strcpy(fm_one_name, "bpf_prog_4711");
	fm_symbol_printer = fm_print_one;
	KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, address, &frame),
			FM_SYMBOLS_PASSES);
	KUNIT_EXPECT_FALSE(test, fm_text_stays(&fm_symbols.text, address));
}
#endif

static int fm_attempt_use(struct kunit *test, void *data)
{
	u32 frame, mark;
	int err;

	err = fm_symbols_init(&fm_symbols, &fm_memory);
	if (err)
		return err;
	err = fm_symbols_resolve(&fm_symbols, 1, &frame) ?:
	      fm_symbols_mark(&fm_symbols, "[mark]", &mark);
	/* From here on lack of memory is reported as lack of room in the aggregate. */
	KUNIT_EXPECT_TRUE(test, !err || err == -ENOSPC);
	return err ? -ENOMEM : 0;
}

static void fm_cleanup_use(struct kunit *test, void *data)
{
	fm_symbols_deinit(&fm_symbols);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_memory), 0);
}

static void use_fails_cleanly(struct kunit *test)
{
	fm_symbols_deinit(&fm_symbols);
	fm_symbol_printer = fm_print_many;
	/*
	 * A buffer, buckets with their directory, and the directory of the set; a
	 * name, the set's chunk, and the extents with theirs; another name.
	 */
	fm_allocations_fail_each(test, 9, -ENOMEM, fm_attempt_use,
				 fm_cleanup_use, NULL);
}

/* If keeping a name fails, the address stays unknown. */
static void a_failure_can_be_tried_again(struct kunit *test)
{
	u32 nth, frame;

	fm_symbol_printer = fm_print_many;
	/* A name, the chunk of the set, and the extents with their directory. */
	for (nth = 1; nth <= 4; nth++) {
		fm_allocations_fail(nth);
		KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 5, &frame),
				-ENOSPC);
		fm_allocations_fail(0);
		KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, 5, &frame), 0);
		KUNIT_EXPECT_EQ(test, frame, 0);
		KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_symbols.frames), 1);
		KUNIT_EXPECT_STREQ(test, fm_frame_at(0)->name, "function_0");
		fm_symbols_deinit(&fm_symbols);
		KUNIT_ASSERT_EQ(test, fm_symbols_init(&fm_symbols, &fm_memory), 0);
	}
}

static void full_symbols_keep_what_they_have(struct kunit *test)
{
	u32 address = 0, frame, known, i;

	fm_symbols_deinit(&fm_symbols);
	fm_memory_init(&fm_memory, 64 << 10);
	KUNIT_ASSERT_EQ(test, fm_symbols_init(&fm_symbols, &fm_memory), 0);
	fm_symbol_printer = fm_print_many;
	while (address < 100000 &&
	       !fm_symbols_resolve(&fm_symbols, address, &frame))
		address++;
	known = address;
	KUNIT_EXPECT_GT(test, known, 500);
	KUNIT_EXPECT_LT(test, known, 100000);
	KUNIT_EXPECT_LE(test, fm_memory_used(&fm_memory), 64 << 10);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, known + i,
							 &frame), -ENOSPC);
	fm_nr_asked = 0;
	for (address = 0; address < known; address++) {
		KUNIT_EXPECT_EQ(test, fm_symbols_resolve(&fm_symbols, address,
							 &frame), 0);
		KUNIT_EXPECT_EQ(test, frame, address / 16);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_asked, 0);
}

static void deinit_of_unused_symbols(struct kunit *test)
{
	static struct fm_symbols none;

	fm_symbols_deinit(&none);
	fm_symbols_deinit(&fm_symbols);
	fm_symbols_deinit(&fm_symbols);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), 0);
}

static struct kunit_case fm_symbols_cases[] = {
	KUNIT_CASE_PARAM(names_and_kinds_are_parsed, fm_kind_gen_params),
	KUNIT_CASE(the_longest_name_is_whole),
	KUNIT_CASE(the_kernel_names_its_functions),
	KUNIT_CASE(a_function_is_looked_up_once),
	KUNIT_CASE(hashes_have_a_key),
	KUNIT_CASE(names_that_only_share_a_hash),
	KUNIT_CASE_PARAM(a_name_covers_its_extent, fm_extent_gen_params),
	KUNIT_CASE_PARAM(what_does_not_last_is_not_kept, fm_last_gen_params),
	KUNIT_CASE(addresses_that_differ_in_one_bit),
	KUNIT_CASE(marks_are_frames_of_their_own),
	KUNIT_CASE(marks_that_only_share_a_hash),
	KUNIT_CASE_PARAM(forget_forgets_a_module, fm_forget_gen_params),
#if FM_STACK_HAS_STEPS
	KUNIT_CASE(pages_with_names_stay_until_a_module_goes),
#endif
	KUNIT_CASE(use_fails_cleanly),
	KUNIT_CASE(a_failure_can_be_tried_again),
	KUNIT_CASE(full_symbols_keep_what_they_have),
	KUNIT_CASE(deinit_of_unused_symbols),
	{}
};

struct kunit_suite fm_symbols_suite = {
	.name = "flamemod_symbols",
	.init = fm_symbols_begin,
	.exit = fm_symbols_end,
	.test_cases = fm_symbols_cases,
};
