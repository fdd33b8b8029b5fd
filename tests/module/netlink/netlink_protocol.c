// SPDX-License-Identifier: GPL-2.0
/*
 * The protocol's tables: see netlink_protocol.h.
 */
#include "netlink_protocol.h"
#include "netlink_tables.h"

const size_t nr_operations = sizeof(protocol_operations) / sizeof(*protocol_operations);

const struct operation *operation_at(size_t i)
{
	return &protocol_operations[i];
}

const struct operation *operation_find(uint8_t command)
{
	size_t i;

	for (i = 0; i < nr_operations; i++)
		if (protocol_operations[i].command == command)
			return &protocol_operations[i];
	return NULL;
}

const struct attr_set *set_at(size_t i)
{
	return &protocol_sets[i];
}

const struct attr_rule *rule_find(const struct attr_set *set, uint16_t number)
{
	return number && number <= set->max ? &set->rules[number] : NULL;
}

int fixed_bytes(enum attr_kind kind)
{
	switch (kind) {
	case KIND_U8:
		return 1;
	case KIND_U16:
		return 2;
	case KIND_U32:
		return 4;
	case KIND_U64:
		return 8;
	case KIND_FLAG:
		return 0;
	default:
		return -1;
	}
}
