/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module, by generic netlink: common/flamemod.yaml as functions.
 *
 * nl.c and its nl_*.c alone know libmnl. Every function fills an error with
 * what the kernel said of a refusal, the attribute it means included.
 */
#ifndef FLAMECTL_NL_H
#define FLAMECTL_NL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "profile/profile.h"

struct nl;

/**
 * nl_open() - find the module.
 *
 * Return: 0 with @nl set, -ENODEV where it is not loaded or out of reach,
 * -EPROTONOSUPPORT where it speaks another version, or another -errno.
 */
int nl_open(struct nl **nl, struct error *error);

/** nl_close() - NULL is fine. */
void nl_close(struct nl *nl);

/**
 * nl_interrupt() - give up waiting for the module, with -EINTR, when a signal
 * comes and *@flag is above 0; NULL for never.
 */
void nl_interrupt(struct nl *nl, const volatile sig_atomic_t *flag);

/**
 * nl_own() - from now on, what nl_start() and nl_set() start or change ends with
 * nl_close(), and with this process, however that ends. Not so what others have
 * started or set since. A module of an earlier version does not know how to; it
 * goes on as before.
 */
void nl_own(struct nl *nl);

/**
 * nl_status() - the session, its settings and all books, but no records.
 *
 * Return: 0 with @profile set, or -errno; see nl_dump().
 */
int nl_status(struct nl *nl, struct profile **profile, struct error *error);

/**
 * nl_dump() - the whole profile as of one instant.
 * @reset: have the module forget it at that instant.
 *
 * Waits a few seconds where other readers hold the memory there is for them.
 * Release and host are those of this machine.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(), -EBADMSG for
 * a reply that is malformed or short, or another -errno.
 */
int nl_dump(struct nl *nl, bool reset, struct profile **profile,
	    struct error *error);

/**
 * nl_start() - start sampling, with settings changed first.
 * @settings: the values of those in @mask, of SETTING(); may be NULL for 0.
 *
 * nl_set() is the same without the start.
 *
 * Return: 0 or -errno.
 */
int nl_start(struct nl *nl, const struct profile_settings *settings,
	     unsigned int mask, struct error *error);
int nl_set(struct nl *nl, const struct profile_settings *settings,
	   unsigned int mask, struct error *error);

/** nl_stop() - stop sampling. Return: 0, -EALREADY when stopped, or -errno. */
int nl_stop(struct nl *nl, struct error *error);

/** nl_reset() - forget what was sampled. Return: 0 or -errno. */
int nl_reset(struct nl *nl, struct error *error);

/**
 * nl_follow() - mark what is sampled of a process, its threads and all that they
 * create from now on, whether sampling runs or not.
 * @pid: the process, by its id here; 0 to end it, and followed-only with it.
 *
 * It ends with nl_close(), and with this process, however that ends.
 *
 * Return: 0, -EBUSY where another is followed, or -errno.
 */
int nl_follow(struct nl *nl, pid_t pid, struct error *error);

/*
 * The decoder of replies, which trusts nothing: lengths, numbers and cross
 * references are checked, attributes it does not know are skipped.
 */
struct nl_decoder;

/**
 * nl_decoder_create() - begin a reply.
 * @full: a reply to dump, whose counts must be met; else one to status.
 *
 * Return: a decoder, or NULL when memory is short.
 */
struct nl_decoder *nl_decoder_create(bool full);

/** nl_decoder_destroy() - NULL is fine. */
void nl_decoder_destroy(struct nl_decoder *decoder);

/**
 * nl_decode() - take in one message of it.
 * @attributes: what follows the generic netlink header, aligned to 4 bytes.
 *
 * Return: 0, -EBADMSG with @error saying why, or -ENOMEM.
 */
int nl_decode(struct nl_decoder *decoder, const void *attributes, size_t size,
	      struct error *error);

/**
 * nl_decode_end() - the reply has ended: was it whole?
 *
 * Return: 0 with @profile set, now the caller's, or -EBADMSG.
 */
int nl_decode_end(struct nl_decoder *decoder, struct profile **profile,
		  struct error *error);

#endif /* FLAMECTL_NL_H */
