// SPDX-License-Identifier: GPL-2.0
/*
 * Use the terminal as a screen: see terminal.h. ncurses normally restores it. A
 * crash handler must not call ncurses, so the bytes that ncurses would send are
 * saved at the start.
 */
#include "base/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

volatile sig_atomic_t terminal_ended;

static SCREEN *screen;
static bool unicode;

/* For the crash handler; complete before the handler is installed. */
static struct termios before;
static char farewell[256];
static size_t farewell_bytes;

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

#define NR_END		(sizeof(end_signals) / sizeof(end_signals[0]))
#define NR_CRASH	(sizeof(crash_signals) / sizeof(crash_signals[0]))

static void on_end(int number)
{
	terminal_ended = number;
}

static void on_crash(int number)
{
	ssize_t written = write(STDOUT_FILENO, farewell, farewell_bytes);

	(void)written;
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	/* SA_RESETHAND has restored the default action, which is to end */
	raise(number);
}

/* Save the bytes that reset colours, show the cursor and leave the screen. */
static void keep_farewell(void)
{
	static const char *const names[] = { "sgr0", "cnorm", "rmkx", "rmcup" };

	farewell_bytes = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = tigetstr(names[i]);
		size_t length = text && text != (char *)-1 ? strlen(text) : 0;

		if (length > sizeof(farewell) - farewell_bytes)
			continue;
		memcpy(farewell + farewell_bytes, text ?: "", length);
		farewell_bytes += length;
	}
}

static void catch_signals(void)
{
	struct sigaction end = { .sa_handler = on_end };
	struct sigaction crash = {
		.sa_handler = on_crash, .sa_flags = SA_RESETHAND | SA_NODEFER,
	};

	terminal_ended = 0;
	for (size_t i = 0; i < NR_END; i++)
		sigaction(end_signals[i], &end, NULL);
	for (size_t i = 0; i < NR_CRASH; i++)
		sigaction(crash_signals[i], &crash, NULL);
}

static void leave_signals(void)
{
	for (size_t i = 0; i < NR_END; i++)
		signal(end_signals[i], SIG_DFL);
	for (size_t i = 0; i < NR_CRASH; i++)
		signal(crash_signals[i], SIG_DFL);
}

static void set_up_curses(void)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	if (!terminal_no_color() && has_colors()) {
		start_color();
		use_default_colors();
	}
}

int terminal_check(const char *instead, struct error *error)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return 0;
	return error_set(error, -ENOTTY, "standard %s is not a terminal: %.200s",
			 isatty(STDOUT_FILENO) ? "input" : "output", instead);
}

/* Is the terminal known, and can the cursor be placed on it? */
static int check_type(struct error *error)
{
	const char *type = getenv("TERM");
	bool can_place;
	int known;

	if (!type || !*type)
		type = "(none)";
	if (setupterm(NULL, STDOUT_FILENO, &known) != OK)
		return error_set(error, -ENOENT, "there is no description of terminals of type %.40s: set TERM to a known type",
				 type);
	can_place = tigetstr("cup");
	del_curterm(cur_term);
	return can_place ? 0 :
	       error_set(error, -ENOTSUP, "terminals of type %.40s cannot move their cursor: set TERM, or use flamectl report to print text",
			 type);
}

int terminal_start(struct error *error)
{
	int err = check_type(error);

	if (err)
		return err;
	setlocale(LC_CTYPE, "");
	unicode = !strcmp(nl_langinfo(CODESET), "UTF-8");
	tcgetattr(STDIN_FILENO, &before);
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	keep_farewell();
	catch_signals();
	set_up_curses();
	return 0;
}

void terminal_stop(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
	leave_signals();
}

int terminal_wait(unsigned int timeout_ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec timeout = {
		.tv_sec = timeout_ms / 1000,
		.tv_nsec = timeout_ms % 1000 * 1000000L,
	};
	sigset_t blocked, unblocked;
	int ready;

	/* block signals, so that one that comes before ppoll() is not missed */
	sigemptyset(&blocked);
	for (size_t i = 0; i < NR_END; i++)
		sigaddset(&blocked, end_signals[i]);
	sigaddset(&blocked, SIGWINCH);
	sigprocmask(SIG_BLOCK, &blocked, &unblocked);
	ready = terminal_ended ? 0 : ppoll(&in, 1, &timeout, &unblocked);
	sigprocmask(SIG_SETMASK, &unblocked, NULL);
	if (ready > 0 && !(in.revents & POLLIN))
		return -EIO;
	return ready > 0;
}

bool terminal_no_color(void)
{
	const char *wish = getenv("NO_COLOR");

	return wish && *wish;
}

bool terminal_unicode(void)
{
	return unicode;
}
