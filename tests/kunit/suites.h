/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The suites, one per file, and what they share.
 */
#ifndef _FM_SUITES_H
#define _FM_SUITES_H

#include <linux/string.h>
#include <kunit/test.h>

/* Like KUNIT_ARRAY_PARAM(), for fm_WHAT_cases[], whose elements have a name. */
#define FM_ARRAY_PARAM(what)						\
static void fm_##what##_name(const struct fm_##what##_case *c, char *name) \
{									\
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);			\
}									\
									\
KUNIT_ARRAY_PARAM(fm_##what, fm_##what##_cases, fm_##what##_name)

extern struct kunit_suite fm_memory_suite;
extern struct kunit_suite fm_set_suite;
extern struct kunit_suite fm_path_suite;
extern struct kunit_suite fm_table_suite;
extern struct kunit_suite fm_groups_suite;
extern struct kunit_suite fm_aggregate_suite;
extern struct kunit_suite fm_books_suite;
extern struct kunit_suite fm_filter_suite;
extern struct kunit_suite fm_follow_suite;
extern struct kunit_suite fm_throttle_suite;
extern struct kunit_suite fm_context_suite;
extern struct kunit_suite fm_irqs_suite;
extern struct kunit_suite fm_stack_suite;
extern struct kunit_suite fm_unwind_suite;
extern struct kunit_suite fm_step_suite;
extern struct kunit_suite fm_text_suite;
extern struct kunit_suite fm_walk_suite;
extern struct kunit_suite fm_peek_suite;
extern struct kunit_suite fm_forged_stacks_suite;
extern struct kunit_suite fm_learned_suite;
extern struct kunit_suite fm_symbols_suite;
extern struct kunit_suite fm_label_suite;
extern struct kunit_suite fm_policy_suite;
extern struct kunit_suite fm_sampler_suite;
extern struct kunit_suite fm_swap_suite;
extern struct kunit_suite fm_clock_suite;
extern struct kunit_suite fm_ticks_suite;
extern struct kunit_suite fm_nap_suite;
extern struct kunit_suite fm_pauses_suite;
extern struct kunit_suite fm_late_suite;
extern struct kunit_suite fm_session_suite;
extern struct kunit_suite fm_snapshot_suite;
extern struct kunit_suite fm_kept_suite;
extern struct kunit_suite fm_owner_suite;
extern struct kunit_suite fm_reason_suite;
extern struct kunit_suite fm_drain_suite;
extern struct kunit_suite fm_drain_memory_suite;
extern struct kunit_suite fm_marks_suite;
extern struct kunit_suite fm_notes_suite;
extern struct kunit_suite fm_hotplug_suite;
extern struct kunit_suite fm_idle_suite;
extern struct kunit_suite fm_modules_suite;
extern struct kunit_suite fm_load_suite;
extern struct kunit_suite fm_debugfs_suite;
extern struct kunit_suite fm_wire_suite;
extern struct kunit_suite fm_wire_state_suite;
extern struct kunit_suite fm_netlink_suite;
extern struct kunit_suite fm_shape_suite;
extern struct kunit_suite fm_slots_suite;
extern struct kunit_suite fm_switch_suite;
extern struct kunit_suite fm_events_suite;
extern struct kunit_suite fm_condition_suite;
extern struct kunit_suite fm_heat_suite;
extern struct kunit_suite fm_hit_suite;
extern struct kunit_suite fm_hit_time_suite;
extern struct kunit_suite fm_wakers_suite;
extern struct kunit_suite fm_waking_suite;
extern struct kunit_suite fm_pending_suite;
extern struct kunit_suite fm_perf_suite;
extern struct kunit_suite fm_call_suite;
extern struct kunit_suite fm_clients_suite;
extern struct kunit_suite fm_caller_regs_suite;
extern struct kunit_suite fm_requested_suite;
extern struct kunit_suite fm_traced_suite;
extern struct kunit_suite fm_user_paths_suite;
extern struct kunit_suite fm_user_objects_suite;
extern struct kunit_suite fm_user_budget_suite;
extern struct kunit_suite fm_user_worker_suite;
extern struct kunit_suite fm_user_runner_suite;
extern struct kunit_suite fm_user_names_suite;
extern struct kunit_suite fm_user_index_suite;
extern struct kunit_suite fm_user_fetch_suite;
extern struct kunit_suite fm_user_copies_suite;
extern struct kunit_suite fm_user_drain_suite;
extern struct kunit_suite fm_user_walk_suite;
extern struct kunit_suite fm_user_known_suite;
extern struct kunit_suite fm_user_block_suite;
extern struct kunit_suite fm_user_callees_suite;
extern struct kunit_suite fm_user_cfi_suite;
extern struct kunit_suite fm_user_link_suite;
extern struct kunit_suite fm_user_covers_suite;
extern struct kunit_suite fm_user_maps_suite;
extern struct kunit_suite fm_user_mappings_suite;

#endif /* _FM_SUITES_H */
