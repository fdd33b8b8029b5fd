// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl top without a terminal: rows, their order, keys, and the selected row from
 * interval to interval.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "view/terminal/top_model.h"

/* 100 periods on each of two CPUs; @read of them are in read, @write in write. */
static struct profile *interval(uint64_t read, uint64_t write)
{
	struct profile *profile = profile_create();
	uint32_t node;

	node = add_stack(profile, "entry;call;vfs_read;copy", FLAMEMOD_FRAME_KERNEL);
	if (read)
		add_sampled(profile, node, "cat", 1, 0, FLAMEMOD_CONTEXT_TASK, read);
	node = add_stack(profile, "entry;call;vfs_write", FLAMEMOD_FRAME_KERNEL);
	if (write)
		add_sampled(profile, node, "dd", 2, 0, FLAMEMOD_CONTEXT_TASK, write);
	node = add_stack(profile, "net_rx", FLAMEMOD_FRAME_KERNEL);
	add_sampled(profile, node, "dd", 2, 1, FLAMEMOD_CONTEXT_SOFTIRQ, 10);
	node = add_stack(profile, "do_idle", FLAMEMOD_FRAME_KERNEL);
	add_sampled(profile, node, "swapper", 0, 1, FLAMEMOD_CONTEXT_IDLE, 90);
	if (read + write < 100)
		add_sampled(profile, node, "swapper", 0, 0,
			    FLAMEMOD_CONTEXT_IDLE, 100 - read - write);
	return profile;
}

static int set_up(void **state)
{
	struct top_model *model = calloc(1, sizeof(*model));

	assert_int_equal(top_model_init(model), 0);
	top_model_resize(model, 5);
	*state = model;
	return 0;
}

static int tear_down(void **state)
{
	top_model_deinit(*state);
	free(*state);
	return 0;
}

static void take(struct top_model *model, uint64_t read, uint64_t write)
{
	assert_int_equal(top_model_take(model, interval(read, write)), 0);
}

static struct history *history_by(const struct top_model *model,
				  const char *levels)
{
	char text[TOP_BY_TEXT];

	for (unsigned int i = 0; i < model->nr_bys; i++)
		if (!strcmp(top_by_text(text, &model->bys[i]), levels))
			return model->histories[i];
	fail_msg("no rows are by %s", levels);
	return NULL;
}

/* "name self/total" of all rows, the selected one in brackets */
static void expect_rows(const struct top_model *model, const char *expected)
{
	char text[2048] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < model->nr_rows; i++) {
		const struct top_row *row = &model->rows[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s%*s%s%s %lu/%lu%s", i ? "\n" : "",
					 i == model->cursor.selected ? "[" : "",
					 (int)row->depth, "",
					 row->may_open ? row->is_open ? "-" : "+" : "",
					 row->name, row->self, row->total,
					 i == model->cursor.selected ? "]" : "");
	}
	assert_string_equal(text, expected);
}

static void the_list_is_by_self_or_by_total(void **state)
{
	struct top_model *model = *state;

	expect_rows(model, "");
	take(model, 30, 20);
	assert_int_equal(model->whole, 200);
	expect_rows(model, "[copy 30/30]\nvfs_write 20/20\nnet_rx 10/10\n"
		    "call 0/50\nentry 0/50\nvfs_read 0/30");
	assert_int_equal(top_model_sort(model), 0);
	expect_rows(model, "[call 0/50]\nentry 0/50\ncopy 30/30\nvfs_read 0/30\n"
		    "vfs_write 20/20\nnet_rx 10/10");
	assert_int_equal(top_model_idle(model), 0);
	expect_rows(model, "[do_idle 140/140]\ncall 0/50\nentry 0/50\ncopy 30/30\n"
		    "vfs_read 0/30\nvfs_write 20/20\nnet_rx 10/10");
}

static void groups_are_rows_too(void **state)
{
	struct top_model *model = *state;

	take(model, 30, 20);
	assert_int_equal(top_model_group(model), 0);
	expect_rows(model, "[cat 30/30]\ndd 30/30");
	assert_int_equal(top_model_group(model), 0);
	expect_rows(model, "[cpu 0 50/50]\ncpu 1 10/10");
	assert_int_equal(top_model_group(model), 0);
	expect_rows(model, "[[task] 50/50]\n[softirq] 10/10");
	assert_int_equal(top_model_group(model), 0);
	expect_rows(model, "[pid 1 30/30]\npid 2 30/30");
	assert_int_equal(top_model_group(model), 0);
	expect_rows(model, "[[kernel] 60/60]");
	assert_int_equal(top_model_group(model), 0);
	assert_int_equal(model->bys[model->by].nr_by, 0);
}

