// SPDX-License-Identifier: GPL-2.0
/* Tests of the stacks of wakers: how they are turned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"
#include "profile/slices.h"
#include "tree/wakers.h"
#include "tree/half.h"

#define KERNEL	FLAMEMOD_FRAME_KERNEL
#define MARK	FLAMEMOD_FRAME_MARK
#define WAKER	FLAMEMOD_FRAME_WAKER

static struct profile *profile;
static uint32_t task;
static struct error error;

static int begin(void **state)
{
	(void)state;
	profile = profile_create();
	assert_non_null(profile);
	assert_int_equal(profile_add_task(profile, 1, 1, "woken", &task), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	profile_destroy(profile);
	return 0;
}

static uint32_t above(uint32_t node, uint32_t frame)
{
	assert_int_equal(profile_add_node(profile, node, frame, &node), 0);
	return node;
}

static uint32_t function(uint32_t node, const char *name, enum flamemod_frame_kind kind)
{
	uint32_t frame;

	assert_int_equal(profile_add_frame(profile, name, kind, &frame), 0);
	return above(node, frame);
}

/* A function of a program at an offset; name NULL: not known. */
static uint32_t place(uint32_t node, const char *name, uint64_t offset)
{
	uint32_t object, frame;

	assert_int_equal(profile_add_object(profile, "/bin/prog", "abcd", &object), 0);
	assert_int_equal(profile_add_frame_at(profile, name, object, offset, &frame), 0);
	return above(node, frame);
}

/* Functions of the kernel, from the root on: "a b c". */
static uint32_t kernel(uint32_t node, const char *names)
{
	char *copy = strdup(names), *rest = copy, *name;

	while ((name = strsep(&rest, " ")))
		node = function(node, name, KERNEL);
	free(copy);
	return node;
}

static void record(uint32_t node, uint64_t periods)
{
	const struct profile_record added = {
		.node = node, .task = task, .context = FLAMEMOD_CONTEXT_TASK, .count = 1,
		.periods = periods,
	};

	assert_int_equal(profile_add_record(profile, &added), 0);
}

/* Return: the stack of a record, from the root on, to be freed. */
static char *stack_of(const struct profile_record *of)
{
	char *text = strdup(""), *longer;

	for (uint32_t at = of->node; at; at = profile->nodes[at].parent) {
		assert_true(asprintf(&longer, "%s%s%s",
				     profile->frames[profile->nodes[at].frame].name,
				     *text ? ";" : "", text) > 0);
		free(text);
		text = longer;
	}
	return text;
}

static void expect(uint32_t number, const char *stack, uint64_t periods)
{
	char *text;

	assert_true(number < profile->nr_records);
	text = stack_of(&profile->records[number]);
	assert_string_equal(text, stack);
	assert_int_equal(profile->records[number].periods, periods);
	free(text);
}

static void the_waker_is_upside_down_on_top(void **state)
{
	uint32_t node = place(0, "_start", 16);

	(void)state;
	node = place(node, NULL, 0x20);
	node = place(node, "main", 48);
	node = function(node, "[user: deep]", FLAMEMOD_FRAME_USER);
	node = kernel(node, "entry read schedule");
	node = function(node, "gzip", WAKER);
	node = kernel(node, "entry write");
	node = function(node, "f [m]", FLAMEMOD_FRAME_MODULE);
	record(kernel(node, "wake"), 7);
	assert_int_equal(wakers_turn(profile, &error), 0);
	assert_int_equal(profile->nr_records, 1);
	expect(0, "entry;read;schedule;wake_[w];f_[w] [m];write_[w];entry_[w];[user: deep]_[w];main_[w];prog+0x20;_start_[w];gzip_[w]",
	       7);
}

/* What is known of a function stays, so that it can be found and named later. */
static void places_stay(void **state)
{
	uint32_t node = place(0, "main", 48);
	const struct profile_frame *frame;

	(void)state;
	node = place(node, NULL, 0x20);
	node = kernel(node, "schedule");
	node = function(node, "gzip", WAKER);
	record(kernel(node, "wake"), 1);
	assert_int_equal(wakers_turn(profile, &error), 0);
	for (uint32_t i = 0; i < profile->nr_frames; i++) {
		frame = &profile->frames[i];
		if (!strcmp(frame->name, "main_[w]")) {
			assert_int_equal(frame->offset, 48);
			assert_string_equal(profile->objects[frame->object - 1].build_id, "abcd");
		} else if (!strcmp(frame->name, "prog+0x20")) {
			assert_true(profile_frame_unnamed(profile, i));
		} else if (!strcmp(frame->name, "gzip_[w]")) {
			assert_int_equal(frame->kind, MARK);
		} else {
			assert_int_equal(frame->kind, KERNEL);
		}
	}
}

static void marks_of_the_woken_task_stay(void **state)
{
	uint32_t node = function(0, "[incomplete]", MARK);

	(void)state;
	node = function(node, "gzip", WAKER);
	node = function(node, "[unknown]", MARK);
	record(kernel(node, "wake"), 1);
	assert_int_equal(wakers_turn(profile, &error), 0);
	expect(0, "[incomplete];wake_[w];[unknown]_[w];gzip_[w]", 1);
}

