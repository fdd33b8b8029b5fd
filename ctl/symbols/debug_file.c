// SPDX-License-Identifier: GPL-2.0
/*
 * Find separate debug files: see debug_file.h. libdwfl could do it, but it follows
 * links out of a root and waits for the writer of a pipe; a container may have both.
 */
#include "symbols/debug_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "symbols/bounded.h"
#include "symbols/build_id.h"
#include "symbols/regular.h"

static bool has_build_id(int fd, const char *build_id)
{
	char text[BUILD_ID_TEXT];
	const void *bytes;
	bool has = false;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	ssize_t nr;

	if (!elf)
		return false;
	nr = dwelf_elf_gnu_build_id(elf, &bytes);
	if (nr > 0 && build_id_text(bytes, (size_t)nr, text))
		has = build_id_same(text, build_id);
	elf_end(elf);
	return has;
}

/* All of it is read, so a larger one is not checked. */
#define CRC_BYTES_MAX	(1U << 30)

static bool has_crc(int fd, uint32_t expected)
{
	unsigned char bytes[16384];
	uLong crc = crc32(0, NULL, 0);
	size_t all = 0;
	ssize_t nr;

	while (all < CRC_BYTES_MAX && (nr = read(fd, bytes, sizeof(bytes))) > 0) {
		crc = crc32(crc, bytes, (uInt)nr);
		all += (size_t)nr;
	}
	return all < CRC_BYTES_MAX && !nr && crc == expected;
}

/* Return: @fd if it is the right file, else -ENOENT, and it is closed. */
static int check(int fd, const char *build_id, uint32_t crc)
{
	if (fd < 0)
		return fd;
	bounded_map(fd);
	if (*build_id ? has_build_id(fd, build_id) : has_crc(fd, crc))
		return fd;
	close(fd);
	return -ENOENT;
}

static int open_by_build_id(const struct regular_root *root, const char *build_id)
{
	char path[sizeof(DEBUG_DIRECTORY "/.build-id//.debug") + BUILD_ID_TEXT];
	struct stat st;

	if (!build_id_valid(build_id))
		return -ENOENT;
	snprintf(path, sizeof(path), DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug",
		 build_id, build_id + 2);
	return check(regular_open(root, path, REGULAR_LINKS, &st), build_id, 0);
}

/* /usr/lib/debug has the directories of the machine, with the debug files in them. */
static int open_by_link(const struct object_source *source,
			const struct regular_root *root, const char *build_id, const char *link, uint32_t crc)
{
	const char *name = strrchr(source->path, '/');
	struct stat st;
	char *path;
	int fd;

	if (!link || !*link || strchr(link, '/') || *source->path != '/')
		return -ENOENT;
	if (asprintf(&path, DEBUG_DIRECTORY "%.*s/%s",
		     (int)(name - source->path), source->path, link) < 0)
		return -ENOMEM;
	fd = check(regular_open(root, path, REGULAR_LINKS, &st), build_id, crc);
	free(path);
	return fd;
}

int debug_file_open_shared(const struct object_source *source, const char *build_id,
			   const char *path)
{
	const struct regular_root root = { source->root, source->any_fs };
	struct stat st;
	int fd = open_by_build_id(&root, build_id);

	if (fd >= 0 || strncmp(path, DEBUG_DIRECTORY "/", sizeof(DEBUG_DIRECTORY)))
		return fd;
	return check(regular_open(&root, path, REGULAR_LINKS, &st), build_id, 0);
}

int debug_file_open(const struct object_source *source, const char *build_id,
		    const char *link, uint32_t crc)
{
	const struct regular_root roots[] = {
		{ source->root, source->any_fs }, { "", source->any_fs },
	};
	int fd = -ENOENT;

	for (size_t i = 0; i < (*source->root ? 2 : 1) && fd < 0; i++) {
		fd = open_by_build_id(&roots[i], build_id);
		if (fd < 0)
			fd = open_by_link(source, &roots[i], build_id, link, crc);
	}
	return fd;
}
