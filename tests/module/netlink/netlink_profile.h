/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that the messages of a dump form a consistent profile of one instant.
 *
 * Functions return NULL if everything is right, else a text that says what is wrong.
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
	uint8_t *frames;	/* whether each number was sent; nr_frames elements */
	uint64_t periods;
	uint64_t user_sides;	/* periods with a user stack, as the state says */
	uint64_t user_periods;	/* and of the records that have one */
	uint64_t event_weight;	/* stored of all events that are attached */
	uint64_t event_sides;	/* with a user stack, of all of them */
};

/** profile_deinit() - free the memory of a profile. */
void profile_deinit(struct profile *profile);

/**
 * profile_take() - add a top-level attribute, which is well-formed.
 * @profile: so far, all zero at first
 * @attr: the attribute
 */
const char *profile_take(struct profile *profile, const struct nlattr *attr);

/**
 * profile_end() - check a complete profile.
 * @profile: whole
 * @with_cpus: whether CPUs were requested
 * @with_records: whether records were requested
 * @of_events: whether those of events were
 */
const char *profile_end(const struct profile *profile, bool with_cpus, bool with_records,
			bool of_events);

/**
 * profile_end_frames() - check a complete answer to a request for frames alone.
 * @profile: whole
 * @first: the first one wanted
 */
const char *profile_end_frames(const struct profile *profile, uint32_t first);

#endif /* NETLINK_PROFILE_H */
