/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of code that processes make at run time, while they run. Whoever reads the
 * module repeatedly asks for the same addresses each time: a name that was found
 * once stays, as the process may be gone later. What has none is looked for again once
 * the process has written more.
 */
#ifndef FLAMECTL_SYMBOLS_JIT_NAMES_H
#define FLAMECTL_SYMBOLS_JIT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why an address has a name, or none. */
enum jit_state {
	JIT_NAMED,
	JIT_NOT_IN_MAP,		/* the process's map does not have it */
	JIT_NO_MAP,		/* the process writes no map */
	JIT_REFUSED,		/* the map is not one that only the process could write */
	JIT_DENIED,		/* the right to read it is missing */
	JIT_UNSOUGHT,		/* the map was not looked for, as it was late */
	JIT_REMOTE,		/* it may be on a file system that does not answer */
};

#define JIT_STATES	(JIT_REMOTE + 1)

/* An address that is looked for. */
struct jit_place {
	uint32_t frame;		/* the caller's */
	uint32_t pid;
	uint64_t address;
	enum jit_state state;	/* set to the result */
	const char *name;	/* the same; valid as long as the names; NULL: none */
};

/* More addresses than the module's memory has room for; others have no name. */
#define JIT_NAMES_MAX		(1U << 22)
/* Of so many processes, what is known stays. Others' maps are not read. */
#define JIT_PROCESSES_MAX	4096
/* So many containers' maps stay open, to be read when their processes are gone. */
#define JIT_OPEN_MAX		64

struct jit_names;

/** jit_names_create() - start with no names; @any_fs: as struct symbols_options. */
struct jit_names *jit_names_create(bool any_fs);

/** jit_names_destroy() - free @names and close its files; NULL is fine. */
void jit_names_destroy(struct jit_names *names);

/**
 * jit_names_find() - find the names of places.
 * @places: are sorted by process and address.
 * @is_late: asked before each map is read whether to read no more, because something else
 *	     is due, NULL: never; what is known already is found in any case.
 *
 * At most one map is in memory at a time.
 *
 * Return: 0, -EAGAIN if it was late, or -ENOMEM.
 */
int jit_names_find(struct jit_names *names, struct jit_place *places, size_t nr,
		   bool (*is_late)(void *context), void *context);

#endif /* FLAMECTL_SYMBOLS_JIT_NAMES_H */
