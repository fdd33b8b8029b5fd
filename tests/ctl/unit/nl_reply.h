/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes replies for tests, as the module sends them, whole or in parts.
 */
#ifndef NL_REPLY_H
#define NL_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

#include "flamemod.h"
#include "profile/profile.h"

#define MESSAGE_BYTES	65536

/* A message under construction; its attributes alone are decoded. */
struct message {
	struct nlmsghdr *header;
	struct nlattr *nest;
	char bytes[MESSAGE_BYTES];
};

/* The contents of a valid reply; each test spoils one thing. */
struct reply {
	uint32_t frames, nodes, tasks, records;	/* announced */
	uint32_t fires, cpu_fires, state, pids;
	uint32_t pauses_bytes;		/* of the callbacks; 0: none are sent */
	enum profile_irqs_off irqs_off;	/* unknown: it is not sent */
	const char *isolated;		/* NULL: it is not sent */
	uint32_t nr_isolated;		/* 0: it is not sent */
	bool closed;			/* and with what is kept; false: neither is sent */
	const uint32_t *user_nodes;	/* of the three records; NULL: they are not sent */
	bool wide;
};

extern const struct reply good_reply;

/* The columns of its records. */
extern const uint32_t record_nodes[3];
extern const uint32_t record_tasks[3];
extern const uint64_t record_cpus[3];
extern const uint64_t record_contexts[3];

void message_begin(struct message *m);
void open_nest(struct message *m, uint16_t type);
void close_nest(struct message *m);

/** put_column() - put numbers, each in as few bytes as possible. */
void put_column(struct message *m, uint16_t type, size_t nr,
		const uint64_t *numbers);

/** put_differences() - put a column of the differences of at most 64 values. */
void put_differences(struct message *m, uint16_t type, size_t nr,
		     const uint32_t *values);

void put_state(struct message *m, const struct reply *reply);
void put_settings(struct message *m, const struct reply *reply);
void put_cpu(struct message *m, uint32_t cpu, uint32_t fires, uint32_t lost);
void put_frames(struct message *m);
void put_nodes(struct message *m);
void put_tasks(struct message *m);
void put_records(struct message *m, bool wide, const uint32_t *user_nodes);
void put_head(struct message *m, const struct reply *reply);
void put_reply(struct message *m, const struct reply *reply);

#endif /* NL_REPLY_H */
