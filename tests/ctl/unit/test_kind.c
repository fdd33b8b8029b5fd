// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of frames, guessed from names, as in folded text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tree/kind.h"

/* Kinds as letters, in the order of enum tree_kind. */
static void expect_kinds(const char *stack, const char *expected)
{
	char copy[512], kinds[64] = "", *at, *rest = copy;
	struct kind_state state = { 0 };
	size_t nr = 0;

	strcpy(copy, stack);
	while ((at = strsep(&rest, ";")))
		kinds[nr++] = "rtkmuilx"[kind_of_frame(&state, at)];
	if (strcmp(kinds, expected))
		fail_msg("%s: %s, not %s", stack, kinds, expected);
}

static void guesses_kinds_by_names(void **state)
{
	(void)state;
	expect_kinds("bash;do_syscall_64;vfs_read;ext4_read [ext4];memcpy", "tkkmk");
	expect_kinds("[lost: table-full]", "l");
	expect_kinds("cpu 3;[lost: overload]", "tl");
	expect_kinds("bash;pid 12;tid 13;cpu 0;[task];f", "tttttk");
	expect_kinds("bash;[softirq];net_rx_action", "ttk");
	expect_kinds("bash;[hardirq];x [e1000]", "ttm");
	expect_kinds("bash;f;pid 12;cpu x", "tkkk");
	expect_kinds("bash;[user]", "tu");
	expect_kinds("[user];f;[unknown];g;do_syscall_64;h", "uuxukk");
	/* flamectl's own: functions without a symbol, and why a stack ends */
	expect_kinds("bash;bash+0x2fe10;f;libc.so.6+0x1;do_syscall_64", "tuuuk");
	expect_kinds("bash;[user: not learned];f;entry_SYSCALL_64;g", "tuukk");
	expect_kinds("perl;[jit];[jit: no map];f;[unread file]", "tuuuu");
	expect_kinds("a;secondary_startup_64+0xe5;f", "tkk");
	expect_kinds("a;f+0x1g;f", "tkk");
	expect_kinds("bash;[task];[lost: overload]", "ttl");
	expect_kinds("bash;[truncated];f;[unknown]", "txkx");
	/* between the halves, these say that the kernel's first frames are missing */
	expect_kinds("bash;_start;main;[truncated];vfs_read;f [m]", "tuuxkm");
	expect_kinds("bash;bash+0x10;[incomplete];vfs_read", "tuxk");
	expect_kinds("bash;_start;[unknown];main", "tuxu");
	expect_kinds("[unknown];f", "xk");
	expect_kinds("swapper;[idle];start_secondary;default_idle;x [intel]", "ttiii");
	expect_kinds("swapper;start_secondary;cpu_startup_entry;do_idle;a", "tkiii");
	expect_kinds("swapper;do_idle;a;asm_sysvec_apic_timer_interrupt;b;c [m]", "tiikkm");
	expect_kinds("swapper;do_idle;asm_common_interrupt;f", "tikk");
	expect_kinds("swapper;do_idle;el1h_64_irq;el1_interrupt;f", "tikkk");
	expect_kinds("swapper;do_idle;irq_exit_rcu;__do_softirq;f", "tikkk");
	expect_kinds("swapper;do_idle;handle_softirqs;f", "tikk");
	expect_kinds("idle_inj/1;kthread;play_idle_precise;do_idle;default_idle;[injected idle]", "tkkkkx");
	expect_kinds("bash;pid x", "tk");
	expect_kinds("bash;cpu ", "tk");
	expect_kinds("perf;a_[k];b_[j];c_[i]", "tkuu");
	expect_kinds("perf;_start;a_[k];b", "tukk");
	expect_kinds("java;_start;main;Foo::bar;entry_SYSCALL_64;f", "tuuukk");
	expect_kinds("java;start_thread;run;asm_exc_page_fault;f", "tuukk");
	expect_kinds("bash;load_elf_binary;start_thread", "tkk");
	expect_kinds("go;runtime.goexit.abi0;main.main;entry_SYSCALL_64", "tuuk");
	expect_kinds("sh;clone;f", "tuu");
	expect_kinds("sh;_start_c;f", "tuu");
	expect_kinds("sh;f;clone;runtime.x", "tkkk");
	expect_kinds("node;v8::Run(int);[libc.so.6];x", "tuuu");
	expect_kinds("a;b [];c []x", "tkk");
}

static void labels_have_no_marks(void **state)
{
	static const struct {
		const char *name;
		size_t length;
	} names[] = {
		{ "f_[k]", 1 }, { "f_[j]", 1 }, { "f_[i]", 5 }, { "f_[w]", 5 },
		{ "f_[x]", 5 }, { "_[k]", 4 }, { "f_[k] ", 6 }, { "f [k]", 5 },
		{ "", 0 }, { "f", 1 }, { "f_[kk]", 6 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (kind_label(names[i].name) != names[i].length)
			fail_msg("%s", names[i].name);
}

static void wakers_are_marked(void **state)
{
	(void)state;
	assert_true(kind_is_waker("f_[w]"));
	assert_true(kind_is_waker("f_[w] [ext4]"));
	assert_false(kind_is_waker("f_[k]"));
	assert_false(kind_is_waker("f_[w] g"));
	assert_false(kind_is_waker("f [w]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_have_no_marks),
		cmocka_unit_test(wakers_are_marked),
		cmocka_unit_test(guesses_kinds_by_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
