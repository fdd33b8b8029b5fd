// SPDX-License-Identifier: GPL-2.0
/*
 * The order of a walk through a call tree, whatever order its nodes were added in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "profile/preorder.h"

static uint32_t add(struct profile *profile, uint32_t parent, const char *name)
{
	uint32_t frame, node;

	assert_int_equal(profile_add_frame(profile, name, FLAMEMOD_FRAME_KERNEL,
					   &frame), 0);
	assert_int_equal(profile_add_node(profile, parent, frame, &node), 0);
	return node;
}

/* a(b(d), c), e(f), added alternately; frames are numbered in that order */
static struct profile *made(uint32_t nodes[6])
{
	struct profile *profile = profile_create();

	assert_non_null(profile);
	for (const char *name = "a\0b\0c\0d\0e\0f\0"; *name; name += 2)
		assert_int_equal(profile_add_frame(profile, name,
						   FLAMEMOD_FRAME_KERNEL, NULL), 0);
	nodes[4] = add(profile, 0, "e");
	nodes[0] = add(profile, 0, "a");
	nodes[3] = add(profile, nodes[0], "c");
	nodes[1] = add(profile, nodes[0], "b");
	nodes[5] = add(profile, nodes[4], "f");
	nodes[2] = add(profile, nodes[1], "d");
	return profile;
}

static void callers_come_first_and_their_callees_at_once(void **state)
{
	uint32_t nodes[6], *ranks;
	struct profile *profile = made(nodes);

	(void)state;
	ranks = preorder_ranks(profile);
	assert_non_null(ranks);
	assert_int_equal(ranks[0], 0);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(ranks[nodes[i]], i + 1);
	free(ranks);
	profile_destroy(profile);
}

static void records_of_one_node_keep_their_order(void **state)
{
	uint32_t nodes[6], *ranks, *order;
	struct profile *profile = made(nodes);
	const struct profile_record records[] = {
		{ .node = nodes[5], .cpu = 1 },
		{ .node = nodes[2], .cpu = 9 },
		{ .node = 0 },
		{ .node = nodes[5], .cpu = 0 },
		{ .node = nodes[0] },
		{ .node = nodes[2], .cpu = 3 },
	};
	const uint32_t expected[] = { 2, 4, 1, 5, 0, 3 };

	(void)state;
	ranks = preorder_ranks(profile);
	order = preorder_records(ranks, records, 6);
	assert_non_null(order);
	assert_memory_equal(order, expected, sizeof(expected));
	free(order);
	free(ranks);
	profile_destroy(profile);
}

static void an_empty_profile_has_an_order(void **state)
{
	struct profile *profile = profile_create();
	uint32_t *ranks = preorder_ranks(profile);
	uint32_t *order = preorder_records(ranks, NULL, 0);

	(void)state;
	assert_non_null(ranks);
	assert_non_null(order);
	free(order);
	free(ranks);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_come_first_and_their_callees_at_once),
		cmocka_unit_test(records_of_one_node_keep_their_order),
		cmocka_unit_test(an_empty_profile_has_an_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
