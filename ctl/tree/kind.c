// SPDX-License-Identifier: GPL-2.0
/*
 * Derive the kind of a frame from its name. Folded text of this program marks
 * kinds in brackets. Folded text of other programs (perf's stackcollapse
 * scripts, bpftrace, bcc) has suffixes such as "_[k]", or only function names;
 * the names at the borders of user mode, kernel, interrupt and idle are known
 * here.
 */
#include <string.h>

#include "tree/kind.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* What a name says without its context. */
enum {
	SAYS_KNOWN	= 1 << 0,	/* always set: never 0 then */
	SAYS_LEVEL	= 1 << 1,	/* a context, or a number */
	SAYS_HOST	= 1 << 2,
	SAYS_IDLE	= 1 << 3,
	SAYS_INTERRUPT	= 1 << 4,
	SAYS_KERNEL	= 1 << 5,
	SAYS_MODULE	= 1 << 6,	/* SAYS_KERNEL is set too */
	SAYS_USER	= 1 << 7,
	SAYS_ROOT	= 1 << 8,	/* user root, if it comes first */
	SAYS_JIT	= 1 << 9,
	SAYS_BRACKETED	= 1 << 10,
	SAYS_LOST	= 1 << 11,	/* in brackets */
	SAYS_FILE	= 1 << 12,	/* in brackets: a user-space file */
	SAYS_INJECTED	= 1 << 13,	/* idle time below is a thread's */
	SAYS_CUT	= 1 << 14,	/* in brackets: the kernel half was cut here */
};

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
		if (name[0] == prefixes[i][0] && starts_with(name, prefixes[i]))
			return true;
	return false;
}

static bool enters_idle(const char *name)
{
	static const char *const names[] = {
		"do_idle", "cpu_startup_entry", "[idle]",
		"cpu_idle",	/* before Linux 3.10 */
	};

	return is_one_of(name, names, ARRAY_SIZE(names));
}

bool kind_injects_idle(const char *name)
{
	return starts_with(name, "play_idle") || !strcmp(name, "[injected idle]");
}

bool kind_is_cut(const char *name)
{
	return !strcmp(name, "[truncated]") || !strcmp(name, "[incomplete]");
}

/*
 * In this order: x86 since 5.8, x86 before, arm64 since 5.14 and before, all.
 */
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
 * Match the first function of user stacks. The kernel has a start_thread() too,
 * but that is never the first.
 */
static bool is_user_root(const char *name)
{
	static const char *const roots[] = {
		"_start", "main", "__libc_start_main", "start_thread",
		"__libc_start_call_main", "clone3", "__clone3", "__clone", "clone",
		"_start_c",	/* of musl */
	};

	/* Go's threads begin in runtime.goexit and runtime.mstart */
	return is_one_of(name, roots, ARRAY_SIZE(roots)) || starts_with(name, "runtime.");
}

/*
 * Match "bash+0x2fe10", as flamectl calls a function without a symbol. Where the kernel
 * starts has a name.
 */
static bool is_place(const char *name)
{
	static const char *const starts[] = {
		"secondary_startup", "start_kernel", "x86_64_start", "__primary_switched",
	};
	const char *offset = strstr(name, "+0x");

	return offset && offset != name && offset[3] &&
	       !offset[3 + strspn(offset + 3, "0123456789abcdef")] &&
	       !has_prefix_of(name, starts, ARRAY_SIZE(starts));
}

/* Match strings that no kernel function's name contains. */
static bool enters_user(const char *name)
{
	return strstr(name, "::") || strpbrk(name, "/(@");
}

static bool is_bracketed(const char *name)
{
	return name[0] == '[' && ends_with(name, "]");
}

/* Match "ext4_readdir [ext4]". */
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

/*
 * Match a name in brackets that means user code: "[user]", why a user stack ends there
 * ("[user: fault]"), or a program's file.
 */
static bool is_user_file(const char *name)
{
	return !strcmp(name, "[user]") || starts_with(name, "[user: ") ||
	       !strcmp(name, "[jit]") || starts_with(name, "[jit: ") ||
	       !strcmp(name, "[unread file]") || strstr(name, ".so") ||
	       strchr(name, '/');
}

static unsigned int flag(bool is_so, unsigned int says)
{
	return is_so ? says : 0;
}

