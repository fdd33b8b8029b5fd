/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol for the fuzzer: tables made from common/flamemod.yaml.
 */
#ifndef NETLINK_PROTOCOL_H
#define NETLINK_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attr_kind {
	KIND_U8,
	KIND_U16,
	KIND_U32,
	KIND_U64,
	KIND_UINT,		/* 4 bytes if they suffice, else 8 */
	KIND_SINT,		/* likewise, with a sign */
	KIND_FLAG,
	KIND_STRING,
	KIND_BINARY,
	KIND_NEST,
};

struct attr_rule {
	const char *name;	/* NULL: no such attribute */
	enum attr_kind kind;
	uint64_t min, max;	/* of u8, u16 and u32; enums included */
	uint32_t max_len;	/* bytes, a string's NUL included; 0: no limit */
	uint8_t elem_bytes;	/* of a binary's elements */
	uint8_t nested;		/* a nest's set */
	bool repeats;		/* may stand several times in a reply */
};

struct attr_set {
	const char *name;
	uint16_t max;		/* the highest number */
	const struct attr_rule *rules;	/* by number, 0 is none */
};

/* The attributes of each request and reply as bits, by number. */
struct operation {
	const char *name;
	uint8_t command;
	bool has_do, has_dump;
	uint64_t do_request, do_reply;
	uint64_t dump_request, dump_reply;
};

/* The set at the top of every message is number 0. */
#define TOP_SET		0

extern const size_t nr_operations;

/** operation_at() - return operation @i, below nr_operations. */
const struct operation *operation_at(size_t i);

/** operation_find() - return the operation of a command, or NULL. */
const struct operation *operation_find(uint8_t command);

/** set_at() - return attribute set @i. */
const struct attr_set *set_at(size_t i);

/** rule_find() - return the rule of an attribute's number in @set, or NULL. */
const struct attr_rule *rule_find(const struct attr_set *set, uint16_t number);

/** fixed_bytes() - return the size of a @kind, or -1 if it varies. */
int fixed_bytes(enum attr_kind kind);

#endif /* NETLINK_PROTOCOL_H */
