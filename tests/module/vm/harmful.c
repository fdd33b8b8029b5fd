// SPDX-License-Identifier: GPL-2.0
/*
 * Makes programs whose unwind tables are damaged or were made to do harm, and runs them:
 * at least one for each check of the module's readers (module/user/elf.c, cfi.c, cfi_run.c,
 * read.c, compile.c, walk.c).
 *
 *   harmful list                         prints the names of all
 *   harmful run DIRECTORY MS NAME...     runs these, for MS milliseconds each, or longer
 *   harmful make DIRECTORY NAME          only writes DIRECTORY/NAME
 *   harmful random DIRECTORY MS SEED NR  runs NR with bytes that are damaged at random
 *
 * Each program has three functions, at the offsets START, MIDDLE and SPIN: the first calls
 * the second, which calls the third, which never returns. Its name is the task's command.
 * A line is printed for each: its name, how its stack must end (see enum ends), and what
 * happened ("ran", or what went wrong).
 *
 * Programs that the kernel refuses to execute are mapped as text instead, and called.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harmful_programs.h"

/* Write the program's file. Return: open for reading and writing, or -1. */
static int write_program(const struct program *p, bool keep_open)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	if (fd < 0 || (p->size > p->nr && ftruncate(fd, p->size)) ||
	    pwrite(fd, p->image, p->nr, 0) != p->nr ||
	    (p->text_at != START &&
	     pwrite(fd, p->image + START, PAGE, p->text_at) != PAGE)) {
		perror(path);
		return -1;
	}
	if (!keep_open) {	/* a file that is open for writing is not executed */
		close(fd);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	return fd;
}

/* In the child: become the program. */
static void become(const struct program *p, const char *name, int fd)
{
	char *const arguments[] = { path, NULL };
	const void *text;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!p->is_mapped) {
		execve(path, arguments, NULL);
		_exit(100 + errno % 100);
	}
	text = mmap((void *)(BASE + START), PAGE, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, START);
	if (text == MAP_FAILED)
		_exit(99);
	prctl(PR_SET_NAME, name);
	((void (*)(void))text)();
}

static void sleep_ms(unsigned int ms)
{
	const struct timespec pause = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&pause, NULL);
}

static long long blocks(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? -1 : st.st_blocks;
}

/* Run a program for a while, and print what happened. */
static void run(const struct program *p, const char *name, enum ends ends, unsigned int ms)
{
	int fd = write_program(p, p->during && p->is_mapped), status;
	long long before = blocks(fd);
	pid_t child = fork();

	if (!child)
		become(p, name, fd);
	if (p->times_as_long)
		ms *= p->times_as_long;
	for (unsigned int passed = 0; passed < ms; passed += 5) {
		sleep_ms(5);
		if (p->during && passed >= ms / 3)
			p->during(fd, p);
	}
	printf("%s %s ", name, end_names[ends]);
	if (waitpid(child, &status, WNOHANG) == child) {
		printf("ended with %#x\n", (unsigned int)status);
	} else {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		if (!p->during && blocks(fd) != before)
			printf("grew from %lld to %lld blocks\n", before, blocks(fd));
		else
			printf("ran\n");
	}
	fflush(stdout);
	close(fd);
	unlink(path);
}

static void run_random(struct program *p, unsigned int ms, unsigned int nr)
{
	while (nr--) {
		begin(p);
		build(p);
		p->is_mapped = true;
		for (unsigned int n = 1 + random() % 8; n; n--)
			p->image[TABLES + random() % (p->nr - TABLES)] = (uint8_t)random();
		run(p, "random", OWN, ms);
	}
}

/* Run the program of a name, or with @ms 0 only write it. Return: 0; 1 if there is none. */
static int run_named(struct program *p, const char *directory, const char *name,
		     unsigned int ms)
{
	for (unsigned int i = 0; i < NR_PROGRAMS; i++) {
		if (strcmp(programs[i].name, name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, name);
		make(p, i);
		if (!ms)
			return write_program(p, false) < 0;
		run(p, name, programs[i].ends, ms);
		return 0;
	}
	fprintf(stderr, "harmful: no program %s\n", name);
	return 1;
}

int main(int argc, char **argv)
{
	static struct program program;
	int err = 0;

	program.image = malloc(IMAGE_MAX);
	if (!program.image || argc < 2) {
		fprintf(stderr, "usage: harmful list | random | run | make ...\n");
		return 2;
	}
	if (!strcmp(argv[1], "list"))
		for (unsigned int i = 0; i < NR_PROGRAMS; i++)
			puts(programs[i].name);
	if (!strcmp(argv[1], "random") && argc == 6) {
		snprintf(path, sizeof(path), "%s/random", argv[2]);
		srandom((unsigned int)atoi(argv[4]));
		run_random(&program, (unsigned int)atoi(argv[3]), (unsigned int)atoi(argv[5]));
	}
	for (int i = 4; !strcmp(argv[1], "run") && i < argc; i++)
		err |= run_named(&program, argv[2], argv[i], (unsigned int)atoi(argv[3]));
	if (!strcmp(argv[1], "make") && argc == 4)
		err = run_named(&program, argv[2], argv[3], 0);
	return err;
}
