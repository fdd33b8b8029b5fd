// SPDX-License-Identifier: GPL-2.0
/*
 * Sends requests to the module: see nlask.h.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

#define NOBODY		65534

void die(const char *what)
{
	fprintf(stderr, "nlbad: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static void attr_remember(struct answer *answer, const struct nlmsghdr *request,
			  uint32_t offset)
{
	const struct nlattr *attr;

	if (offset + sizeof(*attr) > request->nlmsg_len)
		return;
	attr = (const void *)((const char *)request + offset);
	answer->attr = mnl_attr_get_type(attr);
}

static void take_refusal(struct answer *answer, const struct nlmsghdr *reply,
			 const struct nlmsghdr *request, size_t skip)
{
	const struct nlattr *attr;

	if (!(reply->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	mnl_attr_for_each(attr, reply, skip) {
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			snprintf(answer->text, sizeof(answer->text), "%s",
				 mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_OFFS)
			attr_remember(answer, request, mnl_attr_get_u32(attr));
	}
}

/* Check eight bytes at any offset for the value of a kernel address. */
static size_t count_addresses(const char *bytes, size_t len)
{
	size_t i, count = 0;

	for (i = 0; i + sizeof(uint64_t) <= len; i++) {
		uint64_t value;

		memcpy(&value, bytes + i, sizeof(value));
		/* all or nearly all ones is a mask or -1, not an address */
		if (value >= 0xffff800000000000 && value < 0xffffffffff600000)
			count++;
	}
	return count;
}

/* Take a message. Return: true if it is the last of its reply. */
static bool take_message(struct answer *answer, const struct nlmsghdr *reply,
			 const struct nlmsghdr *request)
{
	const struct nlmsgerr *error;
	size_t skip;

	answer->messages++;
	answer->bytes += reply->nlmsg_len;
	if (reply->nlmsg_type == NLMSG_DONE) {
		answer->error = -*(int *)mnl_nlmsg_get_payload(reply);
		take_refusal(answer, reply, request, sizeof(int));
		return true;
	}
	if (reply->nlmsg_type != NLMSG_ERROR) {
		answer->addresses += count_addresses((const char *)reply,
						     reply->nlmsg_len);
		return false;
	}
	error = mnl_nlmsg_get_payload(reply);
	answer->error = -error->error;
	skip = sizeof(*error);
	if (!(reply->nlmsg_flags & NLM_F_CAPPED))
		skip += MNL_ALIGN(error->msg.nlmsg_len - sizeof(error->msg));
	take_refusal(answer, reply, request, skip);
	return true;
}

static void receive(struct asker *asker, const struct nlmsghdr *request,
		    struct answer *answer)
{
	const struct nlmsghdr *reply;
	ssize_t got;
	int left;

	for (;;) {
		got = mnl_socket_recvfrom(asker->socket, asker->reply,
					  asker->reply_size);
		if (got < 0)
			die("receive");
		reply = (const void *)asker->reply;
		left = (int)got;
		while (mnl_nlmsg_ok(reply, left)) {
			if (reply->nlmsg_seq == request->nlmsg_seq &&
			    take_message(answer, reply, request))
				return;
			reply = mnl_nlmsg_next(reply, &left);
		}
	}
}

void asker_send(struct asker *asker, struct nlmsghdr *header)
{
	header->nlmsg_seq = ++asker->seq;
	/*
	 * Not sendto(): if the sender names the destination, the kernel does
	 * not check who opened the socket.
	 */
	if (write(mnl_socket_get_fd(asker->socket), header,
		  header->nlmsg_len) < 0)
		die("send");
}

struct answer asker_ask(struct asker *asker, struct nlmsghdr *header)
{
	struct answer answer = { 0 };

	asker_send(asker, header);
	receive(asker, header, &answer);
	return answer;
}

