/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saved profiles: gzip'd messages of pprof.proto, the pprof format.
 *
 * A profile that was written is read back exactly. Files of other programs
 * are read as well as they go: their books are made up so that they balance.
 *
 * How a profile is laid out in a file:
 * - sample types samples/count, cpu/nanoseconds (periods times the period),
 *   late/microseconds; the period is the sampling period;
 * - where weights are no time, or not the CPU's, in the second place what they
 *   are: what another program called it, such as inuse_space/bytes, or
 *   weight/count; then nothing else is different but the layout's number. Where
 *   a weight is the number of samples, samples/count is the default;
 * - one location and one function per frame, in the order of the frames, all
 *   of address 0; mapping "[kernel.kallsyms]" for the core kernel, "[name]"
 *   for a module, "user" for programs, none for marks;
 * - labels comm, context (text), pid, tid, cpu (numbers); in a profile of
 *   several hosts host (text), and where the profile is cut by time slice
 *   (nanoseconds from its begin to the slice's), too;
 * - lost periods as samples of location "[lost: reason]", with labels lost
 *   (text) and cpu, and a record without frames as one of "[user]" or its
 *   other context, so that no sample is empty and totals add up everywhere;
 *   the functions of these locations are of file "(flamemod)";
 * - comments, one "key=value" each:
 *     flamemod=1             the layout's version, always the first; 2 where
 *                            the second sample type is not cpu/nanoseconds, 3
 *                            where there are several events
 *     module-version, release, host
 *     hz, max-depth, exclude-idle, kernel-only, pids, cpus
 *                            the settings, as "flamectl set" takes them
 *     state, epoch, resolution-ns, since-ns, instant-ns, memory-bytes,
 *     memory-limit-bytes     as in common/flamemod.yaml
 *     command, cmdline       what was recorded, and the command that did it, as
 *                            typed to a shell; here and below only what is known
 *     cpu-model, arch, machine-cpus, machine-memory-bytes
 *                            the machine; arch as uname -m has it
 *     cpu-kb, aggregate-kb   the module's parameters
 *     cpu=N sampling=0|1 sampled-ns=N expected=N fires=N missed=N stored=N
 *     filtered=N truncated=N asleep=N overdue=[-]N lost.REASON=N...
 *                            one CPU's books, in periods; what is absent is 0;
 *     slice=N end-ns=N       one slice, from and to, in the order of time; then
 *     slice=N cpu=N ...      one CPU's books in it; they sum to those above;
 *   a key that is not known is passed over, so that one more is no new layout;
 * - of several events each has a sample type, which has its name, and the number
 *   of its samples another one, "NAME-samples", unless that is the same number, or
 *   nobody knows it; 0 is of other events. The first event is the default. There
 *   is no late. Instead of the settings' hz and of the books of CPUs there are
 *     event=N weight=N samples=N period-ns=N hz=N duration-ns=N named=0|1
 *                            an event, by numbers from 0, its sample types by
 *                            theirs, and whether its name tells what weights are;
 *     event=N cpu=N ...      one CPU's books of it;
 *   there are no slices;
 * - text that is no UTF-8, or that would steer a terminal (utf8_steers()), has
 *   the bytes of those characters, and its backslashes, as \xNN.
 */
#ifndef FLAMECTL_PPROF_H
#define FLAMECTL_PPROF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/events.h"
#include "profile/profile.h"

/* The most a file may hold when unpacked, and its decoded form may take. */
#define PPROF_UNPACKED_MAX	(1ULL << 30)
#define PPROF_DECODED_MAX	(2ULL << 30)

/* The names that all samples spell out together, in bytes, 16 more for each. */
#define PPROF_WORK_MAX		(4ULL << 30)

/**
 * pprof_write() - write @profile, gzip'd, to @out.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW where a weight in nanoseconds does not fit,
 * or -errno of the stream.
 */
int pprof_write(const struct profile *profile, FILE *out, struct error *error);

/**
 * pprof_write_events() - the same of all events of a file; one alone is written as
 * by pprof_write().
 * @events: one at least. Each has a name where there are several.
 */
int pprof_write_events(const struct events *events, FILE *out,
		       struct error *error);

/**
 * pprof_read() - read a saved profile, gzip'd or not: its default event.
 * @in: read to its end.
 * @name: the file's name, for messages.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(); -EBADMSG for
 * anything that is no profile, whose counts do not add up, or that is too
 * large; -ENOMEM, or -errno of the stream.
 */
int pprof_read(FILE *in, const char *name, struct profile **profile,
	       struct error *error);

/**
 * pprof_read_events() - the events that are wanted of a saved profile.
 * @events: set to them, the default first; to be freed by events_deinit().
 *
 * Return: as pprof_read(), -EBADMSG also where there is no such event.
 */
int pprof_read_events(FILE *in, const char *name,
		      const struct events_wanted *wanted,
		      struct events *events, struct error *error);

/**
 * pprof_parse_events() - pprof_read_events() of bytes that are not gzip'd, or
 * not any more.
 */
int pprof_parse_events(const uint8_t *bytes, size_t size, const char *name,
		       const struct events_wanted *wanted,
		       struct events *events, struct error *error);

/**
 * pprof_probe() - do these bytes begin a pprof message?
 * @size: of all that are there; the first 64 KiB are looked at.
 */
bool pprof_probe(const uint8_t *bytes, size_t size);

#endif /* FLAMECTL_PPROF_H */
