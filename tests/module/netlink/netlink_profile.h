/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the messages of an answer come to: one instant that adds up.
 *
 * Functions return NULL where all is well, else what is wrong, in words.
 */
#ifndef NETLINK_PROFILE_H
#define NETLINK_PROFILE_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the protocol: expected, fires, missed, stored, filtered, truncated. */
struct sums {
	uint64_t expected, fires, missed, stored, filtered, truncated, lost;
	int64_t overdue;
};

struct profile {
	bool has_state;
	struct sums total, cpus;
	uint32_t nr_frames, nr_nodes, nr_tasks, nr_records;	/* announced */
	uint32_t nodes, tasks, records;				/* seen */
	uint32_t last_part;
	uint32_t next_frame;
	uint8_t *frames;	/* which numbers were sent, nr_frames of them */
	uint64_t periods;
};

/** profile_deinit() - free what a profile holds. */
void profile_deinit(struct profile *profile);

/**
 * profile_take() - one top-level attribute, which is well-formed.
 * @profile: so far, all zero at first
 * @attr: the attribute
 */
const char *profile_take(struct profile *profile, const struct nlattr *attr);

/**
 * profile_end() - all has come; does it add up?
 * @profile: whole
 * @with_cpus: whether CPUs were to be in it
 * @with_records: whether records were
 */
const char *profile_end(const struct profile *profile, bool with_cpus, bool with_records);

#endif /* NETLINK_PROFILE_H */
