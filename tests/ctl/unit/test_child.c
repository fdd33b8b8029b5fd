// SPDX-License-Identifier: GPL-2.0
/*
 * A child that waits to run a command: what its parent does at a signal is not done there.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/child.h"

static volatile pid_t *handled_by;	/* shared with the child */

static void on_signal(int number)
{
	(void)number;
	*handled_by = getpid();
}

/* Return: the child's status once it has ended, within 10 s; -1 if it has not. */
static int ended(struct child *child)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (int i = 0; i < 1000; i++) {
		if (child_ended(child))
			return child->status;
		nanosleep(&pause, NULL);
	}
	return -1;
}

static void a_waiting_child_has_no_handlers(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	char command[] = "true", *argv[] = { command, NULL };
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct child child;
		int status;

		*handled_by = 0;
		signal(numbers[i], on_signal);
		assert_int_equal(child_create(&child, argv, &error), 0);
		kill(child.pid, numbers[i]);
		status = ended(&child);
		signal(numbers[i], SIG_DFL);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), numbers[i]);
		assert_int_equal(*handled_by, 0);
		child_abandon(&child);
	}
}

/* As under nohup. */
static void what_is_ignored_stays_ignored(void **state)
{
	char shell[] = "sh", option[] = "-c", command[] = "kill -HUP $$; exit 7";
	char *argv[] = { shell, option, command, NULL };
	struct error error;
	struct child child;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(child_create(&child, argv, &error), 0);
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(child_go(&child, argv, &error), 0);
	assert_int_not_equal(ended(&child), -1);
	assert_int_equal(child_exit_code(&child), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_waiting_child_has_no_handlers),
		cmocka_unit_test(what_is_ignored_stays_ignored),
	};

	handled_by = mmap(NULL, sizeof(*handled_by), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (handled_by == MAP_FAILED)
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