/* An interrupt has nothing to do with what it interrupted. */
static void an_interrupt_starts_where_it_was_entered(void **state)
{
	static const struct { const char *waker, *stack, *turned; } cases[] = {
		{ "[hardirq]", "main cpu_idle asm_sysvec_apic_timer_interrupt hrtimer wake",
		  "sched;wake_[w];hrtimer_[w];asm_sysvec_apic_timer_interrupt_[w];[hardirq]_[w]" },
		{ "[hardirq]", "asm_common_interrupt __do_softirq asm_common_interrupt wake",
		  "sched;wake_[w];asm_common_interrupt_[w];[hardirq]_[w]" },
		{ "[hardirq]", "el0_svc el1h_64_irq gic wake",
		  "sched;wake_[w];gic_[w];el1h_64_irq_[w];[hardirq]_[w]" },
		{ "[softirq]", "asm_sysvec_x irq_exit handle_softirqs timers wake",
		  "sched;wake_[w];timers_[w];handle_softirqs_[w];[softirq]_[w]" },
		{ "[softirq]", "ksoftirqd __do_softirq wake",
		  "sched;wake_[w];__do_softirq_[w];[softirq]_[w]" },
		/* not known where */
		{ "[softirq]", "a asm_sysvec_x wake", "sched;wake_[w];asm_sysvec_x_[w];a_[w];[softirq]_[w]" },
		/* a task is what it is, wherever it was */
		{ "gzip", "asm_sysvec_x wake", "sched;wake_[w];asm_sysvec_x_[w];gzip_[w]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t node;

		/* each in a profile of its own */
		end(state);
		begin(state);
		node = function(kernel(0, "sched"), cases[i].waker, WAKER);
		record(kernel(node, cases[i].stack), 5);
		assert_int_equal(wakers_turn(profile, &error), 0);
		expect(0, cases[i].turned, 5);
	}
}

static void what_becomes_equal_is_summed(void **state)
{
	uint32_t node = function(kernel(0, "sched"), "[hardirq]", WAKER);

	(void)state;
	record(kernel(node, "one asm_sysvec_x wake"), 5);
	record(kernel(node, "other asm_sysvec_x wake"), 6);
	assert_int_equal(wakers_turn(profile, &error), 0);
	assert_int_equal(profile->nr_records, 1);
	expect(0, "sched;wake_[w];asm_sysvec_x_[w];[hardirq]_[w]", 11);
	assert_int_equal(profile->records[0].count, 2);
}

static void who_woke_is_of_both_halves(void **state)
{
	uint32_t node = place(0, "main", 48);
	uint8_t *halves;

	(void)state;
	node = function(kernel(node, "schedule"), "gzip", WAKER);
	record(kernel(node, "wake"), 1);
	assert_int_equal(wakers_turn(profile, &error), 0);
	half_of_profile(profile, &halves);
	assert_non_null(halves);
	node = profile->records[0].node;
	assert_int_equal(halves[node], HALF_BOTH);
	node = profile->nodes[node].parent;
	assert_int_equal(halves[node], HALF_USER);
	node = profile->nodes[node].parent;
	assert_int_equal(halves[node], HALF_KERNEL);
	free(halves);
}

static void a_stack_without_a_waker_stays(void **state)
{
	(void)state;
	record(kernel(place(0, "main", 16), "entry schedule"), 3);
	record(0, 4);
	assert_int_equal(wakers_turn(profile, &error), 0);
	expect(0, "main;entry;schedule", 3);
	expect(1, "", 4);
}

static void slices_are_turned_as_well(void **state)
{
	struct profile *part = profile, *whole = profile_create();
	uint32_t node = function(kernel(0, "sched"), "gzip", WAKER);

	(void)state;
	assert_non_null(whole);
	record(kernel(node, "write wake"), 5);
	assert_int_equal(slices_add(whole, part, 0, 1000), 0);
	assert_int_equal(slices_add(whole, part, 1000, 2000), 0);
	profile_destroy(part);
	profile = whole;
	assert_int_equal(wakers_turn(profile, &error), 0);
	expect(0, "sched;wake_[w];write_[w];gzip_[w]", 10);
	assert_int_equal(profile->slices->nr, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const struct slice *slice = &profile->slices->list[i];
		char *text = stack_of(&slice->records[0]);

		assert_int_equal(slice->nr_records, 1);
		assert_int_equal(slice->records[0].periods, 5);
		assert_string_equal(text, "sched;wake_[w];write_[w];gzip_[w]");
		free(text);
	}
}

/* The woken task's functions have marks on one side, whichever way a stack goes. */
static void nodes_between_marks_are_of_wakers(void **state)
{
	struct tree *tree = unfold("a;r;p+0x1;s;w_[w];q+0x2;m_[w];g_[w] 3\n"
				   "a;r;p+0x1;s;w_[w];n 2\nb;r 1\n"), *reversed;

	(void)state;
	expect_nodes(tree, wakers_nodes(tree), "w_[w] q+0x2 m_[w] g_[w]");
	assert_int_equal(tree_reverse(&reversed, tree), 0);
	expect_nodes(reversed, wakers_nodes(reversed), "g_[w] m_[w] q+0x2 w_[w] w_[w]");
	tree_destroy(reversed);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_waker_is_upside_down_on_top, begin, end),
		cmocka_unit_test_setup_teardown(places_stay, begin, end),
		cmocka_unit_test_setup_teardown(marks_of_the_woken_task_stay, begin, end),
		cmocka_unit_test_setup_teardown(an_interrupt_starts_where_it_was_entered, begin,
						end),
		cmocka_unit_test_setup_teardown(what_becomes_equal_is_summed, begin, end),
		cmocka_unit_test_setup_teardown(who_woke_is_of_both_halves, begin, end),
		cmocka_unit_test_setup_teardown(a_stack_without_a_waker_stays, begin, end),
		cmocka_unit_test_setup_teardown(slices_are_turned_as_well, begin, end),
		cmocka_unit_test(nodes_between_marks_are_of_wakers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
