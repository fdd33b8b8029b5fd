// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's messages other than replies: acknowledgements, refusals, ends of dumps,
 * and messages that claim to be longer than they are.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "cmd/command.h"
#include "wire/nl.h"
#include "wire/nl_private.h"

#define MESSAGE_BYTES	4096

/* A message under construction. */
struct message {
	struct nlmsghdr *header;
	char bytes[MESSAGE_BYTES];
};

static void message_begin(struct message *m)
{
	memset(m->bytes, 0, sizeof(m->bytes));
	m->header = mnl_nlmsg_put_header(m->bytes);
}

/* A request to set hz, and the kernel's answer to it. */
struct refusal {
	struct message request, answer;
	uint32_t hz_offset;
};

static void put_request(struct refusal *r)
{
	struct genlmsghdr *generic;
	struct nlattr *nest;

	message_begin(&r->request);
	generic = mnl_nlmsg_put_extra_header(r->request.header,
					     sizeof(*generic));
	generic->cmd = FLAMEMOD_CMD_SET;
	mnl_attr_put_u32(r->request.header, FLAMEMOD_A_SESSION, 0);
	nest = mnl_attr_nest_start(r->request.header, FLAMEMOD_A_SETTINGS);
	mnl_attr_put_u32(r->request.header, FLAMEMOD_A_SETTINGS_MAX_DEPTH, 5);
	r->hz_offset = r->request.header->nlmsg_len;
	mnl_attr_put_u32(r->request.header, FLAMEMOD_A_SETTINGS_HZ, 5);
	mnl_attr_nest_end(r->request.header, nest);
}

/* @capped: without the request in between */
static void put_answer(struct refusal *r, int code, bool capped,
		       const char *text)
{
	struct nlmsghdr *request = r->request.header, *answer;
	struct nlmsgerr *error;
	size_t size = capped ? sizeof(*request) : request->nlmsg_len;

	message_begin(&r->answer);
	answer = r->answer.header;
	answer->nlmsg_flags = NLM_F_ACK_TLVS | (capped ? NLM_F_CAPPED : 0);
	error = mnl_nlmsg_put_extra_header(answer, sizeof(error->error) + size);
	error->error = code;
	memcpy(&error->msg, request, size);
	if (text)
		mnl_attr_put_strz(answer, NLMSGERR_ATTR_MSG, text);
}

static void expect_refusal(struct refusal *r, int code, const char *text)
{
	struct error error;

	assert_int_equal(nl_read_error(r->request.header, r->answer.header,
				       &error), code);
	assert_string_equal(error.text, text);
}

static void refusals_are_in_the_kernels_words(void **state)
{
	struct refusal r;
	struct error error;
	struct nlattr *nest;
	int capped;

	(void)state;
	put_request(&r);
	for (capped = 0; capped < 2; capped++) {
		put_answer(&r, 0, capped, NULL);
		assert_int_equal(nl_read_error(r.request.header,
					       r.answer.header, &error), 0);
		put_answer(&r, -EBUSY, capped, "already sampling");
		expect_refusal(&r, -EBUSY, "already sampling");
		put_answer(&r, -EBUSY, capped, NULL);
		expect_refusal(&r, -EBUSY, "Device or resource busy");
		put_answer(&r, -ERANGE, capped, "out of range");
		mnl_attr_put_u32(r.answer.header, NLMSGERR_ATTR_OFFS,
				 r.hz_offset);
		expect_refusal(&r, -ERANGE, "hz: out of range");
		nest = mnl_attr_nest_start(r.answer.header,
					   NLMSGERR_ATTR_POLICY);
		mnl_attr_put_u64(r.answer.header,
				 NL_POLICY_TYPE_ATTR_MIN_VALUE_U, 1);
		mnl_attr_put_u64(r.answer.header,
				 NL_POLICY_TYPE_ATTR_MAX_VALUE_U, 20000);
		mnl_attr_nest_end(r.answer.header, nest);
		expect_refusal(&r, -ERANGE,
			       "hz: out of range (from 1 to 20000)");
		put_answer(&r, -EBUSY, capped, "hz: samples are held");
		mnl_attr_put_u32(r.answer.header, NLMSGERR_ATTR_OFFS,
				 r.hz_offset);
		expect_refusal(&r, -EBUSY, "hz: samples are held");
	}
	put_answer(&r, -EPERM, true, "needs CAP_PERFMON");
	expect_refusal(&r, -EPERM,
		       "not permitted: needs CAP_PERFMON: run it as root");
	put_answer(&r, -EPERM, true, "locked down");
	expect_refusal(&r, -EPERM, "not permitted: locked down");
	put_answer(&r, -EINVAL, true, "Unknown attribute type");
	mnl_attr_put_u32(r.answer.header, NLMSGERR_ATTR_OFFS, r.hz_offset);
	expect_refusal(&r, -EPROTONOSUPPORT,
		       "the loaded module is older than this flamectl and does not know hz: reload it (rmmod flamemod, then modprobe or insmod of this build)");
	put_answer(&r, -ENOENT, true, NULL);
	expect_refusal(&r, -ENODEV,
		       "the module was unloaded: insmod flamemod.ko, or modprobe flamemod");
}

