// SPDX-License-Identifier: GPL-2.0
/*
 * Copy the vDSO out of this process: see vdso.h.
 */
#include "symbols/vdso.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* More than any has; today they have 4 to 8 KiB. */
#define VDSO_MAX	(1U << 20)

int vdso_open(void)
{
	uintptr_t at = getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const void *)at;
	size_t size;
	int fd;

	if (!at)
		return -ENOENT;
	/* its section headers are its end */
	size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	if (size < sizeof(*header) || size > VDSO_MAX)
		return -ENOENT;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, header, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -EIO;
}
