// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds from names. Folded text of this program marks what it knows in
 * brackets; that of others (perf's stackcollapse scripts, bpftrace, bcc)
 * carries suffixes such as "_[k]", or nothing but function names, of which
 * those at the border of user mode, kernel, interrupt and idle are known.
 */
#include <string.h>

#include "kind.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length >= tail && !strcmp(name + length - tail, suffix);
}

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool has_prefix_of(const char *name, const char *const *prefixes,
			  size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (starts_with(name, prefixes[i]))
			return true;
	return false;
}

static bool enters_idle(const char *name)
{
	static const char *const names[] = {
		"do_idle", "cpu_startup_entry", "[idle]",
	};

	return is_one_of(name, names, ARRAY_SIZE(names));
}

/* x86 since 5.8, x86 before, arm64 since 5.14, arm64 before, all */
static bool enters_interrupt(const char *name)
{
	static const char *const prefixes[] = {
		"asm_sysvec_", "sysvec_", "asm_common_interrupt",
		"common_interrupt", "asm_exc_nmi", "asm_call_irq_on_stack",
		"asm_call_sysvec_on_stack", "asm_call_on_stack",
		"apic_timer_interrupt", "smp_apic_timer_interrupt",
		"reschedule_interrupt", "call_function_interrupt",
		"call_function_single_interrupt", "ret_from_intr", "do_IRQ",
		"el1h_64_irq", "el1t_64_irq", "el1_interrupt", "el1_irq",
		"gic_handle_irq", "__do_softirq", "handle_softirqs",
		"do_softirq", "irq_exit_rcu", "__irq_exit_rcu", "irq_exit",
	};

	return has_prefix_of(name, prefixes, ARRAY_SIZE(prefixes));
}

static bool enters_kernel(const char *name)
{
	static const char *const prefixes[] = {
		"entry_SYSCALL", "entry_INT80", "entry_SYSENTER",
		"do_syscall_64", "do_int80", "do_fast_syscall", "x64_sys_call",
		"syscall_return_via_sysret", "asm_", "el0t_", "el0_sync",
		"el0_svc", "el0_da", "el0_ia", "el0_irq", "ret_from_fork",
		"ret_to_user", "vmlinux`", "kernel`",
	};

	return has_prefix_of(name, prefixes, ARRAY_SIZE(prefixes));
}

/*
 * What no kernel function's name contains, and what user stacks begin with;
 * the kernel has a start_thread() of its own, which is never the first.
 */
static bool enters_user(const char *name, bool first)
{
	static const char *const roots[] = {
		"_start", "main", "__libc_start_main", "start_thread",
		"__libc_start_call_main", "clone3", "__clone3", "__clone",
	};

	return (first && is_one_of(name, roots, ARRAY_SIZE(roots))) ||
	       strstr(name, "::") || strpbrk(name, "/(@");
}

static bool is_bracketed(const char *name)
{
	return name[0] == '[' && ends_with(name, "]");
}

/* "ext4_readdir [ext4]" */
static bool is_module(const char *name)
{
	const char *bracket = strstr(name, " [");

	return bracket && bracket != name && bracket[2] != ']' &&
	       ends_with(name, "]");
}

static bool is_numbered_level(const char *name)
{
	static const char *const words[] = { "pid ", "tid ", "cpu " };

	if (!has_prefix_of(name, words, ARRAY_SIZE(words)) || !name[4])
		return false;
	return !name[4 + strspn(name + 4, "0123456789")];
}

static bool is_context_level(const char *name)
{
	static const char *const names[] = {
		"[task]", "[softirq]", "[hardirq]", "[idle]",
	};

	return is_one_of(name, names, ARRAY_SIZE(names));
}

/* A name in brackets is no function, but for what names a program's file. */
static enum tree_kind kind_of_bracketed(const char *name)
{
	if (starts_with(name, "[lost: "))
		return TREE_LOST;
	if (!strcmp(name, "[user]") || strstr(name, ".so") || strchr(name, '/'))
		return TREE_USER;
	return TREE_MARK;
}

static bool is_level(const struct kind_state *state, const char *name)
{
	if (state->below_levels)
		return false;
	if (is_context_level(name) || is_numbered_level(name))
		return true;
	return state->depth == 0 && !is_bracketed(name);
}

enum tree_kind kind_of_frame(struct kind_state *state, const char *name)
{
	bool level = is_level(state, name), first = !state->below_levels;

	if (!level || !starts_with(name, "host "))
		state->depth++;
	if (enters_idle(name))
		state->idle = true;
	if (level)
		return TREE_TASK;
	state->below_levels = true;

	if (enters_interrupt(name))
		state->idle = state->user = false;
	if (state->idle)
		return TREE_IDLE;
	if (is_bracketed(name)) {
		enum tree_kind kind = kind_of_bracketed(name);

		state->user |= kind == TREE_USER;
		return kind;
	}

	if (ends_with(name, "_[j]") || ends_with(name, "_[i]"))
		return TREE_USER;
	if (is_module(name) || ends_with(name, "_[k]") || enters_kernel(name)) {
		state->user = false;
		return is_module(name) ? TREE_MODULE : TREE_KERNEL;
	}
	if (enters_user(name, first))
		state->user = true;
	return state->user ? TREE_USER : TREE_KERNEL;
}

static bool enters_softirq(const char *name)
{
	static const char *const names[] = {
		"__do_softirq", "handle_softirqs", "run_ksoftirqd",
	};

	return is_one_of(name, names, ARRAY_SIZE(names));
}

/* What leaves an interrupt runs softirqs below it; those have their own frame. */
enum flamemod_context kind_of_context(enum flamemod_context above,
				      const char *name)
{
	if (enters_softirq(name))
		return FLAMEMOD_CONTEXT_SOFTIRQ;
	if (enters_idle(name))
		return FLAMEMOD_CONTEXT_IDLE;
	return enters_interrupt(name) ? FLAMEMOD_CONTEXT_HARDIRQ : above;
}
