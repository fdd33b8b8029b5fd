// SPDX-License-Identifier: GPL-2.0
/*
 * Read messages and attributes, with every size checked.
 */
#include <errno.h>
#include <string.h>

#include "wire/nl_private.h"

const struct nlmsghdr *nl_messages_next(struct nl_messages *messages)
{
	const struct nlmsghdr *next = (const struct nlmsghdr *)messages->at;
	size_t step;

	if (messages->left < sizeof(*next) ||
	    next->nlmsg_len < sizeof(*next) ||
	    next->nlmsg_len > messages->left)
		return NULL;
	step = MNL_ALIGN((size_t)next->nlmsg_len);
	if (step > messages->left)
		step = messages->left;
	messages->at += step;
	messages->left -= step;
	return next;
}

int nl_attrs_next(struct nl_attrs *attrs, const struct nlattr **attr,
		  struct error *error)
{
	const struct nlattr *next = (const struct nlattr *)attrs->at;
	size_t step;

	*attr = NULL;
	if (!attrs->left)
		return 0;
	if (attrs->left < sizeof(*next) || next->nla_len < sizeof(*next) ||
	    next->nla_len > attrs->left)
		return error_set(error, -EBADMSG,
				 "an attribute extends beyond its message");
	/* the padding of the last attribute may be missing */
	step = MNL_ALIGN(next->nla_len);
	if (step > attrs->left)
		step = attrs->left;
	attrs->at += step;
	attrs->left -= step;
	*attr = next;
	return 0;
}

struct nl_attrs nl_attrs_of(const struct nlattr *nest)
{
	return (struct nl_attrs){
		.at = mnl_attr_get_payload(nest),
		.left = mnl_attr_get_payload_len(nest),
	};
}

int nl_attrs_table(const struct nlattr *nest, const struct nlattr **table,
		   unsigned int max, struct error *error)
{
	struct nl_attrs attrs = nl_attrs_of(nest);
	const struct nlattr *attr;
	int err;

	memset(table, 0, (max + 1) * sizeof(*table));
	while (!(err = nl_attrs_next(&attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) <= max)
			table[mnl_attr_get_type(attr)] = attr;
	return err;
}

int nl_attr_bad_size(const struct nlattr *attr, const char *what,
		     struct error *error)
{
	return error_set(error, -EBADMSG, "%s has a size of %u bytes", what,
			 mnl_attr_get_payload_len(attr));
}

/* Copy the payload if its size is @size; leave @value if there is no attribute. */
static int read_exactly(const struct nlattr *attr, const char *what, void *value,
			size_t size, struct error *error)
{
	if (!attr)
		return 0;
	if (mnl_attr_get_payload_len(attr) != size)
		return nl_attr_bad_size(attr, what, error);
	memcpy(value, mnl_attr_get_payload(attr), size);
	return 0;
}

int nl_attr_u8(const struct nlattr *attr, const char *what, uint8_t *value,
	       struct error *error)
{
	return read_exactly(attr, what, value, sizeof(*value), error);
}

int nl_attr_u32(const struct nlattr *attr, const char *what, uint32_t *value,
		struct error *error)
{
	return read_exactly(attr, what, value, sizeof(*value), error);
}

/* Read 4 or 8 bytes, at an address that is only aligned to 4. */
int nl_attr_uint(const struct nlattr *attr, const char *what, uint64_t *value,
		 struct error *error)
{
	uint32_t narrow = 0;
	int err;

	if (!attr)
		return 0;
	if (mnl_attr_get_payload_len(attr) == sizeof(*value)) {
		memcpy(value, mnl_attr_get_payload(attr), sizeof(*value));
		return 0;
	}
	err = nl_attr_u32(attr, what, &narrow, error);
	if (!err)
		*value = narrow;
	return err;
}

int nl_attr_sint(const struct nlattr *attr, const char *what, int64_t *value,
		 struct error *error)
{
	uint64_t wide = 0;
	int err;

	if (!attr)
		return 0;
	err = nl_attr_uint(attr, what, &wide, error);
	if (err)
		return err;
	*value = mnl_attr_get_payload_len(attr) == sizeof(*value) ?
		 (int64_t)wide : (int32_t)wide;
	return 0;
}

int nl_attr_string(const struct nlattr *attr, const char *what, char *text,
		   size_t size, struct error *error)
{
	const char *from;
	size_t length;

	if (!attr)
		return 0;
	from = mnl_attr_get_payload(attr);
	length = mnl_attr_get_payload_len(attr);
	if (length && !from[length - 1])
		length--;
	if (length >= size || memchr(from, '\0', length))
		return error_set(error, -EBADMSG,
				 "%s is not a string of less than %zu bytes", what, size);
	memcpy(text, from, length);
	text[length] = '\0';
	return 0;
}
