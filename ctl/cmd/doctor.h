/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why can I not sample here? What this machine says about it, point by point.
 */
#ifndef FLAMECTL_DOCTOR_H
#define FLAMECTL_DOCTOR_H

#include <stdint.h>
#include <sys/types.h>

enum doctor_level { DOCTOR_OK, DOCTOR_WARN, DOCTOR_FAIL };

/**
 * typedef doctor_fn - told of each finding.
 * @topic: one or two words
 * @text: what was found and, unless it is fine, what to do
 */
typedef void (*doctor_fn)(void *data, enum doctor_level level,
			  const char *topic, const char *text);

struct doctor {
	const char *root;	/* before every path; "" for this machine */
	doctor_fn report;
	void *data;
	char release[128];	/* of the kernel; set by doctor_run() */
	int code;		/* of enum in command.h, the verdict so far */
};

/**
 * doctor_run() - look at everything, and tell @doctor->report.
 *
 * With a @root that is not "", the module is not asked: whether its directory
 * is in <root>/sys/module is all that counts.
 *
 * Return: 0 when sampling can work, 3 where the module is absent or may not
 * be used, or else 1.
 */
int doctor_run(struct doctor *doctor);

/*
 * The rest is shared by the files doctor*.c.
 */

/** doctor_say() - report a finding; a failure makes the verdict @code. */
void doctor_say(struct doctor *doctor, enum doctor_level level, int code,
		const char *topic, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/**
 * doctor_read_bytes() - the first bytes of a file below the root.
 *
 * Return: how many, at most @size, or -errno.
 */
ssize_t doctor_read_bytes(const struct doctor *doctor, const char *path,
			  void *bytes, size_t size);

/**
 * doctor_read() - the first bytes of a file below the root, as text without
 * its final newline.
 *
 * Return: 0 or -errno.
 */
int doctor_read(const struct doctor *doctor, const char *path, char *text,
		unsigned int size);

/* The rate that is advised where the clock allows it. */
#define DOCTOR_RATE	997

/** doctor_rate() - that, or the highest that the timers' clock allows. */
uint64_t doctor_rate(const struct doctor *doctor);

/** doctor_timers() - are the timers of high resolution, is the clock fast? */
void doctor_timers(struct doctor *doctor);

/** doctor_config() - are the kernel's options as needed? */
void doctor_config(struct doctor *doctor);

/** doctor_module_file() - is there a flamemod.ko to load, for this kernel? */
void doctor_module_file(struct doctor *doctor);

#endif /* FLAMECTL_DOCTOR_H */
