/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saved profiles: gzip'd messages of pprof.proto, the pprof format.
 *
 * A profile that was written is read back exactly. Files of other programs are
 * read as far as possible. The books are the counts of what became of each
 * timer period (fires + missed = stored + filtered + lost); for files of other
 * programs, books that balance are made up.
 *
 * How a profile is laid out in a file:
 * - the sample types are samples/count, cpu/nanoseconds (periods times the
 *   period) and late/microseconds; the period is the sampling period;
 * - if weights are not CPU time, the second sample type says what they are: the
 *   name that another program gave them, such as inuse_space/bytes, or
 *   weight/count; apart from it, only the layout's version differs. If a weight
 *   is the number of samples, samples/count is the default type;
 * - there is one location and one function per frame, in the order of the
 *   frames; the mapping is "[kernel.kallsyms]" for the core kernel, "[name]" for
 *   a module, "user" for programs, and absent for marks;
 * - frames of a known program or library have a mapping of its path and
 *   build-id, whose file offset is 0; the address is where the frame's place
 *   in that file would be, if it were mapped there. A frame that has no name but
 *   its place has no function. The address of all other frames is 0;
 * - labels are comm, context (text), pid, tid, cpu (numbers); also host (text)
 *   in a profile of several hosts, cgroup (text, see profile/cgroup.h) where it is
 *   known, and slice (nanoseconds from the profile's
 *   start to the slice's) if the profile is cut into slices of time;
 * - lost periods are samples with location "[lost: reason]" and labels lost
 *   (text) and cpu; a record without frames has location "[user]" or another
 *   context's name, so that no sample is empty and every program sees the same
 *   totals; the functions of these locations have the file "(flamemod)";
 * - comments are "key=value", one each:
 *     flamemod=1             the layout's version, always the first; 2 if the
 *                            second sample type is not cpu/nanoseconds, 3 if
 *                            there are several events
 *     module-version, release, host
 *     hz, max-depth, exclude-idle, kernel-only, pids, cpus
 *                            the settings, as "flamectl set" takes them
 *     state, epoch, resolution-ns, since-ns, instant-ns, memory-bytes,
 *     memory-limit-bytes     as in common/flamemod.yaml
 *     summed-cpus            how many CPUs' books are summed in those of CPU 0;
 *                            absent if each CPU has its own
 *     threshold              in periods: rows of fewer are an estimate, see
 *                            profile/threshold.h; absent if none are
 *     inclusion              "1/K": its host is sampled in one hour of K, see
 *                            profile/inclusion.h; absent if in all
 *     weighted               "1/K": a sum in which windows of that inclusion, or
 *                            of larger ones, count for all hours; absent if it
 *                            has none
 *     steal-clock            the same; absent if not known
 *     begin-ns               where the window starts that ends at instant-ns, by
 *                            the same clock; absent if not known
 *     command, cmdline       what was recorded, and the command that recorded
 *                            it, as typed to a shell; from here on, unknown
 *                            values are omitted
 *     cpu-model, arch, machine-cpus, machine-memory-bytes
 *                            the machine; arch as uname -m prints it
 *     boot-id                of this run of its kernel, as in
 *                            /proc/sys/kernel/random/boot_id
 *     cpu-kb, aggregate-kb   the module's parameters
 *     event-name             what perf sampled by, where there is one event
 *     intervals=N below=N below-ns=N min-ns=N no-waiting=0|1 of-hits=0|1
 *     intervals-lost.REASON=N... power.K=N...
 *                            of an event of tasks, such as off-cpu, whose weights
 *                            are nanoseconds: how many intervals there were, how
 *                            many were left out as shorter than min-ns and how
 *                            long these were together, whether waits for a CPU
 *                            are not told apart, and how many were lost. The same
 *                            with of-hits=1 of an event that something else causes,
 *                            such as func:vfs_read: how many hits there were; and
 *                            of latency:FUNCTION how many stored ones had a weight
 *                            from 2^K to 2^(K+1)-1 ns. Absent values are 0
 *     cpu=N sampling=0|1 sampled-ns=N expected=N fires=N missed=N stored=N
 *     filtered=N truncated=N asleep=N late=N stolen=N overdue=[-]N
 *     lost.REASON=N...       one CPU's books, in periods; absent values are 0;
 *     slice=N end-ns=N       one slice, from start to end, in order of time;
 *     slice=N cpu=N ...      then one CPU's books in it; the sum is that above;
 *     slice-intervals=N intervals=N ...
 *                            then its intervals or hits, if the profile has them; the sum
 *                            is that above, except that powers of two are absent there if
 *                            a slice with hits has none;
 *   unknown keys are ignored, so that a new key needs no new layout;
 * - with several events, each has a sample type with its name, and another,
 *   "NAME-samples", for the number of its samples, unless that number equals
 *   the weight or is unknown; a sample of other events has 0 there. The first
 *   event is the default. There is no late. Instead of hz and of the books of
 *   CPUs there are
 *     event=N weight=N samples=N period-ns=N hz=N duration-ns=N named=0|1
 *     perf-event=0|1 summed-cpus=N intervals=N ...
 *                            an event: its number from 0, the indices of its
 *                            sample types, whether its name says what the
 *                            weights are, and whether it is one of perf's;
 *                            summed-cpus and the words from intervals on as
 *                            above;
 *     event=N cpu=N ...      one CPU's books of that event;
 *     event-slice=N end-ns=N one slice, from start to end, of all events, in order of time;
 *     event-slice=N event=N cpu=N ...
 *     event-slice=N event=N intervals=N ...
 *                            then one CPU's books of an event in it, and its intervals or
 *                            hits. Samples have the label slice then, a stack of a task
 *                            is one sample a slice, and so are lost periods. Versions
 *                            that do not know this key read the whole;
 * - text that is not UTF-8, or has characters that control a terminal
 *   (utf8_steers()), has the bytes of those characters, and its backslashes,
 *   written as \xNN.
 */
#ifndef FLAMECTL_PPROF_H
#define FLAMECTL_PPROF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/events.h"
#include "profile/profile.h"

/* Limits of a file's unpacked size, and of its decoded form in memory. */
#define PPROF_UNPACKED_MAX	(1ULL << 30)
#define PPROF_DECODED_MAX	(2ULL << 30)

/*
 * Limit of the text that all samples refer to, in bytes, counting each
 * reference and PPROF_WORK_EACH more for it.
 */
#define PPROF_WORK_MAX		(4ULL << 30)

/**
 * pprof_write() - write @profile, gzip'd, to @out.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW if a weight in nanoseconds does not fit,
 * or -errno of the stream.
 */
int pprof_write(const struct profile *profile, FILE *out, struct error *error);

/**
 * pprof_write_fast() - the same in a third of the time, with some more bytes: for a file
 * that is replaced soon.
 */
int pprof_write_fast(const struct profile *profile, FILE *out, struct error *error);

/**
 * pprof_write_events() - write all events to one file; a single event is
 * written as by pprof_write().
 * @events: at least one. If there are several, each has a name, and all have the same
 *	    slices, or none has any: else they are refused with -EINVAL.
 */
int pprof_write_events(const struct events *events, FILE *out,
		       struct error *error);

/**
 * pprof_read() - read the default event of a saved profile, gzip'd or not.
 * @in: read to its end.
 * @name: the file's name, for messages.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(); -EBADMSG for
 * a file that is not a profile, whose counts do not add up, or that is too
 * large; -ENOMEM, or -errno of the stream.
 */
int pprof_read(FILE *in, const char *name, struct profile **profile,
	       struct error *error);

/**
 * pprof_read_events() - read the events that @wanted selects.
 * @events: set to them, the default first; to be freed by events_deinit().
 *
 * Return: as pprof_read(), also -EBADMSG if there is no such event.
 */
int pprof_read_events(FILE *in, const char *name,
		      const struct events_wanted *wanted,
		      struct events *events, struct error *error);

/**
 * pprof_parse_events() - as pprof_read_events(), but from bytes in memory that
 * are not, or no longer, gzip'd.
 */
int pprof_parse_events(const uint8_t *bytes, size_t size, const char *name,
		       const struct events_wanted *wanted,
		       struct events *events, struct error *error);

/**
 * pprof_probe() - report whether these bytes start a pprof message.
 * @size: of all bytes; only the first 64 KiB are looked at.
 */
bool pprof_probe(const uint8_t *bytes, size_t size);

#endif /* FLAMECTL_PPROF_H */
