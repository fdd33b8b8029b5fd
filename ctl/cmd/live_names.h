/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of user functions and cgroups in profiles of the module, which sends of each
 * function the file, its build-id and an offset in it. These stay beside the name.
 *
 * Functions are looked for while a profile is read, since a file may be gone
 * later. Each is looked for once; see symbols/cache.h. A file that is not here may be
 * in a container, which is a root of the processes that used it.
 *
 * Of code that a process made at run time the module sends the process and an address,
 * which is of no use later: such frames get the name that the process's map has now, or
 * say why they have none, and no address stays.
 *
 * Of a cgroup the module sends a number, which is looked up while the cgroup lives.
 */
#ifndef FLAMECTL_LIVE_NAMES_H
#define FLAMECTL_LIVE_NAMES_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/error.h"
#include "profile/profile.h"
#include "profile/users.h"
#include "symbols/cache.h"
#include "symbols/cgroup_paths.h"
#include "symbols/jit_names.h"

/* The options given; all zero: look for all names. */
struct live_request {
	bool no_names;			/* look for none */
	bool mangled, any_fs, inlines;	/* as symbols_options has them */
};

/* How long live_names_give() looks for names, unless names->limit says otherwise. */
#define LIVE_NAMES_NS	(30 * NSEC_PER_SEC)

/*
 * When live_names_give() looks for no more names: programs are anyone's, and some could take
 * hours. What is known already is given in any case.
 */
struct live_limit {
	uint64_t until_ns;		/* of CLOCK_MONOTONIC; 0: LIVE_NAMES_NS from its first call */
	bool (*is_over)(void *context);	/* or this says so, for another reason; NULL: never */
	void *context;
};

/* Where to get stacks, if a profile has frames alone. */
struct live_stacks {
	/* Return: 0 with @profile set, which the caller then owns, or -errno. NULL: from nowhere */
	int (*read)(void *context, struct profile **profile);
	void *context;
};

struct live_names {
	struct live_request request;
	struct symbols_cache *cache;	/* NULL until there is something to look for */
	struct jit_names *jit;		/* the same, of code made at run time */
	struct cgroup_paths *cgroups;	/* the same, of cgroups */
	uint64_t cgroups_due_ns;	/* when live_names_learn_cgroups() looks again */
	struct live_limit limit;
	struct live_stacks stacks;	/* asked if a file is not here: its users may have it */
	/* of the profile that is being named, or NULL; see live_names_learn_files() */
	struct users *users;
	const struct profile *users_of;
	struct profile *users_read;	/* the same, if it was got from @stacks */
	/* of the profile that live_names_give() was called for last */
	uint64_t nr;			/* functions of programs that had no name */
	uint64_t nr_unsought;		/* were not looked for, because of the limit */
	uint64_t unnamed[SYMBOLS_STATES];	/* have none, by what their file was */
	uint64_t jit_places[JIT_STATES];	/* places in code made at run time */
};

/**
 * live_names_check() - check whether the module counts what the request needs.
 * @profile: or only the module's status
 *
 * Return: 0, or -EINVAL with @error: what to do, if it does not.
 */
int live_names_check(const struct live_names *names, const struct profile *profile,
		     struct error *error);

/**
 * live_names_wanted() - list the frames that are looked for: the functions of programs that
 * samples have, and the places in code made at run time; of a profile of frames alone all
 * of these.
 *
 * Return: for each frame whether it is one, to be freed, or NULL when memory is short.
 */
bool *live_names_wanted(const struct profile *profile);

/**
 * live_names_learn_jit() - look in the maps of processes that make code for the names of
 * what is wanted of @profile; it is not changed: live_names_give() then knows them, even
 * if the maps are gone.
 * @is_late: asked before each process whether to stop, because something else is due
 * @context: its argument
 *
 * Return: 0, -EAGAIN if it stopped early, or -ENOMEM. @error is set for -ENOMEM only.
 */
int live_names_learn_jit(struct live_names *names, const struct profile *profile,
			 bool (*is_late)(void *context), void *context, struct error *error);

/**
 * live_names_learn_files() - the same for functions of programs and libraries, whose
 * symbols may take long to read. @is_late is asked before each function. If a file is not
 * here, the processes that use it may have it: those of @profile's samples, or, if it has
 * frames alone, of names->stacks.
 *
 * Return: as live_names_learn_jit().
 */
int live_names_learn_files(struct live_names *names, const struct profile *profile,
			   bool (*is_late)(void *context), void *context,
			   struct error *error);

/**
 * live_names_learn_cgroups() - look up the paths of all cgroups that there are now, so
 * that live_names_give() knows those that are gone later.
 * @now_ns: nothing is done before names->cgroups_due_ns
 * @every_ns: which is that much later then, or more: see cgroup_paths_due_ns()
 *
 * Return: 0 or -ENOMEM.
 */
int live_names_learn_cgroups(struct live_names *names, uint64_t now_ns, uint64_t every_ns,
			     struct error *error);

/**
 * live_names_give() - name the user functions that samples of @profile have, and its
 * cgroups, and look for those that were not met before, within names->limit. Inlined
 * functions, if they are asked for, get frames of their own. Addresses in code made at run
 * time are removed in any case.
 *
 * Return: 0, -ENOMEM, or -EINVAL if they are asked for and the module does not keep places
 * apart.
 */
int live_names_give(struct live_names *names, struct profile *profile,
		    struct error *error);

/* Room for the longest text of live_names_missed(), and a NUL. */
#define LIVE_NAMES_MISSED	1600

/**
 * live_names_missed() - write how many functions, and places in code made at run time, of
 * the profile that live_names_give() was called for last have no name, and why.
 *
 * Return: @text, "" if all have one.
 */
const char *live_names_missed(const struct live_names *names,
			      char text[LIVE_NAMES_MISSED]);

/**
 * live_names_unproven() - write which files have given names although nobody knows
 * whether they are those that were sampled, as they have no build-id.
 *
 * Return: @text, "" if there are none.
 */
const char *live_names_unproven(const struct live_names *names,
				char text[LIVE_NAMES_MISSED]);

/** live_names_deinit() - free what is held; fine if all zero. */
void live_names_deinit(struct live_names *names);

#endif /* FLAMECTL_LIVE_NAMES_H */
