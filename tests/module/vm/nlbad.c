// SPDX-License-Identifier: GPL-2.0
/*
 * Sends the module requests that flamectl never sends, and prints the answers.
 *
 *   nlbad bad               requests with something wrong in each
 *   nlbad every             every operation, asked for properly
 *   nlbad opener|sender     every operation, where only the process that opened
 *                           the socket, or only the one that sends, is root
 *   nlbad scan              a dump, whose bytes are searched for addresses
 *   nlbad policy            what the kernel sends of the family's policy, which
 *                           anyone may ask for: each number's type and limits
 *
 * Each request is one line: its name, the errno's name or "done", the text that
 * came with a refusal or "-", and the number of the attribute it points at or
 * "-", with tabs between. For "scan" it is one line: the messages and bytes
 * read, and how many kernel addresses were among them.
 *
 * It writes its messages with libmnl and not with the tool's own code, so that
 * a fault in that code cannot hide one in the module.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

/* A number that no operation and no attribute has. */
#define UNKNOWN		99

static struct request begin_set(char *buffer, const char *name, uint16_t family)
{
	struct request request = request_begin(buffer, name, family, FLAMEMOD_CMD_SET, 0);

	request.settings = mnl_attr_nest_start(request.header,
					       FLAMEMOD_A_SETTINGS);
	return request;
}

static void finish(struct asker *asker, struct request *request)
{
	struct answer answer;

	if (request->settings)
		mnl_attr_nest_end(request->header, request->settings);
	answer = asker_ask(asker, request->header);
	answer_tell(request->name, &answer);
}

/* One setting with a wrong value. */
static void bad_number(struct asker *asker, const char *name, uint16_t attr,
		       size_t size, uint32_t value)
{
	char buffer[REQUEST_SIZE];
	struct request request = begin_set(buffer, name, asker->family);

	mnl_attr_put(request.header, attr, size, &value);
	finish(asker, &request);
}

static void bad_bytes(struct asker *asker, const char *name, uint16_t attr,
		      size_t size, const void *bytes)
{
	char buffer[REQUEST_SIZE];
	struct request request = begin_set(buffer, name, asker->family);

	mnl_attr_put(request.header, attr, size, bytes);
	finish(asker, &request);
}

static void bad_settings(struct asker *asker)
{
	static const uint32_t pids[FLAMEMOD_PIDS_MAX + 1] = { 1, 1 };
	static char list[2048];

	memset(list, '1', sizeof(list) - 1);
	bad_number(asker, "hz-0", FLAMEMOD_A_SETTINGS_HZ, 4, 0);
	bad_number(asker, "hz-1000000", FLAMEMOD_A_SETTINGS_HZ, 4, 1000000);
	bad_number(asker, "hz-short", FLAMEMOD_A_SETTINGS_HZ, 2, 99);
	bad_number(asker, "depth-0", FLAMEMOD_A_SETTINGS_MAX_DEPTH, 4, 0);
	bad_number(asker, "depth-128", FLAMEMOD_A_SETTINGS_MAX_DEPTH, 4, 128);
	bad_number(asker, "exclude-idle-2", FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE, 1, 2);
	bad_number(asker, "kernel-only-2", FLAMEMOD_A_SETTINGS_KERNEL_ONLY, 1, 2);
	bad_number(asker, "unknown-setting", UNKNOWN, 4, 1);
	bad_bytes(asker, "pids-17", FLAMEMOD_A_SETTINGS_PIDS, sizeof(pids), pids);
	bad_bytes(asker, "pids-odd", FLAMEMOD_A_SETTINGS_PIDS, 3, pids);
	bad_number(asker, "pids-0", FLAMEMOD_A_SETTINGS_PIDS, 4, 0);
	bad_bytes(asker, "cpus-words", FLAMEMOD_A_SETTINGS_CPUS, 5, "some");
	bad_bytes(asker, "cpus-backwards", FLAMEMOD_A_SETTINGS_CPUS, 4, "3-0");
	bad_bytes(asker, "cpus-absent", FLAMEMOD_A_SETTINGS_CPUS, 8, "9999999");
	bad_bytes(asker, "cpus-open-ended", FLAMEMOD_A_SETTINGS_CPUS, 3, "0-3");
	bad_bytes(asker, "cpus-long", FLAMEMOD_A_SETTINGS_CPUS, sizeof(list), list);
}

