/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The made-up module of fake.c, for its parts.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stdint.h>

struct profile;

/* What kind of module and kernel it is, as far as events go. */
extern struct fake_events {
	uint32_t attached;	/* events of tasks, by this program or by others, as bits */
	bool is_others;		/* somebody else has events attached */
	bool has_no_waiting;	/* the kernel does not tell how long a task waits */
	bool is_old;		/* the module has no events */
	bool is_suspended;	/* it has suspended all sources */
	bool loses;		/* each event loses some in each dump, for four reasons */
} fake_events;

/* The samples so far. */
extern struct profile *total;

/* End the program unless that was done. */
void must(bool done);

/* Add a stack, "ROOT;...;LEAF", to the samples above a node. Return: its leaf's node. */
uint32_t add_stack_above(uint32_t node, const char *stack);

/* Return: the made-up time, in ns since boot. */
uint64_t now_ns(void);

#endif /* FAKE_H */
