/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of bpftrace's maps, which its text and its JSON share.
 */
#ifndef FLAMECTL_IMPORT_BPFTRACE_H
#define FLAMECTL_IMPORT_BPFTRACE_H

#include "format/import/import.h"

/* Keys beside the comm; bpftrace's programs have one or two. */
#define BPFTRACE_KEYS_MAX	8
#define BPFTRACE_KEY_BYTES	256

/* A map's entry under way. */
struct bpftrace_entry {
	uintmax_t line;			/* where it began, 0: none is open */
	char comm[BPFTRACE_KEY_BYTES];
	char keys[BPFTRACE_KEYS_MAX][BPFTRACE_KEY_BYTES];
	size_t nr_keys;
	size_t nr_stacks;
	size_t second;			/* the second stack's first frame */
	bool in_stack;
};

/** bpftrace_line() - read import->line, as bpftrace prints maps. */
int bpftrace_line(struct import *import, struct bpftrace_entry *entry);

#endif /* FLAMECTL_IMPORT_BPFTRACE_H */
