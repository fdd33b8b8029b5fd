// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a program on a terminal of its own, as far as scenarios need one.
 *
 *   pty SCREEN STATE PROGRAM [ARGUMENT...]
 *
 * Runs the program on a terminal of 80x24. What it writes is appended to the
 * file SCREEN as it is, what comes on standard input is typed. The file STATE
 * holds "PID", and "CODE kept" or "CODE changed" when it has ended: as a
 * shell's $?, and whether the terminal's modes are what they were.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Return: the number of bytes passed on; 0 or less at the end. */
static ssize_t pass(int from, int to, const char *what)
{
	char bytes[4096];
	ssize_t nr = read(from, bytes, sizeof(bytes));

	if (nr > 0)
		must(write(to, bytes, (size_t)nr) == nr ? 0 : -1, what);
	return nr;
}

/* Run until the program has ended and all of its output was read. */
static int serve(pid_t program, int terminal, int screen)
{
	struct pollfd fds[] = {
		{ .fd = terminal, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	int status = 0, ready;
	pid_t ended = 0;

	/* this side keeps the terminal open, so it reports no end of file */
	do {
		if (!ended)
			ended = waitpid(program, &status, WNOHANG);
		must(ended, "waitpid");
		ready = poll(fds, 2, 50);
		must(ready, "poll");
		if (fds[0].revents & POLLIN)
			pass(terminal, screen, "screen");
		if (ready && fds[1].revents &&
		    pass(STDIN_FILENO, terminal, "terminal") <= 0)
			fds[1].fd = -1;
	} while (!ended || fds[0].revents & POLLIN);
	return status;
}

/* Written under another name and renamed, so that nobody reads a part of it. */
static void tell(const char *path, int number, const char *more)
{
	char part[PATH_MAX];
	FILE *state;

	snprintf(part, sizeof(part), "%s.part", path);
	state = fopen(part, "we");
	must(state ? 0 : -1, part);
	fprintf(state, "%d%s\n", number, more);
	must(fclose(state), part);
	must(rename(part, path), path);
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag &&
	       a->c_cflag == b->c_cflag && a->c_lflag == b->c_lflag &&
	       !memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc));
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int terminal, program_side, screen, status;
	struct termios before, after;
	pid_t program;

	if (argc < 4)
		return 2;
	screen = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	must(screen, argv[1]);
	must(openpty(&terminal, &program_side, NULL, NULL, &size), "openpty");
	must(tcgetattr(program_side, &before), "tcgetattr");
	program = fork();
	must(program, "fork");
	if (!program) {
		close(terminal);
		must(login_tty(program_side), "login_tty");
		setenv("TERM", "xterm", 1);
		execvp(argv[3], &argv[3]);
		must(-1, argv[3]);
	}
	tell(argv[2], program, "");
	status = serve(program, terminal, screen);
	must(tcgetattr(program_side, &after), "tcgetattr");
	tell(argv[2], WIFSIGNALED(status) ?
	     128 + WTERMSIG(status) : WEXITSTATUS(status),
	     same_modes(&before, &after) ? " kept" : " changed");
	return 0;
}
