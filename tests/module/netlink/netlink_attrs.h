/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attributes of netlink messages that have already been checked with the tables.
 */
#ifndef NETLINK_ATTRS_H
#define NETLINK_ATTRS_H

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The attributes of a nest by number, the first of those that repeat. */
struct members {
	const struct nlattr *attrs[32];
	uint32_t repeated;	/* how often the repeated attribute occurs */
};

#define for_each_attr(attr, begin, len)							\
	for (const struct nlattr *attr = (begin), *end_ = (const void *)((const char *)(begin) + (len)); \
	     attr < end_; attr = (const void *)((const char *)attr + NLA_ALIGN(attr->nla_len)))

static inline const void *data(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static inline size_t bytes(const struct nlattr *attr)
{
	return attr ? attr->nla_len - NLA_HDRLEN : 0;
}

static inline uint16_t type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static inline uint64_t number(const struct nlattr *attr)
{
	uint64_t value = 0;

	if (attr)
		memcpy(&value, data(attr), bytes(attr));
	return value;
}

/* With a sign, of 4 bytes or 8. */
static inline int64_t signed_number(const struct nlattr *attr)
{
	uint64_t value = number(attr);

	return bytes(attr) == 4 ? (int32_t)value : (int64_t)value;
}

/* The attributes of a nest, of which those with the number @repeats are counted. */
static inline struct members members_of(const struct nlattr *nest, uint16_t repeats)
{
	struct members members = { .repeated = 0 };

	for_each_attr(attr, data(nest), bytes(nest)) {
		members.repeated += type(attr) == repeats;
		if (!members.attrs[type(attr)])
			members.attrs[type(attr)] = attr;
	}
	return members;
}

#endif /* NETLINK_ATTRS_H */
