/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Talk to the module by generic netlink: the operations of common/flamemod.yaml
 * as functions.
 *
 * Only nl.c and nl_*.c use libmnl. When the kernel refuses a request, every
 * function sets the error to the kernel's text, including the attribute that it
 * means.
 */
#ifndef FLAMECTL_NL_H
#define FLAMECTL_NL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "probe/probe.h"
#include "profile/events.h"
#include "profile/profile.h"

struct nl;

/**
 * nl_open() - find the module.
 *
 * Return: 0 with @nl set, -ENODEV if it is not loaded or cannot be reached,
 * -EPROTONOSUPPORT if it speaks another version, or another -errno.
 */
int nl_open(struct nl **nl, struct error *error);

/** nl_close() - close the sockets and free @nl; NULL is fine. */
void nl_close(struct nl *nl);

/**
 * nl_interrupt() - let a signal interrupt later waits for the module.
 * @flag: waits fail with -EINTR when a signal comes and *@flag is above 0;
 *         NULL: never.
 */
void nl_interrupt(struct nl *nl, const volatile sig_atomic_t *flag);

/**
 * nl_own() - let the module undo what nl_start(), nl_set() and nl_follow() ask
 * for from now on, at nl_end(), at nl_close(), or when this process ends, however it
 * ends. What others start or set later is not undone. A module of an earlier
 * version cannot do this and continues.
 */
void nl_own(struct nl *nl);

/**
 * nl_end() - let the module undo now what was asked for since nl_own(). What
 * others started or set later stays.
 *
 * Return: 0 or -errno.
 */
int nl_end(struct nl *nl, struct error *error);

/**
 * nl_status() - get the session, its settings and all books (the counts of what
 * became of each timer period), but no records.
 *
 * Return: 0 with @profile set, or -errno; see nl_dump().
 */
int nl_status(struct nl *nl, struct profile **profile, struct error *error);

/**
 * nl_dump() - get the whole profile as of one instant.
 * @reset: also make the module clear its profile at that instant.
 *
 * Waits a few seconds if other readers use up the memory that the module has
 * for dumps. Release and host are set to those of this machine.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(), -EBADMSG for a
 * reply that is malformed or incomplete, or another -errno.
 */
int nl_dump(struct nl *nl, bool reset, struct profile **profile,
	    struct error *error);

/**
 * nl_dump_frames() - get frames alone: all that the module has, of samples and of events,
 * also those that only earlier epochs used. The profile has no nodes and no records.
 * @first: the number of the first one wanted: 0, or next_frame in the meta of the profile
 *         before.
 *
 * Return: as nl_dump(); -EINVAL if the module does not know this.
 */
int nl_dump_frames(struct nl *nl, uint32_t first, struct profile **profile,
		   struct error *error);

/**
 * nl_dump_epoch() - do so for a reader that takes differences, and let the module keep
 * epochs for it: those that others end by a reset can be got here until they were had.
 * @epoch: the epoch of the last dump, or the one after it if that was closed; all before
 *         was had. 0: none was dumped.
 * @reset: only if the current epoch is dumped.
 *
 * If meta.is_closed is set in the profile, it is a closed epoch, and the next one is to be
 * got then. It is the current one otherwise. If its number is not @epoch, others were not
 * kept. The module keeps epochs until nl_close(), or until a dump fails halfway, and for
 * this process's next dumps here alone.
 *
 * Return: as nl_dump(); -EUSERS if the module keeps them for as many others as it can,
 * -EPROTONOSUPPORT if it keeps none.
 */
int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error);

/**
 * nl_start() - change settings, then start sampling.
 * @settings: the values of the settings in @mask; may be NULL if @mask is 0.
 * @mask: bits of SETTING().
 *
 * nl_set() changes settings only.
 *
 * Return: 0 or -errno.
 */
int nl_start(struct nl *nl, const struct profile_settings *settings,
	     unsigned int mask, struct error *error);
int nl_set(struct nl *nl, const struct profile_settings *settings,
	   unsigned int mask, struct error *error);

/**
 * nl_stop() - stop sampling; after nl_own(), only what nl_start() started here.
 *
 * Return: 0; -EALREADY when stopped; -EBUSY if others have started sampling since; or
 * another -errno.
 */
int nl_stop(struct nl *nl, struct error *error);

/** nl_reset() - clear the module's profile. Return: 0 or -errno. */
int nl_reset(struct nl *nl, struct error *error);

