// SPDX-License-Identifier: GPL-2.0
/*
 * Does a fixed amount of work of one kind, on the first CPU.
 *
 *   load KIND ROUNDS
 *
 * Prints the CPU time of itself and its children, including the interrupts that hit
 * them, and the elapsed time, in nanoseconds. In a guest that counts instructions
 * (QEMU's -icount shift=0) these are instructions.
 *
 * A strictly periodic loop and a strictly periodic sampler could run in step, so that the
 * sampler sees only a few places. Therefore each round is followed by a pause of
 * pseudo-random length, the same in every run.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DIRECTORIES	10
#define PAGE		4096
#define MAPPED		(16 * PAGE)
/* The number of writes to a file before it is truncated. */
#define WRITES		256
/* A file system, which the caller must mount. */
#define EXT4		"/tmp/ext4"

static char buffer[16384];
static char path[64] = "/tmp";
static int ends[2], file;

static const char *program;

/* Return how long the children that have ended ran, to the microsecond. */
static uint64_t children_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ull +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ull;
}

/*
 * Return how long this process and its children ran. The first number of
 * /proc/self/schedstat is this process's time; a yield updates it.
 */
static uint64_t ran_ns(void)
{
	unsigned long long ns = 0;
	FILE *stat;

	sched_yield();
	stat = fopen("/proc/self/schedstat", "r");
	if (!stat || fscanf(stat, "%llu", &ns) != 1)
		exit(1);
	fclose(stat);
	return ns + children_ns();
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void spin(uint32_t rounds)
{
	volatile uint32_t left;

	for (left = rounds; left; left--)
		;
}

static void pause_a_while(void)
{
	static uint32_t state = 2463534242u;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	spin(state & 127);
}

static int prepare_pipe(void)
{
	return pipe(ends);
}

static int prepare_tcp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t bytes = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (void *)&address, bytes) || listen(listener, 1) ||
	    getsockname(listener, (void *)&address, &bytes) ||
	    connect(ends[1], (void *)&address, bytes))
		return 1;
	ends[0] = accept(listener, NULL, NULL);
	return ends[0] < 0;
}

static int prepare_file(void)
{
	int i;

	for (i = 0; i < DIRECTORIES; i++) {
		strcat(path, "/d");
		mkdir(path, 0700);
	}
	strcat(path, "/file");
	file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	return file < 0;
}

static int prepare_ext4(void)
{
	file = open(EXT4 "/file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	return file < 0;
}

static int prepare_mix(void)
{
	return prepare_pipe() || prepare_file();
}

static int prepare_nothing(void)
{
	return 0;
}

static int pass_bytes(void)
{
	return write(ends[1], buffer, 512) != 512 ||
	       read(ends[0], buffer, 512) != 512;
}

static int stat_file(void)
{
	struct stat st;

	return stat(path, &st);
}

static int spin_only(void)
{
	spin(1000);
	return 0;
}

/*
 * Work below so many calls: each frame is a call of descend(), of 48 bytes of stack with
 * two saved registers, as functions often have.
 */
static __attribute__((noinline, noclone)) int descend(unsigned int depth, int (*work)(void))
{
	volatile unsigned int here = depth;
	int bad;

	bad = here ? descend(here - 1, work) : work();
	__asm__ volatile("" ::: "memory");
	return bad + (here != depth);
}

/* main(), what calls it, the rounds, descend() and the work: see deep(). */
#define DEPTH_AROUND	7

static unsigned int depth;

static int spin_deep(void)
{
	spin(1000);
	pause_a_while();
	return 0;
}

/* System calls that do little: nearly all samples are in the kernel. */
static int call_deep(void)
{
	int i;

	for (i = 0; i < 100; i++)
		if (pass_bytes())
			return 1;
	return 0;
}

static int deep_user(void)
{
	return descend(depth - DEPTH_AROUND, spin_deep);
}

static int deep_kernel(void)
{
	return descend(depth - DEPTH_AROUND, call_deep);
}

static int prepare_10(void)
{
	depth = 10;
	return 0;
}

static int prepare_30(void)
{
	depth = 30;
	return 0;
}

static int prepare_70(void)
{
	depth = 70;
	return 0;
}

static int prepare_kernel8(void)
{
	depth = 8;
	return prepare_pipe();
}

static int wait_for(pid_t pid)
{
	int status;

	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

static int run_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return wait_for(pid);
}

/* Run this program itself, which ends at once without arguments. */
static int run_program(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl(program, program, NULL);
		_exit(1);
	}
	return wait_for(pid);
}

static int touch_pages(void)
{
	char *mapped = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at;

	if (mapped == MAP_FAILED)
		return 1;
	for (at = 0; at < MAPPED; at += PAGE)
		mapped[at] = 1;
	return munmap(mapped, MAPPED);
}

/* Each write appends to the file, so that the file system writes to its journal. */
static int write_through(void)
{
	static unsigned int round;
	unsigned int at = round++ % WRITES;

	return (!at && ftruncate(file, 0)) ||
	       pwrite(file, buffer, PAGE, at * PAGE) != PAGE || fdatasync(file);
}

static int mix(void)
{
	static unsigned int round;
	const ssize_t all = sizeof(buffer);
	int i;

	if (pwrite(file, buffer, all, 0) != all ||
	    pread(file, buffer, all, 0) != all || stat_file() ||
	    ftruncate(file, 0))
		return 1;
	for (i = 0; i < 20; i++) {
		if (pass_bytes())
			return 1;
		pause_a_while();
	}
	return !(round++ % 4) && run_child();
}

static const struct kind {
	const char *name;
	int (*prepare)(void);
	int (*round)(void);
} kinds[] = {
	{ "user", prepare_nothing, spin_only },
	{ "user10", prepare_10, deep_user },
	{ "user30", prepare_30, deep_user },
	{ "user70", prepare_70, deep_user },
	{ "kernel8", prepare_kernel8, deep_kernel },
	{ "pipe", prepare_pipe, pass_bytes },
	{ "stat", prepare_file, stat_file },
	{ "tcp", prepare_tcp, pass_bytes },
	{ "mix", prepare_mix, mix },
	{ "exec", prepare_nothing, run_program },
	{ "mmap", prepare_nothing, touch_pages },
	{ "ext4", prepare_ext4, write_through },
};

int main(int argc, char **argv)
{
	const struct kind *kind = kinds, *end = kinds + sizeof(kinds) / sizeof(kinds[0]);
	unsigned long rounds, i;
	uint64_t before_ns, began_ns;
	cpu_set_t first;

	if (argc == 1)
		return 0;
	program = argv[0];
	if (argc != 3 || !(rounds = strtoul(argv[2], NULL, 10)))
		return 2;
	while (kind < end && strcmp(kind->name, argv[1]))
		kind++;
	if (kind == end)
		return 2;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first) || kind->prepare())
		return 1;
	before_ns = ran_ns();
	began_ns = now_ns();
	for (i = 0; i < rounds; i++) {
		if (kind->round())
			return 1;
		pause_a_while();
	}
	began_ns = now_ns() - began_ns;
	printf("%llu %llu\n", (unsigned long long)(ran_ns() - before_ns),
	       (unsigned long long)began_ns);
	return 0;
}