void asker_run(struct asker *asker, struct nlmsghdr *header, mnl_cb_t take,
	       void *data)
{
	ssize_t got;
	int more;

	/* the end of a dump, or the acknowledgement, ends it */
	asker_send(asker, header);
	do {
		got = mnl_socket_recvfrom(asker->socket, asker->reply,
					  asker->reply_size);
		if (got < 0)
			die("receive");
		more = mnl_cb_run(asker->reply, (size_t)got, asker->seq, 0,
				  take, data);
		if (more < 0)
			die("find or read the family: is the module loaded?");
	} while (more > 0);
}

void answer_tell(const char *name, const struct answer *answer)
{
	const char *code = answer->error ? strerrorname_np(answer->error) : "done";
	char attr[16] = "-";

	if (answer->attr)
		snprintf(attr, sizeof(attr), "%d", answer->attr);
	printf("%s\t%s\t%s\t%s\n", name, code ? code : "?",
	       *answer->text ? answer->text : "-", attr);
}

struct request request_begin(char *buffer, const char *name, uint16_t family,
			     uint8_t command, uint16_t flags)
{
	struct genlmsghdr *genl;
	struct request request = { .name = name };

	memset(buffer, 0, REQUEST_SIZE);
	request.header = mnl_nlmsg_put_header(buffer);
	request.header->nlmsg_type = family;
	request.header->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	genl = mnl_nlmsg_put_extra_header(request.header, sizeof(*genl));
	genl->cmd = command;
	genl->version = FLAMEMOD_GENL_VERSION;
	return request;
}

void asker_must(struct asker *asker, const struct request *request)
{
	struct answer answer = asker_ask(asker, request->header);

	if (!answer.error)
		return;
	answer_tell(request->name, &answer);
	exit(1);
}

void asker_detach(struct asker *asker)
{
	static char buffer[REQUEST_SIZE];
	struct request request;

	request = request_begin(buffer, "detach", asker->family, FLAMEMOD_CMD_DETACH, 0);
	asker_must(asker, &request);
}

struct mnl_socket *socket_open(void)
{
	struct mnl_socket *socket = mnl_socket_open(NETLINK_GENERIC);

	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID))
		die("open a netlink socket");
	return socket;
}

static int take_family(const struct nlattr *attr, void *data)
{
	if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
		*(uint16_t *)data = mnl_attr_get_u16(attr);
	return MNL_CB_OK;
}

static int take_family_message(const struct nlmsghdr *reply, void *data)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), take_family,
			      data);
}

static void find_family(struct asker *asker)
{
	char buffer[REQUEST_SIZE];
	struct request request = request_begin(buffer, "family", GENL_ID_CTRL,
					       CTRL_CMD_GETFAMILY, 0);

	mnl_attr_put_strz(request.header, CTRL_ATTR_FAMILY_NAME,
			  FLAMEMOD_GENL_NAME);
	asker_run(asker, request.header, take_family_message, &asker->family);
}

void asker_init(struct asker *asker, struct mnl_socket *socket)
{
	int one = 1;

	memset(asker, 0, sizeof(*asker));
	asker->seq = (uint32_t)time(NULL);
	asker->reply_size = 1 << 17;
	asker->reply = malloc(asker->reply_size);
	if (!asker->reply)
		die("allocate");
	asker->socket = socket;
	if (mnl_socket_setsockopt(socket, NETLINK_EXT_ACK, &one, sizeof(one)))
		die("ask for explanations");
	find_family(asker);
}

void asker_deinit(struct asker *asker)
{
	mnl_socket_close(asker->socket);
	free(asker->reply);
}

void nobody_become(void)
{
	if (setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		die("become nobody");
}

/* Get a socket that a process without rights has opened. */
struct mnl_socket *socket_of_nobody(void)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg;
	int pair[2], fd;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die("make a socket pair");
	if (!fork()) {
		nobody_become();
		fd = mnl_socket_get_fd(socket_open());
		cmsg = CMSG_FIRSTHDR(&message);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
		if (sendmsg(pair[1], &message, 0) < 0)
			die("pass a socket");
		_exit(0);
	}
	if (recvmsg(pair[0], &message, 0) < 0)
		die("be passed a socket");
	wait(NULL);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return mnl_socket_fdopen(fd);
}
