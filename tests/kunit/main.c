// SPDX-License-Identifier: GPL-2.0
/*
 * The module of the unit tests: loading it runs them.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>

#include "redirect.h"
#include "suites.h"

bool fm_hashes_collide;

#undef sprint_symbol
int fm_real_symbol(char *buffer, unsigned long address)
{
	return sprint_symbol(buffer, address);
}

int (*fm_symbol_printer)(char *buffer, unsigned long address) = fm_real_symbol;

unsigned int fm_nr_errors;
int fm_nr_mms;
int fm_nr_leaks_known;
unsigned int fm_nr_waits, fm_nr_resched;
void (*fm_at_sleep)(void);
void (*fm_at_rmb)(void);
unsigned int fm_resolution;
const struct cpumask *fm_online;
const struct cpumask *fm_housekeeping;
bool fm_goes_offline;

#undef ktime_get_ns
u64 fm_real_clock(void)
{
	return ktime_get_ns();
}

u64 (*fm_clock)(void) = fm_real_clock;

void fm_resched(void)
{
	fm_nr_resched++;
	if (need_resched())
		schedule();
}

kunit_test_suites(&fm_memory_suite, &fm_set_suite, &fm_path_suite, &fm_table_suite,
		  &fm_groups_suite,
		  &fm_aggregate_suite, &fm_books_suite, &fm_filter_suite,
		  &fm_follow_suite, &fm_throttle_suite, &fm_context_suite, &fm_irqs_suite,
		  &fm_stack_suite, &fm_unwind_suite, &fm_step_suite, &fm_text_suite,
		  &fm_walk_suite, &fm_peek_suite, &fm_forged_stacks_suite,
		  &fm_learned_suite, &fm_symbols_suite,
		  &fm_label_suite, &fm_policy_suite, &fm_sampler_suite, &fm_swap_suite,
		  &fm_clock_suite,
		  &fm_ticks_suite, &fm_nap_suite, &fm_pauses_suite,
		  &fm_late_suite, &fm_session_suite, &fm_snapshot_suite,
		  &fm_kept_suite, &fm_owner_suite, &fm_reason_suite, &fm_drain_suite,
		  &fm_drain_memory_suite,
		  &fm_marks_suite,
		  &fm_notes_suite, &fm_hotplug_suite,
		  &fm_idle_suite, &fm_modules_suite, &fm_load_suite, &fm_debugfs_suite,
		  &fm_wire_suite, &fm_wire_state_suite,
		  &fm_netlink_suite, &fm_shape_suite, &fm_slots_suite, &fm_switch_suite,
		  &fm_events_suite, &fm_condition_suite, &fm_heat_suite, &fm_hit_suite,
		  &fm_hit_time_suite,
		  &fm_wakers_suite, &fm_waking_suite, &fm_clients_suite,
		  &fm_pending_suite, &fm_perf_suite, &fm_call_suite, &fm_caller_regs_suite,
		  &fm_requested_suite, &fm_traced_suite,
		  &fm_user_paths_suite, &fm_user_objects_suite, &fm_user_budget_suite,
		  &fm_user_worker_suite, &fm_user_runner_suite,
		  &fm_user_names_suite,
		  &fm_user_index_suite,
		  &fm_user_fetch_suite, &fm_user_copies_suite, &fm_user_drain_suite,
		  &fm_user_walk_suite, &fm_user_known_suite,
		  &fm_user_block_suite, &fm_user_cfi_suite, &fm_user_callees_suite,
		  &fm_user_link_suite, &fm_user_covers_suite,
		  &fm_user_maps_suite, &fm_user_mappings_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Unit tests of flamemod");
