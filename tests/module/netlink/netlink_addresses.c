// SPDX-License-Identifier: GPL-2.0
/*
 * Looks for kernel addresses: see netlink_addresses.h.
 */
#include <ctype.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "netlink_addresses.h"
#include "netlink_attrs.h"
#include "netlink_protocol.h"

/* Find "ffff" and twelve more hexadecimal digits: an address in a text. */
static size_t count_in_text(const char *at, size_t len)
{
	size_t i, run = 0, count = 0;

	for (i = 0; i < len; i++) {
		run = isxdigit((unsigned char)at[i]) ? run + 1 : 0;
		if (run >= 16 && !strncasecmp(at + i - 15, "ffff", 4))
			count++;
	}
	return count;
}

/*
 * The header of an attribute of 64 bits, and half of what it holds: of a time in
 * ns that half is as large as an address's every 4 seconds, for 33 us. Or that of
 * an attribute of 32 bits, and all that it holds, which is below 0.
 */
static bool is_header(uint64_t value)
{
	struct nlattr header;

	memcpy(&header, &value, sizeof(header));
	return (header.nla_len == NLA_HDRLEN + sizeof(uint64_t) ||
		header.nla_len == NLA_HDRLEN + sizeof(uint32_t)) &&
	       header.nla_type < 32;
}

/*
 * The kernel names the limits of an attribute that a message broke. The upper limit of one
 * of 64 bits is all ones. Read from the last bytes of its header on, that looks like an
 * address. Return: whether the bytes from @i on lie across such a header and its limit.
 */
static bool is_across_limit(const char *at, size_t len, size_t i)
{
	size_t first = (i + NLA_ALIGNTO - 1) / NLA_ALIGNTO * NLA_ALIGNTO;
	struct nlattr header;
	uint64_t limit;

	if (first == i || first < sizeof(header) || first + sizeof(limit) > len)
		return false;
	memcpy(&header, at + first - sizeof(header), sizeof(header));
	memcpy(&limit, at + first, sizeof(limit));
	return header.nla_len == sizeof(header) + sizeof(limit) && limit == UINT64_MAX;
}

/* The text of the kernel and of modules. Above it are all ones, and what is almost that. */
static bool is_text(uint64_t value)
{
	return value >= 0xffffffff80000000 && value < 0xffffffffff600000;
}

bool is_address(uint64_t value)
{
	return is_text(value) || (value >= 0xffff800000000000 && value < 0xffffffff00000000);
}

/*
 * The kernel's and modules' text is looked for anywhere. Other kernel addresses are looked
 * for where a variable would lie.
 */
static size_t count(const char *at, size_t len)
{
	size_t i, nr = count_in_text(at, len);
	uint64_t value;

	for (i = 0; i + sizeof(value) <= len; i++) {
		memcpy(&value, at + i, sizeof(value));
		if (!is_address(value))
			continue;
		nr += is_text(value) ? !is_across_limit(at, len, i) :
				       i % 4 == 0 && !is_header(value);
	}
	return nr;
}

/* Replace the columns among attributes by zeros. */
static void blank_columns(const struct attr_set *set, char *bytes, size_t len)
{
	while (len >= NLA_HDRLEN) {
		struct nlattr *attr = (void *)bytes;
		const struct attr_rule *rule = rule_find(set, type(attr));

		if (attr->nla_len < NLA_HDRLEN || (size_t)NLA_ALIGN(attr->nla_len) > len)
			return;
		if (rule && rule->kind == KIND_NEST)
			blank_columns(set_at(rule->nested), bytes + NLA_HDRLEN,
				      attr->nla_len - NLA_HDRLEN);
		else if (rule && rule->kind == KIND_BINARY && rule->elem_bytes == 1)
			memset(bytes + NLA_HDRLEN, 0, attr->nla_len - NLA_HDRLEN);
		bytes += NLA_ALIGN(attr->nla_len);
		len -= NLA_ALIGN(attr->nla_len);
	}
}

size_t addresses_count(const struct nlmsghdr *message)
{
	size_t skip = NLMSG_HDRLEN, nr;
	char *copy;

	if (message->nlmsg_type == NLMSG_ERROR)
		skip += sizeof(struct nlmsgerr);
	else if (message->nlmsg_type == NLMSG_DONE)
		skip += sizeof(int);
	else
		skip += GENL_HDRLEN;
	if (message->nlmsg_len <= skip)
		return 0;
	copy = malloc(message->nlmsg_len - skip);
	if (!copy)
		abort();
	memcpy(copy, (const char *)message + skip, message->nlmsg_len - skip);
	if (message->nlmsg_type >= NLMSG_MIN_TYPE)
		blank_columns(set_at(TOP_SET), copy, message->nlmsg_len - skip);
	nr = count(copy, message->nlmsg_len - skip);
	free(copy);
	return nr;
}
