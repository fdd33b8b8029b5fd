// SPDX-License-Identifier: GPL-2.0
/*
 * Run a pager: see pager.h.
 */
#include "base/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/terminal.h"

/*
 * Exit at once if everything fits on the screen, show colours, and do not clear
 * the screen.
 */
#define LESS_OPTIONS "FRX"

/* Put before the user's own $LESS, so that colours are shown with it too. */
#define LESS_COLORS "-R "

#define DEFAULT_PAGER \
	"if command -v less > /dev/null; then exec less; else exec cat; fi"

/* The status of a shell that cannot run a command. */
#define SHELL_NOT_RUN	126
#define SHELL_NOT_FOUND	127

static const char *wanted(void)
{
	const char *pager = getenv("PAGER") ?: DEFAULT_PAGER;

	if (!isatty(STDOUT_FILENO) || !*pager || !strcmp(pager, "cat"))
		return NULL;
	return pager;
}

static void set_less(void)
{
	const char *own = getenv("LESS");
	char *options;

	if (!own)
		setenv("LESS", LESS_OPTIONS, 0);
	else if (asprintf(&options, LESS_COLORS "%s", own) >= 0)
		setenv("LESS", options, 1);
}

static void run(const char *pager, int from)
{
	if (dup2(from, STDIN_FILENO) < 0)
		_exit(SHELL_NOT_FOUND);
	signal(SIGPIPE, SIG_DFL);
	set_less();
	execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(SHELL_NOT_FOUND);
}

int pager_start(struct pager *pager, struct error *error)
{
	const char *command = wanted();
	int ends[2], err;

	memset(pager, 0, sizeof(*pager));
	if (!command)
		return 0;
	if (pipe2(ends, O_CLOEXEC))
		return error_set(error, -errno, "no pipe: %s", strerror(errno));
	pager->stream = fdopen(ends[1], "w");
	pager->pid = pager->stream ? fork() : -1;
	if (!pager->pid)
		run(command, ends[0]);
	err = pager->pid < 0 ? -errno : 0;
	close(ends[0]);
	if (err) {
		if (pager->stream)
			fclose(pager->stream);
		else
			close(ends[1]);
		pager->stream = NULL;
		return error_set(error, err, "no process for %.200s: %s",
				 command, strerror(-err));
	}
	/* Ctrl-C is for the pager: keep running until the user leaves it */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	return 0;
}

int pager_finish(struct pager *pager)
{
	int status = 0, err = 0;

	errno = 0;
	if (fclose(pager->stream))
		err = -errno;
	pager->stream = NULL;
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && (WEXITSTATUS(status) == SHELL_NOT_RUN ||
				  WEXITSTATUS(status) == SHELL_NOT_FOUND))
		return -ENOEXEC;
	return err == -EPIPE ? 0 : err;
}

bool pager_color(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !terminal_no_color() && term &&
	       strcmp(term, "dumb");
}