static void by(struct top_model *model, const char *levels)
{
	struct fold_options options = { 0 };
	struct error error;

	assert_int_equal(top_by_parse(levels, &options, &error), 0);
	top_model_by(model, &options);
}

/* Each row is a combination of levels; they add up to the list of functions. */
static void rows_are_of_several_levels(void **state)
{
	struct top_model *model = *state;
	struct profile *profile = interval(30, 20);
	struct profile_cpu cpu = { .cpu = 1 };
	char text[TOP_BY_TEXT];
	uint32_t module = add_stack(profile, "tun_read [tun]", FLAMEMOD_FRAME_MODULE);

	add_sampled(profile, module, "cat", 1, 1, FLAMEMOD_CONTEXT_TASK, 7);
	cpu.books.fires = cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = 5;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	by(model, "pid,module,function");
	assert_string_equal(top_by_text(text, &model->bys[model->by]),
			    "pid,module,function");
	assert_int_equal(top_model_take(model, profile), 0);
	expect_rows(model, "[pid 1  [kernel]  copy 30/30]\n"
		    "pid 2  [kernel]  vfs_write 20/20\n"
		    "pid 2  [kernel]  net_rx 10/10\n"
		    "pid 1  [tun]  tun_read [tun] 7/7\n"
		    "[lost: overload] 5/5");
	assert_int_equal(top_model_filter(model, "tun"), 0);
	expect_rows(model, "[pid 1  [tun]  tun_read [tun] 7/7]");
	assert_int_equal(top_model_filter(model, ""), 0);
	/* they are the tree's levels, too, the stacks below them */
	assert_int_equal(top_model_show(model, TOP_TREE), 0);
	expect_rows(model, "[+pid 1 0/37]\n+pid 2 0/30\n[lost: overload] 5/5");
	assert_int_equal(top_model_show(model, TOP_LIST), 0);
	/* key b goes on to the first levels, and comes back */
	assert_int_equal(top_model_group(model), 0);
	assert_int_equal(model->bys[model->by].nr_by, 0);
	for (unsigned int i = 1; i < model->nr_bys; i++)
		assert_int_equal(top_model_group(model), 0);
	assert_string_equal(top_by_text(text, &model->bys[model->by]),
			    "pid,module,function");
}

/* Levels that key b has are not added twice; a new list replaces the last one. */
static void what_rows_are_by_is_chosen(void **state)
{
	static const struct {
		const char *given, *meant;
	} chosen[] = {
		{ "function", "function" }, { "none", "function" },
		{ "sym", "function" }, { "dso", "module" }, { "pid", "pid" },
		{ "tid", "tid" }, { "cpu,comm", "cpu,comm" },
		{ "comm,cpu", "comm,cpu" },
		{ "pid,tid,cpu,comm,context,host,cgroup,module,function",
		  "pid,tid,cpu,comm,context,host,cgroup,module,function" },
	};
	struct top_model *model = *state;
	struct fold_options options;
	char text[TOP_BY_TEXT];
	struct error error;

	for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++) {
		by(model, chosen[i].given);
		assert_string_equal(top_by_text(text, &model->bys[model->by]),
				    chosen[i].meant);
		assert_int_equal(model->nr_bys, i < 5 ? 6 : 7);
	}
	assert_int_equal(top_by_parse("pid,uid", &options, &error), -EINVAL);
	assert_string_equal(error.text, "cannot group by \"uid\": the levels are comm, pid, tid, cpu, context, host, cgroup, module and function, with commas between, or none");
}

/* A group is remembered by all of its levels. */
static void groups_have_a_course(void **state)
{
	struct top_model *model = *state;
	uint16_t values[HISTORY_INTERVALS];

	by(model, "comm,function");
	take(model, 30, 20);
	take(model, 10, 20);
	history_get(history_by(model, "comm,function"), "cat  copy", values);
	assert_int_equal(values[HISTORY_INTERVALS - 2], 1500);
	assert_int_equal(values[HISTORY_INTERVALS - 1], 500);
	history_get(history_by(model, "comm,function"), "cat", values);
	assert_int_equal(values[HISTORY_INTERVALS - 1], 0);
}

