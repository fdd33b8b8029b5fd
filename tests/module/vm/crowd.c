// SPDX-License-Identifier: GPL-2.0
/*
 * Many threads, each of which makes many kinds of system calls, for a large number of
 * different tasks and stacks in a short time.
 *
 *   crowd THREADS
 *
 * Runs until it is killed.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_file(const char *path)
{
	char bytes[4096];
	int fd = open(path, O_RDONLY);

	while (fd >= 0 && read(fd, bytes, sizeof(bytes)) > 0)
		;
	if (fd >= 0)
		close(fd);
}

static void write_file(const char *path)
{
	static const char bytes[8192];
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);

	if (fd < 0)
		return;
	if (write(fd, bytes, sizeof(bytes)) > 0 && !fsync(fd))
		lseek(fd, 0, SEEK_SET);
	close(fd);
	unlink(path);
}

static void use_memory(void)
{
	size_t bytes = 1 << 16, i;
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return;
	for (i = 0; i < bytes; i += 4096)
		at[i] = 1;
	mprotect(at, bytes, PROT_READ);
	madvise(at, bytes, MADV_DONTNEED);
	munmap(at, bytes);
}

static void use_pipes(void)
{
	char bytes[512] = { 0 };
	int ends[2], kind;

	for (kind = 0; kind < 2; kind++) {
		if (kind ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends))
			continue;
		if (write(ends[1], bytes, sizeof(bytes)) > 0 &&
		    read(ends[0], bytes, sizeof(bytes)) < 0)
			perror("crowd");
		close(ends[0]);
		close(ends[1]);
	}
}

static void read_directory(const char *path)
{
	DIR *directory = opendir(path);
	struct stat status;
	struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory)))
		fstatat(dirfd(directory), entry->d_name, &status, 0);
	closedir(directory);
}

static void *run(void *data)
{
	static const char *const files[] = { "/proc/self/stat", "/proc/self/status",
		"/proc/thread-self/maps", "/proc/self/limits", "/proc/meminfo", "/proc/stat",
		"/sys/kernel/uevent_seqnum", "/dev/null", "/proc/self/mountinfo" };
	size_t turn = (size_t)data;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/crowd.%zu", turn);
	for (;; turn++) {
		read_file(files[turn % (sizeof(files) / sizeof(*files))]);
		switch (turn % 5) {
		case 0:
			write_file(path);
			break;
		case 1:
			use_memory();
			break;
		case 2:
			use_pipes();
			break;
		case 3:
			read_directory("/sys/kernel");
			break;
		default:
			usleep(100);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	size_t threads = argc == 2 ? strtoul(argv[1], NULL, 0) : 0;
	pthread_attr_t attributes;
	pthread_t id;

	if (!threads) {
		fprintf(stderr, "usage: crowd THREADS\n");
		return 2;
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 16);
	while (threads--) {
		if (pthread_create(&id, &attributes, run, (void *)threads)) {
			fprintf(stderr, "crowd: cannot start a thread\n");
			return 1;
		}
	}
	pause();
	return 0;
}
