// SPDX-License-Identifier: GPL-2.0
/*
 * Write a file that appears whole or not at all: see output.h.
 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t current_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

/* The temporary file that signal handlers must remove. */
static const char *volatile to_remove;

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define NR_SIGNALS	(sizeof(end_signals) / sizeof(end_signals[0]))

static void on_end(int number)
{
	const char *path = to_remove;

	if (path)
		unlink(path);
	signal(number, SIG_DFL);
	raise(number);
}

/* Signals that are ignored or have a handler already are left alone. */
static void expect_signals(const char *temporary)
{
	struct sigaction action = { .sa_handler = on_end }, old;
	size_t i;

	to_remove = temporary;
	for (i = 0; i < NR_SIGNALS; i++)
		if (!sigaction(end_signals[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(end_signals[i], &action, NULL);
}

static void block_signals(sigset_t *before)
{
	sigset_t blocked;
	size_t i;

	sigemptyset(&blocked);
	for (i = 0; i < NR_SIGNALS; i++)
		sigaddset(&blocked, end_signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, before);
}

static void remove_temporary(struct output *output)
{
	sigset_t before;

	block_signals(&before);
	unlink(output->temporary);
	to_remove = NULL;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static int open_in_place(struct output *output, const char *path,
			 struct error *error)
{
	output->stream = fopen(path, "we");
	if (!output->stream)
		return error_set(error, -errno, "%.400s: %s", path,
				 strerror(errno));
	return 0;
}

static int open_beside(struct output *output, mode_t mode, struct error *error)
{
	char *directory = strdup(output->path), *base = strdup(output->path);
	int fd = -1, err = -ENOMEM;
	sigset_t before;

	if (!directory || !base ||
	    asprintf(&output->temporary, "%s/.%.200s.XXXXXX", dirname(directory),
		     basename(base)) < 0) {
		output->temporary = NULL;
		error_set(error, err, "%s", strerror(-err));
		goto free_names;
	}
	block_signals(&before);
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd >= 0)
		expect_signals(output->temporary);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd >= 0 && !fchmod(fd, mode))
		output->stream = fdopen(fd, "w");
	err = output->stream ? 0 : -errno;
	if (!err)
		goto free_names;
	error_set(error, err, "%.400s: cannot create a file in its directory: %s",
		  output->name, strerror(-err));
	if (fd >= 0) {
		close(fd);
		remove_temporary(output);
	}
	free(output->temporary);
	output->temporary = NULL;
free_names:
	free(directory);
	free(base);
	return err;
}

/*
 * Get the file that a name means; "-" means @standard. Only regular files
 * count: nothing else can be destroyed by writing.
 */
static bool find_file(const char *path, int standard, struct stat *status)
{
	bool found = strcmp(path, "-") ? !stat(path, status) :
					 !fstat(standard, status);

	return found && S_ISREG(status->st_mode);
}

/* Find the directory that a file will be made in. Return: its name there. */
static const char *find_place(char *path, struct stat *directory)
{
	char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int err;

	if (slash)
		*slash = '\0';
	err = stat(!slash ? "." : slash == path ? "/" : path, directory);
	return err ? NULL : name;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Report whether two files that do not exist yet would be the same file. */
static bool same_place(const char *a, const char *b)
{
	char *one = strdup(a), *other = strdup(b);
	struct stat one_directory, other_directory;
	bool same = false;

	if (one && other) {
		const char *name = find_place(one, &one_directory);
		const char *other_name = find_place(other, &other_directory);

		same = name && other_name && !strcmp(name, other_name) &&
		       same_inode(&one_directory, &other_directory);
	}
	free(one);
	free(other);
	return same;
}

static bool same_file(const char *output, const char *input)
{
	struct stat written, read;
	bool is_written = find_file(output, STDOUT_FILENO, &written);
	bool is_read = find_file(input, STDIN_FILENO, &read);

	if (is_written && is_read)
		return same_inode(&written, &read);
	return !is_written && !is_read && strcmp(output, "-") &&
	       strcmp(input, "-") && access(output, F_OK) &&
	       access(input, F_OK) && same_place(output, input);
}

int output_spares(const char *path, const char *const *inputs, size_t nr,
		  struct error *error)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (inputs[i] && same_file(path ?: "-", inputs[i]))
			return error_set(error, -EEXIST, "%.200s: it is the same file as the input %.200s, which would be lost: write to another file",
					 path && strcmp(path, "-") ? path : "stdout",
					 strcmp(inputs[i], "-") ? inputs[i] : "stdin");
	return 0;
}

int output_check_link(const char *path, struct error *error)
{
	struct stat status;

	if (lstat(path, &status) || !S_ISLNK(status.st_mode) || status.st_uid == geteuid())
		return 0;
	return error_set(error, -EPERM, "%.200s is a link of user %u, which may lead to any file: remove it, or name the output file",
			 path, status.st_uid);
}

/* @is_private: mode 0600, whatever the mode of the file that is replaced. */
static int open_for(struct output *output, const char *path, bool is_private,
		    struct error *error)
{
	mode_t mode = (is_private ? 0600 : 0666) & ~current_umask();
	struct stat status;
	bool exists;
	int err;

	memset(output, 0, sizeof(*output));
	if (!path || !strcmp(path, "-")) {
		output->name = "stdout";
		output->stream = stdout;
		return 0;
	}
	output->name = path;
	if (!*path)
		return error_set(error, -EINVAL, "the output file's name is empty");
	exists = !stat(path, &status);
	/*
	 * report a name that is too long or a loop of links now, not at the end
	 */
	if (!exists && errno != ENOENT)
		return error_set(error, -errno, "%.400s: %s", path,
				 strerror(errno));
	if (exists && S_ISDIR(status.st_mode))
		return error_set(error, -EISDIR, "%.400s: a directory", path);
	if (exists && !S_ISREG(status.st_mode))
		return open_in_place(output, path, error);
	if (exists && access(path, W_OK))
		return error_set(error, -errno, "%.400s: %s", path,
				 strerror(errno));
	/* do not copy set-user-ID: the new file belongs to the caller */
	if (exists && !is_private)
		mode = status.st_mode & 0777;
	output->path = exists ? realpath(path, NULL) : strdup(path);
	if (!output->path)
		return error_set(error, -errno, "%.400s: %s", path,
				 strerror(errno));
	err = open_beside(output, mode, error);
	if (err) {
		free(output->path);
		output->path = NULL;
	}
	return err;
}

int output_open(struct output *output, const char *path, struct error *error)
{
	return open_for(output, path, false, error);
}

int output_open_private(struct output *output, const char *path,
			struct error *error)
{
	return open_for(output, path, true, error);
}

static void forget(struct output *output)
{
	free(output->path);
	free(output->temporary);
	memset(output, 0, sizeof(*output));
}

static int move_into_place(struct output *output)
{
	sigset_t before;
	int err = 0;

	block_signals(&before);
	if (rename(output->temporary, output->path))
		err = -errno;
	else
		to_remove = NULL;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

/*
 * Find the errno of a failed stream. A stream records only that it failed, so
 * write one more byte, which fails for the same reason.
 */
static int ask_why(FILE *stream)
{
	return write(fileno(stream), "\n", 1) < 0 ? -errno : -EIO;
}

int output_commit(struct output *output, struct error *error)
{
	FILE *stream = output->stream;
	int err = 0;

	if (fflush(stream))
		err = -errno;
	else if (ferror(stream))
		err = ask_why(stream);
	if (!err && output->temporary && fsync(fileno(stream)))
		err = -errno;
	if (stream != stdout && fclose(stream) && !err)
		err = -errno;
	output->stream = NULL;
	if (!err && output->temporary)
		err = move_into_place(output);
	if (err) {
		error_set(error, err, "cannot write %.400s: %s", output->name,
			  strerror(-err));
		output_discard(output);
		return err;
	}
	forget(output);
	return 0;
}

void output_discard(struct output *output)
{
	if (output->stream && output->stream != stdout)
		fclose(output->stream);
	if (output->temporary)
		remove_temporary(output);
	forget(output);
}