static void a_row_stays_selected_where_it_goes(void **state)
{
	struct top_model *model = *state;

	take(model, 30, 20);
	top_model_move(model, 1);
	take(model, 10, 40);
	expect_rows(model, "[vfs_write 40/40]\ncopy 10/10\nnet_rx 10/10\n"
		    "call 0/50\nentry 0/50\nvfs_read 0/10");
	take(model, 30, 20);
	expect_rows(model, "copy 30/30\n[vfs_write 20/20]\nnet_rx 10/10\n"
		    "call 0/50\nentry 0/50\nvfs_read 0/30");
	/* after a move to the top the selection stays at the top */
	top_model_move(model, -1);
	take(model, 10, 60);
	assert_string_equal(model->rows[model->cursor.selected].name, "vfs_write");
	take(model, 60, 10);
	assert_string_equal(model->rows[model->cursor.selected].name, "copy");
}

static void the_tree_opens_and_closes(void **state)
{
	struct top_model *model = *state;

	take(model, 30, 20);
	assert_int_equal(top_model_show(model, TOP_TREE), 0);
	expect_rows(model, "[+entry 0/50]\nnet_rx 10/10");
	/* down to the first row with a choice */
	assert_int_equal(top_model_open(model), 0);
	expect_rows(model, "[-entry 0/50]\n -call 0/50\n  +vfs_read 0/30\n"
		    "  vfs_write 20/20\nnet_rx 10/10");
	top_model_move(model, 2);
	assert_int_equal(top_model_open(model), 0);
	expect_rows(model, "-entry 0/50\n -call 0/50\n[  -vfs_read 0/30]\n"
		    "   copy 30/30\n  vfs_write 20/20\nnet_rx 10/10");
	/* open rows stay open */
	take(model, 10, 20);
	expect_rows(model, "-entry 0/30\n -call 0/30\n  vfs_write 20/20\n"
		    "[  -vfs_read 0/10]\n   copy 10/10\nnet_rx 10/10");
	top_model_move(model, 1);
	/* on a closed row the key goes to the caller */
	assert_int_equal(top_model_close(model), 0);
	assert_string_equal(model->rows[model->cursor.selected].name, "vfs_read");
	assert_int_equal(top_model_close(model), 0);
	assert_int_equal(top_model_close(model), 0);
	assert_string_equal(model->rows[model->cursor.selected].name, "call");
	assert_int_equal(top_model_close(model), 0);
	expect_rows(model, "-entry 0/30\n[ +call 0/30]\nnet_rx 10/10");
}

static void the_filter_keeps_rows_and_stacks(void **state)
{
	struct top_model *model = *state;

	take(model, 30, 20);
	assert_int_equal(top_model_filter(model, "VFS"), 0);
	expect_rows(model, "[vfs_write 20/20]\nvfs_read 0/30");
	assert_int_equal(top_model_show(model, TOP_TREE), 0);
	/* its callers are open, its callees are not */
	expect_rows(model, "[-entry 0/50]\n -call 0/50\n  +vfs_read 0/30\n"
		    "  vfs_write 20/20");
	assert_int_equal(model->tree->nodes[0].total, 50);
	assert_int_equal(top_model_filter(model, "copy"), 0);
	expect_rows(model, "[-entry 0/30]\n -call 0/30\n  -vfs_read 0/30\n"
		    "   copy 30/30");
	assert_int_equal(top_model_filter(model, "nothing"), 0);
	expect_rows(model, "");
	take(model, 30, 20);
	expect_rows(model, "");
	assert_int_equal(top_model_filter(model, ""), 0);
	assert_int_equal(model->nr_rows, 2);
}

static void the_filter_has_a_limit(void **state)
{
	struct top_model *model = *state;
	char text[3 * TOP_FILTER_MAX];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(top_model_filter(model, text), 0);
	assert_int_equal(strlen(model->filter), TOP_FILTER_MAX);
}

