// SPDX-License-Identifier: GPL-2.0
/*
 * A server of FUSE that serves a program, and answers nobody who reads the end of it.
 *
 *   stuck DIRECTORY PROGRAM FROM
 *
 * It mounts itself at DIRECTORY, where the file PROGRAM is called "program". Requests to
 * read at FROM bytes and beyond get no answer; a line is printed for each of them. It ends
 * when it is killed, and whoever still waits then gets an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILE_NODE	2
#define READ_MAX	4096u

static int device;
static uint8_t *program;
static size_t bytes;
static unsigned long long from;

static void answer(const struct fuse_in_header *in, int error, const void *data, size_t nr)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + nr), .error = error, .unique = in->unique,
	};
	const struct iovec parts[] = { { &out, sizeof(out) }, { (void *)(uintptr_t)data, nr } };

	/* whoever asked may have been killed */
	if (writev(device, parts, 2) < 0 && errno != ENOENT)
		perror("answer");
}

static struct fuse_attr attributes(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node, .nlink = 1, .blksize = 4096,
		.mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755,
		.size = node == FILE_NODE ? bytes : 0,
	};
}

static void look_up(const struct fuse_in_header *in, const char *name)
{
	const struct fuse_entry_out entry = {
		.nodeid = FILE_NODE, .entry_valid = 3600, .attr_valid = 3600,
		.attr = attributes(FILE_NODE),
	};

	if (strcmp(name, "program"))
		answer(in, -ENOENT, NULL, 0);
	else
		answer(in, 0, &entry, sizeof(entry));
}

static void get_attributes(const struct fuse_in_header *in)
{
	const struct fuse_attr_out out = { .attr_valid = 3600, .attr = attributes(in->nodeid) };

	answer(in, 0, &out, sizeof(out));
}

static void read_file(const struct fuse_in_header *in, const struct fuse_read_in *what)
{
	size_t nr = what->size;

	if (what->offset + what->size > from) {
		printf("no answer for %llu\n", (unsigned long long)what->offset);
		fflush(stdout);
		return;
	}
	if (what->offset >= bytes)
		nr = 0;
	else if (nr > bytes - what->offset)
		nr = bytes - what->offset;
	answer(in, 0, program + what->offset, nr);
}

static void serve(const struct fuse_in_header *in, const void *rest)
{
	static const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = 31, .max_readahead = 0,
		.max_background = 16, .congestion_threshold = 12, .max_write = 4096,
		.max_pages = 1, .flags = FUSE_MAX_PAGES,
	};
	static const struct fuse_open_out opened = { .open_flags = FOPEN_KEEP_CACHE };

	switch (in->opcode) {
	case FUSE_INIT:
		answer(in, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		look_up(in, rest);
		break;
	case FUSE_GETATTR:
		get_attributes(in);
		break;
	case FUSE_OPEN:
		answer(in, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		read_file(in, rest);
		break;
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		answer(in, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(in, -ENOSYS, NULL, 0);
	}
}

static void load_program(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		exit(1);
	}
	bytes = (size_t)st.st_size;
	program = malloc(bytes);
	if (!program || read(fd, program, bytes) != (ssize_t)bytes) {
		perror(path);
		exit(1);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	static struct {
		struct fuse_in_header head;
		uint8_t rest[1 << 17];
	} request;
	char options[128];

	if (argc != 4) {
		fprintf(stderr, "usage: stuck DIRECTORY PROGRAM FROM\n");
		return 2;
	}
	load_program(argv[2]);
	from = strtoull(argv[3], NULL, 0);
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (device < 0 || mount("stuck", argv[1], "fuse", MS_NOSUID | MS_NODEV, options)) {
		perror(argv[1]);
		return 1;
	}
	while (read(device, &request, sizeof(request)) > 0)
		serve(&request.head, request.rest);
	return 0;
}
