/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a recording, or the agent, looks for names of user functions.
 *
 * A file that is gone before a look leaves its functions without names. Each look reads the
 * module's status, which costs little; only if that says that something is new does it read
 * the module's new frames, or the whole profile. Symbols are read between looks, and are no
 * part of them.
 * All times are of CLOCK_MONOTONIC, in ns.
 */
#ifndef CMD_NAME_LOOKS_H
#define CMD_NAME_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/* How often to look, and how long all looks together may take. */
struct name_pace {
	uint64_t look_ns;		/* from one look to the next */
	uint64_t read_ns;		/* read the profile so often, whether anything is new or not */
	/* looks take at most a part-th of the time, and free_ns beside it */
	uint64_t free_ns, part;
};

/* What a recording does not look at, it does not have. */
extern const struct name_pace name_pace_record;

/* The agent must cost little for ever; each window has a look of its own. */
extern const struct name_pace name_pace_agent;

/* What a look reads. */
enum name_look {
	NAME_LOOK_NOTHING,
	NAME_LOOK_NEW,			/* frames that the module did not have at the last look */
	NAME_LOOK_ALL,			/* the profile */
};

struct name_looks {
	struct name_pace pace;
	uint64_t last_ns;		/* when the last look ended */
	uint64_t read_ns;		/* when the last look began that read the profile */
	bool has_all;			/* a look has read the profile: what is new is enough now */
	uint64_t paid_ns;		/* when all looks so far have become their part of the time */
	struct profile_user_stacks seen;	/* by the last look */
	bool makes_code;		/* a process may have run new code before that look */
	unsigned int code_looks;	/* how many looks for its names are left */
};

/** name_looks_begin() - begin with a recording. */
void name_looks_begin(struct name_looks *looks, const struct name_pace *pace,
		      uint64_t now_ns);

/** name_looks_due_ns() - compute when the next look is due. */
uint64_t name_looks_due_ns(const struct name_looks *looks);

/**
 * name_looks_reads() - decide what a look reads.
 * @now_ns: when the look began
 * @now: from the module's status
 *
 * Return: what to read. The next call assumes that this was read, unless name_looks_end()
 * says that it was not.
 */
enum name_look name_looks_reads(struct name_looks *looks, uint64_t now_ns,
				const struct profile_user_stacks *now);

/**
 * name_looks_end() - end a look, also one that could not read the status.
 * @is_whole: it was not stopped early; if it was, the next one reads all once more
 */
void name_looks_end(struct name_looks *looks, uint64_t from_ns, uint64_t to_ns, bool is_whole);

/** name_looks_charge() - count time as that of looks, so that the next one is later. */
void name_looks_charge(struct name_looks *looks, uint64_t from_ns, uint64_t to_ns);

/** name_looks_forget() - let the next look read all, as names that were found are gone. */
void name_looks_forget(struct name_looks *looks);

#endif /* CMD_NAME_LOOKS_H */
