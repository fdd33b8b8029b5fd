/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sockets of netlink that are none, for tests that make up what the module answers: what
 * sets them up does nothing, and messages of answers. To be included by one source of the
 * test. SOCKET_CALL(name) is what a call has to be named there: as it is, or as the linker
 * wants it for --wrap.
 */
#ifndef NO_SOCKET_H
#define NO_SOCKET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "flamemod.h"

int SOCKET_CALL(mnl_socket_bind)(struct mnl_socket *socket, unsigned int groups, pid_t pid);
int SOCKET_CALL(mnl_socket_get_fd)(const struct mnl_socket *socket);
int SOCKET_CALL(mnl_socket_setsockopt)(const struct mnl_socket *socket, int type, void *value,
				       socklen_t size);
int SOCKET_CALL(setsockopt)(int fd, int level, int name, const void *value, socklen_t size);
int SOCKET_CALL(connect)(int fd, const struct sockaddr *address, socklen_t size);

int SOCKET_CALL(mnl_socket_bind)(struct mnl_socket *socket, unsigned int groups, pid_t pid)
{
	(void)socket;
	(void)groups;
	(void)pid;
	return 0;
}

int SOCKET_CALL(mnl_socket_get_fd)(const struct mnl_socket *socket)
{
	(void)socket;
	return -1;
}

int SOCKET_CALL(mnl_socket_setsockopt)(const struct mnl_socket *socket, int type, void *value,
				       socklen_t size)
{
	(void)socket;
	(void)type;
	(void)value;
	(void)size;
	return 0;
}

int SOCKET_CALL(setsockopt)(int fd, int level, int name, const void *value, socklen_t size)
{
	(void)fd;
	(void)level;
	(void)name;
	(void)value;
	(void)size;
	return 0;
}

int SOCKET_CALL(connect)(int fd, const struct sockaddr *address, socklen_t size)
{
	(void)fd;
	(void)address;
	(void)size;
	return 0;
}

/* Put the kernel's answer about an existing family. Return: its size in bytes. */
static inline size_t answer_family(void *buffer, uint16_t id, uint32_t sequence)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	struct genlmsghdr *generic;

	header->nlmsg_type = GENL_ID_CTRL;
	header->nlmsg_seq = sequence;
	generic = mnl_nlmsg_put_extra_header(header, sizeof(*generic));
	generic->cmd = CTRL_CMD_NEWFAMILY;
	mnl_attr_put_u16(header, CTRL_ATTR_FAMILY_ID, id);
	mnl_attr_put_u32(header, CTRL_ATTR_VERSION, FLAMEMOD_GENL_VERSION);
	return header->nlmsg_len;
}

/* Put the end of an answer: an errno, or 0. Return: its size in bytes. */
static inline size_t answer_end(void *buffer, int error, uint32_t sequence)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	struct nlmsgerr *end = mnl_nlmsg_put_extra_header(header, sizeof(*end));

	header->nlmsg_type = NLMSG_ERROR;
	header->nlmsg_seq = sequence;
	end->error = -error;
	return header->nlmsg_len;
}

#endif /* NO_SOCKET_H */
