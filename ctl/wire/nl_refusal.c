// SPDX-License-Identifier: GPL-2.0
/*
 * Read the kernel's refusals: its text, and which attribute of the request it
 * means.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <linux/genetlink.h>

#include "profile/settings.h"
#include "wire/nl_private.h"

/*
 * Return: the name of the request's attribute at @offset. Only settings are
 * named, because users know only these; errors in the rest are bugs of this
 * program.
 */
static const char *attribute_at(const struct nlmsghdr *request, uint32_t offset)
{
	const char *begin = (const char *)request;
	const struct nlattr *attr, *inner;

	mnl_attr_for_each(attr, request, sizeof(struct genlmsghdr)) {
		if ((const char *)attr - begin == offset)
			return mnl_attr_get_type(attr) == FLAMEMOD_A_SETTINGS ?
			       "settings" : NULL;
		if (mnl_attr_get_type(attr) != FLAMEMOD_A_SETTINGS)
			continue;
		mnl_attr_for_each_nested(inner, attr)
			if ((const char *)inner - begin == offset)
				return settings_name(mnl_attr_get_type(inner));
	}
	return NULL;
}

/* Write the limits of the kernel's policy, as " (from 1 to 127)". */
static void policy_limits(const struct nlattr *policy, char *text, size_t size)
{
	const struct nlattr *table[NL_POLICY_TYPE_ATTR_MAX + 1];
	uint64_t min = 0, max = 0;

	*text = '\0';
	if (nl_attrs_table(policy, table, NL_POLICY_TYPE_ATTR_MAX, NULL) ||
	    !table[NL_POLICY_TYPE_ATTR_MAX_VALUE_U] ||
	    nl_attr_uint(table[NL_POLICY_TYPE_ATTR_MIN_VALUE_U], "", &min,
			 NULL) ||
	    nl_attr_uint(table[NL_POLICY_TYPE_ATTR_MAX_VALUE_U], "", &max,
			 NULL))
		return;
	snprintf(text, size, " (from %" PRIu64 " to %" PRIu64 ")", min, max);
}

/*
 * Set @error from the kernel's @size bytes of attributes. Return: the -errno.
 */
static int refusal(const struct nlmsghdr *request, int err,
		   const char *attributes, size_t size, struct error *error)
{
	const struct nlattr *table[NLMSGERR_ATTR_MAX + 1] = { NULL }, *attr;
	struct nl_attrs attrs = { .at = attributes, .left = size };
	const char *name = NULL;
	char text[300] = "", limits[64] = "";
	uint32_t offset = 0;

	while (!nl_attrs_next(&attrs, &attr, NULL) && attr)
		if (mnl_attr_get_type(attr) <= NLMSGERR_ATTR_MAX)
			table[mnl_attr_get_type(attr)] = attr;
	if (nl_attr_string(table[NLMSGERR_ATTR_MSG], "", text, sizeof(text),
			   NULL) || !*text)
		snprintf(text, sizeof(text), "%s", strerror(-err));
	if (table[NLMSGERR_ATTR_OFFS] &&
	    !nl_attr_u32(table[NLMSGERR_ATTR_OFFS], "", &offset, NULL))
		name = attribute_at(request, offset);
	if (table[NLMSGERR_ATTR_POLICY])
		policy_limits(table[NLMSGERR_ATTR_POLICY], limits,
			      sizeof(limits));
	/* the kernel's text for an attribute that the module does not know */
	if (!strcmp(text, "Unknown attribute type"))
		return error_set(error, -EPROTONOSUPPORT, "the loaded module is older than this flamectl and does not know %s: reload it (rmmod flamemod, then modprobe or insmod of this build)",
				 name ? name : "a part of the request");
	/* the module's own texts start with the name already */
	if (name && !strncmp(text, name, strlen(name)))
		name = NULL;
	if (err == -EPERM)
		return error_set(error, err, "not permitted: %s%s", text,
				 strncmp(text, "needs", 5) ? "" :
				 ": run it as root");
	if (err == -ENOENT)
		return error_set(error, -ENODEV, "the module was unloaded: insmod flamemod.ko, or modprobe flamemod");
	return error_set(error, err, "%s%s%s%s", name ? name : "",
			 name ? ": " : "", text, limits);
}

/* Check for a valid errno: a positive value would pass for success. */
static bool is_errno(int err)
{
	return err < 0 && err >= -4095;
}

int nl_read_error(const struct nlmsghdr *request,
		  const struct nlmsghdr *header, struct error *error)
{
	const struct nlmsgerr *ack = mnl_nlmsg_get_payload(header);
	size_t size = mnl_nlmsg_get_payload_len(header), skip = sizeof(*ack);

	if (size < sizeof(*ack))
		return error_set(error, -EBADMSG, "an acknowledgement is incomplete");
	if (!ack->error)
		return 0;
	if (!is_errno(ack->error))
		return error_set(error, -EBADMSG, "an acknowledgement carries the error %d",
				 ack->error);
	/* skip the copy of the request, which is whole or its header only */
	if (!(header->nlmsg_flags & NLM_F_CAPPED) &&
	    ack->msg.nlmsg_len > sizeof(ack->msg))
		skip += MNL_ALIGN((size_t)ack->msg.nlmsg_len) -
			sizeof(ack->msg);
	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS) || skip > size)
		skip = size;
	return refusal(request, ack->error, (const char *)ack + skip, size - skip,
		       error);
}

int nl_read_done(const struct nlmsghdr *request, const struct nlmsghdr *header,
		 struct error *error)
{
	const char *payload = mnl_nlmsg_get_payload(header);
	size_t size = mnl_nlmsg_get_payload_len(header);
	int err = 0;

	if (size >= sizeof(err))
		memcpy(&err, payload, sizeof(err));
	if (err >= 0)
		return 0;
	if (!is_errno(err))
		return error_set(error, -EBADMSG, "a dump ends with the error %d",
				 err);
	return refusal(request, err, payload + sizeof(err), size - sizeof(err),
		       error);
}
