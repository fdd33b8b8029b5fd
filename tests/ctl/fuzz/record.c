// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps the datagrams that a program receives by recvmsg(), libmnl's way, as
 * an input of the fuzzer "wire": for LD_PRELOAD, see tests/ctl/fuzz/record.sh.
 * RECORD names the file, which must already contain the byte of flags.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void keep(const struct iovec *part, size_t size)
{
	uint8_t length[2] = { (uint8_t)size, (uint8_t)(size >> 8) };
	const char *path = getenv("RECORD");
	int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;

	if (fd < 0 || size > UINT16_MAX || size > part->iov_len ||
	    write(fd, length, sizeof(length)) != sizeof(length) ||
	    write(fd, part->iov_base, size) != (ssize_t)size)
		abort();
	close(fd);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	ssize_t (*real)(int fd, struct msghdr *message, int flags) =
		dlsym(RTLD_NEXT, "recvmsg");
	ssize_t size = real(fd, message, flags);

	if (size > 0)
		keep(message->msg_iov, (size_t)size);
	return size;
}
