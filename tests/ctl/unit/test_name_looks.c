// SPDX-License-Identifier: GPL-2.0
/*
 * When a recording looks for names: at once for new files and text, for a while for new
 * code, and for a bounded part of the time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/name_looks.h"

#define MS		UINT64_C(1000000)
#define BEGAN_NS	(5000 * MS)

static struct name_looks looks;
static struct profile_user_stacks now;

static int begin(void **state)
{
	(void)state;
	now = (struct profile_user_stacks){ .known = true, .files = 3, .rows_bytes = 1000 };
	name_looks_begin(&looks, &name_pace_record, BEGAN_NS);
	return 0;
}

#define NOTHING		NAME_LOOK_NOTHING
#define NEW		NAME_LOOK_NEW
#define ALL		NAME_LOOK_ALL

/* One look at a time since the start. Return: what it reads. */
static enum name_look look_for(unsigned int at_ms, unsigned int took_ms)
{
	uint64_t at_ns = BEGAN_NS + at_ms * MS;
	enum name_look reads = name_looks_reads(&looks, at_ns, &now);

	name_looks_end(&looks, at_ns, at_ns + took_ms * MS, true);
	return reads;
}

static enum name_look look(unsigned int at_ms) { return look_for(at_ms, 1); }

static unsigned int due_ms(void)
{
	return (unsigned int)((name_looks_due_ns(&looks) - BEGAN_NS) / MS);
}

static void new_frames_are_read_if_something_is_new(void **state)
{
	(void)state;
	assert_int_equal(due_ms(), 250);
	assert_int_equal(look(250), ALL);
	assert_int_equal(look(500), NOTHING);
	now.files++;
	assert_int_equal(look(750), NEW);
	now.rows_bytes += 100;
	assert_int_equal(look(1000), NEW);
	assert_int_equal(look(1250), NOTHING);
	/* Whatever is new, all was read two seconds ago. */
	assert_int_equal(look(2249), NOTHING);
	assert_int_equal(look(2250), ALL);
	now.files++;
	assert_int_equal(look(4249), NEW);
	now.files++;
	assert_int_equal(look(4250), ALL);
	assert_int_equal(look(4500), NOTHING);
}

/* A map may be written some time after its code runs first. */
static void new_code_is_looked_for_a_few_times(void **state)
{
	unsigned int at_ms, i;

	(void)state;
	assert_int_equal(look(250), ALL);
	for (i = 0; i < 8; i++) {
		now.sides[FLAMEMOD_USER_BY_FP] += 10;
		assert_int_equal(look(500 + 200 * i), NEW);
	}
	/* It still runs; then it is read as often as all else. */
	for (at_ms = 2000; at_ms < 2250; at_ms += 50) {
		now.sides[FLAMEMOD_USER_BY_FP] += 10;
		assert_int_equal(look(at_ms), NOTHING);
	}
	now.sides[FLAMEMOD_USER_BY_FP] += 10;
	assert_int_equal(look(2250), ALL);
	/* Code that runs after a time without any may be another process's. */
	assert_int_equal(look(2500), NOTHING);
	now.sides[FLAMEMOD_USER_BY_FP] += 10;
	assert_int_equal(look(2750), NEW);
}

/* A new program may begin to make code while another one does. */
static void new_code_of_another_program_is_looked_for(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		now.sides[FLAMEMOD_USER_BY_FP] += 10;
		look(250 + 90 * i);
	}
	now.sides[FLAMEMOD_USER_BY_FP] += 10;
	assert_int_equal(look(2050), NOTHING);
	assert_int_equal(look(2250), ALL);
	now.files++;
	for (i = 0; i < 9; i++) {
		now.sides[FLAMEMOD_USER_BY_FP] += 10;
		assert_int_equal(look(2300 + 200 * i), i < 8 ? NEW : NOTHING);
	}
}

static void looks_take_a_second_and_a_tenth_of_the_time(void **state)
{
	(void)state;
	look_for(250, 900);
	assert_int_equal(due_ms(), 1400);
	look_for(1400, 100);
	assert_int_equal(due_ms(), 1750);
	/* 1.4 seconds since 250 ms: ten times what is more than the free second */
	look_for(1750, 400);
	assert_int_equal(due_ms(), 4250);
	look_for(4250, 600);
	assert_int_equal(due_ms(), 10250);
	look_for(10250, 250);
	assert_int_equal(due_ms(), 12750);
	/* They were short for long; that is not saved up. */
	look_for(40000, 1);
	assert_int_equal(due_ms(), 40251);
	look_for(40251, 1999);
	assert_int_equal(due_ms(), 50241);
}

/* What else is read for names takes the time of looks. */
static void other_reading_is_paid_as_looks_are(void **state)
{
	(void)state;
	look_for(250, 900);
	assert_int_equal(due_ms(), 1400);
	name_looks_charge(&looks, BEGAN_NS + 1200 * MS, BEGAN_NS + 1500 * MS);
	/* 1.2 seconds since 250 ms: ten times what is more than the free second */
	assert_int_equal(due_ms(), 2250);
}

/* If each costs 20 ms, it looks 17 times in a row, and then every four seconds. */
static void the_agent_looks_less(void **state)
{
	unsigned int at_ms = 1000, i;

	(void)state;
	name_looks_begin(&looks, &name_pace_agent, BEGAN_NS);
	for (i = 0; i < 17; i++) {
		assert_int_equal(due_ms(), at_ms);
		now.files++;
		assert_int_equal(look_for(at_ms, 20), i ? NEW : ALL);
		at_ms += 1020;
	}
	for (i = 0; i < 4; i++) {
		at_ms = due_ms();
		now.files++;
		assert_int_equal(look_for(at_ms, 20), NEW);
		assert_int_equal(due_ms(), at_ms + 4000);
	}
	/* If nothing is new, it reads nothing however long that is. */
	assert_int_equal(look(10000000), NOTHING);
	/* Names that it has no more, it looks for again. */
	name_looks_forget(&looks);
	assert_int_equal(look(10001001), ALL);
}

static void what_was_stopped_early_is_done_again(void **state)
{
	(void)state;
	assert_int_equal(look(250), ALL);
	assert_int_equal(look(500), NOTHING);
	name_looks_end(&looks, BEGAN_NS + 500 * MS, BEGAN_NS + 501 * MS, false);
	assert_int_equal(look(750), ALL);
	assert_int_equal(look(1000), NOTHING);
}

/* The status cannot be read for a moment. */
static void a_look_that_sees_nothing_is_one(void **state)
{
	(void)state;
	name_looks_end(&looks, BEGAN_NS + 250 * MS, BEGAN_NS + 251 * MS, true);
	assert_int_equal(due_ms(), 501);
	assert_int_equal(look(501), ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(new_frames_are_read_if_something_is_new, begin),
		cmocka_unit_test_setup(new_code_is_looked_for_a_few_times, begin),
		cmocka_unit_test_setup(new_code_of_another_program_is_looked_for, begin),
		cmocka_unit_test_setup(looks_take_a_second_and_a_tenth_of_the_time, begin),
		cmocka_unit_test_setup(other_reading_is_paid_as_looks_are, begin),
		cmocka_unit_test_setup(the_agent_looks_less, begin),
		cmocka_unit_test_setup(what_was_stopped_early_is_done_again, begin),
		cmocka_unit_test_setup(a_look_that_sees_nothing_is_one, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
