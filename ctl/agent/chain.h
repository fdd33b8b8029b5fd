/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make windows: each is the difference of two dumps of the module, and begins where the
 * one before ended.
 *
 * The module is not reset for a window, so other readers are not affected, and nothing
 * is lost if the agent is killed after a dump. What the module held at the end of the
 * last window is on disk, and replaced at the same moment as that window is added
 * (spool_add()). An agent that starts again makes the difference to that, however long
 * it was gone.
 *
 * When somebody else resets the module, it keeps what the agent has not had. The next
 * step gets that first, and makes a window of it that ends at the reset.
 *
 * The profiles here are coarse: see coarse.h.
 *
 * The module is reset when the profile fills half of the memory that the module has for
 * it, right after a window was added. A crash between that reset and the next addition
 * loses what was sampled in the meantime, which is counted as a gap.
 */
#ifndef FLAMECTL_AGENT_CHAIN_H
#define FLAMECTL_AGENT_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/spool.h"
#include "agent/window.h"
#include "base/error.h"
#include "profile/profile.h"

/* The time at one moment. */
struct chain_clocks {
	uint64_t monotonic_ns;
	uint64_t boot_ns;		/* CLOCK_BOOTTIME: with the time of suspends */
	int64_t real_ns;
};

/* Where dumps come from. */
struct chain_source {
	/*
	 * get the whole profile, and reset the module at that instant if @reset; or first
	 * the epochs from @epoch on that others have closed: see nl_dump_epoch()
	 */
	int (*dump)(void *context, uint32_t epoch, bool reset, struct profile **profile,
		    struct error *error);
	/* name the functions of programs, and remove all addresses */
	int (*name)(void *context, struct profile *profile, struct error *error);
	void (*clocks)(void *context, struct chain_clocks *clocks);
	void *context;
};

struct chain_pending;

struct chain {
	struct spool *spool;		/* by the caller, owned */
	struct chain_source source;	/* by the caller */
	char boot[WINDOW_BOOT];		/* by the caller */
	uint64_t threshold;		/* by the caller: draw lots for smaller rows; 0: keep all */
	uint64_t inclusion;		/* by the caller: of windows that begin from now on */
	/* private */
	struct profile *seen;		/* what the module held at the end of the last window */
	bool is_loaded;			/* the spool was asked for @seen */
	bool is_saved;			/* @seen is from a file, which has no places in JIT code */
	bool is_damaged;		/* it could not be */
	bool other_boot;		/* the spool has one of another boot */
	struct chain_pending *pending;	/* of the time before a reset, and not added yet */
	int64_t clock_ns;		/* CLOCK_REALTIME less CLOCK_BOOTTIME; 0: not known */
};

/**
 * chain_step() - make a window of what came since the last, and add it to the spool. If
 * nothing came, there is none. If the module was reset, there is one up to each reset.
 *
 * Return: 0, or -errno with @error; then the next window will have this one's time, too.
 */
int chain_step(struct chain *chain, struct error *error);

/**
 * chain_pause() - make a last window, and note that the pause has begun.
 * @resets: reset the module then, so that others can sample at another rate.
 * @pause: written to the spool, unless it was replaced meanwhile
 *
 * Return: as chain_step(); then nothing is noted.
 */
int chain_pause(struct chain *chain, bool resets, const struct pause *pause,
		struct error *error);

/**
 * chain_resume() - let the next window begin now: the time of the pause, and what was
 * sampled in it, is in none.
 * @pause: as for chain_pause(), but NULL if its file was removed.
 */
int chain_resume(struct chain *chain, const struct pause *pause, struct error *error);

/**
 * chain_began_with() - get the inclusion of the next window, which began when the last one
 * ended.
 * @inclusion: 0 if no window of this boot is known.
 *
 * Return: 0, or -errno with @error.
 */
int chain_began_with(struct chain *chain, uint64_t *inclusion, struct error *error);

/**
 * chain_go_off_duty() - make a last window, and note that hours begin in which this host
 * takes no part.
 * @sampled: make that window; false: nothing was sampled for one.
 * @resets: as for chain_pause().
 *
 * Return: as chain_step(); then nothing is noted.
 */
int chain_go_off_duty(struct chain *chain, bool sampled, bool resets,
		      struct error *error);

/**
 * chain_go_on_duty() - let the next window begin now, and note that this host takes part
 * again. The time since the last window is in none.
 */
int chain_go_on_duty(struct chain *chain, struct error *error);

/**
 * chain_note() - note what becomes of a pause, or of the duty, while nothing is sampled.
 * @pause: as for chain_pause(), or NULL.
 */
int chain_note(struct chain *chain, const struct pause *pause,
	       const struct ledger *counts, struct error *error);

/**
 * chain_epoch() - return the module's epoch at the end of the last window, or the one that
 * followed it if that was closed; 0: not known.
 */
uint32_t chain_epoch(const struct chain *chain);

/** chain_deinit() - free what is held. */
void chain_deinit(struct chain *chain);

#endif /* FLAMECTL_AGENT_CHAIN_H */