static void the_screen_holds_the_selected_row(void **state)
{
	struct top_model *model = *state;

	take(model, 30, 20);
	top_model_move(model, 5);
	assert_int_equal(model->cursor.selected, 5);
	assert_int_equal(model->cursor.first, 1);
	top_model_move(model, UINT32_MAX);
	assert_int_equal(model->cursor.selected, 5);
	top_model_resize(model, 3);
	assert_int_equal(model->cursor.first, 3);
	top_model_resize(model, 50);
	assert_int_equal(model->cursor.first, 0);
	top_model_resize(model, 2);
	top_model_move(model, INT32_MIN);
	assert_int_equal(model->cursor.selected, 0);
	assert_int_equal(model->cursor.first, 0);
	/* if rows go, it moves with the end */
	top_model_move(model, 5);
	assert_int_equal(top_model_filter(model, "copy"), 0);
	assert_int_equal(model->cursor.selected, 0);
	top_model_resize(model, 0);
	top_model_move(model, 1);
	assert_int_equal(model->cursor.selected, 0);
}

static void loads_are_by_cpu(void **state)
{
	struct top_model *model = *state;
	uint16_t values[HISTORY_INTERVALS];

	take(model, 30, 20);
	take(model, 60, 40);
	assert_int_equal(top_model_show(model, TOP_CPUS), 0);
	assert_int_equal(top_model_nr_rows(model), 2);
	assert_int_equal(model->cpus[0].contexts[FLAMEMOD_CONTEXT_TASK], 100);
	assert_int_equal(top_busy(&model->cpus[0]), 100);
	assert_int_equal(top_busy(&model->cpus[1]), 10);
	assert_int_equal(model->cpus[1].whole, 100);
	assert_int_equal(model->sum.contexts[FLAMEMOD_CONTEXT_IDLE], 90);
	assert_int_equal(history_get(model->loads, "cpu 0", values), 0);
	assert_int_equal(values[HISTORY_INTERVALS - 2], 5000);
	assert_int_equal(values[HISTORY_INTERVALS - 1], 10000);
	assert_int_equal(history_get(history_by(model, "function"), "entry",
				     values), 0);
	assert_int_equal(values[HISTORY_INTERVALS - 2], 2500);
	assert_int_equal(history_get(history_by(model, "comm"), "swapper",
				     values), 0);
	assert_int_equal(values[HISTORY_INTERVALS - 1], 4500);
}

static void an_empty_interval_counts(void **state)
{
	struct top_model *model = *state;
	uint16_t values[HISTORY_INTERVALS];

	take(model, 30, 20);
	for (int page = 0; page < TOP_PAGES; page++) {
		assert_int_equal(top_model_show(model, page), 0);
		assert_int_equal(top_model_take(model, profile_create()), 0);
		assert_int_equal(top_model_nr_rows(model), 0);
		assert_int_equal(top_model_open(model), 0);
		assert_int_equal(top_model_close(model), 0);
	}
	assert_int_equal(history_get(history_by(model, "function"), "entry",
				     values), 0);
	assert_int_equal(values[HISTORY_INTERVALS - 1 - TOP_PAGES], 2500);
	assert_int_equal(values[HISTORY_INTERVALS - 1], 0);
}

static void books_that_do_not_balance_are_refused(void **state)
{
	struct top_model *model = *state;
	struct profile *profile = interval(30, 20);

	profile->cpus[0].books.fires = UINT64_MAX;
	assert_int_equal(top_model_take(model, profile), -EBADMSG);
}

static void all_options_work_together(void **state)
{
	struct top_model *model = *state;

	by(model, "module,cpu,function,comm,pid,tid,context,host,cgroup");
	assert_int_equal(top_model_take(model, made_profile()), 0);
	assert_int_equal(model->whole, 228);
	assert_int_equal(model->sum.lost, 25);
	for (unsigned int i = 0; i < model->nr_bys; i++) {
		for (int page = 0; page < TOP_PAGES; page++) {
			assert_int_equal(top_model_show(model, page), 0);
			for (int j = 0; j < 30; j++) {
				assert_int_equal(top_model_open(model), 0);
				top_model_move(model, 1);
			}
		}
		assert_int_equal(top_model_group(model), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_list_is_by_self_or_by_total, set_up, tear_down),
		cmocka_unit_test_setup_teardown(groups_are_rows_too, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_are_of_several_levels, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_rows_are_by_is_chosen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(groups_have_a_course, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_row_stays_selected_where_it_goes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_tree_opens_and_closes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_filter_keeps_rows_and_stacks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_filter_has_a_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_screen_holds_the_selected_row, set_up, tear_down),
		cmocka_unit_test_setup_teardown(loads_are_by_cpu, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_empty_interval_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(books_that_do_not_balance_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_options_work_together, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