/* A positive error would be taken for success by code that only checks for negative ones. */
static void errors_that_no_kernel_has_are_refused(void **state)
{
	static const int codes[] = { 1, INT_MAX, -4096, INT_MIN };
	struct error error;
	struct refusal r;
	struct nlmsgerr *ack;
	int *end;
	size_t i;

	(void)state;
	put_request(&r);
	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		put_answer(&r, codes[i], true, NULL);
		assert_int_equal(nl_read_error(r.request.header,
					       r.answer.header, &error),
				 -EBADMSG);
	}
	message_begin(&r.answer);
	end = mnl_nlmsg_put_extra_header(r.answer.header, sizeof(*end));
	*end = INT_MIN;
	assert_int_equal(nl_read_done(r.request.header, r.answer.header,
				      &error), -EBADMSG);
	/* it claims to contain a request of 4 GiB */
	put_answer(&r, -EBUSY, false, "in between");
	ack = mnl_nlmsg_get_payload(r.answer.header);
	ack->msg.nlmsg_len = UINT32_MAX;
	expect_refusal(&r, -EBUSY, "Device or resource busy");
}

static void no_cut_or_changed_refusal_does_harm(void **state)
{
	struct nlmsghdr *copy;
	struct error error;
	struct refusal r;
	uint32_t size, i;

	(void)state;
	put_request(&r);
	put_answer(&r, -ERANGE, false, "out of range");
	mnl_attr_put_u32(r.answer.header, NLMSGERR_ATTR_OFFS, r.hz_offset);
	for (size = sizeof(*copy); size < r.answer.header->nlmsg_len; size++) {
		copy = malloc(size);
		memcpy(copy, r.answer.header, size);
		copy->nlmsg_len = size;
		assert_true(nl_read_error(r.request.header, copy, &error) < 0);
		nl_read_done(r.request.header, copy, &error);
		free(copy);
	}
	for (i = sizeof(*copy) * 8; i < r.answer.header->nlmsg_len * 8; i++) {
		r.answer.bytes[i / 8] ^= (char)(1 << i % 8);
		nl_read_error(r.request.header, r.answer.header, &error);
		nl_read_done(r.request.header, r.answer.header, &error);
		r.answer.bytes[i / 8] ^= (char)(1 << i % 8);
	}
}

static void messages_must_be_complete(void **state)
{
	uint32_t *bytes = calloc(5, sizeof(*bytes));
	struct nl_messages messages;
	struct nlmsghdr *header = (struct nlmsghdr *)bytes;
	static const struct { uint32_t length; bool whole; } cases[] = {
		{ 0, false }, { 15, false }, { 16, true }, { 20, true },
		{ 21, false }, { INT_MAX, false }, { 1U << 31, false },
		{ UINT32_MAX, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		header->nlmsg_len = cases[i].length;
		messages = (struct nl_messages){ (const char *)bytes, 20 };
		assert_int_equal(nl_messages_next(&messages) != NULL,
				 cases[i].whole);
		assert_true(messages.left <= 20);
		/* the rest is too short for a message */
		if (cases[i].whole)
			assert_null(nl_messages_next(&messages));
	}
	free(bytes);
}

static void errors_that_root_or_insmod_can_fix_exit_3(void **state)
{
	(void)state;
	assert_int_equal(exit_code_of(-ENODEV), EXIT_NO_MODULE);
	assert_int_equal(exit_code_of(-EPERM), EXIT_NO_MODULE);
	assert_int_equal(exit_code_of(-EPROTONOSUPPORT), EXIT_NO_MODULE);
	assert_int_equal(exit_code_of(-EBUSY), EXIT_FAILED);
	assert_int_equal(exit_code_of(-EBADMSG), EXIT_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_are_in_the_kernels_words),
		cmocka_unit_test(errors_that_no_kernel_has_are_refused),
		cmocka_unit_test(no_cut_or_changed_refusal_does_harm),
		cmocka_unit_test(messages_must_be_complete),
		cmocka_unit_test(errors_that_root_or_insmod_can_fix_exit_3),
	};

	return cmocka_run_group_tests_name("nl_refusal", tests, NULL, NULL);
}
