// SPDX-License-Identifier: GPL-2.0
/*
 * A fixed amount of mixed kernel work: files, pipes and processes.
 *
 *   mix ROUNDS
 *
 * Prints how long it took in nanoseconds of CLOCK_MONOTONIC, which in a guest
 * that counts instructions (QEMU's -icount shift=0) are instructions.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/*
 * A pause of pseudo-random length, the same in every run. A strictly periodic
 * loop would lock in phase with a strictly periodic sampler, which would then
 * see a few places only.
 */
static void jitter(void)
{
	static uint32_t state = 2463534242u;
	volatile uint32_t rounds;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	for (rounds = state & 255; rounds; rounds--)
		;
}

static int file_work(int fd, char *buffer, size_t bytes)
{
	struct stat st;

	return pwrite(fd, buffer, bytes, 0) != (ssize_t)bytes ||
	       pread(fd, buffer, bytes, 0) != (ssize_t)bytes ||
	       stat("/tmp/mix.file", &st) || ftruncate(fd, 0);
}

static int pipe_work(int *ends, char *buffer)
{
	return write(ends[1], buffer, 512) != 512 ||
	       read(ends[0], buffer, 512) != 512;
}

static int fork_work(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(0);
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv)
{
	static char buffer[16384];
	unsigned long rounds, i;
	uint64_t begin_ns;
	int ends[2], fd;

	if (argc != 2 || !(rounds = strtoul(argv[1], NULL, 10)))
		return 2;
	fd = open("/tmp/mix.file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || pipe(ends))
		return 1;
	begin_ns = now_ns();
	for (i = 0; i < rounds; i++) {
		int failed = file_work(fd, buffer, sizeof(buffer)), k;

		for (k = 0; k < 20 && !failed; k++) {
			failed = pipe_work(ends, buffer);
			jitter();
		}
		if (failed || (!(i % 4) && fork_work()))
			return 1;
	}
	printf("%llu\n", (unsigned long long)(now_ns() - begin_ns));
	return 0;
}
