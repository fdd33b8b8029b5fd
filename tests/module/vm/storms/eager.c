// SPDX-License-Identifier: GPL-2.0
/*
 * Starts sampling, and pauses in a dump for a moment, as soon as a loaded module accepts
 * requests. Repeats this for each load, until killed.
 */
#include <linux/genetlink.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

/* 0 if the family does not exist */
static uint16_t family_of(struct mnl_socket *socket)
{
	char buffer[REQUEST_SIZE], reply[8192];
	struct request request = request_begin(buffer, "family", GENL_ID_CTRL,
					       CTRL_CMD_GETFAMILY, 0);
	const struct nlmsghdr *header = (const void *)reply;
	const struct nlattr *attr;

	request.header->nlmsg_flags = NLM_F_REQUEST;
	mnl_attr_put_strz(request.header, CTRL_ATTR_FAMILY_NAME,
			  FLAMEMOD_GENL_NAME);
	if (write(mnl_socket_get_fd(socket), request.header,
		  request.header->nlmsg_len) < 0 ||
	    mnl_socket_recvfrom(socket, reply, sizeof(reply)) < 0)
		die("ask for the family");
	if (header->nlmsg_type == NLMSG_ERROR)
		return 0;
	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			return mnl_attr_get_u16(attr);
	return 0;
}

static void send_only(struct mnl_socket *socket, uint16_t family, uint8_t command,
		      uint16_t flags)
{
	char buffer[REQUEST_SIZE];
	struct request request = request_begin(buffer, "", family, command,
					       flags);

	if (write(mnl_socket_get_fd(socket), request.header,
		  request.header->nlmsg_len) < 0)
		die("send");
}

int main(void)
{
	struct mnl_socket *asking = socket_open();
	uint16_t family, seen = 0;

	/* Each load is given a family number of its own. */
	for (;; seen = family) {
		struct mnl_socket *socket;

		family = family_of(asking);
		if (!family || family == seen) {
			usleep(200);
			continue;
		}
		socket = socket_open();
		send_only(socket, family, FLAMEMOD_CMD_START, 0);
		send_only(socket, family, FLAMEMOD_CMD_PROFILE, NLM_F_DUMP);
		usleep(50000);
		mnl_socket_close(socket);
	}
}