/**
 * nl_follow() - follow a process: mark the samples of it, of its threads and of
 * all that they create from now on, whether sampling runs or not.
 * @pid: the process, by its id here; 0 to stop following, and followed-only
 *         too.
 *
 * Following ends at nl_close() and when this process ends, however it ends; after nl_own(),
 * at nl_end() as well.
 *
 * Return: 0, -EBUSY if another process is followed, or -errno.
 */
int nl_follow(struct nl *nl, pid_t pid, struct error *error);

/* What to attach, and to which tasks; to all, if neither @nr_pids nor @followed is set. */
struct nl_source {
	uint32_t events;		/* 1 << enum flamemod_event */
	uint32_t min_us;		/* leave out what is shorter; 0: nothing */
	uint32_t states;		/* 1 << enum flamemod_task_state; 0: all */
	const uint32_t *pids;		/* processes or threads, by their ids here */
	unsigned int nr_pids;
	bool followed;			/* the process of nl_follow(), and its descendants */
	bool user_stacks;		/* take them, too */
	const struct probe *probes;	/* resolved */
	unsigned int nr_probes;		/* without them, @events is not 0 */
};

/**
 * nl_status_of() - get the status, with the events of another client.
 * @epoch: of its events, from the list of clients in a status.
 *
 * Return: as nl_status(); -ENODATA if they are not attached any more.
 */
int nl_status_of(struct nl *nl, uint32_t epoch, struct profile **profile,
		 struct error *error);

/**
 * nl_attach() - let the module count events from now on, whether it samples or not. What
 * tasks do that are off the CPU now is counted from now on.
 *
 * Attaching ends by nl_detach(), at nl_close() and when this process ends, however it ends.
 *
 * Return: 0, -EBUSY if as many others as there may be have events attached, -EOPNOTSUPP if
 * this kernel does not have one of them, -EPROTONOSUPPORT if the module has none, or another
 * -errno.
 */
int nl_attach(struct nl *nl, const struct nl_source *source, struct error *error);

/** nl_detach() - detach all, and let the module forget their profile. Return: 0 or -errno. */
int nl_detach(struct nl *nl, struct error *error);

/**
 * nl_dump_events() - get what was counted since nl_attach(): a profile each of off-cpu, of
 * ran and of each probe, in this order. Stacks of off-cpu end in the mark of a state: see
 * profile/task_state.h. Without nl_attach() these are the events of the only client that
 * has some.
 * @events: set to them, to be freed by events_deinit(); none if none is attached.
 *
 * nl_dump_events_of() gets those of another client, by their @epoch in a status.
 * nl_dump_ended() leaves out intervals that last, which others would cut in two: the first part
 * would have no user stack. A module that does not know this cuts them.
 *
 * Return: as nl_dump().
 */
int nl_dump_events(struct nl *nl, struct events *events, struct error *error);
int nl_dump_ended(struct nl *nl, struct events *events, struct error *error);
int nl_dump_events_of(struct nl *nl, uint32_t epoch, struct events *events,
		      struct error *error);

/** nl_attached() - report whether this connection has events attached. */
bool nl_attached(const struct nl *nl);

/*
 * The decoder of replies. It trusts nothing: lengths, numbers and cross
 * references are checked; unknown attributes are skipped.
 */
struct nl_decoder;

/**
 * nl_decoder_create() - start to decode a reply.
 * @full: true for a reply to dump, whose announced counts must be met; false
 *         for one to status.
 *
 * Return: a decoder, or NULL when memory is short.
 */
struct nl_decoder *nl_decoder_create(bool full);

/** nl_decoder_create_events() - start to decode a reply to a dump of events. */
struct nl_decoder *nl_decoder_create_events(void);

/** nl_decoder_destroy() - free @decoder; NULL is fine. */
void nl_decoder_destroy(struct nl_decoder *decoder);

/**
 * nl_decode() - decode one message of the reply.
 * @attributes: the bytes after the generic netlink header, aligned to 4 bytes.
 *
 * Return: 0, -EBADMSG with @error saying why, or -ENOMEM.
 */
int nl_decode(struct nl_decoder *decoder, const void *attributes, size_t size,
	      struct error *error);

/**
 * nl_decode_end() - check at the end that the reply was complete.
 *
 * Return: 0 with @profile set, which the caller owns, or -EBADMSG.
 */
int nl_decode_end(struct nl_decoder *decoder, struct profile **profile,
		  struct error *error);

/** nl_decode_end_events() - do so for a dump of events. @events: set as by nl_dump_events(). */
int nl_decode_end_events(struct nl_decoder *decoder, struct events *events,
			 struct error *error);

#endif /* FLAMECTL_NL_H */