static void bad_all_or_nothing(struct asker *asker)
{
	char buffer[REQUEST_SIZE];
	struct request request = begin_set(buffer, "good-then-bad", asker->family);

	mnl_attr_put_u32(request.header, FLAMEMOD_A_SETTINGS_MAX_DEPTH, 5);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SETTINGS_HZ, 0);
	finish(asker, &request);

	request = begin_set(buffer, "good-then-no-cpus", asker->family);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SETTINGS_MAX_DEPTH, 5);
	mnl_attr_put_strz(request.header, FLAMEMOD_A_SETTINGS_CPUS, "some");
	finish(asker, &request);
}

static void bad_messages(struct asker *asker)
{
	char buffer[REQUEST_SIZE];
	struct request request;
	uint16_t family = asker->family;

	request = request_begin(buffer, "unknown-command", family, UNKNOWN, 0);
	finish(asker, &request);

	request = request_begin(buffer, "session-1", family, FLAMEMOD_CMD_STATUS, 0);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SESSION, 1);
	finish(asker, &request);

	request = request_begin(buffer, "session-1-dump", family, FLAMEMOD_CMD_PROFILE,
			NLM_F_DUMP);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SESSION, 1);
	finish(asker, &request);

	request = request_begin(buffer, "unknown-attribute", family, FLAMEMOD_CMD_STOP, 0);
	mnl_attr_put_u32(request.header, UNKNOWN, 1);
	finish(asker, &request);

	request = request_begin(buffer, "unknown-attribute-dump", family,
			FLAMEMOD_CMD_PROFILE, NLM_F_DUMP);
	mnl_attr_put_u32(request.header, UNKNOWN, 1);
	finish(asker, &request);

	request = request_begin(buffer, "settings-in-stop", family, FLAMEMOD_CMD_STOP, 0);
	request.settings = mnl_attr_nest_start(request.header,
					       FLAMEMOD_A_SETTINGS);
	finish(asker, &request);

	request = request_begin(buffer, "reset-in-status", family, FLAMEMOD_CMD_STATUS, 0);
	mnl_attr_put(request.header, FLAMEMOD_A_RESET, 0, NULL);
	finish(asker, &request);

	request = request_begin(buffer, "reset-with-a-value", family, FLAMEMOD_CMD_PROFILE,
			NLM_F_DUMP);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_RESET, 1);
	finish(asker, &request);

	request = request_begin(buffer, "set-nothing", family, FLAMEMOD_CMD_SET, 0);
	finish(asker, &request);

	request = request_begin(buffer, "settings-not-nested", family, FLAMEMOD_CMD_SET, 0);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SETTINGS, 1);
	finish(asker, &request);

	request = request_begin(buffer, "dump-without-the-flag", family,
			FLAMEMOD_CMD_PROFILE, 0);
	finish(asker, &request);

	request = request_begin(buffer, "set-with-the-flag", family, FLAMEMOD_CMD_SET,
			NLM_F_DUMP);
	finish(asker, &request);
}

/* Messages with wrong lengths. */
static void bad_lengths(struct asker *asker)
{
	char buffer[REQUEST_SIZE];
	struct request request;
	struct nlattr *attr;
	uint16_t family = asker->family;

	request = request_begin(buffer, "no-header", family, FLAMEMOD_CMD_STATUS, 0);
	request.header->nlmsg_len -= sizeof(struct genlmsghdr);
	finish(asker, &request);

	request = request_begin(buffer, "trailing-bytes", family, FLAMEMOD_CMD_RESET, 0);
	request.header->nlmsg_len += 3;
	finish(asker, &request);

	request = request_begin(buffer, "attribute-too-long", family, FLAMEMOD_CMD_SET, 0);
	attr = mnl_nlmsg_get_payload_tail(request.header);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SESSION, 0);
	attr->nla_len = 4000;
	finish(asker, &request);

	request = request_begin(buffer, "attribute-too-short", family, FLAMEMOD_CMD_SET, 0);
	attr = mnl_nlmsg_get_payload_tail(request.header);
	mnl_attr_put_u32(request.header, FLAMEMOD_A_SESSION, 0);
	attr->nla_len = 1;
	finish(asker, &request);
}