unsigned int kind_says(const char *name)
{
	unsigned int says = SAYS_KNOWN | flag(enters_idle(name), SAYS_IDLE) |
			    flag(kind_injects_idle(name), SAYS_INJECTED) |
			    flag(enters_interrupt(name), SAYS_INTERRUPT);

	if (is_context_level(name) || is_numbered_level(name))
		says |= SAYS_LEVEL;
	if (is_bracketed(name))
		return says | SAYS_BRACKETED |
		       flag(starts_with(name, "[lost: "), SAYS_LOST) |
		       flag(kind_is_cut(name), SAYS_CUT) |
		       flag(is_user_file(name), SAYS_FILE);
	if (is_module(name))
		says |= SAYS_MODULE | SAYS_KERNEL;
	return says | flag(starts_with(name, "host "), SAYS_HOST) |
	       flag(ends_with(name, "_[j]") || ends_with(name, "_[i]"), SAYS_JIT) |
	       flag(ends_with(name, "_[k]") || enters_kernel(name), SAYS_KERNEL) |
	       flag(enters_user(name), SAYS_USER) |
	       flag(is_user_root(name) || is_place(name), SAYS_ROOT);
}

static bool is_level(const struct kind_state *state, unsigned int says)
{
	if (state->below_levels)
		return false;
	return says & SAYS_LEVEL ||
	       (state->nr_levels == 0 && !(says & SAYS_BRACKETED));
}

static enum tree_kind kind_of_bracketed(unsigned int says)
{
	if (says & SAYS_LOST)
		return TREE_LOST;
	return says & SAYS_FILE ? TREE_USER : TREE_MARK;
}

/* The kind of a frame whose name says nothing: what the frame above is. */
static enum tree_kind kind_inherited(const struct kind_state *state)
{
	if (state->idle)
		return TREE_IDLE;
	return state->user ? TREE_USER : TREE_KERNEL;
}

enum tree_kind kind_of_said(struct kind_state *state, unsigned int says)
{
	bool level = is_level(state, says), first = !state->below_levels;

	/* true of most frames */
	if (says == SAYS_KNOWN && !first)
		return kind_inherited(state);
	if (says & SAYS_INJECTED)
		state->injected = true;
	if (says & SAYS_IDLE && !state->injected)
		state->idle = true;
	if (level) {
		state->nr_levels += !(says & SAYS_HOST);
		return TREE_TASK;
	}
	state->below_levels = true;

	if (says & SAYS_INTERRUPT)
		state->idle = state->user = false;
	if (state->idle)
		return TREE_IDLE;
	if (says & SAYS_BRACKETED) {
		enum tree_kind kind = kind_of_bracketed(says);

		state->user |= kind == TREE_USER;
		state->user &= !(says & SAYS_CUT);
		return kind;
	}

	if (says & SAYS_JIT)
		return TREE_USER;
	if (says & SAYS_KERNEL) {
		state->user = false;
		return says & SAYS_MODULE ? TREE_MODULE : TREE_KERNEL;
	}
	if (says & SAYS_USER || (first && says & SAYS_ROOT))
		state->user = true;
	return kind_inherited(state);
}

enum tree_kind kind_of_frame(struct kind_state *state, const char *name)
{
	return kind_of_said(state, kind_says(name));
}

bool kind_is_waker(const char *name)
{
	return ends_with(name, KIND_WAKER_MARK) || strstr(name, KIND_WAKER_MARK " [");
}

size_t kind_label(const char *name)
{
	size_t length = strlen(name);
	const char *mark = name + length - 4;

	return length > 4 && mark[0] == '_' && mark[1] == '[' &&
	       strchr("kj", mark[2]) && mark[3] == ']' ? length - 4 : length;
}

static bool enters_softirq(const char *name)
{
	static const char *const names[] = {
		"__do_softirq", "handle_softirqs", "run_ksoftirqd",
	};

	return is_one_of(name, names, ARRAY_SIZE(names));
}

/*
 * Functions that leave an interrupt count as hardirq. They run softirqs, but
 * those have a frame of their own below, which is tested first.
 */
enum flamemod_context kind_of_context(enum flamemod_context above,
				      const char *name)
{
	if (enters_softirq(name))
		return FLAMEMOD_CONTEXT_SOFTIRQ;
	if (enters_idle(name))
		return FLAMEMOD_CONTEXT_IDLE;
	return enters_interrupt(name) ? FLAMEMOD_CONTEXT_HARDIRQ : above;
}
