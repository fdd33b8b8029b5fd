/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading of an entry of a bpftrace map, for both its text and its JSON.
 */
#ifndef FLAMECTL_IMPORT_BPFTRACE_H
#define FLAMECTL_IMPORT_BPFTRACE_H

#include "format/import/import.h"

/* Limit of keys beside the comm; bpftrace's programs have one or two. */
#define BPFTRACE_KEYS_MAX	8
#define BPFTRACE_KEY_BYTES	256

/* The map entry being read. */
struct bpftrace_entry {
	uintmax_t line;			/* its first line; 0 if none is open */
	char comm[BPFTRACE_KEY_BYTES];
	char keys[BPFTRACE_KEYS_MAX][BPFTRACE_KEY_BYTES];
	size_t nr_keys;
	size_t nr_stacks;
	size_t second;			/* the second stack's first frame */
	bool in_stack;
};

/** bpftrace_line() - read import->line of a map as bpftrace prints it. */
int bpftrace_line(struct import *import, struct bpftrace_entry *entry);

#endif /* FLAMECTL_IMPORT_BPFTRACE_H */