static void every(struct asker *asker)
{
	static const struct {
		const char *name;
		uint8_t command;
		uint16_t flags;
		bool settings;
	} operations[] = {
		{ "status", FLAMEMOD_CMD_STATUS, 0, false },
		{ "status-dump", FLAMEMOD_CMD_STATUS, NLM_F_DUMP, false },
		{ "dump", FLAMEMOD_CMD_PROFILE, NLM_F_DUMP, false },
		{ "reset", FLAMEMOD_CMD_RESET, 0, false },
		{ "stop", FLAMEMOD_CMD_STOP, 0, false },
		{ "set", FLAMEMOD_CMD_SET, 0, true },
		{ "start", FLAMEMOD_CMD_START, 0, false },
		{ "follow", FLAMEMOD_CMD_FOLLOW, 0, false },
		{ "attach", FLAMEMOD_CMD_ATTACH, 0, false },
		{ "detach", FLAMEMOD_CMD_DETACH, 0, false },
	};
	char buffer[REQUEST_SIZE];
	struct request request;
	size_t i;

	for (i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		request = request_begin(buffer, operations[i].name, asker->family,
				operations[i].command, operations[i].flags);
		if (operations[i].settings) {
			request.settings = mnl_attr_nest_start(request.header,
							       FLAMEMOD_A_SETTINGS);
			mnl_attr_put_u32(request.header,
					 FLAMEMOD_A_SETTINGS_MAX_DEPTH, 64);
		}
		finish(asker, &request);
	}
}

static int scan(struct asker *asker)
{
	char buffer[REQUEST_SIZE];
	struct request request = request_begin(buffer, "scan", asker->family,
				       FLAMEMOD_CMD_PROFILE, NLM_F_DUMP);
	struct answer answer = asker_ask(asker, request.header);

	if (answer.error) {
		answer_tell("scan", &answer);
		return 1;
	}
	printf("messages %zu bytes %zu addresses %zu\n", answer.messages,
	       answer.bytes, answer.addresses);
	return 0;
}

static const char *number_type(uint32_t type)
{
	switch (type) {
	case NL_ATTR_TYPE_U8:
		return "u8";
	case NL_ATTR_TYPE_U16:
		return "u16";
	case NL_ATTR_TYPE_U32:
		return "u32";
	case NL_ATTR_TYPE_U64:
		return "u64";
	default:
		return "other";
	}
}

/* One attribute's policy: "u32 1..20000". */
static void tell_policy(const struct nlattr *nest)
{
	const struct nlattr *attr;
	uint64_t min = 0, max = 0;
	uint32_t type = 0;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == NL_POLICY_TYPE_ATTR_TYPE)
			type = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == NL_POLICY_TYPE_ATTR_MIN_VALUE_U)
			min = mnl_attr_get_u64(attr);
		if (mnl_attr_get_type(attr) == NL_POLICY_TYPE_ATTR_MAX_VALUE_U)
			max = mnl_attr_get_u64(attr);
	}
	printf("%s %ju..%ju\n", number_type(type), (uintmax_t)min, (uintmax_t)max);
}

static int take_policy(const struct nlmsghdr *reply, void *data)
{
	const struct nlattr *attr, *policy, *member;

	(void)data;
	mnl_attr_for_each(attr, reply, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != CTRL_ATTR_POLICY)
			continue;
		mnl_attr_for_each_nested(policy, attr)
			mnl_attr_for_each_nested(member, policy)
				tell_policy(member);
	}
	return MNL_CB_OK;
}

static void policy(struct asker *asker)
{
	char buffer[REQUEST_SIZE];
	struct request request = request_begin(buffer, "policy", GENL_ID_CTRL,
				       CTRL_CMD_GETPOLICY, NLM_F_DUMP);

	mnl_attr_put_u16(request.header, CTRL_ATTR_FAMILY_ID, asker->family);
	asker_run(asker, request.header, take_policy, NULL);
}

int main(int argc, char **argv)
{
	struct asker asker;
	int status = 0;
	const char *what = argc == 2 ? argv[1] : "";

	asker_init(&asker, strcmp(what, "sender") ? socket_open() :
						    socket_of_nobody());
	if (!strcmp(what, "bad")) {
		bad_messages(&asker);
		bad_settings(&asker);
		bad_all_or_nothing(&asker);
		bad_lengths(&asker);
	} else if (!strcmp(what, "every") || !strcmp(what, "sender")) {
		every(&asker);
	} else if (!strcmp(what, "opener")) {
		nobody_become();
		every(&asker);
	} else if (!strcmp(what, "policy")) {
		policy(&asker);
	} else if (!strcmp(what, "scan")) {
		status = scan(&asker);
	} else {
		status = 2;
		fprintf(stderr, "usage: nlbad bad|every|opener|sender|scan|policy\n");
	}
	asker_deinit(&asker);
	return status;
}
