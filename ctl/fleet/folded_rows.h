/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A window as rows: its records without processes and CPUs, which no question to a fleet
 * asks for, perhaps without cgroups, and an id for each stack that is the same on all machines.
 */
#ifndef FLAMECTL_FOLDED_ROWS_H
#define FLAMECTL_FOLDED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"
#include "profile/profile.h"

/* 128 bits of a stack's hash; all zero: no frames */
#define STACK_ID_BYTES	16

struct folded_row {
	uint32_t node;			/* of the profile */
	const char *comm, *cgroup;	/* belong to the profile; the latter is "" if not kept */
	enum flamemod_context context;
	uint64_t periods, count, late_us;
};

struct folded_rows {
	struct folded_row *list;	/* in no order that means something */
	size_t nr, room;
};

/**
 * folded_rows_make() - sum records with the same stack, command and context. Records
 * without any weight are left out.
 * @cgroups: and with the same cgroup.
 *
 * Return: 0 or -ENOMEM.
 */
int folded_rows_make(struct folded_rows *rows, const struct profile *profile,
		     bool cgroups);

/** folded_rows_deinit() - free the list. */
void folded_rows_deinit(struct folded_rows *rows);

/*
 * Ids of the stacks of one profile. The id of a stack is the start of the SHA-256 of its
 * caller's whole hash (32 zero bytes at the root), the frame's kind in one byte, and the
 * frame's name, path and build-id, each with its size in 8 bytes before it, and its
 * offset in 8 bytes; numbers are little endian.
 */
struct stack_ids {
	uint8_t (*hashes)[SHA256_BYTES];	/* by node */
};

/** stack_ids_make() - compute the ids of all stacks. Return: 0 or -ENOMEM. */
int stack_ids_make(struct stack_ids *ids, const struct profile *profile);

/** stack_ids_deinit() - free the ids. */
void stack_ids_deinit(struct stack_ids *ids);

#endif /* FLAMECTL_FOLDED_ROWS_H */
