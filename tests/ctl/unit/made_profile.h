/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes profiles for tests: small ones with a bit of everything, and large ones. Their
 * books balance.
 */
#ifndef MADE_PROFILE_H
#define MADE_PROFILE_H

#include "profile/profile.h"

/**
 * made_profile() - make one of two CPUs, all contexts, frame kinds and losses, a comm
 * that is not UTF-8, one that looks escaped, and an empty one.
 */
struct profile *made_profile(void);

/**
 * made_origin() - fill in how it was made and on what machine, with bytes that
 * steer a terminal and some that are no UTF-8.
 */
void made_origin(struct profile *profile);

/** made_large_profile() - make one of @nr records with stacks of some 20 frames. */
struct profile *made_large_profile(uint32_t nr);

/** add_stack() - add "root;...;leaf", all frames of one kind. Return: its node. */
uint32_t add_stack(struct profile *profile, const char *stack,
		   enum flamemod_frame_kind kind);

/** add_sampled() - add a record, and its periods to the books as stored. */
void add_sampled(struct profile *profile, uint32_t node, const char *comm,
		 uint32_t pid, uint32_t cpu, enum flamemod_context context,
		 uint64_t periods);

/** part_of() - make a profile of one record of a kernel stack, pid @cpu + 1. */
struct profile *part_of(const char *stack, const char *comm, uint32_t cpu,
			uint64_t periods);

#define SEC	UINT64_C(1000000000)

/** add_slice() - call slices_add(), and destroy @part. */
void add_slice(struct profile *profile, struct profile *part,
	       uint64_t begin_ns, uint64_t end_ns);

/** made_sliced() - make slices of three seconds: reading, made_profile(), a new CPU. */
struct profile *made_sliced(void);

/**
 * assert_same() - check that both contain the same, whatever the numbers of
 * their frames, nodes and tasks.
 */
void assert_same(const struct profile *left, const struct profile *right);

#endif /* MADE_PROFILE_H */
