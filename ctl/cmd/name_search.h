/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Look for names of user functions while the module samples: later their files may be
 * gone. A look reads what may be gone first, the maps of processes that make code. Symbols
 * of files are read between looks.
 *
 * The first look reads the profile, and later ones mostly the frames that the module has
 * had since then, which are few. What they have no names for yet is kept here, in profiles
 * of frames alone.
 */
#ifndef FLAMECTL_NAME_SEARCH_H
#define FLAMECTL_NAME_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cmd/live_names.h"
#include "cmd/name_looks.h"
#include "profile/profile.h"
#include "wire/nl.h"

/* What is looked at, and who gets the names. */
struct name_source {
	struct nl *nl;
	struct live_names *names;
	/* reduce the profile to what needs names; NULL: all of it does */
	int (*reduce)(void *context, struct profile *profile, struct error *error);
	bool selects;			/* it drops other tasks, which frames alone do not tell */
	void *context;
};

struct name_search {
	struct name_looks looks;	/* to be begun by name_looks_begin() */
	uint32_t next_frame;		/* the module's frames before it were seen by a look */
	struct profile *sought;		/* functions whose symbols were not read yet, or NULL */
	struct profile *made;		/* places in code made at run time, or NULL */
};

/**
 * name_search_due_ns() - compute when to call name_search_run() next.
 *
 * Return: the time in CLOCK_MONOTONIC.
 */
uint64_t name_search_due_ns(const struct name_search *search);

/**
 * name_search_run() - look for names, if a look is due, or read symbols for the last look.
 * That may take long for a large program, so this stops, and is due again, when @is_late
 * says that something else is due. A module that cannot be read now is read by the next
 * look.
 *
 * Return: 0 or -ENOMEM.
 */
int name_search_run(struct name_search *search, const struct name_source *source,
		    uint64_t now_ns, bool (*is_late)(void *context), void *context,
		    struct error *error);

/** name_search_deinit() - free what is held; fine if all zero. */
void name_search_deinit(struct name_search *search);

#endif /* FLAMECTL_NAME_SEARCH_H */
